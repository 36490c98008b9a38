//! A stiff ball rolls as mechanics says of a rigid one.

use super::{H, run};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{Body, BodyHandle, ClusterSettings, Clustering, Collider, Matching, Material, World};

/// Radius in metres.
const RADIUS: f64 = 0.2;
/// m/s²
const GRAVITY: f64 = 9.81;

/// A rigid ball that lies on a plane through zero, spinning about z.
fn ball_on(normal: DVec3, substeps: u32, spin: f32) -> (World, BodyHandle) {
    let mut world = World::new();
    world.settings.sleep.speed = 0.0;
    world.settings.substeps = substeps;
    world.settings.max_substeps = substeps.max(8);
    let plane = Collider::plane(DVec3::ZERO, normal.as_vec3()).friction(1.0);
    world.add_collider(plane).expect("a plane");
    let mut ball = Body::builder(shapes::sphere(RADIUS as f32, 4))
        .material(Material::default().with_alpha(1.0).with_beta(0.0).with_friction(1.0))
        .model_with(|of: &mut ClusterSettings| of.matching = Matching::Rigid)
        .model_with(|of: &mut ClusterSettings| of.clustering = Clustering::One)
        .at(normal * RADIUS)
        .build()
        .expect("a ball");
    ball.set_motion(Vec3::ZERO, Vec3::Z * spin).expect("a motion");
    let ball = world.add_body(ball);
    (world, ball)
}

#[test]
fn a_stiff_ball_rolls_down_slopes_as_a_rigid_one_does() {
    for substeps in [4, 16, 64] {
        for degrees in [5.0_f64, 10.0, 20.0, 30.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let (mut world, ball) = ball_on(DVec3::new(sin, cos, 0.0), substeps, 0.0);
            let mut speed_after = |frames: usize| {
                run(&mut world, frames);
                world.body(ball).expect("there").velocity().dot(DVec3::new(cos, -sin, 0.0))
            };
            // It has half a second to lie, and rolls a second.
            let [first, last] = [30, 60].map(&mut speed_after);
            let part = (last - first) / (60.0 * f64::from(H)) / (5.0 / 7.0 * GRAVITY * sin);
            println!("{degrees}° at {substeps} substeps: {part:.3} of 5/7 g sin θ");
            // Where it turns by a ninth of a radian in a substep it hops, and has less friction.
            let hops = degrees > 25.0 && substeps < 8;
            assert!((part - 1.0).abs() < if hops { 0.1 } else { 0.05 }, "{degrees}°, {substeps}: {part}");
        }
    }
}

#[test]
fn a_ball_that_is_set_down_spinning_rolls_on() {
    for substeps in [4, 16] {
        let (mut world, ball) = ball_on(DVec3::Y, substeps, -10.0);
        let mut speed_after = |frames: usize| {
            run(&mut world, frames);
            world.body(ball).expect("there").velocity().x
        };
        let [rolling, later] = [60, 120].map(&mut speed_after);
        println!("{substeps} substeps: {rolling:.3} m/s, {later:.3} after 2 s more");
        // Its nodes weigh a little more outside than those of a solid ball, of which it would be 2/7 ω r.
        assert!((rolling / (2.0 / 7.0 * 10.0 * RADIUS) - 1.0).abs() < 0.1, "{rolling} m/s");
        assert!((later / rolling - 1.0).abs() < 0.05, "{later} of {rolling} m/s after 2 s");
    }
}

/// How fast a ball spins, in rad/s.
fn spin(world: &World, ball: BodyHandle) -> DVec3 {
    let body = world.body(ball).expect("there");
    let (center, velocity) = (body.center_of_mass(), body.velocity());
    let (mut moment, mut inertia) = (DVec3::ZERO, 0.0);
    for (node, &mass) in body.rest().nodes.masses.iter().enumerate() {
        let out = body.nodes.world_position(node) - center;
        moment += f64::from(mass) * out.cross(body.nodes.velocities[node].as_dvec3() - velocity);
        inertia += 2.0 / 3.0 * f64::from(mass) * out.length_squared();
    }
    moment / inertia
}

/// Gives the plane that a ball lies on these coefficients of rolling and spinning friction, in meters.
fn roughen(world: &mut World, rolling: f32, spinning: f32) {
    let plane = world.colliders().next().expect("the plane").0;
    let surface = &mut world.collider_mut(plane).expect("the plane").surface;
    (surface.rolling_friction, surface.spinning_friction) = (rolling, spinning);
}

