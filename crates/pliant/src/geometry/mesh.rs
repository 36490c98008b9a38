//! A triangle mesh with all that is needed to draw it.

use glam::{DVec3, Vec2, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A surface as people draw it: vertices may be doubled along seams of normals or texture coordinates.
///
/// Simulation uses the welded mesh instead, which keeps the map back to these vertices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TriMesh {
    /// What the mesh is called in its file, or empty.
    pub name: String,
    /// Where `positions` are measured from, in metres. Zero but for meshes that lie so far from zero that `f32`
    /// would lose their shape.
    pub origin: DVec3,
    /// Vertex positions relative to `origin`, in metres.
    pub positions: Vec<Vec3>,
    /// Corners of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// One unit normal a vertex, or empty.
    pub normals: Vec<Vec3>,
    /// One texture coordinate a vertex (v = 0 at the top of the image, as in glTF), or empty.
    pub uvs: Vec<Vec2>,
    /// One linear RGBA colour a vertex, or empty.
    pub colors: Vec<[f32; 4]>,
    /// How parts of the surface look.
    pub paints: Vec<Paint>,
    /// For each triangle its index into `paints`, or empty when all triangles use the first paint (if any).
    pub triangle_paints: Vec<u32>,
}

/// How a part of a skin looks: what other programs call a render material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paint {
    /// Name in the file, or empty.
    pub name: String,
    /// Linear RGBA.
    pub base_color: [f32; 4],
    /// 0 … 1.
    pub metallic: f32,
    /// 0 … 1.
    pub roughness: f32,
    /// An image that `uvs` point into.
    pub texture: Option<Texture>,
    /// Drawn from both sides.
    pub double_sided: bool,
}

impl Default for Paint {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [0.8, 0.8, 0.8, 1.0],
            metallic: 0.0,
            roughness: 0.8,
            texture: None,
            double_sided: false,
        }
    }
}

/// An image that came with a mesh; Pliant hands it through without decoding it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Texture {
    /// The encoded image.
    Embedded {
        /// For example `image/png`.
        media_type: String,
        /// The file's bytes.
        bytes: Arc<[u8]>,
    },
    /// A path as written in the mesh file, relative to it.
    File(String),
}

/// What is wrong with a mesh's arrays.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// There is nothing to simulate.
    #[error("the mesh has no {0}")]
    Empty(&'static str),
    /// A position is NaN or infinite.
    #[error("vertex {vertex} is not finite: ({x}, {y}, {z})", x = position.x, y = position.y, z = position.z)]
    NotFinite {
        /// The first such vertex.
        vertex: usize,
        /// Its position.
        position: Vec3,
    },
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {count} vertices")]
    IndexOutOfRange {
        /// The first such triangle.
        triangle: usize,
        /// The index it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// A tetrahedron names a vertex that is not there.
    #[error("tetrahedron {tetrahedron} names vertex {vertex}, but there are only {count} vertices")]
    TetrahedronOutOfRange {
        /// The first such tetrahedron.
        tetrahedron: usize,
        /// The index it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// A per-vertex or per-triangle array has the wrong length.
    #[error("{array} has {found} entries where {expected} are needed")]
    WrongLength {
        /// The field of [`TriMesh`].
        array: &'static str,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
    },
}

impl TriMesh {
    /// A mesh of positions and triangles alone.
    pub fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self { positions, triangles, ..Self::default() }
    }

    /// Checks that all arrays fit each other and all positions are finite.
    ///
    /// # Errors
    /// The first fault found.
    pub fn validate(&self) -> Result<(), MeshError> {
        let count = self.positions.len();
        if count == 0 {
            return Err(MeshError::Empty("vertices"));
        }
        if self.triangles.is_empty() {
            return Err(MeshError::Empty("triangles"));
        }
        if let Some(vertex) = self.positions.iter().position(|p| !p.is_finite()) {
            return Err(MeshError::NotFinite { vertex, position: self.positions[vertex] });
        }
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= count) {
                return Err(MeshError::IndexOutOfRange { triangle, vertex, count });
            }
        }
        let optional = [
            ("normals", self.normals.len(), count),
            ("uvs", self.uvs.len(), count),
            ("colors", self.colors.len(), count),
            ("triangle_paints", self.triangle_paints.len(), self.triangles.len()),
        ];
        for (array, found, expected) in optional {
            if found != 0 && found != expected {
                return Err(MeshError::WrongLength { array, found, expected });
            }
        }
        if let Some((triangle, &paint)) =
            self.triangle_paints.iter().enumerate().find(|&(_, &p)| p as usize >= self.paints.len())
        {
            return Err(MeshError::IndexOutOfRange { triangle, vertex: paint, count: self.paints.len() });
        }
        Ok(())
    }

    /// The positions of a triangle's corners.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| self.positions[v as usize])
    }

    /// Smallest and largest coordinates, relative to `origin`; `None` without vertices.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let (first, rest) = self.positions.split_first()?;
        Some(rest.iter().fold((*first, *first), |(lo, hi), p| (lo.min(*p), hi.max(*p))))
    }

    /// The volume enclosed, negative when the surface is inside out; meaningless for open surfaces.
    pub fn signed_volume(&self) -> f64 {
        let Some((lo, hi)) = self.bounds() else { return 0.0 };
        let middle = ((lo + hi) * 0.5).as_dvec3();
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| self.positions[v as usize].as_dvec3() - middle);
            a.dot(b.cross(c)) / 6.0
        };
        self.triangles.iter().map(of).sum()
    }
}
