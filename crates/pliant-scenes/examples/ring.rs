//! Makes `scenes/ring.msh`, the tetrahedra that `scenes/own-tetrahedra.toml` loads:
//! `cargo run -p pliant-scenes --example ring`.

use pliant::geometry::{shapes, weld};
use pliant::sampling::stuffing::{StuffingSettings, stuff};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let ring = weld(&shapes::torus(0.4, 0.16, 48, 24), 1e-6);
    let mesh = stuff(&ring, &StuffingSettings { size: 0.12, levels: 0 })?.mesh;
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/ring.msh");
    pliant_io::write_volume(file, &mesh)?;
    println!("{} tetrahedra", mesh.tetrahedra.len());
    Ok(())
}
