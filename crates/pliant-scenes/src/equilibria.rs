//! Static equilibria of finite elements, on the meshes for which another solver has found them: `benchmarks/large_strain.py`.
//!
//! Implicit steps of a second in which nothing keeps its speed are Newton's method, so the solver that bodies move with is what is compared.

use pliant::geometry::TetMesh;
use pliant::glam::{DVec3, Vec3};
use pliant::model::elements::rest::Meshed;
use pliant::model::elements::{Rest, step};
use pliant::model::{Elements, StepInput};
use pliant::nodes::{HeldNode, HeldNodes, Hold, Loads, NodeRest, NodeState};
use pliant::{ElementSettings, Material};
use std::sync::Arc;

/// What the other solver found.
const FOUND: &str = include_str!("../../../benchmarks/large_strain.txt");

/// A body, what holds it and what pulls at it.
pub struct Case {
    /// Its name in the script.
    pub name: &'static str,
    counts: [u32; 3],
    /// Where shares of the block's edges are mapped to.
    place: fn(Vec3) -> Vec3,
    poisson_ratio: f32,
    /// How far a node is displaced that is held, by shares.
    held: fn(Vec3) -> Option<Vec3>,
    /// N on a node, by shares.
    load: fn(Vec3) -> Vec3,
}

/// Cook's membrane, sheared at its end; a bar that is twisted by 60°; a block that is pressed by 15 % between plates it sticks to.
pub const CASES: [Case; 3] = [
    Case {
        name: "cook",
        counts: [8, 8, 2],
        place: |s| Vec3::new(s.x, (44.0 * s.x + (44.0 - 28.0 * s.x) * s.y) / 48.0, 0.2 * s.z),
        poisson_ratio: 0.3,
        held: |s| (s.x == 0.0).then_some(Vec3::ZERO),
        // 150 N over the 8 × 2 cells of the end: nodes at its edges have half of what others have.
        load: |s| {
            let half = |share: f32| if share == 0.0 || share == 1.0 { 0.5 } else { 1.0 };
            if s.x == 1.0 { Vec3::Y * (150.0 / 16.0 * half(s.y) * half(s.z)) } else { Vec3::ZERO }
        },
    },
    Case {
        name: "twisted",
        counts: [4, 4, 12],
        place: twisted_place,
        poisson_ratio: 0.3,
        held: |s| {
            let x = twisted_place(s);
            let [cos, sin] = [0.5, 0.75_f32.sqrt()];
            let turned = Vec3::new(cos * x.x - sin * x.y, sin * x.x + cos * x.y, x.z);
            (s.z == 0.0).then_some(Vec3::ZERO).or((s.z == 1.0).then_some(turned - x))
        },
        load: |_| Vec3::ZERO,
    },
    Case {
        name: "pressed",
        counts: [6; 3],
        place: |s| s,
        poisson_ratio: 0.4,
        held: |s| (s.y == 0.0).then_some(Vec3::ZERO).or((s.y == 1.0).then_some(-0.15 * Vec3::Y)),
        load: |_| Vec3::ZERO,
    },
];

fn twisted_place(s: Vec3) -> Vec3 {
    Vec3::new(0.4 * (s.x - 0.5), 0.4 * (s.y - 0.5), 1.2 * s.z)
}

/// Pa; kg/m³.
const MODULUS: f32 = 1e5;
const DENSITY: f32 = 1000.0;
/// Steps in which the load comes up, and those until nothing moves any more at most.
const LOADED: u32 = 8;
const MOST_STEPS: u32 = 400;
/// Displacement of a step in meters below which nothing moves.
const STILL: f32 = 1e-6;

impl Case {
    /// The largest distance between where a node comes to and where it does by the other solver, as part of the largest
    /// displacement.
    pub fn error(&self) -> f64 {
        let ours = self.displacements();
        let (mut worst, mut largest, mut compared) = (0.0_f64, 0.0_f64, 0);
        for (node, theirs) in found(self.name) {
            let Some(ours) = ours.get(node) else { return f64::NAN };
            worst = worst.max(ours.distance(theirs));
            largest = largest.max(theirs.length());
            compared += 1;
        }
        // A case that nothing is known of agrees with nothing.
        if compared > 0 && ours.iter().all(|d| d.is_finite()) { worst / largest } else { f64::NAN }
    }

