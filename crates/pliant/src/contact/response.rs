//! What a node does that has entered a collider.

use super::Collider;
use super::collider::{LocalCollider, Touch};
use super::nearby::NearNode;
use super::turning::Turning;
use crate::body::Body;
use crate::body::border::{Border, Cap, Tip};
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
    /// The substep in seconds, and the one that was asked for.
    pub h: f32,
    pub whole: f32,
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
    /// Of a rigid body that has caps, how it has turned since its model last looked: maps are of a substep's beginning, and the middle of a
    /// cap is far from its node.
    turn: Option<Mat3>,
}

impl<'a> Entering<'a> {
    /// As colliders see a body after a substep of `h` seconds.
    pub fn new(body: &'a Body, h: f32) -> Self {
        let border: &Border = body.border();
        let has_caps = border.cap_reach.is_some() && body.model.rigidity(&body.material) > 0.0;
        let turn = has_caps.then(|| Turning::of(body, true, h).turn_in(h));
        Self { rest: &body.rest().nodes, border, model: &body.model, turn }
    }

    /// The longest way from a node to its tip, or its cap.
    fn longest(&self) -> f32 {
        let caps = self.turn.and(self.border.cap_reach).unwrap_or(0.0);
        (STRETCHED * self.border.reach).max(caps)
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

/// How deep a tip may be, as part of the way from its node along the normal, to have come in by the surface that is nearest.
const SHALLOW: f32 = 0.5;

/// How many times as far away as a tip is long its node must be for the tip to be outside, whatever is rounded: what rests on a collider
/// is exactly as far.
const SURELY: f32 = 1.001;

/// A collider as a body sees it that is near.
struct Near<'a> {
    seen: LocalCollider<'a>,
    collider: &'a Collider,
    /// Where the collider turns about.
    center: Vec3,
    /// The longest way from a node to its tip.
    longest: f32,
    /// Of a plane, its normal and height above the body's origin.
    plane: Option<(Vec3, f32)>,
}

impl<'a> Near<'a> {
    fn new(nodes: &NodeState, body: &Entering, collider: &'a Collider) -> Self {
        let center = (collider.position - nodes.origin).as_vec3()
            + collider.rigid.map_or(Vec3::ZERO, |rigid| rigid.centre);
        let seen = collider.seen_from(nodes.origin);
        let plane = seen.plane();
        Self { seen, collider, center, longest: body.longest(), plane }
    }

    /// Metres that a node is away at least.
    fn away(&self, node: &NearNode, nodes: &NodeState) -> f32 {
        let Some((normal, height)) = self.plane else { return node.away(nodes) };
        // How far a plane is, is sooner found than how far the node has come.
        let away = nodes.positions[node.node as usize].dot(normal) - height;
        away - (SURELY - 1.0) * away.abs()
    }

    /// Whether the tip beside a node reaches in, given the node's distance. The way of a tip is not known as well as that of
    /// its node, and need not be: where the node has stayed outside, what is between the two tells on which side the tip is.
    fn reaches_in(&self, place: Vec3, tip: Vec3, of_node: f32) -> Option<Touch> {
        // Too short to reach in, or in and out again, from where the node is.
        let left = SURELY * tip.length() - of_node;
        if of_node > 0.0 && self.seen.at_least(place).is_some_and(|away| away > left.max(0.0)) {
            return None;
        }
        let (distance, normal) = self.seen.distance(place);
        // Just below the surface that the node is over: nothing else is in between.
        let shallow = -distance <= SHALLOW * -normal.dot(tip);
        if distance <= 0.0 && of_node > 0.0 && shallow {
            return Some(Touch { depth: -distance, normal, entered: false });
        }
        let touch = self.seen.touch(place, tip, (distance, normal), || of_node);
        touch.map(|touch| Touch { entered: false, ..touch })
    }

