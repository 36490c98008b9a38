//! From the moments of regions to the maps that give their nodes' goals, eight regions at once.

use super::{Constants, Field, Moments, Pull, hooke, plasticity};
use crate::material::Plasticity;
use crate::math::lanes::{F32x8, Kernel, LANES, Lanes, run};
use crate::math::{Mat3x8, Quatx8, Vec3x8, rotations_warm_x8};
use glam::Mat3;

/// Centres and moments of eight regions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fit {
    /// c
    pub centre: Vec3x8,
    /// A = Σ m̃ (x − c)(q − q̄)ᵀ
    pub moment: Mat3x8,
    /// Mean velocity.
    pub velocity: Vec3x8,
    /// Σ m̃ v (q − q̄)ᵀ
    pub spin: Mat3x8,
}

/// Regions that are fitted in one go: what they need fits the first-level cache.
pub const BLOCK: usize = 64;

/// A block of regions: their moments become the maps to their goals.
#[derive(Debug)]
pub struct Block<'a> {
    /// Moments in, maps out; a multiple of eight, at most [`BLOCK`].
    pub moments: &'a mut [Moments],
    /// Of the same regions.
    pub constants: &'a [Constants],
    /// Of the same regions.
    pub rotations: &'a mut [Quatx8],
    /// Of the same regions; empty unless the body can yield.
    pub plastic: &'a mut [Mat3],
    /// F of the same regions, as it will be at the end of the step.
    pub maps: &'a mut [Mat3x8],
}

/// Goal and rigid-motion maps of a block of regions, each times the region's weight.
pub fn goals(block: Block, plasticity: Option<&Plasticity>, pull: &Pull) {
    let Block { moments, constants, rotations, plastic, maps } = block;
    let packs = constants.len();
    let mut fits = [Fit::default(); BLOCK / LANES];
    let mut of_rotations = [Mat3x8::default(); BLOCK / LANES];
    let (fits, of_rotations) = (&mut fits[..packs], &mut of_rotations[..packs]);
    run(Centre { moments, constants, fits });
    if pull.bulk.is_some() {
        run(LinearMaps { fits, constants, rotations, maps: of_rotations });
        plasticity::without(of_rotations, plastic);
    } else {
        of_rotations.iter_mut().zip(fits.iter()).for_each(|(a, fit)| *a = fit.moment);
        plasticity::rotate_with(of_rotations, plastic);
    }
    rotations_warm_x8(of_rotations, rotations);
    if let Some(plasticity) = plasticity {
        plasticity::creep(fits, constants, rotations, plastic, plasticity, pull.h);
    }
    run(Goal { moments, constants, fits, rotations, maps, pull });
    if !plastic.is_empty() {
        plasticity::shape_goals(moments, constants, fits, rotations, plastic, pull);
    }
}

/// F of a block of regions: how the material around each node is deformed now.
pub fn maps(moments: &[Moments], constants: &[Constants], rotations: &[Quatx8], maps: &mut [Mat3x8]) {
    let mut fits = [Fit::default(); BLOCK / LANES];
    let fits = &mut fits[..constants.len()];
    run(Centre { moments, constants, fits });
    run(LinearMaps { fits, constants, rotations, maps });
}

/// The linear part of the velocities of a block of regions: v ≈ v̄ + G (q − q̄).
pub fn gradients(moments: &[Moments], constants: &[Constants], gradients: &mut [Mat3x8]) {
    let mut fits = [Fit::default(); BLOCK / LANES];
    let fits = &mut fits[..constants.len()];
    run(Centre { moments, constants, fits });
    for ((fit, constants), gradient) in fits.iter().zip(constants).zip(gradients) {
        for lane in 0..LANES {
            gradient.set(lane, fit.spin.get(lane) * plasticity::symmetric(&constants.inverse_second, lane));
        }
    }
}

struct Centre<'a> {
    moments: &'a [Moments],
    constants: &'a [Constants],
    fits: &'a mut [Fit],
}