    /// How far each node is displaced.
    pub fn displacements(&self) -> Vec<DVec3> {
        let (mesh, shares) = block(self.counts, self.place);
        let settings = ElementSettings { tolerance: 1e-5, iterations: 10_000, ..ElementSettings::default() };
        let whole = vec![1.0; mesh.tetrahedra.len()];
        let Meshed { nodes: rest, rest: own, .. } = Rest::of_mesh(&mesh, &whole, DENSITY, settings);
        let mut model = Elements::new(Arc::new(own));
        let positions = rest.rest_positions.clone();
        let velocities = vec![Vec3::ZERO; positions.len()];
        let mut nodes = NodeState { origin: DVec3::ZERO, positions, velocities };
        for at in 1..=MOST_STEPS {
            let part = at.min(LOADED) as f32 / LOADED as f32;
            self.step(&rest, &shares, part, &mut model, &mut nodes);
            let fastest = nodes.velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
            if at > LOADED && fastest < STILL {
                break;
            }
        }
        (0..shares.len())
            .map(|node| nodes.world_position(node) - rest.rest_positions[node].as_dvec3())
            .collect()
    }

    /// A step of one second from rest, with part of the load.
    fn step(&self, rest: &NodeRest, shares: &[Vec3], part: f32, model: &mut Elements, nodes: &mut NodeState) {
        let material = Material::default()
            .with_density(DENSITY)
            .with_young_modulus(MODULUS, self.poisson_ratio)
            .with_damping(0.0);
        let (mut held, mut loads) = (HeldNodes::default(), Loads::default());
        loads.clear(shares.len());
        for (node, share) in shares.iter().enumerate() {
            loads.push(node, part * (self.load)(*share));
            if let Some(displacement) = (self.held)(*share) {
                let place = (rest.rest_positions[node] + part * displacement).as_dvec3();
                let hold = Hold::At { place, velocity: Vec3::ZERO };
                held.nodes.push(HeldNode { node: node as u32, hold, rigid: None });
            }
        }
        nodes.velocities.fill(Vec3::ZERO);
        let (held, loads, material) = (&held, &loads, &material);
        step(
            model,
            nodes,
            &StepInput { rest, material, held, supports: &[], loads, gravity: Vec3::ZERO, h: 1.0, steps: 1 },
        );
    }
}

/// A block of cells of five tetrahedra, numbered with x fastest, whose nodes are where `place` maps shares of its edges to; and those
/// shares.
pub(crate) fn block([nx, ny, nz]: [u32; 3], place: fn(Vec3) -> Vec3) -> (TetMesh, Vec<Vec3>) {
    let count = (nx + 1) * (ny + 1) * (nz + 1);
    let share = |node: u32| {
        let [x, y, z] = [node % (nx + 1), node / (nx + 1) % (ny + 1), node / ((nx + 1) * (ny + 1))];
        Vec3::new(x as f32 / nx as f32, y as f32 / ny as f32, z as f32 / nz as f32)
    };
    let shares: Vec<Vec3> = (0..count).map(share).collect();
    let mut mesh = TetMesh::new(shares.iter().map(|share| place(*share)).collect(), Vec::new());
    for cell in 0..nx * ny * nz {
        let [x, y, z] = [cell % nx, cell / nx % ny, cell / (nx * ny)];
        let corner = |k: u32| x + (k & 1) + (nx + 1) * (y + (k >> 1 & 1) + (ny + 1) * (z + (k >> 2)));
        let mirrored = (x + y + z) & 1;
        for split in SPLIT {
            let [a, b, c, d] = split.map(|at| corner(at ^ mirrored));
            mesh.tetrahedra.push(if mirrored == 1 { [a, c, b, d] } else { [a, b, c, d] });
        }
    }
    (mesh, shares)
}

/// Tetrahedra of a cell whose corner at 0bZYX is there; every other cell is mirrored.
const SPLIT: [[u32; 4]; 5] = [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]];

/// Nodes of a case and how far the other solver displaced them.
fn found(name: &str) -> impl Iterator<Item = (usize, DVec3)> + '_ {
    FOUND.lines().filter_map(move |line| {
        let mut words = line.split_whitespace();
        let node = words.next().filter(|word| *word == name).and_then(|_| words.next()?.parse().ok())?;
        let mut number = || words.next()?.parse().ok();
        Some((node, DVec3::new(number()?, number()?, number()?)))
    })
}
