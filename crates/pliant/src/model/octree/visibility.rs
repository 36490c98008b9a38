//! The visibility graph: which nodes are joined by material, \[SOG08\] §6.1.
//!
//! Two nodes are near if the largest coordinate of the way between their cells' middles is at most the larger of the two cells.
//! They are joined if that way does not cross the surface (a gap between two fingers) or a cut. Lengths are whole numbers of
//! half finest cells.
//!
//! Deviations: ways are tested between points that are inside the material, which the middle of a partly filled cell need not
//! be. A node that sees none of its near ones is joined to the nearest: dust beside a surface must not fall off.

use super::tree::Tree;
use crate::geometry::{DisjointSets, Lists};
use crate::sampling::CellKey;
use crate::sampling::grid::{Grid, Sample};
use crate::sampling::ways::Spot;
use glam::IVec3;
use serde::{Deserialize, Serialize};

/// A node that another one is joined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Edge {
    /// Which node.
    pub node: u32,
    /// How far, in half finest cells.
    pub length: u32,
}

/// What each node is joined to, sorted by node.
pub type Graph = Lists<Edge>;

/// What may not be joined: the surface and all cuts.
#[derive(Clone, Copy, Debug)]
pub struct Obstacles<'a> {
    /// The material of the body.
    pub grid: &'a Grid,
    /// Pairs of cells that were disconnected, either way round.
    pub cuts: &'a Cuts,
}

/// Pairs of cells that were disconnected; all cells below them are as well.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cuts {
    /// Sorted pairs, the smaller key first, each once.
    pub pairs: Vec<(CellKey, CellKey)>,
    /// Every key of a pair once, sorted.
    keys: Vec<CellKey>,
}

impl Cuts {
    /// How many pairs are disconnected.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Adds pairs.
    pub fn add(&mut self, pairs: impl Iterator<Item = (CellKey, CellKey)>) {
        self.pairs.extend(pairs.map(|(a, b)| if a < b { (a, b) } else { (b, a) }));
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.keys = self.pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        self.keys.sort_unstable();
        self.keys.dedup();
    }

    /// The pairs that `before` does not have.
    pub fn since(&self, before: &Self) -> Vec<(CellKey, CellKey)> {
        if self == before {
            return Vec::new();
        }
        self.pairs.iter().filter(|pair| before.pairs.binary_search(pair).is_err()).copied().collect()
    }

    /// The pairs of which both cells are among those that `keep` says.
    pub fn among(&self, keep: impl Fn(CellKey) -> bool) -> Self {
        let mut cuts = Self::default();
        cuts.add(self.pairs.iter().filter(|&&(a, b)| keep(a) && keep(b)).copied());
        cuts
    }

    /// Whether a leaf is, or is part of, a cell that was disconnected from another.
    fn touches(&self, mut key: CellKey, levels: u32) -> bool {
        loop {
            if self.keys.binary_search(&key).is_ok() {
                return true;
            }
            if key.level() >= levels {
                return false;
            }
            key = key.parent();
        }
    }

    /// Whether two leaves were disconnected, themselves or as part of larger cells.
    pub fn separate(&self, a: CellKey, b: CellKey, levels: u32) -> bool {
        if self.pairs.is_empty() || !self.touches(a, levels) || !self.touches(b, levels) {
            return false;
        }
        let above = |mut key: CellKey| {
            std::iter::once(key).chain(std::iter::from_fn(move || {
                (key.level() < levels).then(|| {
                    key = key.parent();
                    key
                })
            }))
        };
        above(a)
            .any(|a| above(b).any(|b| self.pairs.binary_search(&if a < b { (a, b) } else { (b, a) }).is_ok()))
    }

    /// Whether a cut is between leaves inside a cell, or between one inside and one outside: such a cell cannot be one leaf.
    pub fn touches_below(&self, cell: CellKey) -> bool {
        // Sorted depth-first: the cells below one follow it.
        let next = self.keys.partition_point(|&key| key <= cell);
        self.keys.get(next).is_some_and(|&key| cell.contains(key))
    }
}

