//! What hangs together after a cut.
//!
//! A piece that comes off becomes a body of its own. Pieces of fewer than [`LEAST_NODES`] nodes are not made: too few to be
//! matched, they would tumble about like dust. The edges that would have parted them are left as they were.
//!
//! Where cells of several sizes meet, a cut leaves cases that need an answer:
//! - *A vertex of which all nodes that would carry it are on the other side.* Only nodes of its own component of the surface carry a
//!   vertex, so none on the other side ever does. Beside large cells, where nodes joined to its home help, those that are not on its
//!   side of the surface are left out; if that leaves none, its home carries it alone.
//! - *A finest cell without a node of its own component.* It is part of a large cell and belongs to the node of that: a large cell is
//!   cut around, never through, so all of its material is on one side. A vertex whose component has no node at all is carried by
//!   the nearest node of its piece.
//! - *A node whose region has become singular*: too few nodes, or all in a plane or on a line. Its map is that of the nodes in the
//!   directions in which the region is thick, and its rotation in those in which it is thin, fading from one to the other
//!   (`model/regions/rest.rs`). Nothing is divided by zero, and the piece goes on.
//! - *A piece that is not finite all the same* is not made: the cut is refused ([`Refusal::NotFinite`](super::Refusal)) and the body
//!   is as it was.

use super::crossings::Crossed;
use crate::geometry::DisjointSets;
use crate::skin::splitting_cubes::Cubes;
use crate::skin::{Cells, parted};
use glam::IVec3;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Nodes that a piece has at least.
pub const LEAST_NODES: usize = 4;

/// Two nodes, the lower number first.
pub(crate) type Pair = (u32, u32);

/// Which nodes hang together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pieces {
    /// The piece of each node, numbered in the order of their first nodes.
    pub of_node: Vec<u32>,
    /// How many nodes each has.
    pub sizes: Vec<usize>,
}

impl Pieces {
    /// Of `count` nodes that these pairs join.
    pub fn new(count: usize, pairs: impl Iterator<Item = [u32; 2]>) -> Self {
        let mut sets = DisjointSets::new(count);
        pairs.for_each(|[a, b]| sets.join(a, b));
        let found = sets.components();
        let mut sizes = vec![0; found.count];
        found.of_member.iter().for_each(|&piece| sizes[piece as usize] += 1);
        Self { of_node: found.of_member, sizes }
    }

    /// The nodes of each piece, ascending.
    pub fn nodes(&self) -> Vec<Vec<u32>> {
        let mut nodes: Vec<Vec<u32>> = self.sizes.iter().map(|&size| Vec::with_capacity(size)).collect();
        for (node, &piece) in self.of_node.iter().enumerate() {
            nodes[piece as usize].push(node as u32);
        }
        nodes
    }

    /// What a cut has parted: the pieces of what hung together before and does not any more. Everything else stays with the
    /// largest piece, also what was apart before.
    pub fn since(&self, before: &Self) -> Self {
        let largest = (0..self.sizes.len()).max_by_key(|&piece| (self.sizes[piece], usize::MAX - piece));
        let largest = largest.unwrap_or(0) as u32;
        let label = |(&piece, &was): (&u32, &u32)| {
            let whole = self.sizes[piece as usize] == before.sizes[was as usize];
            if whole { largest } else { piece }
        };
        Self::numbered(self.of_node.iter().zip(&before.of_node).map(label).collect())
    }

    /// For each of `count` nodes its piece and its number there, given which node each node of the pieces was; the first of several
    /// that were one.
    pub fn places(pieces: &[Vec<u32>], count: usize) -> Vec<(u32, u32)> {
        let mut places = vec![(0, 0); count];
        for (piece, nodes) in pieces.iter().enumerate().rev() {
            for (number, &node) in nodes.iter().enumerate().rev() {
                places[node as usize] = (piece as u32, number as u32);
            }
        }
        places
    }

    fn numbered(labels: Vec<u32>) -> Self {
        let mut number = vec![None; labels.iter().map(|&l| l as usize + 1).max().unwrap_or(0)];
        let mut pieces = Self { of_node: Vec::with_capacity(labels.len()), sizes: Vec::new() };
        for label in labels {
            let piece = *number[label as usize].get_or_insert_with(|| {
                pieces.sizes.push(0);
                pieces.sizes.len() as u32 - 1
            });
            pieces.sizes[piece as usize] += 1;
            pieces.of_node.push(piece);
        }
        pieces
    }
}

/// What a cut comes to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parting {
    /// Edges of the grid that are crossed.
    pub crossed: Vec<Crossed>,
    /// Pairs of nodes that are disconnected.
    pub pairs: Vec<Pair>,
    /// What hangs together then.
    pub pieces: Pieces,
}

