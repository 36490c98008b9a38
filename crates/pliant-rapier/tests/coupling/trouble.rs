//! What is wrong in one world stays there.

use crate::{Both, DT};
use pliant::Selection;
use pliant::glam::Vec3;
use pliant_rapier::rapier3d::prelude::*;

fn resting() -> (Both, pliant::BodyHandle, RigidBodyHandle) {
    let mut both = Both::new();
    both.floor();
    let jelly = both.jelly([0.6, 0.4, 0.6], [0.0, 0.2, 0.0]);
    let ball = both.ball(0.2, 30.0, [0.0, 0.65, 0.0], [0.0; 3]);
    both.coupling.attach(&mut both.world, &both.physics, jelly, &Selection::Nodes(vec![0]), ball).unwrap();
    both.run(30);
    (both, jelly, ball)
}

fn assert_finite(both: &Both, jelly: pliant::BodyHandle) {
    let body = both.soft(jelly);
    assert!(body.nodes.positions.iter().chain(&body.nodes.velocities).all(|x| x.is_finite()));
    assert!(both.world.colliders().all(|(_, c)| c.position.is_finite() && c.velocity.is_finite()));
    for (_, body) in both.physics.bodies.iter().filter(|(_, body)| body.is_enabled()) {
        assert!(body.translation().is_finite() && body.linvel().is_finite());
    }
}

#[test]
fn a_rigid_body_that_is_not_finite_does_not_infect_soft_ones() {
    let wrongs: [fn(&mut RigidBody); 4] = [
        |body| body.set_translation(Vector::NAN, true),
        |body| body.set_linvel(Vector::INFINITY, true),
        |body| body.set_angvel(Vector::NAN, true),
        |body| body.add_force(Vector::NAN, true),
    ];
    for wrong in wrongs {
        let (mut both, jelly, ball) = resting();
        wrong(&mut both.physics.bodies[ball]);
        for _ in 0..30 {
            both.step();
            assert_finite(&both, jelly);
        }
    }
}

#[test]
fn a_soft_body_that_is_not_finite_does_not_infect_rigid_ones() {
    for value in [f32::NAN, f32::INFINITY, 1e30] {
        let (mut both, jelly, ball) = resting();
        let nodes = &mut both.world.body_mut(jelly).unwrap().nodes;
        nodes.positions[3] = Vec3::splat(value);
        nodes.velocities[0] = Vec3::splat(value);
        nodes.velocities[7] = Vec3::splat(value);
        for _ in 0..30 {
            both.step();
            assert_finite(&both, jelly);
        }
        let ball = &both.physics.bodies[ball];
        assert!(ball.is_enabled() && ball.linvel().length() < 10.0, "{value}: {}", ball.linvel());
    }
}

#[test]
fn a_step_of_no_length_is_refused() {
    let (mut both, _, ball) = resting();
    let before = both.at(ball);
    for dt in [0.0, -DT, f32::NAN, f32::INFINITY] {
        assert!(both.coupling.step(&mut both.world, &mut both.physics, dt).refused);
    }
    assert_eq!(both.at(ball), before);
}
