//! What every rotation extraction promises: the reference, the warm lanes and the cold lanes alike.

use crate::support::{Random, oracle, proptest_config, rotation_error, stretch_sum};
use glam::{Mat3, Quat, Vec3};
use pliant::math::{rotation, rotations_cold, rotations_warm};
use proptest::prelude::*;

/// All three ways to the rotation part of one matrix; cold starts are asked from the identity.
fn all_ways(a: Mat3, warm: Quat) -> [Quat; 4] {
    let mut warm_lane = [warm];
    rotations_warm(&[a], &mut warm_lane);
    let mut cold_lane = [Quat::from_xyzw(f32::NAN, 0.0, 0.0, 0.0)];
    rotations_cold(&[a], &mut cold_lane);
    [rotation(a, warm), rotation(a, Quat::IDENTITY), warm_lane[0], cold_lane[0]]
}

fn assert_proper(q: Quat, a: Mat3) {
    assert!(q.is_finite(), "{q} from {a}");
    assert!((q.length() - 1.0).abs() < 1e-6, "length {} from {a}", q.length());
    let r = Mat3::from_quat(q);
    assert!((r.determinant() - 1.0).abs() < 1e-5, "determinant {} from {a}", r.determinant());
}

/// No rotation reaches a larger tr(RᵀA) than `q`, but for rounding.
fn assert_optimal(q: Quat, a: Mat3, random: &mut Random) {
    let reached = stretch_sum(q, a);
    let scale = a.to_cols_array().iter().fold(0.0_f64, |max, v| max.max(f64::from(v.abs())));
    for _ in 0..2000 {
        let near = Quat::from_axis_angle(random.unit_vector(), random.between(0.0, 0.2));
        for other in [random.rotation(), q * near] {
            let better = stretch_sum(other, a) - reached;
            assert!(better <= 4e-6 * scale, "{other} beats {q} by {better} for {a}");
        }
    }
}

/// Matrices that break rotation extraction elsewhere.
fn hard_matrices() -> Vec<Mat3> {
    let d = |x: f32, y: f32, z: f32| Mat3::from_diagonal(Vec3::new(x, y, z));
    let turn = Mat3::from_quat(Quat::from_xyzw(0.1, -0.7, 0.4, 0.5).normalize());
    let shapes = [
        Mat3::ZERO,
        Mat3::IDENTITY,
        -Mat3::IDENTITY,
        d(1.0, 1.0, -1.0),
        d(-1.0, 1.0, 1.0),
        d(1.0, -1.0, -1.0),
        d(-1.0, -1.0, 1.0),
        d(3.0, 2.0, -1.0),
        d(3.0, 2.0, -2.0),
        d(1.0, 1e-7, -1e-7),
        d(1.0, 0.0, 0.0),
        d(0.0, -1.0, 0.0),
        d(1.0, 1.0, 0.0),
        d(0.0, -2.0, 1.0),
        d(1.0, 1e-3, 1e-3),
        d(1.0, 1e-3, -1e-3),
        d(1.0, 1e-20, 1e-30),
        Mat3::from_cols(Vec3::ONE, Vec3::ONE, Vec3::ONE),
        Mat3::from_cols(Vec3::X, Vec3::X, Vec3::Y),
        Mat3::from_cols(Vec3::Y, Vec3::Z, Vec3::X),
        Mat3::from_cols(Vec3::Y, Vec3::X, Vec3::Z),
    ];
    let scales = [1.0, 1e18, 1e-18, 3e38, 1e-38, 1e-45, 1e-42, 2e-5];
    let turned = shapes.iter().flat_map(|&a| [a, turn * a, a * turn, turn * a * turn]);
    turned.flat_map(|a| scales.map(|s| scaled(a, s))).collect()
}

/// Column by column, because `Mat3 * f32` of entries near the largest f32 must saturate here, not overflow.
fn scaled(a: Mat3, s: f32) -> Mat3 {
    Mat3::from_cols_array(&a.to_cols_array().map(|v| (v * s).clamp(-f32::MAX, f32::MAX)))
}

fn warm_starts(random: &mut Random) -> Vec<Quat> {
    let mut starts = vec![
        Quat::IDENTITY,
        -Quat::IDENTITY,
        Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
        Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
        Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0),
        Quat::from_xyzw(f32::INFINITY, 0.0, 0.0, 1.0),
        Quat::from_xyzw(1e-30, 0.0, 0.0, 1e-30),
        Quat::from_xyzw(3e38, 0.0, -3e38, 3e38),
    ];
    starts.extend((0..3).map(|_| random.rotation()));
    starts
}

