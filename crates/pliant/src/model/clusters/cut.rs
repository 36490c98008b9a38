//! Clusters that are cut: a whole cut leaves two sets of particles, and each is divided into clusters again, \[HW08\] §4.1.

use super::rest::Rest;
use crate::nodes::NodeRest;
use crate::sampling::clustering::Clustering;

impl Rest {
    /// The part of it that has these nodes, ascending.
    pub(super) fn part(&self, rest: &NodeRest, nodes: &[u32]) -> (NodeRest, Self) {
        let part = rest.only(nodes);
        // As many clusters a particle as before.
        let share = nodes.len() as f32 / rest.masses.len().max(1) as f32;
        let count = ((self.len() as f32 * share).round() as u32).clamp(1, nodes.len().max(1) as u32);
        let clustering =
            if count == 1 { Clustering::One } else { Clustering::Spread { count, overlap: 0.5 } };
        let divided = clustering.divide(&part.rest_positions, |_| Vec::new());
        let memberships = divided.or_else(|_| Clustering::One.divide(&part.rest_positions, |_| Vec::new()));
        let clusters = Self::new(&part, &memberships.unwrap_or_default(), self.quadratic.is_some());
        (part, clusters)
    }
}
