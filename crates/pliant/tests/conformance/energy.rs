//! What holds a body together gives it no energy.

use super::*;

/// Steps, and how much of its energy at first a body may have as motion. A pull is a spring that is taken over the whole step: it
/// swings around the energy that it has, and the less far the shorter the step.
const BOUNDS: [(f32, f64); 3] = [(1e-3, 1.05), (1.0 / 240.0, 1.1), (1.0 / 60.0, 1.4)];

#[test]
fn a_free_body_that_is_not_damped_never_moves_more_than_at_first() {
    for model in MODELS {
        for stiffness in [0.05, 0.3, 1.0] {
            for (h, bound) in BOUNDS {
                let material = damped((model.elastic)(stiffness), 0.0);
                let mut body = model.body(block(), SPACING).material(material).build().unwrap();
                let mut random = Random::new(6);
                // From the rest shape, where nothing but motion has energy.
                body.nodes.velocities.iter_mut().for_each(|v| *v = random.vec3());
                let start = common::kinetic_energy(&body);
                let mut world = weightless();
                let handle = world.add_body(body);
                for step in 0..2000 {
                    run(&mut world, 1, h);
                    let part = common::kinetic_energy(world.body(handle).unwrap()) / start;
                    let word = model.word;
                    assert!(part < bound, "{word} of {stiffness}, steps of {h} s: × {part} in step {step}");
                }
            }
        }
    }
}