#[test]
fn hard_matrices_give_proper_and_optimal_rotations() {
    let mut random = Random(1);
    for a in hard_matrices() {
        for warm in warm_starts(&mut random) {
            for q in all_ways(a, warm) {
                assert_proper(q, a);
            }
        }
        for q in all_ways(a, random.rotation()) {
            assert_optimal(q, a, &mut Random(2));
        }
    }
}

proptest! {
    #![proptest_config(proptest_config())]

    #[test]
    fn any_finite_bit_pattern_gives_a_proper_rotation(bits: [u32; 9], warm: [u32; 4]) {
        let a = Mat3::from_cols_array(&bits.map(|b| {
            let v = f32::from_bits(b);
            if v.is_finite() { v } else { 0.0 }
        }));
        for q in all_ways(a, Quat::from_array(warm.map(f32::from_bits))) {
            assert_proper(q, a);
        }
    }

    #[test]
    fn entries_of_any_magnitude_give_an_optimal_rotation(
        entries in prop::array::uniform9(-1.0_f32..1.0),
        powers in prop::array::uniform9(-12_i32..3),
        seed: u64,
    ) {
        let a = Mat3::from_cols_array(&std::array::from_fn(|i| entries[i] * 10.0_f32.powi(powers[i])));
        let warm = Random(seed).rotation();
        let reached = all_ways(a, warm).map(|q| { assert_proper(q, a); stretch_sum(q, a) });
        let scale = f64::from(a.to_cols_array().iter().fold(0.0_f32, |max, v| max.max(v.abs())));
        for r in reached {
            prop_assert!((r - reached[0]).abs() <= 4e-6 * scale, "{reached:?}");
        }
    }

    #[test]
    fn a_non_finite_matrix_returns_the_warm_start(at in 0..9_usize, bad in 0..3_usize, seed: u64) {
        let mut entries = Mat3::IDENTITY.to_cols_array();
        entries[at] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY][bad];
        let a = Mat3::from_cols_array(&entries);
        let warm = Random(seed).rotation();
        let [reference, _, warm_lane, cold_lane] = all_ways(a, warm);
        prop_assert!(rotation_error(reference, oracle(Mat3::from_quat(warm))) < 1e-6);
        prop_assert!(rotation_error(warm_lane, oracle(Mat3::from_quat(warm))) < 1e-6);
        prop_assert_eq!(cold_lane, Quat::IDENTITY);
    }
}

#[test]
fn agrees_with_singular_values_for_stretched_rotations() {
    let mut random = Random(3);
    for _ in 0..20_000 {
        let a = random.stretched_rotation(0.3, 2.0);
        let r = oracle(a);
        for q in all_ways(a, random.rotation()) {
            assert!(rotation_error(q, r) < 2e-6, "{} for {a}", rotation_error(q, r));
        }
    }
}

#[test]
fn agrees_with_singular_values_wherever_the_answer_is_well_defined() {
    let mut random = Random(4);
    let mut checked = 0;
    for _ in 0..50_000 {
        // Any matrix, reflections included: half of these have a negative determinant.
        let a = Mat3::from_cols_array(&std::array::from_fn(|_| random.between(-1.0, 1.0)));
        let (_, s, _) = pliant::math::svd3(a);
        let well_defined = (s.y + s.z) / s.x > 0.02;
        checked += usize::from(well_defined);
        for q in all_ways(a, random.rotation()) {
            assert!(
                !well_defined || rotation_error(q, oracle(a)) < 1e-5,
                "{} for {a}",
                rotation_error(q, oracle(a))
            );
        }
    }
    assert!(checked > 40_000, "{checked}");
}

#[test]
fn a_reflection_flips_the_axis_of_the_smallest_singular_value() {
    let a = Mat3::from_diagonal(Vec3::new(3.0, -1.0, 2.0));
    let mut random = Random(5);
    for _ in 0..100 {
        let r = Mat3::from_quat(random.rotation());
        for q in all_ways(r * a, random.rotation()) {
            assert!(Mat3::from_quat(q).abs_diff_eq(r, 2e-6), "{q} instead of {r}");
        }
    }
}

#[test]
fn half_turns_are_found_from_any_start() {
    let stretch = Mat3::from_diagonal(Vec3::new(1.2, 1.0, 0.8));
    let mut random = Random(6);
    for i in 0..1000 {
        let r = random.rotation();
        let axis = if i % 2 == 0 { Vec3::AXES[i / 2 % 3] } else { random.unit_vector() };
        let off = [0.0, 1e-7, 1e-4, 1e-2][i / 6 % 4];
        let half_turn = Quat::from_axis_angle(axis, std::f32::consts::PI - off);
        let exact = Quat::from_vec4(axis.extend(0.0));
        let a = Mat3::from_quat(r) * stretch;
        for warm in [r * half_turn, r * exact] {
            for q in all_ways(a, warm) {
                assert!(rotation_error(q, oracle(a)) < 2e-6);
            }
        }
        for q in all_ways(Mat3::from_quat(exact) * stretch, Quat::IDENTITY) {
            assert!(rotation_error(q, oracle(Mat3::from_quat(exact) * stretch)) < 2e-6);
        }
    }
}