/// All leaves near a cell, in no particular order, without itself.
pub fn near(tree: &Tree, key: CellKey, found: &mut Vec<u32>) {
    found.clear();
    let (edge, middle) = (key.edge() as i32, key.middle());
    // Beside it, as large or finer.
    for z in -1..=1 {
        for y in -1..=1 {
            for x in -1..=1 {
                let low = key.low().as_ivec3() + edge * IVec3::new(x, y, z);
                if low.min_element() < 0 || (x, y, z) == (0, 0, 0) {
                    continue;
                }
                if let Some(cell) = tree.find(CellKey::new(low.as_uvec3(), key.level())) {
                    leaves_within(tree, cell, middle, 2 * edge, found);
                }
            }
        }
    }
    // Coarser.
    for level in key.level() + 1..=tree.levels {
        let edge = 1_i32 << level;
        let first = (middle - 3 * edge).div_euclid(IVec3::splat(2 * edge));
        for z in 0..=3 {
            for y in 0..=3 {
                for x in 0..=3 {
                    let low = (first + IVec3::new(x, y, z)) * edge;
                    if low.min_element() < 0 || (2 * low + edge - middle).abs().max_element() > 2 * edge {
                        continue;
                    }
                    let cell = tree.find(CellKey::new(low.as_uvec3(), level));
                    found.extend(cell.and_then(|cell| tree.nodes[cell as usize]));
                }
            }
        }
    }
}

fn leaves_within(tree: &Tree, cell: u32, middle: IVec3, reach: i32, found: &mut Vec<u32>) {
    let key = tree.keys[cell as usize];
    let away = (key.middle() - middle).abs().max_element();
    if let Some(node) = tree.nodes[cell as usize] {
        if away <= reach {
            found.push(node);
        }
    } else if away <= reach + key.edge() as i32 {
        tree.children(cell).for_each(|child| leaves_within(tree, child, middle, reach, found));
    }
}

/// How far two cells' middles are apart, in half finest cells.
pub fn length(a: CellKey, b: CellKey) -> u32 {
    (a.middle() - b.middle()).abs().max_element() as u32
}

/// The graph of a tree. `known` adds what a node is joined to, as nodes of this tree, if that needs no test; such nodes are
/// joined among each other as it says.
pub fn graph(
    tree: &Tree,
    samples: &[Sample],
    obstacles: &Obstacles,
    known: &dyn Fn(usize, &mut Vec<u32>) -> bool,
) -> (Graph, Graph) {
    let count = tree.cells.len();
    if let Some(visible) = all_known(tree, known) {
        let graph = with_strays(tree, samples, &visible, obstacles);
        return (visible, graph);
    }
    let mut lists: Vec<Vec<Edge>> = vec![Vec::new(); count];
    let mut is_known = vec![false; count];
    let mut found = Vec::new();
    for node in 0..count {
        if known(node, &mut found) {
            is_known[node] = true;
            let key = tree.key_of(node);
            lists[node] = found
                .drain(..)
                .map(|other| Edge { node: other, length: length(key, tree.key_of(other as usize)) })
                .collect();
        }
    }
    for node in (0..count).filter(|&node| !is_known[node]) {
        let key = tree.key_of(node);
        near(tree, key, &mut found);
        for &other in &found {
            // Each pair once: from the earlier of two new nodes, or from the new one of a new and a known one.
            if (other as usize) < node && !is_known[other as usize] {
                continue;
            }
            if sees(tree, samples, obstacles, node, other as usize) {
                let length = length(key, tree.key_of(other as usize));
                lists[node].push(Edge { node: other, length });
                lists[other as usize].push(Edge { node: node as u32, length });
            }
        }
    }
    let visible = sorted(lists);
    let graph = with_strays(tree, samples, &visible, obstacles);
    (visible, graph)
}

/// The graph of a tree without new nodes.
fn all_known(tree: &Tree, known: &dyn Fn(usize, &mut Vec<u32>) -> bool) -> Option<Graph> {
    let mut found = Vec::new();
    let mut graph = Graph::new();
    for node in 0..tree.cells.len() {
        let key = tree.key_of(node);
        if !known(node, &mut found) {
            return None;
        }
        // In the order of nodes, as they were before.
        let edges = found.drain(..);
        graph.push(edges.map(|other| Edge { node: other, length: length(key, tree.key_of(other as usize)) }));
    }
    Some(graph)
}

