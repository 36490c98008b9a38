//! Bodies that are not at rest when they are cut.

use crate::common::{Lcg, assert_closed, assert_manifold, caps, soup};
use glam::{Mat3, Quat, Vec3};
use pliant::cut::scissors::{Origin, Plane, clip};
use pliant::geometry::shapes;

#[test]
fn new_vertices_lie_at_the_same_share_of_their_edges_now_and_at_rest() {
    let mesh = soup(&shapes::cuboid(Vec3::new(2.0, 0.5, 0.5), [16, 4, 4]));
    // Bent by a quarter turn.
    let bend = |p: &Vec3| {
        let (sin, cos) = (p.x * 0.8).sin_cos();
        Vec3::new(sin * (1.25 + p.y), cos * (1.25 + p.y), p.z + 0.1 * p.x)
    };
    let now: Vec<Vec3> = mesh.positions.iter().map(bend).collect();
    let whole = mesh.signed_volume();
    let mut random = Lcg(5);
    let mut cuts = 0;
    for _ in 0..200 {
        let plane = Plane::through(Vec3::new(0.0, 1.0, 0.0) + random.vector(), random.vector());
        let Ok(halves) = clip(&mesh, &now, &plane, &caps(0.07)) else { continue };
        cuts += 1;
        for half in &halves {
            assert_manifold(half);
            assert!(half.mesh.signed_volume() > 0.0);
            for (vertex, origin) in half.origins.iter().enumerate() {
                let (rest, current) = (half.mesh.positions[vertex], half.now[vertex]);
                let (expected_rest, expected_now) = match *origin {
                    Origin::Vertex(v) => (mesh.positions[v as usize], now[v as usize]),
                    Origin::Edge { a, b, t } => {
                        let (a, b) = (a as usize, b as usize);
                        (mesh.positions[a].lerp(mesh.positions[b], t), now[a].lerp(now[b], t))
                    }
                    Origin::Cap => continue,
                };
                assert!(rest.distance(expected_rest) < 1e-6 && current.distance(expected_now) < 1e-6);
            }
        }
        let sum = halves[0].mesh.signed_volume() + halves[1].mesh.signed_volume();
        assert!((sum - whole).abs() < 1e-5 * whole, "both halves have the same cap at rest");
    }
    assert!(cuts > 60);
}

#[test]
fn caps_of_bodies_that_are_turned_and_sheared_are_plane_at_rest() {
    let mesh = soup(&shapes::sphere(0.5, 3));
    let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.4, -1.1, 2.0);
    let map =
        Mat3::from_quat(turn) * Mat3::from_cols(Vec3::X, Vec3::new(0.6, 1.2, 0.0), Vec3::new(0.1, 0.0, 0.8));
    let move_by = Vec3::new(3.0, -2.0, 5.0);
    let now: Vec<Vec3> = mesh.positions.iter().map(|p| map * *p + move_by).collect();
    let plane = Plane::through(move_by + Vec3::splat(0.05), Vec3::new(0.3, 1.0, 0.2));
    for half in clip(&mesh, &now, &plane, &caps(0.05)).expect("cut") {
        assert_manifold(&half);
        let inverse = map.inverse();
        let normal = (map.transpose() * plane.normal).normalize();
        for vertex in half.skin_vertices..half.now.len() {
            let expected = inverse * (half.now[vertex] - move_by);
            assert!(half.mesh.positions[vertex].distance(expected) < 1e-5);
            assert!(half.mesh.normals[vertex].dot(normal).abs() > 0.999);
        }
    }
}

#[test]
fn inner_points_of_a_bent_cap_lie_between_its_rim() {
    let mesh = shapes::cuboid(Vec3::ONE, [12, 12, 12]);
    let now: Vec<Vec3> = mesh.positions.iter().map(|p| *p + Vec3::Y * 0.2 * p.x * p.x).collect();
    let [behind, _] = clip(&mesh, &now, &Plane { normal: Vec3::Y, offset: 0.03 }, &caps(0.08)).expect("cut");
    let inner = (0..behind.now.len()).filter(|&v| behind.origins[v] == Origin::Cap);
    let mut count = 0;
    for vertex in inner {
        count += 1;
        let (rest, current) = (behind.mesh.positions[vertex], behind.now[vertex]);
        assert!(rest.with_y(0.0).distance(current.with_y(0.0)) < 0.02);
        assert!((-0.021..=0.031).contains(&rest.y), "{rest}");
    }
    assert!(count > 80, "only {count} points inside");
}

#[test]
fn crumpled_bodies_are_cut_without_a_gap() {
    // Positions at random: outlines cross themselves and each other everywhere.
    for seed in 0..40 {
        let mesh = shapes::torus(1.0, 0.4, 14, 9);
        let mut random = Lcg(seed);
        let now: Vec<Vec3> = mesh.positions.iter().map(|p| *p * 0.3 + random.vector()).collect();
        let halves = clip(&mesh, &now, &random.plane(0.4), &caps(0.1)).expect("cut");
        halves.iter().for_each(assert_closed);
        let whole = mesh.signed_volume();
        let sum: f64 = halves.iter().map(|half| half.mesh.signed_volume()).sum();
        assert!((sum - whole).abs() < 1e-4 * whole);
    }
}

#[test]
fn flat_folded_and_collapsed_bodies_do_not_panic() {
    let mesh = shapes::sphere(1.0, 2);
    let squash: [fn(Vec3) -> Vec3; 5] =
        [|p| p.with_y(0.0), |p| Vec3::new(p.x, 0.0, 0.0), |_| Vec3::ONE, |p| (p * 2.0).round(), |p| p.abs()];
    for squash in squash {
        let now: Vec<Vec3> = mesh.positions.iter().map(|p| squash(*p)).collect();
        for direction in [Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.3, 0.4, 0.5)] {
            for through in [Vec3::ZERO, Vec3::splat(0.5), Vec3::ONE] {
                let plane = Plane::through(through, direction);
                if let Ok(halves) = clip(&mesh, &now, &plane, &caps(0.1)) {
                    halves.iter().for_each(assert_closed);
                }
            }
        }
    }
}
