//! Gmsh MSH 4.1, text: one volume of tetrahedra.

use pliant::geometry::TetMesh;
use std::fmt::Write;

pub(crate) fn bytes(mesh: &TetMesh) -> Vec<u8> {
    let (nodes, tetrahedra) = (mesh.positions.len(), mesh.tetrahedra.len());
    let mut out = String::with_capacity(48 * nodes + 32 * tetrahedra + 400);
    let places = || mesh.positions.iter().map(|p| p.as_dvec3() + mesh.origin);
    let low = places().reduce(|a, b| a.min(b)).unwrap_or_default();
    let high = places().reduce(|a, b| a.max(b)).unwrap_or_default();
    // Writing to a string does not fail.
    let _ = (|| {
        writeln!(out, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1")?;
        writeln!(out, "1 {} {} {} {} {} {} 0 0", low.x, low.y, low.z, high.x, high.y, high.z)?;
        writeln!(out, "$EndEntities\n$Nodes\n1 {nodes} 1 {nodes}\n3 1 0 {nodes}")?;
        (1..=nodes).try_for_each(|node| writeln!(out, "{node}"))?;
        // The shortest text of an f32 is read back as the same.
        for position in &mesh.positions {
            if mesh.origin == pliant::glam::DVec3::ZERO {
                writeln!(out, "{} {} {}", position.x, position.y, position.z)?;
            } else {
                let place = position.as_dvec3() + mesh.origin;
                writeln!(out, "{} {} {}", place.x, place.y, place.z)?;
            }
        }
        writeln!(out, "$EndNodes\n$Elements\n1 {tetrahedra} 1 {tetrahedra}\n3 1 4 {tetrahedra}")?;
        for (at, corners) in (1..).zip(&mesh.tetrahedra) {
            let [a, b, c, d] = corners.map(|vertex| vertex + 1);
            writeln!(out, "{at} {a} {b} {c} {d}")?;
        }
        writeln!(out, "$EndElements")
    })();
    out.into_bytes()
}
