//! Writing Wavefront OBJ, with an MTL when there are paints.

use crate::color::to_srgb;
use crate::write::{Output, one_line, stem};
use pliant::geometry::{Paint, TriMesh};
use pliant::glam::DVec3;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// `mesh` has passed its checks.
pub(crate) fn write(path: &Path, mesh: &TriMesh) -> Output {
    let mut output = Output::default();
    let names = paint_names(&mesh.paints);
    let mut text = String::with_capacity(64 * mesh.positions.len() + 32 * mesh.triangles.len());
    // Writing to a String cannot fail.
    let _ = write_obj(&mut text, path, mesh, &names);
    if !mesh.paints.is_empty() {
        let mut materials = String::new();
        let _ = write_mtl(&mut materials, path, &mesh.paints, &names, &mut output);
        output.files.push((path.with_file_name(format!("{}.mtl", stem(path))), materials.into_bytes()));
    }
    output.files.push((path.to_path_buf(), text.into_bytes()));
    output
}

fn write_obj(text: &mut String, path: &Path, mesh: &TriMesh, names: &[String]) -> std::fmt::Result {
    writeln!(text, "# Pliant")?;
    if !mesh.paints.is_empty() {
        writeln!(text, "mtllib {}.mtl", stem(path))?;
    }
    if !one_line(&mesh.name).is_empty() {
        writeln!(text, "o {}", one_line(&mesh.name))?;
    }
    for (i, p) in mesh.positions.iter().enumerate() {
        if mesh.origin == DVec3::ZERO {
            write!(text, "v {} {} {}", p.x, p.y, p.z)?;
        } else {
            let p = mesh.origin + p.as_dvec3();
            write!(text, "v {} {} {}", p.x, p.y, p.z)?;
        }
        if let Some([r, g, b, _]) = mesh.colors.get(i).map(|c| c.map(to_srgb)) {
            write!(text, " {r} {g} {b}")?;
        }
        writeln!(text)?;
    }
    for uv in &mesh.uvs {
        writeln!(text, "vt {} {}", uv.x, 1.0 - f64::from(uv.y))?;
    }
    for n in &mesh.normals {
        writeln!(text, "vn {} {} {}", n.x, n.y, n.z)?;
    }
    let mut paint_now = None;
    for (t, corners) in mesh.triangles.iter().enumerate() {
        let paint = mesh.triangle_paints.get(t).copied().unwrap_or(0);
        if let Some(name) = names.get(paint as usize).filter(|_| paint_now != Some(paint)) {
            writeln!(text, "usemtl {name}")?;
            paint_now = Some(paint);
        }
        write!(text, "f")?;
        for v in corners.map(|v| v + 1) {
            match (mesh.uvs.is_empty(), mesh.normals.is_empty()) {
                (true, true) => write!(text, " {v}")?,
                (false, true) => write!(text, " {v}/{v}")?,
                (true, false) => write!(text, " {v}//{v}")?,
                (false, false) => write!(text, " {v}/{v}/{v}")?,
            }
        }
        writeln!(text)?;
    }
    Ok(())
}

fn write_mtl(
    text: &mut String,
    path: &Path,
    paints: &[Paint],
    names: &[String],
    output: &mut Output,
) -> std::fmt::Result {
    for (i, (paint, name)) in paints.iter().zip(names).enumerate() {
        let [r, g, b, alpha] = paint.base_color;
        let [r, g, b] = [r, g, b].map(to_srgb);
        writeln!(text, "newmtl {name}\nKd {r} {g} {b}\nd {alpha}\nillum 2")?;
        writeln!(text, "Pr {}\nPm {}", paint.roughness, paint.metallic)?;
        if let Some(texture) = &paint.texture {
            writeln!(text, "map_Kd {}", output.texture_file(path, i, texture))?;
        }
        if paint.double_sided {
            output.warnings.push(format!("an OBJ cannot say that '{name}' is double-sided"));
        }
    }
    Ok(())
}

/// Names that a line can hold, no two the same.
fn paint_names(paints: &[Paint]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut names = Vec::with_capacity(paints.len());
    for (i, paint) in paints.iter().enumerate() {
        let mut name = one_line(&paint.name);
        if name.is_empty() {
            name = format!("paint{i}");
        }
        while !taken.insert(name.clone()) {
            write!(name, "_{i}").unwrap_or_default();
        }
        names.push(name);
    }
    names
}
