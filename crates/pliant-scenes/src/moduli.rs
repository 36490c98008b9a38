//! Beams of five moduli above each other: each bends half as far as the one below it.

use crate::SceneEntry;
use crate::clusters::{camera, in_the_air};
use pliant::glam::{DVec3, Vec3};
use pliant::{LatticeSettings, Material, Selection, WorldSettings};
use pliant_io::scene::{BodyEntry, Motion, PinEntry, SceneFile, ShapeEntry};

/// Metres.
const CELL: f32 = 0.04;
const LENGTH: f32 = 0.68;
const THICKNESS: f32 = 0.2;
/// Pa of the softest beam.
const SOFTEST: f32 = 4e4;

pub(crate) fn beams(entry: &SceneEntry) -> SceneFile {
    let moduli = (0..5_u8).map(|i| (i, SOFTEST * f32::from(1_u16 << i)));
    let name = |modulus: f32| format!("{} kPa", 1e-3 * modulus);
    let beam = |(i, modulus): (u8, f32)| BodyEntry {
        name: name(modulus),
        shape: Some(ShapeEntry::Box { size: Vec3::new(LENGTH, THICKNESS, THICKNESS), cells: [17, 5, 5] }),
        position: DVec3::new(0.0, 0.45 * f64::from(i) + 0.5, 0.0),
        material: Material::default().with_young_modulus(modulus, 0.3).with_damping(0.3),
        lattice: Some(LatticeSettings { cell: Some(CELL), width: Some(CELL) }),
        ..BodyEntry::default()
    };
    // Two layers of nodes: as deep as regions reach.
    let wall = Selection::Box { min: Vec3::NEG_ONE, max: Vec3::new(2.0 * CELL - 0.5 * LENGTH, 1.0, 1.0) };
    let held = |(_, modulus): (u8, f32)| PinEntry {
        body: name(modulus),
        members: wall.clone(),
        motion: Motion::default(),
    };
    SceneFile {
        // The stiffest needs 29 steps in 1/60 s, two in each of these.
        world: WorldSettings { max_substeps: 16, ..WorldSettings::default() },
        frames: Some(300),
        body: moduli.clone().map(beam).collect(),
        pin: moduli.map(held).collect(),
        ..in_the_air(entry, camera([0.6, 1.6, 3.9], [0.05, 1.2, 0.0]))
    }
}
