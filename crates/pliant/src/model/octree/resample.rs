//! Cells made finer or coarser, and connections cut, while the body lives, \[SOG08\] §5.

use super::rest::Rest;
use super::visibility::Cuts;
use crate::geometry::Lists;
use crate::nodes::{Correspondence, Renumbering};
use crate::sampling::CellKey;
use rustc_hash::FxHashSet;

/// What to change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Nodes whose cells become eight (those of them that hold material).
    pub refine: Vec<u32>,
    /// Cells that become eight: leaves, or cells that come to be when larger ones of the list are divided. So several levels
    /// are made at once.
    pub divide: Vec<CellKey>,
    /// Nodes whose cells become one with their siblings. All siblings must be leaves; none may be at a cut.
    pub coarsen: Vec<u32>,
    /// Pairs of nodes to disconnect.
    pub disconnect: Vec<(u32, u32)>,
}

impl Rest {
    /// The same body, changed; `None` if nothing of it can be done.
    pub fn changed(&self, changes: &Changes) -> Option<(Self, Renumbering)> {
        let leaves = self.leaves_after(changes);
        let mut cuts = self.cuts.clone();
        let known = |&&(a, b): &&(u32, u32)| {
            let count = self.tree.cells.len() as u32;
            a < count && b < count && a != b
        };
        let keys = |&(a, b): &(u32, u32)| (self.tree.key_of(a as usize), self.tree.key_of(b as usize));
        cuts.add(changes.disconnect.iter().filter(known).map(keys));
        let before: Vec<CellKey> = self.tree.leaf_keys().collect();
        if leaves == before && cuts == self.cuts {
            return None;
        }
        let (rest, kept) = self.with(&leaves, cuts);
        let resampled = origins(&before, &leaves, kept);
        Some((rest, resampled))
    }

    /// The same body with the leaves and cuts of another, and more pairs of that one's nodes disconnected.
    pub(crate) fn changed_and_cut(&self, like: &Self, pairs: &[(u32, u32)]) -> (Self, Renumbering) {
        let leaves: Vec<CellKey> = like.tree.leaf_keys().collect();
        let mut cuts = like.cuts.clone();
        cuts.add(pairs.iter().map(|&(a, b)| (leaves[a as usize], leaves[b as usize])));
        let (rest, kept) = self.with(&leaves, cuts);
        let before: Vec<CellKey> = self.tree.leaf_keys().collect();
        let resampled = origins(&before, &leaves, kept);
        (rest, resampled)
    }

    fn leaves_after(&self, changes: &Changes) -> Vec<CellKey> {
        let key =
            |&node: &u32| ((node as usize) < self.tree.cells.len()).then(|| self.tree.key_of(node as usize));
        let named = changes.refine.iter().filter_map(key).chain(changes.divide.iter().copied());
        let divided: FxHashSet<CellKey> = named.filter(|key| key.level() > 0).collect();
        let joined: FxHashSet<CellKey> = changes
            .coarsen
            .iter()
            .filter_map(key)
            .filter(|key| key.level() < self.settings.levels)
            .map(CellKey::parent)
            .filter(|&parent| self.can_join(parent, &divided))
            .collect();
        let mut leaves = Vec::with_capacity(self.tree.cells.len() + 7 * divided.len());
        for leaf in self.tree.leaf_keys() {
            if divided.contains(&leaf) {
                self.divide(leaf, &divided, &mut leaves);
            } else if leaf.level() < self.settings.levels && joined.contains(&leaf.parent()) {
                if leaves.last() != Some(&leaf.parent()) {
                    leaves.push(leaf.parent());
                }
            } else {
                leaves.push(leaf);
            }
        }
        leaves
    }

    /// The leaves that a cell becomes.
    fn divide(&self, cell: CellKey, divided: &FxHashSet<CellKey>, leaves: &mut Vec<CellKey>) {
        if !divided.contains(&cell) {
            leaves.push(cell);
            return;
        }
        for child in cell.children() {
            if self.grid.filling.material(child.low().to_array(), child.edge()).count > 0 {
                self.divide(child, divided, leaves);
            }
        }
    }

    /// Whether a cell's children are all leaves that stay, and no cut would be lost with them.
    fn can_join(&self, parent: CellKey, divided: &FxHashSet<CellKey>) -> bool {
        let Some(cell) = self.tree.find(parent) else { return false };
        let stays = |child: u32| {
            self.tree.nodes[child as usize].is_some() && !divided.contains(&self.tree.keys[child as usize])
        };
        self.tree.children(cell).all(stays) && !self.cuts.touches_below(parent)
    }
}

fn origins(before: &[CellKey], now: &[CellKey], kept: Correspondence) -> Renumbering {
    let mut from_parent = vec![None; now.len()];
    let mut from_children = Lists::new();
    let mut children = Vec::new();
    for (node, &key) in now.iter().enumerate() {
        children.clear();
        if kept.before[node].is_none() {
            // The leaf before at or after this key in depth-first order is its parent, or its first child.
            let at = before.partition_point(|&other| other < key);
            from_parent[node] =
                at.checked_sub(1).filter(|&above| before[above].contains(key)).map(|above| above as u32);
            let below = before[at..].iter().take_while(|&&other| key.contains(other)).count();
            children.extend((at..at + below).map(|child| child as u32));
        }
        from_children.push(&children);
    }
    Renumbering { kept, from_parent, from_children }
}

/// Cuts alone change no node.
impl Cuts {
    /// How many pairs are disconnected.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}
