//! What is inside a body, for those who draw or explain it. Nothing here changes anything, and a step needs none of it.

use super::Body;
use crate::geometry::{Components, DisjointSets};
use crate::math::functions::cbrt;
use crate::math::green_strain;
use crate::model::Outline;
use crate::skin::Cells;
use glam::{Mat3, Vec3};

/// The cell of a node, as it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Where its middle is, in metres from the body's origin.
    pub middle: Vec3,
    /// Half its edges, in metres: three columns that are no longer square to each other once it is deformed.
    pub half_edges: Mat3,
    /// Edge at rest, in metres.
    pub size: f32,
    /// 0 is the finest, each level is twice as wide as the one below.
    pub level: u32,
    /// Whether six cells of the same size are around it: those that a drawing can leave out.
    pub enclosed: bool,
}

impl Body {
    /// The cell of a node, carried by the node's own map; none where nodes have no cells, and for nodes that are not there.
    pub fn cell(&self, node: usize) -> Option<Cell> {
        let place = *self.rest().nodes.rest_positions.get(node)?;
        let Outline { middle, size, level, enclosed } = self.model.outline(&self.rest().nodes, node)?;
        let map = self.model.node_map(&self.rest().nodes, node);
        let middle = self.nodes.positions[node] + map * (middle - place);
        Some(Cell { middle, half_edges: map * (0.5 * size), size, level, enclosed })
    }

    /// How far nodes are apart around one, in metres: the edge of its cell, or of a cube of as much material as it stands for.
    pub fn spacing(&self, node: usize) -> f32 {
        let rest = self.rest();
        let share = rest.nodes.masses.get(node).map_or(0.0, |&m| m / rest.nodes.total_mass as f32);
        let edge = cbrt(share * rest.volume.abs() as f32);
        // A sheet encloses nothing: its nodes share its area.
        let flat = rest.nodes.radius * share.sqrt();
        self.model.spacing(node).unwrap_or(edge.max(flat))
    }

    /// The nodes that the region of a node is made of, each with its distance from it through the material, in metres;
    /// nearest first. Empty for models without regions.
    pub fn region(&self, node: usize) -> Vec<(u32, f32)> {
        if node >= self.nodes.positions.len() {
            return Vec::new();
        }
        self.model.region(node)
    }

    /// Pairs of nodes that are joined by material, each pair once; empty where nodes are not joined one by one.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        self.model.edges()
    }

    /// Which nodes hang together by material: one part where nodes are not joined one by one. A body of several, made from a mesh
    /// of shells that do not touch, is allowed, and each of them goes its own way.
    pub fn parts(&self) -> Components {
        let count = self.nodes.positions.len();
        if self.model.grid().is_none() {
            return Components { count: count.min(1), of_member: vec![0; count] };
        }
        let mut sets = DisjointSets::new(count);
        self.edges().into_iter().for_each(|[a, b]| sets.join(a, b));
        let mut others = Vec::new();
        for node in 0..count as u32 {
            others.clear();
            self.model.beside(node, &mut others);
            others.iter().for_each(|&other| sets.join(node, other));
        }
        sets.components()
    }

    /// The nodes that material joins to a node, given its cells.
    pub(crate) fn joined_to(&self, cells: &(dyn Cells + Sync), node: u32, found: &mut Vec<u32>) {
        found.clear();
        if (node as usize) < cells.count() {
            cells.joined(node, found);
        }
        self.model.beside(node, found);
    }

    /// How many of its nodes, the first ones, are what surfaces and cuts go by: all of them, or those of its cells.
    pub(crate) fn leading_nodes(&self) -> usize {
        self.cells().map_or(self.nodes.positions.len(), |cells| cells.count())
    }

    /// The nodes that ways through the material lead to from `start`, without leaving those that `within` says; ascending.
    pub(crate) fn joined_within(
        &self,
        start: impl Iterator<Item = u32>,
        within: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        let mut found: Vec<u32> = start.collect();
        let mut seen = vec![false; self.nodes.positions.len()];
        found.iter().for_each(|&node| seen[node as usize] = true);
        if let Some(cells) = self.cells() {
            let mut others = Vec::new();
            let mut at = 0;
            while at < found.len() {
                self.joined_to(&*cells, found[at], &mut others);
                for &other in others.iter().filter(|&&other| within(other)) {
                    if !std::mem::replace(&mut seen[other as usize], true) {
                        found.push(other);
                    }
                }
                at += 1;
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// How strained the material is at a node: ‖FᵀF − I‖ / 2, the size of the Green strain, without what has given way for
    /// good. 0 where maps are those of goals; see [`strains`](Self::strains).
    pub fn node_strain(&self, node: usize) -> f32 {
        self.model.elastic_map(&self.rest().nodes, node).map_or(0.0, green_strain)
    }

    /// How strained the body is at each vertex of its skin; 0 for one that has only been moved and turned.
    ///
    /// It is the strain of the nodes that carry the vertex. Where the model's maps are those of goals, which nodes need not follow,
    /// it is that of the triangles around it, along the surface, and dents that stay count.
    pub fn strains(&self) -> Vec<f32> {
        let of: Option<Vec<f32>> = (0..self.nodes.positions.len())
            .map(|node| self.model.elastic_map(&self.rest().nodes, node).map(green_strain))
            .collect();
        let Some(of) = of else { return self.surface_strains() };
        let bonds = self.rest().binding.bonds().iter();
        bonds.map(|b| b.iter().map(|bond| bond.weight * of[bond.node as usize]).sum()).collect()
    }

    /// The mean over the triangles around each vertex, by their area at rest.
    fn surface_strains(&self) -> Vec<f32> {
        let (rest, now) = (&self.rest().mesh, &self.skin().positions);
        let mut sums = vec![(0.0_f32, 0.0_f32); now.len()];
        for triangle in &rest.triangles {
            let [a, b, c] = triangle.map(|v| v as usize);
            let (e, f) = (rest.positions[b] - rest.positions[a], rest.positions[c] - rest.positions[a]);
            let (u, v) = (now[b] - now[a], now[c] - now[a]);
            let Some((strain, area)) = in_plane(e, f, u, v) else { continue };
            for v in [a, b, c] {
                sums[v].0 += area * strain;
                sums[v].1 += area;
            }
        }
        sums.into_iter().map(|(sum, area)| if area > 0.0 { sum / area } else { 0.0 }).collect()
    }
}

/// Size of the Green strain in the plane of a triangle whose edges `e`, `f` have become `u`, `v`, and twice its rest area; none
/// for one without area.
fn in_plane(e: Vec3, f: Vec3, u: Vec3, v: Vec3) -> Option<(f32, f32)> {
    let x = e.try_normalize()?;
    let (e1, f1) = (e.dot(x), f.dot(x));
    let f2 = (f - x * f1).length();
    let area = e1 * f2;
    // A needle's height is rounding, and so would its strain be.
    if f2 <= 1e-4 * e1.max(f1.abs()) {
        return None;
    }
    let along = u / e1;
    let across = (v - along * f1) / f2;
    let (xx, yy, xy) = (along.length_squared() - 1.0, across.length_squared() - 1.0, along.dot(across));
    let strain = 0.5 * (xx * xx + yy * yy + 2.0 * xy * xy).sqrt();
    strain.is_finite().then_some((strain, area))
}
