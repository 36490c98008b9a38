//! What moves the nodes: one folder a model.

pub mod clusters;
pub mod integrate;
pub mod momentum;

pub use clusters::Clusters;

use crate::material::Material;
use crate::nodes::{NodeRest, NodeState};
use glam::{Mat3, Quat};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The model of a body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Model {
    /// Shape matching of overlapping sets of particles.
    Clusters(Clusters),
}

/// What a model knows of the undeformed shape; shared between bodies of the same shape.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ModelRest {
    /// Of [`Model::Clusters`].
    Clusters(Arc<clusters::Rest>),
}

impl Default for ModelRest {
    fn default() -> Self {
        Self::Clusters(Arc::default())
    }
}

impl Model {
    /// Gives a model that comes from a snapshot its rest back, which the snapshot keeps once for all bodies of a shape.
    pub(crate) fn attach(&mut self, rest: &ModelRest) {
        match (self, rest) {
            (Self::Clusters(clusters), ModelRest::Clusters(rest)) => clusters.rest = rest.clone(),
        }
    }

    /// The model's word in scene files, reports and the interface.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Clusters(_) => "clusters",
        }
    }

    /// How many shape matches (or elements) a step costs.
    pub fn cost(&self) -> usize {
        match self {
            Self::Clusters(clusters) => clusters.rest.len(),
        }
    }

    /// Moves the nodes by `h` seconds under the forces that hold the body together.
    pub(crate) fn step(&mut self, rest: &NodeRest, nodes: &mut NodeState, material: &Material, h: f32) {
        match self {
            Self::Clusters(clusters) => clusters::step(clusters, rest, nodes, material, h),
        }
    }

    /// The linear map that turns a small rest vector at a node into the current one, as of the latest goals.
    pub fn node_map(&self, rest: &NodeRest, node: usize) -> Mat3 {
        match self {
            Self::Clusters(clusters) => clusters::goal::node_map(clusters, rest, node),
        }
    }

    /// How the body as a whole is turned, roughly: what is left of it is put back that way when the rest is lost.
    pub(crate) fn rotation(&self) -> Quat {
        match self {
            Self::Clusters(clusters) => clusters.state.rotations.first().copied().unwrap_or(Quat::IDENTITY),
        }
    }

    /// Tells the model that the body was turned or set back to rest: nothing remembered from before holds.
    pub(crate) fn reset(&mut self, rotation: Quat) {
        match self {
            Self::Clusters(clusters) => clusters.reset(rotation),
        }
    }

    /// Makes what a step derives, so that a body can be drawn before its first step and after a snapshot.
    pub(crate) fn refresh(&mut self, rest: &NodeRest, nodes: &NodeState, material: &Material) {
        match self {
            Self::Clusters(clusters) => clusters::refresh(clusters, rest, nodes, material),
        }
    }

    /// Elastic energy in J of the last step's goals.
    pub fn elastic_energy(&self, rest: &NodeRest, material: &Material, h: f32) -> f64 {
        match self {
            Self::Clusters(clusters) => clusters.elastic_energy(rest, material, h),
        }
    }
}
