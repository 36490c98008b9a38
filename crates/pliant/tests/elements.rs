//! What finite elements promise: the theory of elasticity, energy and momentum, and that nothing stays inside out.

mod common;

use common::Random;
use pliant::geometry::{TetMesh, shapes};
use pliant::glam::{DVec3, Mat3, Quat, Vec3};
use pliant::model::elements::forces::{on_corners, on_node, pad};
use pliant::model::elements::law::Lame;
use pliant::model::elements::rest::Meshed;
use pliant::model::elements::strain::Law;
use pliant::model::elements::{Rest, step};
use pliant::model::{Elements, Simulate, StepInput};
use pliant::nodes::{HeldNode, HeldNodes, Hold, Loads, NodeRest, NodeState};
use pliant::*;
use std::sync::Arc;

const DENSITY: f32 = 1000.0;

/// A block of cells of edge `cell`, five tetrahedra each, whose inner nodes are moved aside by a part of it.
fn block(counts: [u32; 3], cell: f32, aside: f32) -> TetMesh {
    const SPLIT: [[usize; 4]; 5] = [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]];
    let [nx, ny, nz] = counts;
    let number = |x: u32, y: u32, z: u32| x + (nx + 1) * (y + (ny + 1) * z);
    let mut random = Random::new(5);
    let mut mesh = TetMesh::default();
    for z in 0..=nz {
        for y in 0..=ny {
            for x in 0..=nx {
                let inner = [(x, nx), (y, ny), (z, nz)].iter().all(|&(at, n)| at > 0 && at < n);
                let off = if inner { aside * random.vec3() } else { Vec3::ZERO };
                mesh.positions.push(cell * (Vec3::new(x as f32, y as f32, z as f32) + off));
            }
        }
    }
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                let corner = |k: u32| number(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
                let corners: [u32; 8] = std::array::from_fn(|k| corner(k as u32));
                let mirrored = ((x + y + z) & 1) as usize;
                for split in SPLIT {
                    let [a, b, c, d] = split.map(|at| corners[at ^ mirrored]);
                    mesh.tetrahedra.push(if mirrored == 1 { [a, c, b, d] } else { [a, b, c, d] });
                }
            }
        }
    }
    assert!((0..mesh.tetrahedra.len()).all(|at| mesh.signed_volume_of(at) > 0.0));
    mesh
}

/// Elements without a body around them.
struct Block {
    rest: NodeRest,
    nodes: NodeState,
    model: Elements,
    material: Material,
    held: HeldNodes,
    gravity: Vec3,
}

impl Block {
    fn new(mesh: &TetMesh, material: Material, solver: ElementSolver) -> Self {
        let settings = ElementSettings { solver, ..ElementSettings::default() };
        let shares = vec![1.0; mesh.tetrahedra.len()];
        let Meshed { nodes: rest, rest: own, .. } = Rest::of_mesh(mesh, &shares, DENSITY, settings);
        let count = rest.masses.len();
        let nodes = NodeState {
            origin: DVec3::ZERO,
            positions: rest.rest_positions.clone(),
            velocities: vec![Vec3::ZERO; count],
        };
        let (held, gravity) = (HeldNodes::default(), Vec3::ZERO);
        Self { rest, nodes, model: Elements::new(Arc::new(own)), material, held, gravity }
    }

    fn deform(&mut self, map: impl Fn(Vec3) -> Vec3) {
        let places = &self.rest.rest_positions;
        self.nodes.positions.iter_mut().zip(places).for_each(|(x, place)| *x = map(*place));
    }

    /// Holds nodes where they are at rest.
    fn hold(&mut self, held: impl Fn(Vec3) -> bool) {
        for (node, &x) in self.rest.rest_positions.iter().enumerate().filter(|(_, x)| held(**x)) {
            let hold = Hold::At { place: x.as_dvec3(), velocity: Vec3::ZERO };
            self.held.nodes.push(HeldNode { node: node as u32, hold, rigid: None });
        }
    }

    fn lame(&self) -> Lame {
        Lame::of(&self.material, 0.01, self.model.rest.extent())
    }

