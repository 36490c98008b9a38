//! A shape match: the rotation that fits a cluster best, what its deformation stores, and how it pulls its particles.
//!
//! Based on \[TYGP15\] §2 (Eq. 1); the potential is that of [`hooke`], a cluster being a region of its own:
//!
//! ```text
//! Φ_c = ½ μ κ (|F − R|² + b tr² ε) + ½ μ γ (4κ/d²) Σ w |x − c − F q|²        κ = E / ((1 + ν) ρ)
//! ```
//!
//! Symbols: `x` particles, `q` their rest offsets from the middle, `w` their weights, `c` the middle now, `Q` = Σ w q qᵀ,
//! `F` = Σ w x qᵀ Q⁻¹ the best linear map, `R` its rotation, `μ` the cluster's mass, `d` the edge of a voxel of its level.
//!
//! On the levels above the finest there is nothing but changes of position: a cluster starts as its rotation says and undeformed,
//! and x are the displacements of its corners since then. F is that rotation and their gradient.

use super::rest::{CORNERS, Level, Shape};
use crate::math::lanes::{F32x8, Kernel, LANES, Lanes, run};
use crate::math::{Mat3x8, Quatx8, Vec3x8, rotations_warm_x8};
use crate::model::regions::fit::{
    Columns, dot, load, load_six, mul, plus, rotation_columns, store, times_symmetric,
};
use crate::model::regions::hooke;
use crate::par;
use glam::{Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A cluster as it was matched last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// R
    pub rotation: Quat,
    /// F
    pub map: Mat3,
    /// What it pulls its particles with, in N.
    pub forces: [Vec3; CORNERS],
    /// Φ_c in J.
    pub energy: f32,
}

/// What a step's matches have in common.
#[derive(Clone, Copy, Debug, Default)]
pub struct Law {
    /// κ, in m²/s².
    pub modulus: f32,
    /// b
    pub bulk: f32,
}

/// γ of voxels above the finest level: what linear elements have.
pub const NOT_LINEAR: f32 = 1.0;

/// Clusters whose particles are read before their rotations are found: they fit the first-level cache.
const PACKS: usize = 4;
/// Clusters that a thread takes at a time.
const PART: usize = 256;

/// Where the particles of a level are.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// The clusters at rest.
    pub level: &'a Level,
    /// Positions at the finest level, displacements above it.
    pub places: &'a [Vec3],
    /// The rotations that the clusters above the finest level start from.
    pub start: Option<&'a [Quat]>,
    /// γ of whole voxels.
    pub not_linear: f32,
}

/// Matches the clusters that are active.
pub fn match_active(placed: &Placed, law: &Law, active: &[bool], clusters: &mut [Cluster]) {
    let count = clusters.len();
    let bounds = |part: usize| (part * PART).min(count);
    par::for_each_part(0..count.div_ceil(PART), &bounds, clusters, &|part, clusters: &mut [Cluster]| {
        let first = part * PART;
        let mut group = [0_u32; PACKS * LANES];
        let mut filled = 0;
        for (cluster, _) in active[first..first + clusters.len()].iter().enumerate().filter(|(_, is)| **is) {
            group[filled] = (first + cluster) as u32;
            filled += 1;
            if filled == group.len() {
                match_group(placed, law, &group, first, clusters);
                filled = 0;
            }
        }
        if filled > 0 {
            match_group(placed, law, &group[..filled], first, clusters);
        }
    });
}

/// Matches up to 32 clusters, of those from `first` on.
fn match_group(placed: &Placed, law: &Law, group: &[u32], first: usize, clusters: &mut [Cluster]) {
    let mut packs = [Pack::default(); PACKS];
    let mut maps = [Mat3x8::default(); PACKS];
    let mut rotations = [Quatx8::default(); PACKS];
    let used = group.len().div_ceil(LANES);
    for (pack, of) in packs.iter_mut().zip(group.chunks(LANES)) {
        pack.read(placed, of);
    }
    for (rotation, of) in rotations.iter_mut().zip(group.chunks(LANES)) {
        // What fills a register up is matched like the last one, and forgotten.
        for lane in 0..LANES {
            let cluster = of[lane.min(of.len() - 1)] as usize;
            rotation.set(lane, clusters[cluster - first].rotation);
        }
    }
    run(Maps { packs: &mut packs[..used], rotations: &rotations[..used], maps: &mut maps[..used] });
    rotations_warm_x8(&maps[..used], &mut rotations[..used]);
    run(Forces { packs: &mut packs[..used], rotations: &rotations[..used], maps: &maps[..used], law });
    for (k, of) in group.chunks(LANES).enumerate() {
        for (lane, cluster) in of.iter().enumerate() {
            let matched = &mut clusters[*cluster as usize - first];
            matched.rotation = rotations[k].get(lane);
            matched.map = maps[k].get(lane);
            matched.energy = packs[k].energy.0[lane];
            for (force, at) in matched.forces.iter_mut().zip(&packs[k].x) {
                *force = at.get(lane);
            }
        }
    }
}

