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

    /// Whether one leaf can take the place of all below a cell: its children are leaves, they hold all of its material (in a piece of
    /// a body the rest may have gone with another piece), and no cut would be lost with them.
    pub(super) fn can_be_leaf(&self, cell: u32) -> bool {
        let (tree, key) = (&self.tree, self.tree.keys[cell as usize]);
        if key.level() == 0 || !tree.children(cell).all(|child| tree.nodes[child as usize].is_some()) {
            return false;
        }
        let is_there = |child: &CellKey| tree.children(cell).any(|other| tree.keys[other as usize] == *child);
        let is_empty = |child: &CellKey| self.grid.filling.is_empty(child.low().to_array(), child.edge());
        let is_whole = || key.children().iter().all(|child| is_there(child) || is_empty(child));
        !self.cuts.touches_below(key) && (tree.children(cell).count() == 8 || is_whole())
    }
}

/// Whether one of the leaves, which are sorted, is a cell or is inside it.
fn holds_part_of(leaves: &[CellKey], cell: CellKey) -> bool {
    let next = leaves.partition_point(|&leaf| leaf < cell);
    leaves.get(next).is_some_and(|&leaf| cell.contains(leaf))
}
