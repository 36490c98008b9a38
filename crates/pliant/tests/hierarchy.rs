//! What the three solvers of a hierarchy promise.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::model::hierarchy::levels::Work;
use pliant::model::hierarchy::{Hierarchy, step};
use pliant::model::{Model, StepInput};
use pliant::nodes::{HeldNode, HeldNodes, Hold, Loads};
use pliant::*;

/// A beam of 16×4×4 cells, held at its left end, whose right end is pushed aside.
struct Beam {
    body: Body,
    held: HeldNodes,
    loads: Loads,
}

impl Beam {
    fn new(solver: Solver, modulus: f32) -> Self {
        let settings = HierarchySettings { cell: Some(0.1), solver, ..HierarchySettings::default() };
        let material = Material::default().with_young_modulus(modulus, 0.3).with_damping(0.0);
        let mesh = shapes::cuboid(Vec3::new(1.6, 0.4, 0.4), [16, 4, 4]);
        let body = Body::builder(mesh).material(material).model(settings).build().unwrap();
        let rest = &body.rest().nodes;
        let nodes = || rest.rest_positions.iter().enumerate();
        let hold = |(node, x): (usize, &Vec3)| {
            let hold = Hold::At { place: x.as_dvec3() + body.nodes.origin, velocity: Vec3::ZERO };
            (x.x < -0.7).then_some(HeldNode { node: node as u32, hold, rigid: None })
        };
        let held = HeldNodes { nodes: nodes().filter_map(hold).collect() };
        let mut loads = Loads::default();
        loads.clear(rest.masses.len());
        for (node, _) in nodes().filter(|(_, x)| x.x > 0.7) {
            loads.push(node, rest.masses[node] * Vec3::new(0.0, 20.0, 60.0));
        }
        Self { body, held, loads }
    }

    /// A step, with the energies on the way.
    fn step(&mut self, cycles: usize) -> Vec<f64> {
        let rest = self.body.rest().nodes.clone();
        let (held, loads, material) = (&self.held, &self.loads, &self.body.material.clone());
        let gravity = Vec3::new(0.0, -9.81, 0.0);
        let input = StepInput { rest: &rest, material, held, loads, gravity, h: 1.0 / 60.0, steps: 1 };
        let mut energies = Vec::new();
        let mut watch = |work: &Work, _: u64| {
            energies.push(energy(work));
            energies.len() > cycles
        };
        let Model::Hierarchy(model) = &mut self.body.model else { panic!("it is a hierarchy") };
        step(model, &mut self.body.nodes, &input, Some(&mut watch));
        energies
    }
}

fn energy(work: &Work) -> f64 {
    let stored: f64 = work.clusters.iter().map(|cluster| f64::from(cluster.energy)).sum();
    let free = work.particles.iter().zip(&work.places).filter(|(particle, _)| !particle.held);
    let square = |p: Vec3| p.as_dvec3().length_squared();
    stored + free.map(|(p, x)| 0.5 * f64::from(p.anchor) * square(*x - p.target)).sum::<f64>()
}

#[test]
fn every_cycle_of_every_solver_lowers_the_energy() {
    for solver in [Solver::Naive, Solver::Hierarchical, Solver::Adaptive] {
        for modulus in [1e4, 1e6] {
            let mut beam = Beam::new(solver, modulus);
            for step in 0..3 {
                let energies = beam.step(8);
                let (first, last) = (energies[0], *energies.last().unwrap());
                // What is matched again only where it has moved is known to that.
                let slack = 1e-3 * (first - last);
                assert!(
                    energies.windows(2).all(|pair| pair[1] <= pair[0] + slack),
                    "{solver:?}, {modulus} Pa, step {step}: {energies:?}"
                );
            }
        }
    }
}

#[test]
fn the_levels_save_most_of_the_matches_and_adaptivity_costs_no_energy() {
    let [naive, hierarchical, adaptive] = [Solver::Naive, Solver::Hierarchical, Solver::Adaptive]
        .map(|solver| Beam::new(solver, 1e6).step(if solver == Solver::Naive { 20 } else { 8 }));
    let last = |energies: &[f64]| *energies.last().unwrap();
    let taken = hierarchical[0] - last(&hierarchical);
    assert!(naive[0] - last(&naive) < 0.5 * taken, "as many matches of the naive one take out as much");
    assert!(
        last(&adaptive) <= last(&hierarchical) + 0.01 * taken,
        "{} and {}",
        last(&adaptive),
        last(&hierarchical)
    );
}

#[test]
fn what_nothing_acts_on_is_not_matched() {
    let mut world = World::with_settings(WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() });
    world.settings.sleep.speed = 0.0;
    let settings = HierarchySettings { cell: Some(0.1), ..HierarchySettings::default() };
    let body = Body::builder(shapes::cuboid(Vec3::ONE, [4; 3])).model(settings).at(DVec3::Y).build().unwrap();
    let handle = world.add_body(body);
    world.step(1.0 / 60.0);
    for _ in 0..10 {
        world.step(1.0 / 60.0);
        let effort = &world.body(handle).unwrap().model.get::<Hierarchy>().unwrap().scratch.effort;
        assert_eq!(effort.total(), 0);
    }
}

#[test]
fn levels_follow_the_material_and_weigh_what_it_weighs() {
    let settings = HierarchySettings { cell: Some(0.05), ..HierarchySettings::default() };
    let mesh = shapes::torus(0.4, 0.15, 40, 20);
    let body = Body::builder(mesh).model(settings).build().unwrap();
    let model = body.model.get::<Hierarchy>().unwrap();
    let total = body.rest().nodes.total_mass;
    assert!(model.rest.levels.len() > 2);
    for (l, level) in model.rest.levels.iter().enumerate() {
        let sums = [&level.masses, &level.weights].map(|m| m.iter().map(|&m| f64::from(m)).sum::<f64>());
        assert!(sums.iter().all(|sum| (sum / total - 1.0).abs() < 1e-3), "level {l}: {sums:?} of {total} kg");
        assert!(level.homes.iter().all(|home| (home.weights().iter().sum::<f32>() - 1.0).abs() < 1e-6));
    }
}
