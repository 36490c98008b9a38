//! Implicit steps: stable at any length, for any stiffness.
//!
//! One Newton step of backward Euler, \[BW98\], from a guess of where nodes will be:
//!
//! ```text
//! (M/h² + K + D/h) d = M/h² (x* − x) + f(x, ẋ)        x ← x + d
//! ```
//!
//! with x* where nodes would come to without elastic forces, and the guess x where they come to at the speed that they have. What rests, in
//! equilibrium with what acts on it, leaves nothing over, so nothing moves it. K is the Hessian of the energy without what stress takes from
//! the stiffness, and with strains within the limits of Green strain: positive definite in any state.
//!
//! Solved by [conjugate gradients](super::conjugate).

use super::conjugate::{InverseBlock, solve};
use super::forces::{CornerForces, PACKS, on_node};
use super::law::Lame;
use super::rest::{Pack, Rest};
use super::strain::Law;
use super::tangent::{AtGuess, CornerBlocks, Tangent, sum_of_blocks};
use super::{Elements, Scratch};
use crate::math::functions::square;
use crate::math::lanes::run;
use crate::model::seam::StepInput;
use crate::model::supports::{Supports, as_before};
use crate::model::{integrate, momentum};
use crate::nodes::{Hold, NodeState};
use crate::par;
use glam::{Mat3, Vec3, Vec4};

/// What conjugate gradients work on.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pub(super) tangents: Vec<Tangent>,
    blocks: Vec<CornerBlocks>,
    /// Nodes that are held: they do not move from the guess.
    pub(super) held: Vec<bool>,
    /// Nodes that rest on something.
    pub(super) supports: Supports,
    /// What is left of all forces on those at the guess, in N, without what supports them; m/s of the frame of the step.
    left: Vec<Vec4>,
    mean: Vec3,
    /// d, the residual, the search direction and what the matrix makes of it. A held node is not moved by its residual, which is what holds
    /// it, the other way.
    pub(super) displacements: Vec<Vec4>,
    pub(super) residuals: Vec<Vec4>,
    pub(super) directions: Vec<Vec4>,
    pub(super) products: Vec<Vec4>,
    /// What the residual is multiplied with for a search direction.
    pub(super) inverse: Vec<InverseBlock>,
    pub(super) sums: Vec<f64>,
    /// Iterations that the latest step took.
    pub iterations: u32,
}

/// How often a step may count the rate of strain as strain: beyond it nodes would hardly move against each other at all.
const MOST_VISCOUS: f32 = 20.0;

/// A step: guess, respond, solve, advance.
pub fn step(model: &mut Elements, nodes: &mut NodeState, input: &StepInput, law: &Law) {
    let free = input.held.fixed().next().is_none();
    model.scratch.before.clone_from(&nodes.velocities);
    input.push(nodes, input.h);
    let Elements { rest, given, scratch, .. } = model;
    let packs = given.as_ref().map_or(&rest.packs[..], |given| &given.packs);
    let viscosity = law.viscosity.min(MOST_VISCOUS * input.h);
    let law = Law { viscosity, ..*law };
    guess(scratch, nodes, input, free);
    // Strain and its rate are resisted alike: what elements are displaced by within the step is both.
    let resisting = law.lame.scaled(1.0 + viscosity / input.h);
    respond_at_guess(rest, packs, scratch, input, &law, &resisting);
    let Scratch { work, speeds, corners, .. } = &mut **scratch;
    solve(rest, packs, work, speeds, corners, input, &resisting);
    advance(scratch, nodes, input, free);
}

