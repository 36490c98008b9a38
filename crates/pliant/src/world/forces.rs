//! Forces of the caller's own.

use crate::body::{Body, BodyHandle};
use crate::ids::NodeId;
use glam::{DVec3, Vec3};

/// A force in N on a node, as the caller of [`World::step_with`](super::World::step_with) wants it.
pub type Force<'a> = dyn Fn(&ForceAt) -> Vec3 + Sync + 'a;

/// A node that a force is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceAt {
    /// The body.
    pub body: BodyHandle,
    /// The node.
    pub node: NodeId,
    /// Where it is.
    pub position: DVec3,
    /// m/s
    pub velocity: Vec3,
    /// kg
    pub mass: f32,
    /// Simulated seconds since the world began.
    pub time_secs: f64,
}

/// What a caller's force does to each node of a body.
pub(super) fn forces<'a>(
    handle: BodyHandle,
    body: &'a Body,
    time_secs: f64,
    force: &'a Force,
) -> impl Iterator<Item = (usize, Vec3)> + 'a {
    body.nodes.velocities.iter().zip(&body.rest().nodes.masses).enumerate().map(
        move |(node, (&velocity, &mass))| {
            let position = body.nodes.world_position(node);
            let at = ForceAt { body: handle, node: NodeId(node as u32), position, velocity, mass, time_secs };
            (node, force(&at))
        },
    )
}
