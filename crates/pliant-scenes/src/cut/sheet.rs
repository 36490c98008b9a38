//! A sheet that is pulled until it tears.

use crate::SceneEntry;
use crate::clusters::{camera, in_the_air};
use pliant::glam::{DVec3, Vec3};
use pliant::{LatticeSettings, Material, Selection, WorldSettings};
use pliant_io::scene::{BodyEntry, CutEntry, Key, Motion, PinEntry, SceneFile, ShapeEntry, ToughnessEntry};

pub(crate) fn torn(entry: &SceneEntry) -> SceneFile {
    let sheet = BodyEntry {
        name: "sheet".into(),
        shape: Some(ShapeEntry::Box { size: Vec3::new(1.2, 0.8, 0.08), cells: [30, 20, 2] }),
        position: DVec3::Y * 1.0,
        material: Material::default().with_density(300.0).with_alpha(1.0).with_damping(0.6).with_tear(0.35),
        lattice: Some(LatticeSettings { cell: Some(0.04), width: Some(0.1) }),
        toughness: vec![
            // It tears between what is held.
            ToughnessEntry { within: beyond(0.14), tear: 10.0 },
            ToughnessEntry { within: beyond(-0.1), tear: 10.0 },
        ],
        ..BodyEntry::default()
    };
    let held = |x: f32, by: Vec3| PinEntry {
        body: "sheet".into(),
        members: beyond(x),
        motion: Motion {
            path: vec![Key { time_secs: 0.8, by: Vec3::ZERO }, Key { time_secs: 5.0, by }],
            ..Motion::default()
        },
    };
    // It tears where it is notched.
    let notch = CutEntry {
        at_secs: 0.2,
        polygon: Some(
            [[0.02, 1.6, -0.3], [0.02, 1.6, 0.3], [0.02, 1.2, 0.3], [0.02, 1.2, -0.3]]
                .map(DVec3::from)
                .into(),
        ),
        ..CutEntry::default()
    };
    SceneFile {
        frames: Some(360),
        world: WorldSettings { substeps: 6, ..WorldSettings::default() },
        body: vec![sheet],
        pin: vec![held(-0.54, Vec3::new(-0.35, 0.0, 0.0)), held(0.54, Vec3::new(0.35, 0.0, 0.0))],
        cut: vec![notch],
        ..in_the_air(entry, camera([0.6, 1.3, 3.0], [0.0, 0.98, 0.0]))
    }
}

/// The part that is farther out than `x`, on its side.
fn beyond(x: f32) -> Selection {
    let (min, max) = if x < 0.0 { (-1.0, x) } else { (x, 1.0) };
    Selection::Box { min: Vec3::new(min, -1.0, -1.0), max: Vec3::new(max, 1.0, 1.0) }
}
