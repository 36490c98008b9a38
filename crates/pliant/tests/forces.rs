//! What touches says how hard, as a force, and over which area: the same in every step of what rests.

mod common;

use common::run;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::*;

const H: f32 = 1.0 / 60.0;

/// A stiff cube of 0.5 m with its middle at a place.
fn cube(at: DVec3) -> BodyBuilder {
    Body::builder(shapes::cuboid(Vec3::splat(0.5), [4; 3]))
        .model(LatticeSettings { cell: Some(0.125), ..LatticeSettings::default() })
        .material(Material::default().with_alpha(1.0).with_damping(0.3).with_friction(0.8))
        .at(at)
}

/// A world in which nothing falls asleep, which would keep forces as they were.
fn awake(substeps: u32) -> World {
    let sleep = Sleep { speed: 0.0, ..Sleep::default() };
    World::with_settings(WorldSettings { substeps, sleep, ..WorldSettings::default() })
}

fn weight(world: &World, body: BodyHandle) -> f32 {
    9.81 * world.body(body).expect("there").rest().nodes.total_mass as f32
}

#[test]
fn a_cube_at_rest_presses_with_its_weight_in_every_step() {
    for substeps in [1, 4, 16] {
        let mut world = awake(substeps);
        let floor = world.add_collider(Collider::floor(0.0)).unwrap();
        let body = world.add_body(cube(DVec3::Y * 0.25).build().unwrap());
        run(&mut world, 240, H);
        let weight = weight(&world, body);
        for _ in 0..120 {
            run(&mut world, 1, H);
            let [touch] = world.touches() else { panic!("{:?}", world.touches()) };
            assert_eq!((touch.body, touch.other), (body, floor.into()));
            let off = (touch.force - Vec3::Y * weight).length() / weight;
            assert!(off < 0.02, "{substeps} substeps: {} N for {weight} N", touch.force);
            assert!((touch.area - 0.25).abs() < 0.02, "{substeps} substeps: {} m²", touch.area);
            assert!(touch.place.distance(DVec3::ZERO) < 0.02);
        }
    }
}

#[test]
fn each_interface_of_a_stack_carries_what_is_above() {
    let mut world = awake(8);
    let floor = world.add_collider(Collider::floor(0.0)).unwrap();
    let bodies: Vec<BodyHandle> = (0..3)
        .map(|i| world.add_body(cube(DVec3::Y * (0.25 + 0.5 * f64::from(i))).build().unwrap()))
        .collect();
    run(&mut world, 300, H);
    let weight = weight(&world, bodies[0]);
    for _ in 0..60 {
        run(&mut world, 1, H);
        let force = |body, other: Other| {
            let touch = world.touches().iter().find(|touch| (touch.body, touch.other) == (body, other));
            touch.map(|touch| (touch.force, touch.area)).expect("they touch")
        };
        // On the lower of two bodies, the one above presses down.
        let expected = [
            (force(bodies[0], floor.into()), 3.0),
            (force(bodies[0], bodies[1].into()), -2.0),
            (force(bodies[1], bodies[2].into()), -1.0),
        ];
        for ((force, area), part) in expected {
            let off = (force - Vec3::Y * (part * weight)).length() / weight;
            assert!(off < 0.05, "{force} N where {part} times {weight} N are carried");
            // Corners may lift.
            assert!((0.18..0.27).contains(&area), "{area} m²");
        }
    }
}

#[test]
fn a_block_on_a_slope_is_held_by_friction_as_hard_as_it_is_drawn_down() {
    let angle = 0.35_f32;
    let turn = Quat::from_rotation_z(angle);
    let up = turn * Vec3::Y;
    let mut world = awake(4);
    let slope = Collider::plane(DVec3::ZERO, up);
    world.add_collider(slope.friction(0.8)).unwrap();
    let body = world.add_body(cube((up * 0.25).as_dvec3()).turned(turn).build().unwrap());
    run(&mut world, 240, H);
    let weight = weight(&world, body);
    for _ in 0..60 {
        run(&mut world, 1, H);
        let [touch] = world.touches() else { panic!("{:?}", world.touches()) };
        let normal = touch.force.dot(up);
        let along = (touch.force - up * normal).length();
        assert!((normal / (weight * angle.cos()) - 1.0).abs() < 0.02, "{normal} N across");
        assert!((along / (weight * angle.sin()) - 1.0).abs() < 0.05, "{along} N along");
    }
}
