//! Picks, pins, pushes and wind do what they say, however strong they are, and never to somebody else.

mod common;

use common::{is_finite, small_ball, small_box};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::tool::ToolError;
use pliant::*;

const H: f32 = 1.0 / 60.0;

fn one_box() -> (World, BodyHandle) {
    let mut world = floating();
    let handle = world.add_body(small_box().build().expect("sound"));
    (world, handle)
}

/// The vertex farthest along a direction.
fn vertex_at(world: &World, body: BodyHandle, direction: Vec3) -> u32 {
    let positions = &world.body(body).expect("sound").skin().positions;
    let along = |v: &usize| positions[*v].dot(direction);
    (0..positions.len()).max_by(|a, b| along(a).total_cmp(&along(b))).expect("sound") as u32
}

/// A world as users have it, but without gravity.
fn floating() -> World {
    World::with_settings(WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() })
}

#[test]
fn a_pick_brings_its_vertex_to_the_target() {
    for clustering in common::clusterings() {
        let mut world = floating();
        let damped = Material::default().with_damping(0.2);
        let body = world.add_body(
            small_box()
                .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering)
                .material(damped)
                .build()
                .unwrap(),
        );
        let vertex = vertex_at(&world, body, Vec3::ONE);
        let pick = world.pick(body, vertex, PickSettings::default()).unwrap();
        let (start, target) = (world.tool(pick).unwrap().position().unwrap(), DVec3::new(3.0, 2.0, -1.0));
        for i in 1..=300 {
            world.move_tool(pick, start.lerp(target, f64::from(i) / 300.0)).unwrap();
            common::run(&mut world, 1, H);
        }
        common::run(&mut world, 300, H);
        let energy = common::kinetic_energy(world.body(body).unwrap());
        common::run(&mut world, 600, H);
        let later = common::kinetic_energy(world.body(body).unwrap());
        assert!(later <= 1.05 * energy, "a pick held still makes {energy} J of {later} J");
        let off = world.body(body).unwrap().vertex_position(vertex as usize).distance(target);
        assert!(off < 2e-2, "{off} m from the target after a way of {} m", start.distance(target));
    }
}

#[test]
fn a_pick_moves_a_vertex_of_a_thinned_skin() {
    let mut world = floating();
    let particles = ParticleSettings { max_surface: 40, ..ParticleSettings::default() };
    let body = world.add_body(
        Body::builder(shapes::sphere(0.5, 3))
            .model_with(|of: &mut pliant::ClusterSettings| of.particles = particles)
            .build()
            .unwrap(),
    );
    let pick = world.pick(body, 77, PickSettings::default()).unwrap();
    let target = DVec3::new(1.0, 1.0, 1.0);
    world.move_tool(pick, target).unwrap();
    common::run(&mut world, 600, H);
    let off = world.body(body).unwrap().vertex_position(77).distance(target);
    assert!(off < 5e-3, "{off} m");
}

#[test]
fn two_locked_picks_hold_a_body_up() {
    let mut world = World::new();
    let body = world.add_body(small_box().at(DVec3::Y * 5.0).build().unwrap());
    for side in [Vec3::new(-1.0, 0.5, 0.0), Vec3::new(1.0, 0.5, 0.0)] {
        let vertex = vertex_at(&world, body, side);
        let pick =
            world.pick(body, vertex, PickSettings { radius: Some(0.5), ..PickSettings::default() }).unwrap();
        world.lock(pick, true).unwrap();
    }
    world.release_picks();
    common::run(&mut world, 600, H);
    let fallen = 5.0 - world.body(body).unwrap().center_of_mass().y;
    // It hangs from them, by less than its own size.
    assert!(fallen < 1.0, "fell {fallen} m");
    let speed = world.body(body).unwrap().velocity().length();
    assert!(speed < 0.1, "{speed} m/s");
}

#[test]
fn a_locked_pick_refuses_to_move_until_it_is_unlocked() {
    let (mut world, body) = one_box();
    let pick = world.pick(body, 0, PickSettings::default()).unwrap();
    world.lock(pick, true).unwrap();
    assert_eq!(world.move_tool(pick, DVec3::ONE), Err(ToolError::Locked));
    world.lock(pick, false).unwrap();
    world.move_tool(pick, DVec3::ONE).unwrap();
    assert_eq!(world.tool(pick).unwrap().position(), Some(DVec3::ONE));
}

#[test]
fn letting_go_keeps_the_locked_picks() {
    let (mut world, body) = one_box();
    let picks: Vec<ToolHandle> =
        (0..4).map(|v| world.pick(body, v, PickSettings::default()).unwrap()).collect();
    world.lock(picks[2], true).unwrap();
    world.release_picks();
    let kept: Vec<bool> = picks.iter().map(|&p| world.tool(p).is_ok()).collect();
    assert_eq!(kept, [false, false, true, false]);
}

