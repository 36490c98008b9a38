//! What users expect of a body: its box and rotation, impulses at a point, gravity of its own, being disabled, data of the caller's,
//! and skins between steps.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{Random, deform, momentum, small_ball, small_box, weightless};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Mat3, Quat, Vec3};
use pliant::{
    Blade, Body, BodyHandle, Collider, LatticeSettings, ModelSettings, NodeId, OctreeSettings, SkinPose,
    Snapshot, World,
};

const H: f32 = 1.0 / 60.0;
const FAR: DVec3 = DVec3::new(3e5, 1e5, -2e5);

fn cube(at: DVec3) -> Body {
    Body::builder(shapes::cuboid(Vec3::splat(0.4), [4; 3]))
        .model(LatticeSettings { cell: Some(0.1), width: Some(0.2) })
        .at(at)
        .build()
        .unwrap()
}

fn run(world: &mut World, steps: usize) {
    (0..steps).for_each(|_| assert!(!world.step(H).refused));
}

#[test]
fn the_box_around_a_body_is_that_of_its_nodes_and_its_skin() {
    let mut body = small_ball().at(FAR).build().unwrap();
    deform(&mut body, Mat3::from_diagonal(Vec3::new(1.5, 0.5, 1.0)));
    body.refresh();
    // A node that the skin has not followed yet.
    body.nodes.positions[0] = Vec3::new(0.0, 4.0, 0.0);
    let nodes = common::world_positions(&body).into_iter();
    let all: Vec<DVec3> =
        nodes.chain((0..body.skin().positions.len()).map(|v| body.vertex_position(v))).collect();
    let low = all.iter().fold(DVec3::INFINITY, |low, p| low.min(*p));
    let high = all.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p));
    assert_eq!(body.aabb(), [low, high]);
    assert!(high.y > FAR.y + 3.0);
}

#[test]
fn the_rotation_of_a_body_is_that_of_its_best_rigid_fit() {
    let mut random = Random::new(1);
    for i in 0..20 {
        let turn = random.rotation();
        let mut body = small_box().at(FAR).turned(turn).build().unwrap();
        assert!(body.rotation().dot(turn).abs() > 1.0 - 1e-5, "{i}");
        let noise: Vec<Vec3> = body.nodes.positions.iter().map(|_| 0.1 * random.vec3()).collect();
        body.nodes.positions.iter_mut().zip(noise).for_each(|(x, by)| *x += by);
        let rest = &body.rest().nodes;
        let wanted = common::rigid_fit(&rest.rest_positions, &body.nodes.positions, &rest.masses).0;
        let got = Mat3::from_quat(body.rotation());
        assert!(got.abs_diff_eq(wanted.as_mat3(), 1e-4), "{i}");
    }
}

#[test]
fn an_impulse_at_a_point_changes_both_momenta_by_itself_and_nothing_else() {
    let mut random = Random::new(2);
    for i in 0..20 {
        let mut body = small_box().at(FAR).velocity([0.5, -1.0, 0.0]).spin([0.0, 2.0, 1.0]).build().unwrap();
        deform(&mut body, Mat3::from_diagonal(Vec3::new(1.2, 0.8, 1.1)));
        let point = body.center_of_mass() + random.vec3().as_dvec3();
        let impulse = 100.0 * random.vec3();
        let (before, arm) = (momentum(&body), point - body.center_of_mass());
        let places = body.nodes.clone();
        body.apply_impulse_at(point, impulse).unwrap();
        let after = momentum(&body);
        let given = impulse.as_dvec3();
        assert!((after.0 - before.0 - given).length() < 1e-4 * given.length(), "{i}");
        assert!((after.1 - before.1 - arm.cross(given)).length() < 1e-4 * given.length(), "{i}");
        assert_eq!(body.nodes.positions, places.positions);
        // What it adds is the motion of a rigid body: no two nodes come nearer by it.
        let change = |k: usize| body.nodes.velocities[k] - places.velocities[k];
        for k in 1..body.nodes.positions.len() {
            let apart = body.nodes.positions[k] - body.nodes.positions[0];
            assert!((change(k) - change(0)).dot(apart).abs() < 1e-4, "{i}: {k}");
        }
    }
    let mut body = small_box().build().unwrap();
    let before = body.nodes.clone();
    assert!(body.apply_impulse_at(DVec3::NAN, Vec3::X).is_err());
    assert!(body.apply_impulse_at(DVec3::ZERO, Vec3::INFINITY).is_err());
    assert_eq!(body.nodes.velocities, before.velocities);
}

