//! Towers of soft blocks, below and above the height at which a column buckles under its own weight.
//!
//! Greenhill: L = (7.84 E t² / (12 ρ g))^(1/3) for a column of the thickness t.

use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{LatticeSettings, Material};
use pliant_io::scene::{BodyEntry, Copies, SceneFile, ShapeEntry};

/// Edge of a block in metres.
const EDGE: f32 = 0.4;
/// What blocks stand beside the one below: without a first push, a tower that is too high would take long to find out.
const ASKEW: f32 = 0.01;

pub(crate) fn below_and_above(entry: &SceneEntry) -> SceneFile {
    let tower = |name: &str, x: f64, blocks: u32| BodyEntry {
        name: name.into(),
        shape: Some(ShapeEntry::Box { size: Vec3::splat(EDGE), cells: [4, 4, 4] }),
        position: DVec3::new(x, f64::from(EDGE) / 2.0, 0.0),
        material: Material::default().with_alpha(0.3).with_damping(0.5).with_friction(0.8),
        lattice: Some(LatticeSettings { cell: Some(EDGE / 4.0), width: Some(EDGE / 4.0) }),
        copies: Some(Copies { counts: [1, blocks, 1], spacing: Vec3::new(ASKEW, EDGE, 0.0), tumble: false }),
        ..BodyEntry::default()
    };
    let mut body = vec![tower("low", -1.5, 3), tower("high", 0.6, 6)];
    for tower in &mut body {
        if let Some(copies) = &mut tower.copies {
            copies.spacing.x = ASKEW;
        }
    }
    SceneFile { frames: Some(360), body, ..on_a_floor(entry, camera([0.6, 1.9, 6.2], [0.0, 1.1, 0.0])) }
}
