//! What holds a body tells what it takes to hold it.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;
#[path = "conformance/models.rs"]
mod models;

use common::run;
use models::MODELS;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Mat3, Quat, Vec3};
use pliant::*;

const H: f32 = 1.0 / 60.0;
const SPACING: f32 = 0.25;

fn bar() -> TriMesh {
    shapes::cuboid(Vec3::new(1.0, 0.75, 0.5), [4, 3, 2])
}

fn below(x: f32) -> Selection {
    Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(x, 9.0, 9.0) }
}

fn above(x: f32) -> Selection {
    Selection::Box { min: Vec3::new(x, -9.0, -9.0), max: Vec3::splat(9.0) }
}

fn high(y: f32) -> Selection {
    Selection::Box { min: Vec3::new(-9.0, y, -9.0), max: Vec3::splat(9.0) }
}

/// A world in which nothing sleeps.
fn awake(gravity: Vec3, substeps: u32) -> World {
    let mut world = World::with_settings(WorldSettings { gravity, substeps, ..WorldSettings::default() });
    world.settings.sleep.speed = 0.0;
    world
}

fn weight(world: &World, body: BodyHandle) -> f32 {
    9.81 * world.body(body).unwrap().rest().nodes.total_mass as f32
}

const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

/// The mean of what a tool holds with over so many frames, force and moment.
fn mean(world: &mut World, tools: &[ToolHandle], frames: usize) -> Vec<[Vec3; 2]> {
    let mut sums = vec![[Vec3::ZERO; 2]; tools.len()];
    for _ in 0..frames {
        world.step(H);
        for (sum, &tool) in sums.iter_mut().zip(tools) {
            let of = world.reaction(tool).unwrap();
            *sum = [sum[0] + of.force / frames as f32, sum[1] + of.moment / frames as f32];
        }
    }
    sums
}

#[test]
fn what_hangs_still_is_held_with_its_weight() {
    for model in MODELS {
        for (number, wanted) in model.settings(SPACING).into_iter().enumerate() {
            for substeps in [1, 4, 16] {
                let mut world = awake(GRAVITY, substeps);
                let material = (model.elastic)(0.5).with_damping(0.3);
                let body = wanted.builder(bar()).material(material).at([100.0, 50.0, 0.0]).build().unwrap();
                let body = world.add_body(body);
                let pin = world.pin(body, &high(0.2)).unwrap();
                run(&mut world, 300, H);
                let weight = weight(&world, body);
                let Reaction { body: of, force, moment, .. } = *world.reaction(pin).unwrap();
                let off = (force - Vec3::Y * weight).length() / weight;
                let what = format!("{} {number}, {substeps} substeps", model.word);
                assert_eq!(of, body);
                assert!(off < 0.002, "{what}: {force} N hold {weight} N");
                // Held in the middle, it need not be kept from turning.
                assert!(moment.length() < 0.01 * weight, "{what}: {moment} N m");
            }
        }
    }
}

#[test]
fn two_that_pull_at_both_ends_pull_equal_and_opposite() {
    for model in MODELS {
        for (number, wanted) in model.settings(SPACING).into_iter().enumerate() {
            for substeps in [1, 4, 16] {
                let mut world = awake(Vec3::ZERO, substeps);
                let material = (model.elastic)(0.5).with_damping(0.3);
                let body = world.add_body(wanted.builder(bar()).material(material).build().unwrap());
                let pins = [below(-0.3), above(0.3)].map(|end| world.pin(body, &end).unwrap());
                for frame in 1..=30 {
                    world.move_tool(pins[1], DVec3::X * (0.1 * f64::from(frame) / 30.0)).unwrap();
                    world.step(H);
                }
                run(&mut world, 300, H);
                let forces = mean(&mut world, &pins, 30);
                let [[left, _], [right, _]] = [forces[0], forces[1]];
                let off = (left + right).length() / right.length();
                let what = format!("{} {number}, {substeps} substeps", model.word);
                assert!(right.x > 0.0 && left.x < 0.0, "{what}: {left} and {right} N");
                assert!(off < 0.01, "{what}: {left} and {right} N");
            }
        }
    }
}

