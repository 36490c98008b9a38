//! `pliant mesh` for volumes: what a tetrahedral file is, and filling a surface with tetrahedra.

use crate::Failure;
use crate::run::{check_writable, has_ending};
use crate::say::say;
use pliant::geometry::{RepairSettings, TetMesh, TetQuality, WELD_TOLERANCE, repair, weld_as_needed};
use pliant::sampling::stuffing::{StuffingSettings, stuff};
use pliant_io::{read_mesh, read_volume, write_mesh, write_volume};
use serde_json::{Value, json};
use std::path::Path;

/// Says what a tetrahedral file is, and writes it in another format, or its surface, if asked.
pub fn tell(file: &Path, out: Option<&Path>, as_json: bool) -> Result<(), Failure> {
    out.map_or(Ok(()), |out| check_output(out, &["msh", "vtu", "obj", "ply", "glb"]))?;
    let loaded = read_volume(file).map_err(Failure::input)?;
    let quality = loaded.mesh.quality();
    if as_json {
        let mesh = facts(&loaded.mesh, quality.as_ref());
        let format = loaded.format.to_string();
        let row = json!({"file": file, "format": format, "mesh": mesh, "mended": loaded.mended, "warnings": loaded.warnings});
        say(&format!("{row:#}"))?;
    } else {
        let mended: String = loaded.warnings.iter().map(|line| format!("\n  {line}")).collect();
        let mended = if mended.is_empty() { "\n  nothing to mend".to_owned() } else { mended };
        say(&format!(
            "{} ({})\n{}reading{mended}",
            file.display(),
            loaded.format,
            summary(&loaded.mesh, quality)
        ))?;
    }
    out.map_or(Ok(()), |out| write(out, &loaded.mesh, as_json))
}

/// Fills a surface with tetrahedra.
pub fn fill(
    file: &Path,
    mend: bool,
    settings: &StuffingSettings,
    out: Option<&Path>,
    as_json: bool,
) -> Result<(), Failure> {
    out.map_or(Ok(()), |out| check_output(out, &["msh", "vtu"]))?;
    let fail = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", file.display()));
    let loaded = read_mesh(file).map_err(Failure::input)?;
    for warning in &loaded.warnings {
        eprintln!("pliant: {}: {warning}", file.display());
    }
    let mut surface = loaded.mesh;
    if mend {
        surface = repair(&surface, &RepairSettings::default()).map_err(|error| fail(&error))?.0;
    }
    let mut filled =
        stuff(&weld_as_needed(&surface, WELD_TOLERANCE), settings).map_err(|error| fail(&error))?;
    filled.mesh.origin = surface.origin;
    filled.mesh.name.clone_from(&surface.name);
    let (quality, missed) = (filled.mesh.quality(), filled.missed());
    if as_json {
        let mesh = facts(&filled.mesh, quality.as_ref());
        let row = json!({"file": file, "size": settings.size, "mesh": mesh, "enclosed": filled.enclosed, "missed": missed});
        say(&format!("{row:#}"))?;
    } else {
        let missed = match missed {
            Some(share) if share >= 5e-5 => {
                format!("  {:<21} {:.2} % of the volume\n", "without tetrahedra", 100.0 * share)
            }
            Some(_) => String::new(),
            None => "  the surface is open: holes were closed as the winding number does\n".to_owned(),
        };
        let title = format!("{}, filled with tetrahedra of {} m", file.display(), settings.size);
        say(&format!("{title}\n{}{missed}", summary(&filled.mesh, quality)))?;
    }
    match out {
        Some(out) => write(out, &filled.mesh, as_json),
        None if as_json => Ok(()),
        None => say("(not written: name a .msh or .vtu file with --out to keep them)"),
    }
}

/// Fails early if the mesh could not be written there.
fn check_output(out: &Path, endings: &[&str]) -> Result<(), Failure> {
    if !has_ending(out, endings) {
        let known: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
        return Err(Failure::input(format!(
            "{}: tetrahedra are written as {}",
            out.display(),
            known.join(", ")
        )));
    }
    check_writable(out)
}

/// Writes the tetrahedra, or their surface.
fn write(out: &Path, mesh: &TetMesh, quiet: bool) -> Result<(), Failure> {
    if has_ending(out, &["msh", "vtu"]) {
        write_volume(out, mesh).map_err(Failure::input)?;
    } else {
        for warning in write_mesh(out, &mesh.boundary().0).map_err(Failure::input)? {
            eprintln!("pliant: {}: {warning}", out.display());
        }
    }
    if quiet { Ok(()) } else { say(&format!("written {}", out.display())) }
}

fn facts(mesh: &TetMesh, quality: Option<&TetQuality>) -> Value {
    json!({
        "vertices": mesh.positions.len(),
        "tetrahedra": mesh.tetrahedra.len(),
        "surface_triangles": mesh.boundary().0.triangles.len(),
        "volume": mesh.signed_volume(),
        "min_dihedral_degrees": quality.map(|q| q.min_dihedral.to_degrees()),
        "max_dihedral_degrees": quality.map(|q| q.max_dihedral.to_degrees()),
        "worst_radius_ratio": quality.map(|q| q.worst_radius_ratio),
        "extent": extent(mesh),
    })
}

fn extent(mesh: &TetMesh) -> [f32; 3] {
    let low = mesh.positions.iter().copied().reduce(|a, b| a.min(b)).unwrap_or_default();
    let high = mesh.positions.iter().copied().reduce(|a, b| a.max(b)).unwrap_or_default();
    (high - low).to_array()
}

fn summary(mesh: &TetMesh, quality: Option<TetQuality>) -> String {
    let [x, y, z] = extent(mesh);
    let mut rows = vec![
        ("vertices", mesh.positions.len().to_string()),
        ("tetrahedra", mesh.tetrahedra.len().to_string()),
        ("surface triangles", mesh.boundary().0.triangles.len().to_string()),
        ("volume", format!("{:.6} m³", mesh.signed_volume())),
        ("extent", format!("{x} × {y} × {z} m")),
    ];
    if let Some(quality) = quality {
        let [least, most] = [quality.min_dihedral, quality.max_dihedral].map(f64::to_degrees);
        rows.push(("dihedral angles", format!("{least:.1}° to {most:.1}°")));
        rows.push(("worst radius ratio", format!("{:.3} (1 is regular)", quality.worst_radius_ratio)));
    }
    rows.iter().map(|(name, value)| format!("  {name:<21} {value}\n")).collect()
}
