//! What a node does that has entered a collider.

use super::Collider;
use super::collider::{LocalCollider, Touch};
use super::narrow::ContactPoint;
use crate::body::Body;
use crate::body::border::{Border, Tip};
use crate::model::Model;
use crate::nodes::{NodeRest, NodeState};
use glam::{Mat3, Vec3};

/// Body radii a second at which a node that was inside from the start comes out: a body set down half in the floor rises out
/// of it and is not shot out.
pub const RISE_PER_SEC: f32 = 1.0;

/// How much longer than at rest the way from a node to its tip may get.
pub const STRETCHED: f32 = 1.5;

/// What a contact depends on besides the two that touch.
#[derive(Clone, Copy, Debug)]
pub struct ContactStep {
    /// The substep in seconds.
    pub h: f32,
    /// m/s that gravity gives in it: slower impacts do not bounce.
    pub rest_speed: f32,
}

/// A body as colliders see it.
pub struct Entering<'a> {
    /// At rest.
    pub rest: &'a NodeRest,
    /// Where it begins.
    pub border: &'a Border,
    /// What carries its tips.
    pub model: &'a Model,
}

impl<'a> Entering<'a> {
    /// As colliders see a body.
    pub fn new(body: &'a Body) -> Self {
        Self { rest: &body.rest().nodes, border: body.border(), model: &body.model }
    }
}

/// What all nodes of a body together got from a collider in a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactImpulse {
    /// kg m/s that the body was stopped with.
    pub impulse: f32,
    /// Σ impulse place, relative to the body's origin.
    pub place: Vec3,
    /// Σ impulse normal.
    pub normal: Vec3,
    /// kg m/s that the body got, with friction.
    pub given: Vec3,
    /// m² of its surface that touches.
    pub area: f32,
}

impl ContactImpulse {
    /// Adds what one contact got. One that got nothing touches all the same.
    pub fn add(&mut self, place: Vec3, normal: Vec3, impulse: f32) {
        let impulse = impulse.max(f32::MIN_POSITIVE);
        self.impulse += impulse;
        self.place += impulse * place;
        self.normal += impulse * normal;
    }
}

/// A collider as a body sees it that is near.
struct Near<'a> {
    seen: LocalCollider<'a>,
    collider: &'a Collider,
    /// Where the collider turns about.
    center: Vec3,
    /// The longest way from a node to its tip.
    longest: f32,
}

impl<'a> Near<'a> {
    fn new(nodes: &NodeState, border: &Border, collider: &'a Collider) -> Self {
        let center = (collider.position - nodes.origin).as_vec3()
            + collider.rigid.map_or(Vec3::ZERO, |rigid| rigid.centre);
        Self { seen: collider.seen_from(nodes.origin), collider, center, longest: STRETCHED * border.reach }
    }

    /// Whether a node has entered by `motion`, or the tip beside it reaches in. The way of a tip is not known as well as that of
    /// its node, and need not be: where the node has stayed outside, what is between the two tells on which side the tip is.
    fn touch(&self, place: Vec3, tip: Vec3, motion: Vec3) -> Option<Touch> {
        if tip == Vec3::ZERO {
            return self.seen.touch(place, motion);
        }
        self.seen.touch(place, tip).map(|touch| Touch { entered: false, ..touch })
    }

    /// How fast the collider carries a place along.
    fn carries(&self, place: Vec3) -> Vec3 {
        self.collider.velocity + self.collider.spin.cross(place - self.center)
    }
}

/// The places of a node that touch, relative to it.
fn tips<'a>(body: &Entering<'a>, node: u32, longest: f32) -> impl Iterator<Item = Vec3> + use<'a> {
    let tips: &'a [Tip] = body.border.tips(node);
    let map = if tips.is_empty() { Mat3::IDENTITY } else { body.model.node_map(body.rest, node as usize) };
    // First the node itself; many are their own tips.
    let arms = tips.iter().map(move |tip| (map * tip.point).clamp_length_max(longest));
    std::iter::once(Vec3::ZERO).chain(arms.filter(move |arm| arm.length_squared() > 1e-8 * longest * longest))
}

