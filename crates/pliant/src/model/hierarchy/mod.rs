//! Hierarchical and adaptive shape matching: clusters on several levels, so that stiff and large bodies are at rest after a few matches.
//!
//! Based on \[TYGP15\], with the multigrid of \[BHM00\] and voxels that are divided where material is, as in \[DGW11\].
//!
//! Symbols: those of [`matching`], [`levels`] and [`solve`]; `l` a level, 0 the finest; `Ψ` energy; `T_r`, `T_s` thresholds.
//!
//! ```text
//! predict    x* from velocities and loads                                  Algorithm 1, line 16
//! match      clusters of which a node has moved                            lines 7–8
//! restrict   what is left of all forces, up to the level to start at       line 18–22, C_o
//! sweep      that level until it gains no more, its children after it      lines 3–13, C_t and C_s
//! advance    velocities from where nodes have come to                      line 16
//! ```
//!
//! Deviations:
//! - The paper matches until the shape is found and then integrates. Here inertia is part of what is minimised, so a step is an
//!   implicit one: bodies can be of any Young's modulus, and what was left over in one step is made up for in the next. Implicit steps damp
//!   by themselves, as a damping ratio of ω h/2; that counts as part of the damping asked for.
//! - A parent's goals are not what its children should have: matched alone it would be stiffer or softer than they are. It gets
//!   what they leave over, and finds how far that moves it: then all levels agree on where the body rests.
//! - Children inherit displacements, interpolated between the corners of their voxel, rather than R and t: they are continuous.
//! - Thresholds are accelerations, and not energy densities of the paper's potential, which has no unit: see [`Thresholds`].

mod energy;
pub mod finest;
pub mod levels;
pub mod matching;
pub mod rest;
mod seam;
pub mod solve;

pub use rest::Rest;
pub use solve::{Effort, Watch};

use super::integrate::Drift;
use super::momentum;
use super::seam::StepInput;
use super::supports::{RELEASES, as_before};
use crate::math::functions::square;
use crate::nodes::{Hold, NodeRest, NodeState};
use crate::par;
use glam::{Mat3, Quat, Vec3};
use levels::{Common, Work};
use matching::{Cluster, Law, NOT_LINEAR};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a body becomes a hierarchy. Sizes that are not given follow from the mesh; see [`BodySize`](crate::sampling::BodySize).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HierarchySettings {
    /// Edge of a cell of the finest level in metres, above 0. `None` chooses one that gives the body about 600 nodes, or more if it
    /// is thin.
    pub cell: Option<f32>,
    /// How many levels there are, in [1, 12]. `None` is until the coarsest has about a dozen clusters.
    pub levels: Option<u32>,
    /// Which of the paper's three.
    pub solver: Solver,
    /// How often a step goes through the levels at most, in [1, 10000].
    pub cycles: u32,
    /// When to stop.
    pub thresholds: Thresholds,
}

impl Default for HierarchySettings {
    fn default() -> Self {
        let thresholds = Thresholds::default();
        Self { cell: None, levels: None, solver: Solver::default(), cycles: 2, thresholds }
    }
}

/// How energy is taken out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// NSM: at the finest level only.
    Naive,
    /// HSM: on all levels, everywhere.
    Hierarchical,
    /// AHSM: where and on which levels it is worth it.
    #[default]
    Adaptive,
}

/// When a step has done enough. What suits any body, because it is measured by the body's own size and by what acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Thresholds {
    /// T_r in [0, 1): a level ends when what is left of the forces on it is this part of what it was.
    pub reduction: f32,
    /// T_s, 0 or more: what a particle can still gain is left to it if it is less than this part of the mean of its level, and, after three
    /// cycles, what the motion of its particles against each other may be worth to a cluster if it is less than ten times that.
    pub subdivision: f32,
    /// In [0, 1): a step starts at the coarsest level that has this part of what the best level has to gain.
    pub origination: f32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { reduction: 0.1, subdivision: 0.3, origination: 0.05 }
    }
}

/// The model `hierarchy` of one body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Hierarchy {
    /// The levels of the undeformed body; shared between bodies of the same shape.
    #[serde(skip)]
    pub rest: Arc<Rest>,
    /// What is remembered from step to step.
    pub state: State,
    /// What a step makes anew.
    #[serde(skip)]
    pub scratch: Scratch,
}

/// What is remembered from step to step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Of the finest level.
    pub clusters: Vec<Cluster>,
    /// Where nodes were when their clusters were looked at.
    pub seen: Vec<Vec3>,
    /// How far the nodes of a cluster have moved against each other since it was matched, in metres, at most.
    pub slack: Vec<f32>,
    /// What all clusters of a node pull it with, in N.
    pub forces: Vec<Vec3>,
    /// κ and b that they were matched with.
    pub law: [f32; 2],
}

