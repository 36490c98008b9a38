//! Forces inside a body change neither its linear nor its angular momentum.

mod common;

use common::{Random, clusterings, clusters, momentum, small_box, weightless};
use pliant::glam::{DVec3, Mat3, Vec3};
use pliant::{AreaCap, Body, Clustering, GoalSettings, Matching, Material, ParticleSettings, Plasticity};

const STEPS: usize = 10_000;
const MATCHINGS: [Matching; 3] = [Matching::Rigid, Matching::Linear, Matching::Quadratic];

/// A stretched, sheared and dented box that flies and spins, with every node trembling.
fn thrown(clustering: Clustering, settings: GoalSettings, material: Material) -> Body {
    let mut body = small_box()
        .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering)
        .model_with(|of: &mut pliant::ClusterSettings| of.set_goals(settings))
        .material(material)
        .velocity(Vec3::new(3.0, -1.0, 2.0))
        .spin(Vec3::new(1.0, 4.0, -2.0))
        .build()
        .expect("a body");
    let mut random = Random::new(7);
    let map = Mat3::from_cols(Vec3::new(1.3, 0.1, 0.0), Vec3::new(0.2, 0.8, 0.1), Vec3::new(0.0, -0.1, 1.1));
    for (x, v) in body.nodes.positions.iter_mut().zip(&mut body.nodes.velocities) {
        *x = map * *x + 0.05 * random.vec3();
        *v += 0.5 * random.vec3();
    }
    body
}

/// Relative drift of linear and angular momentum over all steps, the worst on the way.
fn drift(body: Body, h: f32, steps: usize) -> (f64, f64) {
    let mut world = weightless();
    let (linear, angular) = momentum(&body);
    let handle = world.add_body(body);
    let mut worst = (0.0_f64, 0.0_f64);
    for step in 1..=steps {
        let report = world.step(h);
        assert_eq!(report.contained, 0);
        if step % 100 == 0 {
            let (now_linear, now_angular) = momentum(world.body(handle).expect("there"));
            worst.0 = worst.0.max((now_linear - linear).length() / linear.length());
            worst.1 = worst.1.max((now_angular - angular).length() / angular.length());
        }
    }
    worst
}

fn conserves(name: &str, settings: GoalSettings, material: Material, clusterings: &[Clustering], h: f32) {
    for clustering in clusterings {
        let body = thrown(clustering.clone(), settings, material);
        let (linear, angular) = drift(body, h, STEPS);
        println!("{name} {clustering:?} {:?}: linear {linear:.1e}, angular {angular:.1e}", settings.matching);
        assert!(linear < 1e-4, "{name} {clustering:?} {settings:?}: linear momentum drifts by {linear:.2e}");
        assert!(
            angular < 1e-2,
            "{name} {clustering:?} {settings:?}: angular momentum drifts by {angular:.2e}"
        );
    }
}

fn undamped() -> Material {
    Material::default().with_damping(0.0)
}

#[test]
fn matching_of_every_kind_conserves_momentum_over_10000_steps() {
    for matching in MATCHINGS {
        let settings = GoalSettings { matching, preserve_volume: false, ..GoalSettings::default() };
        conserves("plain", settings, undamped(), &clusterings(), 1.0 / 60.0);
    }
}

#[test]
fn volume_preservation_conserves_momentum() {
    for matching in [Matching::Linear, Matching::Quadratic] {
        let settings = GoalSettings { matching, preserve_volume: true, ..GoalSettings::default() };
        conserves("volume", settings, undamped(), &clusterings(), 1.0 / 60.0);
    }
}

#[test]
fn area_caps_conserve_momentum() {
    for (i, area_cap) in common::caps().into_iter().flatten().enumerate() {
        for matching in [Matching::Linear, Matching::Quadratic] {
            // Tight, so that the cap works all the time.
            let cap = if area_cap.limit > 3.0 {
                AreaCap { limit: 3.3, soft_from: area_cap.soft_from.map(|_| 3.1), ..area_cap }
            } else {
                AreaCap { limit: 1.1, soft_from: area_cap.soft_from.map(|_| 1.05), ..area_cap }
            };
            let settings = GoalSettings { matching, area_cap: Some(cap), ..GoalSettings::default() };
            let material = undamped().with_beta(0.9);
            conserves("cap", settings, material, &clusterings()[i % 2..i % 2 + 2], 1.0 / 60.0);
        }
    }
}

#[test]
fn plasticity_conserves_momentum() {
    for matching in MATCHINGS {
        let plasticity = Some(Plasticity { yield_strain: 0.05, creep_per_sec: 2.0, max_strain: 0.6 });
        let material = undamped().with_plasticity(plasticity);
        let settings = GoalSettings { matching, ..GoalSettings::default() };
        conserves("plastic", settings, material, &clusterings(), 1.0 / 60.0);
    }
}

#[test]
fn damping_conserves_momentum() {
    for matching in MATCHINGS {
        let settings = GoalSettings { matching, ..GoalSettings::default() };
        conserves("damped", settings, undamped().with_damping(0.2), &clusterings(), 1.0 / 60.0);
    }
}

#[test]
fn short_and_long_steps_conserve_momentum() {
    for h in [1e-4, 1e-3, 0.1] {
        conserves("step", GoalSettings::default(), undamped(), &clusterings()[..2], h);
    }
}

#[test]
fn a_body_far_stiffer_than_its_step_conserves_momentum() {
    let material = undamped().with_alpha(1.0).with_beta(0.0);
    conserves("stiff", GoalSettings::default(), material, &clusterings(), 1.0 / 60.0);
}

