//! Meshes of several shells.

use pliant::geometry::TriMesh;
use pliant::glam::Vec3;

/// Several meshes as one, each somewhere else.
pub fn joined(parts: &[(TriMesh, Vec3)]) -> TriMesh {
    let mut all = TriMesh::default();
    for (part, by) in parts {
        let first = all.positions.len() as u32;
        all.positions.extend(part.positions.iter().map(|p| *p + *by));
        all.triangles.extend(part.triangles.iter().map(|t| t.map(|v| first + v)));
    }
    all
}
