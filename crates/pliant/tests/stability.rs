//! Any state, any stiffness, any step: nothing blows up, and a body left alone comes back right way round.

mod common;

use common::{Random, deformation, is_finite, weightless};
use pliant::geometry::shapes;
use pliant::glam::{Mat3, Quat, Vec3};
use pliant::model::Model;
use pliant::{Body, GoalSettings, Matching, Material, ParticleSettings};

/// How many random states are tried in all.
const STATES: u64 = 10_000;

/// A box with 8 nodes on its surface and one with 26, with some inside; good for all matchings.
fn tiny() -> [Body; 2] {
    [([1, 1, 1], 0.6), ([2, 2, 2], 0.4)].map(|(cells, spacing)| {
        Body::builder(shapes::cuboid(Vec3::new(1.0, 0.7, 0.85), cells))
            .model_with(|of: &mut pliant::ClusterSettings| {
                of.particles = ParticleSettings { spacing: Some(spacing), ..ParticleSettings::default() }
            })
            .model_with(|of: &mut pliant::ClusterSettings| {
                of.set_goals(GoalSettings { matching: Matching::Quadratic, ..GoalSettings::default() })
            })
            .build()
            .expect("a body")
    })
}

/// One of them, made of something else.
fn made_of(bodies: &[Body; 2], material: Material, settings: GoalSettings, random: &mut Random) -> Body {
    let mut body = bodies[usize::from(random.unit() < 0.2)].clone();
    body.material = material;
    let Model::Clusters(clusters) = &mut body.model else { unreachable!("made of clusters") };
    clusters.settings = settings;
    body
}

fn random_settings(random: &mut Random) -> GoalSettings {
    let caps = common::caps();
    GoalSettings {
        matching: [Matching::Rigid, Matching::Linear, Matching::Quadratic][random.below(3)],
        preserve_volume: random.unit() < 0.5,
        area_cap: caps[random.below(caps.len())],
        ..GoalSettings::default()
    }
}

/// Inverts, flattens to a plane, a line or a point, or scrambles.
fn spoil(body: &mut Body, random: &mut Random) -> &'static str {
    let turn = |random: &mut Random| Mat3::from_quat(random.rotation());
    let flatten = |random: &mut Random, kept: Vec3| {
        let (a, b) = (turn(random), turn(random));
        a * Mat3::from_diagonal(kept) * b
    };
    let (kind, map) = match random.below(6) {
        0 => ("inverted", flatten(random, Vec3::new(1.0, 1.0, -1.0))),
        1 => ("inverted and stretched", flatten(random, Vec3::new(-0.2, -3.0, -1.0))),
        2 => ("flat", flatten(random, Vec3::new(1.0, 1.0, 0.0))),
        3 => ("a line", flatten(random, Vec3::new(1.0, 0.0, 0.0))),
        4 => ("a point", Mat3::ZERO),
        _ => ("scrambled", Mat3::IDENTITY),
    };
    common::deform(body, map);
    if kind == "scrambled" {
        body.nodes.positions.iter_mut().for_each(|x| *x = random.vec3());
    }
    kind
}

/// States `first..last`: everything stays finite and nothing has to be contained.
fn nothing_blows_up(first: u64, last: u64) {
    let bodies = tiny();
    for seed in first..last {
        let mut random = Random::new(seed);
        let material = Material::default()
            .with_alpha([0.0, 1.0, random.unit()][random.below(3)])
            .with_beta([0.0, 1.0, random.unit()][random.below(3)])
            .with_damping([0.0, 0.3, random.magnitude(0.01, 1e3)][random.below(3)]);
        let settings = random_settings(&mut random);
        let mut body = made_of(&bodies, material, settings, &mut random);
        let kind = spoil(&mut body, &mut random);
        let speed = random.magnitude(1e-3, 1e4);
        body.nodes.velocities.iter_mut().for_each(|v| *v = speed * random.vec3());
        let h = random.magnitude(1e-6, 1.0);
        let mut world = weightless();
        let handle = world.add_body(body);
        for _ in 0..40 {
            let contained = world.step(h).contained;
            let body = world.body(handle).expect("there");
            assert!(
                contained == 0 && is_finite(body),
                "state {seed}, {kind} at {speed} m/s, steps of {h} s: {contained} contained; {material:?} {settings:?}"
            );
        }
    }
}

