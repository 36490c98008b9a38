//! Nodes held to rigid bodies.

use crate::{Both, watch};
use pliant::glam::{DVec3, Vec3};
use pliant::{Material, Selection};
use pliant_rapier::AttachError;
use pliant_rapier::rapier3d::prelude::*;

fn top(height: f32) -> Selection {
    Selection::Box { min: Vec3::new(-9.0, height, -9.0), max: Vec3::splat(9.0) }
}

fn bottom(height: f32) -> Selection {
    Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(9.0, height, 9.0) }
}

/// Stiff enough to hang from.
fn strap() -> Material {
    Material::default().with_alpha(0.9).with_density(1000.0)
}

#[test]
fn a_jelly_bar_swings_with_a_pendulum() {
    let mut both = Both::new();
    let post = both.physics.insert_body(RigidBodyBuilder::fixed().translation(Vector::new(0.0, 3.0, 0.0)));
    let bob = both.cuboid([0.1, 0.1, 0.1], 20.0, [1.0, 3.0, 0.0]);
    let joint = RevoluteJointBuilder::new(Vector::Z).local_anchor2(Vector::new(-1.0, 0.0, 0.0));
    both.physics.insert_impulse_joint(post, bob, joint);
    let bar = both.jelly_of(strap(), [0.2, 0.6, 0.2], [1.0, 2.6, 0.0]);
    let held = both.coupling.attach(&mut both.world, &both.physics, bar, &top(0.2), bob).unwrap();
    let (mut lowest, mut farthest) = (f64::INFINITY, 0.0f64);
    for _ in 0..240 {
        both.step();
        lowest = lowest.min(both.at(bob).y);
        farthest = farthest.max((both.at(bob) - DVec3::new(0.0, 3.0, 0.0)).length());
        let gap = (both.soft(bar).center_of_mass() - both.at(bob)).length();
        assert!(gap < 1.0, "the bar is {gap} m from the pendulum");
    }
    println!("the pendulum went down to {lowest:.3}, {farthest:.3} m from its post");
    assert!((1.9..2.2).contains(&lowest), "{lowest}");
    assert!(farthest < 1.1, "{farthest}");
    both.coupling.detach(&mut both.world, held).unwrap();
    both.run(60);
    let gap = (both.soft(bar).center_of_mass() - both.at(bob)).length();
    assert!(gap > 1.0, "the bar did not fall off: {gap}");
}

#[test]
fn a_weight_hangs_on_a_strap() {
    for times in [0.1, 1.0, 3.0, 10.0] {
        let mut both = Both::new();
        let soft = both.jelly_of(strap(), [0.2, 1.0, 0.2], [0.0, 0.0, 0.0]);
        let mass = both.soft(soft).rest().nodes.total_mass as f32;
        both.world.pin(soft, &top(0.35)).unwrap();
        let weight = both.cuboid([0.15, 0.1, 0.15], times * mass, [0.0, -0.65, 0.0]);
        both.coupling.attach(&mut both.world, &both.physics, soft, &bottom(-0.4), weight).unwrap();
        both.run(900);
        let (height, shaking) = watch(&mut both, 60, |both| both.at(weight).y);
        println!("{times} times the strap's {mass} kg hangs at {height:.4} ± {shaking:.6}");
        assert!(height < -0.6 && height > -1.6, "{height}");
        assert!(shaking < 0.01, "{shaking}");
    }
}

#[test]
fn a_weight_on_two_straps_is_held_once() {
    let mut both = Both::new();
    let weight = both.cuboid([0.6, 0.1, 0.15], 60.0, [0.0, -0.65, 0.0]);
    for x in [-0.5, 0.5] {
        let soft = both.jelly_of(strap(), [0.2, 1.0, 0.2], [x, 0.0, 0.0]);
        both.world.pin(soft, &top(0.35)).unwrap();
        both.coupling.attach(&mut both.world, &both.physics, soft, &bottom(-0.4), weight).unwrap();
    }
    both.run(400);
    let (height, shaking) = watch(&mut both, 60, |both| both.at(weight).y);
    println!("60 kg on two straps hang at {height:.4} ± {shaking:.6}");
    assert!(height < -0.6 && height > -1.2 && shaking < 0.01, "{height} ± {shaking}");
}

#[test]
fn a_thrown_pair_keeps_its_momentum() {
    let mut both = Both::weightless();
    let soft = both.jelly([0.2, 0.8, 0.2], [0.0, 0.0, 0.0]);
    let weight = both.cuboid([0.1, 0.1, 0.1], 50.0, [0.0, -0.55, 0.0]);
    both.coupling.attach(&mut both.world, &both.physics, soft, &bottom(-0.3), weight).unwrap();
    both.physics.bodies[weight].set_linvel(Vector::new(2.0, 0.0, 1.0), true);
    both.physics.bodies[weight].set_angvel(Vector::new(0.0, 3.0, 1.0), true);
    let before = DVec3::new(100.0, 0.0, 50.0);
    both.run(120);
    let slip = (both.momentum() - before).length() / before.length();
    println!("slip {slip:.2e}");
    assert!(slip < 1e-3, "{before} {}", both.momentum());
}

#[test]
fn a_kinematic_body_carries_nodes() {
    let mut both = Both::new();
    let arm = RigidBodyBuilder::kinematic_velocity_based().angvel(Vector::new(0.0, 1.0, 0.0));
    let arm = both.physics.insert_body(arm.linvel(Vector::new(0.0, 0.2, 0.0)));
    let soft = both.jelly_of(strap(), [0.2, 0.6, 0.2], [1.0, -0.3, 0.0]);
    both.coupling.attach(&mut both.world, &both.physics, soft, &top(0.1), arm).unwrap();
    both.run(120);
    let (sin, cos) = 2.0f64.sin_cos();
    let at = both.soft(soft).center_of_mass();
    let there = DVec3::new(cos, 0.1, -sin);
    println!("{at} should be about {there}");
    assert!((at - there).length() < 0.15, "{at} {there}");
}

#[test]
fn what_is_not_there_cannot_be_attached() {
    let mut both = Both::new();
    let soft = both.jelly([0.2, 0.2, 0.2], [0.0; 3]);
    let ball = both.ball(0.1, 1.0, [0.0, 1.0, 0.0], [0.0; 3]);
    both.physics.remove_body(ball);
    let error = both.coupling.attach(&mut both.world, &both.physics, soft, &Selection::All, ball);
    assert_eq!(error, Err(AttachError::NoSuchRigid(ball)));
}
