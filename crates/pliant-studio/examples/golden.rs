//! Renews the stored pictures in `crates/pliant-studio/pictures`, which `tests/studio/golden.rs` compares and the gallery shows.
//!
//! `cargo run --release -p pliant-studio --example golden`, for all of them, or with names of scenes after `--`.

#[path = "../tests/common/golden.rs"]
#[expect(dead_code, reason = "nothing is compared here")]
mod golden;

use pliant_scenes::SCENES;
use rayon::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let scenes =
        SCENES.iter().filter(|scene| wanted.is_empty() || wanted.iter().any(|name| name == scene.name));
    let scenes: Vec<&str> = scenes.map(|scene| scene.name).collect();
    let pictures: Vec<_> = scenes.par_iter().flat_map_iter(|scene| golden::pictures(scene)).collect();
    let mut bytes = 0;
    for (name, picture) in &pictures {
        picture.write_png(golden::path(name))?;
        bytes += std::fs::metadata(golden::path(name))?.len();
    }
    println!("{} pictures, {} kB", pictures.len(), bytes / 1000);
    Ok(())
}