    fn forces(&self) -> Vec<Vec3> {
        let law = Law { lame: self.lame(), viscosity: 0.0 };
        let (rest, mut corners) = (&self.model.rest, Vec::new());
        let (mut places, mut velocities) = (Vec::new(), Vec::new());
        pad(&self.nodes.positions, &mut places);
        pad(&self.nodes.velocities, &mut velocities);
        on_corners(self.model.packs(), &places, &velocities, &law, &mut corners);
        (0..self.rest.masses.len()).map(|node| on_node(rest, &corners, node).truncate()).collect()
    }

    fn energy_at(&self, positions: Vec<Vec3>) -> f64 {
        let nodes = NodeState { positions, ..self.nodes.clone() };
        self.model.energy(&self.rest, &nodes, &self.material, 0.01)
    }

    fn energy(&self) -> f64 {
        self.energy_at(self.nodes.positions.clone())
    }

    fn step(&mut self, h: f32) {
        let mut loads = Loads::default();
        loads.clear(self.rest.masses.len());
        self.step_with(h, &loads);
    }

    fn step_with(&mut self, h: f32, loads: &Loads) {
        let Self { rest, nodes, model, material, held, gravity } = self;
        let held = &*held;
        step(
            model,
            nodes,
            &StepInput { rest, material, held, supports: &[], loads, gravity: *gravity, h, steps: 1 },
        );
    }

    /// Where a node is in the world.
    fn at(&self, node: usize) -> DVec3 {
        self.nodes.world_position(node)
    }
}

fn rubber(ratio: f32) -> Material {
    Material::default().with_density(DENSITY).with_young_modulus(1e5, ratio).with_damping(0.0)
}

const SOLVERS: [ElementSolver; 3] =
    [ElementSolver::Explicit, ElementSolver::Implicit, ElementSolver::SemiImplicit];

#[test]
fn a_constant_strain_is_reproduced_exactly() {
    let mesh = block([4, 4, 4], 0.1, 0.25);
    let mut random = Random::new(1);
    for ratio in [0.0, 0.3, 0.45] {
        let mut block = Block::new(&mesh, rubber(ratio), ElementSolver::Explicit);
        let turn = Mat3::from_quat(random.rotation());
        let stretch = Mat3::from_cols(random.vec3(), random.vec3(), random.vec3()) * 0.1;
        let map = turn * (Mat3::IDENTITY + stretch);
        block.deform(|x| map * x);
        let forces = block.forces();
        // What a face of a cell bears.
        let size = 1e5 * 0.1 * 0.1 * 0.1;
        let low = block.rest.rest_positions.iter().copied().reduce(Vec3::min).unwrap() + 0.01;
        let high = block.rest.rest_positions.iter().copied().reduce(Vec3::max).unwrap() - 0.01;
        let mut inner = 0;
        for (force, x) in forces.iter().zip(&block.rest.rest_positions) {
            if x.cmpgt(low).all() && x.cmplt(high).all() {
                inner += 1;
                assert!(force.length() < 1e-4 * size, "{force} N at {x}, of {size} N");
            }
        }
        assert_eq!(inner, 27);
        assert!(forces.iter().any(|force| force.length() > 0.1 * size), "nothing resists");
        block.model.update_maps(&block.rest, &block.nodes, &block.material);
        for node in 0..forces.len() {
            let found = block.model.node_map(&block.rest, node);
            assert!(found.abs_diff_eq(map, 1e-5), "node {node}: {found} instead of {map}");
        }
    }
}

#[test]
fn rigid_motion_gives_no_force_and_no_energy() {
    let mesh = block([3, 3, 3], 0.1, 0.25);
    let mut random = Random::new(2);
    let mut block = Block::new(&mesh, rubber(0.3), ElementSolver::Explicit);
    for _ in 0..20 {
        let (turn, shift) = (random.rotation(), random.vec3());
        block.deform(|x| turn * x + shift);
        let largest = block.forces().iter().map(|f| f.length()).fold(0.0, f32::max);
        // Against E times a face of a cell: floats of a meter in cells of a tenth.
        assert!(largest < 1e-5 * 1e5 * 0.01, "{largest} N");
        assert!(block.energy() < 1e-9 * 1e5 * 0.027);
    }
}

