//! An octree that is cut.

use super::Rest;
use crate::nodes::NodeRest;
use crate::sampling::CellKey;

impl Rest {
    /// The part of it that has these nodes, ascending, with these pairs disconnected.
    pub(super) fn part(&self, nodes: &[u32], pairs: &[(u32, u32)]) -> (NodeRest, Self) {
        let leaves: Vec<CellKey> = nodes.iter().map(|&node| self.tree.key_of(node as usize)).collect();
        let mut cuts = self.cuts.clone();
        cuts.add(pairs.iter().map(|&(a, b)| (self.tree.key_of(a as usize), self.tree.key_of(b as usize))));
        if leaves.len() < self.places.len() {
            cuts = cuts.among(|key| holds_part_of(&leaves, key));
        }
        let part = self.with(&leaves, cuts).0;
        (part.node_rest(), part)
    }
}

/// Whether one of the leaves, which are sorted, is a cell or is inside it.
fn holds_part_of(leaves: &[CellKey], cell: CellKey) -> bool {
    let next = leaves.partition_point(|&leaf| leaf < cell);
    leaves.get(next).is_some_and(|&leaf| cell.contains(leaf))
}
