//! Strain and stress of eight elements at once.
//!
//! Based on \[DDCB01\] §2.1, with the law of [`law`](super::law).
//!
//! Symbols: `F` deformation gradient, `Ḟ` its rate, `C` = FᵀF, `ε` Green strain, `ν` its rate, `S` = λ tr(ε) I + 2 μ ε, `P` = F S.
//! Matrices are by columns; symmetric ones are xx, yy, zz, xy, yz, zx.
//!
//! There are no closures on registers here, nor arrays' `map`: those are not compiled for wide registers, and each operation in one
//! would be a call.

use super::forces::CornerForces;
use super::law::{LIMITS, Lame, Principal};
use super::rest::Pack;
use crate::math::lanes::{F32x8, LANES, LaneMask, Lanes};
use crate::math::{Mat3x8, Vec3x8};
use glam::{Mat3, Vec4};

/// Eight vectors in registers.
pub type V<L> = [L; 3];
/// Eight matrices in registers.
pub type M<L> = [V<L>; 3];
/// Eight symmetric matrices in registers.
pub type Sym<L> = [L; 6];

/// What resists: Lamé parameters, and for how many seconds the rate of strain counts as strain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Law {
    /// λ and μ.
    pub lame: Lame,
    /// τ: φ = τ λ and ψ = τ μ.
    pub viscosity: f32,
}

/// Eight vectors from memory.
#[inline(always)]
pub fn load<L: Lanes>(v: &Vec3x8) -> V<L> {
    [L::load(&v.x), L::load(&v.y), L::load(&v.z)]
}

/// Eight vectors as they stand in memory.
#[inline(always)]
pub fn store<L: Lanes>(v: V<L>) -> Vec3x8 {
    Vec3x8 { x: v[0].store(), y: v[1].store(), z: v[2].store() }
}

/// Eight matrices from memory.
#[inline(always)]
pub fn load_matrix<L: Lanes>(m: &Mat3x8) -> M<L> {
    [load(&m.x_axis), load(&m.y_axis), load(&m.z_axis)]
}

/// Eight matrices as they stand in memory.
#[inline(always)]
pub fn store_matrix<L: Lanes>(m: M<L>) -> Mat3x8 {
    Mat3x8 { x_axis: store(m[0]), y_axis: store(m[1]), z_axis: store(m[2]) }
}

/// Eight symmetric matrices from memory.
#[inline(always)]
pub fn load_symmetric<L: Lanes>([a, b, c, d, e, f]: &[F32x8; 6]) -> Sym<L> {
    [L::load(a), L::load(b), L::load(c), L::load(d), L::load(e), L::load(f)]
}

/// Eight symmetric matrices as they stand in memory.
#[inline(always)]
pub fn store_symmetric<L: Lanes>([a, b, c, d, e, f]: Sym<L>) -> [F32x8; 6] {
    [a.store(), b.store(), c.store(), d.store(), e.store(), f.store()]
}

/// Eight registers as they stand in memory.
#[inline(always)]
pub fn store_all<L: Lanes>([a, b, c, d, e, f, g, h]: [L; LANES]) -> [F32x8; LANES] {
    [a.store(), b.store(), c.store(), d.store(), e.store(), f.store(), g.store(), h.store()]
}

/// a + b
#[inline(always)]
pub fn plus<L: Lanes>(a: V<L>, b: V<L>) -> V<L> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b
#[inline(always)]
fn minus<L: Lanes>(a: V<L>, b: V<L>) -> V<L> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// k v
#[inline(always)]
fn times<L: Lanes>(k: L, v: V<L>) -> V<L> {
    [k * v[0], k * v[1], k * v[2]]
}

/// A + B
#[inline(always)]
pub fn sum<L: Lanes>(a: M<L>, b: M<L>) -> M<L> {
    [plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2])]
}

/// −(b + c + d): what the first corner has where all have nothing together.
#[inline(always)]
pub fn rest_of<L: Lanes>(b: V<L>, c: V<L>, d: V<L>) -> V<L> {
    [-(b[0] + c[0] + d[0]), -(b[1] + c[1] + d[1]), -(b[2] + c[2] + d[2])]
}

/// a · b
#[inline(always)]
pub fn dot<L: Lanes>(a: V<L>, b: V<L>) -> L {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// M v
#[inline(always)]
pub fn apply<L: Lanes>(m: M<L>, v: V<L>) -> V<L> {
    [
        m[0][0] * v[0] + m[1][0] * v[1] + m[2][0] * v[2],
        m[0][1] * v[0] + m[1][1] * v[1] + m[2][1] * v[2],
        m[0][2] * v[0] + m[1][2] * v[1] + m[2][2] * v[2],
    ]
}

/// S v
#[inline(always)]
pub fn apply_symmetric<L: Lanes>([xx, yy, zz, xy, yz, zx]: Sym<L>, v: V<L>) -> V<L> {
    apply([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]], v)
}