/// The graph in which parts that do not see each other are joined wherever links of the material lead from one to the other, and
/// nodes that are joined to nothing to the nearest.
fn with_strays(tree: &Tree, samples: &[Sample], visible: &Graph, obstacles: &Obstacles) -> Graph {
    // Nearly always: soon found out.
    if is_one(visible) {
        return visible.clone();
    }
    let mut sets = DisjointSets::new(visible.len());
    for (node, edges) in visible.iter().enumerate() {
        edges.iter().for_each(|edge| sets.join(node as u32, edge.node));
    }
    let parts = sets.components();
    let mut lists: Vec<Vec<Edge>> = visible.iter().map(<[Edge]>::to_vec).collect();
    let mut found = Vec::new();
    for (node, list) in lists.iter_mut().enumerate() {
        near(tree, tree.key_of(node), &mut found);
        found.retain(|&other| parts.of_member[other as usize] != parts.of_member[node]);
        let spot = |node: usize| Spot::new(tree.key_of(node), samples[node]);
        for &other in
            found.iter().filter(|&&other| obstacles.grid.touches(&spot(node), &spot(other as usize)))
        {
            let (a, b) = (tree.key_of(node), tree.key_of(other as usize));
            if !obstacles.cuts.separate(a, b, tree.levels) {
                list.push(Edge { node: other, length: length(a, b) });
            }
        }
    }
    let strays: Vec<usize> = (0..visible.len()).filter(|&node| lists[node].is_empty()).collect();
    for node in strays {
        let key = tree.key_of(node);
        near(tree, key, &mut found);
        let open = |&&other: &&u32| !obstacles.cuts.separate(key, tree.key_of(other as usize), tree.levels);
        let nearest =
            found.iter().filter(open).min_by_key(|&&other| (length(key, tree.key_of(other as usize)), other));
        if let Some(&other) = nearest {
            let length = length(key, tree.key_of(other as usize));
            lists[node].push(Edge { node: other, length });
            lists[other as usize].push(Edge { node: node as u32, length });
        }
    }
    sorted(lists)
}

/// Whether all nodes are joined.
fn is_one(graph: &Graph) -> bool {
    let mut seen = vec![false; graph.len()];
    let mut stack: Vec<u32> = Vec::new();
    let mut unseen = graph.len();
    if let Some(first) = seen.first_mut() {
        *first = true;
        unseen -= 1;
        stack.push(0);
    }
    // All are seen long before all have been looked at.
    while unseen > 0 {
        let Some(node) = stack.pop() else { return false };
        for edge in graph.of(node as usize) {
            let seen = &mut seen[edge.node as usize];
            if !*seen {
                *seen = true;
                unseen -= 1;
                stack.push(edge.node);
            }
        }
    }
    true
}

/// The graph of what was found for each node, in any order.
fn sorted(lists: Vec<Vec<Edge>>) -> Graph {
    let sorted = |mut list: Vec<Edge>| {
        list.sort_unstable();
        list.dedup();
        list
    };
    lists.into_iter().map(sorted).collect()
}

/// Whether nothing is between two nodes.
fn sees(tree: &Tree, samples: &[Sample], obstacles: &Obstacles, a: usize, b: usize) -> bool {
    let (key_a, key_b) = (tree.key_of(a), tree.key_of(b));
    // Deep inside nothing is in the way.
    let at_surface = samples[a].at_surface || samples[b].at_surface;
    let joined = || obstacles.grid.joins(&Spot::new(key_a, samples[a]), &Spot::new(key_b, samples[b]));
    (!at_surface || joined()) && !obstacles.cuts.separate(key_a, key_b, tree.levels)
}

/// Whether each node is new, or joined to others than before; `before` gives the node that each was, `after` the other way
/// round.
pub fn changed(graph: &Graph, previous: &Graph, before: &[Option<u32>], after: &[Option<u32>]) -> Vec<bool> {
    let differs = |(node, was): (usize, &Option<u32>)| {
        let Some(was) = was else { return true };
        let edges = previous.of(*was as usize).iter();
        let kept = edges.map(|edge| after[edge.node as usize].map(|node| Edge { node, ..*edge }));
        !kept.eq(graph.of(node).iter().map(|&edge| Some(edge)))
    };
    before.iter().enumerate().map(differs).collect()
}
