//! Velocities and positions through one step, the same for every model that pulls nodes to goals.

use crate::nodes::{NodeRest, NodeState};
use crate::par;
use glam::{DVec3, Vec3};

/// v ← v + α d/h for displacements d = g − x to the goals.
pub fn pull_to_goals(nodes: &mut NodeState, displacements: &[Vec3], alpha: f32, h: f32) {
    let rate = alpha / h;
    par::for_each_indexed(&mut nodes.velocities, par::CHUNK, |i, v| *v += displacements[i] * rate);
}

/// What the origin takes over from the nodes in a step: they move only by what differs from it.
///
/// Who steps adds it to the origin: in one sum or in two, which does not round alike.
#[derive(Clone, Copy, Debug)]
pub struct Drift {
    /// The body's mean velocity.
    pub mean: Vec3,
    /// How far the origin has fallen behind the nodes, where it has to follow.
    pub behind: Vec3,
}

impl Drift {
    /// Of a body with this centre of mass, relative to the origin, and this velocity of the whole.
    pub fn new(rest: &NodeRest, centre: DVec3, velocity: DVec3) -> Self {
        // Contacts and pins move nodes without the origin: it follows when it has fallen behind by a tenth of the size.
        let follows = centre.length() > 0.1 * f64::from(rest.radius);
        Self { mean: velocity.as_vec3(), behind: if follows { centre.as_vec3() } else { Vec3::ZERO } }
    }

    /// Where a node at `x` with velocity `v` is after a step, relative to the moved origin.
    #[inline(always)]
    pub fn moved(&self, x: Vec3, v: Vec3, h: f32) -> Vec3 {
        x - self.behind + h * (v - self.mean)
    }
}

/// x ← x + h v.
///
/// The body's mean motion goes into the origin, in `f64`; the nodes move only by what differs from it.
pub fn advance(rest: &NodeRest, nodes: &mut NodeState, h: f32) {
    let (centre, velocity) = rest.mean_motion(nodes);
    advance_by(&Drift::new(rest, centre, velocity), nodes, h);
}

/// The same for a drift that is known.
pub fn advance_by(drift: &Drift, nodes: &mut NodeState, h: f32) {
    let NodeState { origin, positions, velocities } = nodes;
    *origin += f64::from(h) * drift.mean.as_dvec3();
    *origin += drift.behind.as_dvec3();
    par::for_each_indexed(positions, par::CHUNK, |i, x| *x = drift.moved(*x, velocities[i], h));
}
