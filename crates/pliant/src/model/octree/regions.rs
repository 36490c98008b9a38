//! Regions as intervals of distance, \[SOG08\] §4.2.
//!
//! Symbols: `w` a region's width, `ε` the slack, `[a, b]` the distances from the region's node to the leaves below a cell.
//!
//! From the base cells down: a > w leaves a cell out; b ≤ (1 + ε) w takes it in whole, as a *summation cell*; else its children
//! are looked at. So a region touches few cells however many leaves it has.

use super::distance::Search;
use super::tree::Tree;
use super::visibility::Graph;
use serde::{Deserialize, Serialize};

/// Lists of numbers, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lists {
    /// All lists.
    pub items: Vec<u32>,
    /// Where each begins, and the end.
    pub starts: Vec<u32>,
}

impl Lists {
    /// No lists.
    pub fn new() -> Self {
        Self { items: Vec::new(), starts: vec![0] }
    }

    /// One list.
    pub fn of(&self, index: usize) -> &[u32] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Adds a list.
    pub fn push(&mut self, list: &[u32]) {
        self.items.extend_from_slice(list);
        self.starts.push(self.items.len() as u32);
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// For each of `count` numbers the lists that have it.
    pub fn reversed(&self, count: usize) -> Self {
        let mut starts = vec![0_u32; count + 1];
        self.items.iter().for_each(|&item| starts[item as usize + 1] += 1);
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut items = vec![0; self.items.len()];
        for list in 0..self.len() {
            for &item in self.of(list) {
                items[next[item as usize] as usize] = list as u32;
                next[item as usize] += 1;
            }
        }
        Self { items, starts }
    }
}

/// How wide a region is, in half finest cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    /// w: all leaves this near belong.
    pub w: u32,
    /// (1 + ε) w: no leaf farther than this does.
    pub limit: u32,
}

impl Width {
    /// A width as wished, or as far as the node's farthest neighbour if that is more: a region of one node would hold nothing
    /// together.
    pub fn new(wished: f32, graph: &Graph, node: usize, slack: f32) -> Self {
        let farthest = graph.edges_of(node).iter().map(|edge| edge.length).max().unwrap_or(0);
        let w = (wished.round() as u32).max(farthest);
        Self { w, limit: ((1.0 + slack) * w as f32 + 1e-3) as u32 }
    }
}

/// Finds regions; keeps its memory from region to region.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    search: Search,
    /// a, b and how many leaves were reached below each cell, for this region only if `seen` says so.
    intervals: Vec<(u32, u32, u32)>,
    seen: Vec<u32>,
    region: u32,
    touched: Vec<u32>,
    stack: Vec<u32>,
}

impl Finder {
    /// The summation cells of a node's region, ascending.
    pub fn find(
        &mut self,
        tree: &Tree,
        graph: &Graph,
        node: u32,
        width: Width,
        longest: u32,
        cells: &mut Vec<u32>,
    ) {
        self.search.run_bounded(graph, &[node], width.limit, longest);
        self.measure(tree);
        cells.clear();
        self.stack.clear();
        self.stack.extend(self.touched.iter().rev());
        while let Some(cell) = self.stack.pop() {
            let at = cell as usize;
            if self.seen[at] != self.region {
                continue;
            }
            let (a, b, reached) = self.intervals[at];
            if a > width.w {
                continue;
            }
            if reached == tree.leaves[at] && b <= width.limit {
                cells.push(cell);
                continue;
            }
            let first = self.stack.len();
            self.stack.extend(tree.children(cell));
            self.stack[first..].reverse();
        }
    }

    /// [a, b] of every cell above a leaf that was reached; `touched` gets the base cells.
    fn measure(&mut self, tree: &Tree) {
        self.intervals.resize(tree.keys.len(), (0, 0, 0));
        self.seen.resize(tree.keys.len(), 0);
        self.region = self.region.wrapping_add(1);
        if self.region == 0 {
            self.seen.fill(0);
            self.region = 1;
        }
        self.touched.clear();
        for &(node, distance) in &self.search.reached {
            let mut cell = Some(tree.cells[node as usize]);
            while let Some(at) = cell {
                let interval = &mut self.intervals[at as usize];
                if self.seen[at as usize] == self.region {
                    // Nearest first: a is what it was.
                    interval.1 = distance;
                    interval.2 += 1;
                } else {
                    self.seen[at as usize] = self.region;
                    *interval = (distance, distance, 1);
                    if tree.parents[at as usize].is_none() {
                        self.touched.push(at);
                    }
                }
                cell = tree.parents[at as usize];
            }
        }
        self.touched.sort_unstable();
    }
}

/// All leaves of a region: those below its summation cells.
pub fn members(tree: &Tree, cells: &[u32]) -> Vec<u32> {
    let below = |&cell: &u32| (cell..tree.ends[cell as usize]).filter_map(|cell| tree.nodes[cell as usize]);
    cells.iter().flat_map(below).collect()
}
