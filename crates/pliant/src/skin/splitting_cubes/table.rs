//! What surface a cube has, for each of the 2¹² sets of crossed edges.
//!
//! *Based on* \[PGCS06\] §6: "we run over all the possible permutations once for all and store the result".
//!
//! *Symbols*: `a` is the axis of an edge or across a face; `b` and `c` are the two that follow it cyclically. Edge
//! `4a + β + 2γ` runs along `a` where `b` is at β and `c` at γ; face `2a + side` lies across `a`.
//!
//! *Deviations*: a vertex's component is stored as a mask of nodes. Each vertex also has a *site*, the node of the cube
//! that is the low node of its place, and a *slot* among all that the places of one site may hold: two cubes that share
//! an edge or a face name the same site and slot, so that vertices are numbered without a search.

use crate::geometry::Lists;
use std::sync::LazyLock;

/// How many sets of crossed edges there are.
pub const CONFIGS: usize = 1 << 12;

/// How many vertices the places of one low node can hold: two ends of three edges, four components of three faces,
/// eight components of one cube.
pub const SLOTS: usize = 6 + 12 + 8;

/// A vertex as a cube names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Corner {
    /// Its place in the cube: an edge below 12, a face below 18, or 18, the centre.
    pub place: u8,
    /// The nodes of its component, a bit each.
    pub nodes: u8,
    /// The node of the cube that is the place's low node.
    pub site: u8,
    /// Which of the site's vertices it is.
    pub slot: u8,
}

/// A quad of a cube, on the side of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The node whose side it is on.
    pub node: u8,
    /// The crossed edge it belongs to.
    pub edge: u8,
    /// Edge vertex, face vertex, centre vertex, face vertex: counter-clockwise seen from the edge's other end.
    pub corners: [Corner; 4],
}

/// All configurations.
#[derive(Debug)]
pub struct Table(Lists<Shape>);

impl Table {
    /// The quads of a configuration, which has a bit for each crossed edge.
    #[inline]
    pub fn shapes(&self, config: u16) -> &[Shape] {
        self.0.of(config as usize)
    }
}

/// The table, computed when it is first asked for.
pub fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| Table((0..CONFIGS as u16).map(shapes_of).collect()));
    &TABLE
}

/// The axes that follow an axis cyclically.
#[inline]
pub const fn others(axis: usize) -> (usize, usize) {
    ((axis + 1) % 3, (axis + 2) % 3)
}

/// The edge of a cube at a node along an axis.
#[inline]
pub const fn edge_at(node: usize, axis: usize) -> usize {
    let (b, c) = others(axis);
    4 * axis + (node >> b & 1) + 2 * (node >> c & 1)
}

/// The low and the high node of an edge.
#[inline]
pub const fn ends(edge: usize) -> [usize; 2] {
    let axis = edge / 4;
    let (b, c) = others(axis);
    let low = (edge & 1) << b | (edge >> 1 & 1) << c;
    [low, low | 1 << axis]
}

/// The nodes of a face, by their place along the axes that follow the one across it.
pub const fn face_nodes(face: usize) -> [usize; 4] {
    let axis = face / 2;
    let (b, c) = others(axis);
    let low = (face & 1) << axis;
    [low, low | 1 << b, low | 1 << c, low | 1 << b | 1 << c]
}

/// The edges of a face: two along `b` (at low and high `c`), then two along `c` (at low and high `b`).
pub const fn face_edges(face: usize) -> [usize; 4] {
    let (b, c) = others(face / 2);
    let nodes = face_nodes(face);
    [edge_at(nodes[0], b), edge_at(nodes[2], b), edge_at(nodes[0], c), edge_at(nodes[1], c)]
}

/// The nodes among `allowed` that are joined with `node` by edges that are not crossed.
pub fn component(config: u16, node: usize, allowed: u8) -> u8 {
    let mut reached = 1_u8 << node;
    loop {
        let mut next = reached;
        for edge in (0..12).filter(|edge| config >> edge & 1 == 0) {
            let both = ends(edge).iter().fold(0, |mask, end| mask | 1_u8 << end);
            if reached & both != 0 {
                next |= both & allowed;
            }
        }
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

fn shapes_of(config: u16) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for node in 0..8 {
        for axis in 0..3 {
            let edge = edge_at(node, axis);
            if config >> edge & 1 == 0 {
                continue;
            }
            let (b, c) = others(axis);
            let (high, at_b, at_c) = (node >> axis & 1, node >> b & 1, node >> c & 1);
            let mut corners = [
                edge_vertex(node, edge),
                face_vertex(config, node, 2 * c + at_c),
                centre_vertex(config, node),
                face_vertex(config, node, 2 * b + at_b),
            ];
            // Each reflection of the node turns the quad over.
            if (high ^ at_b ^ at_c) == 1 {
                corners.swap(1, 3);
            }
            shapes.push(Shape { node: node as u8, edge: edge as u8, corners });
        }
    }
    shapes
}

fn edge_vertex(node: usize, edge: usize) -> Corner {
    let axis = edge / 4;
    let slot = 2 * axis + (node >> axis & 1);
    Corner { place: edge as u8, nodes: 1 << node, site: ends(edge)[0] as u8, slot: slot as u8 }
}

fn face_vertex(config: u16, node: usize, face: usize) -> Corner {
    let of_face = face_nodes(face);
    let allowed = of_face.iter().fold(0, |mask, node| mask | 1_u8 << node);
    let nodes = component(config, node, allowed);
    // A component is known by its first node: no two have the same.
    let first = of_face.iter().position(|n| nodes >> n & 1 == 1).unwrap_or(0);
    let slot = 6 + 4 * (face / 2) + first;
    Corner { place: 12 + face as u8, nodes, site: of_face[0] as u8, slot: slot as u8 }
}

fn centre_vertex(config: u16, node: usize) -> Corner {
    let nodes = component(config, node, u8::MAX);
    Corner { place: 18, nodes, site: 0, slot: 18 + nodes.trailing_zeros() as u8 }
}
