//! The rotation parts of many 3×3 matrices, eight at once.
//!
//! Based on \[KKB18\] (analytic polar decomposition): Newton's method on `tr(RᵀA)` over the rotations, from a
//! warm start as in \[MBCM16\]; and on \[SO81\] (QUEST) for the first guess where there is none.
//!
//! Symbols: `M = RᵀA`; `S` its symmetric part; `g` its axial vector, the gradient; `H = tr(S) I − S`, minus
//! the Hessian; `ω = H⁻¹g` the Newton step; `λ` the dominant eigenvalue of the 4×4 matrix `K` of
//! [`rotation`](super::rotation()).
//!
//! Deviations:
//! - The step turns by `atan |ω|`, not by the Cayley map of \[KKB18\]: exact when the stretch is the same in all
//!   directions. Odd derivatives vanish at the optimum, so convergence is cubic and two steps do for 0.1 rad.
//! - A certificate for every lane: the last step was tiny and `H` is positive definite with a margin. At a
//!   stationary point the latter says `sᵢ + sⱼ > 0`, which is global optimality. A lane without it is done
//!   again: more steps, then from the first guess, then by the reference.
//! - A lane's bits depend on its own input only, never on its neighbours.

use glam::{Mat3, Quat};

use super::lanes::{Kernel, LANES, LaneMask, Lanes, run};
use super::packs::{Mat3x8, Quatx8};
use super::quat_lanes::{
    Mat, Q, largest_adjugate_column, load_quat, normalised, on_side_of, quat_mul, rotation_matrix, scaled,
    select_quat, store_quat, transposed_mul,
};
use super::rotation::rotation;

/// The smallest eigenvalue of `H`, relative to its trace, that a certificate accepts (a lower bound of it is
/// compared). The error of an f32 solution is about 1e-7 over this; isotropic stretch has 0.15. Lower values
/// break the promised 1e-5, higher ones send slender bodies to the slow reference.
const MIN_CURVATURE: f32 = 0.005;

/// The largest last step `|ω/2|²` that a certificate accepts, relative to the curvature above: what is left
/// after it is of third order, below 1e-6 rad.
const MAX_LAST_STEP: f32 = 1e-4;

/// Newton steps on the polynomial for the first guess. Its start is so good that two do for stretches of 1:3,
/// and what they leave is cheaper to polish on the rotation.
const COLD_ROOT_STEPS: usize = 2;

/// The same where the first guess was not good enough: slender and flat sets.
const AGAIN_ROOT_STEPS: usize = 8;

/// Improves the rotation parts of `a` from warm starts `q`, all of them optimal after the call.
///
/// As [`rotation`](super::rotation()) for each lane, to f32 rounding. Returns how many lanes needed the slow
/// reference: matrices of rank one and the like.
///
/// # Panics
/// When the slices differ in length.
pub fn rotations_warm_x8(a: &[Mat3x8], q: &mut [Quatx8]) -> usize {
    assert_eq!(a.len(), q.len(), "one warm start a matrix");
    run(Warm { a, q })
}

/// Finds the rotation parts of `a` without a warm start.
///
/// As [`rotation`](super::rotation()) with the identity for each lane, to f32 rounding. Returns how many lanes
/// needed the slow reference.
///
/// # Panics
/// When the slices differ in length.
pub fn rotations_cold_x8(a: &[Mat3x8], q: &mut [Quatx8]) -> usize {
    assert_eq!(a.len(), q.len(), "one place for the result a matrix");
    run(Cold { a, q })
}

/// [`rotations_warm_x8`] for plain slices, packed on the fly.
///
/// # Panics
/// When the slices differ in length.
pub fn rotations_warm(a: &[Mat3], q: &mut [Quat]) -> usize {
    assert_eq!(a.len(), q.len(), "one warm start a matrix");
    in_packs(a, q, |a, q| run(Warm { a, q }))
}

