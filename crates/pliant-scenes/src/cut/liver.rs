//! A liver that is cut while it hangs: \[SOG08\] Figure 3.

use super::knife;
use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{Material, OctreeSettings, Selection};
use pliant_io::scene::{BodyEntry, Motion, PinEntry, SceneFile};

/// Edge of the finest cells in metres: those along cuts.
const CELL: f32 = 0.032;

pub(crate) fn cut_live(entry: &SceneEntry) -> SceneFile {
    let liver = BodyEntry {
        name: "liver".into(),
        figure: Some("liver".into()),
        position: DVec3::Y * 0.75,
        material: Material::default().with_alpha(0.35).with_damping(0.6),
        octree: Some(OctreeSettings {
            cell: Some(CELL),
            levels: Some(1),
            width: Some(0.1),
            ..OctreeSettings::default()
        }),
        ..BodyEntry::default()
    };
    let hung = PinEntry {
        body: "liver".into(),
        members: Selection::Box { min: Vec3::new(-0.30, 0.46, -1.0), max: Vec3::new(0.14, 1.0, 1.0) },
        motion: Motion::default(),
    };
    // The edge goes through from front to back.
    let at = |x: f64, y: f64| [[x, y, -0.5], [x, y, 0.5]];
    SceneFile {
        frames: Some(420),
        body: vec![liver],
        pin: vec![hung],
        knife: vec![
            // Into the large lobe from its side: what is below hangs down.
            knife(&[(0.5, at(-0.75, 0.98)), (1.7, at(-0.08, 1.04))]),
            // A slit from below.
            knife(&[(2.3, at(0.06, 0.7)), (3.2, at(0.03, 1.1))]),
            // The end of the small lobe comes off.
            knife(&[(4.0, at(0.30, 0.8)), (5.0, at(0.22, 1.4))]),
        ],
        ..on_a_floor(entry, camera([0.5, 1.15, 3.0], [0.0, 0.78, 0.0]))
    }
}
