//! What queries look at, in which order, and what is no question.

use super::heap;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{Body, Collider, QueryFilter, QueryTarget, Shape, World};

/// A ball before a collider of the same size, before another ball, along −z.
fn row() -> (World, [QueryTarget; 3]) {
    let mut world = World::new();
    let ball = |z: f64| Body::builder(shapes::sphere(0.5, 3)).at(DVec3::Z * z).build().unwrap();
    let (front, back) = (world.add_body(ball(0.0)), world.add_body(ball(-4.0)));
    let collider = Collider::new(Shape::Sphere { radius: 0.5 }).at(DVec3::Z * -2.0);
    let middle = world.add_collider(collider).unwrap();
    (world, [QueryTarget::Body(front), QueryTarget::Collider(middle), QueryTarget::Body(back)])
}

#[test]
fn filters_choose_what_a_ray_meets() {
    let (mut world, [front, middle, back]) = row();
    let QueryTarget::Body(body) = front else { unreachable!() };
    let first = |world: &World, filter: QueryFilter| {
        world.cast_ray_with(DVec3::Z * 5.0, Vec3::NEG_Z * 2.0, &filter).map(|hit| hit.target)
    };
    let all = QueryFilter::default();
    assert_eq!(first(&world, all), Some(front));
    assert_eq!(first(&world, all.without(body)), Some(middle));
    assert_eq!(first(&world, QueryFilter::colliders()), Some(middle));
    assert_eq!(first(&world, QueryFilter::skins().without(body)), Some(back));
    // Distances are in lengths of the direction: the front is 4.5 m away.
    assert_eq!(first(&world, all.up_to(2.2)), None);
    assert_eq!(first(&world, all.up_to(2.3)), Some(front));
    world.body_mut(body).unwrap().enabled = false;
    assert_eq!(first(&world, all), Some(middle));
    assert_eq!(first(&world, QueryFilter { disabled: true, ..all }), Some(front));
    assert!(
        world.cast_ray(DVec3::Z * 5.0, Vec3::NEG_Z).is_some_and(|hit| hit.body == body),
        "it is still drawn"
    );
}

#[test]
fn overlaps_come_with_bodies_first_in_the_order_of_handles() {
    let (world, [front, middle, back]) = row();
    let (low, high) = (DVec3::new(-0.1, -0.1, -9.0), DVec3::new(0.1, 0.1, 9.0));
    assert_eq!(world.overlaps_box(low, high, &QueryFilter::default()), [front, back, middle]);
    assert_eq!(world.overlaps_sphere(DVec3::Z * -2.0, 2.0, &QueryFilter::default()), [front, back, middle]);
    assert_eq!(world.overlaps_sphere(DVec3::Z * -2.0, 1.0, &QueryFilter::default()), [middle]);
}

#[test]
fn what_is_around_a_point_comes_before_what_is_beside_it() {
    let (world, [front, middle, _]) = row();
    let closest = |z: f64| world.closest_point(DVec3::Z * z, &QueryFilter::default()).unwrap();
    let inside = closest(-0.2);
    assert!(inside.target == front && inside.distance < -0.25, "{inside:?}");
    assert_eq!(closest(-1.3).target, middle);
    assert!((closest(-1.3).distance - 0.2).abs() < 1e-5);
    assert!((closest(1.0).distance - 0.5).abs() < 0.01 && closest(1.0).target == front);
}

#[test]
fn questions_that_are_not_finite_have_no_answer() {
    let (world, _) = heap(DVec3::ZERO);
    let all = QueryFilter::default();
    let (nan, infinite) = (DVec3::NAN, DVec3::new(0.0, f64::INFINITY, 0.0));
    for from in [nan, infinite] {
        assert_eq!(world.cast_ray(from, Vec3::X), None);
        assert_eq!(world.cast_ray_with(from, Vec3::X, &all), None);
        assert_eq!(world.cast_sphere(from, Vec3::X, 0.1, &all), None);
        assert_eq!(world.closest_point(from, &all), None);
        assert!(world.overlaps_sphere(from, 1.0, &all).is_empty());
        assert!(world.overlaps_box(from, DVec3::ONE, &all).is_empty());
        assert!(world.overlaps_box(DVec3::NEG_ONE, from, &all).is_empty());
    }
    for direction in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY] {
        assert_eq!(world.cast_ray_with(DVec3::Y * 5.0, direction, &all), None);
        assert_eq!(world.cast_sphere(DVec3::Y * 5.0, direction, 0.1, &all), None);
    }
    for wrong in [f32::NAN, -1.0, f32::INFINITY] {
        assert_eq!(world.cast_sphere(DVec3::Y * 5.0, Vec3::NEG_Y, wrong, &all), None);
        assert!(world.overlaps_sphere(DVec3::ZERO, wrong, &all).is_empty());
    }
    for wrong in [f32::NAN, -1.0] {
        assert_eq!(world.cast_ray_with(DVec3::Y * 5.0, Vec3::NEG_Y, &all.up_to(wrong)), None);
        assert_eq!(world.closest_point(DVec3::ZERO, &all.up_to(wrong)), None);
    }
    assert!(world.overlaps_box(DVec3::ONE, DVec3::ZERO, &all).is_empty(), "corners the wrong way round");
}