/// [`rotations_cold_x8`] for plain slices, packed on the fly.
///
/// # Panics
/// When the slices differ in length.
pub fn rotations_cold(a: &[Mat3], q: &mut [Quat]) -> usize {
    assert_eq!(a.len(), q.len(), "one place for the result a matrix");
    in_packs(a, q, |a, q| run(Cold { a, q }))
}

/// Packs a few registers' worth at a time, on the stack, and runs `solve` on them.
fn in_packs(a: &[Mat3], q: &mut [Quat], solve: impl Fn(&[Mat3x8], &mut [Quatx8]) -> usize) -> usize {
    const PACKS: usize = 8;
    let mut a_packs = [Mat3x8::splat(Mat3::IDENTITY); PACKS];
    let mut q_packs = [Quatx8::splat(Quat::IDENTITY); PACKS];
    let mut slow = 0;
    for (a, q) in a.chunks(PACKS * LANES).zip(q.chunks_mut(PACKS * LANES)) {
        let used = a.len().div_ceil(LANES);
        for (pack, a) in a_packs.iter_mut().zip(a.chunks(LANES)) {
            *pack = Mat3x8::pack(a);
        }
        for (pack, q) in q_packs.iter_mut().zip(q.chunks(LANES)) {
            *pack = Quatx8::pack(q);
        }
        slow += solve(&a_packs[..used], &mut q_packs[..used]);
        for (pack, q) in q_packs.iter().zip(q.chunks_mut(LANES)) {
            pack.unpack(q);
        }
    }
    slow
}

struct Warm<'a> {
    a: &'a [Mat3x8],
    q: &'a mut [Quatx8],
}

impl Kernel for Warm<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self) -> usize {
        let mut slow = 0;
        for (a_pack, q_pack) in self.a.iter().zip(self.q) {
            let a = scaled::<L>(a_pack);
            let warm = load_quat::<L>(q_pack);
            let q = newton_step(&a, warm).q;
            let Step { q, certified } = newton_step(&a, q);
            if certified.all() {
                store_quat(normalised(q), q_pack);
            } else {
                slow += again(&a, a_pack, q, certified, q_pack);
            }
        }
        slow
    }
}

struct Cold<'a> {
    a: &'a [Mat3x8],
    q: &'a mut [Quatx8],
}

impl Kernel for Cold<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self) -> usize {
        let mut slow = 0;
        for (a_pack, q_pack) in self.a.iter().zip(self.q) {
            let a = scaled::<L>(a_pack);
            let q = newton_step(&a, first_guess(&a, COLD_ROOT_STEPS)).q;
            let Step { q, certified } = newton_step(&a, q);
            *q_pack = Quatx8::splat(Quat::IDENTITY);
            if certified.all() {
                store_quat(on_side_of(normalised(q), load_quat::<L>(q_pack)), q_pack);
            } else {
                slow += again(&a, a_pack, q, certified, q_pack);
            }
        }
        slow
    }
}

/// The rest of a pack where some lanes have no certificate yet: large turns, strong stretch and degenerate
/// matrices. `q_pack` holds the warm starts and receives the result.
#[inline(always)]
fn again<L: Lanes>(a: &Mat<L>, a_pack: &Mat3x8, q: Q<L>, certified: L::Mask, q_pack: &mut Quatx8) -> usize {
    let warm_pack = *q_pack;
    let (mut q, mut certified) = more_steps(a, q, certified);
    if !certified.all() {
        let guess = newton_step(a, first_guess(a, AGAIN_ROOT_STEPS)).q;
        let guess = select_quat(certified, q, newton_step(a, guess).q);
        (q, certified) = more_steps(a, guess, certified);
    }
    store_quat(on_side_of(normalised(q), load_quat::<L>(&warm_pack)), q_pack);
    if certified.all() { 0 } else { by_reference(a_pack, &warm_pack, certified.bits(), q_pack) }
}

