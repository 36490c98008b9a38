//! A step never panics and never fails: what is not finite is contained, and the rest of the world goes on.

mod common;

use common::{deformation, is_finite, small_ball, small_box};
use pliant::glam::{DVec3, Vec3};
use pliant::{BodyHandle, Clustering, Collider, World};

const H: f32 = 1.0 / 60.0;
const BAD: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

/// Two bodies on a floor; the second is what goes bad.
fn world() -> (World, [BodyHandle; 2]) {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).expect("sound");
    let spread = Clustering::Spread { count: 4, overlap: 0.5 };
    let first = small_box()
        .model_with(|of: &mut pliant::ClusterSettings| of.clustering = spread)
        .at(DVec3::new(0.0, 1.0, 0.0))
        .build()
        .expect("sound");
    let second = small_ball().at(DVec3::new(5.0, 1.0, 0.0)).velocity(Vec3::X).build().expect("sound");
    let handles = [world.add_body(first), world.add_body(second)];
    common::run(&mut world, 10, H);
    (world, handles)
}

#[test]
fn one_bad_number_is_contained_and_its_body_goes_on() {
    for bad in BAD {
        for in_velocity in [false, true] {
            let (mut world, [_, second]) = world();
            let (mut twin, _) = self::world();
            let nodes = &mut world.body_mut(second).unwrap().nodes;
            let of = if in_velocity { &mut nodes.velocities } else { &mut nodes.positions };
            of[3].y = bad;
            let report = world.step(H);
            assert_eq!(report.contained, 1, "{bad} in_velocity {in_velocity}");
            common::run(&mut world, 120, H);
            common::run(&mut twin, 121, H);
            let (body, sound) = (world.body(second).unwrap(), twin.body(second).unwrap());
            assert!(is_finite(body));
            let more = deformation(body) - deformation(sound);
            assert!(more < 0.02, "{bad}: deformed by {more} more than a body that was never bad");
            let off = body.center_of_mass().distance(sound.center_of_mass());
            assert!(off < 0.1, "the body is {off} m from where it would have been");
        }
    }
}

#[test]
fn other_bodies_do_not_notice() {
    let (mut world, [first, second]) = world();
    let (mut twin, _) = self::world();
    for step in 0..60 {
        if step % 20 == 5 {
            let body = world.body_mut(second).unwrap();
            body.nodes.positions[step % 7] = Vec3::NAN;
            body.nodes.velocities[step % 11] = Vec3::INFINITY;
        }
        world.step(H);
        twin.step(H);
        let (a, b) = (&world.body(first).unwrap().nodes, &twin.body(first).unwrap().nodes);
        assert_eq!((a.origin, &a.positions, &a.velocities), (b.origin, &b.positions, &b.velocities));
    }
}

#[test]
fn a_body_with_no_good_node_starts_again_where_it_was() {
    let (mut world, [_, second]) = world();
    let body = world.body_mut(second).unwrap();
    let (origin, count) = (body.nodes.origin, body.nodes.positions.len());
    body.nodes.positions.fill(Vec3::NAN);
    body.nodes.velocities.fill(Vec3::NAN);
    assert_eq!(world.step(H).contained, count);
    let body = world.body(second).unwrap();
    assert!(is_finite(body) && deformation(body) < 0.05);
    assert!(body.center_of_mass().distance(origin) < 0.1);
    common::run(&mut world, 60, H);
}

#[test]
fn an_origin_that_is_not_finite_is_contained() {
    let (mut world, [_, second]) = world();
    world.body_mut(second).unwrap().nodes.origin.x = f64::NAN;
    assert!(world.step(H).contained > 0);
    assert!(is_finite(world.body(second).unwrap()));
    common::run(&mut world, 60, H);
}

#[test]
fn a_node_thrown_out_of_the_world_comes_back() {
    let (mut world, [_, second]) = world();
    world.body_mut(second).unwrap().nodes.positions[0] = Vec3::splat(1e30);
    assert_eq!(world.step(H).contained, 1);
    let (mut twin, _) = self::world();
    common::run(&mut world, 120, H);
    common::run(&mut twin, 121, H);
    let more = deformation(world.body(second).unwrap()) - deformation(twin.body(second).unwrap());
    assert!(more < 0.02, "deformed by {more} more than a body that was never thrown");
}

#[test]
fn a_step_of_no_length_is_refused_and_changes_nothing() {
    let (mut world, _) = world();
    let (hash, time) = (world.state_hash(), world.time_secs());
    for dt in [0.0, -0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let report = world.step(dt);
        assert!(report.refused, "{dt}");
        assert_eq!((world.state_hash(), world.time_secs(), report.time_secs), (hash, time, time));
    }
    assert!(!world.step(H).refused);
}

#[test]
fn steps_at_the_ends_of_the_range_of_numbers_stay_finite() {
    for dt in [f32::MIN_POSITIVE, 1e-30, 1e-12, 1e6, 1e30, f32::MAX] {
        let (mut world, handles) = world();
        for _ in 0..5 {
            world.step(dt);
        }
        assert!(handles.iter().all(|&h| is_finite(world.body(h).unwrap())), "{dt}");
    }
}