#[test]
fn forces_are_the_gradient_of_the_energy_to_1e4() {
    let mesh = block([3, 3, 3], 0.1, 0.25);
    let mut random = Random::new(3);
    for ratio in [0.0, 0.3, 0.45] {
        // Within the limits of Green strain, beyond them, and with elements inside out.
        for (noise, inverted) in [(0.01, false), (0.04, false), (0.12, true)] {
            let mut block = Block::new(&mesh, rubber(ratio), ElementSolver::Explicit);
            let places = block.rest.rest_positions.clone();
            let turn = random.rotation();
            let moved: Vec<Vec3> = places.iter().map(|x| turn * (*x + noise * random.vec3())).collect();
            block.nodes.positions = moved.clone();
            let inside_out = mesh.tetrahedra.iter().filter(|tet| {
                let [a, b, c, d] = tet.map(|node| moved[node as usize]);
                (b - a).cross(c - a).dot(d - a) < 0.0
            });
            assert_eq!(inside_out.count() > 10, inverted);
            let forces = block.forces();
            for _ in 0..5 {
                let ways: Vec<Vec3> = places.iter().map(|_| random.vec3()).collect();
                let at = |far: f32| -> Vec<Vec3> {
                    moved.iter().zip(&ways).map(|(x, way)| *x + far * *way).collect()
                };
                let far = 2e-4;
                let (ahead, behind) = (at(far), at(-far));
                let slope = block.energy_at(ahead.clone()) - block.energy_at(behind.clone());
                // How far floats have really gone.
                let apart = ahead.iter().zip(&behind).map(|(a, b)| a.as_dvec3() - b.as_dvec3());
                let (mut work, mut size) = (0.0, 0.0);
                for (force, way) in forces.iter().zip(apart) {
                    work += force.as_dvec3().dot(way);
                    size += f64::from(force.length()) * way.length();
                }
                let off = (slope + work).abs() / size;
                assert!(off < 1e-4, "ratio {ratio}, noise {noise}: off by {off:.1e}");
            }
        }
    }
}

#[test]
fn linear_and_angular_momentum_are_conserved() {
    let mesh = block([3, 4, 3], 0.1, 0.2);
    for solver in SOLVERS {
        let mut random = Random::new(4);
        let mut block = Block::new(&mesh, rubber(0.3).with_damping(0.3), solver);
        block.nodes.velocities.iter_mut().for_each(|v| *v = Vec3::new(3.0, 1.0, 0.0) + random.vec3());
        let before = (block.rest.momentum(&block.nodes), block.rest.angular_momentum(&block.nodes));
        (0..200).for_each(|_| block.step(1.0 / 240.0));
        let after = (block.rest.momentum(&block.nodes), block.rest.angular_momentum(&block.nodes));
        let mass = block.rest.total_mass;
        assert!((after.0 - before.0).length() < 1e-5 * mass, "{solver:?}: {before:?}, {after:?}");
        assert!((after.1 - before.1).length() < 1e-5 * mass * 0.3, "{solver:?}: {before:?}, {after:?}");
    }
}

/// How far the end of a bar along x that is held at the other end has come, in the mean, after it has come to rest.
fn sag(counts: [u32; 3], cell: f32, material: Material, gravity: Vec3) -> DVec3 {
    let mesh = block(counts, cell, 0.0);
    let mut block = Block::new(&mesh, material, ElementSolver::Implicit);
    let low = block.rest.rest_positions.iter().map(|x| x.x).fold(f32::INFINITY, f32::min);
    let high = block.rest.rest_positions.iter().map(|x| x.x).fold(f32::NEG_INFINITY, f32::max);
    block.hold(|x| x.x < low + 0.1 * cell);
    block.gravity = gravity;
    (0..150).for_each(|_| block.step(1.0 / 60.0));
    let speed = block.nodes.velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
    assert!(speed < 1e-3, "it still moves at {speed} m/s");
    let places = block.rest.rest_positions.iter().enumerate().filter(|(_, x)| x.x > high - 0.1 * cell);
    let moved: Vec<DVec3> = places.map(|(node, x)| block.at(node) - x.as_dvec3()).collect();
    moved.iter().sum::<DVec3>() / moved.len() as f64
}

