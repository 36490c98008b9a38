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
