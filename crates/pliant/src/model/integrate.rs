//! Velocities and positions through one step, the same for every model that pulls nodes to goals.

use crate::nodes::{NodeRest, NodeState};
use crate::par;
use glam::Vec3;

/// v ← v + α d/h for displacements d = g − x to the goals.
pub fn pull_to_goals(nodes: &mut NodeState, displacements: &[Vec3], alpha: f32, h: f32) {
    let rate = alpha / h;
    par::for_each_indexed(&mut nodes.velocities, par::CHUNK, |i, v| *v += displacements[i] * rate);
}

/// x ← x + h v.
///
/// The body's mean motion goes into the origin, in `f64`; the nodes move only by what differs from it.
pub fn advance(rest: &NodeRest, nodes: &mut NodeState, h: f32) {
    let (centre, velocity) = rest.mean_motion(nodes);
    let mean = velocity.as_vec3();
    let NodeState { origin, positions, velocities } = nodes;
    *origin += f64::from(h) * mean.as_dvec3();
    // Contacts and pins move nodes without the origin: it follows when it has fallen behind by a tenth of the size.
    let behind = if centre.length() > 0.1 * f64::from(rest.radius) { centre.as_vec3() } else { Vec3::ZERO };
    *origin += behind.as_dvec3();
    par::for_each_indexed(positions, par::CHUNK, |i, x| *x = *x - behind + h * (velocities[i] - mean));
}
