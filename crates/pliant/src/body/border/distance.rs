//! How far a point is from the surface around a node.

use super::tips::FACING;
use super::{Border, Facet};
use crate::math::lanes::Lanes;
use glam::Vec3;

/// Cosines beyond the cone from which on a tip clearly faces a facet.
const CLEARLY: f32 = 0.2;
/// The least cosine at which a tip that is deep inside and a facet face each other.
const LEAST_CONE: f32 = -0.2;
/// Spans that a tip may be beside a facet's edge and still be on it: bodies of equal size stand on each other edge on edge.
const BESIDE: f32 = 0.05;

impl Border {
    /// How far a point is outside of a node's facets (negative inside) and which facet says so, given the facets as they are
    /// now. The material is where all of them have it below, or, where it turns inward, what the nearest of them says.
    pub fn distance(&self, node: u32, point: Vec3, now: &[Facet]) -> Option<(f32, Facet)> {
        let all = now.iter().map(|facet| ((point - facet.point).dot(facet.normal), *facet));
        if self.hollow[node as usize] {
            let away = |facet: &Facet| facet.point.distance_squared(point);
            all.min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b)))
        } else {
            all.max_by(|a, b| a.0.total_cmp(&b.0))
        }
    }

    /// As [`distance`](Self::distance), for eight tips that look their ways and can touch what is within their cones: where one is
    /// inside, the facet is the one through which it gets out soonest by going back. Beside an edge that is not the nearest one,
    /// which would push it sideways. A tip that looks no way takes the nearest.
    #[inline(always)]
    pub fn distances_facing<L: Lanes>(&self, node: u32, tips: &LookingTips<L>, now: &[Facet]) -> Facing<L> {
        match self.hollow[node as usize] {
            true => nearest_facing(tips, now),
            false => soonest_facing(self.spans[node as usize], tips, now),
        }
    }
}

/// Eight tips, each with the way it looks, which may be none, and its cone.
#[derive(Clone, Copy)]
pub struct LookingTips<L: Lanes> {
    /// Where they are.
    pub places: [L; 3],
    /// Unit vectors; zero for those that look no way.
    pub ways: [L; 3],
    /// Cosines of the angles within which they can touch.
    pub cones: L,
}

/// How far eight tips are outside of the facets that they face.
#[derive(Clone, Copy)]
pub struct Facing<L: Lanes> {
    /// Those that face one.
    pub found: L::Mask,
    /// Metres; negative inside.
    pub distances: L,
    /// Of the facets.
    pub normals: [L; 3],
    /// Which of the facets they are.
    pub which: L,
    /// How much it is so, from 0 to 1: contacts that begin and end all at once make what rests on them tremble.
    pub clear: L,
}

/// Where the surface turns inward: the nearest facet, if a tip faces it.
#[inline(always)]
fn nearest_facing<L: Lanes>(tips: &LookingTips<L>, now: &[Facet]) -> Facing<L> {
    let mut best = Best::<L>::none();
    for (which, facet) in now.iter().enumerate() {
        let facet = WideFacet::of(facet);
        let away = minus(tips.places, facet.point);
        let away2 = dot(away, away);
        let nearer = best.least.gt(away2);
        best.take(nearer, away2, &facet, (which, facet.outside(tips.places)));
    }
    let (facing, looks) = (-dot(best.normal, tips.ways), looks(tips));
    let found = (facing.gt(tips.cones) | !looks) & L::splat(f32::INFINITY).gt(best.least);
    let clear = L::select(looks, clear(facing, tips.cones), L::splat(1.0));
    Facing { found, distances: best.distance, normals: best.normal, which: best.which, clear }
}