/// What a step makes anew.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    works: Vec<Work>,
    /// What the latest step took.
    pub effort: Effort,
    /// Velocities, and what is not rigid of their changes.
    before: Vec<Vec3>,
    field: Vec<Vec3>,
    partials: Vec<momentum::Sums>,
    squares: Vec<f64>,
    /// kg m/s that held nodes were given in the latest step, in the order of its list.
    given: Vec<Vec3>,
}

impl Hierarchy {
    /// A model at rest.
    pub fn new(rest: Arc<Rest>) -> Self {
        let mut model = Self { rest, ..Self::default() };
        model.reset_to(Quat::IDENTITY);
        model
    }

    fn reset_to(&mut self, rotation: Quat) {
        let level = &self.rest.levels[0];
        let cluster = Cluster { rotation, map: Mat3::from_quat(rotation), ..Cluster::default() };
        self.state = State {
            clusters: vec![cluster; level.corners.len()],
            // Nowhere: everything is matched in the first step.
            seen: vec![Vec3::INFINITY; level.weights.len()],
            slack: vec![0.0; level.corners.len()],
            forces: vec![Vec3::ZERO; level.weights.len()],
            law: [0.0; 2],
        };
    }

    /// F around a node: the mean of its clusters.
    fn map_at(&self, node: usize) -> Option<Mat3> {
        let places = self.rest.levels[0].places.of(node);
        let of = |place: &u32| self.state.clusters[*place as usize / rest::CORNERS].map;
        let sum = places.iter().map(of).reduce(|a, b| a + b)?;
        Some(sum * (1.0 / places.len() as f32))
    }
}

/// An acceleration that nobody sees: in cells per square of a frame, and as part of what acts on the body, gravity included.
const UNFELT: [f32; 2] = [2e-7, 2e-3];
const FRAME_SECS: f32 = 1.0 / 60.0;
/// How often a step may count the change of elastic forces for damping: beyond it they would hardly change at all.
const MOST_DAMPING: f32 = 20.0;
/// Part of a body's radius by which nodes move by rounding.
const ROUNDING: f32 = 4e-8;
/// How many times that forces at rest may be off by, where nothing acts that they would have to balance.
const ROUNDING_AT_REST: f32 = 10.0;

/// One step, \[TYGP15\] Algorithm 1: predict, solve, advance.
pub fn step(model: &mut Hierarchy, nodes: &mut NodeState, input: &StepInput, watch: Option<Watch>) {
    let free = input.held.fixed().next().is_none();
    model.scratch.before.clone_from(&nodes.velocities);
    input.push(nodes, input.h);
    let common = model.begin(nodes, input);
    let mean = model.predict(nodes, input, free, &common);
    let Hierarchy { rest, scratch, .. } = model;
    solve::solve(rest, &mut scratch.works, &common, &mut scratch.effort, watch);
    for _ in 0..RELEASES {
        if !model.react(nodes, input, &common, mean) {
            break;
        }
        let Hierarchy { rest, scratch, .. } = model;
        solve::solve(rest, &mut scratch.works, &common, &mut scratch.effort, None);
    }
    model.end(nodes, input, &common, free.then_some(mean));
}

impl Scratch {
    /// The acceleration that loads and gravity have given nodes, in the mean square.
    fn acting(&mut self, nodes: &NodeState, h: f32) -> f32 {
        let (count, before) = (nodes.velocities.len(), &self.before);
        let squares = par::sum(count, &mut self.squares, |range| {
            let changes = nodes.velocities[range.clone()].iter().zip(&before[range]);
            changes.map(|(now, before)| f64::from(now.distance_squared(*before))).sum::<f64>()
        });
        (squares / count as f64).sqrt() as f32 / h
    }
}

