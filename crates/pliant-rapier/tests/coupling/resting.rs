//! What lies on something stays there.

use crate::{Both, watch};
use pliant_rapier::rapier3d::prelude::*;

/// Mass of the jelly in these tests, in kg.
const JELLY: f32 = 500.0;

fn ball_on_jelly(mass: f32) -> (Both, RigidBodyHandle) {
    let mut both = Both::new();
    both.floor();
    both.jelly([1.0, 0.5, 1.0], [0.0, 0.25, 0.0]);
    let ball = both.ball(0.2, mass, [0.0, 1.2, 0.0], [0.0; 3]);
    (both, ball)
}

#[test]
fn a_dropped_ball_comes_to_rest() {
    for mass in [JELLY / 50.0, JELLY / 5.0, JELLY] {
        let (mut both, ball) = ball_on_jelly(mass);
        both.run(420);
        let (height, shaking) = watch(&mut both, 60, |both| both.at(ball).y);
        let speed = both.speed(ball).length();
        println!("ball of {mass} kg rests at {height:.4} ± {shaking:.6}, {speed:.6} m/s");
        assert!(height > 0.35 && height < 0.75, "{mass} kg at {height}");
        assert!(shaking < 2e-3, "{mass} kg shakes by {shaking}");
        assert!(speed < 0.05, "{mass} kg at {speed} m/s");
    }
}

#[test]
fn a_resting_ball_falls_asleep_and_wakes_when_the_jelly_goes() {
    let (mut both, ball) = ball_on_jelly(20.0);
    both.run(600);
    assert!(both.physics.bodies[ball].is_sleeping(), "at {} m/s", both.speed(ball));
    let jelly = both.world.bodies().next().unwrap().0;
    both.world.remove_body(jelly).unwrap();
    both.run(60);
    assert!(both.at(ball).y < 0.25, "{}", both.at(ball));
}

#[test]
fn a_ball_fifty_times_as_heavy_goes_down_to_the_floor_and_breaks_nothing() {
    let (mut both, ball) = ball_on_jelly(50.0 * JELLY);
    let mut lowest = f64::INFINITY;
    for _ in 0..300 {
        both.step();
        lowest = lowest.min(both.at(ball).y);
    }
    println!("50 times as heavy: lowest {lowest:.4}, at last {:.4}", both.at(ball).y);
    assert!(lowest > 0.15, "{lowest}");
    let jelly = both.world.bodies().next().unwrap().1;
    assert!(jelly.nodes.positions.iter().all(|x| x.length() < 3.0));
}

#[test]
fn a_light_ball_is_not_thrown_off() {
    let (mut both, ball) = ball_on_jelly(JELLY / 5000.0);
    let mut highest = f64::NEG_INFINITY;
    for frame in 0..300 {
        both.step();
        if frame > 60 {
            highest = highest.max(both.at(ball).y);
        }
    }
    println!("0.1 kg: highest after the landing {highest:.4}, at last {:.4}", both.at(ball).y);
    assert!(highest < 1.2 && both.at(ball).y > 0.6, "{highest} {}", both.at(ball));
}

#[test]
fn a_jelly_is_carried_on_a_kinematic_box() {
    let mut both = Both::new();
    let lift = RigidBodyBuilder::kinematic_velocity_based()
        .translation(Vector::new(0.0, 0.0, 0.0))
        .linvel(Vector::new(0.5, 0.3, 0.0));
    let (lift, _) = both.physics.insert(lift, ColliderBuilder::cuboid(1.0, 0.1, 1.0));
    let jelly = both.jelly([0.5, 0.5, 0.5], [0.0, 0.36, 0.0]);
    both.run(180);
    let (at, lift) = (both.soft(jelly).center_of_mass(), both.at(lift));
    println!("the lift is at {lift}, the jelly at {at}");
    assert!((lift.x - 1.5).abs() < 0.02, "{lift}");
    assert!((at.x - lift.x).abs() < 0.1, "{at} {lift}");
    assert!((at.y - lift.y - 0.35).abs() < 0.05, "{at} {lift}");
}

#[test]
fn a_box_on_a_jelly_on_a_box_stands() {
    for (below, above) in [(500.0, 50.0), (150.0, 150.0), (50.0, 50.0)] {
        let mut both = Both::new();
        both.floor();
        let base = both.cuboid([0.5, 0.2, 0.5], below, [0.0, 0.2, 0.0]);
        let jelly = both.jelly([0.6, 0.4, 0.6], [0.0, 0.61, 0.0]);
        let top = both.cuboid([0.3, 0.1, 0.3], above, [0.0, 0.95, 0.0]);
        both.run(300);
        let (height, shaking) = watch(&mut both, 60, |both| both.at(top).y);
        let (base, middle) = (both.at(base), both.soft(jelly).center_of_mass());
        println!("{below}/144/{above} kg: base {base:.4}, jelly {middle:.4}, top {height:.4} ± {shaking:.6}");
        assert!((base.y - 0.2).abs() < 0.01, "{base}");
        assert!(middle.y > 0.5 && middle.y < 0.65, "{middle}");
        assert!(height > 0.7 && height < 0.95 && shaking < 2e-3, "{height} ± {shaking}");
        assert!(both.at(top).x.abs() < 0.1 && both.at(top).z.abs() < 0.1, "{}", both.at(top));
    }
}
