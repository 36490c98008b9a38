//! Skins of deformed bodies, fast and by going through all triangles.

use super::common::Random;
use super::{H, brute, heap, place};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{Blade, Body, LatticeSettings, NodeId, OctreeSettings, QueryFilter, QueryTarget, World};

const FAR: DVec3 = DVec3::new(1e6, -3e5, 2e5);

/// Compares some rays with brute force; returns how many met something.
fn compare_rays(world: &World, shift: DVec3, count: usize, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let (mut met, mut ties) = (0, 0);
    for i in 0..count {
        // From near and far, at the heap and past it; some along an axis.
        let target = place(&mut random, shift);
        let direction = if i % 10 == 0 { Vec3::AXES[i / 10 % 3] } else { random.vec3() };
        let from = target - direction.as_dvec3() * f64::from(random.magnitude(0.01, 300.0));
        let hit = world.cast_ray(from, direction);
        let wanted = brute::first_on_ray(world, from, direction.as_dvec3());
        assert_eq!(hit.map(|hit| hit.body), wanted.map(|(_, body, _)| body), "ray {i}");
        if let (Some(hit), Some((distance, _, triangle))) = (hit, wanted) {
            let off = (f64::from(hit.distance) - distance).abs();
            assert!(off <= 1e-6 * distance + 1e-12, "ray {i}: {off}");
            let body = world.body(hit.body).unwrap();
            if hit.triangle != triangle {
                // Where a skin is folded flat on the floor, two are equally far.
                let other = brute::distance_on_ray(body, hit.triangle, from, direction.as_dvec3()).unwrap();
                assert!((other - distance).abs() < 1e-9, "ray {i}: {other} for {distance}");
                ties += 1;
            }
            let corners = body.rest().mesh.triangles[hit.triangle as usize];
            assert!(corners.contains(&hit.vertex));
            met += 1;
        }
    }
    assert!(10 * ties < met.max(10), "{ties} of {met}");
    met
}

#[test]
fn a_ray_meets_what_going_through_all_triangles_finds() {
    for (shift, seed) in [(DVec3::ZERO, 1), (FAR, 2)] {
        let (mut world, _) = heap(shift);
        assert!(compare_rays(&world, shift, 600, seed) > 100);
        world.step(H);
        assert!(compare_rays(&world, shift, 200, seed + 10) > 30, "boxes follow the step");
    }
}

#[test]
fn rays_follow_bodies_that_are_moved_cut_refined_and_restored() {
    let mut world = World::new();
    let (ball, cube) = (shapes::sphere(0.4, 3), shapes::cuboid(Vec3::splat(0.6), [6; 3]));
    let cube =
        Body::builder(cube).model(LatticeSettings { cell: Some(0.1), width: Some(0.2) }).at([0.0, 0.6, 0.0]);
    let ball = Body::builder(ball).model(OctreeSettings::default()).at([0.4, 1.2, 0.0]);
    let [cube, ball] = [cube, ball].map(|body| world.add_body(body.build().unwrap()));
    let compare = |world: &World, seed| assert!(compare_rays(world, DVec3::ZERO, 200, seed) > 10, "{seed}");
    compare(&world, 1);
    world.body_mut(cube).unwrap().place([0.5, 0.3, 0.2], Quat::from_rotation_x(0.4)).unwrap();
    compare(&world, 2);
    let body = world.body_mut(cube).unwrap();
    body.nodes.positions.iter_mut().for_each(|x| x.y *= 1.3);
    body.refresh();
    compare(&world, 3);
    body_origin(&mut world, ball);
    compare(&world, 4);
    world.cut(Blade::plane(DVec3::new(0.5, 0.33, 0.2), Vec3::Y).unwrap());
    world.step(H);
    assert!(world.bodies().count() > 2, "the cube has two pieces");
    compare(&world, 5);
    world.body_mut(ball).unwrap().refine(&[NodeId(0), NodeId(1)]).unwrap();
    compare(&world, 6);
    let snapshot = world.snapshot();
    world.step(H);
    compare(&world, 7);
    world.restore(&snapshot);
    compare(&world, 8);
}

/// Moves a body by its origin alone.
fn body_origin(world: &mut World, body: pliant::BodyHandle) {
    world.body_mut(body).unwrap().nodes.origin.y -= 0.37;
}

