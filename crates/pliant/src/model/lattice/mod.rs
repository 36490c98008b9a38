//! Fast lattice shape matching: a regular lattice of nodes, each with a region of the same width.
//!
//! Based on \[RJ07\]; also the yardstick for `octree`.
//!
//! Symbols: those of [`regions`]; `w` the regions' half-width in cells.
//!
//! A region is what is reached from its node by going up to w cells along z, from there up to w along y, from there up to w
//! along x, always through the material: a box where the material fills it, and less at surfaces, gaps and cuts.
//!
//! Deviations:
//! - \[RJ07\] defines a region as all nodes within w by any path, and pays for it with several sums a node where the lattice
//!   is irregular. Here the regions are what three passes give, so the cost is the same everywhere. They are not symmetric (j in
//!   the region of i is not i in the region of j), which does not matter: goals use the transpose, three passes in reverse.
//! - Sums over windows by blocks, not by adding at one end and subtracting at the other: nothing cancels, no rounding
//!   accumulates along a line.

mod exact;
pub mod rest;
mod seam;
pub mod summation;

pub use rest::{Lines, Rest};

use super::regions::integrate::Found;
use super::regions::rest::Summation;
use super::regions::{self, Pull};
use crate::material::Material;
use crate::nodes::{NodeRest, NodeState};
use glam::{DVec3, Mat3, Quat};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a body becomes a lattice. Sizes that are not given follow from the mesh; see [`BodySize`](crate::sampling::BodySize).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LatticeSettings {
    /// Edge of a cell in metres, above 0. `None` chooses one that gives the body about 600 nodes, or more if it is thin.
    pub cell: Option<f32>,
    /// Half-width in metres of the regions that are matched together, above 0: the larger, the stiffer. At least one cell.
    /// Costs the same at any width. `None` is two cells, or more for small bodies.
    pub width: Option<f32>,
}

/// The model `lattice` of one body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Lattice {
    /// The lattice of the undeformed body; shared between bodies of the same shape.
    #[serde(skip)]
    pub rest: Arc<Rest>,
    /// What a region remembers from step to step.
    pub state: regions::State,
    /// What a step makes anew.
    #[serde(skip)]
    pub scratch: Scratch,
}

/// What a step makes anew.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Shared with `octree`.
    pub regions: regions::Scratch,
    /// Partial sums between the passes.
    pub sums: summation::Sums,
}

impl Lattice {
    /// A model at rest.
    pub fn new(rest: Arc<Rest>) -> Self {
        let state = regions::State::new(rest.nodes.len(), Quat::IDENTITY);
        Self { rest, state, scratch: Scratch::default() }
    }
}

/// One step of lattice shape matching, \[RJ07\] §4–5; returns what the momentum changed by, which should be nothing.
///
/// 1. weigh   2. gather along x   3. along y and z, fit, and back   4. scatter along x   5. pull and move
pub fn step(
    model: &mut Lattice,
    rest: &NodeRest,
    nodes: &mut NodeState,
    material: &Material,
    h: f32,
) -> DVec3 {
    let Lattice { rest: lattice, state, scratch } = model;
    let Scratch { regions, sums } = scratch;
    let pull = Pull::new(material, h, lattice.reference(), rest.radius);
    if material.plasticity.is_some() {
        state.plastic.resize(lattice.nodes.len(), Mat3::IDENTITY);
    }
    let found = Found::new(&lattice.shares, rest, nodes);
    let motion = summation::weigh_and_gather_x(lattice, &found, sums, &mut regions.motions);
    summation::fit_slices(lattice, sums, state, material.plasticity.as_ref(), &pull);
    summation::scatter_x_and_pull(lattice, &found, sums, regions, &pull);
    regions::integrate::advance(regions, rest, nodes, motion, h)
}

/// Makes the maps that the skin needs, without moving anything.
pub fn refresh(model: &mut Lattice, rest: &NodeRest, nodes: &NodeState) {
    let Lattice { rest: lattice, state, scratch } = model;
    let Scratch { regions, sums } = scratch;
    let found = Found::new(&lattice.shares, rest, nodes);
    summation::weigh_and_gather_x(lattice, &found, sums, &mut regions.motions);
    summation::map_slices(lattice, sums, state);
}
