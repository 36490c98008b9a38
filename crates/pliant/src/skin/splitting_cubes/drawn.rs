//! The surface as it is drawn: triangles, with vertices doubled where the light must break.
//!
//! *Based on* \[PGCS06\] §6.2: crossings keep their normals for shading. The normals of a mesh or a blade are smoother than
//! those of the triangles between a few points of it.

use super::Surface;
use super::placement::COS_ALPHA;
use crate::geometry::{Lists, Paint, TriMesh};
use glam::Vec3;

/// A surface's triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// Positions, normals, triangles (two a quad, in order of quads) and their paints: 0 for the first surface, 1 for
    /// what blades made.
    pub mesh: TriMesh,
    /// For each vertex of the mesh the vertex of the surface.
    pub vertex_of: Vec<u32>,
}

/// Quads around a vertex that share its drawn vertex.
#[derive(Clone, Copy)]
struct Group {
    cut: bool,
    /// Weighted by the angles of the quads.
    normal: Vec3,
    drawn: u32,
}

impl Surface {
    /// The corners of each triangle: a quad is split along its shorter diagonal, or along the other where that folds it.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::with_capacity(2 * self.quads.len());
        for (at, quad) in self.quads.iter().enumerate() {
            let [a, b, c, d] = quad.corners;
            triangles.extend(if self.splits_at_first(at) {
                [[a, b, c], [a, c, d]]
            } else {
                [[a, b, d], [b, c, d]]
            });
        }
        triangles
    }

    /// A mesh to draw, in which quads share a vertex only if both are cut or neither is, and if their normals are alike.
    pub fn to_mesh(&self) -> Drawn {
        let mut drawn = Drawn::default();
        // Sharp edges add a few vertices.
        let room = self.vertices.len() + self.vertices.len() / 8;
        drawn.vertex_of.reserve(room);
        drawn.mesh.positions.reserve(room);
        drawn.mesh.normals.reserve(room);
        drawn.mesh.triangles.reserve(2 * self.quads.len());
        drawn.mesh.triangle_paints.reserve(2 * self.quads.len());
        // The drawn vertex of each quad's corner.
        let mut corners = vec![[0; 4]; self.quads.len()];
        let mut groups: Vec<Group> = Vec::new();
        for (vertex, uses) in self.corners_by_vertex().iter().enumerate() {
            groups.clear();
            for &(quad, corner) in uses {
                let at = &self.quads[quad as usize];
                let weight = self.weight(at.corners, corner as usize);
                let like = |group: &Group| {
                    let cosine = group.normal.dot(at.normal) / group.normal.length();
                    (group.cut == at.cut && cosine >= COS_ALPHA).then_some(cosine)
                };
                let mut best: Option<(f32, usize)> = None;
                for (index, group) in groups.iter().enumerate() {
                    if let Some(cosine) = like(group)
                        && best.is_none_or(|(found, _)| cosine > found)
                    {
                        best = Some((cosine, index));
                    }
                }
                let index = best.map_or(groups.len(), |(_, index)| index);
                if index == groups.len() {
                    let drawn_vertex = (drawn.vertex_of.len() + index) as u32;
                    groups.push(Group { cut: at.cut, normal: Vec3::ZERO, drawn: drawn_vertex });
                }
                groups[index].normal += at.normal * weight;
                corners[quad as usize][corner as usize] = groups[index].drawn;
            }
            for group in &groups {
                drawn.vertex_of.push(vertex as u32);
                drawn.mesh.positions.push(self.vertices[vertex].position);
                drawn.mesh.normals.push(group.normal.normalize_or(Vec3::Y));
            }
        }
        for (at, (quad, [a, b, c, d])) in self.quads.iter().zip(corners).enumerate() {
            let split =
                if self.splits_at_first(at) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            drawn.mesh.triangles.extend(split);
            drawn.mesh.triangle_paints.extend([u32::from(quad.cut); 2]);
        }
        drawn.mesh.paints = vec![Paint::default(), Paint { name: "cut".into(), ..Paint::default() }];
        drawn
    }

    fn at(&self, vertex: u32) -> Vec3 {
        self.vertices[vertex as usize].position
    }

    /// Whether a quad is split from its first corner to its third.
    fn splits_at_first(&self, quad: usize) -> bool {
        let quad = &self.quads[quad];
        let [a, b, c, d] = quad.corners.map(|v| self.at(v));
        let [of_a, of_b, of_c, of_d] = [(d, a, b), (a, b, c), (b, c, d), (c, d, a)]
            .map(|(last, corner, next)| (next - corner).cross(last - corner).dot(quad.normal));
        // A diagonal leaves the triangles at the corners it does not end in.
        let (first, second) = (of_b.min(of_d) >= 0.0, of_a.min(of_c) >= 0.0);
        if first == second { a.distance_squared(c) <= b.distance_squared(d) } else { first }
    }

    /// How much a quad counts at a corner: more with a wider angle; at least a little, so that a quad without area has a
    /// normal too. 1 − cos grows as the angle does and is much cheaper.
    fn weight(&self, corners: [u32; 4], corner: usize) -> f32 {
        let [last, here, next] = [corner + 3, corner, corner + 1].map(|i| self.at(corners[i % 4]));
        let (from, to) = (last - here, next - here);
        let lengths = (from.length_squared() * to.length_squared()).sqrt();
        if lengths > 0.0 { (1.0 - from.dot(to) / lengths).max(1e-3) } else { 1e-3 }
    }

    /// The quads at each vertex, with which of their corners, in order of quads.
    fn corners_by_vertex(&self) -> Lists<(u32, u8)> {
        let uses = self.quads.iter().enumerate().flat_map(|(quad, at)| {
            let corners = at.corners.iter().zip(0_u8..);
            corners.map(move |(&vertex, corner)| (vertex, (quad as u32, corner)))
        });
        Lists::from_pairs(self.vertices.len(), uses)
    }
}
