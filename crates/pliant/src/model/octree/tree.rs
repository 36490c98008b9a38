//! The cells of an octree over a base lattice, \[SOG08\] §4.1.
//!
//! Sorted by their [`CellKey`], cells stand depth-first, so the cells below one follow it without a gap, and the same set of
//! leaves always gives the same arrays: resampling a body and building it anew cannot differ.

use crate::sampling::CellKey;
use glam::UVec3;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// The cells of a body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// Level of the base cells.
    pub levels: u32,
    /// All cells, depth-first: leaves, and the inner cells above them up to the base.
    pub keys: Vec<CellKey>,
    /// The cell above; base cells have none.
    pub parents: Vec<Option<u32>>,
    /// Where the cells below each cell end.
    pub ends: Vec<u32>,
    /// The node in the middle of a leaf.
    pub nodes: Vec<Option<u32>>,
    /// Leaves at or below each cell.
    pub leaves: Vec<u32>,
    /// The cell of each node; nodes stand in the order of their cells.
    pub cells: Vec<u32>,
    #[serde(skip)]
    index: Index,
}

/// Cells by key, made when it is first needed.
#[derive(Clone, Debug, Default)]
struct Index(OnceLock<FxHashMap<CellKey, u32>>);

/// It follows from the keys.
impl PartialEq for Index {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Tree {
    /// The tree with these leaves, sorted by key, none inside another.
    pub fn new(levels: u32, leaves: &[CellKey]) -> Self {
        let mut keys: Vec<CellKey> = Vec::with_capacity(leaves.len() + leaves.len() / 4);
        for &leaf in leaves {
            let mut cell = leaf;
            keys.push(cell);
            while cell.level() < levels {
                cell = cell.parent();
                keys.push(cell);
            }
        }
        keys.sort_unstable();
        keys.dedup();
        let count = keys.len();
        let mut tree = Self {
            levels,
            parents: vec![None; count],
            ends: vec![0; count],
            nodes: vec![None; count],
            leaves: vec![0; count],
            cells: Vec::with_capacity(leaves.len()),
            index: Index::default(),
            keys,
        };
        let mut above: Vec<u32> = Vec::new();
        for cell in 0..count {
            let key = tree.keys[cell];
            while let Some(&top) = above.last() {
                if tree.keys[top as usize].contains(key) {
                    break;
                }
                tree.ends[top as usize] = cell as u32;
                above.pop();
            }
            tree.parents[cell] = above.last().copied();
            above.push(cell as u32);
        }
        above.iter().for_each(|&cell| tree.ends[cell as usize] = count as u32);
        for cell in 0..count {
            if tree.ends[cell] == cell as u32 + 1 {
                tree.nodes[cell] = Some(tree.cells.len() as u32);
                tree.cells.push(cell as u32);
            }
        }
        for cell in (0..count).rev() {
            tree.leaves[cell] += u32::from(tree.nodes[cell].is_some());
            if let Some(parent) = tree.parents[cell] {
                tree.leaves[parent as usize] += tree.leaves[cell];
            }
        }
        tree
    }

    /// The cell with a key.
    pub fn find(&self, key: CellKey) -> Option<u32> {
        let all = || self.keys.iter().enumerate().map(|(cell, &key)| (key, cell as u32)).collect();
        self.index.0.get_or_init(all).get(&key).copied()
    }

    /// The key of a node's cell.
    pub fn key_of(&self, node: usize) -> CellKey {
        self.keys[self.cells[node] as usize]
    }

    /// The keys of all leaves, sorted.
    pub fn leaf_keys(&self) -> impl Iterator<Item = CellKey> {
        self.cells.iter().map(|&cell| self.keys[cell as usize])
    }

    /// The cells directly below a cell.
    pub fn children(&self, cell: u32) -> impl Iterator<Item = u32> {
        let end = self.ends[cell as usize];
        let mut next = cell + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.ends[child as usize];
                child
            })
        })
    }

    /// The leaf that holds a point of the finest lattice, if material is there.
    pub fn leaf_at(&self, low: UVec3) -> Option<u32> {
        (0..=self.levels).find_map(|level| {
            let cell = self.find(CellKey::new((low >> level) << level, level))?;
            self.nodes[cell as usize]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_hold_what_was_put_in_and_sort_depth_first() {
        for low in [UVec3::ZERO, UVec3::new(8, 16, 24), UVec3::new(524_280, 8, 1024)] {
            for level in 0..4 {
                let key = CellKey::new(low, level);
                assert_eq!((key.low(), key.level()), (low, level));
                if level > 0 {
                    for child in key.children() {
                        assert_eq!(child.parent(), key);
                        assert!(key < child && key.contains(child) && !child.contains(key));
                    }
                }
            }
        }
    }
}
