//! The point grid finds exactly what a search through all points finds.

use glam::Vec3;
use pliant::geometry::PointGrid;
use pliant::glam;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 200,
        rng_seed: RngSeed::Fixed(11),
        failure_persistence: None,
        ..Default::default()
    }
}

fn brute_within(points: &[Vec3], centre: Vec3, radius: f32) -> Vec<(u32, f32)> {
    let all = points.iter().enumerate().map(|(i, p)| (i as u32, p.distance_squared(centre)));
    all.filter(|&(_, d)| d <= radius * radius).collect()
}

fn brute_nearest(points: &[Vec3], centre: Vec3, k: usize) -> Vec<(u32, f32)> {
    let mut all = brute_within(points, centre, f32::INFINITY);
    all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    all.truncate(k);
    all
}

#[track_caller]
fn check(points: &[Vec3], cell: f32, centre: Vec3, radius: f32, k: usize) {
    for grid in [PointGrid::new(points, cell), PointGrid::fitting(points)] {
        let mut found = Vec::new();
        grid.within(centre, radius, |i, d| found.push((i, d)));
        found.sort_by_key(|f| f.0);
        assert_eq!(found, brute_within(points, centre, radius));
        let mut nearest = Vec::new();
        grid.k_nearest(centre, k, &mut nearest);
        assert_eq!(nearest, brute_nearest(points, centre, k));
    }
}

fn vector(range: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-range..range).prop_map(Vec3::from_array)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn scattered_points_are_found_as_by_brute_force(
        points in prop::collection::vec(vector(1.0), 1..300),
        centre in vector(1.5), cell in 0.02_f32..3.0, radius in 0.0_f32..1.5, k in 0_usize..40,
    ) {
        check(&points, cell, centre, radius, k);
    }

    #[test]
    fn ties_on_a_lattice_go_to_the_lower_index(
        points in prop::collection::vec(prop::array::uniform3(-4_i32..4), 1..200),
        centre in prop::array::uniform3(-6_i32..6), radius in 0_i32..5, k in 1_usize..30,
    ) {
        let at = |p: [i32; 3]| Vec3::from_array(p.map(|x| x as f32));
        let points: Vec<Vec3> = points.into_iter().map(at).collect();
        check(&points, 1.0, at(centre), radius as f32, k);
    }

    #[test]
    fn any_scale_and_place_will_do(
        points in prop::collection::vec(vector(1.0), 1..100),
        centre in vector(1.2), exponent in -12_i32..10, shift in vector(1.0), k in 1_usize..20,
    ) {
        let scale = 10_f32.powi(exponent);
        let points: Vec<Vec3> = points.iter().map(|p| (*p + shift * 100.0) * scale).collect();
        check(&points, 0.3 * scale, (centre + shift * 100.0) * scale, 0.5 * scale, k);
    }

    #[test]
    fn clusters_far_apart_are_found(
        near in prop::collection::vec(vector(1e-3), 1..50),
        far in prop::collection::vec(vector(1e-3), 1..50),
        distance in 1.0_f32..1e9, cell in 1e-4_f32..1.0, k in 1_usize..80,
    ) {
        let points: Vec<Vec3> = near.iter().copied().chain(far.iter().map(|p| *p - distance)).collect();
        check(&points, cell, Vec3::splat(1e-4), 2e-3, k);
        check(&points, cell, Vec3::splat(-distance), 2e-3, k);
        check(&points, cell, Vec3::new(1e9, -1e9, 3.0), 2e9, k);
    }
}

#[test]
fn one_point_and_no_point() {
    check(&[Vec3::splat(-0.5)], 1.0, Vec3::splat(1e30), 1.0, 3);
    check(&[Vec3::splat(-0.5); 7], 1.0, Vec3::splat(-0.5), 0.0, 3);
    check(&[], 1.0, Vec3::ZERO, 1.0, 3);
}

#[test]
fn points_that_are_not_finite_are_never_found() {
    let points = [Vec3::NAN, Vec3::ZERO, Vec3::INFINITY, Vec3::ONE];
    let grid = PointGrid::new(&points, f32::NAN);
    let mut nearest = Vec::new();
    grid.k_nearest(Vec3::ZERO, 9, &mut nearest);
    assert_eq!(nearest, [(1, 0.0), (3, 3.0)]);
    grid.within(Vec3::ZERO, f32::INFINITY, |i, _| assert!(i == 1 || i == 3));
    grid.k_nearest(Vec3::NAN, 9, &mut nearest);
    assert!(nearest.is_empty());
}

#[test]
fn rebuilding_gives_the_same_as_building() {
    let points: Vec<Vec3> =
        (0..500).map(|i| Vec3::new((i % 7) as f32, (i % 11) as f32, (i % 13) as f32)).collect();
    let mut grid = PointGrid::new(&points[..100], 0.1);
    grid.rebuild(&points, 1.5);
    let fresh = PointGrid::new(&points, 1.5);
    for centre in &points {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        grid.within(*centre, 2.0, |i, d| a.push((i, d)));
        fresh.within(*centre, 2.0, |i, d| b.push((i, d)));
        assert_eq!(a, b);
    }
}