/// Where nodes come to as fast as before, and with what acts on the body as a whole; held ones where they are held.
fn guess(scratch: &mut Scratch, nodes: &NodeState, input: &StepInput, free: bool) {
    let Scratch { work, places, speeds, before, field, partials, .. } = scratch;
    field.clear();
    field.extend(nodes.velocities.iter().zip(&*before).map(|(now, before)| *now - *before));
    let mut mean = Vec3::ZERO;
    if free {
        // What holds up the body will do so as it did, more or less.
        as_before(input, field, |field| momentum::remove_rigid_part(input.rest, nodes, field, partials));
        mean = input.rest.mean_motion(nodes).1.as_vec3();
    }
    let count = nodes.positions.len();
    work.fit(count);
    places.resize(count, Vec4::ZERO);
    speeds.resize(count, Vec4::ZERO);
    let loads = &*field;
    par::for_each_pair(speeds, places, par::CHUNK, |node, speed, place| {
        // In a frame that moves with the body, so that one in fast flight does not tremble.
        let relative = nodes.velocities[node] - loads[node] - mean;
        *speed = relative.extend(0.0);
        *place = (nodes.positions[node] + input.h * relative).extend(0.0);
    });
    for held in &input.held.nodes {
        let node = held.node as usize;
        let place = match held.hold {
            Hold::At { place, .. } => (place - nodes.origin).as_vec3(),
            Hold::Moving(velocity) => nodes.positions[node] + input.h * velocity,
            Hold::Shared => continue,
        };
        (places[node], work.held[node]) = (place.extend(0.0), true);
        let speed = (place - nodes.positions[node]) / input.h;
        speeds[node] = speed.extend(0.0);
        field[node] = nodes.velocities[node] - speed;
    }
    let Work { supports, mean: frame, .. } = work;
    *frame = mean;
    supports.begin(input);
    for of in supports.held() {
        let direction = of.direction.extend(0.0);
        let missing = of.speed - mean.dot(of.direction) - speeds[of.node].dot(direction);
        speeds[of.node] += missing * direction;
        places[of.node] = nodes.positions[of.node].extend(0.0) + input.h * speeds[of.node];
        field[of.node] = nodes.velocities[of.node] - mean - speeds[of.node].truncate();
    }
}

/// Takes directions that are held out of forces or displacements of nodes.
pub(super) fn project(supports: &Supports, vectors: &mut [Vec4]) {
    for of in supports.held() {
        let direction = of.direction.extend(0.0);
        vectors[of.node] -= direction * vectors[of.node].dot(direction);
    }
}

impl Work {
    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        let Self { tangents, blocks, held, supports, left, inverse, sums, .. } = self;
        let vectors = [&self.displacements, &self.residuals, &self.directions, &self.products];
        let of_elements = size_of_val(&tangents[..]) + size_of_val(&blocks[..]);
        let of_supports = supports.bytes() + size_of_val(&left[..]);
        let of_nodes = held.len() + of_supports + size_of_val(&inverse[..]) + size_of_val(&sums[..]);
        of_elements + of_nodes + vectors.map(|vector| size_of_val(&vector[..])).iter().sum::<usize>()
    }

    /// Forces of elements on their corners, how they resist, and the blocks of that on the diagonal, where nodes are at these places and have
    /// these speeds.
    pub(super) fn respond(
        &mut self,
        packs: &[Pack],
        [places, speeds]: [&[Vec4]; 2],
        corners: &mut Vec<CornerForces>,
        law: &Law,
        resisting: &Lame,
    ) {
        let Self { tangents, blocks, .. } = self;
        let count = packs.len();
        tangents.resize(count, Tangent::default());
        corners.resize(count, CornerForces::default());
        blocks.resize(count, CornerBlocks::default());
        let bounds = |part: usize| (part * PACKS).min(count);
        let outputs = (&mut tangents[..], &mut corners[..], &mut blocks[..]);
        par::for_each_part(0..count.div_ceil(PACKS), &bounds, outputs, &|part, outputs| {
            let packs = &packs[bounds(part)..bounds(part + 1)];
            let (tangents, forces, blocks) = outputs;
            run(AtGuess { packs, places, speeds, law, resisting, tangents, forces, blocks });
        });
    }

    /// (m/h² + K)⁻¹ of each node, K being the block of the matrix on the diagonal.
    pub(super) fn find_inverse(&mut self, rest: &Rest, masses: &[f32], h: f32) {
        let Self { inverse, blocks, .. } = self;
        let blocks = &*blocks;
        inverse.resize(masses.len(), InverseBlock::default());
        par::for_each_indexed(inverse, par::CHUNK, |node, inverse| {
            let inertia = Mat3::from_diagonal(Vec3::splat(masses[node] / square(h)));
            *inverse = InverseBlock::of(sum_of_blocks(rest.places.of(node), blocks) + inertia);
        });
    }

    /// What that found.
    pub(super) fn inverse(&self) -> &[InverseBlock] {
        &self.inverse
    }

    /// What supports push with, given what the matrix makes of the displacements of nodes; returns whether some let nodes go.
    pub(super) fn react(&mut self, speeds: &[Vec4], input: &StepInput) -> bool {
        let Self { supports, left, displacements, products, mean, .. } = self;
        let lacking = |node: usize| (products[node] - left[node]).truncate();
        let velocity = |node: usize| (speeds[node] + displacements[node] / input.h).truncate() + *mean;
        supports.react(input.supports, input.h, lacking, velocity)
    }

    /// Goes on with what supports hold now, given what the matrix makes of the displacements of nodes: residuals, and what they are
    /// multiplied with for a search direction.
    pub(super) fn go_on(&mut self, rest: &Rest, input: &StepInput) {
        let Self { supports, left, residuals, products, inverse, blocks, .. } = self;
        let block = |node: usize| {
            let inertia = input.rest.masses[node] / square(input.h);
            sum_of_blocks(rest.places.of(node), blocks) + Mat3::from_diagonal(Vec3::splat(inertia))
        };
        for (node, _) in supports.nodes(input.supports) {
            residuals[node] = left[node] - products[node];
            inverse[node] = InverseBlock::of(block(node));
        }
        for (node, sliding) in supports.nodes(input.supports) {
            residuals[node] += (sliding / input.h).extend(0.0);
        }
        project(supports, residuals);
        for rows in supports.held().chunk_by(|a, b| a.node == b.node) {
            let node = rows[0].node;
            inverse[node] = InverseBlock::within(block(node), rows.iter().map(|row| row.direction));
        }
    }

    fn fit(&mut self, count: usize) {
        let Self { held, displacements, residuals, directions, products, inverse, .. } = self;
        held.clear();
        held.resize(count, false);
        inverse.resize(count, InverseBlock::default());
        for vectors in [displacements, residuals, directions, products] {
            vectors.resize(count, Vec4::ZERO);
        }
    }
}