/// Eight clusters, one a lane.
#[derive(Clone, Copy, Debug, Default)]
struct Pack {
    /// x of each place, from that of the first; then the forces.
    x: [Vec3x8; CORNERS],
    /// w and q of each place, of clusters that are not all whole voxels.
    shapes: Option<[(F32x8, Vec3x8); CORNERS]>,
    /// Q⁻¹
    inverse: [F32x8; 6],
    unknown: [F32x8; 6],
    /// The rotation that displacements start from.
    start: Option<Quatx8>,
    /// Half the edge of a whole voxel.
    half: f32,
    /// μ times how much of Hooke's law it has.
    mass: F32x8,
    /// μ γ
    not_linear: F32x8,
    energy: F32x8,
}

impl Pack {
    /// Reads clusters; what is left of the eight is like the last one.
    #[inline]
    fn read(&mut self, placed: &Placed, of: &[u32]) {
        let Placed { level, places, start, not_linear } = *placed;
        self.half = 0.5 * level.size;
        self.start = start.map(|_| Quatx8::default());
        let whole = of.iter().all(|&cluster| level.shape_of[cluster as usize].is_none());
        self.shapes = (!whole).then(Default::default);
        for lane in 0..LANES {
            let cluster = of[lane.min(of.len() - 1)] as usize;
            let corners = &level.corners[cluster];
            let first = places[corners[0] as usize];
            for (x, corner) in self.x.iter_mut().zip(corners) {
                let apart = places[*corner as usize] - first;
                (x.x.0[lane], x.y.0[lane], x.z.0[lane]) = (apart.x, apart.y, apart.z);
            }
            if let (Some(of), Some(start)) = (&mut self.start, start) {
                of.set(lane, start[cluster]);
            }
            self.mass.0[lane] = level.masses[cluster];
            self.not_linear.0[lane] = level.masses[cluster] * not_linear;
            if !whole {
                let shape = level.shape_of[cluster].map(|shape| level.shapes[shape as usize]);
                self.set_shape(lane, &shape.unwrap_or_else(|| Shape::whole(level.size, not_linear)));
            }
        }
    }

    fn set_shape(&mut self, lane: usize, shape: &Shape) {
        for (k, (weight, offset)) in self.shapes.iter_mut().flatten().enumerate() {
            weight.0[lane] = shape.weights[k];
            offset.set(lane, shape.offsets[k]);
        }
        for k in 0..6 {
            self.inverse[k].0[lane] = shape.inverse[k];
            self.unknown[k].0[lane] = shape.unknown[k];
        }
        self.not_linear.0[lane] = self.mass.0[lane] * shape.not_linear;
        self.mass.0[lane] *= shape.hooke;
    }
}

impl Shape {
    /// That of a whole voxel.
    fn whole(size: f32, not_linear: f32) -> Self {
        let (half, inverse) = (0.5 * size, 4.0 / (size * size));
        let side = |at: usize, axis: usize| if at >> axis & 1 == 1 { half } else { -half };
        Self {
            weights: [1.0 / CORNERS as f32; CORNERS],
            offsets: std::array::from_fn(|at| Vec3::new(side(at, 0), side(at, 1), side(at, 2))),
            inverse: [inverse, inverse, inverse, 0.0, 0.0, 0.0],
            unknown: [0.0; 6],
            hooke: 1.0,
            not_linear,
            stiffest: 1.0,
        }
    }
}

/// F of packs, and what is not linear of x in place of x.
struct Maps<'a> {
    packs: &'a mut [Pack],
    rotations: &'a [Quatx8],
    maps: &'a mut [Mat3x8],
}

impl Kernel for Maps<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for ((pack, rotation), map) in self.packs.iter_mut().zip(self.rotations).zip(self.maps) {
            let mut x = [[L::splat(0.0); 3]; CORNERS];
            for (to, from) in x.iter_mut().zip(&pack.x) {
                *to = load(from);
            }
            let (middle, mut linear) = match &pack.shapes {
                None => of_whole(&x, pack.half),
                Some(shapes) => of_shape(&x, shapes, &pack.inverse),
            };
            for (at, x) in x.iter_mut().enumerate() {
                let fitted = mul(&linear, offset::<L>(pack, at));
                for k in 0..3 {
                    x[k] = middle[k] + fitted[k] - x[k];
                }
            }
            for (to, from) in pack.x.iter_mut().zip(&x) {
                *to = store(*from);
            }
            if let Some(start) = &pack.start {
                linear = added(linear, rotation_columns(start));
            } else if pack.shapes.is_some() {
                let known = rotation_columns(rotation);
                linear = added(linear, times_symmetric(&known, &load_six(&pack.unknown)));
            }
            *map = Mat3x8 { x_axis: store(linear[0]), y_axis: store(linear[1]), z_axis: store(linear[2]) };
        }
    }
}

/// Forces and energies, from F and what is not linear.
struct Forces<'a> {
    packs: &'a mut [Pack],
    rotations: &'a [Quatx8],
    maps: &'a [Mat3x8],
    law: &'a Law,
}

