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
}

impl HeldNodes {
    /// Puts the nodes where they are held, with the velocities they are held at.
    pub fn apply(&self, nodes: &mut NodeState) {
        for &HeldNode { node, hold, .. } in &self.nodes {
            let node = node as usize;
            match hold {
                Hold::At { place, velocity } => {
                    nodes.positions[node] = (place - nodes.origin).as_vec3();
                    nodes.velocities[node] = velocity;
                }
                Hold::Moving(velocity) => nodes.velocities[node] = velocity,
                Hold::Shared => {}
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
