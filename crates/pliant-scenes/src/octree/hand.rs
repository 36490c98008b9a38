//! A hand of tens of thousands of nodes, the same of hundreds, and one of soft and hard fingers: \[SOG08\] Figures 1 and 4.

use crate::SceneEntry;
use crate::clusters::{camera, in_the_air};
use pliant::glam::Vec3;
use pliant::{LatticeSettings, Material, OctreeSettings, PickSettings, Rule, Selection, WorldSettings};
use pliant_io::scene::{BodyEntry, Key, Motion, PickEntry, PinEntry, SceneFile, WidthEntry};

/// Edge of the finest cells in metres: the gaps between the fingers are wider.
const CELL: f32 = 0.0115;
/// Half-width of the regions in metres: less than half a finger's thickness, so that fingers bend between their nodes.
const WIDTH: f32 = 0.07;

pub(crate) fn uniform(entry: &SceneEntry) -> SceneFile {
    let lattice = LatticeSettings { cell: Some(CELL), width: Some(WIDTH) };
    pulled(entry, BodyEntry { lattice: Some(lattice), ..hand() })
}

pub(crate) fn adaptive(entry: &SceneEntry) -> SceneFile {
    pulled(entry, octree(WIDTH))
}

pub(crate) fn stiffness(entry: &SceneEntry) -> SceneFile {
    let little = WidthEntry {
        within: Selection::Box { min: Vec3::new(-1.0, 0.52, -1.0), max: Vec3::new(-0.14, 0.86, 1.0) },
        width: 0.05,
    };
    let thumb = WidthEntry {
        within: Selection::Sphere { center: Vec3::new(0.32, 0.48, 0.08), radius: 0.16 },
        width: 0.25,
    };
    let key = |time_secs, x| Key { time_secs, by: Vec3::X * x };
    let sway = vec![key(0.0, 0.0), key(0.35, 0.15), key(0.85, -0.15), key(1.2, 0.0)];
    let wrist = PinEntry { motion: Motion { path: sway, repeat: true, ..Motion::default() }, ..wrist() };
    let hand = BodyEntry { widths: vec![little, thumb], ..octree(0.1) };
    held(entry, hand, wrist)
}

fn held(entry: &SceneEntry, hand: BodyEntry, wrist: PinEntry) -> SceneFile {
    SceneFile {
        world: WorldSettings { substeps: 10, ..WorldSettings::default() },
        body: vec![hand],
        pin: vec![wrist],
        ..in_the_air(entry, camera([0.5, 0.9, 2.2], [0.03, 0.52, 0.0]))
    }
}

fn hand() -> BodyEntry {
    BodyEntry {
        name: "hand".into(),
        figure: Some("hand".into()),
        material: Material::default().with_alpha(1.0).with_damping(0.5),
        ..BodyEntry::default()
    }
}

fn octree(width: f32) -> BodyEntry {
    BodyEntry {
        octree: Some(OctreeSettings {
            cell: Some(CELL),
            levels: Some(4),
            width: Some(width),
            ..OctreeSettings::default()
        }),
        refine: vec![
            Rule::Features { size: CELL },
            Rule::Region { within: above(0.5), size: 4.0 * CELL },
            Rule::Region { within: above(0.2), size: 8.0 * CELL },
        ],
        ..hand()
    }
}

/// The fingers are above 0.5 m, the palm above 0.2.
fn above(height: f32) -> Selection {
    Selection::Box { min: Vec3::new(-1.0, height, -1.0), max: Vec3::new(1.0, 2.0, 1.0) }
}

fn wrist() -> PinEntry {
    PinEntry {
        body: "hand".into(),
        members: Selection::Box { min: Vec3::splat(-1.0), max: Vec3::new(1.0, 0.1, 1.0) },
        motion: Motion::default(),
    }
}

/// The forefinger is pulled aside and let go; the others hardly notice.
fn pulled(entry: &SceneEntry, hand: BodyEntry) -> SceneFile {
    let key = |time_secs, x, y, z| Key { time_secs, by: Vec3::new(x, y, z) };
    let pull = PickEntry {
        body: "hand".into(),
        at: Some(Vec3::new(0.245, 0.95, 0.075)),
        spring: PickSettings { frequency_hz: 6.0, radius: Some(0.07), ..PickSettings::default() },
        motion: Motion {
            path: vec![key(0.2, 0.0, 0.0, 0.0), key(1.0, 0.16, -0.10, -0.20)],
            release_secs: Some(1.4),
            ..Motion::default()
        },
        ..PickEntry::default()
    };
    SceneFile { pick: vec![pull], ..held(entry, hand, wrist()) }
}