/// M S
#[inline(always)]
pub fn times_symmetric<L: Lanes>(m: M<L>, [xx, yy, zz, xy, yz, zx]: Sym<L>) -> M<L> {
    [apply(m, [xx, xy, zx]), apply(m, [xy, yy, yz]), apply(m, [zx, yz, zz])]
}

/// FᵀF
#[inline(always)]
fn square_of<L: Lanes>(f: M<L>) -> Sym<L> {
    let [x, y, z] = f;
    [dot(x, x), dot(y, y), dot(z, z), dot(x, y), dot(y, z), dot(z, x)]
}

/// (AᵀB + BᵀA) / 2
#[inline(always)]
pub fn symmetric_product<L: Lanes>(a: M<L>, b: M<L>) -> Sym<L> {
    let half = L::splat(0.5);
    let mixed = [
        dot(a[0], b[1]) + dot(a[1], b[0]),
        dot(a[1], b[2]) + dot(a[2], b[1]),
        dot(a[2], b[0]) + dot(a[0], b[2]),
    ];
    [dot(a[0], b[0]), dot(a[1], b[1]), dot(a[2], b[2]), half * mixed[0], half * mixed[1], half * mixed[2]]
}

/// λ tr(ε) I + 2 μ ε
#[inline(always)]
pub fn hooke<L: Lanes>([xx, yy, zz, xy, yz, zx]: Sym<L>, lambda: L, mu: L) -> Sym<L> {
    let pressure = lambda * (xx + yy + zz);
    let twice = mu + mu;
    [twice * xx + pressure, twice * yy + pressure, twice * zz + pressure, twice * xy, twice * yz, twice * zx]
}

/// The mean eigenvalue of a symmetric matrix, and the square of how far from it others can be.
#[inline(always)]
fn eigenvalues<L: Lanes>(m: Sym<L>) -> [L; 2] {
    let mean = (m[0] + m[1] + m[2]) * L::splat(1.0 / 3.0);
    let [x, y, z] = [m[0] - mean, m[1] - mean, m[2] - mean];
    let off = m[3] * m[3] + m[4] * m[4] + m[5] * m[5];
    [mean, (x * x + y * y + z * z + off + off) * L::splat(2.0 / 3.0)]
}

/// What two corners of eight elements have of a quantity: read a pair at a time, and turned into lanes together.
#[inline(always)]
fn gather<L: Lanes>(a: &[u32; LANES], b: &[u32; LANES], of: &[Vec4]) -> [V<L>; 2] {
    let [ax, ay, az, _, bx, by, bz, _] = L::transpose([
        pair(a[0], b[0], of),
        pair(a[1], b[1], of),
        pair(a[2], b[2], of),
        pair(a[3], b[3], of),
        pair(a[4], b[4], of),
        pair(a[5], b[5], of),
        pair(a[6], b[6], of),
        pair(a[7], b[7], of),
    ]);
    [[ax, ay, az], [bx, by, bz]]
}

#[inline(always)]
fn pair<L: Lanes>(a: u32, b: u32, of: &[Vec4]) -> L {
    L::load_two(of[a as usize].as_ref(), of[b as usize].as_ref())
}

/// Σ d ∇Nᵀ for what the corners have of a quantity: F of positions, Ḟ of velocities.
#[inline(always)]
pub fn gradient<L: Lanes>(pack: &Pack, of: &[Vec4]) -> M<L> {
    let [a, b, c, d] = &pack.corners;
    let [a, b] = gather::<L>(a, b, of);
    let [c, d] = gather::<L>(c, d, of);
    let edges = [minus(b, a), minus(c, a), minus(d, a)];
    let [b, c, d] = &pack.gradients;
    let (b, c, d) = (load::<L>(b), load::<L>(c), load::<L>(d));
    [apply(edges, [b[0], c[0], d[0]]), apply(edges, [b[1], c[1], d[1]]), apply(edges, [b[2], c[2], d[2]])]
}

/// What corners get of a stress P: −V P ∇N.
#[inline(always)]
pub fn corner_forces<L: Lanes>(pack: &Pack, p: M<L>) -> CornerForces {
    let volume = -L::load(&pack.volumes);
    let p = [times(volume, p[0]), times(volume, p[1]), times(volume, p[2])];
    let [b, c, d] = &pack.gradients;
    let (b, c, d) = (apply(p, load::<L>(b)), apply(p, load::<L>(c)), apply(p, load::<L>(d)));
    [side_by_side(rest_of(b, c, d), b), side_by_side(c, d)]
}

