//! Welding joins what lies in the same place, and nothing else.

use glam::Vec3;
use pliant::geometry::{EdgeTable, TriMesh, shapes, weld};
use pliant::glam;
use proptest::prelude::*;

/// Every triangle with vertices of its own.
fn soup(mesh: &TriMesh) -> TriMesh {
    let positions = mesh.triangles.iter().flatten().map(|&v| mesh.positions[v as usize]).collect();
    let triangles = (0..mesh.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    TriMesh::new(positions, triangles)
}

fn scaled(mesh: &TriMesh, scale: f32, shift: Vec3) -> TriMesh {
    TriMesh::new(mesh.positions.iter().map(|p| *p * scale + shift).collect(), mesh.triangles.clone())
}

#[test]
fn soup_becomes_the_mesh_it_was_at_any_size() {
    let mesh = shapes::torus(1.0, 0.4, 24, 12);
    for scale in [1e-9, 1e-3, 1.0, 1e9] {
        for tolerance in [0.0, 1e-6, 1e-4] {
            let welded = weld(&soup(&scaled(&mesh, scale, Vec3::ZERO)), tolerance);
            assert_eq!(welded.positions.len(), mesh.positions.len());
            assert_eq!(welded.triangles.len(), mesh.triangles.len());
            assert!(EdgeTable::new(&welded.triangles).is_closed());
        }
    }
}

#[test]
fn near_vertices_join_across_cell_borders_and_at_negative_coordinates() {
    for x in [-1.0_f32, -0.0, 0.0, 0.5, -3.2e-4, 7.0] {
        for sign in [-1.0, 1.0] {
            let corner = Vec3::new(x, -x, 0.25);
            let near = corner + Vec3::splat(sign * 4e-6);
            let far = corner + Vec3::X;
            let mesh = TriMesh::new(
                vec![corner, far, corner + Vec3::Y, near, far + Vec3::Y],
                vec![[0, 1, 2], [3, 4, 2]],
            );
            let welded = weld(&mesh, 1e-5);
            assert_eq!(welded.vertex_of, [0, 1, 2, 0, 3]);
            assert_eq!(welded.positions[0], corner);
        }
    }
}

#[test]
fn plus_and_minus_zero_are_one_place() {
    let mesh = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y, -Vec3::ZERO], vec![[0, 1, 2], [3, 2, 1]]);
    assert_eq!(weld(&mesh, 0.0).vertex_of, [0, 1, 2, 0]);
}

#[test]
fn silly_tolerances_do_not_swallow_the_mesh() {
    let mesh = shapes::sphere(1.0, 3);
    for tolerance in [0.3, 1.0, 1e9, f32::INFINITY, f32::NAN, -1.0, f32::NEG_INFINITY] {
        let welded = weld(&mesh, tolerance);
        assert_eq!(welded.positions.len(), mesh.positions.len(), "{tolerance}");
        assert_eq!(welded.triangles, mesh.triangles);
    }
}

#[test]
fn a_chain_of_near_vertices_does_not_run_into_one() {
    let step = 0.9e-3;
    let mut positions: Vec<Vec3> = (0..1000).map(|i| Vec3::X * (i as f32 * step)).collect();
    positions.extend([Vec3::Y, Vec3::Z]);
    let long = 1000;
    let triangles = (0..1000).map(|i| [i, long, long + 1]).collect();
    let welded = weld(&TriMesh::new(positions.clone(), triangles), 1e-3 / 3.0_f32.sqrt());
    assert!(welded.positions.len() >= 500, "{}", welded.positions.len());
}

#[test]
fn collapsed_and_impossible_triangles_are_left_out() {
    let mesh = TriMesh::new(
        vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X],
        vec![[0, 1, 3], [0, 1, 2], [0, 1, 99], [2, 2, 2], [0, 3, 2]],
    );
    let welded = weld(&mesh, 0.0);
    assert_eq!(welded.triangles, [[0, 1, 2], [0, 1, 2]]);
    assert_eq!(welded.triangle_of, [1, 4]);
}

#[test]
fn vertices_that_are_not_finite_are_not_joined() {
    let nan = Vec3::splat(f32::NAN);
    let mesh = TriMesh::new(vec![nan, nan, Vec3::X, Vec3::INFINITY, Vec3::X], vec![[0, 1, 2], [2, 3, 0]]);
    assert_eq!(weld(&mesh, 1e-5).vertex_of, [0, 1, 2, 3, 2]);
    assert!(weld(&TriMesh::default(), 1e-5).positions.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, rng_seed: proptest::test_runner::RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() })]

    /// Kept vertices are farther apart than the tolerance, and none moves by more than it.
    #[test]
    fn kept_vertices_are_apart_and_the_others_near_them(
        points in prop::collection::vec(prop::array::uniform3(-20_i32..20), 3..120),
        jitter in prop::collection::vec(prop::array::uniform3(-1.0_f32..1.0), 120),
        shift in -1e4_f32..1e4,
    ) {
        let positions: Vec<Vec3> = points
            .iter()
            .zip(&jitter)
            .map(|(p, j)| Vec3::from_array(p.map(|x| x as f32)) + Vec3::from_array(*j) * 0.02 + shift)
            .collect();
        let triangles = (0..positions.len() as u32 - 2).map(|i| [i, i + 1, i + 2]).collect();
        let mesh = TriMesh::new(positions, triangles);
        let (low, high) = mesh.bounds().unwrap();
        let tolerance = low.as_dvec3().distance(high.as_dvec3()) * 1e-3_f32 as f64;
        let welded = weld(&mesh, 1e-3);
        let kept: Vec<_> = welded.positions.iter().map(|p| p.as_dvec3()).collect();
        for (i, a) in kept.iter().enumerate() {
            for b in &kept[..i] {
                prop_assert!(a.distance(*b) > tolerance * 0.999_999);
            }
        }
        for (v, &w) in welded.vertex_of.iter().enumerate() {
            prop_assert!(mesh.positions[v].as_dvec3().distance(kept[w as usize]) <= tolerance * 1.000_001);
        }
        let again = weld(&TriMesh::new(welded.positions.clone(), welded.triangles.clone()), 1e-3);
        prop_assert_eq!(again.positions, welded.positions);
    }
}
