//! Colliders of every shape as rays and balls meet them.

use super::common::Random;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{Collider, QueryFilter, QueryTarget, Shape, World};

fn all_shapes() -> Vec<(&'static str, Shape)> {
    let row = |z: i32| (-8..=8).map(|x| 0.1 * ((x * z) as f32 * 0.3).sin()).collect();
    let sheet = pliant::MeshShape::new(
        [[-0.7, 0.0, -0.7], [0.7, 0.2, -0.7], [0.7, 0.0, 0.7], [-0.7, 0.2, 0.7]].map(Vec3::from),
        [[0, 2, 1], [0, 3, 2]],
    );
    vec![
        ("plane", Shape::Plane),
        ("sphere", Shape::Sphere { radius: 0.6 }),
        ("box", Shape::Box { half: Vec3::new(0.3, 0.7, 0.5) }),
        ("capsule", Shape::Capsule { radius: 0.3, half_height: 0.4 }),
        ("cylinder", Shape::Cylinder { radius: 0.5, half_height: 0.3 }),
        ("hull", Shape::convex_hull(shapes::cuboid(Vec3::new(1.0, 0.7, 0.5), [1; 3]).positions)),
        ("mesh", Shape::mesh(&shapes::torus(0.5, 0.2, 24, 12))),
        ("sheet", Shape::Mesh(sheet.thickness(0.05))),
        (
            "ground",
            Shape::heightfield(Vec3::new(2.0, 1.0, 2.0), (-8..=8).map(row).collect::<Vec<Vec<f32>>>()),
        ),
    ]
}

/// Distance of a point from a collider.
fn distance(collider: &Collider, point: DVec3) -> f64 {
    let local = collider.rotation.as_dquat().inverse() * (point - collider.position);
    f64::from(collider.shape.distance(local.as_vec3()).0)
}

fn worlds(seed: u64) -> impl Iterator<Item = (&'static str, World, Random)> {
    let far = DVec3::new(4e5, 1e5, -2e5);
    all_shapes().into_iter().zip(seed..).map(move |((name, shape), seed)| {
        let mut random = Random::new(seed);
        let mut world = World::new();
        let collider = Collider::new(shape).at(far).turned(random.rotation());
        world.add_collider(collider).unwrap();
        (name, world, random)
    })
}

/// Sends balls at a collider; returns how many met it.
fn send(name: &str, world: &World, random: &mut Random, radius: f32) -> usize {
    let (_, collider) = world.colliders().next().unwrap();
    let mut met = 0;
    for i in 0..150 {
        let target = collider.position + 0.8 * random.vec3().as_dvec3();
        let direction = random.vec3().normalize();
        let back = f64::from(random.magnitude(0.5, 100.0));
        let from = target - direction.as_dvec3() * back;
        let filter = QueryFilter::default().up_to(back as f32 + 2.0);
        let gap = |t: f64| distance(collider, from + direction.as_dvec3() * t) - f64::from(radius);
        let hit = world.cast_sphere(from, direction, radius, &filter);
        let end = hit.map_or(f64::from(filter.max_distance), |hit| f64::from(hit.distance));
        if gap(0.0) <= 0.0 {
            assert_eq!(hit.map(|hit| hit.distance), Some(0.0), "{name} {i}: it begins inside");
            continue;
        }
        // Nothing of the way to the hit is inside; it may graze by what `f32` cannot tell.
        for part in 0..200 {
            let t = end - 3.0 * f64::from(part) / 200.0;
            assert!(t <= 0.0 || gap(t) > -2e-5, "{name} {i}: {} inside at {t} of {end}", gap(t));
        }
        if let Some(hit) = hit {
            assert!(gap(end).abs() < 5e-5, "{name} {i}: {} off", gap(end));
            assert!(distance(collider, hit.point).abs() < 5e-5 && hit.normal.is_normalized(), "{name} {i}");
            met += 1;
        }
    }
    met
}

#[test]
fn rays_meet_every_shape_at_its_surface_and_nothing_before() {
    for (name, world, mut random) in worlds(20) {
        let met = send(name, &world, &mut random, 0.0);
        assert!(met > 20, "{name}: {met}");
    }
}

#[test]
fn balls_meet_every_shape_when_they_touch_and_nothing_before() {
    for (name, world, mut random) in worlds(40) {
        let met = send(name, &world, &mut random, 0.2);
        assert!(met > 30, "{name}: {met}");
    }
}

#[test]
fn closest_points_and_overlaps_of_every_shape_go_by_its_distance() {
    for (name, world, mut random) in worlds(60) {
        let (handle, collider) = world.colliders().next().unwrap();
        for i in 0..100 {
            let point = collider.position + 1.5 * random.vec3().as_dvec3();
            let wanted = distance(collider, point);
            let hit = world.closest_point(point, &QueryFilter::default()).unwrap();
            assert_eq!(hit.target, QueryTarget::Collider(handle));
            assert!((f64::from(hit.distance) - wanted).abs() < 1e-5, "{name} {i}");
            assert!(distance(collider, hit.point).abs() < 1e-4, "{name} {i}");
            let touching = |radius: f64| {
                !world.overlaps_sphere(point, radius as f32, &QueryFilter::default()).is_empty()
            };
            assert!(touching((wanted + 1e-4).max(0.0)), "{name} {i}");
            assert!(wanted <= 1e-4 || !touching(wanted - 1e-4), "{name} {i}");
            check_box(name, &world, collider, point, f64::from(random.magnitude(0.05, 0.5)));
        }
    }
}

/// A box has a collider in it if one of a grid of its points is inside, and not if all are farther away than it promises.
fn check_box(name: &str, world: &World, collider: &Collider, center: DVec3, size: f64) {
    let half = DVec3::new(1.0, 0.5, 0.7) * size;
    let found = !world.overlaps_box(center - half, center + half, &QueryFilter::default()).is_empty();
    const PARTS: i32 = 12;
    let all = (0..=PARTS).flat_map(|x| (0..=PARTS).flat_map(move |y| (0..=PARTS).map(move |z| [x, y, z])));
    let share = |k: i32| 2.0 * f64::from(k) / f64::from(PARTS) - 1.0;
    let least = all
        .map(|at| distance(collider, center + half * DVec3::from_array(at.map(share))))
        .fold(f64::INFINITY, f64::min);
    let spacing = half.length() / f64::from(PARTS);
    assert!(found || least > -1e-5, "{name}: {least} inside");
    assert!(!found || least <= spacing + half.length() / 32.0 + 1e-5, "{name}: {least} away");
}
