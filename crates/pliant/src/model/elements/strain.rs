//! Strain and stress of eight elements at once.
//!
//! Based on \[DDCB01\] §2.1, with the law of [`law`](super::law).
//!
//! Symbols: `F` deformation gradient, `Ḟ` its rate, `C` = FᵀF, `ε` Green strain, `ν` its rate, `S` = λ tr(ε) I + 2 μ ε, `P` = F S.
//! Matrices are by columns; symmetric ones are xx, yy, zz, xy, yz, zx.

use super::law::{LIMITS, Lame, Principal};
use super::rest::{CORNERS, Pack};
use crate::math::lanes::{F32x8, LANES, LaneMask, Lanes};
use crate::math::{Mat3x8, Vec3x8};
use glam::{Mat3, Vec3};

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

/// a · b
#[inline(always)]
pub fn dot<L: Lanes>(a: V<L>, b: V<L>) -> L {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// M v
#[inline(always)]
pub fn apply<L: Lanes>(m: M<L>, v: V<L>) -> V<L> {
    let row = |k: usize| m[0][k] * v[0] + m[1][k] * v[1] + m[2][k] * v[2];
    [row(0), row(1), row(2)]
}

/// M S
#[inline(always)]
pub fn times_symmetric<L: Lanes>(m: M<L>, [xx, yy, zz, xy, yz, zx]: Sym<L>) -> M<L> {
    [apply(m, [xx, xy, zx]), apply(m, [xy, yy, yz]), apply(m, [zx, yz, zz])]
}

/// (AᵀB + BᵀA) / 2
#[inline(always)]
pub fn symmetric_product<L: Lanes>(a: M<L>, b: M<L>) -> Sym<L> {
    let half = L::splat(0.5);
    let mixed = |i: usize, j: usize| half * (dot(a[i], b[j]) + dot(a[j], b[i]));
    [dot(a[0], b[0]), dot(a[1], b[1]), dot(a[2], b[2]), mixed(0, 1), mixed(1, 2), mixed(2, 0)]
}

/// λ tr(ε) I + 2 μ ε
#[inline(always)]
pub fn hooke<L: Lanes>(strain: Sym<L>, lambda: L, mu: L) -> Sym<L> {
    let pressure = lambda * (strain[0] + strain[1] + strain[2]);
    let twice = mu + mu;
    let [xx, yy, zz, xy, yz, zx] = strain.map(|e| twice * e);
    [xx + pressure, yy + pressure, zz + pressure, xy, yz, zx]
}

/// The mean eigenvalue of a symmetric matrix, and the square of how far from it others can be.
#[inline(always)]
fn eigenvalues<L: Lanes>(m: Sym<L>) -> [L; 2] {
    let mean = (m[0] + m[1] + m[2]) * L::splat(1.0 / 3.0);
    let [x, y, z] = [m[0] - mean, m[1] - mean, m[2] - mean];
    let off = m[3] * m[3] + m[4] * m[4] + m[5] * m[5];
    [mean, (x * x + y * y + z * z + off + off) * L::splat(2.0 / 3.0)]
}

/// Σ d ∇Nᵀ for what the corners have of a quantity: F of positions, Ḟ of velocities.
#[inline(always)]
pub fn gradient<L: Lanes>(pack: &Pack, of: &[Vec3]) -> M<L> {
    let at = |corner: usize| {
        let mut found = Vec3x8::default();
        for lane in 0..LANES {
            found.set(lane, of[pack.corners[corner][lane] as usize]);
        }
        load::<L>(&found)
    };
    let first = at(0);
    let edge = |corner: usize| {
        let end = at(corner);
        [end[0] - first[0], end[1] - first[1], end[2] - first[2]]
    };
    let (d, g) = ([edge(1), edge(2), edge(3)], pack.gradients.each_ref().map(load::<L>));
    let column = |c: usize| {
        let row = |k: usize| d[0][k] * g[0][c] + d[1][k] * g[1][c] + d[2][k] * g[2][c];
        [row(0), row(1), row(2)]
    };
    [column(0), column(1), column(2)]
}

/// What corners get of a stress P: −V P ∇N.
#[inline(always)]
pub fn corner_forces<L: Lanes>(pack: &Pack, p: M<L>) -> [Vec3x8; CORNERS] {
    let volume = -L::load(&pack.volumes);
    let p = p.map(|column| column.map(|x| volume * x));
    let [b, c, d] = pack.gradients.each_ref().map(|gradient| apply(p, load::<L>(gradient)));
    let first = [0, 1, 2].map(|k| -(b[k] + c[k] + d[k]));
    [store(first), store(b), store(c), store(d)]
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
    let [lambda, mu] = [law.lame.lambda, law.lame.mu].map(L::splat);
    let c = symmetric_product(f, f);
    let strain = [
        half * (c[0] - one),
        half * (c[1] - one),
        half * (c[2] - one),
        half * c[3],
        half * c[4],
        half * c[5],
    ];
    let s = hooke(strain, lambda, mu);
    let [mean, spread] = eigenvalues(c);
    let [least, most] = LIMITS.map(|limit| L::splat(limit * limit));
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
        let more = times_symmetric(f, viscous);
        response.stress = [0, 1, 2].map(|c| [0, 1, 2].map(|k| response.stress[c][k] + more[c][k]));
    }
    response
}

/// Lanes in which an element is inverted, flatter or longer than Green strain is meant for.
#[inline(never)]
fn beyond_limits<L: Lanes, const TANGENT: bool>(response: &mut Response<L>, f: M<L>, lanes: u8, lame: &Lame) {
    let f = store_matrix(f);
    let (mut stress, mut within) = (store_matrix(response.stress), store_matrix(response.f));
    let mut tension = response.tension.map(L::store);
    for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
        let principal = Principal::new(f.get(lane));
        stress.set(lane, principal.first_piola(lame));
        if TANGENT {
            within.set(lane, principal.within_limits());
            set_symmetric(&mut tension, lane, principal.tension(lame));
        }
    }
    response.stress = load_matrix(&stress);
    response.f = load_matrix(&within);
    response.tension = tension.each_ref().map(L::load);
}

fn set_symmetric(to: &mut [F32x8; 6], lane: usize, m: Mat3) {
    let values = [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.y_axis.z, m.z_axis.x];
    to.iter_mut().zip(values).for_each(|(to, value)| to.0[lane] = value);
}

#[inline(always)]
fn cross<L: Lanes>(a: V<L>, b: V<L>) -> V<L> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
