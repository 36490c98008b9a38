//! Two bodies.

use super::{EDGE, H, cube, middle, run};
use crate::common::weightless;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{Body, Material, World};

fn thrown(mut body: Body, place: DVec3, velocity: Vec3, spin: Vec3) -> Body {
    body.place(place, Quat::from_rotation_y(0.3)).expect("a place");
    body.set_motion(velocity, spin).expect("a motion");
    body
}

fn momentum(world: &World) -> DVec3 {
    world.bodies().map(|(_, body)| body.rest().nodes.momentum(&body.nodes)).sum()
}

#[test]
fn masses_a_thousand_times_apart_push_each_other_as_they_should() {
    for ratio in [1.0, 30.0, 1000.0] {
        let mut world = weightless();
        let light = cube(Material::default().with_density(10.0)).build().expect("light");
        let heavy = cube(Material::default().with_density(10.0 * ratio)).build().expect("heavy");
        let a = world.add_body(thrown(heavy, DVec3::ZERO, Vec3::X, Vec3::ZERO));
        let b = world.add_body(thrown(light, DVec3::X * 0.3, Vec3::ZERO, Vec3::ZERO));
        let before = momentum(&world);
        run(&mut world, 90);
        let [v, w] = [a, b].map(|body| world.body(body).expect("there").velocity().x);
        assert!((momentum(&world) - before).length() < 1e-4 * before.length());
        // The light one is pushed ahead and at most as an elastic ball would be.
        assert!(w > v - 1e-3 && w < 2.0 + 1e-3, "1:{ratio}: {v} and {w} m/s");
        assert!(v > (f64::from(ratio) - 1.0) / (f64::from(ratio) + 1.0) - 0.05, "1:{ratio}: {v} m/s");
    }
}

#[test]
fn two_that_hit_part_as_fast_as_restitution_says() {
    for restitution in [0.0, 0.5, 1.0] {
        let mut world = weightless();
        world.settings.substeps = 4;
        let material = Material::default().with_restitution(restitution).with_alpha(1.0).with_friction(0.0);
        let mut body = cube(material).build().expect("a cube");
        let [a, b] = [-1.0_f32, 1.0].map(|side| {
            body.place(DVec3::X * 0.15 * f64::from(side), Quat::IDENTITY).expect("a place");
            body.set_motion(Vec3::X * -side, Vec3::ZERO).expect("a motion");
            world.add_body(body.clone())
        });
        run(&mut world, 30);
        let [a, b] = [a, b].map(|body| world.body(body).expect("there").velocity());
        let parting = 0.5 * (b.x - a.x);
        println!("{restitution}: {parting:.3} of their speed");
        assert!((parting - f64::from(restitution)).abs() < 0.1, "{restitution}: {parting}");
        assert!((a + b).length() < 1e-4, "{a} and {b} m/s");
    }
}

/// How far a cube goes down another body that is a slope of 30°.
fn slide(friction: f32) -> Vec<f64> {
    let tilt = Quat::from_rotation_z(-std::f32::consts::FRAC_PI_6);
    let material = Material::default().with_friction(friction).with_alpha(0.9);
    let mut world = World::new();
    // A board that is pinned all over, so it is a slope.
    let board = Body::builder(pliant::geometry::shapes::cuboid(Vec3::new(6.0, 0.3, 0.6), [40, 2, 4]))
        .material(material)
        .model(pliant::LatticeSettings { cell: Some(0.15), width: Some(0.3) })
        .turned(tilt)
        .build()
        .expect("a board");
    let board = world.add_body(board);
    world.pin(board, &pliant::Selection::All).expect("pinned");
    let up = (tilt * Vec3::Y).as_dvec3();
    let down = (tilt * Vec3::X).as_dvec3();
    let start = up * (0.15 + 0.5 * f64::from(EDGE) + 0.002) - down * 2.5;
    let handle = world.add_body(cube(material).turned(tilt).at(start).build().expect("a cube"));
    let path = |_| {
        world.step(H);
        middle(&world, handle).dot(down)
    };
    (0..90).map(path).collect()
}

#[test]
fn a_body_sticks_to_another_that_is_a_slope_or_slides_down_as_coulomb_says() {
    let stuck = slide(0.7);
    assert!(stuck[89] - stuck[30] < 0.002, "crept {} m in a second", stuck[89] - stuck[30]);
    let sliding = slide(0.4);
    let speed = |frame: usize| (sliding[frame] - sliding[frame - 1]) / f64::from(H);
    let found = (speed(80) - speed(20)) / (60.0 * f64::from(H));
    let expected = 9.81 * (0.5 - 0.4 * 0.75_f64.sqrt());
    assert!((found / expected - 1.0).abs() < 0.05, "{found} m/s², not {expected}");
}

#[test]
fn a_fast_body_does_not_pass_through_another_nor_through_a_plate() {
    for speed in [10.0, 40.0, 100.0] {
        let mut world = weightless();
        let plate = Body::builder(pliant::geometry::shapes::cuboid(Vec3::new(0.1, 1.0, 1.0), [2, 20, 20]))
            .material(Material::default().with_density(20_000.0).with_alpha(1.0))
            .model(pliant::LatticeSettings { cell: Some(0.05), width: Some(0.2) });
        let plate = world.add_body(plate.build().expect("a plate"));
        let ball = cube(Material::default().with_density(100.0)).build().expect("a cube");
        let ball = world.add_body(thrown(ball, DVec3::X * -3.0, Vec3::X * speed, Vec3::ONE));
        let mut most = 0;
        for _ in 0..((4.0 / speed / H) as usize + 90) {
            most = most.max(world.step(H).substeps);
        }
        let [plate, ball] = [plate, ball].map(|body| middle(&world, body).x);
        assert!(ball < plate, "at {speed} m/s: {ball} is behind {plate}");
        assert!(speed < 50.0 || most > 4, "{most} substeps");
    }
}

#[test]
fn a_body_without_contacts_is_passed_through() {
    let mut world = weightless();
    let off = pliant::ContactSettings { bodies: false, ..pliant::ContactSettings::default() };
    let a = cube(Material::default()).contacts(off).build().expect("a cube");
    let a = world.add_body(thrown(a, DVec3::X * -0.4, Vec3::X * 2.0, Vec3::ZERO));
    let b = world.add_body(cube(Material::default()).build().expect("a cube"));
    run(&mut world, 60);
    assert!(middle(&world, a).x > 1.5 && middle(&world, b).length() < 1e-6);
    assert!(world.touches().is_empty());
}
