//! What holds a body together has a potential, and gives it no energy.

use super::*;
use pliant::nodes::NodeState;

#[test]
fn forces_are_the_gradient_of_the_energy() {
    // So short that a step is its beginning, so far that floats can tell.
    const STEP_SECS: f32 = 1e-4;
    const FAR: f32 = 2e-3;
    for model in MODELS {
        for settings in model.settings(SPACING) {
            let mut body = thrown_of(settings.clone(), (model.elastic)(0.3), 1.0, 12);
            body.refresh();
            let rest = &body.rest().nodes;
            let energy = |nodes: &NodeState| body.model.energy(rest, nodes, &body.material, STEP_SECS);
            let forces = body.elastic_forces(STEP_SECS, STEP_SECS);
            let mut random = Random::new(13);
            for _ in 0..5 {
                let directions: Vec<Vec3> = rest.masses.iter().map(|_| random.vec3()).collect();
                let at = |far: f32| {
                    let mut nodes = body.nodes.clone();
                    nodes.positions.iter_mut().zip(&directions).for_each(|(x, d)| *x += far * *d);
                    energy(&nodes)
                };
                let slope = (at(FAR) - at(-FAR)) / (2.0 * f64::from(FAR));
                let pairs = || forces.iter().zip(&directions);
                let work: f64 = pairs().map(|(f, d)| f.as_dvec3().dot(d.as_dvec3())).sum();
                let size: f64 = pairs().map(|(f, d)| f64::from(f.length() * d.length())).sum();
                let off = (slope + work).abs() / size;
                assert!(off < 0.01, "{settings:?}: {slope} J/m against {work} N, off by {off}");
            }
        }
    }
}

/// Steps, and how much of its energy at first a body may have as motion. A pull is a spring that is taken over the whole step: it
/// swings around the energy that it has, and the less far the shorter the step.
const BOUNDS: [(f32, f64); 3] = [(1e-3, 1.05), (1.0 / 240.0, 1.1), (1.0 / 60.0, 1.4)];

#[test]
fn a_free_body_that_is_not_damped_never_moves_more_than_at_first() {
    for model in MODELS {
        for stiffness in [0.05, 0.3, 1.0] {
            for (h, bound) in BOUNDS {
                let material = (model.elastic)(stiffness).with_damping(0.0);
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