/// Where the surface does not turn inward: the facet through which a tip gets out soonest.
#[inline(always)]
fn soonest_facing<L: Lanes>(span: f32, tips: &LookingTips<L>, now: &[Facet]) -> Facing<L> {
    let (zero, one, looks) = (L::splat(0.0), L::splat(1.0), looks(tips));
    // What is deep inside must get out, whichever way it looks.
    let mut out = L::splat(f32::NEG_INFINITY);
    for facet in now {
        out = WideFacet::of(facet).outside(tips.places).max(out);
    }
    let deepest = L::splat(LEAST_CONE).min(tips.cones);
    let cones = (tips.cones + out.min(zero) / L::splat(span)).max(deepest);
    let beside = L::splat(BESIDE * span);
    let (mut best, mut facing_best, mut on) = (Best::<L>::none(), zero, one);
    for (which, facet) in now.iter().enumerate() {
        let facet = WideFacet::of(facet);
        let (outside, facing) = (facet.outside(tips.places), -dot(facet.normal, tips.ways));
        let faces = facing.gt(cones);
        let back = L::select(looks, -outside / facing.max(L::splat(FACING)), -outside);
        // Of those that look no way, the last of equally near ones.
        let sooner = best.least.gt(back) & faces & looks | best.least.ge(back) & !looks;
        best.take(sooner, back, &facet, (which, outside));
        facing_best = L::select(sooner, facing, facing_best);
        on = L::select(faces | !looks, on, on.min(one - outside / beside));
    }
    let found = L::splat(f32::INFINITY).gt(best.least) & on.gt(zero);
    let clear = L::select(looks, clear(facing_best, cones) * on, one);
    Facing { found, distances: best.distance, normals: best.normal, which: best.which, clear }
}

/// The facets that eight tips have found best so far.
struct Best<L: Lanes> {
    /// By what they are.
    least: L,
    distance: L,
    normal: [L; 3],
    which: L,
}

impl<L: Lanes> Best<L> {
    #[inline(always)]
    fn none() -> Self {
        let zero = L::splat(0.0);
        Self { least: L::splat(f32::INFINITY), distance: zero, normal: [zero; 3], which: zero }
    }

    /// Takes a facet where it is better.
    #[inline(always)]
    fn take(&mut self, better: L::Mask, by: L, facet: &WideFacet<L>, (which, distance): (usize, L)) {
        self.least = L::select(better, by, self.least);
        self.distance = L::select(better, distance, self.distance);
        self.which = L::select(better, L::splat(which as f32), self.which);
        for axis in 0..3 {
            self.normal[axis] = L::select(better, facet.normal[axis], self.normal[axis]);
        }
    }
}

/// The same facet in every lane.
struct WideFacet<L: Lanes> {
    point: [L; 3],
    normal: [L; 3],
}

impl<L: Lanes> WideFacet<L> {
    #[inline(always)]
    fn of(facet: &Facet) -> Self {
        Self { point: in_all(facet.point), normal: in_all(facet.normal) }
    }

    /// How far places are above it.
    #[inline(always)]
    fn outside(&self, places: [L; 3]) -> L {
        dot(minus(places, self.point), self.normal)
    }
}

/// Which tips look some way.
#[inline(always)]
fn looks<L: Lanes>(tips: &LookingTips<L>) -> L::Mask {
    dot(tips.ways, tips.ways).gt(L::splat(0.0))
}

/// How clearly tips face what they do.
#[inline(always)]
fn clear<L: Lanes>(facing: L, cones: L) -> L {
    ((facing - cones) / L::splat(CLEARLY)).min(L::splat(1.0))
}

/// The same vector in every lane.
#[inline(always)]
pub fn in_all<L: Lanes>(v: Vec3) -> [L; 3] {
    [L::splat(v.x), L::splat(v.y), L::splat(v.z)]
}

#[inline(always)]
fn minus<L: Lanes>([ax, ay, az]: [L; 3], [bx, by, bz]: [L; 3]) -> [L; 3] {
    [ax - bx, ay - by, az - bz]
}

