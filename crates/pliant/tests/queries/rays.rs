//! What a ray meets.

use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{Body, World};

fn ball(at: DVec3) -> Body {
    Body::builder(shapes::sphere(0.5, 4)).at(at).build().unwrap()
}

#[test]
fn the_nearest_skin_is_met_where_it_is() {
    let far = DVec3::new(1e6, 0.0, 0.0);
    for shift in [DVec3::ZERO, far] {
        let mut world = World::new();
        let behind = world.add_body(ball(shift + DVec3::new(0.0, 0.0, -2.0)));
        let front = world.add_body(ball(shift));
        let hit = world.cast_ray(shift + DVec3::Z * 5.0, Vec3::NEG_Z).unwrap();
        assert_eq!(hit.body, front);
        assert!((hit.position - shift - DVec3::Z * 0.5).length() < 0.01, "{}", hit.position - shift);
        assert!((hit.distance - 4.5).abs() < 0.01);
        assert!(
            world.body(front).unwrap().vertex_position(hit.vertex as usize).distance(hit.position) < 0.15
        );
        // From the inside it meets the other side; beside both nothing.
        assert!(world.cast_ray(shift, Vec3::NEG_Z).is_some_and(|hit| hit.body == front));
        assert!(
            world.cast_ray(shift + DVec3::new(0.0, 0.0, -1.2), Vec3::NEG_Z).is_some_and(|h| h.body == behind)
        );
        assert_eq!(world.cast_ray(shift + DVec3::new(0.0, 0.7, 5.0), Vec3::NEG_Z), None);
        assert_eq!(world.cast_ray(shift + DVec3::Z * 5.0, Vec3::Z), None);
    }
}

#[test]
fn rays_that_are_none_meet_nothing() {
    let mut world = World::new();
    assert_eq!(world.cast_ray(DVec3::ZERO, Vec3::X), None);
    world.add_body(ball(DVec3::ZERO));
    assert_eq!(world.cast_ray(DVec3::Z, Vec3::ZERO), None);
    assert_eq!(world.cast_ray(DVec3::Z, Vec3::NAN), None);
    assert_eq!(world.cast_ray(DVec3::NAN, Vec3::X), None);
}

#[test]
fn a_body_that_moved_is_met_where_it_went() {
    let mut world = World::new();
    let handle = world.add_body(ball(DVec3::ZERO));
    world.body_mut(handle).unwrap().place([0.0, 3.0, 0.0], Quat::IDENTITY).unwrap();
    assert_eq!(world.cast_ray(DVec3::Z * 5.0, Vec3::NEG_Z), None);
    assert!(world.cast_ray(DVec3::new(0.0, 3.0, 5.0), Vec3::NEG_Z).is_some());
}
