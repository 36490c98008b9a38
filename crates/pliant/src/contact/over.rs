//! Tips over the surface of another body, eight at a time: what they are over, and so which of them touch.
//!
//! Tips that follow each other are beside each other, and over the same few carriers. So each carrier near any of the eight is looked at
//! once, in all lanes; every lane adds up what concerns it in the order of carriers, as if it were alone.

use super::carriers::{Carrier, Carriers, Picked};
use super::narrow::{CARRIERS, ContactPoint, FAR, NearTip, SLOP, Seen, Sum};
use crate::body::border::{Facet, Facing, LookingTips, in_all};
use crate::math::lanes::{F32x8, Kernel, LANES, LaneMask, Lanes, run};
use glam::Vec3;

/// Places on its way that a tip is looked for at most.
const MOST_PLACES: f32 = 32.0;

/// Two bodies that touch: tips of the first on carriers of the second.
pub(super) struct Touching<'a> {
    pub first: &'a Seen<'a>,
    pub second: &'a Seen<'a>,
    /// The carriers of the second's surface and inside of it, and which of them are near.
    pub carriers: [(&'a Carriers, &'a Picked); 2],
    pub h: f32,
    /// Metres that they may be apart.
    pub margin: f32,
    /// How far sheets keep others off.
    pub thick: f32,
    /// A sheet touches with both sides.
    pub sheets: bool,
    pub kin: bool,
}

impl Touching<'_> {
    /// Finds the tips that are in the other body, in whose coordinates they are, or nearly, or have been on their way through it in this
    /// substep. `offset` is from there to their own.
    pub fn find(&self, tips: &[NearTip], offset: Vec3, near: &mut Vec<u32>, found: &mut Vec<ContactPoint>) {
        run(FindTips { touching: self, tips, offset, near, found });
    }

    /// How far a tip comes in the substep.
    fn motion(&self, tip: &NearTip) -> Vec3 {
        let velocity = self.first.body.nodes.velocities[tip.node as usize];
        self.h * (velocity - self.second.shell.drift)
    }
}

struct FindTips<'a> {
    touching: &'a Touching<'a>,
    tips: &'a [NearTip],
    offset: Vec3,
    /// Carriers near eight of them.
    near: &'a mut Vec<u32>,
    found: &'a mut Vec<ContactPoint>,
}

impl Kernel for FindTips<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { touching, tips, offset, near, found } = self;
        let span = touching.first.border.span.min(touching.second.border.span);
        let (far, slop) = (FAR * span, if touching.kin { SLOP * span } else { 0.0 });
        let is_slow = |tip: &NearTip| touching.motion(tip).length_squared() <= far * far;
        // The grid is asked about one place at a time.
        let at_a_time = if touching.carriers.iter().any(|(_, picked)| picked.is_many()) { 1 } else { LANES };
        let mut left = tips;
        while let Some(tip) = left.first() {
            let count = left.iter().take(at_a_time).take_while(|tip| is_slow(tip)).count();
            if count > 0 {
                let (slow, others) = left.split_at(count);
                let at = |lane: usize| (&slow[lane], slow[lane].place);
                sums::<L>((touching, near), count, at, |lane, sum| {
                    let tip = &slow[lane];
                    let point = sum.contact_point(tip.node, tip.place + offset, touching.margin);
                    found.extend(point.map(|point| ContactPoint { depth: point.depth - slop, ..point }));
                });
                left = others;
                continue;
            }
            let motion = touching.motion(tip);
            let places = (motion.length() / far).ceil().min(MOST_PLACES) as u32;
            let to_go = |place: u32| motion * (1.0 - place as f32 / places as f32);
            let mut on_its_way = None;
            for first in (1..=places).step_by(at_a_time) {
                let count = at_a_time.min((places - first) as usize + 1);
                let at = |lane: usize| (tip, tip.place - to_go(first + lane as u32));
                sums::<L>((touching, near), count, at, |lane, sum| {
                    let Some(mut point) = sum.contact_point(tip.node, tip.place + offset, 0.0) else {
                        return;
                    };
                    point.depth -= to_go(first + lane as u32).dot(point.normal);
                    if point.depth > 0.0 && on_its_way.is_none() {
                        on_its_way = Some(point);
                    }
                });
                if on_its_way.is_some() {
                    break;
                }
            }
            found.extend(on_its_way);
            left = &left[1..];
        }
    }
}

