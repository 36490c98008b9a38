//! What a node does that has entered a collider.

use super::Collider;
use super::collider::Touch;
use crate::material::Material;
use crate::nodes::NodeState;
use glam::Vec3;

/// Body radii a second at which a node that was inside from the start comes out: a body set down half in the floor rises out
/// of it and is not shot out.
const RISE_PER_SEC: f32 = 1.0;

/// What a contact depends on besides the two that touch.
pub struct Surroundings {
    /// The body's size in metres.
    pub radius: f32,
    /// The step in seconds.
    pub h: f32,
    /// m/s that gravity gives in one step: slower impacts do not bounce.
    pub rest_speed: f32,
}

/// Moves nodes out of the colliders and takes their motion into them; returns how many touched.
///
/// `arrivals` are the velocities at the start of the step. Only what the body as a whole arrives with bounces: what its own
/// pull adds, in this step or as trembling from those before, is stopped. Sent back each time it would grow without end.
pub fn collide<'a>(
    nodes: &mut NodeState,
    arrivals: &[Vec3],
    material: &Material,
    colliders: impl Iterator<Item = &'a Collider>,
    &Surroundings { radius, h, rest_speed }: &Surroundings,
) -> usize {
    let mut touching = 0;
    let mean = arrivals.iter().sum::<Vec3>() / arrivals.len().max(1) as f32;
    let reach = nodes.positions.iter().map(|x| x.length_squared()).fold(0.0, f32::max).sqrt();
    let fastest = nodes.velocities.iter().map(|v| v.length_squared()).fold(0.0, f32::max).sqrt();
    for collider in colliders {
        let seen = collider.seen_from(nodes.origin);
        let near = seen.distance(Vec3::ZERO).0 <= reach + h * fastest;
        // A NaN is not near anything: containment deals with it.
        if !near {
            continue;
        }
        let friction = (collider.friction * material.friction).sqrt();
        let bounce = collider.restitution.max(material.restitution);
        for ((x, v), arrival) in nodes.positions.iter_mut().zip(&mut nodes.velocities).zip(arrivals) {
            let Some(Touch { depth, normal, entered }) = seen.touch(*x, h * *v) else { continue };
            touching += 1;
            let into = (-v.dot(normal)).max(0.0);
            let arriving = (-arrival.dot(normal)).min(-mean.dot(normal)).clamp(0.0, into);
            let back = if arriving > 2.0 * rest_speed { bounce * arriving } else { 0.0 };
            let stop = into + back;
            let along = *v - normal * v.dot(normal);
            let grip = (friction * stop).min(along.length());
            let held = along.normalize_or_zero() * grip;
            *v += normal * stop - held;
            // What friction takes from the velocity was already moved this step: without taking it back, a body on a slope
            // would creep down it.
            let out = if entered { depth } else { depth.min(h * (into + RISE_PER_SEC * radius)) };
            *x += normal * out - h * held;
        }
    }
    touching
}
