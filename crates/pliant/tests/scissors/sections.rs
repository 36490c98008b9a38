//! Sections of every kind: what is left is closed.

use crate::common::{
    Lcg, assert_closed, assert_manifold, assert_volumes_add_up, at_rest, cap_area, caps, hollow, joined,
    shapes_under_test,
};
use glam::Vec3;
use pliant::cut::scissors::{Half, Plane, ScissorsError, clip};
use pliant::geometry::{inspect, shapes};
use std::f32::consts::PI;

#[test]
fn test_shapes_are_solids() {
    for (name, mesh) in shapes_under_test() {
        let report = inspect(&mesh);
        assert!(report.closed && report.oriented && report.volume > 0.0, "{name}");
    }
}

#[test]
fn a_cube_becomes_two_boxes() {
    let cube = shapes::cuboid(Vec3::ONE, [1, 1, 1]);
    let halves = at_rest(&cube, &Plane { normal: Vec3::X, offset: 0.2 }, 0.0).expect("cut");
    halves.iter().for_each(assert_manifold);
    let [behind, front] = halves;
    assert!((behind.mesh.signed_volume() - 0.7).abs() < 1e-6);
    assert!((front.mesh.signed_volume() - 0.3).abs() < 1e-6);
    assert!(behind.now.iter().all(|p| p.x <= 0.2) && front.now.iter().all(|p| p.x >= 0.2));
    assert!((cap_area(&behind) - 1.0).abs() < 1e-6 && (cap_area(&front) - 1.0).abs() < 1e-6);
}

#[test]
fn random_planes_leave_closed_halves_whose_volumes_add_up() {
    for (name, mesh) in shapes_under_test() {
        let mut random = Lcg(7);
        let mut cuts = 0;
        for number in 0..500 {
            let plane = random.plane(0.7);
            let spacing = [0.0, 0.3, 0.12, f32::INFINITY][number % 4];
            match at_rest(&mesh, &plane, spacing) {
                Ok(halves) => {
                    cuts += 1;
                    halves.iter().for_each(assert_manifold);
                    assert_volumes_add_up(&mesh, &halves);
                    assert!((cap_area(&halves[0]) - cap_area(&halves[1])).abs() < 1e-6);
                }
                Err(error) => assert_eq!(error, ScissorsError::Misses, "{name}, plane {number}"),
            }
        }
        assert!(cuts > 250, "{name} was cut only {cuts} times");
    }
}

#[test]
fn every_vertex_is_on_its_side() {
    for (name, mesh) in shapes_under_test() {
        let mut random = Lcg(11);
        for _ in 0..20 {
            let plane = random.plane(0.5);
            let Ok([behind, front]) = at_rest(&mesh, &plane, 0.2) else { continue };
            assert!(behind.now.iter().all(|p| plane.distance(*p) < 1e-6), "{name}");
            assert!(front.now.iter().all(|p| plane.distance(*p) > -1e-6), "{name}");
            for half in [&behind, &front] {
                assert!(half.now[half.skin_vertices..].iter().all(|p| plane.distance(*p).abs() < 1e-6));
            }
        }
    }
}

#[test]
fn a_torus_across_has_two_caps_and_along_a_ring() {
    let torus = shapes::torus(1.0, 0.3, 48, 24);
    let across = at_rest(&torus, &Plane { normal: Vec3::X, offset: 0.01 }, 0.1).expect("cut");
    across.iter().for_each(assert_manifold);
    let disc = PI as f64 * 0.09;
    assert!((cap_area(&across[0]) - 2.0 * disc).abs() < 0.04 * disc);
    let along = at_rest(&torus, &Plane { normal: Vec3::Y, offset: 0.01 }, 0.1).expect("cut");
    along.iter().for_each(assert_manifold);
    let ring = PI as f64 * (1.3 * 1.3 - 0.7 * 0.7);
    assert!((cap_area(&along[0]) - ring).abs() < 0.02 * ring);
    let report = inspect(&along[0].mesh);
    assert_eq!((report.components, report.genus), (1, Some(1)));
}

#[test]
fn a_hollow_sphere_stays_hollow() {
    let halves = at_rest(&hollow(), &Plane { normal: Vec3::Y, offset: 0.013 }, 0.1).expect("cut");
    for half in &halves {
        assert_manifold(half);
        let report = inspect(&half.mesh);
        assert_eq!((report.components, report.genus), (1, Some(0)));
        let inner = half.mesh.positions[half.skin_vertices..].iter().map(|p| p.length()).fold(9.0, f32::min);
        assert!(inner > 0.55, "the hole is filled at {inner}");
    }
}

