//! What hangs together after a cut.
//!
//! A piece that comes off becomes a body of its own. Pieces of fewer than [`LEAST_NODES`] nodes are not made: too few to be
//! matched, they would tumble about like dust. The edges that would have parted them are left as they were.

use super::crossings::Crossed;
use crate::geometry::DisjointSets;
use crate::skin::splitting_cubes::Cubes;
use crate::skin::{Cells, parted};
use glam::IVec3;

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

    /// For each node its piece and its number there.
    pub fn places(pieces: &[Vec<u32>], count: usize) -> Vec<(u32, u32)> {
        let mut places = vec![(0, 0); count];
        for (piece, nodes) in pieces.iter().enumerate() {
            for (number, &node) in nodes.iter().enumerate() {
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

/// Crosses edges of the grid, all but those that would part pieces of too few nodes. `edges` gives all pairs of nodes that are
/// joined now, `between` those that are parted although no edge between them was crossed.
pub(crate) fn part(
    cells: &(impl Cells + ?Sized),
    cubes: &mut Cubes,
    mut crossed: Vec<Crossed>,
    edges: &[[u32; 2]],
    between: &dyn Fn(&Cubes, &[Pair]) -> Vec<Pair>,
) -> Parting {
    crossed.retain(|edge| cubes.cross(edge.low, edge.axis, edge.crossing));
    let count = cells.count();
    let before = Pieces::new(count, edges.iter().copied());
    loop {
        let mut pairs = parted(cells, cubes, crossed.iter().map(|edge| (edge.low, edge.axis)));
        let more = between(cubes, &pairs);
        pairs.extend(more);
        pairs.sort_unstable();
        pairs.dedup();
        let apart = |edge: &&[u32; 2]| {
            let [a, b] = **edge;
            pairs.binary_search(&(a.min(b), a.max(b))).is_err()
        };
        // Most nodes are far from the cut: only those of a pair need be looked up.
        let mut touched = vec![false; count];
        pairs.iter().for_each(|&(a, b)| (touched[a as usize], touched[b as usize]) = (true, true));
        let near = |[a, b]: &[u32; 2]| touched[*a as usize] && touched[*b as usize];
        let joined = edges.iter().filter(|edge| !near(edge) || apart(edge)).copied();
        let pieces = Pieces::new(count, joined);
        let small = |node: u32| {
            let piece = pieces.of_node[node as usize];
            let was = before.of_node[node as usize];
            pieces.sizes[piece as usize] < LEAST_NODES
                && pieces.sizes[piece as usize] < before.sizes[was as usize]
        };
        let node_at = |cell: IVec3| cells.node_in(cell);
        let dust = |edge: &Crossed| {
            let ends = [edge.low, edge.low + IVec3::AXES[edge.axis]].map(node_at);
            ends.iter().flatten().any(|&node| small(node))
        };
        let kept: Vec<Crossed> = crossed.iter().filter(|edge| !dust(edge)).copied().collect();
        if kept.len() == crossed.len() {
            let pieces = pieces.since(&before);
            return Parting { crossed, pairs, pieces };
        }
        for edge in crossed.iter().filter(|edge| dust(edge)) {
            cubes.uncross(edge.low, edge.axis);
        }
        crossed = kept;
    }
}
