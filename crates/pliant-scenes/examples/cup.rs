//! Makes `scenes/cup.obj`, the mesh that `scenes/own-mesh.toml` loads:
//! `cargo run -p pliant-scenes --example cup -- scenes/cup.obj`.

use pliant::geometry::TriMesh;
use pliant::glam::{Vec2, Vec3};
use pliant_scenes::figures::surface_nets::{Settings, extract, grounded};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name the file to write")?;
    let box_size = Vec3::new(0.36, 0.34, 0.36);
    let settings = Settings { lo: -box_size, hi: box_size, resolution: 11, ..Settings::default() };
    let cup = grounded(extract(&settings, cup));
    // Tenths of a millimetre are enough, and keep the file small.
    let rounded = |p: &Vec3| (*p * 1e4).round() / 1e4;
    let mut cup = TriMesh::new(cup.positions.iter().map(rounded).collect(), cup.triangles);
    cup.name = "cup".into();
    pliant_io::write_mesh(&path, &cup)?;
    Ok(())
}

/// A beaker that widens upward, 12 cm thick.
fn cup(p: Vec3) -> f32 {
    let across = Vec2::new(p.x, p.z).length();
    let widening = 0.12 * p.y;
    let outside = (across - 0.30 - widening).max(p.y.abs() - 0.28);
    let inside = (across - 0.18 - widening).max(-0.15 - p.y);
    outside.max(-inside)
}
