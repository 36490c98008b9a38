//! What a node does that has entered a collider.

use super::Collider;
use super::collider::{LocalCollider, Touch};
use super::narrow::ContactPoint;
use crate::body::Body;
use crate::body::border::{Border, Tip};
use crate::material::{Material, Surface};
use crate::math::largest_coordinate;
use crate::model::Model;
use crate::nodes::{NodeRest, NodeState};
use crate::par::{self, ByPart};
use glam::{Mat3, Vec3};
use std::ops::Add;

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
    /// What it is made of.
    pub material: &'a Material,
    /// Velocities at the start of the step, needed where something bounces. Only what the body as a whole arrives with bounces:
    /// what its own pull adds, in this step or as trembling from those before, is stopped. Sent back each time it would grow
    /// without end.
    pub arrivals: &'a [Vec3],
}

impl<'a> Entering<'a> {
    /// A body that arrives with these velocities.
    pub fn new(body: &'a Body, arrivals: &'a [Vec3]) -> Self {
        let rest = body.rest();
        let (model, material) = (&body.model, &body.material);
        Self { rest: &rest.nodes, border: body.border(), model, material, arrivals }
    }
}

/// What all nodes of a body together got from a collider in a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactImpulse {
    /// Nodes that touched.
    pub count: usize,
    /// kg m/s that the body was stopped with.
    pub impulse: f32,
    /// Σ impulse place, relative to the body's origin.
    pub place: Vec3,
    /// Σ impulse normal.
    pub normal: Vec3,
}

impl Add for ContactImpulse {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self {
            count: self.count + o.count,
            impulse: self.impulse + o.impulse,
            place: self.place + o.place,
            normal: self.normal + o.normal,
        }
    }
}

/// What decides whether a node can be anywhere near a collider.
struct Near<'a> {
    seen: LocalCollider<'a>,
    collider: &'a Collider,
    /// Where the collider turns about.
    center: Vec3,
    /// How far a node may be off and still touch.
    margin: f32,
    /// The longest way from a node to its tip.
    longest: f32,
}

impl<'a> Near<'a> {
    /// Nothing if no node is near.
    fn new(nodes: &NodeState, border: &Border, collider: &'a Collider, h: f32) -> Option<Self> {
        // No vector is longer than √3 of its largest coordinate.
        let longest = |vectors: &[Vec3]| 1.733 * largest_coordinate(vectors);
        let (reach, fastest) = (longest(&nodes.positions), longest(&nodes.velocities));
        let seen = collider.seen_from(nodes.origin);
        let center = (collider.position - nodes.origin).as_vec3()
            + collider.rigid.map_or(Vec3::ZERO, |rigid| rigid.centre);
        let turning = collider.spin.length() * (center.length() + reach);
        let tip = STRETCHED * border.reach;
        let margin = h * (fastest + collider.velocity.length() + turning) + tip;
        // A NaN is not near anything: containment deals with it.
        let near = (reach + margin).is_finite() && !seen.is_farther_than(Vec3::ZERO, reach + margin);
        near.then_some(Self { seen, collider, center, margin, longest: tip })
    }

    fn is_near(&self, x: Vec3) -> bool {
        // Most nodes are nowhere near, and that is soon known.
        !self.seen.is_farther_than(x, self.margin)
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

/// Moves nodes out of a collider and takes their motion into it.
pub fn collide(
    nodes: &mut NodeState,
    body: &Entering,
    collider: &Collider,
    &ContactStep { h, rest_speed }: &ContactStep,
    parts: &mut Vec<ContactImpulse>,
) -> ContactImpulse {
    let Some(near) = Near::new(nodes, body.border, collider, h) else { return ContactImpulse::default() };
    let Surface { friction, restitution: bounce } = collider.surface.with(body.material.surface);
    let arriving = if bounce > 0.0 { mean(body.arrivals) } else { Vec3::ZERO };
    let rise = h * RISE_PER_SEC * body.rest.radius;
    let count = nodes.positions.len();
    parts.clear();
    parts.resize(count.div_ceil(par::CHUNK), ContactImpulse::default());
    let NodeState { positions, velocities, .. } = nodes;
    let data = (&mut positions[..], &mut velocities[..], ByPart(&mut parts[..]));
    par::for_each_chunk(count, data, |part, (positions, velocities, sum)| {
        let first = part * par::CHUNK;
        for (node, (x, v)) in (first..).zip(positions.iter_mut().zip(velocities)) {
            if !near.is_near(*x) {
                continue;
            }
            let mut touched = false;
            for tip in tips(body, node as u32, near.longest) {
                let place = *x + tip;
                // Everything is relative to the collider, which pushes and carries if it moves.
                let carrier = near.carries(place);
                let relative = *v - carrier;
                let Some(Touch { depth, normal, entered }) = near.touch(place, tip, h * relative) else {
                    continue;
                };
                let into = (-relative.dot(normal)).max(0.0);
                let arrival = body.arrivals.get(node).map_or(Vec3::ZERO, |arrival| *arrival - carrier);
                let stop = into + bounced(bounce, arrival, arriving - carrier, normal, into, rest_speed);
                let along = relative - normal * relative.dot(normal);
                let held = along.clamp_length_max(friction * stop);
                *v += normal * stop - held;
                // What friction takes from the velocity was already moved this step: without taking it back, a body on a
                // slope would creep down it.
                let out = if entered { depth } else { depth.min(h * into + rise) };
                *x += normal * out - h * held;
                let impulse = body.rest.masses[node] * stop;
                let sum = &mut sum.0[0];
                *sum = *sum
                    + ContactImpulse {
                        count: usize::from(!touched),
                        impulse,
                        place: impulse * place,
                        normal: impulse * normal,
                    };
                touched = true;
            }
        }
    });
    parts.iter().fold(ContactImpulse::default(), |sum, &part| sum + part)
}

/// A tip in a collider that bodies can push about.
#[derive(Clone, Copy, Debug)]
pub struct Entered {
    /// Whose tip it is.
    pub node: u32,
    /// Where it is, relative to the body's origin.
    pub place: Vec3,
    /// The direction out and how far.
    pub touch: Touch,
}

/// Finds the tips that are in a collider, without moving anything.
pub fn enter(nodes: &NodeState, body: &Entering, collider: &Collider, h: f32, found: &mut Vec<Entered>) {
    let Some(near) = Near::new(nodes, body.border, collider, h) else { return };
    for (node, (x, v)) in (0..).zip(nodes.positions.iter().zip(&nodes.velocities)) {
        if !near.is_near(*x) {
            continue;
        }
        for tip in tips(body, node, near.longest) {
            let place = *x + tip;
            let touch = near.touch(place, tip, h * (*v - near.carries(place)));
            found.extend(touch.map(|touch| Entered { node, place, touch }));
        }
    }
}
