//! Singular values of a 3×3 matrix, with proper rotations on both sides.
//!
//! Based on \[GVL13\] §8.6: one-sided Jacobi in f64. Columns of `B = A V` are rotated in pairs until they
//! are orthogonal; their lengths are then the singular values.
//!
//! Symbols: `A = U diag(σ) Vᵀ`.
//!
//! Deviations: `U` and `V` are always proper rotations, so the last singular value carries the sign of
//! det A (\[ITF04\]: what a deformation gradient needs to tell an inverted state).

use glam::{Mat3, Vec3};

use super::eigen::cross;

/// Sweeps after which Jacobi stops in any case; five are usual.
const MAX_SWEEPS: usize = 24;

/// Columns shorter than this part of the longest have no direction: f64 noise of the rotations.
const NO_DIRECTION: f64 = 1e-14;

/// `(U, σ, V)` with `A = U diag(σ) Vᵀ`, `U` and `V` proper rotations, `σ.x ≥ σ.y ≥ |σ.z|`.
///
/// Works for every finite matrix. A singular value above `f32::MAX` is returned as `f32::MAX`; a matrix that
/// is not finite gives zeros and identities.
pub fn svd3(a: Mat3) -> (Mat3, Vec3, Mat3) {
    let scale = a.to_cols_array().iter().fold(0.0_f32, |max, v| max.max(v.abs()));
    if !a.is_finite() || scale == 0.0 {
        return (Mat3::IDENTITY, Vec3::ZERO, Mat3::IDENTITY);
    }
    let scale = f64::from(scale);
    let mut b = a.to_cols_array_2d().map(|column| column.map(|v| f64::from(v) / scale));
    let mut v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..MAX_SWEEPS {
        let rotated = [(0, 1), (0, 2), (1, 2)].map(|(p, q)| rotate_pair(&mut b, &mut v, p, q));
        if !rotated.contains(&true) {
            break;
        }
    }
    for (p, q) in [(0, 1), (1, 2), (0, 1)] {
        if dot(b[q], b[q]) > dot(b[p], b[p]) {
            b.swap(p, q);
            v.swap(p, q);
        }
    }
    if dot(cross(v[0], v[1]), v[2]) < 0.0 {
        (b[2], v[2]) = (b[2].map(|x| -x), v[2].map(|x| -x));
    }
    let longest = dot(b[0], b[0]).sqrt();
    let u0 = b[0].map(|x| x / longest);
    let u1 = unit_across(b[1], u0, NO_DIRECTION * longest);
    let u2 = cross(u0, u1);
    // Exact orthogonality of u makes σ.y and σ.z projections; they differ from lengths by rounding only.
    let sigma = [longest, dot(u1, b[1]).max(0.0), dot(u2, b[2])];
    let sigma = sigma.map(|s| (s * scale).clamp(f64::from(-f32::MAX), f64::from(f32::MAX)) as f32);
    (mat3([u0, u1, u2]), Vec3::new(sigma[0], sigma[1], sigma[2].clamp(-sigma[1], sigma[1])), mat3(v))
}

/// Makes two columns orthogonal; false if they were.
fn rotate_pair(b: &mut [[f64; 3]; 3], v: &mut [[f64; 3]; 3], p: usize, q: usize) -> bool {
    let (pp, qq, pq) = (dot(b[p], b[p]), dot(b[q], b[q]), dot(b[p], b[q]));
    if pq == 0.0 || pq.abs() <= 1e-16 * (pp * qq).sqrt() {
        return false;
    }
    let theta = (qq - pp) / (2.0 * pq);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for m in [b, v] {
        let (x, y) = (m[p], m[q]);
        m[p] = std::array::from_fn(|k| c * x[k] - s * y[k]);
        m[q] = std::array::from_fn(|k| s * x[k] + c * y[k]);
    }
    true
}

/// The unit vector along the part of `a` across `unit`, or any vector across it where that part is too short.
fn unit_across(a: [f64; 3], unit: [f64; 3], shortest: f64) -> [f64; 3] {
    let across = |a: [f64; 3]| {
        let along = dot(a, unit);
        let rest: [f64; 3] = std::array::from_fn(|k| a[k] - along * unit[k]);
        (dot(rest, rest).sqrt(), rest)
    };
    let (length, rest) = across(a);
    if length > shortest {
        return rest.map(|x| x / length);
    }
    let mut axis = [0.0; 3];
    let smallest = (0..3).fold(0, |best, k| if unit[k].abs() < unit[best].abs() { k } else { best });
    axis[smallest] = 1.0;
    let (length, rest) = across(axis);
    rest.map(|x| x / length)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn mat3(columns: [[f64; 3]; 3]) -> Mat3 {
    Mat3::from_cols_array_2d(&columns.map(|column| column.map(|v| v as f32)))
}
