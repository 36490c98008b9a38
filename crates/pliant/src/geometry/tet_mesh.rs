//! A tetrahedral mesh: a body's volume as finite elements have it.

use super::{Lists, MeshError, TriMesh};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Corners of the faces of a tetrahedron, counter-clockwise seen from outside: face `k` is opposite corner `k`.
pub const TET_FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// A volume divided into tetrahedra.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TetMesh {
    /// What the mesh is called in its file, or empty.
    pub name: String,
    /// Where `positions` are measured from, in meters. Zero but for meshes that lie so far from zero that `f32` would lose their shape.
    pub origin: DVec3,
    /// Vertex positions relative to `origin`, in meters.
    pub positions: Vec<Vec3>,
    /// Corners of each tetrahedron: (b − a) × (c − a) · (d − a) > 0.
    pub tetrahedra: Vec<[u32; 4]>,
}

impl TetMesh {
    /// A mesh of positions and tetrahedra alone.
    pub fn new(positions: Vec<Vec3>, tetrahedra: Vec<[u32; 4]>) -> Self {
        Self { positions, tetrahedra, ..Self::default() }
    }

    /// Checks that there are tetrahedra, that their corners exist and that all positions are finite.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), MeshError> {
        if self.tetrahedra.is_empty() {
            return Err(MeshError::Empty("tetrahedra"));
        }
        if let Some(vertex) = self.positions.iter().position(|p| !p.is_finite()) {
            return Err(MeshError::NotFinite { vertex, position: self.positions[vertex] });
        }
        let count = self.positions.len();
        let corners = self.tetrahedra.iter().enumerate().flat_map(|(at, tet)| tet.map(|vertex| (at, vertex)));
        for (tetrahedron, vertex) in corners {
            if vertex as usize >= count {
                return Err(MeshError::TetrahedronOutOfRange { tetrahedron, vertex, count });
            }
        }
        Ok(())
    }

    /// The corners of a tetrahedron, in `f64`.
    pub fn corners(&self, tetrahedron: usize) -> [DVec3; 4] {
        self.tetrahedra[tetrahedron].map(|vertex| self.positions[vertex as usize].as_dvec3())
    }

    /// The volume of a tetrahedron in m³; negative if it is inverted.
    pub fn signed_volume_of(&self, tetrahedron: usize) -> f64 {
        let [a, b, c, d] = self.corners(tetrahedron);
        (b - a).cross(c - a).dot(d - a) / 6.0
    }

    /// The volume of all tetrahedra in m³.
    pub fn signed_volume(&self) -> f64 {
        (0..self.tetrahedra.len()).map(|tetrahedron| self.signed_volume_of(tetrahedron)).sum()
    }

    /// Across each face of each tetrahedron: the tetrahedron there, or `None` on the boundary. A face that more than two tetrahedra
    /// share pairs the first two.
    pub fn neighbors(&self) -> Vec<[Option<u32>; 4]> {
        let mut faces: Vec<([u32; 3], u32, u8)> = Vec::with_capacity(4 * self.tetrahedra.len());
        for (at, tet) in (0_u32..).zip(&self.tetrahedra) {
            for (side, face) in (0_u8..).zip(TET_FACES) {
                let mut key = face.map(|corner| tet[corner]);
                key.sort_unstable();
                faces.push((key, at, side));
            }
        }
        faces.sort_unstable();
        let mut neighbors = vec![[None; 4]; self.tetrahedra.len()];
        let mut next = 0;
        while next + 1 < faces.len() {
            let ((key, a, side_a), (other, b, side_b)) = (faces[next], faces[next + 1]);
            if key != other {
                next += 1;
                continue;
            }
            neighbors[a as usize][side_a as usize] = Some(b);
            neighbors[b as usize][side_b as usize] = Some(a);
            next += 2;
        }
        neighbors
    }

    /// The boundary as a surface, and which vertex of this mesh each of its vertices is.
    pub fn boundary(&self) -> (TriMesh, Vec<u32>) {
        let mut number = vec![None; self.positions.len()];
        let mut surface = TriMesh { name: self.name.clone(), origin: self.origin, ..TriMesh::default() };
        let mut source = Vec::new();
        for (tet, sides) in self.tetrahedra.iter().zip(self.neighbors()) {
            for (face, _) in TET_FACES.iter().zip(sides).filter(|(_, beyond)| beyond.is_none()) {
                surface.triangles.push(face.map(|corner| {
                    let vertex = tet[corner];
                    *number[vertex as usize].get_or_insert_with(|| {
                        source.push(vertex);
                        surface.positions.push(self.positions[vertex as usize]);
                        source.len() as u32 - 1
                    })
                }));
            }
        }
        (surface, source)
    }

    /// The tetrahedra around each vertex, ascending.
    pub fn around_vertices(&self) -> Lists {
        let mut corners = Lists::new();
        self.tetrahedra.iter().for_each(|tet| corners.push(tet.iter().copied()));
        corners.reversed(self.positions.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube of five tetrahedra.
    fn cube() -> TetMesh {
        let corner = |n: u32| Vec3::new((n & 1) as f32, (n >> 1 & 1) as f32, (n >> 2) as f32);
        let tetrahedra = vec![[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]];
        TetMesh::new((0..8).map(corner).collect(), tetrahedra)
    }

    #[test]
    fn tetrahedra_fill_their_boundary() {
        let mesh = cube();
        mesh.validate().unwrap();
        assert!((0..5).all(|tet| mesh.signed_volume_of(tet) > 0.1));
        assert!((mesh.signed_volume() - 1.0).abs() < 1e-12);
        let (surface, source) = mesh.boundary();
        assert_eq!(surface.triangles.len(), 12);
        let sides = surface.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        assert!(super::super::is_closed(sides));
        assert!((surface.signed_volume() - 1.0).abs() < 1e-6);
        for (position, vertex) in surface.positions.iter().zip(source) {
            assert_eq!(*position, mesh.positions[vertex as usize]);
        }
    }

    #[test]
    fn neighbors_are_mutual_and_share_a_face() {
        let mesh = cube();
        let neighbors = mesh.neighbors();
        assert_eq!(neighbors.iter().flatten().flatten().count(), 8);
        for (at, sides) in (0_u32..).zip(&neighbors) {
            for beyond in sides.iter().flatten() {
                assert!(neighbors[*beyond as usize].contains(&Some(at)));
                let shared = mesh.tetrahedra[*beyond as usize].iter();
                assert_eq!(shared.filter(|v| mesh.tetrahedra[at as usize].contains(v)).count(), 3);
            }
        }
        assert_eq!(mesh.around_vertices().of(0), [0]);
        assert_eq!(mesh.around_vertices().of(7), [1, 2, 3, 4]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let mut mesh = cube();
        mesh.tetrahedra[2][1] = 8;
        let expected = MeshError::TetrahedronOutOfRange { tetrahedron: 2, vertex: 8, count: 8 };
        assert_eq!(mesh.validate(), Err(expected));
        assert_eq!(TetMesh::default().validate(), Err(MeshError::Empty("tetrahedra")));
    }
}