#[test]
fn a_grain_and_a_mountain_conserve_momentum() {
    for scale in [1e-3, 1e3] {
        let particles = ParticleSettings { spacing: Some(0.25 * scale), ..ParticleSettings::default() };
        let mut body = small_box()
            .scale(scale)
            .model_with(|of: &mut pliant::ClusterSettings| of.particles = particles)
            .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clusterings()[1].clone())
            .material(undamped())
            .velocity(scale * Vec3::new(3.0, -1.0, 2.0))
            .spin(Vec3::new(1.0, 4.0, -2.0))
            .build()
            .expect("a body");
        common::deform(&mut body, Mat3::from_diagonal(Vec3::new(1.2, 0.8, 1.0)));
        let (linear, angular) = drift(body, 1.0 / 60.0, STEPS);
        assert!(linear < 1e-4 && angular < 1e-2, "{scale}: linear {linear:.1e}, angular {angular:.1e}");
    }
}

#[test]
fn the_rigid_part_of_a_field_is_taken_out_whole() {
    let mut random = Random::new(11);
    for scale in [1e-3, 1.0, 1e3] {
        let particles = ParticleSettings { spacing: Some(0.25 * scale), ..ParticleSettings::default() };
        let body = small_box()
            .scale(scale)
            .model_with(|of: &mut pliant::ClusterSettings| of.particles = particles)
            .build()
            .expect("a body");
        let (rest, positions) = (&body.rest().nodes, &body.nodes.positions);
        let of = |x: &Vec3| 1e-3 * scale * (random.vec3() + Vec3::ONE) + 1e-3 * Vec3::Y.cross(*x);
        let mut field: Vec<Vec3> = positions.iter().map(of).collect();
        let torque = |field: &[Vec3]| -> f64 {
            let nodes = rest.masses.iter().zip(positions).zip(field);
            nodes.map(|((&m, x), d)| f64::from(m) * x.as_dvec3().cross(d.as_dvec3())).sum::<DVec3>().length()
        };
        let before = torque(&field);
        pliant::model::momentum::remove_rigid_part(rest, &body.nodes, &mut field, &mut Vec::new());
        let left = torque(&field) / before;
        assert!(left < 1e-5, "at {scale} m {left:.1e} of the torque is left");
    }
}

#[test]
fn flying_and_spinning_are_not_damped() {
    for clustering in clusterings() {
        let body = small_box()
            .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering.clone())
            .material(Material::default().with_damping(1.0).with_alpha(1.0).with_beta(0.0))
            .velocity(Vec3::new(3.0, -1.0, 2.0))
            .spin(Vec3::new(0.3, 1.0, -0.2))
            .build()
            .expect("a body");
        let (linear, angular) = momentum(&body);
        let energy = common::kinetic_energy(&body);
        let mut world = weightless();
        let handle = world.add_body(body);
        for _ in 0..600 {
            world.step(1.0 / 600.0);
        }
        let body = world.body(handle).expect("there");
        let (now_linear, now_angular) = momentum(body);
        assert!((now_linear - linear).length() < 1e-5 * linear.length(), "{clustering:?}");
        assert!((now_angular - angular).length() < 1e-3 * angular.length(), "{clustering:?}");
        let lost = 1.0 - common::kinetic_energy(body) / energy;
        assert!(lost.abs() < 2e-3, "{clustering:?}: rigid motion lost {lost:.1e} of its energy");
        let (_, left) = common::rigid_fit(
            &body.rest().nodes.rest_positions,
            &body.nodes.positions,
            &body.rest().nodes.masses,
        );
        assert!(left < 1e-2, "{clustering:?}: {left}");
    }
}

#[test]
fn damping_stills_what_is_not_rigid_motion() {
    let material = Material::default().with_damping(0.2);
    let mut world = weightless();
    let handle = world.add_body(thrown(Clustering::One, GoalSettings::default(), material));
    common::run(&mut world, 600, 1.0 / 60.0);
    let body = world.body(handle).expect("there");
    // What is left is the stretch that the spin itself makes.
    let stretched = common::deformation(body);
    common::run(&mut world, 60, 1.0 / 60.0);
    let later = common::deformation(world.body(handle).expect("there"));
    assert!(later < 0.2 && (later - stretched).abs() < 1e-2, "{stretched} {later}");
}

#[test]
fn rigid_motion_is_a_fixed_point() {
    let mut random = Random::new(3);
    for matching in MATCHINGS {
        for clustering in clusterings() {
            for area_cap in common::caps() {
                let settings = GoalSettings { matching, area_cap, ..GoalSettings::default() };
                let material = Material::default().with_beta(random.unit());
                let builder = small_box()
                    .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering.clone())
                    .model_with(|of: &mut pliant::ClusterSettings| of.set_goals(settings))
                    .material(material);
                let mut body = builder.build().expect("a body");
                body.place(DVec3::new(12.0, -3.0, 5.0), random.rotation()).expect("a place");
                body.refresh();
                let off =
                    clusters(&body).scratch.displacements.iter().map(|d| d.length()).fold(0.0, f32::max);
                assert!(off < 2e-6, "{matching:?} {clustering:?} {area_cap:?}: goals are {off:.1e} off");
            }
        }
    }
}

#[test]
fn a_body_at_rest_stays_where_it_is() {
    for clustering in clusterings() {
        let mut world = weightless();
        let handle = world.add_body(
            small_box()
                .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering)
                .build()
                .expect("a body"),
        );
        let start = common::world_positions(world.body(handle).expect("there"));
        common::run(&mut world, 10_000, 1.0 / 240.0);
        let now = common::world_positions(world.body(handle).expect("there"));
        let moved = start.iter().zip(&now).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        // Less than a rounding of a coordinate a step.
        assert!(
            moved < 10_000.0 * f64::from(f32::EPSILON / 2.0),
            "a body at rest moved {moved:.1e} m in 10,000 steps"
        );
    }
}