/// Stresses and stiffnesses at the guess: the residual, and the blocks of the matrix on its diagonal.
fn respond_at_guess(
    rest: &Rest,
    packs: &[Pack],
    scratch: &mut Scratch,
    input: &StepInput,
    law: &Law,
    resisting: &Lame,
) {
    let Scratch { work, places, speeds, corners, field, .. } = scratch;
    work.respond(packs, [places, speeds], corners, law, resisting);
    work.find_inverse(rest, &input.rest.masses, input.h);
    let Work { held, residuals, inverse, .. } = &mut *work;
    let (masses, field, held, h) = (&input.rest.masses, &*field, &*held, input.h);
    let corners = &*corners;
    par::for_each_pair(residuals, inverse, par::CHUNK, |node, residual, inverse| {
        let inertia = masses[node] / square(h);
        *residual = (inertia * h * field[node]).extend(0.0) + on_node(rest, corners, node);
        if held[node] {
            *inverse = InverseBlock::default();
        }
    });
    let Work { supports, left, residuals, products, .. } = &mut *work;
    left.resize(residuals.len(), Vec4::ZERO);
    for (node, _) in supports.nodes(input.supports) {
        (left[node], products[node]) = (residuals[node], Vec4::ZERO);
    }
    work.go_on(rest, input);
}

/// Velocities from where nodes have come to. Elastic forces give a free body no momentum: what rounding and what was left unsolved
/// would is taken out.
fn advance(scratch: &mut Scratch, nodes: &mut NodeState, input: &StepInput, free: bool) {
    let Scratch { work, speeds, field, partials, .. } = scratch;
    let h = input.h;
    let (displacements, held, speeds) = (&work.displacements, &work.held, &*speeds);
    let velocities = &nodes.velocities;
    par::for_each_indexed(field, par::CHUNK, |node, change| {
        *change = if held[node] {
            speeds[node].truncate() - velocities[node]
        } else {
            displacements[node].truncate() / h - *change
        };
    });
    let (supports, masses) = (&work.supports, &input.rest.masses);
    if free {
        // What supports it gives a body momentum, as much as there has to be for it not to go there.
        supports.give(input.supports, field, masses, -1.0);
        let held = supports.held().iter().map(|of| (nodes.positions[of.node], of.direction));
        momentum::remove_rigid_part_along(input.rest, nodes, held, field, partials);
        supports.give(input.supports, field, masses, 1.0);
    }
    let field = &*field;
    par::for_each_indexed(&mut nodes.velocities, par::CHUNK, |node, v| *v += field[node]);
    integrate::advance(input.rest, nodes, h);
    scratch.find_given(input);
}

impl Scratch {
    /// What held nodes were given, each once.
    fn find_given(&mut self, input: &StepInput) {
        let Work { held, residuals, .. } = &mut self.work;
        self.given.clear();
        self.given.extend(input.held.nodes.iter().map(|of| {
            let is_next = std::mem::take(&mut held[of.node as usize]);
            if is_next { -input.h * residuals[of.node as usize].truncate() } else { Vec3::ZERO }
        }));
    }
}
