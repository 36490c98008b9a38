//! A stretched beam that is cut: its halves spring back.

use crate::SceneEntry;
use crate::clusters::{camera, in_the_air};
use pliant::glam::{DVec3, Vec3};
use pliant::{ElementSettings, Material, Selection};
use pliant_io::scene::{BodyEntry, CutEntry, Key, Motion, PinEntry, SceneFile, ShapeEntry};

/// Metres.
const LENGTH: f32 = 1.44;
const THICK: f32 = 0.24;
const CELL: f32 = 0.048;
/// How far each end is pulled outward in metres: the beam is a third longer then.
const PULLED: f32 = 0.23;

pub(crate) fn cut(entry: &SceneEntry) -> SceneFile {
    let beam = BodyEntry {
        name: "beam".into(),
        shape: Some(ShapeEntry::Box { size: Vec3::new(LENGTH, THICK, THICK), cells: [30, 5, 5] }),
        position: DVec3::Y,
        material: Material::default().with_young_modulus(6e4, 0.35).with_damping(0.08),
        elements: Some(ElementSettings { cell: Some(CELL), ..ElementSettings::default() }),
        ..BodyEntry::default()
    };
    let end = |side: f32| {
        let inner = side * (0.5 * LENGTH - 1.5 * CELL);
        let [low, high] = if side > 0.0 { [inner, LENGTH] } else { [-LENGTH, inner] };
        PinEntry {
            body: "beam".into(),
            members: Selection::Box { min: Vec3::new(low, -1.0, -1.0), max: Vec3::new(high, 1.0, 1.0) },
            motion: Motion {
                path: vec![
                    Key { time_secs: 0.2, by: Vec3::ZERO },
                    Key { time_secs: 1.2, by: Vec3::X * side * PULLED },
                ],
                ..Motion::default()
            },
        }
    };
    // Two thirds through from above, which gapes; then all the way.
    let slit = |at_secs: f64, lowest: f64| CutEntry {
        at_secs,
        polygon: Some(vec![
            DVec3::new(0.01, 2.0, -1.0),
            DVec3::new(0.01, 2.0, 1.0),
            DVec3::new(0.01, lowest, 1.0),
            DVec3::new(0.01, lowest, -1.0),
        ]),
        ..CutEntry::default()
    };
    SceneFile {
        frames: Some(280),
        body: vec![beam],
        pin: vec![end(-1.0), end(1.0)],
        cut: vec![slit(1.5, 0.91), slit(2.7, 0.0)],
        ..in_the_air(entry, camera([0.6, 1.3, 2.9], [0.0, 0.86, 0.0]))
    }
}