/// Two more steps for the lanes without a certificate; the others keep theirs.
#[inline(always)]
fn more_steps<L: Lanes>(a: &Mat<L>, q: Q<L>, certified: L::Mask) -> (Q<L>, L::Mask) {
    let next = newton_step(a, q);
    let next = newton_step(a, next.q);
    (select_quat(certified, q, next.q), certified | next.certified)
}

/// The lanes whose bit in `certified` is not set, one by one.
#[cold]
#[inline(never)]
fn by_reference(a: &Mat3x8, warm: &Quatx8, certified: u8, q: &mut Quatx8) -> usize {
    let mut slow = 0;
    for lane in (0..LANES).filter(|lane| certified & (1 << lane) == 0) {
        q.set(lane, rotation(a.get(lane), warm.get(lane)));
        slow += 1;
    }
    slow
}

/// What one step of Newton's method gives.
struct Step<L: Lanes> {
    /// The better quaternion, not of unit length.
    q: Q<L>,
    /// Where it is the optimum, to rounding.
    certified: L::Mask,
}

/// One step on `tr(RᵀA)` from `q`, which may have any length near one.
#[inline(always)]
fn newton_step<L: Lanes>(a: &Mat<L>, q: Q<L>) -> Step<L> {
    let m = transposed_mul(&rotation_matrix(q), a);
    let g = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]];

    // Twice H, so that u = (2H)⁻¹ g is half the step ω.
    let (d0, d1, d2) = (m[0][0] + m[0][0], m[1][1] + m[1][1], m[2][2] + m[2][2]);
    let (h00, h11, h22) = (d1 + d2, d0 + d2, d0 + d1);
    let (n01, n02, n12) = (m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] + m[2][1]); // minus h01, h02, h12

    // Cofactors of 2H.
    let (c00, c11, c22) = (h11 * h22 - n12 * n12, h00 * h22 - n02 * n02, h00 * h11 - n01 * n01);
    let (c01, c02, c12) = (n01 * h22 + n02 * n12, n01 * n12 + n02 * h11, n12 * h00 + n01 * n02);
    let det = h00 * c00 - (n01 * c01 + n02 * c02);
    let inv_det = L::splat(1.0) / det;
    let u = [
        (c00 * g[0] + c01 * g[1] + c02 * g[2]) * inv_det,
        (c01 * g[0] + c11 * g[1] + c12 * g[2]) * inv_det,
        (c02 * g[0] + c12 * g[1] + c22 * g[2]) * inv_det,
    ];
    let uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];

    // tan(atan(2|u|) / 2) = |u| / (1 + |u|² − …): the quaternion of the step. It never turns more than 54°.
    let step = [u[0], u[1], u[2], L::splat(1.0) + uu];

    // Sylvester's criterion. The smallest eigenvalue is at least det / (trace/2)².
    let zero = L::splat(0.0);
    let trace = h00 + h11 + h22;
    let curvature = L::splat(4.0) * det / (trace * trace * trace);
    let certified = h00.gt(zero)
        & c22.gt(zero)
        & det.gt(zero)
        & curvature.gt(L::splat(MIN_CURVATURE))
        & (L::splat(MAX_LAST_STEP) * curvature).gt(uu);
    Step { q: quat_mul(q, step), certified }
}