impl Kernel for Forces<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { packs, rotations, maps, law } = self;
        let (modulus, bulk, half) = (L::splat(law.modulus), L::splat(law.bulk), L::splat(0.5));
        for ((pack, rotation), map) in packs.iter_mut().zip(rotations).zip(maps) {
            let rotation = rotation_columns::<L>(rotation);
            let map = [load::<L>(&map.x_axis), load(&map.y_axis), load(&map.z_axis)];
            let mut strain = L::splat(-3.0);
            for k in 0..3 {
                strain = strain + dot(rotation[k], map[k]);
            }
            let pressure = (bulk * strain).max(L::splat(hooke::LEAST)).min(L::splat(hooke::MOST));
            let size = L::splat(1.0) - pressure;
            let mut pull = map;
            let mut stored = L::splat(0.0);
            let stiffness = L::load(&pack.mass) * modulus;
            for k in 0..3 {
                for i in 0..3 {
                    let off = rotation[k][i] - map[k][i];
                    stored = stored + off * off;
                    pull[k][i] = (rotation[k][i] * size - map[k][i]) * stiffness;
                }
            }
            if law.bulk > 0.0 {
                stored = stored + (pressure * (strain + strain) - pressure * pressure / bulk);
            }
            // Per square of half a voxel's edge, which is ⟨q²⟩.
            let spring = L::load(&pack.not_linear) * modulus * L::splat(1.0 / (pack.half * pack.half));
            let mut bent = L::splat(0.0);
            let pull = match &pack.shapes {
                None => {
                    let by = L::splat(1.0 / (pack.half * pack.half));
                    [times(pull[0], by), times(pull[1], by), times(pull[2], by)]
                }
                Some(_) => times_symmetric(&pull, &load_six(&pack.inverse)),
            };
            for at in 0..CORNERS {
                let left = load::<L>(&pack.x[at]);
                let weight = weight::<L>(pack, at);
                let linear = mul(&pull, offset::<L>(pack, at));
                bent = bent + weight * dot(left, left);
                let mut force = linear;
                for k in 0..3 {
                    force[k] = (linear[k] + left[k] * spring) * weight;
                }
                pack.x[at] = store(force);
            }
            pack.energy = (half * (stored * stiffness + bent * spring)).store();
        }
    }
}

/// The middle and the gradient of a whole voxel.
#[inline(always)]
fn of_whole<L: Lanes>(x: &[[L; 3]; CORNERS], half: f32) -> ([L; 3], Columns<L>) {
    let (eighth, by) = (L::splat(0.125), L::splat(0.125 / half));
    let mut middle = [L::splat(0.0); 3];
    let mut linear = [middle; 3];
    for k in 0..3 {
        // Sums and differences along x, of each of four edges.
        let (s0, s1) = (x[0][k] + x[1][k], x[2][k] + x[3][k]);
        let (s2, s3) = (x[4][k] + x[5][k], x[6][k] + x[7][k]);
        let along_x = (x[1][k] - x[0][k]) + (x[3][k] - x[2][k]) + ((x[5][k] - x[4][k]) + (x[7][k] - x[6][k]));
        let (below, above) = (s0 + s1, s2 + s3);
        middle[k] = (below + above) * eighth;
        linear[0][k] = along_x * by;
        linear[1][k] = ((s1 - s0) + (s3 - s2)) * by;
        linear[2][k] = (above - below) * by;
    }
    (middle, linear)
}

/// The middle and the gradient of clusters of other shapes.
#[inline(always)]
fn of_shape<L: Lanes>(
    x: &[[L; 3]; CORNERS],
    shapes: &[(F32x8, Vec3x8); CORNERS],
    inverse: &[F32x8; 6],
) -> ([L; 3], Columns<L>) {
    let mut middle = [L::splat(0.0); 3];
    let mut moment = [middle; 3];
    for (x, (weight, offset)) in x.iter().zip(shapes) {
        let weight = L::load(weight);
        let q = load::<L>(offset);
        for i in 0..3 {
            let weighted = x[i] * weight;
            middle[i] = middle[i] + weighted;
            for k in 0..3 {
                moment[k][i] = moment[k][i] + weighted * q[k];
            }
        }
    }
    (middle, times_symmetric(&moment, &load_six(inverse)))
}

/// q of a place.
#[inline(always)]
fn offset<L: Lanes>(pack: &Pack, at: usize) -> [L; 3] {
    match &pack.shapes {
        Some(shapes) => load(&shapes[at].1),
        None => {
            let side = |axis: usize| if at >> axis & 1 == 1 { pack.half } else { -pack.half };
            [L::splat(side(0)), L::splat(side(1)), L::splat(side(2))]
        }
    }
}

/// w of a place.
#[inline(always)]
fn weight<L: Lanes>(pack: &Pack, at: usize) -> L {
    match &pack.shapes {
        Some(shapes) => L::load(&shapes[at].0),
        None => L::splat(0.125),
    }
}

#[inline(always)]
fn times<L: Lanes>(a: [L; 3], by: L) -> [L; 3] {
    [a[0] * by, a[1] * by, a[2] * by]
}

#[inline(always)]
fn added<L: Lanes>(a: Columns<L>, b: Columns<L>) -> Columns<L> {
    [plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2])]
}
