//! Nodes that rest on something: they can leave it, but not go into it.
//!
//! Contacts act between the steps of models, on nodes that they find where the model has brought them. A model whose step solves for all nodes
//! at once would sink a body into the floor each time, by the weight of all of it on the few nodes that touch, and contacts would bring
//! only those back. So it is told what touched a moment ago, and solves for what rests as resting.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A node that rests on something.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Support {
    /// What it rests on, as contacts call it.
    pub by: u64,
    /// Which.
    pub node: u32,
    /// Out of what supports it, a unit vector.
    pub normal: Vec3,
    /// m/s of the node where it sticks: then it does not slide, and goes along the normal as fast as what supports it.
    pub velocity: Vec3,
    /// kg m/s that it was pushed with, friction included.
    pub impulse: Vec3,
    /// Coulomb friction.
    pub friction: f32,
    /// Whether that holds it: else it slides.
    pub sticks: bool,
    /// From the node to where it touches.
    pub arm: Vec3,
}

impl Support {
    /// The order of lists: by what supports, then by node.
    pub fn key(&self) -> (u64, u32) {
        (self.by, self.node)
    }

    /// What it was pushed with across the normal.
    pub fn friction_impulse(&self) -> Vec3 {
        self.impulse - self.normal * self.impulse.dot(self.normal)
    }
}