/// The dominant eigenvector of `K`, roughly: \[SO81\] with another start and another eigenvector formula.
///
/// Newton from above on the characteristic polynomial of `K` for its largest root, then the column of the
/// adjugate of `K − λI` with the largest diagonal entry, which has no singular direction.
#[inline(always)]
fn first_guess<L: Lanes>(a: &Mat<L>, root_steps: usize) -> Q<L> {
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = *a;
    // λ⁴ + b λ² + c λ + d, with b = −2‖A‖², c = −8 det A, d = ‖A‖⁴ − 4‖cof A‖².
    let norm = xx * xx + xy * xy + xz * xz + (yx * yx + yy * yy + yz * yz) + (zx * zx + zy * zy + zz * zz);
    let cofactors = [
        [yy * zz - yz * zy, yz * zx - yx * zz, yx * zy - yy * zx],
        [zy * xz - zz * xy, zz * xx - zx * xz, zx * xy - zy * xx],
        [xy * yz - xz * yy, xz * yx - xx * yz, xx * yy - xy * yx],
    ];
    let mut cofactors_norm = L::splat(0.0);
    for row in cofactors {
        cofactors_norm = cofactors_norm + (row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
    }
    let det = xx * cofactors[0][0] + xy * cofactors[0][1] + xz * cofactors[0][2];
    let b = L::splat(-2.0) * norm;
    let c = L::splat(-8.0) * det;
    let d = norm * norm - L::splat(4.0) * cofactors_norm;
    // √3 ‖A‖ ≥ s₁ + s₂ + s₃, and close to it unless the stretch is strong.
    let mut lambda = (L::splat(3.0) * norm).sqrt();
    for _ in 0..root_steps {
        let square = lambda * lambda;
        let value = (square + b) * square + (c * lambda + d);
        let slope = (L::splat(4.0) * square + (b + b)) * lambda + c;
        lambda = lambda - value / slope;
    }
    // B = K − λI, for x, y, z, w.
    let b00 = xx - yy - zz - lambda;
    let b11 = yy - xx - zz - lambda;
    let b22 = zz - xx - yy - lambda;
    let b33 = xx + yy + zz - lambda;
    let (b01, b02, b12) = (xy + yx, xz + zx, yz + zy);
    let (b03, b13, b23) = (zy - yz, xz - zx, yx - xy);
    largest_adjugate_column([
        [b00, b01, b02, b03],
        [b01, b11, b12, b13],
        [b02, b12, b22, b23],
        [b03, b13, b23, b33],
    ])
}

#[cfg(test)]
mod tests {
    use super::super::lanes::run_plain;
    use super::*;

    /// Entries of all magnitudes, with zeros, infinities and NaN among them.
    fn packs(count: usize) -> (Vec<Mat3x8>, Vec<Quatx8>) {
        let mut state = 1_u64;
        let mut next = move |wild: bool| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bits = (state >> 32) as u32;
            if wild { f32::from_bits(bits) } else { bits as f32 / 2_147_483_648.0 - 1.0 }
        };
        let (mut a, mut q) = (Vec::new(), Vec::new());
        for pack in 0..count {
            let (mut a_pack, mut q_pack) = (Mat3x8::default(), Quatx8::default());
            for lane in 0..LANES {
                let wild = pack % 3 == 0 && lane % 2 == 0;
                a_pack.set(lane, Mat3::from_cols_array(&std::array::from_fn(|_| next(wild))));
                q_pack.set(lane, Quat::from_array(std::array::from_fn(|_| next(wild))));
            }
            a.push(a_pack);
            q.push(q_pack);
        }
        (a, q)
    }

    fn bits(q: &[Quatx8]) -> Vec<[u32; 4]> {
        let lanes = q.iter().flat_map(|q| (0..LANES).map(|lane| q.get(lane).to_array()));
        lanes.map(|q| q.map(f32::to_bits)).collect()
    }

    #[test]
    fn wide_registers_and_plain_arrays_give_the_same_bits() {
        let (a, start) = packs(3000);
        let (mut wide, mut plain) = (start.clone(), start.clone());
        let slow = run(Warm { a: &a, q: &mut wide });
        assert_eq!(slow, run_plain(Warm { a: &a, q: &mut plain }));
        assert_eq!(bits(&wide), bits(&plain));
        assert_eq!(run(Cold { a: &a, q: &mut wide }), run_plain(Cold { a: &a, q: &mut plain }));
        assert_eq!(bits(&wide), bits(&plain));
    }
}