#[test]
fn a_body_falls_with_the_gravity_of_its_own() {
    let mut world = World::new();
    let bodies = [1.0, 0.0, 2.0, -1.0].map(|scale| {
        let x = DVec3::X * 5.0 * f64::from(scale);
        let body = small_ball().at(x).gravity_scale(scale).build().unwrap();
        (scale, world.add_body(body))
    });
    run(&mut world, 30);
    let speed = |body| world.body(body).unwrap().velocity().y;
    let falls = speed(bodies[0].1);
    assert!((falls + 9.81 * 0.5).abs() < 0.01, "{falls}");
    for (scale, body) in bodies {
        assert!((speed(body) - f64::from(scale) * falls).abs() < 1e-3, "{scale}: {}", speed(body));
    }
    assert!(small_ball().gravity_scale(f32::NAN).build().is_err());
}

#[test]
fn a_sleeper_wakes_when_its_gravity_changes() {
    let (mut world, body) = asleep();
    world.body_mut(body).unwrap().gravity_scale = -1.0;
    run(&mut world, 60);
    assert!(world.body(body).unwrap().center_of_mass().y > 1.0, "it falls up");
}

/// A cube that sleeps on a floor.
fn asleep() -> (World, BodyHandle) {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).unwrap();
    let body = world.add_body(cube(DVec3::Y * 0.21));
    run(&mut world, 240);
    assert!(world.body(body).unwrap().is_asleep());
    (world, body)
}

#[test]
fn a_disabled_body_stays_touches_nothing_and_goes_on_where_it_was() {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).unwrap();
    let mut still = cube(DVec3::Y * 2.0);
    still.set_motion(Vec3::new(0.0, 1.0, 0.0), Vec3::ZERO).unwrap();
    still.enabled = false;
    let still = world.add_body(still);
    let falling = world.add_body(cube(DVec3::new(0.05, 3.0, 0.0)));
    let before = world.body(still).unwrap().clone();
    run(&mut world, 120);
    let after = world.body(still).unwrap();
    assert_eq!(after.nodes.positions, before.nodes.positions);
    assert_eq!(after.nodes.velocities, before.nodes.velocities);
    assert_eq!(after.nodes.origin, before.nodes.origin);
    assert_eq!(after.skin().positions, before.skin().positions);
    assert!(world.body(falling).unwrap().center_of_mass().y < 0.3, "the other fell through it");
    assert!(world.touches().iter().all(|touch| touch.body == falling));
    world.cut(Blade::plane(DVec3::Y * 2.0, Vec3::Y).unwrap());
    world.step(H);
    assert_eq!(world.bodies().count(), 2, "no blade cuts it");
    world.body_mut(still).unwrap().enabled = true;
    world.step(H);
    let now = world.body(still).unwrap();
    assert!(!now.is_asleep() && now.velocity().y > 0.5 && now.velocity().y < 1.0, "{}", now.velocity());
    run(&mut world, 180);
    let [a, b] = [still, falling].map(|of| world.body(of).unwrap().center_of_mass());
    assert!(a.y < 1.0 && a.distance(b) > 0.3, "it has landed, and not in the other: {a} {b}");
}

#[test]
fn what_sleeps_on_a_body_that_is_disabled_falls() {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).unwrap();
    let [below, above] = [0.21, 0.62].map(|y| world.add_body(cube(DVec3::Y * y)));
    run(&mut world, 400);
    let body = |world: &World, of| world.body(of).unwrap().clone();
    assert!(body(&world, below).is_asleep() && body(&world, above).is_asleep());
    world.body_mut(below).unwrap().enabled = false;
    run(&mut world, 60);
    assert!(body(&world, above).center_of_mass().y < 0.3, "it lies where the other is not");
    assert!(body(&world, below).is_asleep(), "it is left out");
}

#[test]
fn a_world_with_a_disabled_body_steps_as_one_without_it() {
    let build = |with: bool| {
        let mut world = World::new();
        world.add_collider(Collider::floor(0.0)).unwrap();
        world.add_body(cube(DVec3::Y * 0.5));
        let other = world.add_body(cube(DVec3::new(0.1, 0.8, 0.1)));
        if with {
            let mut body = cube(DVec3::new(0.0, 0.6, 0.0));
            body.enabled = false;
            world.add_body(body);
        }
        run(&mut world, 60);
        world.body(other).unwrap().nodes.clone()
    };
    let (with, without) = (build(true), build(false));
    assert_eq!(with.positions, without.positions);
    assert_eq!(with.velocities, without.velocities);
}

