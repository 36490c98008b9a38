//! What holds a body together changes neither its linear nor its angular momentum.

use super::*;

/// Relative drift of linear and angular momentum, the worst on the way.
fn drift(body: Body, steps: usize, h: f32) -> (f64, f64) {
    let (linear, angular) = momentum(&body);
    let mut world = weightless();
    let handle = world.add_body(body);
    let mut worst = (0.0_f64, 0.0_f64);
    for _ in 0..steps / 50 {
        run(&mut world, 50, h);
        let (now, turning) = momentum(world.body(handle).unwrap());
        worst.0 = worst.0.max((now - linear).length() / linear.length());
        worst.1 = worst.1.max((turning - angular).length() / angular.length());
    }
    worst
}

#[test]
fn a_free_body_keeps_its_momenta_over_2000_steps() {
    for model in MODELS {
        for (made_of, material) in model.materials() {
            for damping in [0.0, 0.5] {
                let body = thrown(model, material.with_damping(damping), 1.0, 7);
                let (linear, angular) = drift(body, 2000, H);
                assert!(linear < 1e-5, "{}, {made_of}: linear drifts by {linear:.1e}", model.word);
                assert!(angular < 1e-4, "{}, {made_of}: angular drifts by {angular:.1e}", model.word);
            }
        }
    }
}

#[test]
fn short_and_long_steps_keep_them_too() {
    for model in MODELS {
        for settings in model.settings(SPACING) {
            for h in [1e-4, 1e-3, 0.1] {
                let which = format!("{settings:?}, steps of {h} s");
                let body = thrown_of(settings.clone(), (model.elastic)(0.3).with_damping(0.0), 1.0, 8);
                let (linear, angular) = drift(body, 1000, h);
                assert!(linear < 1e-5, "{which}: linear drifts by {linear:.1e}");
                assert!(angular < 1e-4, "{which}: angular drifts by {angular:.1e}");
            }
        }
    }
}

#[test]
fn a_grain_and_a_mountain_keep_them_too() {
    for model in MODELS {
        for scale in [1e-3, 1e3] {
            let body = thrown(model, (model.elastic)(0.3).with_damping(0.0), scale, 9);
            let (linear, angular) = drift(body, 1000, H);
            assert!(linear < 1e-5, "{} of {scale} m: linear drifts by {linear:.1e}", model.word);
            assert!(angular < 1e-4, "{} of {scale} m: angular drifts by {angular:.1e}", model.word);
        }
    }
}
