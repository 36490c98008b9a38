//! A dinosaur that two tools pull at once: \[TYGP15\] Figure 4.

use super::stands;
use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::Vec3;
use pliant::{HierarchySettings, Material, PickSettings, WorldSettings};
use pliant_io::scene::{BodyEntry, Key, Motion, PickEntry, SceneFile};

/// Edge of the finest cells in metres, and how many levels there are. The paper's 98,000 finest clusters are those of 0.0069 m.
const CELL: f32 = 0.015;
const LEVELS: u32 = 5;
/// Seconds at which both tools let go.
const RELEASED: f64 = 2.9;

pub(crate) fn pulled(entry: &SceneEntry) -> SceneFile {
    let settings =
        HierarchySettings { cell: Some(CELL), levels: Some(LEVELS), ..HierarchySettings::default() };
    let dinosaur = BodyEntry {
        name: "dinosaur".into(),
        figure: Some("dinosaur".into()),
        material: Material::default().with_young_modulus(2e5, 0.3).with_damping(0.1),
        hierarchy: Some(settings),
        ..BodyEntry::default()
    };
    let pull = |at: Vec3, ways: [[f32; 3]; 3]| {
        let key =
            |(i, way): (usize, &[f32; 3])| Key { time_secs: 0.8 * (i + 1) as f64, by: Vec3::from(*way) };
        let start = Key { time_secs: 0.1, by: Vec3::ZERO };
        PickEntry {
            body: "dinosaur".into(),
            at: Some(at),
            spring: PickSettings { frequency_hz: 24.0, radius: Some(0.16), ..PickSettings::default() },
            motion: Motion {
                path: std::iter::once(start).chain(ways.iter().enumerate().map(key)).collect(),
                release_secs: Some(RELEASED),
                ..Motion::default()
            },
            ..PickEntry::default()
        }
    };
    let head = pull(Vec3::new(0.45, 0.6, 0.0), [[0.5, 0.45, 0.2], [-0.5, 0.5, 0.5], [0.5, 0.45, -0.3]]);
    let tail = pull(Vec3::new(-0.5, 0.09, 0.0), [[-0.5, 0.35, -0.2], [0.1, 0.8, -0.5], [-0.5, 0.4, 0.5]]);
    SceneFile {
        world: WorldSettings { substeps: 1, ..WorldSettings::default() },
        frames: Some(360),
        body: vec![dinosaur],
        pick: vec![head, tail],
        pin: vec![stands("dinosaur", 0.05)],
        ..on_a_floor(entry, camera([0.5, 1.0, 3.4], [0.0, 0.56, 0.0]))
    }
}
