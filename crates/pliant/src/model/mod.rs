//! What moves the nodes: one folder a model.

pub mod clusters;
pub mod creep;
pub mod integrate;
pub mod lattice;
pub mod momentum;
pub mod octree;
pub mod regions;

pub use clusters::Clusters;
pub use lattice::Lattice;
pub use octree::Octree;

use crate::material::Material;
use crate::nodes::{NodeRest, NodeState};
use crate::sampling::grid::Grid;
use glam::{DVec3, Mat3, Quat};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The model of a body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Model {
    /// Shape matching of overlapping sets of particles.
    Clusters(Clusters),
    /// Shape matching of regions of one width on a regular lattice.
    Lattice(Lattice),
    /// Shape matching of regions of any width on an octree whose cells can change.
    Octree(Octree),
}

/// What a model knows of the undeformed shape; shared between bodies of the same shape.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ModelRest {
    /// Of [`Model::Clusters`].
    Clusters(Arc<clusters::Rest>),
    /// Of [`Model::Lattice`].
    Lattice(Arc<lattice::Rest>),
    /// Of [`Model::Octree`].
    Octree(Arc<octree::Rest>),
}

impl Default for ModelRest {
    fn default() -> Self {
        Self::Clusters(Arc::default())
    }
}

impl ModelRest {
    /// The material on a grid of cells; none of particles.
    pub fn grid(&self) -> Option<&Arc<Grid>> {
        match self {
            Self::Clusters(_) => None,
            Self::Lattice(rest) => rest.material.as_ref().map(|material| &material.grid),
            Self::Octree(rest) => Some(&rest.grid),
        }
    }
}

impl Model {
    /// Gives a model that comes from a snapshot its rest back, which the snapshot keeps once for all bodies of a shape.
    pub(crate) fn attach(&mut self, rest: &ModelRest) {
        match (self, rest) {
            (Self::Clusters(clusters), ModelRest::Clusters(rest)) => clusters.rest = rest.clone(),
            (Self::Lattice(lattice), ModelRest::Lattice(rest)) => lattice.rest = rest.clone(),
            (Self::Octree(octree), ModelRest::Octree(rest)) => octree.rest = rest.clone(),
            (Self::Clusters(_) | Self::Lattice(_) | Self::Octree(_), _) => {}
        }
    }

    /// The model's word in scene files, reports and the interface.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Clusters(_) => "clusters",
            Self::Lattice(_) => "lattice",
            Self::Octree(_) => "octree",
        }
    }

    /// How many shape matches (or elements) a step costs.
    pub fn cost(&self) -> usize {
        match self {
            Self::Clusters(clusters) => clusters.rest.len(),
            Self::Lattice(lattice) => lattice.rest.cells.len(),
            Self::Octree(octree) => octree.rest.regions.len(),
        }
    }

    /// Moves the nodes by `h` seconds under the forces that hold the body together; returns what its momentum changed by, which
    /// should be nothing.
    pub(crate) fn step(
        &mut self,
        rest: &NodeRest,
        nodes: &mut NodeState,
        material: &Material,
        h: f32,
    ) -> DVec3 {
        match self {
            Self::Clusters(clusters) => clusters::step(clusters, rest, nodes, material, h),
            Self::Lattice(lattice) => lattice::step(lattice, rest, nodes, material, h),
            Self::Octree(octree) => octree::step(octree, rest, nodes, material, h),
        }
    }

    /// The linear map that turns a small rest vector at a node into the current one, as of the latest goals.
    pub fn node_map(&self, rest: &NodeRest, node: usize) -> Mat3 {
        match self {
            Self::Clusters(clusters) => clusters::goal::node_map(clusters, rest, node),
            Self::Lattice(lattice) => lattice.node_map(node),
            Self::Octree(octree) => octree.node_map(node),
        }
    }

    /// How the body as a whole is turned, roughly: what is left of it is put back that way when the rest is lost.
    pub(crate) fn rotation(&self) -> Quat {
        match self {
            Self::Clusters(clusters) => clusters.state.rotations.first().copied().unwrap_or(Quat::IDENTITY),
            Self::Lattice(lattice) => lattice.state.middle_rotation(),
            Self::Octree(octree) => octree.state.middle_rotation(),
        }
    }

    /// Tells the model that the body was turned or set back to rest: nothing remembered from before holds.
    pub(crate) fn reset(&mut self, rotation: Quat) {
        match self {
            Self::Clusters(clusters) => clusters.reset(rotation),
            Self::Lattice(lattice) => lattice.state.reset(rotation),
            Self::Octree(octree) => octree.state.reset(rotation),
        }
    }

    /// Makes what a step derives, so that a body can be drawn before its first step and after a snapshot.
    pub(crate) fn refresh(&mut self, rest: &NodeRest, nodes: &NodeState, material: &Material) {
        match self {
            Self::Clusters(clusters) => clusters::refresh(clusters, rest, nodes, material),
            Self::Lattice(lattice) => lattice::refresh(lattice, rest, nodes),
            Self::Octree(octree) => octree::refresh(octree, rest, nodes),
        }
    }

    /// Makes what the skin needs at the end of a step, or after a snapshot, where that is not there already.
    pub(crate) fn update_maps(&mut self, rest: &NodeRest, nodes: &NodeState, material: &Material) {
        match self {
            Self::Clusters(clusters) => clusters::refresh(clusters, rest, nodes, material),
            Self::Lattice(_) | Self::Octree(_) => {}
        }
    }

    /// Elastic energy in J of the last step's goals.
    pub fn elastic_energy(&self, rest: &NodeRest, material: &Material, h: f32) -> f64 {
        match self {
            Self::Clusters(clusters) => clusters.elastic_energy(rest, material, h),
            Self::Lattice(lattice) => {
                regions::integrate::elastic_energy(&lattice.scratch.regions, material, h)
            }
            Self::Octree(octree) => regions::integrate::elastic_energy(&octree.scratch.matching, material, h),
        }
    }
}