impl Hierarchy {
    /// What the levels have in common in a step, and room for it.
    fn begin(&mut self, nodes: &NodeState, input: &StepInput) -> Common {
        let Self { rest, state, scratch } = self;
        let (h, material) = (input.h, input.material);
        let elasticity = &material.elasticity;
        let modulus = (material.spring_for(h, rest.extent()) * rest.extent()) as f32;
        let law = Law { modulus, bulk: elasticity.bulk() };
        // Of the longest wave in the body, as in `Material::damping_for`.
        let slowest = modulus.sqrt() * std::f32::consts::FRAC_PI_2 / input.rest.radius;
        let wanted = 2.0 * elasticity.damping / slowest - h;
        let damping = if wanted > 0.0 { (wanted / h).min(MOST_DAMPING) } else { 0.0 };
        let adaptive = rest.settings.solver == Solver::Adaptive;
        let spring = 4.0 * modulus / square(rest.graph.cell);
        let rounding = ROUNDING * input.rest.radius;
        let mut common = Common { law, scale: 1.0 + damping, ..Common::default() };
        if adaptive {
            let (acting, cell) = (scratch.acting(nodes, h), rest.graph.cell);
            common.unfelt = UNFELT[0] * cell / square(FRAME_SECS) + UNFELT[1] * acting;
            common.rounding = if acting > 0.0 { rounding } else { ROUNDING_AT_REST * rounding };
            let still = 0.25 * common.unfelt / spring.max(f32::MIN_POSITIVE);
            common.still = still.min(0.01 * cell).max(rounding);
            common.subdivision = rest.settings.thresholds.subdivision;
        }
        scratch.works.resize_with(rest.levels.len(), Work::default);
        for (l, (work, level)) in scratch.works.iter_mut().zip(&rest.levels).enumerate() {
            work.fit(level, l == 0);
            work.weigh(level, &common, if l == 0 { finest::NOT_LINEAR } else { NOT_LINEAR }, h);
        }
        if state.law != [law.modulus, law.bulk] {
            state.seen.fill(Vec3::INFINITY);
            state.law = [law.modulus, law.bulk];
        }
        let work = &mut scratch.works[0];
        std::mem::swap(&mut work.clusters, &mut state.clusters);
        std::mem::swap(&mut work.seen, &mut state.seen);
        std::mem::swap(&mut work.slack, &mut state.slack);
        std::mem::swap(&mut work.forces, &mut state.forces);
        common
    }

    /// Where nodes would be without elastic forces, and a first guess: as fast as before, and moved as a whole by what acts on it
    /// as a whole. Returns the velocity of the frame that all of it is seen from, so that a body in fast flight does not tremble.
    fn predict(&mut self, nodes: &NodeState, input: &StepInput, free: bool, common: &Common) -> Vec3 {
        let h = input.h;
        let Scratch { works, before, field, partials, .. } = &mut self.scratch;
        field.clear();
        field.extend(nodes.velocities.iter().zip(&*before).map(|(now, before)| *now - *before));
        let mut mean = Vec3::ZERO;
        if free {
            as_before(input, field, |field| momentum::remove_rigid_part(input.rest, nodes, field, partials));
            mean = input.rest.mean_motion(nodes).1.as_vec3();
            par::for_each_indexed(before, par::CHUNK, |i, v| *v = nodes.velocities[i] - field[i]);
        }
        let Work { places, particles, supports, forces, .. } = &mut works[0];
        supports.begin(input);
        for of in supports.held() {
            let before = &mut before[of.node];
            *before += of.direction * (of.speed - before.dot(of.direction));
        }
        let (before, damping) = (&*before, common.scale - 1.0);
        par::for_each_pair(places, particles, par::CHUNK, |i, place, particle| {
            let x = nodes.positions[i];
            *place = x + h * (before[i] - mean);
            particle.target = x + h * (nodes.velocities[i] - mean);
            particle.extra = -damping * forces[i];
            particle.change = Vec3::ZERO;
        });
        for (node, sliding) in supports.nodes(input.supports) {
            particles[node].target += sliding * (h / input.rest.masses[node]);
        }
        if !free || !input.supports.is_empty() {
            self.hold(nodes, input);
        }
        mean
    }

    /// What supports push with; returns whether some let nodes go, so that there is more to be solved.
    fn react(&mut self, nodes: &NodeState, input: &StepInput, common: &Common, mean: Vec3) -> bool {
        let Work { places, particles, supports, forces, .. } = &mut self.scratch.works[0];
        if supports.held().is_empty() {
            return false;
        }
        let h = input.h;
        let sliding =
            |node: usize, times: f32, sliding: Vec3| sliding * (times * h / input.rest.masses[node]);
        for (node, friction) in supports.nodes(input.supports) {
            particles[node].target += sliding(node, -1.0, friction);
        }
        let lacking = |node: usize| -particles[node].left(places[node], forces[node], common);
        let velocity = |node: usize| (places[node] - nodes.positions[node]) / h + mean;
        let changed = supports.react(input.supports, h, lacking, velocity);
        for (node, friction) in supports.nodes(input.supports) {
            particles[node].target += sliding(node, 1.0, friction);
        }
        changed
    }