#[test]
fn a_hanging_bar_is_as_long_as_theory_says() {
    let (modulus, gravity, length) = (2e5, 9.81, 0.8);
    let material = rubber(0.0).with_young_modulus(modulus, 0.0).with_damping(1.0);
    let found = sag([16, 4, 4], 0.05, material, Vec3::X * gravity).x;
    // At each place E (s³ − s)/2 bears what hangs below, s the stretch: for small strains that is ρ g L²/(2 E) in all.
    let stretched = |below: f64| {
        let load = f64::from(DENSITY * gravity) * below / f64::from(modulus);
        (0..20).fold(1.0, |s: f64, _| s - (0.5 * (s * s * s - s) - load) / (1.5 * s * s - 0.5))
    };
    let theory: f64 =
        (0..100).map(|k| (stretched(length * (f64::from(k) + 0.5) / 100.0) - 1.0) * length / 100.0).sum();
    let small = f64::from(DENSITY * gravity) * length * length / f64::from(2.0 * modulus);
    assert!((theory / small - 1.0).abs() < 0.05, "{theory} m, {small} m");
    assert!((found / theory - 1.0).abs() < 0.005, "{found} m, theory says {theory} m");
}

#[test]
fn a_cantilever_bends_as_theory_says() {
    let (modulus, gravity, length, thick) = (2e6, 9.81, 1.0, 0.25);
    // It swings an eleventh as fast as the longest wave that damping is stated for.
    let material = rubber(0.0).with_young_modulus(modulus, 0.0).with_damping(8.0);
    let found = -sag([32, 8, 8], 0.031_25, material, Vec3::NEG_Y * gravity).y;
    // Euler and Bernoulli, and what shear adds: w L²/(2 κ G A) with κ = 5/6 and G = E/2.
    let weight = f64::from(DENSITY * gravity) * thick * thick;
    let (length, modulus): (f64, f64) = (length, modulus.into());
    let bending = weight * length.powi(4) / (8.0 * modulus * thick.powi(4) / 12.0);
    let shear = weight * length * length / (2.0 * (5.0 / 6.0) * 0.5 * modulus * thick * thick);
    let theory = bending + shear;
    assert!((found / theory - 1.0).abs() < 0.05, "{found} m, theory says {theory} m: × {}", found / theory);
}

/// Turns the end of a bar by a moment about z in N m, made of pulls along it that grow with the height in it: they turn with the end.
fn turn_end(block: &Block, end: &[usize], moment: f64) -> Loads {
    let mut loads = Loads::default();
    loads.clear(block.rest.masses.len());
    let height = |node: usize| f64::from(block.rest.rest_positions[node].y);
    let up: DVec3 = end.iter().map(|&node| height(node) * block.at(node)).sum();
    let along = DVec3::new(up.y, -up.x, 0.0).normalize();
    // A node has the share of the end that it has of the mass there.
    let weight = |node: usize| f64::from(block.rest.masses[node]);
    let second: f64 = end.iter().map(|&node| weight(node) * height(node).powi(2)).sum();
    for &node in end {
        let pull = -moment * weight(node) * height(node) / second;
        loads.push(node, (pull * along).as_vec3());
    }
    loads
}

