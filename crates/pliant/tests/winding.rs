//! The winding number tells inside from outside, fast and exactly enough.

use glam::Vec3;
use pliant::geometry::{TriMesh, WindingTree, shapes, winding_exact};
use pliant::glam;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn tree(mesh: &TriMesh) -> WindingTree {
    WindingTree::new(&mesh.positions, &mesh.triangles)
}

/// Points all over a box twice as large as the mesh.
fn samples(mesh: &TriMesh) -> impl Iterator<Item = Vec3> {
    let (low, high) = mesh.bounds().expect("a mesh");
    (0..600).map(move |i| {
        // A Kronecker sequence: even, without chance.
        let share = Vec3::new(0.819_172_5, 0.671_043_6, 0.549_700_5) * i as f32;
        low - (high - low) * 0.5 + share.fract() * (high - low) * 2.0
    })
}

#[test]
fn far_groups_err_by_less_than_a_hundredth() {
    let shapes = [
        shapes::sphere(1.0, 4),
        shapes::torus_knot(2, 3, 1.0, 0.4, 0.15, 300, 16),
        shapes::l_bar(1.0, 0.3, 0.2, 0.05),
        shapes::cuboid(Vec3::new(2.0, 0.02, 2.0), [40, 1, 40]),
    ];
    for mesh in shapes {
        let tree = tree(&mesh);
        for point in samples(&mesh) {
            let exact = winding_exact(&mesh.positions, &mesh.triangles, point) as f32;
            let error = (tree.winding(point) - exact).abs();
            assert!(error < 0.01, "{error} at {point}");
            assert_eq!(tree.is_inside(point), exact.abs() > 0.5);
        }
    }
}

#[test]
fn size_and_place_do_not_matter() {
    let mesh = shapes::torus(1.0, 0.4, 48, 24);
    let reference = tree(&mesh);
    for scale in [1e-9, 1e-4, 1e4, 1e9] {
        let scaled =
            TriMesh::new(mesh.positions.iter().map(|p| *p * scale).collect(), mesh.triangles.clone());
        let tree = tree(&scaled);
        for point in samples(&mesh) {
            assert!((tree.winding(point * scale) - reference.winding(point)).abs() < 1e-3);
        }
    }
}

#[test]
fn inside_out_surfaces_have_an_inside_too() {
    let mut mesh = shapes::sphere(1.0, 3);
    mesh.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let tree = tree(&mesh);
    assert!((tree.winding(Vec3::splat(0.1)) + 1.0).abs() < 1e-2);
    assert!(tree.is_inside(Vec3::splat(0.1)) && !tree.is_inside(Vec3::splat(0.7)));
}

#[test]
fn holes_do_not_confuse_it() {
    let mut mesh = shapes::sphere(1.0, 4);
    let mut count = 0;
    mesh.triangles.retain(|_| {
        count += 1;
        count % 10 != 0
    });
    let tree = tree(&mesh);
    for point in samples(&mesh) {
        if (point.length() - 1.0).abs() > 0.1 {
            assert_eq!(tree.is_inside(point), point.length() < 1.0, "{point}");
        }
    }
}

#[test]
fn trees_can_be_shared_between_threads() {
    fn assert_shareable<T: Send + Sync>(_: &T) {}
    assert_shareable(&tree(&shapes::sphere(1.0, 1)));
}

#[test]
fn nothing_winds_around_nothing() {
    assert_eq!(WindingTree::new(&[], &[]).winding(Vec3::ONE), 0.0);
    let broken = WindingTree::new(&[Vec3::NAN, Vec3::X, Vec3::Y], &[[0, 1, 2], [1, 2, 7]]);
    assert_eq!(broken.winding(Vec3::ZERO), 0.0);
    let collapsed = WindingTree::new(&[Vec3::ONE; 3], &[[0, 1, 2]; 40]);
    assert_eq!(collapsed.winding(Vec3::ONE), 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, rng_seed: RngSeed::Fixed(3), failure_persistence: None, ..Default::default() })]

    #[test]
    fn triangle_soup_is_seen_as_by_brute_force(
        corners in prop::collection::vec(prop::array::uniform3(prop::array::uniform3(-1.0_f32..1.0)), 1..60),
        point in prop::array::uniform3(-3.0_f32..3.0),
    ) {
        let positions: Vec<Vec3> = corners.into_iter().flatten().map(Vec3::from_array).collect();
        let triangles: Vec<[u32; 3]> = (0..positions.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let point = Vec3::from_array(point);
        let exact = winding_exact(&positions, &triangles, point) as f32;
        let found = WindingTree::new(&positions, &triangles).winding(point);
        prop_assert!((found - exact).abs() < 0.05 * (1.0 + exact.abs()), "{} {}", found, exact);
    }
}
