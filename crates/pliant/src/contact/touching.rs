//! Which nodes touch a collider now.

use super::Collider;
use crate::body::Body;
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

/// All contacts of a body with colliders, by collider and node.
///
/// A step leaves a node that it has stopped on the surface, so these are the contacts of the step before.
pub fn touching<'a>(body: &Body, colliders: impl Iterator<Item = &'a Collider>) -> Vec<Contact> {
    let (rest, border) = (body.rest(), body.border());
    let close = CLOSE * rest.nodes.radius.max(border.reach);
    let mut contacts = Vec::new();
    for collider in colliders {
        let seen = collider.seen_from(body.nodes.origin);
        for node in 0..body.nodes.positions.len() {
            let map = body.node_map(node);
            for tip in border.tips(node as u32) {
                let at = body.nodes.positions[node] + map * tip.point;
                let (distance, normal) = seen.distance(at);
                if distance <= close {
                    contacts.push(Contact { node: node as u32, point: at - normal * distance, normal });
                }
            }
        }
    }
    contacts
}
