//! Any state, any step.

use super::*;

fn nothing_blows_up(states: std::ops::Range<u64>) {
    let sound = MODELS.map(|(name, make)| (name, make(small(), 0.25).build().expect("a body")));
    for seed in states {
        let mut random = Random::new(seed);
        let (name, body) = &sound[random.below(sound.len())];
        let mut body = body.clone();
        body.material = Material::default()
            .with_alpha([0.0, 1.0, random.unit()][random.below(3)])
            .with_damping([0.0, 0.3, random.magnitude(0.01, 1e3)][random.below(3)])
            .with_plasticity([None, Some(Plasticity::default())][random.below(2)]);
        let kind = spoil(&mut body, &mut random);
        let speed = random.magnitude(1e-3, 1e4);
        body.nodes.velocities.iter_mut().for_each(|v| *v = speed * random.vec3());
        let h = random.magnitude(1e-6, 1.0);
        let material = body.material;
        let mut world = weightless();
        let handle = world.add_body(body);
        for _ in 0..40 {
            let contained = world.step(h).contained;
            assert!(
                contained == 0 && is_finite(world.body(handle).expect("there")),
                "{name}, state {seed}, {kind} at {speed} m/s, steps of {h} s: {contained} contained; {material:?}"
            );
        }
    }
}

#[test]
fn nothing_blows_up_from_500_states_at_any_step() {
    nothing_blows_up(0..500);
}

#[test]
#[ignore = "long: 20,000 states"]
fn nothing_blows_up_from_20000_states_at_any_step() {
    nothing_blows_up(500..20_500);
}

fn comes_back(states: std::ops::Range<u64>) {
    let sound = MODELS.map(|(name, make)| (name, make(small(), 0.25).build().expect("a body")));
    let mut stuck = Vec::new();
    for seed in states {
        let mut random = Random::new(seed);
        let (name, body) = &sound[random.below(sound.len())];
        let mut body = body.clone();
        body.material = Material::default().with_alpha(random.between(0.2, 1.0));
        let kind = spoil(&mut body, &mut random);
        let speed = random.magnitude(1e-3, 10.0);
        body.nodes.velocities.iter_mut().for_each(|v| *v = speed * random.vec3());
        let h = random.magnitude(2e-3, 1.0);
        let mut world = weightless();
        let handle = world.add_body(body);
        let mut off = f64::INFINITY;
        for _ in 0..40 {
            common::run(&mut world, 50, h);
            // What still spins is stretched by it: the spin is taken out.
            let body = world.body_mut(handle).expect("there");
            let velocity = body.velocity().as_vec3();
            body.nodes.velocities.fill(velocity);
            off = deformation(body);
            if off < 1e-3 {
                break;
            }
        }
        if off >= 1e-3 {
            stuck.push(format!("{name}, state {seed}, {kind}, steps of {h} s: off by {off:.1e}"));
        }
    }
    assert!(stuck.is_empty(), "{} are stuck:\n{}", stuck.len(), stuck.join("\n"));
}

#[test]
fn a_body_left_alone_comes_back_from_500_states() {
    comes_back(0..500);
}
