//! Which nodes of a body are near which colliders.
//!
//! Asking how far a mesh is costs more than what a node does about it, so it is asked once in a while: until nodes have moved by what they were
//! found to be too far away, they are.

use super::collider::LocalCollider;
use super::response::STRETCHED;
use super::{Collider, ColliderHandle};
use crate::body::Body;
use crate::body::border::Border;
use crate::ids::Arena;
use crate::math::largest_coordinate;
use crate::nodes::NodeState;
use crate::par;
use glam::{DVec3, Vec3};
use std::ops::Range;

/// The nodes of a body that are near colliders.
#[derive(Clone, Debug, Default)]
pub struct Nearby {
    /// Where they were when they were looked for, and what that is relative to; empty if they were not.
    at: Vec<Vec3>,
    origin: DVec3,
    /// The colliders that push the body, and the nodes near each.
    lists: Vec<NearCollider>,
    /// Lists that are kept for their memory.
    spare: Vec<NearCollider>,
}

/// The nodes of a body near a collider.
#[derive(Clone, Debug)]
struct NearCollider {
    /// Which.
    collider: ColliderHandle,
    /// All nodes that are not farther away than the limit.
    nodes: Vec<NearNode>,
    /// Metres.
    limit: f32,
}

/// A node near a collider, and what is known of how near.
#[derive(Clone, Copy, Debug)]
pub struct NearNode {
    /// Which.
    pub node: u32,
    /// Metres that it was away when it was looked for.
    found: f32,
    /// Metres that it was away when it was asked for last, and where it was then.
    latest: f32,
    at: Vec3,
    origin: DVec3,
}

impl NearNode {
    fn new(node: u32, nodes: &NodeState, away: f32) -> Self {
        let at = nodes.positions[node as usize];
        Self { node, found: away, latest: away, at, origin: nodes.origin }
    }

    /// Metres that it is away at least: no distance changes by more than the point moves.
    pub fn away(&self, now: &NodeState) -> f32 {
        let shifted = if self.origin == now.origin { 0.0 } else { self.origin.distance(now.origin) as f32 };
        self.latest - self.at.distance(now.positions[self.node as usize]) - shifted
    }

    /// It is so many metres away now.
    pub fn is_away(&mut self, now: &NodeState, away: f32) {
        *self = Self { found: self.found, ..Self::new(self.node, now, away) };
    }
}

/// Substeps that nodes are looked for at once, and spans that they may move more than they promise.
const SUBSTEPS: f32 = 4.0;
const SLACK: f32 = 0.1;

impl Nearby {
    /// Forgets where the nodes were: colliders may have been moved, or others be there.
    pub fn forget(&mut self) {
        self.at.clear();
    }

    /// The colliders, and the nodes near each.
    pub fn colliders(&mut self) -> impl Iterator<Item = (ColliderHandle, &mut [NearNode])> {
        self.lists.iter_mut().map(|near| (near.collider, &mut near.nodes[..]))
    }

    /// Finds the nodes that may not be farther than a limit from any, ascending, by what is known since they were looked for: whether they
    /// were asked for again must not matter.
    pub fn within(&self, limit: f32, now: &NodeState, found: &mut Vec<u32>) {
        found.clear();
        let shifted = self.origin.distance(now.origin) as f32;
        let moved = |node: usize| self.at[node].distance(now.positions[node]) + shifted;
        let is_near = |near: &&NearNode| near.found - moved(near.node as usize) <= limit;
        for list in &self.lists {
            found.extend(list.nodes.iter().filter(is_near).map(|near| near.node));
        }
        found.sort_unstable();
    }

    /// Whether nodes are near a rigid collider.
    pub fn has_rigid(&self, colliders: &Arena<Collider>) -> bool {
        let is_rigid = |handle| colliders.get(handle).is_some_and(|collider| collider.rigid.is_some());
        self.lists.iter().any(|list| !list.nodes.is_empty() && is_rigid(list.collider))
    }

