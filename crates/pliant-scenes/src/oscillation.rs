//! A cube that is clamped at a face and swings under its weight: springs, Cauchy strain and Green strain, each at three resolutions,
//! \[DDCB01\] §3.1. Where a law has the same frequency at all of them, resolutions can be mixed in one body.
//!
//! Green strain is that of the model `elements`, by its explicit steps. The two that it is compared with are made here: springs along the edges
//! of tetrahedra with the stiffness of \[VG98\], k = E Σ V/L², and Cauchy strain, which takes a turn for a strain.

use crate::equilibria::block;
use pliant::geometry::TetMesh;
use pliant::glam::{DMat3, DVec3, Vec3};
use pliant::model::elements::rest::Meshed;
use pliant::model::elements::{Rest, step};
use pliant::model::{Elements, StepInput};
use pliant::nodes::{HeldNode, HeldNodes, Hold, Loads, NodeState};
use pliant::{ElementSettings, ElementSolver, Material};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What holds the cube together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Springs along the edges of tetrahedra.
    MassSpring,
    /// ε = (F + Fᵀ)/2 − I
    Cauchy,
    /// ε = (FᵀF − I)/2
    Green,
}

/// Cells along an edge of the cube: 27, 64 and 125 nodes.
pub const RESOLUTIONS: [u32; 3] = [2, 3, 4];

/// Pa, kg/m³ and m/s²: the cube of a metre hangs down by a seventh of its edge and swings to twice that.
const MODULUS: f64 = 2e5;
const POISSON_RATIO: f64 = 0.3;
const DENSITY: f64 = 1000.0;
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);
/// Seconds of a step, which all three laws are stable at, and of the whole.
const STEP: f64 = 5e-4;
const SECS: f64 = 3.0;

/// How the end of the cube swings.
#[derive(Clone, Debug)]
pub struct Swing {
    /// Nodes that it has.
    pub nodes: usize,
    /// Seconds, and how high the free face is in the mean, against where it was, in metres.
    pub points: Vec<(f64, f64)>,
}

impl Swing {
    /// Of a cube of so many cells along an edge.
    pub fn new(law: Law, cells: u32) -> Self {
        let (mesh, shares) = block([cells; 3], |share| share);
        let free: Vec<usize> = (0..shares.len()).filter(|&node| shares[node].x == 1.0).collect();
        let mut points = Vec::new();
        let mut record = |at: u32, height: &dyn Fn(usize) -> f64| {
            let mean = free.iter().map(|&node| height(node) - f64::from(mesh.positions[node].y)).sum::<f64>();
            points.push((STEP * f64::from(at), mean / free.len() as f64));
        };
        let steps = (SECS / STEP) as u32;
        if law == Law::Green {
            green(&mesh, steps, &mut record);
        } else {
            compared(law, &mesh, steps, &mut record);
        }
        Self { nodes: shares.len(), points }
    }

    /// Hz: by the times at which it comes up through its mean.
    pub fn frequency(&self) -> f64 {
        let mean = self.points.iter().map(|point| point.1).sum::<f64>() / self.points.len() as f64;
        let times = self.points.windows(2).filter_map(|two| {
            let [(t, a), (next, b)] = [two[0], two[1]];
            (a < mean && b >= mean).then(|| t + (next - t) * (mean - a) / (b - a))
        });
        let times: Vec<f64> = times.collect();
        match (times.first(), times.last()) {
            (Some(first), Some(last)) if last > first => (times.len() - 1) as f64 / (last - first),
            _ => f64::NAN,
        }
    }
}

/// Takes down a step: its number, and how high each node is after it.
type Record<'a> = dyn FnMut(u32, &dyn Fn(usize) -> f64) + 'a;