/// A body with none of its settings as by default.
fn special(mut body: Body) -> Body {
    (body.user_data, body.gravity_scale, body.interpolate) = (0xfeed_0042, 0.25, true);
    body
}

fn assert_special(body: &Body, what: &str) {
    assert_eq!((body.user_data, body.gravity_scale), (0xfeed_0042, 0.25), "{what}");
    assert!(body.interpolate && body.enabled, "{what}");
}

#[test]
fn pieces_remodelled_and_resampled_bodies_have_the_settings_of_the_whole() {
    for (freely, body) in [(true, cube(DVec3::ZERO)), (false, small_box().build().unwrap())] {
        let mut world = weightless();
        let whole = world.add_body(special(body));
        if freely {
            world.cut(Blade::plane(DVec3::X * 0.03, Vec3::X).unwrap());
        } else {
            world.scissors(Some(whole), DVec3::X * 0.03, Vec3::X).unwrap();
        }
        run(&mut world, 2);
        assert_eq!(world.bodies().count(), 2);
        world.bodies().for_each(|(_, piece)| assert_special(piece, "a piece"));
    }
    let mut body = special(cube(DVec3::ZERO));
    body.remodel(&ModelSettings::from(OctreeSettings::default())).unwrap();
    assert_special(&body, "another model");
    body.refine(&[NodeId(0)]).unwrap();
    assert_special(&body, "finer");
    body.enabled = false;
    body.remodel(&ModelSettings::from(LatticeSettings::default())).unwrap();
    assert!(!body.enabled);
}

#[test]
fn snapshots_keep_the_settings_of_a_body() {
    let mut world = World::new();
    let [kept, off] = [1.0, 3.0].map(|y| world.add_body(special(cube(DVec3::Y * y))));
    world.body_mut(off).unwrap().enabled = false;
    run(&mut world, 3);
    let snapshot = Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap();
    let mut other = World::new();
    other.restore(&snapshot);
    assert_special(other.body(kept).unwrap(), "restored");
    assert!(!other.body(off).unwrap().enabled);
    run(&mut world, 10);
    run(&mut other, 10);
    assert_eq!(world.state_hash(), other.state_hash());
}

#[test]
fn skins_between_steps_go_from_the_one_before_to_the_one_now() {
    let mut world = World::new();
    let mut body = cube(FAR);
    body.interpolate = true;
    body.set_motion(Vec3::new(3.0, 0.0, 0.0), Vec3::Y).unwrap();
    let handle = world.add_body(body);
    run(&mut world, 5);
    let places = |world: &World, fraction: f32| {
        let mut pose = SkinPose::default();
        world.body(handle).unwrap().skin_at(fraction, &mut pose);
        assert!(pose.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-4));
        pose.positions.iter().map(|p| pose.origin - FAR + p.as_dvec3()).collect::<Vec<DVec3>>()
    };
    let close = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).all(|(a, b)| a.distance(*b) < 1e-5);
    let before = places(&world, 1.0);
    world.step(H);
    let now = places(&world, 1.0);
    assert!(!close(&before, &now));
    assert!(close(&places(&world, 0.0), &before));
    let middle: Vec<DVec3> = before.iter().zip(&now).map(|(a, b)| 0.5 * (*a + *b)).collect();
    assert!(close(&places(&world, 0.5), &middle));
    assert!(close(&places(&world, 9.0), &now) && close(&places(&world, -9.0), &before));
    assert!(close(&places(&world, f32::NAN), &now));
    // What the caller moves is where it was put.
    world.body_mut(handle).unwrap().place(FAR, Quat::IDENTITY).unwrap();
    assert_eq!(places(&world, 0.0), places(&world, 1.0));
    // And nothing is kept of a body that does not ask for it.
    world.body_mut(handle).unwrap().interpolate = false;
    run(&mut world, 2);
    assert_eq!(places(&world, 0.0), places(&world, 1.0));
}

#[test]
fn a_sleeper_is_drawn_where_it_sleeps() {
    let (mut world, body) = asleep();
    world.body_mut(body).unwrap().interpolate = true;
    run(&mut world, 120);
    let of = world.body(body).unwrap();
    assert!(of.is_asleep());
    let mut pose = SkinPose::default();
    of.skin_at(0.0, &mut pose);
    assert_eq!(pose.positions, of.skin().positions);
}
