//! Elements that give way: above the yield strain only, alike for any step and both solvers, within bounds, and with the forces of what
//! they have become.

mod common;

use common::{deform, run, small_box, weightless};
use pliant::geometry::shapes;
use pliant::glam::{Mat3, Vec3};
use pliant::math::Mat3x8;
use pliant::model::{Elements, Model};
use pliant::*;

const PLASTICITY: Plasticity = Plasticity { yield_strain: 0.1, creep_per_sec: 2.0, max_strain: 0.5 };
const SOLVERS: [ElementSolver; 3] =
    [ElementSolver::Explicit, ElementSolver::Implicit, ElementSolver::SemiImplicit];

fn body(plasticity: Plasticity, solver: ElementSolver) -> Body {
    let material =
        Material::default().with_young_modulus(1e5, 0.3).with_plasticity(plasticity).with_damping(0.3);
    let settings = ElementSettings { solver, cell: Some(0.25), ..ElementSettings::default() };
    small_box().material(material).model(settings).build().expect("a body")
}

fn elements(body: &Body) -> &Elements {
    body.model.get().expect("elements")
}

fn all_plastic(body: &Body) -> Vec<Mat3> {
    elements(body).plastic.iter().flat_map(|eight| (0..8).map(|lane| eight.get(lane))).collect()
}

fn plastic_strain(body: &Body) -> f32 {
    let strain = |s: Mat3| (s - Mat3::IDENTITY).to_cols_array().iter().map(|v| v * v).sum::<f32>().sqrt();
    all_plastic(body).into_iter().map(strain).fold(0.0, f32::max)
}

/// Holds all of a body, stretched along x, for a while.
fn held(plasticity: Plasticity, solver: ElementSolver, stretch: f32, secs: f32, h: f32) -> Body {
    let mut world = weightless();
    let mut body = body(plasticity, solver);
    deform(&mut body, Mat3::from_diagonal(Vec3::new(stretch, 1.0, 1.0)));
    let handle = world.add_body(body);
    world.pin(handle, &Selection::All).expect("a pin");
    run(&mut world, (secs / h).round() as usize, h);
    world.remove_body(handle).expect("there")
}

#[test]
fn below_the_yield_strain_nothing_stays() {
    for solver in SOLVERS {
        assert_eq!(plastic_strain(&held(PLASTICITY, solver, 1.09, 2.0, 1.0 / 60.0)), 0.0, "{solver:?}");
    }
}

#[test]
fn creep_is_the_same_for_any_step_and_solver() {
    let coarse = plastic_strain(&held(PLASTICITY, ElementSolver::Implicit, 1.4, 0.25, 1.0 / 60.0));
    assert!(coarse > 0.05);
    for solver in SOLVERS {
        for h in [1.0 / 60.0, 1.0 / 240.0] {
            let fine = plastic_strain(&held(PLASTICITY, solver, 1.4, 0.25, h));
            assert!((fine / coarse - 1.0).abs() < 0.03, "{solver:?}: {coarse} at 1/60 s, {fine} at {h} s");
        }
    }
}

#[test]
fn the_lasting_strain_of_what_is_stretched_is_bounded() {
    for (stretch, max_strain) in [(2.0, 0.5), (3.0, 0.05), (2.0, 0.0)] {
        let plasticity = Plasticity { creep_per_sec: 20.0, max_strain, ..PLASTICITY };
        let strain = plastic_strain(&held(plasticity, ElementSolver::Implicit, stretch, 3.0, 1.0 / 60.0));
        assert!(strain <= max_strain * 1.001 + 1e-6, "{stretch} × {max_strain}: {strain}");
    }
}

#[test]
fn lasting_deformation_keeps_the_volume() {
    for stretch in [1.3, 2.0, 0.5] {
        let body = held(PLASTICITY, ElementSolver::Implicit, stretch, 3.0, 1.0 / 60.0);
        assert!(plastic_strain(&body) > 0.05);
        for plastic in all_plastic(&body) {
            assert!((plastic.determinant() - 1.0).abs() < 1e-4, "{stretch}: {}", plastic.determinant());
        }
    }
}

#[test]
fn a_stretched_bar_stays_longer_and_at_rest() {
    for solver in SOLVERS {
        let mut world = weightless();
        let mut body = body(PLASTICITY, solver);
        deform(&mut body, Mat3::from_diagonal(Vec3::new(1.4, 1.0, 1.0)));
        let handle = world.add_body(body);
        let pin = world.pin(handle, &Selection::All).expect("a pin");
        run(&mut world, 60, 1.0 / 60.0);
        world.remove_tool(pin).expect("there");
        run(&mut world, 600, 1.0 / 60.0);
        let kept = common::deformation(world.body(handle).expect("there"));
        run(&mut world, 300, 1.0 / 60.0);
        let later = common::deformation(world.body(handle).expect("there"));
        assert!(kept > 0.05, "{solver:?}: only {kept} stayed");
        assert!((kept - later).abs() < 1e-3, "{solver:?}: {kept} became {later}");
    }
}

#[test]
fn a_body_that_has_given_way_is_at_rest_in_its_new_shape() {
    let shape = Mat3::from_diagonal(Vec3::new(1.25, 0.8, 1.0));
    for solver in SOLVERS {
        let mut body = Body::builder(shapes::cuboid(Vec3::ONE, [2; 3]))
            .material(Material::default().with_young_modulus(1e5, 0.3).with_damping(0.0))
            .model(ElementSettings { solver, cell: Some(0.25), ..ElementSettings::default() })
            .build()
            .expect("a body");
        let count = elements(&body).rest.packs.len();
        let Model::Elements(model) = &mut body.model else { unreachable!("elements") };
        model.plastic = vec![Mat3x8::splat(shape); count];
        deform(&mut body, shape);
        let mut world = weightless();
        let handle = world.add_body(body);
        run(&mut world, 30, 1.0 / 60.0);
        let body = world.body(handle).expect("there");
        let energy = body.model.energy(&body.rest().nodes, &body.nodes, &body.material, 1.0 / 240.0);
        assert!(energy < 1e-6, "{solver:?}: {energy} J");
        let fastest = body.nodes.velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
        assert!(fastest < 1e-4, "{solver:?}: {fastest}");
    }
}