#[inline(always)]
fn dot<L: Lanes>([ax, ay, az]: [L; 3], [bx, by, bz]: [L; 3]) -> L {
    ax * bx + ay * by + az * bz
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::{F32x8, Kernel, LANES, LaneMask, run, run_plain};

    /// What one tip by itself faces: its distance, the facet and how clear that is.
    fn one_facing(
        border: &Border,
        tip: Vec3,
        way: Vec3,
        cone: f32,
        now: &[Facet],
    ) -> Option<(f32, Facet, f32)> {
        if way == Vec3::ZERO {
            return border.distance(0, tip, now).map(|(distance, facet)| (distance, facet, 1.0));
        }
        let clear = |facing: f32, cone: f32| ((facing - cone) / CLEARLY).min(1.0);
        if border.hollow[0] {
            let (distance, facet) = border.distance(0, tip, now)?;
            let facing = -facet.normal.dot(way);
            return (facing > cone).then(|| (distance, facet, clear(facing, cone)));
        }
        let outside = |facet: &Facet| (tip - facet.point).dot(facet.normal);
        let out = now.iter().map(outside).fold(f32::NEG_INFINITY, f32::max);
        let cone = (cone + out.min(0.0) / border.spans[0]).max(LEAST_CONE.min(cone));
        let (faced, others): (Vec<&Facet>, Vec<&Facet>) =
            now.iter().partition(|facet| -facet.normal.dot(way) > cone);
        let back = |facet: &Facet| -outside(facet) / (-facet.normal.dot(way)).max(FACING);
        let best = faced.into_iter().min_by(|a, b| back(a).total_cmp(&back(b)))?;
        let on = others.into_iter().map(|facet| 1.0 - outside(facet) / (BESIDE * border.spans[0]));
        let on = on.fold(1.0, f32::min);
        let clear = clear(-best.normal.dot(way), cone) * on;
        (on > 0.0).then(|| (outside(best), *best, clear))
    }

    struct EightFacing<'a>(&'a Border, &'a [(Vec3, Vec3, f32); LANES], &'a [Facet]);

    impl Kernel for EightFacing<'_> {
        type Output = [Option<(f32, Vec3, f32)>; LANES];

        #[inline(always)]
        fn run<L: Lanes>(self) -> Self::Output {
            let Self(border, all, now) = self;
            let lanes = |of: &dyn Fn(usize) -> f32| L::load(&F32x8(std::array::from_fn(of)));
            let places = [0, 1, 2].map(|axis| lanes(&|lane| all[lane].0[axis]));
            let ways = [0, 1, 2].map(|axis| lanes(&|lane| all[lane].1[axis]));
            let tips = LookingTips { places, ways, cones: lanes(&|lane| all[lane].2) };
            let Facing { found, distances, normals, clear, .. } = border.distances_facing(0, &tips, now);
            let (distances, clear, bits) = (distances.store().0, clear.store().0, found.bits());
            let normals = normals.map(|axis| axis.store().0);
            std::array::from_fn(|lane| {
                let normal = Vec3::from_array([0, 1, 2].map(|axis| normals[axis][lane]));
                (bits >> lane & 1 == 1).then_some((distances[lane], normal, clear[lane]))
            })
        }
    }

    #[test]
    fn eight_tips_face_what_each_faces_by_itself() {
        let mut state = 11_u32;
        let mut random = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let mut vector = |scale: f32| scale * Vec3::new(random(), random(), random());
        let mut seen = 0;
        for round in 0..4000 {
            let facet = |_| Facet { point: vector(0.1), normal: vector(1.0).normalize_or_zero() };
            let now: Vec<Facet> = (0..round % 4).map(facet).collect();
            let border = Border { hollow: vec![round % 7 == 0], spans: vec![0.1], ..Border::default() };
            let tips: [_; LANES] = std::array::from_fn(|lane| {
                let way = if lane == 5 { Vec3::ZERO } else { vector(1.0).normalize_or_zero() };
                (vector(0.2), way, 0.05 + vector(1.0).x.abs())
            });
            let alone = tips.map(|(tip, way, cone)| one_facing(&border, tip, way, cone, &now));
            let alone =
                alone.map(|found| found.map(|(distance, facet, clear)| (distance, facet.normal, clear)));
            assert_eq!(run(EightFacing(&border, &tips, &now)), alone);
            assert_eq!(run_plain(EightFacing(&border, &tips, &now)), alone);
            seen += alone.iter().flatten().count();
        }
        assert!(seen > 3000, "{seen}");
    }
}
