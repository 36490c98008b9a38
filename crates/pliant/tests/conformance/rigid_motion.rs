//! A rigid motion of the rest shape is a fixed point: nothing inside the body acts on it.

use super::*;

#[test]
fn a_body_at_rest_stays_so_however_it_is_turned() {
    let mut random = Random::new(1);
    for model in MODELS {
        for (made_of, material) in model.materials() {
            for settings in model.settings(SPACING) {
                let (place, turn) = (DVec3::new(12.0, -3.0, 5.0), random.rotation());
                let which = format!("{}, {made_of}, {settings:?}", model.word);
                let body = settings.builder(block()).material(material).at(place).turned(turn);
                let body = body.build().unwrap();
                let before = body.nodes.positions.clone();
                let mut world = weightless();
                let handle = world.add_body(body);
                run(&mut world, 300, H);
                let body = world.body(handle).unwrap();
                let pairs = body.nodes.positions.iter().zip(&before);
                let moved = pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                assert!(moved < 1e-5, "{which}: moved by {moved:.1e} m");
                assert!(deformation(body) < 1e-5, "{which}: {}", deformation(body));
            }
        }
    }
}

#[test]
fn a_body_that_flies_keeps_its_shape() {
    for model in MODELS {
        for (made_of, material) in model.materials() {
            let turn = Random::new(2).rotation();
            let body = model.body(block(), SPACING).material(material).turned(turn);
            let mut world = weightless();
            let handle = world.add_body(body.velocity([300.0, -100.0, 200.0]).build().unwrap());
            run(&mut world, 600, H);
            let body = world.body(handle).unwrap();
            let off = body.center_of_mass().distance(DVec3::new(3000.0, -1000.0, 2000.0));
            assert!(off < 0.1, "{}, {made_of}: {off} m from where it should be", model.word);
            let deformed = deformation(body);
            assert!(deformed < 1e-4, "{}, {made_of}: its shape is off by {deformed:.1e}", model.word);
        }
    }
}

#[test]
fn a_body_that_spins_keeps_its_shape_and_energy_however_it_is_damped() {
    for model in MODELS {
        for damping in [0.0, 2.0] {
            let material = (model.elastic)(1.0).with_damping(damping);
            let (velocity, spin) = ([3.0, -1.0, 2.0], [0.3, 1.0, -0.2]);
            let body = model.body(block(), SPACING).material(material).velocity(velocity).spin(spin);
            let body = body.build().unwrap();
            let ((linear, angular), energy) = (momentum(&body), common::kinetic_energy(&body));
            let mut world = weightless();
            let handle = world.add_body(body);
            run(&mut world, 600, 1.0 / 600.0);
            let body = world.body(handle).unwrap();
            let (now, turning) = momentum(body);
            assert!((now - linear).length() < 1e-5 * linear.length(), "{}: {linear} {now}", model.word);
            assert!((turning - angular).length() < 1e-3 * angular.length(), "{}", model.word);
            let lost = 1.0 - common::kinetic_energy(body) / energy;
            assert!(lost.abs() < 2e-3, "{}: rigid motion lost {lost:.1e} of its energy", model.word);
            let deformed = deformation(body);
            assert!(deformed < 1e-2, "{}: its shape is off by {deformed:.1e}", model.word);
        }
    }
}
