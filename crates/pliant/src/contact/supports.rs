//! What models are told of contacts: which nodes rest on colliders, and what came of it.
//!
//! Only for models that ask for it ([`Simulate::holds_up`](crate::model::Simulate::holds_up)), and only of colliders that nothing pushes about.
//! What a node was held up with in the model's step is what its contact begins with: the contact gives more, or takes some of it back.

use super::ColliderHandle;
use super::collider::{Collider, Touch};
use super::response::Entered;
use super::solve::{Against, Constraint};
use crate::body::Body;
use crate::nodes::Support;
use glam::Vec3;

/// Spans that what was held up may be away from what held it: a surface that is not flat goes down where the node has slid along it.
const STILL_ON: f32 = 0.01;

/// kg m/s that a node was given by a collider in the model's step.
fn reaction(body: &Body, by: ColliderHandle, node: u32) -> Vec3 {
    let at = body.supports.binary_search_by_key(&(by.key(), node), Support::key);
    at.ok().and_then(|at| body.model.simulate().reactions().get(at)).copied().unwrap_or(Vec3::ZERO)
}

/// Adds nodes that a collider holds up to those that were found in it last, in the order of nodes: they touch it without being in it.
pub fn add_held_up(
    body: &Body,
    collider: &Collider,
    handle: ColliderHandle,
    entered: &mut Vec<(ColliderHandle, Entered)>,
    held_up: &mut Vec<Entered>,
) {
    let key = handle.key();
    let [start, end] = [key, key + 1].map(|key| body.supports.partition_point(|of| of.by < key));
    if start == end {
        return;
    }
    let (first, count) = (entered.partition_point(|(of, _)| *of < handle), entered.len());
    let seen = collider.seen_from(body.nodes.origin);
    let slop = STILL_ON * body.border().span;
    held_up.clear();
    held_up.extend(body.supports[start..end].iter().filter_map(|&Support { node, arm, .. }| {
        let is_known = entered[first..].binary_search_by_key(&node, |(_, of)| of.node).is_ok();
        if is_known || reaction(body, handle, node) == Vec3::ZERO {
            return None;
        }
        let place = body.nodes.positions[node as usize] + arm;
        let (distance, normal) = seen.distance(place);
        let touch = Touch { depth: (-distance).max(0.0), normal, entered: false };
        (distance <= slop).then_some(Entered { node, place, touch })
    }));
    // Both are in the order of nodes: merged from behind.
    let (mut left, mut added) = (count, held_up.len());
    entered.extend(held_up.iter().map(|of| (handle, *of)));
    for to in (first..entered.len()).rev() {
        let is_last = added > 0 && (left == first || entered[left - 1].1.node < held_up[added - 1].node);
        if added == 0 {
            break;
        } else if is_last {
            added -= 1;
            entered[to].1 = held_up[added];
        } else {
            left -= 1;
            entered[to] = entered[left];
        }
    }
}

/// Begins contacts of a body with colliders with what the model's step gave it.
pub struct HeldUp<'a> {
    body: &'a Body,
    latest: Option<(ColliderHandle, u32)>,
}

impl<'a> HeldUp<'a> {
    pub fn new(body: &'a Body) -> Self {
        Self { body, latest: None }
    }

    /// Begins the contact of a node; the first of several has all of it.
    pub fn begin(&mut self, contact: &mut Constraint, node: u32) {
        let Against::Collider { handle, .. } = contact.against else { return };
        if !self.body.supports.is_empty() && self.latest.replace((handle, node)) != Some((handle, node)) {
            contact.begin_with(reaction(self.body, handle, node));
        }
    }
}

/// The part of what friction can hold up to which it holds.
const HOLDS: f32 = 0.99;

/// Notes a node that a contact presses on a collider. Of several contacts the first counts, with the impulses of all.
pub fn note(body: &Body, contact: &Constraint, node: u32, noted: &mut Vec<Support>) {
    let Against::Collider { handle, velocity: carried, .. } = contact.against else { return };
    if contact.impulse <= 0.0 || !body.model.simulate().holds_up() {
        return;
    }
    let (normal, impulse, friction) = (contact.normal, contact.given(), contact.friction);
    let velocity = body.nodes.velocities[node as usize] - Vec3::from(contact.slip);
    let velocity = velocity + normal * (carried - velocity).dot(normal);
    let arm = contact.place - body.nodes.positions[node as usize];
    let across = impulse - normal * contact.impulse;
    let sticks = across.length() < HOLDS * friction * contact.impulse;
    let by = handle.key();
    match noted.last_mut() {
        // Tips of one node come one after the other.
        Some(last) if last.key() == (by, node) => last.impulse += impulse,
        _ => noted.push(Support { by, node, normal, velocity, impulse, friction, sticks, arm }),
    }
}

/// Tells the body what was noted.
pub fn tell(body: &mut Body, noted: &mut Vec<Support>) {
    std::mem::swap(&mut body.supports, noted);
    noted.clear();
    body.supports.sort_unstable_by_key(Support::key);
}
