//! Eigenvalues and eigenvectors of small symmetric matrices.
//!
//! Based on \[GVL13\] §8.5: cyclic Jacobi rotations in f64. Slow beside the lane kernels, but it cannot fail:
//! it is what they fall back to and what they are tested against.
//!
//! Symbols: `p`, `q` the pair of rows a rotation mixes; `t`, `c`, `s` tangent, cosine and sine of its angle.
//!
//! Deviations: the matrix is divided by its largest entry first, so that every finite scale works; a
//! non-finite matrix counts as zero, because a step must go on whatever it is fed.

use glam::{Mat3, Vec3};

/// Sweeps after which Jacobi stops in any case. It converges quadratically: nine rows need about eight.
const MAX_SWEEPS: usize = 32;

/// Eigenvalues in descending order with their eigenvectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eigen<const N: usize> {
    /// The eigenvalues, largest first.
    pub values: [f64; N],
    /// `vectors[i]` is the unit eigenvector of `values[i]`; together they are orthonormal.
    pub vectors: [[f64; N]; N],
}

/// Eigenvalues and eigenvectors of a symmetric matrix; only its upper triangle is read.
pub fn symmetric_eigen<const N: usize>(m: [[f64; N]; N]) -> Eigen<N> {
    let mut vectors = [[0.0; N]; N];
    for (i, v) in vectors.iter_mut().enumerate() {
        v[i] = 1.0;
    }
    let scale = upper(&m).fold(0.0_f64, |max, v| max.max(v.abs()));
    if !upper(&m).all(f64::is_finite) || scale == 0.0 {
        return Eigen { values: [0.0; N], vectors };
    }
    let mut a = m;
    for row in &mut a {
        for v in row {
            *v /= scale;
        }
    }
    for _ in 0..MAX_SWEEPS {
        if !sweep(&mut a, &mut vectors) {
            break;
        }
    }
    // Insertion sort: stable, and N is small.
    let mut values: [f64; N] = std::array::from_fn(|i| a[i][i]);
    for i in 1..N {
        let mut j = i;
        while j > 0 && values[j] > values[j - 1] {
            values.swap(j, j - 1);
            vectors.swap(j, j - 1);
            j -= 1;
        }
    }
    Eigen { values: values.map(|v| v * scale), vectors }
}

/// Eigenvalues, largest first, and eigenvectors as the columns of a proper rotation.
///
/// Only the upper triangle of `m` is read. A non-finite matrix gives zeros and the identity.
pub fn symmetric_eigen3(m: Mat3) -> (Vec3, Mat3) {
    let rows = std::array::from_fn(|r| std::array::from_fn(|c| f64::from(m.col(c)[r])));
    let Eigen { values, vectors } = symmetric_eigen::<3>(rows);
    let [x, y] = [vectors[0], vectors[1]].map(|v| Vec3::from_array(v.map(|v| v as f32)));
    let z = cross(vectors[0], vectors[1]).map(|v| v as f32);
    let largest = f64::from(f32::MAX);
    let values = values.map(|v| v.clamp(-largest, largest) as f32);
    (Vec3::from_array(values), Mat3::from_cols(x, y, Vec3::from_array(z)))
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn upper<const N: usize>(m: &[[f64; N]; N]) -> impl Iterator<Item = f64> + '_ {
    m.iter().enumerate().flat_map(|(r, row)| row[r..].iter().copied())
}

/// Rotates every pair of rows once; false when there was nothing left to rotate.
fn sweep<const N: usize>(a: &mut [[f64; N]; N], vectors: &mut [[f64; N]; N]) -> bool {
    let mut rotated = false;
    for p in 0..N {
        for q in p + 1..N {
            let off = a[p][q];
            // Entries of the scaled matrix are about one: below this an entry changes no eigenvalue.
            if off.abs() < 1e-20 {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * off);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            // What is lost in rounding must not keep the sweeps going.
            rotated |= off.abs() > 1e-17 * (a[p][p].abs() + a[q][q].abs());
            a[p][p] -= t * off;
            a[q][q] += t * off;
            a[p][q] = 0.0;
            for k in 0..N {
                if k != p && k != q {
                    let (kp, kq) = ((k.min(p), k.max(p)), (k.min(q), k.max(q)));
                    let (x, y) = (a[kp.0][kp.1], a[kq.0][kq.1]);
                    a[kp.0][kp.1] = c * x - s * y;
                    a[kq.0][kq.1] = s * x + c * y;
                }
            }
            let (x, y) = (vectors[p], vectors[q]);
            vectors[p] = std::array::from_fn(|k| c * x[k] - s * y[k]);
            vectors[q] = std::array::from_fn(|k| s * x[k] + c * y[k]);
        }
    }
    rotated
}