    /// Held nodes are where they are held, on all levels: a voxel is held as firmly as the held nodes in it hold their neighbours.
    fn hold(&mut self, nodes: &NodeState, input: &StepInput) {
        let (levels, works) = (&self.rest.levels, &mut self.scratch.works);
        for held in &input.held.nodes {
            let node = held.node as usize;
            let place = match held.hold {
                Hold::At { place, .. } => (place - nodes.origin).as_vec3(),
                Hold::Moving(velocity) => nodes.positions[node] + input.h * velocity,
                Hold::Shared => continue,
            };
            works[0].places[node] = place;
            let particle = &mut works[0].particles[node];
            (particle.target, particle.held) = (place, true);
        }
        let mass = |level: usize, i: usize| levels[level].weights[i] / square(input.h);
        for l in 1..works.len() {
            let (below, above) = works.split_at_mut(l);
            let (below, mut supported) = (&below[l - 1], below[l - 1].supports.held().iter().peekable());
            for (i, particle) in below.particles.iter().enumerate() {
                let mut is_held = particle.held;
                while supported.next_if(|of| of.node == i).is_some() {
                    is_held = true;
                }
                let more = if is_held { particle.diagonal } else { particle.anchor - mass(l - 1, i) };
                if more > 1e-3 * particle.anchor {
                    let home = &levels[l - 1].homes[i];
                    let corners = &levels[l].corners[home.cluster as usize];
                    for (corner, weight) in corners.iter().zip(home.weights()) {
                        let corner = &mut above[0].particles[*corner as usize];
                        corner.anchor += weight * more;
                        corner.diagonal += weight * more;
                    }
                }
            }
        }
    }

    /// Velocities from where the nodes have come to; what rounding and unfinished work left of momentum is taken out.
    fn end(&mut self, nodes: &mut NodeState, input: &StepInput, common: &Common, mean: Option<Vec3>) {
        let (free, mean) = (mean.is_some(), mean.unwrap_or_default());
        let Self { state, scratch, .. } = self;
        let Scratch { works, before, field, partials, given, .. } = scratch;
        let (work, h) = (&mut works[0], input.h);
        let (places, positions, velocities) = (&work.places, &nodes.positions, &nodes.velocities);
        let before = &*before;
        par::for_each_indexed(field, par::CHUNK, |i, change| {
            // From the same numbers as the first guess, so that what was not moved since has just that velocity.
            let moved = places[i] - (positions[i] + h * (before[i] - mean));
            *change = (before[i] - velocities[i]) + moved / h;
        });
        if free {
            // What supports it gives a body momentum, as much as there has to be for it not to go there.
            let (given, masses) = (input.supports, &input.rest.masses);
            work.supports.give(given, field, masses, -1.0);
            let held = work.supports.held().iter().map(|of| (positions[of.node], of.direction));
            momentum::remove_rigid_part_along(input.rest, nodes, held, field, partials);
            work.supports.give(given, field, masses, 1.0);
        }
        let field = &*field;
        par::for_each_indexed(&mut nodes.velocities, par::CHUNK, |i, v| *v += field[i]);
        find_given(work, field, input, common, given);
        let behind = advance(input.rest, nodes, mean, h);
        if behind != Vec3::ZERO {
            work.seen.iter_mut().for_each(|x| *x -= behind);
        }
        std::mem::swap(&mut work.clusters, &mut state.clusters);
        std::mem::swap(&mut work.seen, &mut state.seen);
        std::mem::swap(&mut work.slack, &mut state.slack);
        std::mem::swap(&mut work.forces, &mut state.forces);
    }
}

/// What held nodes were given, each once: of the change of what they have, what clusters have no part in.
fn find_given(work: &mut Work, changes: &[Vec3], input: &StepInput, common: &Common, given: &mut Vec<Vec3>) {
    let Work { places, particles, forces, .. } = work;
    given.clear();
    given.extend(input.held.nodes.iter().map(|of| {
        let node = of.node as usize;
        let particle = &mut particles[node];
        if !std::mem::take(&mut particle.held) {
            return Vec3::ZERO;
        }
        // Held nodes are at their targets: only forces are left.
        let left = particle.left(places[node], forces[node], common);
        input.rest.masses[node] * changes[node] - input.h * left
    }));
}

/// x ← x + h v; returns how far the origin was moved beyond `mean`.
fn advance(rest: &NodeRest, nodes: &mut NodeState, mean: Vec3, h: f32) -> Vec3 {
    let (center, velocity) = rest.mean_motion(nodes);
    let drift = Drift::new(rest, center, velocity);
    super::integrate::advance_by(&drift, nodes, h);
    drift.behind + h * (drift.mean - mean)
}

/// Matches all clusters where the nodes are, for the maps that the skin needs.
pub fn refresh(model: &mut Hierarchy, nodes: &NodeState) {
    let level = &model.rest.levels[0];
    let placed =
        matching::Placed { level, places: &nodes.positions, start: None, not_linear: finest::NOT_LINEAR };
    let all = vec![true; level.corners.len()];
    let mut clusters = model.state.clusters.clone();
    matching::match_active(&placed, &Law::default(), &all, &mut clusters);
    // Only what is drawn: the next step matches as if this had not been.
    model.state.clusters.iter_mut().zip(clusters).for_each(|(to, from)| to.map = from.map);
}