#[test]
fn rolling_friction_slows_a_ball_as_mechanics_says_and_holds_it_on_a_slope() {
    const ROLLING: f64 = 0.01;
    for substeps in [4, 16] {
        let (mut world, ball) = ball_on(DVec3::Y, substeps, -10.0);
        run(&mut world, 60);
        roughen(&mut world, ROLLING as f32, 0.0);
        let before = world.body(ball).expect("there").velocity().x;
        run(&mut world, 30);
        let after = world.body(ball).expect("there").velocity().x;
        // About the contact: 7/5 m r a = b m g.
        let expected = 5.0 / 7.0 * ROLLING / RADIUS * GRAVITY * 30.0 * f64::from(H);
        let part = (before - after) / expected;
        println!("{substeps} substeps: {part:.3} of 5/7 b/r g");
        assert!((part - 1.0).abs() < 0.1, "{substeps} substeps: {part} of what it should lose");
        run(&mut world, 240);
        let left = world.body(ball).expect("there").velocity().length();
        assert!(left < 1e-2, "{substeps} substeps: it still rolls at {left} m/s");
        // It stays where tan θ is below b / r and rolls where it is above.
        for (share, rolls) in [(0.7, false), (1.5, true)] {
            let (sin, cos) = (share * ROLLING / RADIUS).atan().sin_cos();
            let (mut world, ball) = ball_on(DVec3::new(sin, cos, 0.0), substeps, 0.0);
            roughen(&mut world, ROLLING as f32, 0.0);
            run(&mut world, 120);
            let speed = world.body(ball).expect("there").velocity().length();
            assert_eq!(speed > 0.02, rolls, "{share} of the slope, {substeps} substeps: {speed} m/s");
        }
    }
}

#[test]
fn spinning_friction_stops_a_ball_that_spins_on_the_spot_and_nothing_else_does() {
    const SPINNING: f64 = 0.01;
    for (spinning, substeps) in [(0.0, 4), (SPINNING, 4), (SPINNING, 16)] {
        let (mut world, ball) = ball_on(DVec3::Y, substeps, 0.0);
        run(&mut world, 30);
        let spinner = world.body_mut(ball).expect("there");
        spinner.set_motion(Vec3::ZERO, Vec3::Y * 10.0).expect("a motion");
        roughen(&mut world, 0.0, spinning as f32);
        let before = spin(&world, ball).y;
        run(&mut world, 30);
        let lost = before - spin(&world, ball).y;
        // 2/5 m r² α = b m g
        let expected = 2.5 * spinning * GRAVITY / (RADIUS * RADIUS) * 30.0 * f64::from(H);
        println!("{spinning} at {substeps} substeps: {lost:.3} of {expected:.3} rad/s");
        assert!((lost - expected).abs() < 0.1 * expected + 0.05, "{spinning}: {lost}, not {expected} rad/s");
    }
}

#[test]
fn rolling_friction_between_two_bodies_keeps_their_angular_momentum() {
    let ball = |x: f64, spin: f32| {
        let material = Material::default().with_alpha(1.0).with_beta(0.0).with_friction(0.5);
        let mut ball = Body::builder(shapes::sphere(RADIUS as f32, 3))
            .material(material.with_rolling_friction(0.02, 0.02))
            .model_with(|of: &mut ClusterSettings| of.matching = Matching::Rigid)
            .model_with(|of: &mut ClusterSettings| of.clustering = Clustering::One)
            .at(DVec3::X * x)
            .build()
            .expect("a ball");
        ball.set_motion(Vec3::X * (-x.signum() as f32), Vec3::new(spin, 0.0, 0.5 * spin)).expect("a motion");
        ball
    };
    let mut world = crate::common::weightless();
    let balls = [ball(-1.05 * RADIUS, 20.0), ball(1.05 * RADIUS, 0.0)].map(|ball| world.add_body(ball));
    let before = crate::surface::totals(&world).2;
    run(&mut world, 30);
    let after = crate::surface::totals(&world).2;
    let spin = spin(&world, balls[1]);
    println!("{before} became {after}, the other spins at {spin}");
    assert!(spin.x > 0.05, "the spin about the normal is handed on: {spin}");
    assert!((after - before).length() < 1e-3 * before.length(), "{before} became {after}");
}
