//! Driven bodies go where they are told to, push and carry others, and nothing changes them.

mod common;

use common::{run, weightless};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::*;

const H: f32 = 1.0 / 60.0;

fn block(size: Vec3, at: DVec3) -> BodyBuilder {
    Body::builder(shapes::cuboid(size, [4, 2, 4]))
        .model(LatticeSettings { cell: Some(0.125), ..LatticeSettings::default() })
        .material(Material::default().with_alpha(0.8).with_friction(1.0))
        .at(at)
}

/// Where the nodes of a body are, moved.
fn moved(world: &World, body: BodyHandle, by: DVec3) -> Vec<DVec3> {
    let nodes = &world.body(body).expect("there").nodes;
    (0..nodes.positions.len()).map(|node| nodes.world_position(node) + by).collect()
}

#[test]
fn a_rider_is_carried() {
    for substeps in [1, 4, 16] {
        let mut world = World::with_settings(WorldSettings { substeps, ..WorldSettings::default() });
        let slab = world.add_body(block(Vec3::new(1.5, 0.25, 1.0), DVec3::ZERO).kinematic().build().unwrap());
        let rider = world.add_body(block(Vec3::splat(0.5), DVec3::Y * 0.376).build().unwrap());
        run(&mut world, 60, H);
        let start = world.body(rider).unwrap().center_of_mass();
        let mut at = 0.0;
        for step in 0..180 {
            // It sets off gently, and goes at 0.6 m/s.
            let by = 0.01 * f64::from(step.min(60)) / 60.0;
            at += by;
            let places = moved(&world, slab, DVec3::X * by);
            world.drive(slab, &places).unwrap();
            run(&mut world, 1, H);
        }
        let way = world.body(rider).unwrap().center_of_mass() - start;
        assert!((way.x - at).abs() < 0.05, "{substeps} substeps: {way} of {at} m");
        assert!(way.y.abs() < 0.02, "{substeps} substeps: {way}");
    }
}

#[test]
fn what_is_pushed_gets_the_speed() {
    let mut world = weightless();
    let wall = block(Vec3::new(0.25, 1.0, 1.0), DVec3::new(-0.6, 0.0, 0.0)).kinematic();
    let wall = world.add_body(wall.build().unwrap());
    let free = world.add_body(block(Vec3::splat(0.5), DVec3::ZERO).build().unwrap());
    let start = moved(&world, wall, DVec3::ZERO);
    for step in 1..=240 {
        // At 0.5 m/s², so that it does not bounce off.
        let secs = f64::from(step) / 60.0;
        let by = DVec3::X * (0.25 * secs * secs);
        let places: Vec<DVec3> = start.iter().map(|place| *place + by).collect();
        world.drive(wall, &places).unwrap();
        run(&mut world, 1, H);
    }
    let velocity = world.body(free).unwrap().velocity();
    assert!((velocity - 2.0 * DVec3::X).length() < 0.15, "{velocity}");
}

#[test]
fn what_turns_strikes_with_the_speed_of_where_it_strikes() {
    let mut world = weightless();
    let paddle = world.add_body(block(Vec3::new(2.0, 0.25, 0.5), DVec3::ZERO).kinematic().build().unwrap());
    let struck = world.add_body(block(Vec3::splat(0.25), DVec3::new(0.8, 0.5, 0.0)).build().unwrap());
    let start = moved(&world, paddle, DVec3::ZERO);
    for step in 1..=40 {
        // 1 rad/s.
        let turn = Quat::from_rotation_z(step as f32 * H);
        let places: Vec<DVec3> = start.iter().map(|place| turn.as_dquat() * *place).collect();
        world.drive(paddle, &places).unwrap();
        run(&mut world, 1, H);
    }
    let speed = world.body(struck).unwrap().velocity().length();
    assert!((0.5..1.3).contains(&speed), "{speed} m/s for 0.8 m/s at 0.8 m");
}