#[test]
fn what_is_moved_ever_faster_is_held_with_mass_times_acceleration() {
    for model in MODELS {
        for substeps in [1, 4] {
            let mut world = awake(Vec3::ZERO, substeps);
            let material = (model.elastic)(0.5);
            let body = world.add_body(model.body(bar(), SPACING).material(material).build().unwrap());
            let pin = world.pin(body, &Selection::All).unwrap();
            let acceleration = 3.0;
            let mass = world.body(body).unwrap().rest().nodes.total_mass;
            for frame in 1..=20 {
                let time = f64::from(frame) * f64::from(H);
                world.move_tool(pin, DVec3::X * (0.5 * acceleration * time * time)).unwrap();
                world.step(H);
                // The first step goes half as far as the others go farther than those before.
                let wanted = mass * acceleration * if frame == 1 { 0.5 } else { 1.0 };
                let force = world.reaction(pin).unwrap().force.as_dvec3();
                let off = (force - DVec3::X * wanted).length() / wanted;
                assert!(off < 0.01, "{}, frame {frame}: {force} N, not {wanted}", model.word);
            }
        }
    }
}

#[test]
fn a_stretched_bar_pulls_as_hooke_says() {
    let (young, length, side) = (1e5, 2.0, 0.25);
    for solver in [ElementSolver::Implicit, ElementSolver::Explicit] {
        for substeps in [1, 4, 16] {
            let mut world = awake(Vec3::ZERO, substeps);
            let settings = ElementSettings { cell: Some(0.0625), solver, ..ElementSettings::default() };
            let body = Body::builder(shapes::cuboid(Vec3::new(length, side, side), [32, 4, 4]))
                .model(settings)
                .material(Material::default().with_young_modulus(young, 0.0).with_damping(1.0));
            let body = world.add_body(body.build().unwrap());
            let pins = [below(-0.99), above(0.99)].map(|end| world.pin(body, &end).unwrap());
            let nodes = &world.body(body).unwrap().rest().nodes.rest_positions;
            let ends = pins.map(|pin| world.tool(pin).unwrap().grips().len());
            assert!(ends.iter().all(|&count| count > 0), "{ends:?} of {} nodes", nodes.len());
            // Green strain of more than that is no longer linear.
            let stretch = 0.005;
            for frame in 1..=20 {
                world.move_tool(pins[1], DVec3::X * (stretch * f64::from(frame) / 20.0)).unwrap();
                world.step(H);
            }
            run(&mut world, 240, H);
            let forces = mean(&mut world, &pins, 60);
            let wanted = young * side * side * stretch as f32 / length;
            let of = [-forces[0][0].x / wanted, forces[1][0].x / wanted];
            assert!(
                of.iter().all(|of| (of - 1.0).abs() < 0.01),
                "{solver:?}, {substeps}: {of:?} of {wanted} N"
            );
        }
    }
}

#[test]
fn a_bar_that_sticks_out_is_held_with_the_moment_of_its_weight() {
    for model in MODELS {
        let mut world = awake(GRAVITY, 4);
        let material = (model.elastic)(0.8).with_damping(0.3);
        let body = world.add_body(model.body(bar(), SPACING).material(material).build().unwrap());
        let pin = world.pin(body, &below(-0.2)).unwrap();
        run(&mut world, 600, H);
        let [_, moment] = mean(&mut world, &[pin], 30)[0];
        let arm = world.body(body).unwrap().center_of_mass() - world.reaction(pin).unwrap().place;
        let wanted = arm.as_vec3().cross(Vec3::Y * weight(&world, body));
        assert!(
            (moment - wanted).length() < 0.03 * wanted.length(),
            "{}: {moment}, not {wanted}",
            model.word
        );
    }
}

#[test]
fn rigid_bodies_and_picks_hold_with_the_weight_of_what_hangs_on_them() {
    for model in MODELS {
        let hang = |rigid: Option<Rigid>| {
            let mut world = awake(GRAVITY, 4);
            let material = (model.elastic)(0.5).with_damping(0.3);
            let body = world.add_body(model.body(bar(), SPACING).material(material).build().unwrap());
            let carrier = Carrier { rigid, ..Carrier::new(7, DVec3::Y, Quat::IDENTITY) };
            let carried = world.attach(body, &high(0.2), carrier).unwrap();
            (world, body, carried)
        };
        // One that nothing stops, and one that is very heavy.
        for rigid in [None, Some(Rigid::new(1e-7, Mat3::from_diagonal(Vec3::splat(1e-7)), Vec3::ZERO))] {
            let (mut world, body, carried) = hang(rigid);
            run(&mut world, 300, H);
            let [force, _] = mean(&mut world, &[carried], 30)[0];
            let weight = weight(&world, body);
            assert!(
                (force - Vec3::Y * weight).length() < 0.01 * weight,
                "{}: {force} of {weight} N",
                model.word
            );
        }
        let mut world = awake(GRAVITY, 4);
        let material = (model.elastic)(0.5).with_damping(0.3);
        let body = world.add_body(model.body(bar(), SPACING).material(material).build().unwrap());
        let pick = world.pick(body, 0, PickSettings::default()).unwrap();
        run(&mut world, 900, H);
        let [force, _] = mean(&mut world, &[pick], 60)[0];
        let weight = weight(&world, body);
        assert!(
            (force - Vec3::Y * weight).length() < 0.01 * weight,
            "{}: {force}, not {weight} N",
            model.word
        );
    }
}