/// By explicit steps of the engine.
fn green(mesh: &TetMesh, steps: u32, record: &mut Record) {
    let settings = ElementSettings { solver: ElementSolver::Explicit, ..ElementSettings::default() };
    let whole = vec![1.0; mesh.tetrahedra.len()];
    let Meshed { nodes: rest, center, rest: own } = Rest::of_mesh(mesh, &whole, DENSITY as f32, settings);
    let mut model = Elements::new(Arc::new(own));
    let positions = rest.rest_positions.clone();
    let velocities = vec![Vec3::ZERO; positions.len()];
    let mut nodes = NodeState { origin: DVec3::ZERO, positions, velocities };
    let mut held = HeldNodes::default();
    for node in (0..mesh.positions.len()).filter(|&node| mesh.positions[node].x == 0.0) {
        let hold = Hold::At { place: rest.rest_positions[node].as_dvec3(), velocity: Vec3::ZERO };
        held.nodes.push(HeldNode { node: node as u32, hold, rigid: None });
    }
    let mut loads = Loads::default();
    loads.clear(mesh.positions.len());
    let material = Material::default()
        .with_density(DENSITY as f32)
        .with_young_modulus(MODULUS as f32, POISSON_RATIO as f32)
        .with_damping(0.0);
    let (rest, material, held, loads, gravity) = (&rest, &material, &held, &loads, GRAVITY.as_vec3());
    for at in 1..=steps {
        let h = STEP as f32;
        step(
            &mut model,
            &mut nodes,
            &StepInput { rest, material, held, supports: &[], loads, gravity, h, steps: 1 },
        );
        record(at, &|node| nodes.world_position(node).y + f64::from(center.y));
    }
}

/// By steps of our own, of a law that the engine does not have.
fn compared(law: Law, mesh: &TetMesh, steps: u32, record: &mut Record) {
    let rest: Vec<DVec3> = mesh.positions.iter().map(|x| x.as_dvec3()).collect();
    let mut masses = vec![0.0; rest.len()];
    for (at, corners) in mesh.tetrahedra.iter().enumerate() {
        let quarter = 0.25 * DENSITY * mesh.signed_volume_of(at);
        corners.iter().for_each(|&corner| masses[corner as usize] += quarter);
    }
    let springs = springs(mesh);
    let (mut places, mut velocities) = (rest.clone(), vec![DVec3::ZERO; rest.len()]);
    let mut forces = vec![DVec3::ZERO; rest.len()];
    for at in 1..=steps {
        forces.fill(DVec3::ZERO);
        match law {
            Law::MassSpring => pull(&springs, &rest, &places, &mut forces),
            Law::Cauchy | Law::Green => stress(mesh, &places, &mut forces),
        }
        for node in (0..rest.len()).filter(|&node| rest[node].x > 0.0) {
            velocities[node] += STEP * (forces[node] / masses[node] + GRAVITY);
            places[node] += STEP * velocities[node];
        }
        record(at, &|node| places[node].y);
    }
}

/// Edges and their stiffness in N/m.
fn springs(mesh: &TetMesh) -> BTreeMap<[usize; 2], f64> {
    let mut springs = BTreeMap::new();
    for (at, corners) in mesh.tetrahedra.iter().enumerate() {
        for [i, j] in [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] {
            let [a, b] = [i, j].map(|k| corners[k] as usize);
            let length = mesh.positions[a].distance_squared(mesh.positions[b]);
            let stiffness = MODULUS * mesh.signed_volume_of(at) / f64::from(length);
            *springs.entry([a.min(b), a.max(b)]).or_insert(0.0) += stiffness;
        }
    }
    springs
}

fn pull(springs: &BTreeMap<[usize; 2], f64>, rest: &[DVec3], places: &[DVec3], forces: &mut [DVec3]) {
    for (&[a, b], stiffness) in springs {
        let edge = places[b] - places[a];
        let force = stiffness * (1.0 - rest[a].distance(rest[b]) / edge.length()) * edge;
        forces[a] += force;
        forces[b] -= force;
    }
}

fn stress(mesh: &TetMesh, places: &[DVec3], forces: &mut [DVec3]) {
    let mu = 0.5 * MODULUS / (1.0 + POISSON_RATIO);
    let lambda = MODULUS * POISSON_RATIO / ((1.0 + POISSON_RATIO) * (1.0 - 2.0 * POISSON_RATIO));
    for (at, corners) in mesh.tetrahedra.iter().enumerate() {
        let edges = |[a, b, c, d]: [DVec3; 4]| DMat3::from_cols(b - a, c - a, d - a);
        let inverse = edges(mesh.corners(at)).inverse();
        let f = edges(corners.map(|corner| places[corner as usize])) * inverse;
        let strain = (f + f.transpose()) * 0.5 - DMat3::IDENTITY;
        let trace = strain.x_axis.x + strain.y_axis.y + strain.z_axis.z;
        let stress = DMat3::from_diagonal(DVec3::splat(lambda * trace)) + strain * (2.0 * mu);
        let on = stress * inverse.transpose() * -mesh.signed_volume_of(at);
        for (k, force) in [on.x_axis, on.y_axis, on.z_axis].into_iter().enumerate() {
            forces[corners[k + 1] as usize] += force;
            forces[corners[0] as usize] -= force;
        }
    }
}
