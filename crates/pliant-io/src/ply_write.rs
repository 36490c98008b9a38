//! Writing binary little-endian PLY, with normals, texture coordinates and colours.

use crate::color::srgb_bytes;
use crate::write::Output;
use pliant::geometry::TriMesh;
use pliant::glam::DVec3;
use std::path::Path;

/// `mesh` has passed its checks. PLY knows one image a file and no other materials.
pub(crate) fn write(path: &Path, mesh: &TriMesh) -> Output {
    let mut output = Output::default();
    let mut header = String::from("ply\nformat binary_little_endian 1.0\ncomment Pliant\n");
    if let Some((i, texture)) =
        mesh.paints.iter().enumerate().find_map(|(i, p)| Some((i, p.texture.as_ref()?)))
    {
        header += &format!("comment TextureFile {}\n", output.texture_file(path, i, texture));
    }
    if mesh.paints.len() > 1 || mesh.paints.iter().any(|p| p.texture.is_none()) {
        output.warnings.push("a PLY cannot hold paints; one image at most is kept".to_owned());
    }
    // A mesh far from zero needs doubles to keep its shape.
    let far = mesh.origin != DVec3::ZERO;
    let number = if far { "double" } else { "float" };
    header += &format!("element vertex {}\n", mesh.positions.len());
    for axis in ["x", "y", "z"] {
        header += &format!("property {number} {axis}\n");
    }
    if !mesh.normals.is_empty() {
        header += "property float nx\nproperty float ny\nproperty float nz\n";
    }
    if !mesh.uvs.is_empty() {
        header += "property float s\nproperty float t\n";
    }
    if !mesh.colors.is_empty() {
        header += "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n";
    }
    header += &format!("element face {}\nproperty list uchar int vertex_indices\n", mesh.triangles.len());
    header += "end_header\n";

    let mut bytes = header.into_bytes();
    bytes.reserve(mesh.positions.len() * 48 + mesh.triangles.len() * 13);
    for (i, p) in mesh.positions.iter().enumerate() {
        if far {
            put_doubles(&mut bytes, (mesh.origin + p.as_dvec3()).to_array());
        } else {
            put(&mut bytes, p.to_array());
        }
        if let Some(n) = mesh.normals.get(i) {
            put(&mut bytes, n.to_array());
        }
        if let Some(uv) = mesh.uvs.get(i) {
            put(&mut bytes, [uv.x, 1.0 - uv.y]);
        }
        if let Some(color) = mesh.colors.get(i) {
            bytes.extend(srgb_bytes(*color));
        }
    }
    for corners in &mesh.triangles {
        bytes.push(3);
        bytes.extend(corners.iter().flat_map(|v| v.to_le_bytes()));
    }
    output.files.push((path.to_path_buf(), bytes));
    output
}

fn put<const N: usize>(bytes: &mut Vec<u8>, values: [f32; N]) {
    bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
}

fn put_doubles<const N: usize>(bytes: &mut Vec<u8>, values: [f64; N]) {
    bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
}