#[test]
fn a_pin_holds_exactly_and_carries() {
    let mut world = World::new();
    let body = world.add_body(small_box().at(DVec3::new(100.0, 50.0, 0.0)).build().unwrap());
    let left = Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(-0.49, 9.0, 9.0) };
    let nodes = world.body(body).unwrap().select(&left);
    let at = |world: &World| -> Vec<DVec3> {
        nodes.iter().map(|&n| world.body(body).unwrap().nodes.world_position(n as usize)).collect()
    };
    let start = at(&world);
    let pin = world.pin(body, &left).unwrap();
    let farthest = |world: &World, moved: DVec3| {
        start.iter().zip(at(world)).map(|(a, b)| (*a + moved).distance(b)).fold(0.0, f64::max)
    };
    common::run(&mut world, 200, H);
    assert!(farthest(&world, DVec3::ZERO) < 1e-6);
    assert!(world.body(body).unwrap().center_of_mass().y < 50.0, "the rest hangs");
    let before = world.body(body).unwrap().center_of_mass();
    for i in 1..=100 {
        world.move_tool(pin, DVec3::new(0.02 * f64::from(i), 0.0, 0.01 * f64::from(i))).unwrap();
        common::run(&mut world, 1, H);
    }
    assert!(farthest(&world, DVec3::new(2.0, 0.0, 1.0)) < 1e-6);
    common::run(&mut world, 300, H);
    let carried = world.body(body).unwrap().center_of_mass() - before;
    // It swings from the pinned side.
    assert!(carried.distance(DVec3::new(2.0, 0.0, 1.0)) < 0.5, "the rest came along: {carried}");
}

#[test]
fn a_push_leaves_no_node_inside() {
    for offset in [DVec3::new(0.3, 0.2, 0.1), DVec3::new(-0.6, 0.0, 0.0), DVec3::ZERO] {
        let (mut world, body) = one_box();
        let center = DVec3::new(0.01, 0.02, 0.03) + offset;
        world.push(Push::new(center, 0.5)).unwrap();
        common::run(&mut world, 900, H);
        let positions = common::world_positions(world.body(body).unwrap());
        let nearest = positions.iter().map(|x| x.distance(center)).fold(f64::INFINITY, f64::min);
        assert!(nearest > 0.5 - 1e-3, "{offset}: a node is {nearest} m from the centre of a ball of 0.5 m");
    }
}

#[test]
fn wind_blows_downwind_and_stronger_wind_blows_harder() {
    let speed = |metres_per_sec: f32| {
        let (mut world, body) = one_box();
        let velocity = Vec3::new(0.0, 0.0, metres_per_sec);
        world.wind(Wind { velocity, gustiness: 0.0, ..Wind::default() }).unwrap();
        common::run(&mut world, 60, H);
        world.body(body).unwrap().velocity()
    };
    let (light, medium, strong) = (speed(3.0), speed(10.0), speed(30.0));
    assert!(
        light.z > 0.0 && medium.z > 5.0 * light.z && strong.z > 5.0 * medium.z,
        "{light} {medium} {strong}"
    );
    assert!(strong.z < 30.0 && strong.truncate().length() < 0.02 * strong.z, "{strong}");
}

#[test]
fn gusts_are_the_same_every_time() {
    let run = || {
        let (mut world, body) = one_box();
        world.wind(Wind { gustiness: 0.8, ..Wind::default() }).unwrap();
        let mut speeds = Vec::new();
        for _ in 0..120 {
            common::run(&mut world, 1, H);
            speeds.push(world.body(body).unwrap().velocity().x);
        }
        (world.state_hash(), speeds)
    };
    let (first, speeds) = run();
    assert_eq!(first, run().0);
    let pulls: Vec<f64> = speeds.windows(2).map(|w| w[1] - w[0]).collect();
    let (least, most) = pulls.iter().fold((f64::MAX, 0.0_f64), |(a, b), &p| (a.min(p), b.max(p)));
    assert!(most > 1.5 * least, "it gusts");
}

#[test]
fn absurdly_strong_tools_stay_finite() {
    for h in [1e-4, H, 1.0] {
        let mut world = World::new();
        world.add_collider(Collider::floor(0.0)).unwrap();
        let body = world.add_body(small_ball().at(DVec3::Y).build().unwrap());
        let hard = PickSettings { frequency_hz: 1e6, damping_ratio: 100.0, radius: None };
        for (vertex, target) in [(0, DVec3::splat(50.0)), (5, DVec3::new(-80.0, 10.0, 0.0)), (9, DVec3::ZERO)]
        {
            let pick = world.pick(body, vertex, hard).unwrap();
            world.move_tool(pick, target).unwrap();
        }
        world.push(Push { center: DVec3::Y, radius: 3.0, frequency_hz: 1e6 }).unwrap();
        world.wind(Wind { velocity: Vec3::X * 1e5, air_density: 1e4, ..Wind::default() }).unwrap();
        for _ in 0..200 {
            let contained = world.step(h).contained;
            assert!(contained == 0 && is_finite(world.body(body).unwrap()), "steps of {h} s");
        }
        assert!(world.body(body).unwrap().center_of_mass().length() < 1e7);
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let (mut world, body) = one_box();
    let bad = |frequency_hz: f32| PickSettings { frequency_hz, ..PickSettings::default() };
    for value in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(world.pick(body, 0, bad(value)), Err(ToolError::Setting { .. })));
        assert!(world.push(Push::new(DVec3::ZERO, value)).is_err());
        assert!(world.wind(Wind { gust_length: value, ..Wind::default() }).is_err());
        assert!(world.wind(Wind { velocity: Vec3::X * value, gustiness: value, ..Wind::default() }).is_err());
    }
    let no_vertex = world.pick(body, 1_000_000, PickSettings::default());
    assert!(matches!(no_vertex, Err(ToolError::NoSuchVertex { vertex: 1_000_000, .. })));
    assert!(matches!(world.pin(body, &Selection::Nodes(vec![])), Err(ToolError::NothingSelected { .. })));
    let wind = world.wind(Wind::default()).unwrap();
    assert!(matches!(world.move_tool(wind, DVec3::ZERO), Err(ToolError::NotFor { .. })));
    assert!(matches!(world.lock(wind, true), Err(ToolError::NotFor { .. })));
    let pick = world.pick(body, 0, PickSettings::default()).unwrap();
    assert!(world.move_tool(pick, DVec3::NAN).is_err());
}