/// Calls `found` for each of up to eight tips at places that is over carriers, in order.
#[inline(always)]
fn sums<'t, L: Lanes>(
    (touching, near): (&Touching, &mut Vec<u32>),
    count: usize,
    at: impl Fn(usize) -> (&'t NearTip, Vec3),
    mut found: impl FnMut(usize, Sum),
) {
    let eight = EightTips::new(touching, (0..count).map(at));
    let mut over = Over::<L>::new(&eight);
    for (carriers, picked) in touching.carriers {
        carriers.near_box::<L>(picked, eight.bounds, near);
        for &index in &*near {
            let (carrier, facets) = carriers.get(index);
            over.add(&eight, (carrier, facets), picked.limit2(carrier));
        }
    }
    let (inside, beside) = (over.inside.store(), over.beside.store());
    for lane in 0..count {
        let of = if inside.weight.0[lane] > 0.0 { &inside } else { &beside };
        if of.weight.0[lane] > 0.0 {
            found(lane, of.sum(lane));
        }
    }
}

/// Up to eight tips; the last lanes may be none.
struct EightTips<'a, 't> {
    touching: &'a Touching<'a>,
    tips: [Option<&'t NearTip>; LANES],
    places: [F32x8; 3],
    ways: [F32x8; 3],
    cones: F32x8,
    /// A box around their places.
    bounds: [Vec3; 2],
}

impl<'a, 't> EightTips<'a, 't> {
    #[inline(always)]
    fn new(touching: &'a Touching<'a>, all: impl Iterator<Item = (&'t NearTip, Vec3)>) -> Self {
        let (mut tips, mut cones) = ([None; LANES], F32x8::default());
        let [mut places, mut ways] = [[F32x8::splat(f32::INFINITY); 3], [F32x8::default(); 3]];
        let mut bounds = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        for (lane, (tip, place)) in all.enumerate() {
            let way = if touching.sheets { Vec3::ZERO } else { tip.way };
            bounds = [bounds[0].min(place), bounds[1].max(place)];
            tips[lane] = Some(tip);
            cones.0[lane] = tip.cone;
            for axis in 0..3 {
                places[axis].0[lane] = place[axis];
                ways[axis].0[lane] = way[axis];
            }
        }
        Self { touching, tips, places, ways, cones, bounds }
    }
}

/// What eight tips are over.
struct Over<L: Lanes> {
    tips: LookingTips<L>,
    /// Of carriers whose surface is above them, and of those below which they are not, but nearly.
    inside: Sums<L>,
    beside: Sums<L>,
}

impl<L: Lanes> Over<L> {
    #[inline(always)]
    fn new(eight: &EightTips) -> Self {
        let (places, ways) = (load(&eight.places), load(&eight.ways));
        let tips = LookingTips { places, ways, cones: L::load(&eight.cones) };
        Self { tips, inside: Sums::none(), beside: Sums::none() }
    }