/// States `first..last`: a body left alone comes back to its rest shape, right way round.
fn comes_back(first: u64, last: u64) {
    let bodies = tiny();
    for seed in first..last {
        let mut random = Random::new(seed);
        let material = Material::default()
            .with_alpha(random.between(0.2, 1.0))
            .with_beta(random.between(0.0, 0.8))
            .with_damping(0.3);
        let settings = random_settings(&mut random);
        let mut body = made_of(&bodies, material, settings, &mut random);
        let kind = spoil(&mut body, &mut random);
        let speed = random.magnitude(1e-3, 10.0);
        let velocity = speed * random.vec3();
        body.nodes.velocities.iter_mut().for_each(|v| *v = velocity + 0.3 * speed * random.vec3());
        let h = random.magnitude(2e-3, 1.0);
        let mut world = weightless();
        let handle = world.add_body(body);
        let mut off = f64::INFINITY;
        for _ in 0..60 {
            common::run(&mut world, 50, h);
            // What still spins is stretched by it: the spin is taken out.
            let body = world.body_mut(handle).expect("there");
            let velocity = body.velocity().as_vec3();
            body.nodes.velocities.fill(velocity);
            off = deformation(body);
            if off < 1e-3 && body.volume_ratio() > 0.9 {
                break;
            }
        }
        let volume = world.body(handle).expect("there").volume_ratio();
        assert!(
            off < 1e-3 && volume > 0.9,
            "state {seed}, {kind}, steps of {h} s: off by {off:.1e}, volume × {volume:.2}; {material:?} {settings:?}"
        );
    }
}

// Halves, so that they run beside each other.

#[test]
fn nothing_blows_up_from_any_state_at_any_step() {
    nothing_blows_up(0, STATES / 2);
}

#[test]
fn nothing_blows_up_from_any_other_state_at_any_step() {
    nothing_blows_up(STATES / 2, STATES);
}

#[test]
fn a_body_left_alone_comes_back_right_way_round() {
    comes_back(0, STATES / 2);
}

#[test]
fn a_body_left_alone_comes_back_right_way_round_from_the_other_states() {
    comes_back(STATES / 2, STATES);
}

#[test]
fn pulled_through_itself_with_no_resistance_to_shape_it_comes_right_way_round() {
    for matching in [Matching::Linear, Matching::Quadratic] {
        for area_cap in common::caps() {
            let settings = GoalSettings { matching, area_cap, ..GoalSettings::default() };
            let material = Material::default().with_beta(1.0).with_damping(0.2);
            let sound = common::small_box()
                .model_with(|of: &mut pliant::ClusterSettings| of.set_goals(settings))
                .material(material)
                .build()
                .expect("a body");
            for seed in 0..40 {
                let mut random = Random::new(seed);
                let mut body = sound.clone();
                let turn = Mat3::from_quat(random.rotation());
                let mirror = turn * Mat3::from_diagonal(Vec3::new(1.0, 1.0, -1.0)) * turn.transpose();
                common::deform(&mut body, mirror);
                let mut world = weightless();
                let handle = world.add_body(body);
                common::run(&mut world, 600, 1.0 / 60.0);
                let body = world.body(handle).expect("there");
                let volume = body.volume_ratio();
                assert!(volume > 0.05, "{matching:?} {area_cap:?} state {seed}: volume × {volume}");
                let flipped =
                    common::clusters(body).scratch.maps.iter().any(|m| m.linear.determinant() <= 0.0);
                assert!(!flipped);
            }
        }
    }
}

#[test]
fn several_clusters_come_back_too() {
    for (i, clustering) in common::clusterings().into_iter().enumerate() {
        let material = Material::default().with_alpha(0.8).with_beta(0.2).with_damping(0.2);
        let sound = common::small_box()
            .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering.clone())
            .material(material)
            .build()
            .expect("a body");
        for seed in 0..60 {
            let mut random = Random::new(1000 * i as u64 + seed);
            let mut body = sound.clone();
            let kind = spoil(&mut body, &mut random);
            let mut world = weightless();
            let handle = world.add_body(body);
            let mut off = f64::INFINITY;
            for _ in 0..40 {
                common::run(&mut world, 60, 1.0 / 60.0);
                let body = world.body_mut(handle).expect("there");
                body.nodes.velocities.fill(Vec3::ZERO);
                off = deformation(body);
                if off < 2e-3 {
                    break;
                }
            }
            let volume = world.body(handle).expect("there").volume_ratio();
            assert!(
                off < 2e-3 && volume > 0.9,
                "{clustering:?} state {seed}, {kind}: {off:.1e}, volume × {volume}"
            );
        }
    }
}

#[test]
fn half_a_turn_between_steps_is_no_trouble() {
    let mut world = weightless();
    let handle = world.add_body(common::small_box().build().expect("a body"));
    for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE.normalize()] {
        let half = Quat::from_axis_angle(axis, std::f32::consts::PI);
        let body = world.body_mut(handle).expect("there");
        body.nodes.positions.iter_mut().for_each(|x| *x = half * *x);
        common::run(&mut world, 60, 1.0 / 60.0);
        assert!(deformation(world.body(handle).expect("there")) < 1e-4, "{axis}");
    }
}
