//! Inverted, flattened and scrambled starts: nothing blows up, and a body left alone comes back.

use super::*;

/// A block with each of the model's settings.
fn sound(model: &Entry) -> Vec<Body> {
    let build = |settings: Wanted| settings.builder(block()).build().unwrap();
    model.settings(SPACING).into_iter().map(build).collect()
}

/// Some states of each model, at any step and speed, of any stiffness.
fn nothing_blows_up(states: std::ops::Range<u64>) {
    for model in MODELS {
        let sound = sound(model);
        for seed in states.clone() {
            let mut random = Random::new(seed);
            let mut body = sound[random.below(sound.len())].clone();
            let stiffness = [0.0, 1.0, random.unit()][random.below(3)];
            let elastic = (model.elastic)(stiffness);
            let material = [Some(elastic), model.plastic.map(|plastic| plastic())][random.below(2)];
            let damping = [0.0, 0.3, random.magnitude(0.01, 1e3)][random.below(3)];
            body.material = material.unwrap_or(elastic).with_damping(damping);
            let kind = common::spoil(&mut body, &mut random);
            let speed = random.magnitude(1e-3, 1e4);
            body.nodes.velocities.iter_mut().for_each(|v| *v = speed * random.vec3());
            let h = random.magnitude(1e-6, 1.0);
            let material = body.material;
            let mut world = weightless();
            let handle = world.add_body(body);
            for _ in 0..40 {
                let contained = world.step(h).contained;
                assert!(
                    contained == 0 && is_finite(world.body(handle).unwrap()),
                    "{}, state {seed}, {kind} at {speed} m/s, steps of {h} s: {contained} contained; {material:?}",
                    model.word
                );
            }
        }
    }
}

/// Some states of each model: it comes back to its rest shape, the right way round.
fn comes_back(states: std::ops::Range<u64>) {
    let mut stuck = Vec::new();
    for model in MODELS {
        let sound = sound(model);
        for seed in states.clone() {
            let mut random = Random::new(seed);
            let mut body = sound[random.below(sound.len())].clone();
            body.material = (model.elastic)(random.between(0.2, 1.0));
            let kind = common::spoil(&mut body, &mut random);
            let speed = random.magnitude(1e-3, 10.0);
            body.nodes.velocities.iter_mut().for_each(|v| *v = speed * random.vec3());
            let h = random.magnitude(2e-3, 1.0);
            let mut world = weightless();
            let handle = world.add_body(body);
            let mut off = f64::INFINITY;
            for _ in 0..60 {
                run(&mut world, 50, h);
                // What still spins is stretched by it: the spin is taken out.
                let body = world.body_mut(handle).unwrap();
                let velocity = body.velocity().as_vec3();
                body.nodes.velocities.fill(velocity);
                off = deformation(body);
                if off < 1e-3 {
                    break;
                }
            }
            let volume = world.body(handle).unwrap().volume_ratio();
            if off >= 1e-3 || volume < 0.9 {
                stuck.push(format!(
                    "{}, state {seed}, {kind}, steps of {h} s: off by {off:.1e}, volume × {volume:.2}",
                    model.word
                ));
            }
        }
    }
    assert!(stuck.is_empty(), "{} are stuck:\n{}", stuck.len(), stuck.join("\n"));
}

#[test]
fn nothing_blows_up_from_1000_states_at_any_step() {
    nothing_blows_up(0..1000);
}

#[test]
fn a_body_left_alone_comes_back_from_1000_states() {
    comes_back(0..1000);
}

#[test]
#[ignore = "long: 10,000 states of each model"]
fn nothing_blows_up_from_10000_states_at_any_step() {
    nothing_blows_up(1000..11_000);
}

#[test]
#[ignore = "long: 10,000 states of each model"]
fn a_body_left_alone_comes_back_from_10000_states() {
    comes_back(1000..11_000);
}

#[test]
fn half_a_turn_between_steps_is_no_trouble() {
    for model in MODELS {
        let mut world = weightless();
        let handle = world.add_body(model.body(block(), SPACING).build().unwrap());
        for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE.normalize()] {
            let half = Quat::from_axis_angle(axis, std::f32::consts::PI);
            let body = world.body_mut(handle).unwrap();
            body.nodes.positions.iter_mut().for_each(|x| *x = half * *x);
            run(&mut world, 60, H);
            let off = deformation(world.body(handle).unwrap());
            assert!(off < 1e-4, "{}, about {axis}: {off:.1e}", model.word);
        }
    }
}

#[test]
fn what_is_not_finite_is_contained_and_the_body_goes_on() {
    for model in MODELS {
        for bad in [f32::NAN, f32::INFINITY, 1e30] {
            for in_velocity in [false, true] {
                let mut world = weightless();
                let handle = world.add_body(model.body(block(), SPACING).build().unwrap());
                run(&mut world, 5, H);
                let nodes = &mut world.body_mut(handle).unwrap().nodes;
                let of = if in_velocity { &mut nodes.velocities } else { &mut nodes.positions };
                of[3].y = bad;
                let contained = world.step(H).contained;
                assert!(contained > 0, "{}, {bad} in a velocity: {in_velocity}", model.word);
                run(&mut world, 240, H);
                let body = world.body(handle).unwrap();
                let off = if is_finite(body) { deformation(body) } else { f64::NAN };
                assert!(off < 0.02, "{}, {bad} in a velocity: {in_velocity}: off by {off:.1e}", model.word);
            }
        }
    }
}
