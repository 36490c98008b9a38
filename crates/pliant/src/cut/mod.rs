//! Cutting: any blade, any model, always a closed surface.
//!
//! A [`Blade`] is a surface in the world. One event drives everything: *a connection is crossed*. The connections of `lattice` and
//! `octree` are those of a regular grid (`crossings`), whose [`splitting_cubes`] are the surface of the body from its first cut
//! on; what the crossed edges no longer join is disconnected in the model, and what then hangs together is a body of its own
//! (`pieces`). Scissors ([`scissors`]) go through a whole body along a plane and keep the user's own mesh, clipped and
//! capped. `clusters` have no connections, so every cut of theirs is a whole one: see [`Takes`].
//!
//! Cuts are made at the end of a step. [`World::cuts`](crate::World::cuts) tells what came of them.

mod blade;
pub(crate) mod crossings;
mod first_surface;
mod outside;
mod pieces;
pub mod scissors;
mod skin;
pub mod splitting_cubes;
mod world;

pub use blade::{Blade, BladeError, Hit};
pub(crate) use first_surface::{first_surface, uncrossed};
pub use outside::Outside;
pub use pieces::LEAST_NODES;
pub(crate) use pieces::{Parting, Pieces, part};
pub use skin::{CutSurface, Side};
pub(crate) use world::Order;
pub use world::{Cause, CutError, CutEvent, Parted};

use crate::geometry::Paint;
use crate::nodes::NodeRest;

/// How cut faces look unless a body says otherwise.
pub fn flesh() -> Paint {
    Paint { name: "cut".into(), base_color: [0.72, 0.2, 0.16, 1.0], roughness: 0.6, ..Paint::default() }
}

/// Which cuts a model can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A blade may end inside: flaps hang open.
    Partial,
    /// A blade goes through the whole body, along its plane, or not at all.
    Whole,
}

/// A model's rest that can be cut.
pub trait Cuttable: Sized {
    /// Which cuts it takes.
    const TAKES: Takes;

    /// The part of the body that has these of its nodes, ascending, with these pairs of nodes disconnected; its nodes are
    /// numbered in their order.
    fn part(&self, rest: &NodeRest, nodes: &[u32], pairs: &[(u32, u32)]) -> (NodeRest, Self);
}

impl NodeRest {
    /// Some of the nodes.
    pub(crate) fn only(&self, nodes: &[u32]) -> Self {
        Self {
            rest_positions: nodes.iter().map(|&node| self.rest_positions[node as usize]).collect(),
            masses: nodes.iter().map(|&node| self.masses[node as usize]).collect(),
            ..*self
        }
    }
}