impl Kernel for Centre<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for ((eight, constants), fit) in self.moments.chunks_exact(LANES).zip(self.constants).zip(self.fits) {
            let inverse_mass = L::load(&constants.inverse_mass);
            let sums = columns::<L>(eight, 0);
            let middle = load::<L>(&constants.middle);
            let mut axes = [[L::splat(0.0); 6]; 3];
            for axis in 0..3 {
                let column = columns::<L>(eight, axis + 1);
                for k in 0..6 {
                    axes[axis][k] = column[k] - sums[k] * middle[axis];
                }
            }
            fit.centre = store([sums[0] * inverse_mass, sums[1] * inverse_mass, sums[2] * inverse_mass]);
            fit.velocity = store([sums[3] * inverse_mass, sums[4] * inverse_mass, sums[5] * inverse_mass]);
            let [x, y, z] = axes;
            fit.moment = Mat3x8 {
                x_axis: store([x[0], x[1], x[2]]),
                y_axis: store([y[0], y[1], y[2]]),
                z_axis: store([z[0], z[1], z[2]]),
            };
            fit.spin = Mat3x8 {
                x_axis: store([x[3], x[4], x[5]]),
                y_axis: store([y[3], y[4], y[5]]),
                z_axis: store([z[3], z[4], z[5]]),
            };
        }
    }
}

struct Goal<'a> {
    moments: &'a mut [Moments],
    constants: &'a [Constants],
    fits: &'a [Fit],
    rotations: &'a [Quatx8],
    maps: &'a mut [Mat3x8],
    pull: &'a Pull,
}

impl Kernel for Goal<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Goal { moments, constants, fits, rotations, maps, pull } = self;
        let h = L::splat(pull.h);
        let packs = moments.chunks_exact_mut(LANES).zip(constants).zip(fits).zip(rotations).zip(maps);
        for ((((eight, constants), fit), rotation), map) in packs {
            let weight = L::load(&constants.weight);
            let strength = match pull.bulk {
                Some(_) => L::splat(hooke::NOT_LINEAR),
                None => L::load(&constants.strength),
            };
            let pulling = weight * strength;
            let middle = load::<L>(&constants.middle);
            let rotation = rotation_columns::<L>(rotation);
            let centre = load::<L>(&fit.centre);
            let velocity = load::<L>(&fit.velocity);
            let moment = load_columns::<L>(&fit.moment);
            let spin = load_columns::<L>(&fit.spin);
            let linear = times_symmetric(&moment, &load_six(&constants.inverse_second)); // F
            let turn = turn(&linear, &moment, &spin, L::load(&constants.inverse_trace)); // ω
            let turning = [cross(turn, linear[0]), cross(turn, linear[1]), cross(turn, linear[2])]; // W = [ω] F
            let mut deformed = linear;
            if constants.flat {
                let guessed = times_symmetric(&rotation, &load_six(&constants.unknown));
                for k in 0..3 {
                    deformed[k] = plus(linear[k], guessed[k]);
                }
            }
            *map = turned(&deformed, turn, h);
            let goals = match pull.bulk {
                Some(bulk) => hooke_goals(&rotation, &deformed, constants, L::splat(bulk)),
                None => rotation,
            };
            let goal = minus(centre, mul(&goals, middle));
            let motion = minus(velocity, mul(&turning, middle));
            let (weights, zero) = ([pulling, weight], L::splat(0.0));
            store_rows(eight, 0, weights, goal, motion, weight - pulling);
            store_rows(eight, 1, weights, goals[0], turning[0], zero);
            store_rows(eight, 2, weights, goals[1], turning[1], zero);
            store_rows(eight, 3, weights, goals[2], turning[2], zero);
        }
    }
}

/// L = F + (R (1 − b tr ε) − F) G: see [`hooke`].
#[inline(always)]
fn hooke_goals<L: Lanes>(
    rotation: &Columns<L>,
    map: &Columns<L>,
    constants: &Constants,
    bulk: L,
) -> Columns<L> {
    let strain = (0..3).fold(L::splat(-3.0), |sum, k| sum + dot(rotation[k], map[k]));
    let pressure = (bulk * strain).max(L::splat(hooke::LEAST)).min(L::splat(hooke::MOST));
    let size = L::splat(1.0) - pressure;
    let off: Columns<L> = std::array::from_fn(|k| std::array::from_fn(|i| rotation[k][i] * size - map[k][i]));
    let by = L::load(&constants.modulus) * L::splat(1.0 / hooke::NOT_LINEAR);
    let inverse = load_six::<L>(&constants.inverse_second).map(|entry| entry * by);
    let back = times_symmetric(&off, &inverse);
    std::array::from_fn(|k| plus(map[k], back[k]))
}