    /// Finds the nodes that can touch each of the colliders in a substep of `h` seconds.
    pub fn find<'a>(
        &mut self,
        body: &Body,
        colliders: impl Iterator<Item = (ColliderHandle, &'a Collider)> + Clone,
        h: f32,
    ) {
        if colliders.clone().next().is_none() {
            self.spare.append(&mut self.lists);
            return;
        }
        let nodes = &body.nodes;
        let extent = Extent::of(nodes, body.border());
        let known = self.at.len() == nodes.positions.len()
            && self.lists.iter().map(|list| list.collider).eq(colliders.clone().map(|(handle, _)| handle));
        let moved2 = |range: Range<usize>| {
            let both = self.at[range.clone()].iter().zip(&nodes.positions[range]);
            both.map(|(a, b)| a.distance_squared(*b)).fold(0.0, f32::max)
        };
        let moved = match known {
            true => {
                par::reduce(0..self.at.len(), &moved2, &f32::max).sqrt()
                    + self.origin.distance(nodes.origin) as f32
            }
            false => f32::INFINITY,
        };
        let lasts = |list: &NearCollider, collider: &Collider| {
            is_still(collider) && extent.needs(collider, nodes, h) + moved <= list.limit
        };
        if known && self.lists.iter().zip(colliders.clone()).all(|(list, (_, of))| lasts(list, of)) {
            return;
        }
        self.at.clear();
        self.at.extend_from_slice(&nodes.positions);
        self.origin = nodes.origin;
        self.spare.append(&mut self.lists);
        for (handle, collider) in colliders {
            let mut near = self.spare.pop().map(|list| list.nodes).unwrap_or_default();
            let ahead = SUBSTEPS * h * extent.fastest + SLACK * body.border().span;
            let slack = if is_still(collider) { ahead } else { 0.0 };
            let limit = extent.needs(collider, nodes, h) + slack;
            extent.near(collider, nodes, limit, &mut near);
            self.lists.push(NearCollider { collider: handle, nodes: near, limit });
        }
    }
}

/// For how many nodes there is room from the start, so that what comes and goes a little allocates nothing.
pub fn room(nodes: &NodeState) -> usize {
    nodes.positions.len().min(256)
}

fn is_still(collider: &Collider) -> bool {
    collider.velocity == Vec3::ZERO && collider.spin == Vec3::ZERO
}

/// How far a body reaches and how fast it is.
pub struct Extent<'a> {
    /// Metres from its origin to its farthest node.
    reach: f32,
    /// m/s of its fastest node.
    fastest: f32,
    /// Metres from a node to its tip.
    tip: f32,
    border: &'a Border,
}

impl<'a> Extent<'a> {
    /// Of nodes as they are now.
    pub fn of(nodes: &NodeState, border: &'a Border) -> Self {
        // No vector is longer than √3 of its largest coordinate.
        let longest = |vectors: &[Vec3]| 1.733 * largest_coordinate(vectors);
        let (reach, fastest) = (longest(&nodes.positions), longest(&nodes.velocities));
        let tip = (STRETCHED * border.reach).max(border.cap_reach.unwrap_or(0.0));
        Self { reach, fastest, tip, border }
    }

    /// How far a node may be from a collider and still touch it within `h` seconds.
    pub fn needs(&self, collider: &Collider, nodes: &NodeState, h: f32) -> f32 {
        let center = (collider.position - nodes.origin).as_vec3().length();
        let turning = collider.spin.length() * (center + self.reach);
        h * (self.fastest + collider.velocity.length() + turning) + self.tip
    }

    /// Finds the nodes that are not farther from a collider than a limit, and how far they are.
    pub fn near(&self, collider: &Collider, nodes: &NodeState, limit: f32, found: &mut Vec<NearNode>) {
        found.clear();
        found.reserve(room(nodes));
        let seen: LocalCollider = collider.seen_from(nodes.origin);
        // A NaN is not near anything: containment deals with it.
        if (self.reach + limit).is_finite() && !seen.is_farther_than(Vec3::ZERO, self.reach + limit) {
            let near =
                |&(node, x): &(u32, &Vec3)| !seen.is_farther_than(*x, limit) && self.border.touches(node);
            let away = |(node, x): (u32, &Vec3)| NearNode::new(node, nodes, seen.distance(*x).0);
            found.extend((0..).zip(&nodes.positions).filter(near).map(away));
        }
    }
}