#[test]
fn where_several_rotations_are_optimal_the_nearest_to_the_warm_start_is_taken() {
    let mut random = Random(7);
    for _ in 0..500 {
        let (warm, along) = (random.rotation(), random.unit_vector());
        // All of the rotations about `along` after `warm` are optimal for these.
        let across = along.any_orthonormal_vector();
        let column = |v: Vec3| Mat3::from_cols(v * along.x, v * along.y, v * along.z);
        let line = column(warm * along);
        for q in [rotation(line, warm), all_ways(line, warm)[2]] {
            assert!(q.dot(warm) > 1.0 - 1e-6, "{q} instead of {warm}");
        }
        // A start that is off is brought back by the shortest way: about an axis across the line.
        let off = warm * Quat::from_axis_angle(across, 0.4);
        for q in [rotation(line, off), all_ways(line, off)[2]] {
            assert!(q.dot(warm) > 1.0 - 1e-6, "{q} instead of {warm}");
        }
        for q in [rotation(Mat3::ZERO, warm), all_ways(Mat3::ZERO, warm)[2]] {
            assert!(q.dot(warm) > 1.0 - 1e-6);
        }
    }
}

#[test]
fn the_quaternion_stays_on_the_side_of_the_warm_start() {
    let mut random = Random(8);
    for _ in 0..5000 {
        let a = Mat3::from_cols_array(&std::array::from_fn(|_| random.between(-1.0, 1.0)));
        let warm = random.rotation();
        let [reference, _, warm_lane, cold_lane] = all_ways(a, warm);
        assert!(reference.dot(warm) >= -1e-6);
        assert!(warm_lane.dot(warm) >= -1e-6);
        assert!(cold_lane.w >= 0.0);
    }
}

#[test]
fn the_answer_does_not_depend_on_the_scale() {
    let mut random = Random(9);
    for _ in 0..500 {
        let a = random.stretched_rotation(0.5, 1.5);
        let warm = random.rotation();
        let unscaled = all_ways(a, warm);
        for scale in [1e-36, 1e-18, 1e-9, 1e9, 1e18, 1e38] {
            for (q, p) in all_ways(a * scale, warm).into_iter().zip(unscaled) {
                assert!(q.dot(p).abs() > 1.0 - 1e-6, "{q} instead of {p} at {scale}");
            }
        }
    }
}

#[test]
fn a_ten_centimetre_cube_of_one_gram_particles_turns() {
    let mut random = Random(10);
    for size in [0.1, 1e-3] {
        for _ in 0..100 {
            let r = random.rotation();
            let mut a = Mat3::ZERO;
            for corner in 0..8 {
                let sign = |bit: u32| if corner >> bit & 1 == 0 { -0.5 } else { 0.5 };
                let rest = size * Vec3::new(sign(0), sign(1), sign(2));
                let now = r * rest;
                a += 1e-3 * Mat3::from_cols(now * rest.x, now * rest.y, now * rest.z);
            }
            for q in all_ways(a, Quat::IDENTITY) {
                assert!(q.dot(r).abs() > 1.0 - 1e-6);
            }
        }
    }
}

#[test]
fn a_lane_does_not_depend_on_its_neighbours() {
    let mut random = Random(11);
    let hard = hard_matrices();
    let a: Vec<_> = (0..1003)
        .map(|i| if i % 5 == 0 { hard[i / 5 % hard.len()] } else { random.stretched_rotation(0.1, 2.0) })
        .collect();
    let starts: Vec<_> = a.iter().map(|_| random.rotation()).collect();
    let (mut warm, mut cold) = (starts.clone(), starts.clone());
    rotations_warm(&a, &mut warm);
    rotations_cold(&a, &mut cold);
    for i in 0..a.len() {
        let [_, _, warm_alone, cold_alone] = all_ways(a[i], starts[i]);
        assert_eq!(warm[i].to_array().map(f32::to_bits), warm_alone.to_array().map(f32::to_bits));
        assert_eq!(cold[i].to_array().map(f32::to_bits), cold_alone.to_array().map(f32::to_bits));
    }
}

#[test]
fn ordinary_matrices_do_not_need_the_slow_reference() {
    let mut random = Random(12);
    let a: Vec<_> = (0..10_000).map(|_| random.stretched_rotation(0.3, 2.0)).collect();
    let mut q: Vec<_> = a.iter().map(|_| random.rotation()).collect();
    assert_eq!(rotations_warm(&a, &mut q.clone()), 0);
    assert_eq!(rotations_cold(&a, &mut q), 0);
}