/// The part of what it arrives with that a contact sends back: m/s along the normal. All relative to the collider.
pub fn bounced(bounce: f32, arrival: Vec3, mean: Vec3, normal: Vec3, into: f32, rest_speed: f32) -> f32 {
    let arriving = (-arrival.dot(normal)).min(-mean.dot(normal)).clamp(0.0, into.max(0.0));
    if arriving > 2.0 * rest_speed { bounce * arriving } else { 0.0 }
}

/// How the contacts of two bodies bounce.
pub struct Bounce<'a> {
    restitution: f32,
    /// What the nodes of both arrive with, and the means of that; zero if nothing bounces.
    arrivals: [&'a [Vec3]; 2],
    means: [Vec3; 2],
    rest_speed: f32,
}

impl<'a> Bounce<'a> {
    /// Of two bodies that arrive with these velocities.
    pub fn new(restitution: f32, arrivals: [&'a [Vec3]; 2], rest_speed: f32) -> Self {
        let means = if restitution > 0.0 { arrivals.map(mean) } else { [Vec3::ZERO; 2] };
        Self { restitution, arrivals, means, rest_speed }
    }

    /// m/s that a contact point bounces back with; `mine` says whose tip it is.
    pub fn back(&self, point: &ContactPoint, mine: usize) -> f32 {
        if self.restitution <= 0.0 {
            return 0.0;
        }
        let other = 1 - mine;
        let arrival =
            |of: usize, node: u32| self.arrivals[of].get(node as usize).copied().unwrap_or_default();
        let carrier: Vec3 = point.carriers.iter().map(|&(node, weight)| weight * arrival(other, node)).sum();
        let relative = arrival(mine, point.node) - carrier;
        let mean = self.means[mine] - self.means[other];
        bounced(self.restitution, relative, mean, point.normal, f32::INFINITY, self.rest_speed)
    }
}

/// The mean of velocities.
pub fn mean(velocities: &[Vec3]) -> Vec3 {
    velocities.iter().sum::<Vec3>() / velocities.len().max(1) as f32
}

/// A tip in a collider.
#[derive(Clone, Copy, Debug)]
pub struct Entered {
    /// Whose tip it is.
    pub node: u32,
    /// Where it is, relative to the body's origin.
    pub place: Vec3,
    /// The direction out and how far.
    pub touch: Touch,
}

/// Finds the tips of some nodes that are in a collider, without moving anything; given what each node is away from it at least.
pub fn enter(
    nodes: &NodeState,
    body: &Entering,
    collider: &Collider,
    h: f32,
    among: impl Iterator<Item = (u32, f32)>,
    mut found: impl FnMut(Entered),
) {
    let near = Near::new(nodes, body.border, collider);
    for (node, away) in among {
        let (x, v) = (nodes.positions[node as usize], nodes.velocities[node as usize]);
        let motion = h * (v - near.carries(x));
        if away > near.longest && away * away > motion.length_squared() {
            continue;
        }
        // Where the node comes out is where its tips are looked for: behind a thin wall they would be drawn through it.
        let mut out = Vec3::ZERO;
        for tip in tips(body, node, near.longest) {
            let place = x + out + tip;
            let way = if tip == Vec3::ZERO { h * (v - near.carries(place)) } else { tip };
            if away > 0.0 && away * away > way.length_squared() {
                continue;
            }
            let Some(mut touch) = near.touch(place, tip, way) else { continue };
            touch.depth += out.dot(touch.normal);
            if tip == Vec3::ZERO && touch.entered {
                out = touch.normal * touch.depth;
            }
            found(Entered { node, place: x + tip, touch });
        }
    }
}