/// Vectors of two corners, lane by lane.
#[inline(always)]
fn side_by_side<L: Lanes>(a: V<L>, b: V<L>) -> [F32x8; LANES] {
    let zero = L::splat(0.0);
    store_all(L::transpose([a[0], a[1], a[2], zero, b[0], b[1], b[2], zero]))
}

/// The stress of eight elements, and what a solver needs to know about how it changes.
pub struct Response<L> {
    /// P
    pub stress: M<L>,
    /// F within the limits of Green strain.
    pub f: M<L>,
    /// What stress adds to the stiffness; positive semidefinite. Only for solvers.
    pub tension: Sym<L>,
}

/// P of F, and of its rate where there is viscosity.
#[inline(always)]
pub fn respond<L: Lanes, const TANGENT: bool>(f: M<L>, rate: Option<M<L>>, law: &Law) -> Response<L> {
    let (one, half, zero) = (L::splat(1.0), L::splat(0.5), L::splat(0.0));
    let (lambda, mu) = (L::splat(law.lame.lambda), L::splat(law.lame.mu));
    let c = square_of(f);
    let [xx, yy, zz, xy, yz, zx] = c;
    let strain = [half * (xx - one), half * (yy - one), half * (zz - one), half * xy, half * yz, half * zx];
    let s = hooke(strain, lambda, mu);
    let [mean, spread] = eigenvalues(c);
    let (least, most) = (L::splat(LIMITS[0] * LIMITS[0]), L::splat(LIMITS[1] * LIMITS[1]));
    let [below, above] = [mean - least, most - mean];
    let volume = dot(f[0], cross(f[1], f[2]));
    let within = below.ge(zero)
        & above.ge(zero)
        & (below * below).ge(spread)
        & (above * above).ge(spread)
        & volume.gt(zero);
    let mut response = Response { stress: times_symmetric(f, s), f, tension: [zero; 6] };
    if TANGENT {
        // Shifted by what its least eigenvalue may be below zero.
        let [mean, spread] = eigenvalues(s);
        let shift = (spread.sqrt() - mean).max(zero);
        response.tension = [s[0] + shift, s[1] + shift, s[2] + shift, s[3], s[4], s[5]];
    }
    if !within.all() {
        beyond_limits::<L, TANGENT>(&mut response, f, !within.bits(), &law.lame);
    }
    if let Some(rate) = rate {
        // Less where an element is stretched beyond the limits, so that it is never stiffer than within.
        let tau = (most / (mean + spread.sqrt())).min(one) * L::splat(law.viscosity);
        let viscous = hooke(symmetric_product(f, rate), tau * lambda, tau * mu);
        response.stress = sum(response.stress, times_symmetric(f, viscous));
    }
    response
}

/// Lanes in which an element is inverted, flatter or longer than Green strain is meant for.
#[inline(always)]
fn beyond_limits<L: Lanes, const TANGENT: bool>(response: &mut Response<L>, f: M<L>, lanes: u8, lame: &Lame) {
    let mut stored = [store_matrix(f), store_matrix(response.stress), store_matrix(response.f)];
    let mut tension = store_symmetric(response.tension);
    in_lanes::<TANGENT>(&mut stored, &mut tension, lanes, lame);
    response.stress = load_matrix(&stored[1]);
    response.f = load_matrix(&stored[2]);
    response.tension = load_symmetric(&tension);
}

/// The same one by one: F, P and F within the limits in, the last two out.
#[inline(never)]
fn in_lanes<const TANGENT: bool>(
    [f, stress, within]: &mut [Mat3x8; 3],
    tension: &mut [F32x8; 6],
    lanes: u8,
    lame: &Lame,
) {
    for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
        let principal = Principal::new(f.get(lane));
        stress.set(lane, principal.first_piola(lame));
        if TANGENT {
            within.set(lane, principal.within_limits());
            set_symmetric(tension, lane, principal.tension(lame));
        }
    }
}

fn set_symmetric(to: &mut [F32x8; 6], lane: usize, m: Mat3) {
    let values = [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.y_axis.z, m.z_axis.x];
    to.iter_mut().zip(values).for_each(|(to, value)| to.0[lane] = value);
}

#[inline(always)]
fn cross<L: Lanes>(a: V<L>, b: V<L>) -> V<L> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
