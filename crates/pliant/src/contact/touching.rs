//! Which nodes touch a collider now.

use super::Collider;
use crate::nodes::NodeState;
use glam::Vec3;

/// A node that touches a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Which node.
    pub node: u32,
    /// Where on the collider, in metres from the body's origin.
    pub point: Vec3,
    /// Unit vector out of the collider.
    pub normal: Vec3,
}

/// What counts as touching, as part of the body's radius: a node on a surface is beside it by rounding.
const CLOSE: f32 = 1e-3;

/// All contacts of a body with colliders, by collider and node; `reaches` are how far from each node the body begins.
///
/// A step leaves a node that it has stopped on the surface, so these are the contacts of the step before.
pub fn touching<'a>(
    nodes: &NodeState,
    reaches: &[f32],
    radius: f32,
    colliders: impl Iterator<Item = &'a Collider>,
) -> Vec<Contact> {
    let mut contacts = Vec::new();
    for collider in colliders {
        let seen = collider.seen_from(nodes.origin);
        for (node, &at) in nodes.positions.iter().enumerate() {
            let (distance, normal) = seen.distance(at);
            let reach = reaches.get(node).copied().unwrap_or(0.0);
            if distance - reach <= CLOSE * radius.max(reach) {
                contacts.push(Contact { node: node as u32, point: at - normal * distance, normal });
            }
        }
    }
    contacts
}