#[test]
fn a_driven_body_is_not_changed_by_anything() {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).unwrap();
    // Half in the floor, pinned, picked, blown at, and something heavy falls on it.
    let body = world.add_body(block(Vec3::new(1.0, 0.25, 1.0), DVec3::ZERO).kinematic().build().unwrap());
    let heavy = block(Vec3::splat(0.5), DVec3::Y).material(Material::default().with_density(20_000.0));
    world.add_body(heavy.build().unwrap());
    let pin = world.pin(body, &Selection::Nodes(vec![0, 1])).unwrap();
    let pick = world.pick(body, 3, PickSettings::default()).unwrap();
    world.wind(Wind::default()).unwrap();
    let before = world.body(body).unwrap().nodes.clone();
    for _ in 0..60 {
        world.move_tool(pin, DVec3::Y).unwrap();
        world.move_tool(pick, DVec3::Y).unwrap();
        run(&mut world, 1, H);
    }
    let after = &world.body(body).unwrap().nodes;
    assert_eq!((after.origin, &after.positions), (before.origin, &before.positions));
    assert!(after.velocities.iter().all(|v| *v == Vec3::ZERO));
    assert!(!world.touches().is_empty());
    // And while it is driven it is where it is told to be.
    for step in 1..=60 {
        let by = DVec3::new(0.02, 0.01, 0.0);
        let places = moved(&world, body, by);
        world.drive(body, &places).unwrap();
        run(&mut world, 1, H);
        let nodes = &world.body(body).unwrap().nodes;
        for (node, place) in places.iter().enumerate() {
            assert!(nodes.world_position(node).distance(*place) < 1e-6, "step {step}");
            assert!((nodes.velocities[node] - 60.0 * by.as_vec3()).length() < 1e-3, "step {step}");
        }
    }
    // Left alone, it stands.
    let places = moved(&world, body, DVec3::ZERO);
    run(&mut world, 2, H);
    assert_eq!(moved(&world, body, DVec3::ZERO), places);
    assert!(world.body(body).unwrap().nodes.velocities.iter().all(|v| *v == Vec3::ZERO));
}

#[test]
fn what_cannot_be_driven_is_refused_with_a_reason() {
    let mut world = World::new();
    let body = world.add_body(block(Vec3::ONE, DVec3::ZERO).build().unwrap());
    let places = moved(&world, body, DVec3::ZERO);
    assert_eq!(world.drive(body, &places), Err(DriveError::NotKinematic));
    world.body_mut(body).unwrap().kinematic = true;
    let (given, nodes) = (places.len() - 1, places.len());
    assert_eq!(world.drive(body, &places[1..]), Err(DriveError::Count { given, nodes }));
    let mut bad = places.clone();
    bad[2].y = f64::NAN;
    assert_eq!(world.drive(body, &bad), Err(DriveError::NotFinite { node: 2 }));
    assert!(world.body(body).unwrap().targets().is_empty());
    assert!(world.drive(body, &places).is_ok());
    world.remove_body(body).unwrap();
    assert!(matches!(world.drive(body, &places), Err(DriveError::Stale(_))));
}

#[test]
fn a_snapshot_keeps_where_a_body_is_driven() {
    let mut world = World::new();
    let slab = world.add_body(block(Vec3::new(1.5, 0.25, 1.0), DVec3::ZERO).kinematic().build().unwrap());
    world.add_body(block(Vec3::splat(0.5), DVec3::Y * 0.4).build().unwrap());
    run(&mut world, 30, H);
    let places = moved(&world, slab, DVec3::new(0.01, 0.02, 0.0));
    world.drive(slab, &places).unwrap();
    let mut other = World::new();
    other.restore(&Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap());
    for world in [&mut world, &mut other] {
        run(world, 20, H);
    }
    assert_eq!(world.state_hash(), other.state_hash());
    assert!(moved(&other, slab, DVec3::ZERO)[0].distance(places[0]) < 1e-6);
}

#[test]
fn a_body_that_is_no_longer_driven_goes_on_as_it_moved() {
    let mut world = weightless();
    let body = world.add_body(block(Vec3::ONE, DVec3::ZERO).kinematic().build().unwrap());
    let places = moved(&world, body, DVec3::X / 60.0);
    world.drive(body, &places).unwrap();
    run(&mut world, 1, H);
    world.body_mut(body).unwrap().kinematic = false;
    run(&mut world, 60, H);
    let body = world.body(body).unwrap();
    assert!((body.velocity() - DVec3::X).length() < 1e-3);
    assert!((body.center_of_mass().x - 61.0 / 60.0).abs() < 1e-2);
}
