//! Which triangles meet at which edges.
//!
//! A sorted list of edges, not half-edges: it describes any triangles, manifold or not.

use super::disjoint_sets::{Components, DisjointSets};
use super::loops;
use std::ops::Range;

/// An edge and the triangles at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its ends, the lower index first.
    pub vertices: [u32; 2],
    /// Where its uses lie in [`EdgeTable::uses`].
    pub range: Range<u32>,
}

/// A triangle's side that lies on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeUse {
    /// The triangle.
    pub triangle: u32,
    /// Which of its sides: side `i` runs from corner `i` to corner `i + 1`.
    pub side: u8,
    /// Whether that side runs from the edge's lower vertex to its higher one.
    pub forward: bool,
}

/// All edges of a set of triangles, by their vertices in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeTable {
    /// The edges.
    pub edges: Vec<Edge>,
    /// The sides on them, edge by edge, in order of triangles.
    pub uses: Vec<EdgeUse>,
    /// How many triangles the table was made from.
    pub triangle_count: usize,
}

/// Whether a surface is closed and oriented: as many of its pieces run along each edge one way as the other. `sides` has the sides
/// of all its pieces, triangles or others, from end to end.
///
/// Each side counts as a number that its ends are mixed into, with a sign for its direction. The sum of all is zero if they pair up,
/// and otherwise as good as never: one in 10¹⁹ surfaces that are open is taken for closed. It costs no table.
pub fn is_closed(sides: impl Iterator<Item = [u32; 2]>) -> bool {
    let number = |[from, to]: [u32; 2]| {
        let mut mixed = u64::from(from.min(to)) << 32 | u64::from(from.max(to));
        for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
            mixed = (mixed ^ mixed >> shift).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(factor);
        }
        let mixed = mixed ^ mixed >> 31;
        match from.cmp(&to) {
            std::cmp::Ordering::Less => mixed,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => mixed.wrapping_neg(),
        }
    };
    sides.map(number).fold(0, u64::wrapping_add) == 0
}

impl EdgeTable {
    /// The edges of `triangles`; a side between a vertex and itself is no edge.
    pub fn new(triangles: &[[u32; 3]]) -> Self {
        let mut sides: Vec<([u32; 2], u32, u8, bool)> = Vec::with_capacity(triangles.len() * 3);
        for (triangle, corners) in triangles.iter().enumerate() {
            for side in 0..3 {
                let (a, b) = (corners[side], corners[(side + 1) % 3]);
                if a != b {
                    sides.push(([a.min(b), a.max(b)], triangle as u32, side as u8, a < b));
                }
            }
        }
        sides.sort_unstable();
        let mut edges: Vec<Edge> = Vec::with_capacity(sides.len() / 2 + 1);
        let mut uses = Vec::with_capacity(sides.len());
        for (at, (vertices, triangle, side, forward)) in sides.into_iter().enumerate() {
            let at = at as u32;
            match edges.last_mut() {
                Some(edge) if edge.vertices == vertices => edge.range.end = at + 1,
                _ => edges.push(Edge { vertices, range: at..at + 1 }),
            }
            uses.push(EdgeUse { triangle, side, forward });
        }
        Self { edges, uses, triangle_count: triangles.len() }
    }

    /// The sides on an edge.
    pub fn uses_of(&self, edge: &Edge) -> &[EdgeUse] {
        &self.uses[edge.range.start as usize..edge.range.end as usize]
    }

    /// The edge between two vertices.
    pub fn find(&self, a: u32, b: u32) -> Option<&Edge> {
        let key = [a.min(b), a.max(b)];
        self.edges.binary_search_by_key(&key, |edge| edge.vertices).ok().map(|at| &self.edges[at])
    }

    /// Edges with one triangle.
    pub fn open(&self) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(|edge| edge.range.len() == 1)
    }

    /// Edges with more than two triangles.
    pub fn non_manifold(&self) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(|edge| edge.range.len() > 2)
    }

    /// Whether there are triangles and no open edge.
    pub fn is_closed(&self) -> bool {
        !self.edges.is_empty() && self.open().next().is_none()
    }

    /// Whether neighbours wind alike: at each edge as many sides run forward as backward, but for one.
    pub fn is_oriented(&self) -> bool {
        self.edges.iter().all(|edge| {
            let uses = self.uses_of(edge);
            let forward = uses.iter().filter(|u| u.forward).count();
            forward.abs_diff(uses.len() - forward) <= uses.len() % 2
        })
    }

    /// Parts whose triangles share edges.
    pub fn components_by_edge(&self) -> Components {
        let mut sets = DisjointSets::new(self.triangle_count);
        for edge in &self.edges {
            for pair in self.uses_of(edge).windows(2) {
                sets.join(pair[0].triangle, pair[1].triangle);
            }
        }
        sets.components()
    }

    /// Walks along the open edges and returns the simple loops they form.
    ///
    /// A loop follows the sides of its triangles where these wind alike, so a patch that fills it runs the other
    /// way. A path that visits a vertex twice is cut in two loops there. Open edges that form no loop, which
    /// happens only next to non-manifold edges, are left out.
    pub fn boundary_loops(&self) -> Vec<Vec<u32>> {
        loops::boundary_loops(self)
    }

    /// An edge's ends in the order of its first side.
    pub(super) fn direction(&self, edge: &Edge) -> (u32, u32) {
        let [low, high] = edge.vertices;
        if self.uses[edge.range.start as usize].forward { (low, high) } else { (high, low) }
    }
}

/// Parts whose triangles share vertices.
pub fn components_by_vertex(triangles: &[[u32; 3]]) -> Components {
    let vertex_count = triangles.iter().flatten().max().map_or(0, |&v| v as usize + 1);
    let mut first_at: Vec<Option<u32>> = vec![None; vertex_count];
    let mut sets = DisjointSets::new(triangles.len());
    for (triangle, corners) in triangles.iter().enumerate() {
        for &v in corners {
            match first_at[v as usize] {
                Some(other) => sets.join(other, triangle as u32),
                None => first_at[v as usize] = Some(triangle as u32),
            }
        }
    }
    sets.components()
}