/// F after turning on for `h` seconds, to the second order; a turn beyond half a radian is a body that bursts, not one that
/// spins.
#[inline(always)]
fn turned<L: Lanes>(map: &Columns<L>, turn: [L; 3], h: L) -> Mat3x8 {
    let speed = (turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]).sqrt();
    let h = h / (speed * h * L::splat(2.0)).max(L::splat(1.0));
    let by = [turn[0] * h, turn[1] * h, turn[2] * h];
    let mut columns = [[L::splat(0.0); 3]; 3];
    for k in 0..3 {
        let first = cross(by, map[k]);
        let second = cross(by, first);
        for i in 0..3 {
            columns[k][i] = map[k][i] + first[i] + second[i] * L::splat(0.5);
        }
    }
    Mat3x8 { x_axis: store(columns[0]), y_axis: store(columns[1]), z_axis: store(columns[2]) }
}

struct LinearMaps<'a> {
    fits: &'a [Fit],
    constants: &'a [Constants],
    rotations: &'a [Quatx8],
    maps: &'a mut [Mat3x8],
}

impl Kernel for LinearMaps<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let packs = self.fits.iter().zip(self.constants).zip(self.rotations).zip(self.maps);
        for (((fit, constants), rotation), map) in packs {
            let moment = load_columns::<L>(&fit.moment);
            let known = times_symmetric(&moment, &load_six(&constants.inverse_second));
            // Where a flat region does not know, it turns with its rotation of the step before.
            let rotation = rotation_columns::<L>(rotation);
            let guessed = times_symmetric(&rotation, &load_six(&constants.unknown));
            *map = Mat3x8 {
                x_axis: store(plus(known[0], guessed[0])),
                y_axis: store(plus(known[1], guessed[1])),
                z_axis: store(plus(known[2], guessed[2])),
            };
        }
    }
}

/// ω = I⁻¹ L of masses at F q: L is the axial vector of F Vᵀ, I = tr(B) − B with B = A Fᵀ; both divided by tr Q.
#[inline(always)]
fn turn<L: Lanes>(linear: &Columns<L>, moment: &Columns<L>, spin: &Columns<L>, per_trace: L) -> [L; 3] {
    let angular = [
        (entry(linear, spin, 1, 2) - entry(linear, spin, 2, 1)) * per_trace,
        (entry(linear, spin, 2, 0) - entry(linear, spin, 0, 2)) * per_trace,
        (entry(linear, spin, 0, 1) - entry(linear, spin, 1, 0)) * per_trace,
    ];
    let xx = entry(moment, linear, 0, 0) * per_trace;
    let yy = entry(moment, linear, 1, 1) * per_trace;
    let zz = entry(moment, linear, 2, 2) * per_trace;
    let xy = -entry(moment, linear, 0, 1) * per_trace;
    let yz = -entry(moment, linear, 1, 2) * per_trace;
    let zx = -entry(moment, linear, 2, 0) * per_trace;
    // A line has no inertia about itself, and no angular momentum either: a little on the diagonal keeps the inverse finite.
    let little = (xx + yy + zz) * L::splat(1e-5) + L::splat(1e-9);
    let (ixx, iyy, izz) = (yy + zz + little, zz + xx + little, xx + yy + little);
    // The adjugate of a symmetric matrix.
    let (axx, ayy, azz) = (iyy * izz - yz * yz, izz * ixx - zx * zx, ixx * iyy - xy * xy);
    let (axy, ayz, azx) = (yz * zx - xy * izz, xy * zx - yz * ixx, xy * yz - zx * iyy);
    let inverse = L::splat(1.0) / (ixx * axx + xy * axy + zx * azx);
    [
        (axx * angular[0] + axy * angular[1] + azx * angular[2]) * inverse,
        (axy * angular[0] + ayy * angular[1] + ayz * angular[2]) * inverse,
        (azx * angular[0] + ayz * angular[1] + azz * angular[2]) * inverse,
    ]
}

/// Entry (i, j) of a bᵀ.
#[inline(always)]
fn entry<L: Lanes>(a: &Columns<L>, b: &Columns<L>, i: usize, j: usize) -> L {
    a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j]
}