#[test]
fn a_moment_at_its_end_rolls_a_bar_into_an_arc() {
    // Wider than thick: a narrow one would give way to the side.
    let (modulus, counts, cell) = (2e6, [60, 6, 10], 1.0 / 30.0);
    let material = rubber(0.0).with_young_modulus(modulus, 0.0).with_damping(1.0);
    let mut block = Block::new(&block(counts, cell, 0.0), material, ElementSolver::Implicit);
    let places = block.rest.rest_positions.clone();
    let [low, high] = [f32::min, f32::max].map(|of| places.iter().map(|x| x.x).reduce(of).unwrap());
    block.hold(|x| x.x < low + 0.1 * cell);
    let end: Vec<usize> = (0..places.len()).filter(|&node| places[node].x > high - 0.1 * cell).collect();
    let [length, thick, wide] = counts.map(|count| f64::from(count as f32 * cell));
    // A third of a circle: κ = M/(E I), κ L = 2π/3.
    let angle = 2.0 * std::f64::consts::FRAC_PI_3;
    let moment = angle * f64::from(modulus) * wide * thick.powi(3) / (12.0 * length);
    for step in 0..340 {
        let loads = turn_end(&block, &end, moment * f64::from(step.min(150)) / 150.0);
        block.step_with(1.0 / 60.0, &loads);
        // What swings only delays it.
        block.nodes.velocities.iter_mut().for_each(|v| *v *= 0.95);
    }
    let middle = end.iter().map(|&node| block.at(node)).sum::<DVec3>() / end.len() as f64;
    let found = middle - DVec3::new(low.into(), 0.0, 0.0);
    let theory = DVec3::new(angle.sin(), 1.0 - angle.cos(), 0.0) * (length / angle);
    println!("{found:.3} m from the beginning, theory says {theory:.3}");
    let speed = block.nodes.velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
    assert!(speed < 0.02, "it still moves at {speed} m/s");
    assert!(found.distance(theory) < 0.05 * length, "{found}, {theory}");
}

/// Random starts with many elements inside out.
fn recovers(starts: std::ops::Range<u64>) {
    let mesh = block([3, 3, 3], 0.1, 0.2);
    for seed in starts {
        let mut random = Random::new(seed);
        let solver = SOLVERS[random.below(3)];
        let ratio = [0.0, 0.3, 0.45][random.below(3)];
        let mut block = Block::new(&mesh, rubber(ratio).with_damping(0.5), solver);
        let (noise, squash) = (random.between(0.1, 0.4), random.vec3());
        let turn = random.rotation();
        block.nodes.positions.iter_mut().for_each(|x| *x = turn * (*x * squash + noise * random.vec3()));
        let mut off = f64::INFINITY;
        for _ in 0..40 {
            (0..30).for_each(|_| block.step(1.0 / 120.0));
            let velocity = block.rest.mean_motion(&block.nodes).1.as_vec3();
            // What spins is stretched by it.
            block.nodes.velocities.fill(velocity);
            off = block.energy();
            if off < 1e-6 {
                break;
            }
        }
        assert!(off < 1e-6, "start {seed}, {solver:?}, ratio {ratio}: {off} J are left");
    }
}

#[test]
fn bodies_that_start_inside_out_come_back() {
    recovers(0..60);
}

#[test]
#[ignore = "long: 10,000 starts"]
fn ten_thousand_inverted_starts_come_back() {
    recovers(100..10_100);
}

/// Total energy of an undamped bar that swings, in the mean of ten parts of the steps.
fn energies(steps: usize) -> Vec<f64> {
    let mesh = block([6, 2, 2], 0.1, 0.1);
    let mut block = Block::new(&mesh, rubber(0.3), ElementSolver::Explicit);
    block.deform(|x| x + Vec3::new(0.05 * x.x, 0.3 * x.x * x.x, 0.1 * x.y));
    let h = block.model.longest_step(&block.rest, &block.material);
    let part = |_| {
        let sum: f64 = (0..steps / 10)
            .map(|_| {
                block.step(0.999 * h);
                block.energy() + block.rest.kinetic_energy(&block.nodes)
            })
            .sum();
        sum / (steps / 10) as f64
    };
    (0..10).map(part).collect()
}

fn assert_no_growth(steps: usize) {
    let energies = energies(steps);
    let most = energies.iter().copied().fold(0.0, f64::max) / energies[0] - 1.0;
    let least = energies.iter().copied().fold(f64::INFINITY, f64::min) / energies[0] - 1.0;
    assert!(most < 0.01 && least > -0.01, "energy changes by {least} to {most}: {energies:?}");
}

#[test]
fn undamped_explicit_steps_keep_their_energy() {
    assert_no_growth(5_000);
}

#[test]
#[ignore = "long: 100,000 steps"]
fn a_hundred_thousand_undamped_explicit_steps_keep_their_energy() {
    assert_no_growth(100_000);
}

