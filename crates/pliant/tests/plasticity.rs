//! Deformation that stays: above the yield strain only, at the same rate for any step, within bounds.

mod common;

use common::{clusters, deform, small_box, weightless};
use pliant::glam::{Mat3, Vec3};
use pliant::{Body, Clustering, GoalSettings, Matching, Material, Plasticity};

const PLASTICITY: Plasticity = Plasticity { yield_strain: 0.1, creep_per_sec: 2.0, max_strain: 0.5 };

fn body(plasticity: Plasticity, clustering: Clustering) -> Body {
    let material = Material::default().with_plasticity(plasticity).with_damping(0.3);
    small_box()
        .material(material)
        .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering)
        .build()
        .expect("a body")
}

fn plastic_strain(body: &Body) -> f32 {
    let strain = |s: &Mat3| (*s - Mat3::IDENTITY).to_cols_array().iter().map(|v| v * v).sum::<f32>().sqrt();
    clusters(body).state.plastic.iter().map(strain).fold(0.0, f32::max)
}

/// Holds a body stretched along x for a while.
fn held(plasticity: Plasticity, stretch: f32, secs: f32, h: f32) -> Body {
    let mut world = weightless();
    let mut body = body(plasticity, Clustering::One);
    deform(&mut body, Mat3::from_diagonal(Vec3::new(stretch, 1.0, 1.0)));
    let handle = world.add_body(body);
    let all = pliant::Selection::All;
    world.pin(handle, &all).expect("a pin");
    common::run(&mut world, (secs / h).round() as usize, h);
    world.remove_body(handle).expect("there")
}

#[test]
fn below_the_yield_strain_nothing_stays() {
    let body = held(PLASTICITY, 1.09, 2.0, 1.0 / 60.0);
    assert_eq!(plastic_strain(&body), 0.0);
    let mut world = weightless();
    let handle = world.add_body(body);
    common::run(&mut world, 600, 1.0 / 60.0);
    assert!(common::deformation(world.body(handle).expect("there")) < 1e-4);
}

#[test]
fn above_the_yield_strain_it_stays() {
    for matching in [Matching::Rigid, Matching::Linear, Matching::Quadratic] {
        for clustering in common::clusterings() {
            let material = Material::default().with_plasticity(PLASTICITY).with_damping(0.3).with_beta(0.2);
            let settings = GoalSettings { matching, ..GoalSettings::default() };
            let builder = small_box()
                .material(material)
                .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering.clone())
                .model_with(|of: &mut pliant::ClusterSettings| of.set_goals(settings));
            let mut body = builder.build().expect("a body");
            deform(&mut body, Mat3::from_diagonal(Vec3::new(1.4, 1.0, 1.0)));
            let mut world = weightless();
            let handle = world.add_body(body);
            let pin = world.pin(handle, &pliant::Selection::All).expect("a pin");
            common::run(&mut world, 60, 1.0 / 60.0);
            world.remove_tool(pin).expect("there");
            common::run(&mut world, 600, 1.0 / 60.0);
            let kept = common::deformation(world.body(handle).expect("there"));
            common::run(&mut world, 300, 1.0 / 60.0);
            let later = common::deformation(world.body(handle).expect("there"));
            assert!(kept > 0.05, "{matching:?} {clustering:?}: only {kept} stayed");
            assert!((kept - later).abs() < 1e-3, "{matching:?} {clustering:?}: {kept} became {later}");
        }
    }
}

#[test]
fn creep_is_the_same_for_any_step() {
    let at = |h: f32| plastic_strain(&held(PLASTICITY, 1.4, 0.25, h));
    let coarse = at(1.0 / 60.0);
    assert!(coarse > 0.05);
    for h in [1.0 / 240.0, 1.0 / 1000.0] {
        let fine = at(h);
        assert!((fine / coarse - 1.0).abs() < 0.03, "{coarse} at 1/60 s, {fine} at {h} s");
    }
}

#[test]
fn the_lasting_strain_is_bounded() {
    for (stretch, max_strain) in [(3.0, 0.5), (10.0, 0.5), (10.0, 0.05), (2.0, 0.0)] {
        for h in [1.0 / 240.0, 1.0 / 60.0, 1.0] {
            let body = held(Plasticity { creep_per_sec: 20.0, max_strain, ..PLASTICITY }, stretch, 5.0, h);
            let strain = plastic_strain(&body);
            assert!(strain <= max_strain * 1.001 + 1e-6, "{stretch} × {max_strain}: {strain}");
        }
    }
}

#[test]
fn nothing_creeps_while_inside_out() {
    let mut inverted = body(PLASTICITY, Clustering::One);
    deform(&mut inverted, Mat3::from_diagonal(Vec3::new(-1.2, 1.0, 1.0)));
    let mut world = weightless();
    let handle = world.add_body(inverted);
    world.pin(handle, &pliant::Selection::All).expect("a pin");
    common::run(&mut world, 120, 1.0 / 60.0);
    assert_eq!(plastic_strain(world.body(handle).expect("there")), 0.0);
}

#[test]
fn lasting_deformation_keeps_the_volume() {
    for stretch in [1.3, 2.0, 0.5] {
        let body = held(PLASTICITY, stretch, 3.0, 1.0 / 60.0);
        for plastic in &clusters(&body).state.plastic {
            let volume = plastic.determinant();
            assert!((volume - 1.0).abs() < 1e-4, "{stretch}: {volume}");
        }
    }
}
