//! The pseudo-inverse of a small symmetric matrix, for moments that may be singular.
//!
//! Flat, line-like and single-point sets of points make a moment matrix singular. Its pseudo-inverse acts on
//! the directions that the points span and leaves the others alone; the projector says which those are.
//!
//! Based on \[GVL13\] §5.5.2, from the eigenvectors of [`symmetric_eigen`].

use super::eigen::{Eigen, symmetric_eigen};

/// What [`pseudo_inverse`] returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PseudoInverse<const N: usize> {
    /// The inverse on the range, zero across it.
    pub inverse: [[f64; N]; N],
    /// The orthogonal projector onto the range.
    pub projector: [[f64; N]; N],
    /// The dimension of the range.
    pub rank: usize,
}

/// Inverts a symmetric matrix on the directions whose eigenvalue exceeds `relative_threshold` times the
/// largest one (in absolute value).
///
/// Choose the threshold by the noise in the matrix: about 1e-6 for moments summed in f32. A zero or
/// non-finite matrix has rank zero.
pub fn pseudo_inverse<const N: usize>(m: [[f64; N]; N], relative_threshold: f64) -> PseudoInverse<N> {
    let Eigen { values, vectors } = symmetric_eigen(m);
    let largest = values.iter().fold(0.0_f64, |max, v| max.max(v.abs()));
    let mut result = PseudoInverse { inverse: [[0.0; N]; N], projector: [[0.0; N]; N], rank: 0 };
    for (value, v) in values.iter().zip(&vectors) {
        let reciprocal = 1.0 / value;
        if value.abs() <= relative_threshold * largest || !reciprocal.is_finite() {
            continue;
        }
        result.rank += 1;
        for r in 0..N {
            for c in 0..N {
                result.inverse[r][c] += reciprocal * (v[r] * v[c]);
                result.projector[r][c] += v[r] * v[c];
            }
        }
    }
    result
}
