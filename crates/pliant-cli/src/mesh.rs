//! `pliant mesh`: what a mesh is, what is wrong with it, and mending it.

use crate::Failure;
use crate::run::{check_writable, has_ending};
use crate::say::say;
use pliant::geometry::{MeshReport, RepairSettings, inspect, repair};
use pliant_io::{read_mesh, write_mesh};
use serde_json::json;
use std::path::Path;

/// Reads a mesh, tells what it is, mends and writes it as asked.
pub fn mesh(file: &Path, mend: bool, out: Option<&Path>, as_json: bool) -> Result<(), Failure> {
    out.map_or(Ok(()), check_output)?;
    let loaded = read_mesh(file).map_err(Failure::input)?;
    for warning in &loaded.warnings {
        eprintln!("pliant: {}: {warning}", file.display());
    }
    let mut mesh = loaded.mesh;
    let found = inspect(&mesh);
    if !as_json {
        say(&format!("{} ({})\n{}", file.display(), loaded.format, summary(&found)))?;
    }
    let mut log = None;
    if mend {
        let fail = |error| Failure::input(format!("{}: {error}", file.display()));
        let (mended, done) = repair(&mesh, &RepairSettings::default()).map_err(fail)?;
        if !as_json {
            let steps: String = done.to_string().lines().map(|line| format!("\n  {line}")).collect();
            say(&format!("repair{steps}"))?;
        }
        mesh = mended;
        log = Some(done);
    }
    if as_json {
        let format = loaded.format.to_string();
        let row =
            json!({"file": file, "format": format, "mesh": found, "verdict": found.verdict(), "repair": log});
        say(&format!("{row:#}"))?;
    }
    if let Some(out) = out {
        for warning in write_mesh(out, &mesh).map_err(Failure::input)? {
            eprintln!("pliant: {}: {warning}", out.display());
        }
        if !as_json {
            say(&format!("written {}", out.display()))?;
        }
    } else if mend && !as_json {
        say("(not written: name a file with --out to keep the mended mesh)")?;
    }
    Ok(())
}

/// Fails early if the mesh could not be written there.
fn check_output(out: &Path) -> Result<(), Failure> {
    if !has_ending(out, &["obj", "ply", "glb"]) {
        return Err(Failure::input(format!("{}: --out writes .obj, .ply and .glb", out.display())));
    }
    check_writable(out)
}

fn summary(report: &MeshReport) -> String {
    let extent = report.extent;
    let rows: [(&str, String); 10] = [
        ("vertices", format!("{} ({} of them doubled)", report.vertices, report.duplicate_vertices)),
        ("triangles", report.triangles.to_string()),
        ("components", format!("{} ({} closed)", report.components, report.closed_components)),
        ("open edges", format!("{} in {} loops", report.open_edges, report.boundary_loops)),
        ("non-manifold edges", report.non_manifold_edges.to_string()),
        ("flipped triangles", report.flipped_triangles.to_string()),
        ("degenerate triangles", report.degenerate_triangles.to_string()),
        ("duplicate triangles", report.duplicate_triangles.to_string()),
        ("volume", format!("{:.6} m³", report.volume)),
        ("extent", format!("{} × {} × {} m", extent.x, extent.y, extent.z)),
    ];
    let rows = rows.map(|(name, value)| format!("  {name:<21} {value}\n")).concat();
    let verdict: String = report.verdict().iter().map(|line| format!("  {line}\n")).collect();
    format!("{rows}for simulation\n{verdict}")
}
