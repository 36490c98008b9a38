//! What the three solvers of a hierarchy promise.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::model::hierarchy::levels::Work;
use pliant::model::hierarchy::{Hierarchy, Rest, step};
use pliant::model::{Model, StepInput};
use pliant::nodes::{HeldNode, HeldNodes, Hold, Loads, NodeState};
use pliant::*;
use std::sync::Arc;

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
        let held = HeldNodes { nodes: nodes().filter_map(hold).collect(), ..HeldNodes::default() };
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
        let input =
            StepInput { rest: &rest, material, held, supports: &[], loads, gravity, h: 1.0 / 60.0, steps: 1 };
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

/// Ψ with all clusters matched anew where the nodes are.
fn true_energy(body: &Body, work: &Work) -> f64 {
    let clusters = work.clusters.iter().map(|cluster| f64::from(cluster.energy)).sum::<f64>();
    let placed = NodeState { positions: work.places.clone(), ..body.nodes.clone() };
    let stored = body.model.energy(&body.rest().nodes, &placed, &body.material, 1.0 / 60.0);
    energy(work) - clusters + stored
}

/// A step of as many cycles as users have: its true energies on the way, its matches, and the body after it.
fn default_step(beam: &Beam, solver: Solver) -> (Vec<f64>, u64, Body) {
    let (mut body, rest) = (beam.body.clone(), beam.body.rest().nodes.clone());
    let (held, loads, material) = (&beam.held, &beam.loads, &beam.body.material);
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    let input =
        StepInput { rest: &rest, material, held, supports: &[], loads, gravity, h: 1.0 / 60.0, steps: 1 };
    let cycles = HierarchySettings::default().cycles as usize;
    let mut energies = Vec::new();
    let mut watch = |work: &Work, _: u64| {
        energies.push(true_energy(&beam.body, work));
        energies.len() > cycles
    };
    let Model::Hierarchy(model) = &mut body.model else { panic!("it is a hierarchy") };
    let settings = HierarchySettings { solver, ..model.rest.settings };
    model.rest = Arc::new(Rest { settings, ..Rest::clone(&model.rest) });
    step(model, &mut body.nodes, &input, Some(&mut watch));
    let matches = model.scratch.effort.total();
    (energies, matches, body)
}

#[test]
fn an_adaptive_step_ends_as_low_as_a_hierarchical_one_with_fewer_matches() {
    for modulus in [1e4, 1e5, 1e6] {
        let mut beam = Beam::new(Solver::Hierarchical, modulus);
        let mut matches = [0; 2];
        for step in 0..20 {
            let (energies, all, after) = default_step(&beam, Solver::Hierarchical);
            let (adaptive, few, _) = default_step(&beam, Solver::Adaptive);
            let (last, least) = (*adaptive.last().unwrap(), *energies.last().unwrap());
            let allowed = 0.01 * energies[0];
            assert!(last <= least + allowed, "{modulus} Pa, step {step}: {last} J, not {least} J");
            matches = [matches[0] + all, matches[1] + few];
            beam.body = after;
        }
        assert!(matches[1] < matches[0], "{modulus} Pa: {matches:?}");
    }
}

/// A weightless bar, whose ends two picks pull at in all directions, far beyond its own length.
fn pulled_by_two_tools(frames: u32) {
    let mut world = World::new();
    let settings = HierarchySettings { cell: Some(0.05), ..HierarchySettings::default() };
    let material = Material::default().with_young_modulus(5e4, 0.3).with_damping(0.2);
    let mesh = shapes::cuboid(Vec3::new(1.0, 0.25, 0.25), [20, 5, 5]);
    let body = Body::builder(mesh).material(material).model(settings).at(DVec3::Y).build().unwrap();
    let rest = body.nodes.clone();
    let ends = [f64::NEG_INFINITY, f64::INFINITY].map(|way| {
        let x = |v: &Vec3| f64::from(v.x) * way.signum();
        let positions = &body.rest().mesh.positions;
        (0..positions.len()).max_by(|a, b| x(&positions[*a]).total_cmp(&x(&positions[*b]))).unwrap() as u32
    });
    world.settings.gravity = Vec3::ZERO;
    let handle = world.add_body(body);
    let spring = PickSettings { radius: Some(0.15), ..PickSettings::default() };
    let picks = ends.map(|end| world.pick(handle, end, spring).unwrap());
    let starts = picks.map(|pick| world.tool(pick).unwrap().position().unwrap());
    for frame in 0..frames {
        let turn = |rate: f32| pliant::math::functions::sin(rate * frame as f32);
        for (k, (pick, start)) in picks.into_iter().zip(starts).enumerate() {
            let side = if k == 0 { -1.0 } else { 1.0 };
            let by = Vec3::new(side + 2.0 * turn(0.031), 2.0 * turn(0.047 + 0.01 * side), turn(0.023));
            world.move_tool(pick, start + by.as_dvec3()).unwrap();
        }
        let report = world.step(1.0 / 60.0);
        assert_eq!(report.contained, 0, "frame {frame}");
    }
    // Brought back before they let go: a bar that is flung away spins, and a spinning one is longer.
    for (pick, start) in picks.into_iter().zip(starts) {
        world.move_tool(pick, start).unwrap();
    }
    for _ in 0..300 {
        assert_eq!(world.step(1.0 / 60.0).contained, 0);
    }
    world.release_picks();
    for _ in 0..300 {
        assert_eq!(world.step(1.0 / 60.0).contained, 0);
    }
    let body = world.body(handle).unwrap();
    let volume = body.volume_ratio();
    assert!((volume - 1.0).abs() < 0.02, "it has {volume} of its volume again");
    // Lengths between all nodes and the first are those at rest.
    let off = (0..rest.positions.len()).map(|node| {
        let length = |nodes: &NodeState| nodes.positions[node].distance(nodes.positions[0]);
        (length(&body.nodes) - length(&rest)).abs()
    });
    let off = off.fold(0.0, f32::max);
    assert!(off < 0.02, "it is {off} m off its shape");
}

#[test]
fn two_tools_pull_a_body_to_extremes_and_it_recovers() {
    pulled_by_two_tools(600);
}

#[test]
#[ignore = "10,000 frames"]
fn two_tools_pull_a_body_to_extremes_for_minutes_and_it_recovers() {
    pulled_by_two_tools(10_000);
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