#[test]
fn a_stale_handle_never_means_somebody_else() {
    let (mut world, body) = one_box();
    let pick = world.pick(body, 0, PickSettings::default()).unwrap();
    world.remove_tool(pick).unwrap();
    let next = world.pick(body, 1, PickSettings::default()).unwrap();
    assert!(matches!(world.move_tool(pick, DVec3::ONE), Err(ToolError::Stale(_))));
    assert!(matches!(world.lock(pick, true), Err(ToolError::Stale(_))));
    assert!(world.tool(pick).is_err() && world.remove_tool(pick).is_err() && world.tool(next).is_ok());

    world.remove_body(body).unwrap();
    let other = world.add_body(small_ball().build().unwrap());
    assert!(world.body(body).is_err() && world.body_mut(body).is_err() && world.remove_body(body).is_err());
    assert!(matches!(world.pick(body, 0, PickSettings::default()), Err(ToolError::Stale(_))));
    assert!(matches!(world.pin(body, &Selection::All), Err(ToolError::Stale(_))));
    assert!(world.body(other).is_ok());
    let message = world.body(body).unwrap_err().to_string();
    assert!(message.contains("body") && message.contains("removed"), "{message}");

    let floor = world.add_collider(Collider::floor(0.0)).unwrap();
    world.remove_collider(floor).unwrap();
    let wall = world.add_collider(Collider::plane(DVec3::ZERO, Vec3::X)).unwrap();
    assert!(world.collider(floor).is_err() && world.collider_mut(floor).is_err());
    assert!(world.remove_collider(floor).is_err() && world.collider(wall).is_ok());
}

#[test]
fn removing_a_body_removes_its_picks_and_pins_only() {
    let (mut world, body) = one_box();
    let other = world.add_body(small_ball().build().unwrap());
    let gone =
        [world.pick(body, 0, PickSettings::default()).unwrap(), world.pin(body, &Selection::All).unwrap()];
    let kept = [
        world.pick(other, 0, PickSettings::default()).unwrap(),
        world.wind(Wind::default()).unwrap(),
        world.push(Push::new(DVec3::ZERO, 0.1)).unwrap(),
    ];
    world.remove_body(body).unwrap();
    assert!(gone.iter().all(|&t| world.tool(t).is_err()) && kept.iter().all(|&t| world.tool(t).is_ok()));
    common::run(&mut world, 10, H);
}

#[test]
fn any_tool_can_be_added_and_one_made_for_another_body_is_refused() {
    let (mut world, small) = one_box();
    let large = world.add_body(Body::builder(shapes::sphere(0.5, 4)).build().unwrap());
    let nodes = world.body(large).unwrap().nodes.positions.len();
    assert!(nodes > world.body(small).unwrap().nodes.positions.len());
    world.add_tool(Push::new([0.0, 3.0, 0.0], 0.2)).unwrap();
    world.add_tool(Wind::default()).unwrap();
    let pin = |handle, body: &Body| tool::Pin::new(handle, body, &Selection::All).unwrap();
    let swapped = pin(small, world.body(large).unwrap());
    assert_eq!(world.add_tool(swapped), Err(ToolError::AnotherBody { tool: "pin" }));
    let kept = world.add_tool(pin(large, world.body(large).unwrap())).unwrap();
    assert_eq!(world.tool(kept).unwrap().grips().len(), nodes);
    // Nor is a tool good for a body that was cut since.
    let early = pin(small, world.body(small).unwrap());
    world.scissors(Some(small), DVec3::ZERO, Vec3::X).unwrap();
    world.step(H);
    assert_eq!(world.cuts().len(), 1);
    assert_eq!(world.add_tool(early), Err(ToolError::AnotherBody { tool: "pin" }));
    let removed = world.remove_body(large).unwrap();
    assert!(matches!(world.add_tool(pin(large, &removed)), Err(ToolError::Stale(_))));
}
