//! What hits something gives it its momentum.

use crate::Both;
use pliant::glam::DVec3;
use pliant_rapier::rapier3d::prelude::*;

#[test]
fn a_collision_keeps_momentum() {
    for mass in [2.0, 100.0, 5000.0] {
        let mut both = Both::weightless();
        let jelly = both.jelly([0.6, 0.6, 0.6], [0.0; 3]);
        let ball = both.ball(0.2, mass, [-1.0, 0.05, 0.1], [4.0, 0.0, 0.0]);
        both.step();
        let before = both.momentum();
        both.run(120);
        let after = both.momentum();
        let slip = (after - before).length() / before.length();
        println!("{mass} kg: momentum {before} → {after}, slip {slip:.2e}, ball {}", both.speed(ball));
        assert!(both.soft(jelly).velocity().x > 0.01, "the jelly was not hit");
        assert!(both.speed(ball).x < 3.99, "the ball was not stopped");
        assert!(slip < 1e-3, "{slip}");
    }
}

#[test]
fn a_fast_ball_does_not_pass_through() {
    for mass in [1.0, 30.0, 100.0, 200.0] {
        let mut both = Both::weightless();
        let jelly = both.jelly([0.6, 0.6, 0.6], [0.0; 3]);
        let ball = both.ball(0.15, mass, [-2.03, 0.0, 0.0], [30.0, 0.0, 0.0]);
        both.run(120);
        let (behind, ahead) = (both.speed(ball), both.soft(jelly).velocity());
        println!("{mass} kg: ball {behind}, jelly {ahead}");
        assert!(both.at(ball).x < both.soft(jelly).center_of_mass().x, "the ball of {mass} kg is through");
    }
}

#[test]
fn a_falling_jelly_moves_what_it_falls_on() {
    // It falls on one end of a plank on a pivot.
    let mut both = Both::new();
    let plank = both.cuboid([1.0, 0.05, 0.2], 20.0, [0.0, 0.5, 0.0]);
    let post = both.physics.insert_body(RigidBodyBuilder::fixed().translation(Vector::new(0.0, 0.5, 0.0)));
    both.physics.insert_impulse_joint(post, plank, RevoluteJointBuilder::new(Vector::Z));
    both.jelly([0.3, 0.3, 0.3], [0.8, 1.2, 0.0]);
    both.run(40);
    let tilt = both.physics.bodies[plank].rotation().to_array()[2];
    println!("the plank is tilted by {tilt}");
    assert!(tilt < -0.05, "{tilt}");
    assert!((both.at(plank) - DVec3::new(0.0, 0.5, 0.0)).length() < 0.02);
}

#[test]
fn a_body_of_many_colliders_is_not_pushed_many_times() {
    let mut both = Both::weightless();
    both.jelly([1.0, 0.4, 1.0], [0.0; 3]);
    let table = both.physics.insert_body(
        RigidBodyBuilder::dynamic()
            .translation(Vector::new(0.0, 1.0, 0.0))
            .linvel(Vector::new(0.0, -3.0, 0.0)),
    );
    for (x, z) in [(-0.3, -0.3), (-0.3, 0.3), (0.3, -0.3), (0.3, 0.3)] {
        let foot = ColliderBuilder::cuboid(0.1, 0.3, 0.1).translation(Vector::new(x, -0.3, z)).mass(10.0);
        both.physics.insert_collider(foot, Some(table));
    }
    both.step();
    let before = both.momentum();
    let mut fastest = f64::NEG_INFINITY;
    for _ in 0..90 {
        both.step();
        fastest = fastest.max(both.speed(table).y);
    }
    let slip = (both.momentum() - before).length() / before.length();
    println!("four feet: back at {fastest:.3} m/s, slip {slip:.2e}");
    assert!(fastest < 3.0, "{fastest}");
    assert!(slip < 1e-3, "{slip}");
}