#[test]
fn islands_in_holes_are_filled() {
    let mesh = joined(hollow(), &shapes::sphere(0.3, 2));
    let halves = at_rest(&mesh, &Plane { normal: Vec3::Z, offset: 0.017 }, 0.08).expect("cut");
    halves.iter().for_each(assert_manifold);
    assert_volumes_add_up(&mesh, &halves);
    let expected = PI as f64 * (1.0 - 0.36 + 0.09);
    assert!((cap_area(&halves[0]) - expected).abs() < 0.05 * expected);
}

#[test]
fn solids_inside_one_another_get_a_cap_each() {
    let mesh = joined(shapes::sphere(1.0, 3), &shapes::sphere(0.5, 2));
    let halves = at_rest(&mesh, &Plane { normal: Vec3::Z, offset: 0.017 }, 0.1).expect("cut");
    halves.iter().for_each(assert_manifold);
    assert_volumes_add_up(&mesh, &halves);
}

#[test]
fn overlapping_solids_get_a_cap_each() {
    let mut other = shapes::sphere(0.6, 2);
    other.positions.iter_mut().for_each(|p| *p += Vec3::new(0.7, 0.05, 0.1));
    let mesh = joined(shapes::sphere(0.6, 3), &other);
    let mut random = Lcg(3);
    for _ in 0..50 {
        let Ok(halves) = at_rest(&mesh, &random.plane(0.3), 0.1) else { continue };
        halves.iter().for_each(assert_manifold);
        assert_volumes_add_up(&mesh, &halves);
    }
}

#[test]
fn a_plane_between_parts_parts_them_without_a_cap() {
    let mut right = shapes::sphere(0.4, 1);
    right.positions.iter_mut().for_each(|p| p.x += 1.0);
    let mesh = joined(shapes::sphere(0.4, 1), &right);
    let [behind, front] = at_rest(&mesh, &Plane { normal: Vec3::X, offset: 0.5 }, 0.1).expect("parted");
    assert_eq!((behind.mesh.triangles.len(), front.mesh.triangles.len()), (80, 80));
    assert!(behind.mesh.paints.is_empty() && behind.skin_triangles == 80);
    assert_closed(&behind);
    assert_closed(&front);
}

#[test]
fn halves_can_be_cut_again_ten_deep() {
    for (name, mesh) in shapes_under_test() {
        for seed in 0..8 {
            let mut random = Lcg(seed);
            let mut half = Half { now: mesh.positions.clone(), mesh: mesh.clone(), ..Half::default() };
            let mut depth = 0;
            for _ in 0..60 {
                let (low, high) = half.mesh.bounds().expect("not empty");
                let direction = random.vector() + Vec3::new(1e-3, 0.0, 0.0);
                let plane =
                    Plane::through((low + high) * 0.5 + random.vector() * (high - low) * 0.2, direction);
                let Ok(halves) = clip(&half.mesh, &half.now, &plane, &caps(0.15)) else { continue };
                halves.iter().for_each(assert_closed);
                let whole = half.mesh.signed_volume();
                let sum: f64 = halves.iter().map(|h| h.mesh.signed_volume()).sum();
                assert!((sum - whole).abs() < 1e-5 * mesh.signed_volume(), "{name} {seed}");
                let [behind, front] = halves;
                let larger = behind.mesh.signed_volume() > front.mesh.signed_volume();
                half = if larger { behind } else { front };
                depth += 1;
                if depth == 10 {
                    break;
                }
            }
            assert_eq!(depth, 10, "{name} {seed}");
        }
    }
}

#[test]
fn size_and_place_do_not_matter() {
    for scale in [1e-30_f32, 1e-6, 1e6, 1e30] {
        let mut mesh = shapes::torus(1.0, 0.4, 24, 12);
        mesh.positions.iter_mut().for_each(|p| *p *= scale);
        let mut random = Lcg(21);
        for _ in 0..20 {
            let mut plane = random.plane(0.4);
            plane.offset *= scale;
            let halves = at_rest(&mesh, &plane, 0.1 * scale).expect("cut");
            halves.iter().for_each(assert_closed);
        }
    }
    let mut far = shapes::sphere(1.0, 3);
    far.positions.iter_mut().for_each(|p| *p += Vec3::new(1e4, -2e4, 3e4));
    let mut random = Lcg(22);
    for _ in 0..50 {
        let plane = Plane::through(Vec3::new(1e4, -2e4, 3e4) + random.vector() * 0.3, random.vector());
        if let Ok(halves) = at_rest(&far, &plane, 0.1) {
            halves.iter().for_each(assert_closed);
        }
    }
}

#[test]
fn the_same_cut_gives_the_same_bits() {
    let mesh = hollow();
    let plane = Plane::through(Vec3::splat(0.1), Vec3::new(1.0, 2.0, 3.0));
    let once = at_rest(&mesh, &plane, 0.05).expect("cut");
    let again = at_rest(&mesh, &plane, 0.05).expect("cut");
    assert_eq!(once, again);
}