    /// How fast the collider carries a place along.
    fn carries(&self, place: Vec3) -> Vec3 {
        self.collider.velocity + self.collider.spin.cross(place - self.center)
    }
}

/// The tips of a node that are not the node itself, relative to it.
fn tips<'a>(body: &Entering<'a>, node: u32, longest: f32) -> impl Iterator<Item = Vec3> + use<'a> {
    let tips: &'a [Tip] = body.border.tips(node);
    let map = if tips.is_empty() { Mat3::IDENTITY } else { body.model.node_map(body.rest, node as usize) };
    let arms = tips.iter().map(move |tip| (map * tip.point).clamp_length_max(longest));
    arms.filter(move |arm| arm.length_squared() > 1e-8 * longest * longest)
}

/// The cap of a node of a rigid body as it is now, relative to the node.
fn cap(body: &Entering, node: u32) -> Option<Cap> {
    let (turn, cap) = (body.turn?, body.border.tips(node).first()?.cap?);
    let map = turn * body.model.node_map(body.rest, node as usize);
    Some(Cap { middle: map * cap.middle, normal: (map * cap.normal).normalize_or_zero(), ..cap })
}

/// Where a cap comes nearest to a surface with this normal; none if that is beside it.
fn touches_at(cap: &Cap, normal: Vec3) -> Option<Vec3> {
    let aside = cap.radius * (normal + cap.normal);
    let facing = normal.dot(cap.normal) < 0.0 && aside.length_squared() <= cap.aside * cap.aside;
    facing.then(|| cap.middle - cap.radius * normal)
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

/// Finds the tips of some nodes that are in a collider, without moving anything. Asking how far away a node is costs most of it, so that is
/// kept for the next time.
pub fn enter<'a>(
    nodes: &NodeState,
    body: &Entering,
    collider: &Collider,
    h: f32,
    among: impl Iterator<Item = &'a mut NearNode>,
    mut found: impl FnMut(Entered),
) {
    let near = Near::new(nodes, body, collider);
    for near_node in among {
        let (node, away) = (near_node.node, near.away(near_node, nodes));
        let (x, v) = (nodes.positions[node as usize], nodes.velocities[node as usize]);
        let motion = h * (v - near.carries(x));
        if away > near.longest && away * away > motion.length_squared() {
            continue;
        }
        if let Some(cap) = cap(body, node) {
            let (distance, normal) = near.seen.distance(x);
            near_node.is_away(nodes, distance);
            let below = touches_at(&cap, normal).map(|at| (at, -distance - at.dot(normal)));
            // What has come from far is stopped as a node: it may have passed a thin wall.
            if let Some((at, depth)) = below.filter(|_| motion.length_squared() < cap.radius * cap.radius) {
                if depth > 0.0 {
                    found(Entered { node, place: x + at, touch: Touch { depth, normal, entered: false } });
                }
                continue;
            }
        }
        let reaches = |way: Vec3| away <= 0.0 || away * away <= way.length_squared();
        // Where the node comes out is where its tips are looked for: behind a thin wall they would be drawn through it.
        let (mut out, mut distance) = (Vec3::ZERO, None);
        if reaches(motion) {
            let at = near.seen.distance(x);
            distance = Some(at.0);
            near_node.is_away(nodes, at.0);
            let before = || near.seen.distance(x - motion).0;
            if let Some(touch) = near.seen.touch(x, motion, at, before) {
                if touch.entered {
                    (out, distance) = (touch.normal * touch.depth, None);
                }
                found(Entered { node, place: x, touch });
            }
        }
        for tip in tips(body, node, near.longest).filter(|tip| reaches(*tip)) {
            let of_node = *distance.get_or_insert_with(|| {
                let of_node = near.seen.distance(x + out).0;
                if out == Vec3::ZERO {
                    near_node.is_away(nodes, of_node);
                }
                of_node
            });
            if of_node > SURELY * tip.length() {
                continue;
            }
            let Some(mut touch) = near.reaches_in(x + out + tip, tip, of_node) else { continue };
            touch.depth += out.dot(touch.normal);
            found(Entered { node, place: x + tip, touch });
        }
    }
}
