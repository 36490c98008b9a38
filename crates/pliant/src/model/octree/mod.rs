//! Octree shape matching: nodes where they matter, regions of any width.
//!
//! Based on \[SOG08\]; its sections by file: [`tree`] §4.1, [`regions`] §4.2, [`summation`] §4.3, [`resample`] §5, [`visibility`]
//! and [`distance`] §6.
//!
//! Symbols: those of [`regions`](super::regions); `w` a region's half-width, `ε` its slack.
//!
//! Deviations:
//! - Goals use the transpose of the sums, so regions need not be symmetric and widths may vary freely: see
//!   [`regions`](super::regions).
//! - A node is in the middle of the material in its cell and not of the cell: the same for full cells, and never outside of
//!   the body by much for others.
//! - After a change, regions are found again by one search from what changed, through the graph before and after it. \[SOG08\]
//!   §5.1 takes the regions that contain what changed, which misses some whose ways only led through it: then a body that was
//!   resampled is not the body that would be built anew.

mod adapt;
mod cut;
pub mod distance;
mod exact;
pub mod regions;
pub mod resample;
pub mod resolution;
pub mod rest;
mod seam;
mod skin;
pub mod summation;
pub mod tree;
pub mod visibility;

pub use resolution::Resolution;
pub use rest::Rest;
pub use tree::Tree;

use super::regions::integrate::Found;
use super::regions::{self as matching, Pull};
use crate::material::Material;
use crate::math::Mat3x8;
use crate::model::regions::rest::Summation;
use crate::nodes::{NodeRest, NodeState};
use glam::{DVec3, Mat3, Quat};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a body becomes an octree. Sizes that are not given follow from the mesh; see [`BodySize`](crate::sampling::BodySize).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OctreeSettings {
    /// Edge of the finest cells in metres, above 0. `None` chooses the largest cells so that the body has about 600 of them, or
    /// more where it is thin, and the finest by `levels`.
    pub cell: Option<f32>,
    /// How often a base cell may be halved to get to the finest: 0 is a uniform lattice. At most 8. `None` is 2, or what thin
    /// parts need if `cell` is not given either.
    pub levels: Option<u32>,
    /// Half-width in metres of the regions that are matched together, above 0: the larger, the stiffer. A region always has
    /// its node's neighbours; if they are farther off than this, it pulls less, so that the body is as stiff there as where it
    /// is finer. `None` is two and a half times the largest cells, or more for small bodies.
    pub width: Option<f32>,
    /// ε: how much farther than its width a region may reach, 0 or more. Larger values make fewer sums and less even regions. Where
    /// ε times the width is a cell or more, the nodes of that cell's eight move as one rigid piece, and cost as one; see
    /// [`Resolution`].
    pub slack: f32,
}

impl Default for OctreeSettings {
    fn default() -> Self {
        Self { cell: None, levels: None, width: None, slack: 0.25 }
    }
}

/// The settings of an octree with every size known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// Edge of the finest cells in metres.
    pub cell: f32,
    /// How often a base cell may be halved to get to the finest.
    pub levels: u32,
    /// Half-width of the regions in metres.
    pub width: f32,
    /// ε
    pub slack: f32,
}

impl From<Layout> for OctreeSettings {
    fn from(Layout { cell, levels, width, slack }: Layout) -> Self {
        Self { cell: Some(cell), levels: Some(levels), width: Some(width), slack }
    }
}

/// The model `octree` of one body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Octree {
    /// The cells of the undeformed body; shared between bodies of the same shape until one of them changes.
    #[serde(skip)]
    pub rest: Arc<Rest>,
    /// What a region remembers from step to step.
    pub state: matching::State,
    /// What a step makes anew.
    #[serde(skip)]
    pub scratch: Scratch,
}

/// What a step makes anew.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Shared with `lattice`.
    pub matching: matching::Scratch,
    /// Of each cell.
    pub cells: Vec<matching::Moments>,
    /// Of each region.
    pub regions: Vec<matching::Moments>,
}

impl Octree {
    /// A model at rest.
    pub fn new(rest: Arc<Rest>) -> Self {
        let state = matching::State::new(rest.nodes.len(), Quat::IDENTITY);
        Self { rest, state, scratch: Scratch::default() }
    }

    /// Where the region of a node is kept.
    fn slot(&self, node: usize) -> usize {
        self.rest.region_of[node] as usize
    }

    /// F of the region of a node.
    fn map(&self, node: usize) -> Mat3 {
        self.state.map(self.slot(node))
    }
}

/// One step of octree shape matching, \[SOG08\] §4.3; returns what the momentum changed by, which should be nothing.
///
/// 1. weigh   2. sum up the tree   3. gather regions and fit   4. scatter to nodes   5. pull and move
pub fn step(
    model: &mut Octree,
    rest: &NodeRest,
    nodes: &mut NodeState,
    material: &Material,
    h: f32,
) -> DVec3 {
    let Octree { rest: octree, state, scratch } = model;
    let Scratch { matching, cells, regions } = scratch;
    let pull = Pull::new(material, h, octree.reference(), rest.radius);
    if material.plasticity.is_some() {
        state.plastic.resize(octree.nodes.len(), Mat3::IDENTITY);
    }
    let found = Found::new(&octree.shares, rest, nodes);
    let motion = matching::integrate::weigh(matching, &found);
    summation::sum_up(octree, &matching.fields, cells);
    summation::gather_and_fit(octree, cells, regions, state, material.plasticity.as_ref(), &pull); // Eq. 5–7, step 3
    summation::scatter(octree, regions, cells, &mut matching.fields); // Eq. 8, by the transpose: see Deviations
    matching::integrate::pull(matching, &found, &pull); // Eq. 2
    matching::integrate::advance(matching, rest, nodes, motion, h) // Eq. 3
}

/// Makes the maps that the skin needs, without moving anything.
pub fn refresh(model: &mut Octree, rest: &NodeRest, nodes: &NodeState) {
    let Octree { rest: octree, state, scratch } = model;
    let Scratch { matching, cells, .. } = scratch;
    matching::integrate::weigh(matching, &Found::new(&octree.shares, rest, nodes));
    summation::sum_up(octree, &matching.fields, cells);
    summation::gather_maps(octree, cells, state);
}

/// How the velocity changes with the rest position around the nodes of each region, by eights.
pub(crate) fn velocity_gradients(model: &mut Octree, rest: &NodeRest, nodes: &NodeState) -> Vec<Mat3x8> {
    let Octree { rest: octree, scratch, .. } = model;
    let Scratch { matching, cells, .. } = scratch;
    matching::integrate::weigh(matching, &Found::new(&octree.shares, rest, nodes));
    summation::sum_up(octree, &matching.fields, cells);
    summation::gather_gradients(octree, cells)
}