#[test]
fn what_lies_on_what_is_held_or_hangs_on_it_is_held_too() {
    for model in MODELS {
        for selection in [Selection::All, high(0.2)] {
            let mut world = awake(GRAVITY, 4);
            let material = (model.elastic)(0.5).with_damping(0.3);
            let part =
                |at: f64| model.body(bar(), SPACING).material(material).at([0.0, at, 0.0]).build().unwrap();
            let [table, lies, hangs] = [0.0, 0.76, -0.75].map(part).map(|body| world.add_body(body));
            let pin = world.pin(table, &selection).unwrap();
            let low = Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(9.0, -0.2, 9.0) };
            let attachment = world.attach_nodes([table, hangs], [&low, &high(0.2)], None).unwrap();
            // As they hang or swing: what is not held is momentum that they gain.
            run(&mut world, 300, H);
            let momentum = |world: &World| -> Vec<DVec3> {
                let of = |&body: &BodyHandle| world.body(body).unwrap();
                let bodies =
                    [table, lies, hangs].map(|body| of(&body).rest().nodes.momentum(&of(&body).nodes));
                bodies.to_vec()
            };
            let before = momentum(&world);
            let frames = 60;
            // What hangs may be pressed against the table beside what is attached.
            let (mut means, mut pressed) = (vec![[Vec3::ZERO; 2]; 2], Vec3::ZERO);
            for _ in 0..frames {
                let now = mean(&mut world, &[pin, attachment], 1);
                means.iter_mut().zip(now).for_each(|(sum, now)| sum[0] += now[0] / frames as f32);
                let touches = world.touches().iter();
                let both = touches.filter(|touch| touch.body == table && touch.other == hangs.into());
                pressed += both.map(|touch| touch.force).sum::<Vec3>() / frames as f32;
            }
            let gained: Vec<Vec3> = momentum(&world)
                .iter()
                .zip(before)
                .map(|(now, before)| ((*now - before) / (frames as f64 * f64::from(H))).as_vec3())
                .collect();
            let weights = [table, lies, hangs].map(|body| Vec3::Y * weight(&world, body));
            let all = weights.iter().sum::<Vec3>() + gained.iter().sum::<Vec3>();
            let below = weights[2] + gained[2] + pressed;
            let (held, attached) = (means[0][0], means[1][0]);
            let off = [(held - all).length() / all.length(), (attached + below).length() / below.length()];
            assert!(
                off.iter().all(|&off| off < 0.01),
                "{}: {held}, not {all} N, {attached}, not {below}",
                model.word
            );
        }
    }
}

#[test]
fn what_sleeps_is_held_as_it_was_and_so_is_what_is_restored() {
    let mut world = World::new();
    let body = world.add_body(Body::builder(bar()).build().unwrap());
    let pin = world.pin(body, &high(0.2)).unwrap();
    assert_eq!(world.reaction(pin), None);
    run(&mut world, 600, H);
    assert!(world.body(body).unwrap().is_asleep());
    let reaction = *world.reaction(pin).unwrap();
    let weight = weight(&world, body);
    assert!((reaction.force - Vec3::Y * weight).length() < 0.02 * weight, "{reaction:?}");
    let bytes = world.snapshot().to_bytes();
    let mut restored = World::new();
    restored.restore(&world::snapshot::Snapshot::from_bytes(&bytes).unwrap());
    assert_eq!(restored.reactions(), [reaction]);
    restored.step(H);
    assert_eq!(restored.reactions(), [reaction]);
    world.remove_tool(pin).unwrap();
    assert!(world.reactions().is_empty());
}
