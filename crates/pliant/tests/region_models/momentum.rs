//! What the matching conserves, and what damping takes.

use super::*;

#[test]
fn a_body_at_rest_stays_so_however_it_is_turned() {
    let mut random = Random::new(1);
    for (name, make) in MODELS {
        for _ in 0..4 {
            let body = make(bar(), CELL).turned(random.rotation()).build().expect("a body");
            let before = body.nodes.positions.clone();
            let mut world = weightless();
            let handle = world.add_body(body);
            common::run(&mut world, 300, H);
            let body = world.body(handle).expect("there");
            let moved =
                body.nodes.positions.iter().zip(&before).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(moved < 1e-5, "{name}: moved by {moved} m");
            assert!(deformation(body) < 1e-5, "{name}");
        }
    }
}

#[test]
fn momentum_is_conserved_over_2000_steps() {
    for (name, make) in MODELS {
        let plastic = Some(Plasticity { yield_strain: 0.05, creep_per_sec: 2.0, max_strain: 0.6 });
        let materials =
            [undamped(), Material::default(), undamped().with_alpha(1.0).with_plasticity(plastic)];
        for (k, material) in materials.into_iter().enumerate() {
            let body = thrown(make, material, 7 + k as u64);
            let (linear, angular) = momentum(&body);
            let mut world = weightless();
            let handle = world.add_body(body);
            let steps = if k == 0 { 2000 } else { 300 };
            for step in 1..=steps {
                let report = world.step(H);
                assert_eq!(report.contained, 0);
                if step % 100 == 0 {
                    let (now, turning) = momentum(world.body(handle).expect("there"));
                    let off = (now - linear).length() / linear.length();
                    let twisted = (turning - angular).length() / angular.length();
                    assert!(off < 1e-5, "{name}, material {k}, step {step}: linear drifts by {off:.1e}");
                    assert!(twisted < 1e-3, "{name}, material {k}, step {step}: angular by {twisted:.1e}");
                }
            }
        }
    }
}

/// Where each node is pulled from where it is, by nothing but gather, fit and scatter: without what the step takes out of all
/// pulls at its end.
fn pulls(body: &Body) -> Vec<DVec3> {
    let (sums, constants, shares, state) = parts(body);
    let nodes = body.nodes.positions.iter().zip(&body.nodes.velocities).zip(&shares.masses);
    let fields: Vec<_> = nodes.map(|((x, v), &share)| fit::field(*x, *v, share)).collect();
    let mut moments = sums.gather(&fields);
    let mut rotations: Vec<Quatx8> = state.rotations.clone();
    let pull = Pull { alpha: 1.0, damping: 0.5, bulk: None, h: H };
    let of_regions = moments.chunks_mut(fit::BLOCK).zip(constants.chunks(fit::BLOCK / 8));
    for ((moments, constants), rotations) in of_regions.zip(rotations.chunks_mut(fit::BLOCK / 8)) {
        let mut maps = vec![Mat3x8::default(); constants.len()];
        let block = fit::Block { moments, constants, rotations, plastic: &mut [], maps: &mut maps };
        fit::goals(block, None, &pull);
    }
    let scattered = sums.scatter(&moments);
    scattered
        .iter()
        .zip(&shares.inverse)
        .zip(&body.nodes.positions)
        .map(|((field, &inverse), x)| {
            let field = field.0.map(|value| f64::from(value) * f64::from(inverse));
            DVec3::from_slice(&field) - x.as_dvec3() * (1.0 - field[6])
        })
        .collect()
}

#[test]
fn goals_have_the_momentum_of_the_nodes_before_anything_is_corrected() {
    for (name, make) in MODELS {
        for seed in 0..6 {
            let mut body = thrown(make, undamped(), seed);
            let mut random = Random::new(100 + seed);
            if seed >= 3 {
                body.nodes.positions.iter_mut().for_each(|x| *x = random.vec3());
            }
            let pulls = pulls(&body);
            let masses = &body.rest().nodes.masses;
            let nodes = masses.iter().zip(&body.nodes.positions).zip(&pulls);
            let (mut shift, mut turn, mut pull, mut torque) = (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0);
            for ((&m, x), by) in nodes {
                let (m, x) = (f64::from(m), x.as_dvec3());
                shift += m * *by;
                turn += m * x.cross(*by);
                pull += m * by.length();
                torque += m * x.length() * by.length();
            }
            assert!(pull > 0.0);
            let (off, twisted) = (shift.length() / pull, turn.length() / torque);
            assert!(off < 1e-5, "{name}, state {seed}: goals are off by {off:.1e} of all pulls");
            assert!(twisted < 1e-5, "{name}, state {seed}: goals are turned by {twisted:.1e} of all torques");
        }
    }
}

#[test]
fn spinning_is_not_damped_and_wobbling_is() {
    for (name, make) in MODELS {
        let material = Material::default().with_damping(2.0).with_alpha(1.0);
        let build = || make(bar(), CELL).material(material);
        let body = build()
            .velocity(Vec3::new(3.0, -1.0, 2.0))
            .spin(Vec3::new(1.0, 2.0, -1.0))
            .build()
            .expect("a body");
        let ((linear, angular), energy) = (momentum(&body), common::kinetic_energy(&body));
        let mut world = weightless();
        let handle = world.add_body(body);
        common::run(&mut world, 500, 1e-3);
        let body = world.body(handle).expect("there");
        let (now, turning) = momentum(body);
        assert!((now - linear).length() < 1e-5 * linear.length(), "{name}");
        assert!((turning - angular).length() < 1e-3 * angular.length(), "{name}");
        let lost = 1.0 - common::kinetic_energy(body) / energy;
        assert!(lost.abs() < 1e-3, "{name}: rigid motion lost {lost:.1e} of its energy");

        let mut body = build().build().expect("a body");
        let nodes = body.nodes.velocities.iter_mut().zip(&body.nodes.positions);
        nodes.for_each(|(v, x)| *v = Vec3::new(x.y * 8.0, 0.0, 0.0).sin());
        let (_, angular) = momentum(&body);
        let before = common::kinetic_energy(&body);
        let handle = world.add_body(body);
        common::run(&mut world, 500, 1e-3);
        let body = world.body(handle).expect("there");
        let (linear, _) = momentum(body);
        // What is left may only be the rigid motion that was in it.
        let mass = body.rest().nodes.total_mass;
        let spin = angular.length_squared() / (2.0 * mass * 0.02);
        let rigid = linear.length_squared() / (2.0 * mass) + spin;
        let left = common::kinetic_energy(body);
        assert!(left < 0.1 * before + rigid, "{name}: {left} J of {before} J are left, {rigid} J rigid");
    }
}

#[test]
fn elastic_energy_is_there_after_a_step_that_strained_the_body() {
    for (name, make) in MODELS {
        let mut body = make(bar(), CELL).build().expect("a body");
        deform(&mut body, Mat3::from_diagonal(Vec3::new(1.2, 0.9, 1.0)));
        let mut world = weightless();
        let handle = world.add_body(body);
        world.step(1e-3);
        let strained = world.energy().elastic;
        assert!(strained > 0.0, "{name}: {strained} J");
        world.body_mut(handle).expect("there").place(DVec3::ZERO, Quat::IDENTITY).expect("a place");
        world.step(1e-3);
        let relaxed = world.energy().elastic;
        assert!(relaxed < 1e-6 * strained, "{name}: {relaxed} J");
    }
}
