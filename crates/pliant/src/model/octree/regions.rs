//! Regions as intervals of distance, \[SOG08\] §4.2.
//!
//! Symbols: `w` a region's width, `ε` the slack, `[a, b]` the distances from the region's node to the leaves below a cell.
//!
//! From the base cells down: a > w leaves a cell out; b ≤ (1 + ε) w takes it in whole, as a *summation cell*; else its children
//! are looked at. So a region touches few cells however many leaves it has.

use super::distance::{Search, Searches};
use super::tree::Tree;
use super::visibility::Graph;

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
        let farthest = graph.of(node).iter().map(|edge| edge.length).max().unwrap_or(0);
        let w = (wished.round() as u32).max(farthest);
        Self { w, limit: ((1.0 + slack) * w as f32 + 1e-3) as u32 }
    }
}

/// Finds regions; keeps its memory from region to region.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    search: Search,
    searches: Searches,
    /// a, b and how many leaves were reached below each cell, for this region only if `seen` says so.
    intervals: Vec<(u32, u32, u32)>,
    seen: Vec<u32>,
    region: u32,
    touched: Vec<u32>,
    stack: Vec<u32>,
    /// Of each cell, for several regions at once; nothing between two searches.
    marks: Vec<Marks>,
    /// Cells with marks.
    marked: Vec<u32>,
}

/// What several regions have to do with a cell, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Marks {
    /// a ≤ w: some leaf below it belongs.
    near: u64,
    /// b ≤ (1 + ε) w: no leaf below it is too far.
    full: u64,
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
        let reached = std::mem::take(&mut self.search.reached);
        self.measure(tree, reached.iter().copied());
        self.search.reached = reached;
        self.summation_cells(tree, width, cells);
    }

    /// The summation cells of the regions of several nodes, at most [`TOGETHER`](super::distance::TOGETHER): `each` gets them
    /// one after the other. The same as [`find`](Self::find), faster the nearer the nodes are to each other.
    pub fn find_many(
        &mut self,
        tree: &Tree,
        graph: &Graph,
        nodes: &[u32],
        widths: &[Width],
        longest: u32,
        mut each: impl FnMut(&[u32]),
    ) {
        let limits: Vec<u32> = widths.iter().map(|width| width.limit).collect();
        self.searches.run(graph, nodes, &limits, longest);
        self.mark(tree, widths);
        let mut lists = vec![Vec::new(); widths.len()];
        let all = |cell: u32| (cell, u64::MAX);
        let mut stack: Vec<(u32, u64)> = self.touched.iter().rev().copied().map(all).collect();
        while let Some((cell, regions)) = stack.pop() {
            let Marks { near, full } = self.marks[cell as usize];
            let mut whole = regions & near & full;
            while whole != 0 {
                lists[whole.trailing_zeros() as usize].push(cell);
                whole &= whole - 1;
            }
            let divided = regions & near & !full;
            if divided != 0 {
                let first = stack.len();
                stack.extend(tree.children(cell).map(|child| (child, divided)));
                stack[first..].reverse();
            }
        }
        self.marked.iter().for_each(|&cell| self.marks[cell as usize] = Marks::default());
        lists.iter().for_each(|list| each(list));
    }

    /// Which regions each cell is near to and which it is wholly in reach of; `touched` gets the base cells.
    fn mark(&mut self, tree: &Tree, widths: &[Width]) {
        self.marks.resize(tree.keys.len(), Marks::default());
        self.marked.clear();
        self.touched.clear();
        let widest = widths.iter().map(|width| width.w).max().unwrap_or(0);
        let wide = |distance: u32| {
            let wide = widths.iter().enumerate().filter(|(_, width)| width.w >= distance);
            wide.fold(0_u64, |mask, (region, _)| mask | 1 << region)
        };
        let wide: Vec<u64> = (0..=widest).map(wide).collect();
        for &(node, distance, regions) in &self.searches.reached {
            let cell = tree.cells[node as usize];
            let marks = &mut self.marks[cell as usize];
            if *marks == Marks::default() {
                self.marked.push(cell);
            }
            // No search goes beyond its limit: what was reached is in reach.
            marks.full |= regions;
            marks.near |= regions & wide.get(distance as usize).copied().unwrap_or(0);
        }
        // Parents stand before their children.
        let leaves = self.marked.len();
        for at in 0..leaves {
            let mut cell = self.marked[at];
            while let Some(parent) = tree.parents[cell as usize] {
                if self.marks[parent as usize] != Marks::default() {
                    break;
                }
                // Not nothing, so that it is added once; set right below.
                self.marks[parent as usize].full = 1;
                self.marked.push(parent);
                cell = parent;
            }
        }
        self.marked[leaves..].sort_unstable();
        for &cell in self.marked[leaves..].iter().rev() {
            let start = Marks { near: 0, full: u64::MAX };
            self.marks[cell as usize] = tree.children(cell).fold(start, |marks, child| {
                let Marks { near, full } = self.marks[child as usize];
                Marks { near: marks.near | near, full: marks.full & full }
            });
        }
        self.touched.extend(self.marked.iter().filter(|&&cell| tree.parents[cell as usize].is_none()));
        self.touched.sort_unstable();
    }

    fn summation_cells(&mut self, tree: &Tree, width: Width, cells: &mut Vec<u32>) {
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

    /// [a, b] of every cell above a leaf that was reached, nearest first; `touched` gets the base cells.
    fn measure(&mut self, tree: &Tree, reached: impl Iterator<Item = (u32, u32)>) {
        self.intervals.resize(tree.keys.len(), (0, 0, 0));
        self.seen.resize(tree.keys.len(), 0);
        self.region = self.region.wrapping_add(1);
        if self.region == 0 {
            self.seen.fill(0);
            self.region = 1;
        }
        self.touched.clear();
        for (node, distance) in reached {
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