    /// Adds what a carrier says to those whose distance from it has a square of no more than `limit2`.
    #[inline(always)]
    fn add(&mut self, eight: &EightTips, (carrier, facets): (&Carrier, &[Facet]), limit2: f32) {
        let touching = eight.touching;
        let ([x, y, z], at) = (self.tips.places, in_all::<L>(carrier.at));
        let [dx, dy, dz] = [x - at[0], y - at[1], z - at[2]];
        let near = L::splat(limit2).ge(dx * dx + dy * dy + dz * dz);
        if near.bits() == 0 {
            return;
        }
        let mut facing = touching.second.border.distances_facing(carrier.node, &self.tips, facets);
        facing.found = facing.found & near;
        if facing.found.bits() == 0 {
            return;
        }
        if touching.kin || touching.second.border.sheet.is_some() {
            facing = adjusted(eight, (carrier, facets), facing);
        }
        facing.distances = facing.distances - L::splat(touching.thick);
        let inside = L::splat(0.0).gt(facing.distances) & facing.found;
        if inside.bits() != 0 {
            self.inside.add(inside, carrier, self.tips.places, &facing);
        }
        let beside = !inside & L::splat(touching.margin).gt(facing.distances) & facing.found;
        if beside.bits() != 0 {
            self.beside.add(beside, carrier, self.tips.places, &facing);
        }
    }
}

/// Of pieces of one body how far they are besides what they were at rest, and of a sheet how far from the side that each tip comes from.
#[inline(always)]
fn adjusted<L: Lanes>(
    eight: &EightTips,
    (carrier, facets): (&Carrier, &[Facet]),
    facing: Facing<L>,
) -> Facing<L> {
    let Touching { first, second, h, kin, .. } = *eight.touching;
    let velocity = |of: &Seen, node: u32| of.body.nodes.velocities[node as usize];
    let [x, y, z] = facing.normals;
    let (mut distances, mut normals) = (facing.distances.store(), [x.store(), y.store(), z.store()]);
    let which = facing.which.store();
    let mut found = facing.found.bits();
    while found != 0 {
        let lane = found.trailing_zeros() as usize;
        found &= found - 1;
        let (Some(tip), distance) = (eight.tips[lane], &mut distances.0[lane]) else { continue };
        if kin {
            *distance -= second.depth_at_rest(carrier.node, tip.rest, which.0[lane] as usize);
        }
        if second.border.sheet.is_some() {
            let normal = facets[which.0[lane] as usize].normal;
            let approach = (velocity(first, tip.node) - velocity(second, carrier.node)).dot(normal);
            if *distance - h * approach < 0.0 {
                *distance = -*distance;
                normals.iter_mut().for_each(|axis| axis.0[lane] = -axis.0[lane]);
            }
        }
    }
    Facing { distances: L::load(&distances), normals: load(&normals), ..facing }
}

#[inline(always)]
fn load<L: Lanes>([x, y, z]: &[F32x8; 3]) -> [L; 3] {
    [L::load(x), L::load(y), L::load(z)]
}

/// Eight [`Sum`]s.
struct Sums<L: Lanes> {
    weight: L,
    distance: L,
    normal: [L; 3],
    /// The nodes that carry most, as bits, and how much of it.
    carriers: [(L, L); CARRIERS],
}

impl<L: Lanes> Sums<L> {
    #[inline(always)]
    fn none() -> Self {
        let zero = L::splat(0.0);
        Self { weight: zero, distance: zero, normal: [zero; 3], carriers: [(zero, zero); CARRIERS] }
    }

    /// As [`Sum::add`], where `of` says so.
    #[inline(always)]
    fn add(&mut self, of: L::Mask, carrier: &Carrier, [x, y, z]: [L; 3], facing: &Facing<L>) {
        let (zero, one, at) = (L::splat(0.0), L::splat(1.0), in_all::<L>(carrier.at));
        let ([dx, dy, dz], [nx, ny, nz]) = ([x - at[0], y - at[1], z - at[2]], facing.normals);
        let up = dx * nx + dy * ny + dz * nz;
        let aside2 = (dx * dx + dy * dy + dz * dz - up * up).max(zero);
        let weight = one - aside2 / L::splat(carrier.span * carrier.span);
        let of = of & weight.gt(zero);
        let weight = L::select(of, weight * weight, zero);
        self.weight = self.weight + weight;
        let weight = L::select(of, weight * facing.clear, zero);
        self.distance = self.distance + L::select(of, weight * facing.distances, zero);
        for axis in 0..3 {
            self.normal[axis] = self.normal[axis] + weight * facing.normals[axis];
        }
        let mut entry = (L::splat(f32::from_bits(carrier.node)), weight);
        for (node, most) in &mut self.carriers {
            let more = entry.1.gt(*most);
            let less = (L::select(more, *node, entry.0), L::select(more, *most, entry.1));
            (*node, *most) = (L::select(more, entry.0, *node), L::select(more, entry.1, *most));
            entry = less;
        }
    }

    #[inline(always)]
    fn store(self) -> StoredSums {
        let [x, y, z] = self.normal;
        let mut carriers = [(F32x8::default(), F32x8::default()); CARRIERS];
        for (stored, (node, weight)) in carriers.iter_mut().zip(self.carriers) {
            *stored = (node.store(), weight.store());
        }
        StoredSums {
            weight: self.weight.store(),
            distance: self.distance.store(),
            normal: [x.store(), y.store(), z.store()],
            carriers,
        }
    }
}

/// Eight sums in memory.
struct StoredSums {
    weight: F32x8,
    distance: F32x8,
    normal: [F32x8; 3],
    carriers: [(F32x8, F32x8); CARRIERS],
}

impl StoredSums {
    /// One of them.
    fn sum(&self, lane: usize) -> Sum {
        Sum {
            weight: self.weight.0[lane],
            distance: self.distance.0[lane],
            normal: Vec3::from_array(self.normal.map(|axis| axis.0[lane])),
            carriers: self.carriers.map(|(node, weight)| (node.0[lane].to_bits(), weight.0[lane])),
        }
    }
}
