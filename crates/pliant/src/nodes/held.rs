//! Nodes that something holds, whatever their model wants.

use super::NodeState;
use glam::{DVec3, Vec3};

/// How a node is held during a substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    /// At a place in the world.
    At {
        /// Where.
        place: DVec3,
        /// How fast it has come there, in m/s; zero if it stays.
        velocity: Vec3,
    },
    /// By something that nothing stops: the node has its velocity, in m/s, and is moved with it when the substep ends.
    Moving(Vec3),
    /// By a rigid body that feels the node: contacts move both, and they find their common velocity when the substep ends.
    Shared,
}

/// A node that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldNode {
    /// Which.
    pub node: u32,
    /// How.
    pub hold: Hold,
    /// The rigid body that it is attached to, if it is: the two do not collide.
    pub rigid: Option<u64>,
}

/// The nodes of a body that are held. Where one is held twice, the later entry counts.
#[derive(Clone, Debug, Default)]
pub struct HeldNodes {
    /// In the order in which they are held.
    pub nodes: Vec<HeldNode>,
    /// kg m/s that each was given so far in the substep to be where it is held: what it takes from what others gave it.
    pub given: Vec<Vec3>,
}

impl HeldNodes {
    /// Holds nothing any more.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.given.clear();
    }

    /// Puts the nodes where they are held, with the velocities they are held at.
    pub fn apply(&mut self, nodes: &mut NodeState, masses: &[f32]) {
        let mut given = std::mem::take(&mut self.given);
        self.put(nodes, masses, &mut given);
        self.given = given;
    }

    /// As [`apply`](Self::apply), for those who share the list: what it takes is added to `given`, node by node in the list's order.
    pub fn put(&self, nodes: &mut NodeState, masses: &[f32], given: &mut Vec<Vec3>) {
        given.resize(self.nodes.len(), Vec3::ZERO);
        for (&HeldNode { node, hold, .. }, given) in self.nodes.iter().zip(given) {
            let node = node as usize;
            let before = nodes.velocities[node];
            match hold {
                Hold::At { place, velocity } => {
                    nodes.positions[node] = (place - nodes.origin).as_vec3();
                    nodes.velocities[node] = velocity;
                }
                Hold::Moving(velocity) => nodes.velocities[node] = velocity,
                Hold::Shared => {}
            }
            *given += masses[node] * (nodes.velocities[node] - before);
        }
    }

    /// Adds what others gave the nodes to hold them, and leaves nothing of it there.
    pub fn add(&mut self, given: &mut Vec<Vec3>) {
        self.given.resize(self.nodes.len(), Vec3::ZERO);
        self.given.iter_mut().zip(given.iter()).for_each(|(to, more)| *to += *more);
        given.clear();
    }

    /// Takes up what nodes were pushed with that cannot be pushed: `pushed` says how much that is in kg m/s, and forgets it.
    pub fn withstand(&mut self, mut pushed: impl FnMut(u32) -> Vec3) {
        self.given.resize(self.nodes.len(), Vec3::ZERO);
        for (held, given) in self.nodes.iter().zip(&mut self.given) {
            if held.hold != Hold::Shared {
                *given -= pushed(held.node);
            }
        }
    }

    /// The nodes that cannot be pushed.
    pub fn fixed(&self) -> impl Iterator<Item = u32> {
        self.nodes.iter().filter(|held| held.hold != Hold::Shared).map(|held| held.node)
    }

    /// The nodes that are attached to a rigid body.
    pub fn attached_to(&self, rigid: u64) -> impl Iterator<Item = u32> {
        self.nodes.iter().filter(move |held| held.rigid == Some(rigid)).map(|held| held.node)
    }
}
