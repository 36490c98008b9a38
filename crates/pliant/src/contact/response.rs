//! What a node does that has entered a collider.

use super::Collider;
use super::collider::Touch;
use crate::material::Material;
use crate::math::largest_coordinate;
use crate::nodes::NodeState;
use crate::par;
use glam::Vec3;
use std::sync::atomic::{AtomicUsize, Ordering};

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
/// `arrivals` are the velocities at the start of the step, needed where something bounces; `reaches` how far from each node the body begins. Only what the body
/// as a whole arrives with bounces: what its own pull adds, in this step or as trembling from those before, is stopped. Sent
/// back each time it would grow without end.
pub fn collide<'a>(
    nodes: &mut NodeState,
    (arrivals, reaches): (&[Vec3], &[f32]),
    material: &Material,
    colliders: impl Iterator<Item = &'a Collider>,
    &Surroundings { radius, h, rest_speed }: &Surroundings,
) -> usize {
    let touching = AtomicUsize::new(0);
    // No vector is longer than √3 of its largest coordinate.
    let longest = |vectors: &[Vec3]| 1.733 * largest_coordinate(vectors);
    let (reach, fastest) = (longest(&nodes.positions), longest(&nodes.velocities));
    // A body of one cell has no radius, and still reaches half a cell far.
    let farthest = f32::from_bits(reaches.iter().fold(0, |most, reach| most.max(reach.abs().to_bits())));
    let margin = h * fastest;
    for collider in colliders {
        let seen = collider.seen_from(nodes.origin);
        let near = seen.distance(Vec3::ZERO).0 <= reach + margin + farthest;
        // A NaN is not near anything: containment deals with it.
        if !near {
            continue;
        }
        let friction = (collider.friction * material.friction).sqrt();
        let bounce = collider.restitution.max(material.restitution);
        let mean = if bounce > 0.0 {
            arrivals.iter().sum::<Vec3>() / arrivals.len().max(1) as f32
        } else {
            Vec3::ZERO
        };
        let plane = seen.plane();
        let NodeState { positions, velocities, .. } = nodes;
        let data = (&mut positions[..], &mut velocities[..]);
        par::for_each_chunk(data.0.len(), data, |part, (positions, velocities)| {
            let first = part * par::CHUNK;
            let mut touched = 0;
            for (at, (x, v)) in positions.iter_mut().zip(velocities).enumerate() {
                let reach = if reaches.is_empty() { 0.0 } else { reaches[first + at] };
                // Most nodes are nowhere near, and of a plane that is soon known.
                let away = match plane {
                    Some((normal, height)) => x.dot(normal) - height,
                    None => seen.distance(*x).0,
                };
                if away > reach + margin {
                    continue;
                }
                let Some(Touch { depth, normal, entered }) = seen.touch(*x, h * *v, reach) else { continue };
                touched += 1;
                let into = (-v.dot(normal)).max(0.0);
                let arrival = arrivals.get(first + at).copied().unwrap_or_default();
                let arriving = (-arrival.dot(normal)).min(-mean.dot(normal)).clamp(0.0, into);
                let back = if arriving > 2.0 * rest_speed { bounce * arriving } else { 0.0 };
                let stop = into + back;
                let along = *v - normal * v.dot(normal);
                let grip = (friction * stop).min(along.length());
                let held = along.normalize_or_zero() * grip;
                *v += normal * stop - held;
                // What friction takes from the velocity was already moved this step: without taking it back, a body on a
                // slope would creep down it.
                let out = if entered { depth } else { depth.min(h * (into + RISE_PER_SEC * radius)) };
                *x += normal * out - h * held;
            }
            touching.fetch_add(touched, Ordering::Relaxed);
        });
    }
    touching.into_inner()
}
