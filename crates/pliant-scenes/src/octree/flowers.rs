//! A bed of flowers in the wind: \[SOG08\] Figure 6.

use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{Material, OctreeSettings, Rule, Selection, Wind, WorldSettings};
use pliant_io::scene::{BodyEntry, Copies, Key, Motion, PinEntry, PushEntry, SceneFile};

/// Edge of the finest cells in metres: about half a petal's thickness.
const CELL: f32 = 0.0125;

pub(crate) fn in_wind(entry: &SceneEntry) -> SceneFile {
    let flowers = BodyEntry {
        name: "flower".into(),
        figure: Some("flower".into()),
        position: DVec3::new(-2.1, 0.0, -1.2),
        material: Material::default().with_density(300.0).with_alpha(1.0).with_damping(0.3),
        octree: Some(OctreeSettings {
            cell: Some(CELL),
            levels: Some(3),
            width: Some(0.25),
            ..OctreeSettings::default()
        }),
        refine: vec![
            // A few nodes in a line could not hold the flower upright.
            Rule::Region { within: stem(0.06), size: 2.0 * CELL },
            Rule::Features { size: 4.0 * CELL },
            Rule::Tools { margin: 0.05, size: 2.0 * CELL },
        ],
        copies: Some(Copies { counts: [8, 1, 5], spacing: Vec3::splat(0.6), tumble: false }),
        ..BodyEntry::default()
    };
    let feet = PinEntry { body: "flower".into(), members: stem(0.25), motion: Motion::default() };
    let wind =
        Wind { velocity: Vec3::new(6.0, 0.0, 1.0), gustiness: 0.8, gust_length: 6.0, ..Wind::default() };
    let key = |time_secs, x, z| Key { time_secs, by: Vec3::new(x, 0.0, z) };
    let push = PushEntry {
        center: DVec3::new(-3.2, 0.75, 0.9),
        radius: 0.25,
        frequency_hz: 8.0,
        motion: Motion { path: vec![key(0.5, 0.0, 0.0), key(5.0, 6.2, -0.9)], ..Motion::default() },
    };
    SceneFile {
        world: WorldSettings { substeps: 8, ..WorldSettings::default() },
        body: vec![flowers],
        pin: vec![feet],
        push: vec![push],
        wind: vec![wind],
        ..on_a_floor(entry, camera([1.6, 2.6, 5.4], [0.0, 0.5, 0.0]))
    }
}

/// The lowest part of the stem, up to a height, without its leaves.
fn stem(height: f32) -> Selection {
    Selection::Box { min: Vec3::new(-0.07, -1.0, -0.25), max: Vec3::new(0.07, height, -0.05) }
}