/// Crosses edges of the grid, all but those of nodes that would come off in pieces of too few. `edges` gives all pairs of nodes that
/// are joined now, `between` those that are parted although no edge between them was crossed.
pub(crate) fn part(
    cells: &(impl Cells + ?Sized),
    cubes: &mut Cubes,
    mut crossed: Vec<Crossed>,
    edges: &[[u32; 2]],
    between: &dyn Fn(&Cubes, &[Pair]) -> Vec<Pair>,
) -> Parting {
    let count = cells.count();
    let before = Pieces::new(count, edges.iter().copied().chain(beside_large(cells, cubes)));
    crossed.retain(|edge| cubes.cross(edge.low, edge.axis, edge.crossing));
    let mut dust = Dust { of_node: vec![false; count], held: FxHashSet::default() };
    loop {
        let mut pairs = parted(cells, cubes, crossed.iter().map(|edge| (edge.low, edge.axis)));
        let more = between(cubes, &pairs);
        pairs.extend(more);
        pairs.retain(|pair| !dust.held.contains(pair));
        pairs.sort_unstable();
        pairs.dedup();
        let together = |edge: &&[u32; 2]| pairs.binary_search(&ordered(**edge)).is_err();
        // Most nodes are far from the cut: only those of a pair need be looked up.
        let mut touched = vec![false; count];
        pairs.iter().for_each(|&(a, b)| (touched[a as usize], touched[b as usize]) = (true, true));
        let near = |[a, b]: &[u32; 2]| touched[*a as usize] && touched[*b as usize];
        let joined = edges.iter().filter(|edge| !near(edge) || together(edge)).copied();
        let pieces = Pieces::new(count, joined.chain(beside_large(cells, cubes)));
        if !dust.grows(&pieces, &before, edges) {
            let pieces = pieces.since(&before);
            return Parting { crossed, pairs, pieces };
        }
        crossed.retain(|edge| {
            let ends = [edge.low, edge.low + IVec3::AXES[edge.axis]].map(|cell| cells.node_in(cell));
            let stays = !ends.iter().flatten().any(|&node| dust.of_node[node as usize]);
            if !stays {
                cubes.uncross(edge.low, edge.axis);
            }
            stays
        });
    }
}

/// What would come off in pieces of fewer than [`LEAST_NODES`] nodes.
struct Dust {
    /// Which nodes: their edges are not crossed.
    of_node: Vec<bool>,
    /// Pairs that stay joined whatever is crossed.
    held: FxHashSet<Pair>,
}

impl Dust {
    /// Finds what is too small among pieces, and returns whether there is any that can be helped.
    fn grows(&mut self, pieces: &Pieces, before: &Pieces, edges: &[[u32; 2]]) -> bool {
        let piece = |node: u32| pieces.of_node[node as usize];
        let is_small = |node: u32| {
            let (size, was) = (pieces.sizes[piece(node) as usize], before.of_node[node as usize]);
            size < LEAST_NODES && size < before.sizes[was as usize]
        };
        let small: Vec<u32> = (0..self.of_node.len() as u32).filter(|&node| is_small(node)).collect();
        let known = small.iter().all(|&node| self.of_node[node as usize]);
        small.iter().for_each(|&node| self.of_node[node as usize] = true);
        if small.is_empty() || !known {
            return !small.is_empty();
        }
        // Nothing beside them is crossed, and yet no way leads to them: they only see others, past edges and corners without
        // material. Each stays with the piece that it sees most of; with more than one, they would join what the blade parts.
        let mut seen: BTreeMap<u32, BTreeMap<u32, Vec<Pair>>> = BTreeMap::new();
        for &edge in edges {
            for [a, b] in [edge, [edge[1], edge[0]]] {
                if is_small(a) && piece(a) != piece(b) {
                    seen.entry(piece(a)).or_default().entry(piece(b)).or_default().push(ordered([a, b]));
                }
            }
        }
        let held = self.held.len();
        for others in seen.into_values() {
            let most = others.into_values().max_by_key(Vec::len);
            self.held.extend(most.into_iter().flatten());
        }
        self.held.len() > held
    }
}

fn ordered([a, b]: [u32; 2]) -> Pair {
    (a.min(b), a.max(b))
}

/// The pairs with a large cell that the surface joins: an edge of the grid between their materials is not crossed.
///
/// A large cell sees from its own middle. It may not see a cell that its material touches, and then the model has no connection
/// where the surface has one: parted into two pieces, both would be open there.
fn beside_large(cells: &(impl Cells + ?Sized), cubes: &Cubes) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    if !cells.has_large() {
        return pairs;
    }
    let grid = cells.material().0;
    for node in 0..cells.count() as u32 {
        let (low, edge) = cells.cube(node);
        if edge == 1 {
            continue;
        }
        for (axis, out) in (0..3).flat_map(|axis| [(axis, false), (axis, true)]) {
            // The neighbour that the last cell had, and whether it is joined already.
            let mut last = Beside::default();
            for (v, u) in (0..edge).flat_map(|v| (0..edge).map(move |u| (v, u))) {
                let mut inner = low;
                inner[axis] += if out { edge - 1 } else { 0 };
                inner[(axis + 1) % 3] += u;
                inner[(axis + 2) % 3] += v;
                let step = IVec3::AXES[axis];
                let (outer, from) = if out { (inner + step, inner) } else { (inner - step, inner - step) };
                if !last.has(outer) {
                    let node = cells.node_in(outer);
                    last = Beside { node, cube: node.map(|node| cells.cube(node)), joined: false };
                }
                let Some(other) = last.node.filter(|_| !last.joined) else { continue };
                if grid.holds(inner) && grid.holds(outer) && cubes.crossing(from, axis).is_none() {
                    pairs.push([node, other]);
                    last.joined = true;
                }
            }
        }
    }
    pairs
}

/// The cell beside a large one.
#[derive(Default)]
struct Beside {
    node: Option<u32>,
    cube: Option<(IVec3, i32)>,
    joined: bool,
}

impl Beside {
    fn has(&self, cell: IVec3) -> bool {
        self.cube.is_some_and(|(low, edge)| cell.cmpge(low).all() && cell.cmplt(low + edge).all())
    }
}
