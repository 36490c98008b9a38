//! Nodes of bodies that are attached to each other: they do not push each other there.

use super::narrow::ContactPoint;
use crate::body::BodyHandle;

/// Nodes of bodies that are attached to other bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct AttachedNodes {
    /// Whose node, to which body, and which node; ascending once all are known.
    nodes: Vec<(BodyHandle, BodyHandle, u32)>,
}

impl AttachedNodes {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.nodes.clear();
    }

    /// Adds a node of a body that is attached to another.
    pub fn add(&mut self, own: BodyHandle, other: BodyHandle, node: u32) {
        self.nodes.push((own, other, node));
    }

    /// All are known.
    pub fn sort(&mut self) {
        self.nodes.sort_unstable();
        self.nodes.dedup();
    }

    /// The pairs of bodies, the lower handle first.
    pub fn pairs(&self) -> impl Iterator<Item = [BodyHandle; 2]> {
        let bodies = |&(own, other, _): &(BodyHandle, BodyHandle, u32)| [own, other];
        self.nodes
            .chunk_by(move |a, b| bodies(a) == bodies(b))
            .map(move |of| bodies(&of[0]))
            .filter(|[a, b]| a < b)
    }

    fn joins(&self, [a, b]: [BodyHandle; 2]) -> bool {
        let at = self.nodes.partition_point(|node| *node < (a, b, 0));
        self.nodes.get(at).is_some_and(|node| (node.0, node.1) == (a, b))
    }

    /// Leaves out the contact points of two bodies where they are attached. Returns whether they are at all.
    pub fn part(&self, bodies: [BodyHandle; 2], points: &mut [Vec<ContactPoint>; 2]) -> bool {
        if self.nodes.is_empty() || !self.joins(bodies) {
            return false;
        }
        for (points, [own, other]) in points.iter_mut().zip([bodies, [bodies[1], bodies[0]]]) {
            let is_held = |own, other, node| self.nodes.binary_search(&(own, other, node)).is_ok();
            points.retain(|point| {
                let mut carriers = point.carriers.iter().filter(|carrier| carrier.1 > 0.0);
                !is_held(own, other, point.node) && !carriers.any(|carrier| is_held(other, own, carrier.0))
            });
        }
        true
    }
}