#[test]
fn the_closest_point_is_that_of_all_triangles_and_negative_inside() {
    for (shift, seed) in [(DVec3::ZERO, 3), (FAR, 4)] {
        let (world, _) = heap(shift);
        let (mut random, mut inside) = (Random::new(seed), 0);
        for i in 0..300 {
            let point = place(&mut random, shift);
            let hit = world.closest_point(point, &QueryFilter::skins()).unwrap();
            let distances = world.bodies().map(|(_, body)| brute::signed_distance(body, point));
            let wanted = distances.fold(f64::INFINITY, f64::min);
            assert!((f64::from(hit.distance) - wanted).abs() < 1e-6, "{i}: {} for {wanted}", hit.distance);
            let there = hit.point + hit.normal.as_dvec3() * f64::from(hit.distance);
            assert!(there.distance(point) < 1e-5, "{i}: the way to the point");
            inside += usize::from(wanted < 0.0);
            // Within a distance, and not beyond it.
            let near = QueryFilter::skins().up_to(0.5);
            assert_eq!(world.closest_point(point, &near), Some(hit).filter(|hit| hit.distance <= 0.5));
        }
        assert!(inside > 10, "{inside}");
    }
}

#[test]
fn a_ball_goes_until_its_distance_from_skins_is_its_radius() {
    let (world, _) = heap(FAR);
    let (mut random, mut met) = (Random::new(5), 0);
    let distance = |point: DVec3| {
        world.bodies().map(|(_, body)| brute::distance(body, point)).fold(f64::INFINITY, f64::min)
    };
    for i in 0..60 {
        let direction = random.vec3();
        let from = place(&mut random, FAR) - direction.as_dvec3() * f64::from(random.between(1.0, 4.0));
        let radius = random.magnitude(0.01, 0.3);
        let at = |share: f64| from + direction.as_dvec3() * share;
        let hit = world.cast_sphere(from, direction, radius, &QueryFilter::skins().up_to(6.0));
        let end = hit.map_or(6.0, |hit| f64::from(hit.distance));
        for part in 0..40 {
            let free = distance(at(end * f64::from(part) / 40.0)) - f64::from(radius);
            assert!(free > -1e-5 || end == 0.0, "ball {i} is {free} inside at {part}");
        }
        if let Some(hit) = hit.filter(|hit| hit.distance > 0.0) {
            assert!((distance(at(end)) - f64::from(radius)).abs() < 1e-5, "ball {i}");
            let center = hit.point + hit.normal.as_dvec3() * f64::from(radius);
            assert!(center.distance(at(end)) < 1e-5, "ball {i}");
            met += 1;
        }
    }
    assert!(met > 15, "{met}");
}

#[test]
fn overlaps_are_those_of_all_triangles_and_of_what_is_around() {
    let (world, handles) = heap(DVec3::ZERO);
    let (mut random, mut found) = (Random::new(6), 0);
    for i in 0..200 {
        let (center, radius) = (place(&mut random, DVec3::ZERO), random.magnitude(0.01, 0.5));
        let balls = world.overlaps_sphere(center, radius, &QueryFilter::skins());
        let wanted: Vec<QueryTarget> = handles
            .iter()
            .filter(|&&of| brute::signed_distance(world.body(of).unwrap(), center) <= f64::from(radius))
            .map(|&of| QueryTarget::Body(of))
            .collect();
        assert_eq!(balls, wanted, "ball {i}");
        found += wanted.len();
        // A box: at least what has a point of a fine grid in it, at most what the ball around it touches.
        let half = DVec3::new(0.6, 0.8, 1.0) * f64::from(radius);
        let boxes = world.overlaps_box(center - half, center + half, &QueryFilter::skins());
        for &of in &handles {
            let (body, target) = (world.body(of).unwrap(), QueryTarget::Body(of));
            let inside = brute::signed_distance(body, center) < 0.0;
            if inside || brute::has_point_in(body, center - half, center + half) {
                assert!(boxes.contains(&target), "box {i}");
            }
            if boxes.contains(&target) {
                assert!(brute::signed_distance(body, center) <= half.length(), "box {i}");
            }
        }
    }
    assert!(found > 50, "{found}");
}
