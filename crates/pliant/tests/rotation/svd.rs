//! Singular values, eigenvectors and pseudo-inverses.

use crate::support::{Random, proptest_config, to_f64};
use glam::{Mat3, Vec3};
use nalgebra as na;
use pliant::math::{PseudoInverse, pseudo_inverse, svd3, symmetric_eigen, symmetric_eigen3};
use proptest::prelude::*;

fn assert_rotation(r: Mat3) {
    assert!((r.transpose() * r).abs_diff_eq(Mat3::IDENTITY, 1e-6), "{r}");
    assert!((r.determinant() - 1.0).abs() < 1e-5, "{r}");
}

fn assert_svd(a: Mat3) {
    let (u, s, v) = svd3(a);
    assert_rotation(u);
    assert_rotation(v);
    assert!(s.is_finite() && s.x >= s.y && s.y >= s.z.abs(), "{s} for {a}");
    let product = to_f64(u)
        * na::Matrix3::from_diagonal(&na::Vector3::new(s.x, s.y, s.z).cast())
        * to_f64(v).transpose();
    let saturated = s.x == f32::MAX;
    let largest = to_f64(a).abs().max();
    // Entries of a denormal matrix carry an absolute rounding of 1e-45.
    let error = (product - to_f64(a)).abs().max();
    assert!(saturated || error <= 2e-6 * largest + 4e-45, "{error} for {a}");
}

#[test]
fn hard_matrices_are_products_of_rotations_and_a_stretch() {
    let turn = Mat3::from_quat(glam::Quat::from_xyzw(0.1, -0.7, 0.4, 0.5).normalize());
    for diagonal in [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 1.0, 1.0],
        [1.0, 1.0, -1.0],
        [-1.0, -1.0, -1.0],
        [1.0, 1e-9, 1e-18],
        [1e-20, 1.0, -1e-30],
        [2.0, 2.0, 3.0],
    ] {
        let d = Mat3::from_diagonal(Vec3::from_array(diagonal));
        for scale in [1.0, 1e18, 1e-18, 1e38, 1e-38, 1e-44] {
            for a in [d, turn * d, d * turn, turn * d * turn, Mat3::from_cols(d.y_axis, d.z_axis, d.z_axis)] {
                assert_svd(a * scale);
            }
        }
    }
    assert_svd(Mat3::from_cols_array(&[f32::MAX; 9]));
}

#[test]
fn the_last_singular_value_carries_the_sign_of_the_determinant() {
    let mut random = Random(21);
    for _ in 0..2000 {
        let a = random.stretched_rotation(0.2, 2.0);
        let (_, s, _) = svd3(a);
        let (_, flipped, _) = svd3(-a);
        assert!(s.z > 0.0 && flipped.z < 0.0);
        assert!(s.abs_diff_eq(flipped.abs(), 1e-6));
        let oracle = to_f64(a).singular_values();
        assert!((oracle - na::Vector3::new(s.x, s.y, s.z).cast()).abs().max() < 1e-6);
    }
}

#[test]
fn a_matrix_that_is_not_finite_gives_zeros() {
    for bad in [f32::NAN, f32::INFINITY] {
        let a = Mat3::from_cols(Vec3::X, Vec3::new(0.0, bad, 0.0), Vec3::Z);
        assert_eq!(svd3(a), (Mat3::IDENTITY, Vec3::ZERO, Mat3::IDENTITY));
        assert_eq!(symmetric_eigen3(a), (Vec3::ZERO, Mat3::IDENTITY));
    }
    assert_eq!(pseudo_inverse([[f64::NAN; 3]; 3], 1e-6).rank, 0);
}

#[test]
fn eigenvectors_rebuild_the_matrix() {
    let mut random = Random(22);
    for _ in 0..2000 {
        let b = Mat3::from_cols_array(&std::array::from_fn(|_| random.between(-1.0, 1.0)));
        let m = b + b.transpose();
        let (values, vectors) = symmetric_eigen3(m);
        assert_rotation(vectors);
        assert!(values.x >= values.y && values.y >= values.z);
        assert!((vectors * Mat3::from_diagonal(values) * vectors.transpose()).abs_diff_eq(m, 4e-6));
    }
}

proptest! {
    #![proptest_config(proptest_config())]

    #[test]
    fn any_finite_bit_pattern_has_singular_values(bits: [u32; 9]) {
        assert_svd(Mat3::from_cols_array(&bits.map(|b| {
            let v = f32::from_bits(b);
            if v.is_finite() { v } else { 1.0 }
        })));
    }

    #[test]
    fn any_finite_symmetric_matrix_has_orthonormal_eigenvectors(bits: [[u64; 4]; 4]) {
        let m = bits.map(|row| row.map(|b| {
            let v = f64::from_bits(b);
            if v.is_finite() { v } else { 1.0 }
        }));
        let eigen = symmetric_eigen(m);
        for (i, v) in eigen.vectors.iter().enumerate() {
            for (j, w) in eigen.vectors.iter().enumerate() {
                let dot: f64 = v.iter().zip(w).map(|(a, b)| a * b).sum();
                prop_assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
    }
}

/// The moment of `count` random vectors: rank `min(count, N)`.
fn moment<const N: usize>(count: usize, scale: f64, random: &mut Random) -> na::SMatrix<f64, N, N> {
    let mut sum = na::SMatrix::<f64, N, N>::zeros();
    for _ in 0..count {
        let v = na::SVector::<f64, N>::from_fn(|_, _| f64::from(random.between(-1.0, 1.0)));
        sum += scale * v * v.transpose();
    }
    sum
}

fn pseudo_inverse_laws<const N: usize>() {
    let mut random = Random(23);
    for scale in [1.0, 1e-30, 1e30] {
        for count in 0..=2 * N {
            let m = moment::<N>(count, scale, &mut random);
            let PseudoInverse { inverse, projector, rank } = pseudo_inverse(m.transpose().into(), 1e-9);
            assert_eq!(rank, count.min(N));
            let (i, p) = (na::SMatrix::from(inverse), na::SMatrix::from(projector));
            // The four laws of Penrose, and that the projector is the one onto the range.
            assert!((m * i * m - m).abs().max() <= 1e-6 * m.abs().max());
            assert!((i * m * i - i).abs().max() <= 1e-6 * i.abs().max());
            assert!((m * i - p).abs().max() < 1e-6);
            assert!((i * m - p).abs().max() < 1e-6);
            assert!((p * p - p).abs().max() < 1e-12);
            assert!((p * m - m).abs().max() <= 1e-12 * m.abs().max());
        }
    }
}

#[test]
fn pseudo_inverses_keep_the_laws_of_penrose() {
    pseudo_inverse_laws::<3>();
    pseudo_inverse_laws::<9>();
}

#[test]
fn directions_below_the_threshold_are_left_out() {
    let m = [[1.0, 0.0, 0.0], [0.0, 1e-3, 0.0], [0.0, 0.0, 1e-8]];
    let p = pseudo_inverse(m, 1e-6);
    assert_eq!(p.rank, 2);
    assert_eq!(p.inverse, [[1.0, 0.0, 0.0], [0.0, 1e3, 0.0], [0.0, 0.0, 0.0]]);
    assert_eq!(p.projector, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]);
    assert_eq!(pseudo_inverse(m, 1e-9).rank, 3);
}
