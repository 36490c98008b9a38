//! The rotation part of a 3×3 matrix, for every finite matrix.
//!
//! Based on \[Hor87\] §4 and \[HN16\]: the rotation `R` with the largest `tr(RᵀA)` is the dominant
//! eigenvector, read as a quaternion, of a symmetric 4×4 matrix `K`. For det A > 0 this is the polar factor;
//! under a reflection it is the proper rotation that flips the axis of the smallest singular value, \[Ume91\].
//!
//! This is the reference: f64 and unhurried. The lanes in `rotation_lanes` are the fast way.
//!
//! Symbols: `K` the 4×4 matrix with `qᵀKq = tr(R(q)ᵀA)`; its eigenvalues are `s₁+s₂+s₃`, `s₁−s₂−s₃`,
//! `−s₁+s₂−s₃`, `−s₁−s₂+s₃`, where `s` are the singular values of `A`, the last one with the sign of det A.
//!
//! Deviations: \[HN16\] returns *a* rotation where the dominant eigenvalue is multiple (rank one, zero, some
//! reflections); here it is the optimal one nearest to a warm start, so that a body squeezed to a line does
//! not spin about it.

use glam::{Mat3, Quat};

use super::eigen::{Eigen, symmetric_eigen};

/// Eigenvalues closer than this part of the largest count as one. `A` comes in f32: below some ten roundings
/// of its entries the eigenvectors are noise. Larger values give up rotations that are still known; smaller
/// ones let nearly line-like sets jitter.
const SAME_EIGENVALUE: f64 = 1e-6;

/// The proper rotation `R` with the largest `tr(RᵀA)`, as a unit quaternion on the side of `warm`.
///
/// Where several rotations are equally good, the nearest to `warm`; so the zero matrix returns `warm`, as does
/// a matrix that is not finite. A `warm` that is zero or not finite counts as the identity.
pub fn rotation(a: Mat3, warm: Quat) -> Quat {
    let warm = unit(warm.to_array().map(f64::from)).unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let scale = a.to_cols_array().iter().fold(0.0_f32, |max, v| max.max(v.abs()));
    if !a.is_finite() || scale == 0.0 {
        return quat(warm);
    }
    let a = a.to_cols_array_2d().map(|column| column.map(|v| f64::from(v) / f64::from(scale)));
    let Eigen { values, vectors } = symmetric_eigen(davenport_matrix(&a));
    let mut nearest = [0.0; 4];
    for (value, v) in values.iter().zip(&vectors) {
        if values[0] - value <= SAME_EIGENVALUE * values[0] {
            let along = dot(*v, warm);
            nearest = std::array::from_fn(|k| nearest[k] + along * v[k]);
        }
    }
    // A warm start half a turn from every optimal rotation is equally far from all of them.
    quat(unit(nearest).unwrap_or(vectors[0]))
}

/// `K`, \[Hor87\] §4.A, for a quaternion ordered x, y, z, w. `a[c][r]` is the entry in row r, column c.
fn davenport_matrix(a: &[[f64; 3]; 3]) -> [[f64; 4]; 4] {
    let [[xx, yx, zx], [xy, yy, zy], [xz, yz, zz]] = *a;
    [
        [xx - yy - zz, xy + yx, xz + zx, zy - yz],
        [xy + yx, yy - xx - zz, yz + zy, xz - zx],
        [xz + zx, yz + zy, zz - xx - yy, yx - xy],
        [zy - yz, xz - zx, yx - xy, xx + yy + zz],
    ]
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

fn unit(q: [f64; 4]) -> Option<[f64; 4]> {
    let length = dot(q, q).sqrt();
    // Denormal f32 are still 1e-45 here; what is below is rounding of an orthogonal projection at best.
    (length.is_finite() && length > 1e-100).then(|| q.map(|v| v / length))
}

fn quat(q: [f64; 4]) -> Quat {
    Quat::from_array(q.map(|v| v as f32))
}