/// Eight matrices in registers, by columns.
pub(in crate::model) type Columns<L> = [[L; 3]; 3];

/// The six used lanes of one register of eight regions, one register a lane.
#[inline(always)]
fn columns<L: Lanes>(eight: &[Moments], register: usize) -> [L; 8] {
    let mut rows = [L::splat(0.0); 8];
    for (row, moments) in rows.iter_mut().zip(eight) {
        *row = L::load(&moments[register]);
    }
    L::transpose(rows)
}

#[inline(always)]
fn store_rows<L: Lanes>(
    eight: &mut [Moments],
    register: usize,
    [of_a, of_b]: [L; 2],
    a: [L; 3],
    b: [L; 3],
    last: L,
) {
    let rows = L::transpose([
        a[0] * of_a,
        a[1] * of_a,
        a[2] * of_a,
        b[0] * of_b,
        b[1] * of_b,
        b[2] * of_b,
        last,
        L::splat(0.0),
    ]);
    for (row, moments) in rows.into_iter().zip(eight) {
        moments[register] = row.store();
    }
}

#[inline(always)]
pub(in crate::model) fn load<L: Lanes>(v: &Vec3x8) -> [L; 3] {
    [L::load(&v.x), L::load(&v.y), L::load(&v.z)]
}

#[inline(always)]
fn load_columns<L: Lanes>(m: &Mat3x8) -> Columns<L> {
    [load(&m.x_axis), load(&m.y_axis), load(&m.z_axis)]
}

#[inline(always)]
pub(in crate::model) fn load_six<L: Lanes>(six: &[F32x8; 6]) -> [L; 6] {
    [
        L::load(&six[0]),
        L::load(&six[1]),
        L::load(&six[2]),
        L::load(&six[3]),
        L::load(&six[4]),
        L::load(&six[5]),
    ]
}

#[inline(always)]
pub(in crate::model) fn store<L: Lanes>([x, y, z]: [L; 3]) -> Vec3x8 {
    Vec3x8 { x: x.store(), y: y.store(), z: z.store() }
}

#[inline(always)]
pub(in crate::model) fn plus<L: Lanes>(a: [L; 3], b: [L; 3]) -> [L; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
fn minus<L: Lanes>(a: [L; 3], b: [L; 3]) -> [L; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(in crate::model) fn dot<L: Lanes>(a: [L; 3], b: [L; 3]) -> L {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross<L: Lanes>(a: [L; 3], b: [L; 3]) -> [L; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(in crate::model) fn mul<L: Lanes>(m: &Columns<L>, v: [L; 3]) -> [L; 3] {
    [
        m[0][0] * v[0] + m[1][0] * v[1] + m[2][0] * v[2],
        m[0][1] * v[0] + m[1][1] * v[1] + m[2][1] * v[2],
        m[0][2] * v[0] + m[1][2] * v[1] + m[2][2] * v[2],
    ]
}

/// M S with S symmetric: xx, yy, zz, xy, yz, zx.
#[inline(always)]
pub(in crate::model) fn times_symmetric<L: Lanes>(m: &Columns<L>, s: &[L; 6]) -> Columns<L> {
    let [xx, yy, zz, xy, yz, zx] = *s;
    [mul(m, [xx, xy, zx]), mul(m, [xy, yy, yz]), mul(m, [zx, yz, zz])]
}

/// The rotation matrix of unit quaternions, by columns.
#[inline(always)]
pub(in crate::model) fn rotation_columns<L: Lanes>(q: &Quatx8) -> Columns<L> {
    let (x, y, z, w) = (L::load(&q.x), L::load(&q.y), L::load(&q.z), L::load(&q.w));
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    let one = L::splat(1.0);
    [
        [one - (yy + zz), xy + wz, xz - wy],
        [xy - wz, one - (xx + zz), yz + wx],
        [xz + wy, yz - wx, one - (xx + yy)],
    ]
}

/// A field in memory: position and velocity of a node times a factor.
#[inline]
pub fn field(x: glam::Vec3, v: glam::Vec3, factor: f32) -> Field {
    F32x8([x.x * factor, x.y * factor, x.z * factor, v.x * factor, v.y * factor, v.z * factor, 0.0, 0.0])
}