#[test]
fn implicit_steps_become_explicit_ones_as_they_get_shorter() {
    let mesh = block([6, 2, 2], 0.1, 0.1);
    let after = |solver: ElementSolver, steps: u32| {
        let mut block = Block::new(&mesh, rubber(0.3), solver);
        let settings = ElementSettings { solver, tolerance: 1e-5, ..ElementSettings::default() };
        let rest = Rest { settings, ..Rest::clone(&block.model.rest) };
        block.model.rest = Arc::new(rest);
        block.deform(|x| x + Vec3::new(0.05 * x.x, 0.2 * x.x * x.x, 0.1 * x.y));
        (0..steps).for_each(|_| block.step(0.04 / steps as f32));
        (0..block.rest.masses.len()).map(|node| block.at(node)).collect::<Vec<_>>()
    };
    let exact = after(ElementSolver::Explicit, 400);
    let off = [80, 160, 320, 640].map(|steps| {
        let found = after(ElementSolver::Implicit, steps);
        found.iter().zip(&exact).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
    });
    for pair in off.windows(2) {
        assert!(pair[1] < 0.65 * pair[0], "{off:?}");
    }
    assert!(off[3] < 1e-3, "{off:?}");
}

#[test]
fn semi_implicit_steps_are_half_as_many_and_damp_little() {
    let mesh = block([6, 2, 2], 0.1, 0.1);
    let swing = |solver: ElementSolver| {
        let mut block = Block::new(&mesh, rubber(0.3), solver);
        let steps = block.model.longest_step(&block.rest, &block.material);
        block.deform(|x| x + Vec3::new(0.0, 0.3 * x.x * x.x, 0.0));
        let before = block.energy();
        let kinetic = |block: &Block| block.rest.kinetic_energy(&block.nodes);
        (0..60).for_each(|_| block.step(1.0 / 60.0));
        (steps, (block.energy() + kinetic(&block)) / before)
    };
    let [explicit, filtered] = [ElementSolver::Explicit, ElementSolver::SemiImplicit].map(swing);
    println!(
        "steps of {:e} and {:e} s; {:.3} and {:.3} of the energy left after a second",
        explicit.0, filtered.0, explicit.1, filtered.1
    );
    assert!((filtered.0 / explicit.0 - 2.0).abs() < 1e-3, "{explicit:?}, {filtered:?}");
    assert!(
        (explicit.1 - 1.0).abs() < 0.05 && (0.5..1.05).contains(&filtered.1),
        "{explicit:?}, {filtered:?}"
    );
}

#[test]
fn a_megapascal_at_sixty_hertz_needs_no_settings() {
    let mesh = shapes::cuboid(Vec3::new(0.8, 0.2, 0.2), [8, 2, 2]);
    let material = Material::default().with_young_modulus(1e6, 0.4);
    let mut world = World::new();
    let body = Body::builder(mesh).model(ElementSettings::default()).material(material).build().unwrap();
    let handle = world.add_body(body);
    let left = Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(-0.39, 9.0, 9.0) };
    world.pin(handle, &left).unwrap();
    for _ in 0..180 {
        let report = world.step(1.0 / 60.0);
        assert!(report.contained == 0 && report.substeps == 4, "{} substeps", report.substeps);
    }
    let body = world.body(handle).unwrap();
    let lowest = body.skin().positions.iter().map(|x| x.y).fold(f32::INFINITY, f32::min);
    // Theory says 0.16 m at the end for small deflections; linear elements of five cells' thickness bend a little less.
    let sag = -0.1 - f64::from(lowest) - body.nodes.origin.y;
    assert!((0.12..0.165).contains(&sag), "it hangs {sag} m lower");
    let stress = body.model.stress(&body.rest().nodes, 0).unwrap();
    assert!(stress.is_finite() && stress != Mat3::ZERO);
}

#[test]
fn half_a_turn_is_no_strain() {
    let mesh = block([2, 2, 2], 0.1, 0.2);
    for solver in SOLVERS {
        let mut block = Block::new(&mesh, rubber(0.3), solver);
        block.deform(|x| Quat::from_rotation_y(std::f32::consts::PI) * x);
        (0..20).for_each(|_| block.step(1.0 / 60.0));
        assert!(block.energy() < 1e-6, "{solver:?}: {} J", block.energy());
    }
}
