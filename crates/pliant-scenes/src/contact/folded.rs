//! A bar that is folded over on itself.

use super::path;
use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{ContactSettings, LatticeSettings, Material, PickSettings, Selection, Shape};
use pliant_io::scene::{BodyEntry, ColliderEntry, Motion, PickEntry, PinEntry, SceneFile, ShapeEntry};

/// Length and thickness of the bar in metres.
const LONG: f32 = 1.8;
const THICK: f32 = 0.2;

pub(crate) fn bar(entry: &SceneEntry) -> SceneFile {
    let bar = BodyEntry {
        name: "bar".into(),
        shape: Some(ShapeEntry::Box { size: Vec3::new(LONG, THICK, 0.4), cells: [18, 2, 4] }),
        position: DVec3::Y * f64::from(THICK) / 2.0,
        material: Material::default().with_alpha(0.4).with_damping(0.8).with_friction(0.6),
        lattice: Some(LatticeSettings { cell: Some(0.05), width: Some(0.05) }),
        contacts: ContactSettings { itself: true, ..ContactSettings::default() },
        ..BodyEntry::default()
    };
    let (half, up) = (LONG / 2.0, LONG * 0.62);
    let pick = PickEntry {
        body: "bar".into(),
        at: Some(Vec3::new(half, THICK / 2.0, 0.0)),
        locked: true,
        spring: PickSettings { frequency_hz: 6.0, radius: Some(0.22), ..PickSettings::default() },
        // Up, over and down on its other end.
        motion: path(&[
            (0.3, [0.0, 0.0, 0.0]),
            (1.1, [-0.4 * LONG, 0.7 * up, 0.0]),
            (1.9, [-0.8 * LONG, 0.6 * up, 0.0]),
            (2.7, [-0.95 * LONG, 0.1, 0.0]),
        ]),
        ..PickEntry::default()
    };
    // Then a plate presses the fold together, and lets go.
    let plate = ColliderEntry {
        position: DVec3::new(-0.42, 1.6, 0.0),
        motion: path(&[
            (3.0, [0.0; 3]),
            (4.2, [0.0, -1.2, 0.0]),
            (5.0, [0.0, -1.2, 0.0]),
            (5.6, [0.0, -0.6, 0.0]),
        ]),
        ..ColliderEntry::new(Shape::Box { half: Vec3::new(0.45, 0.04, 0.35) })
    };
    let mut scene = SceneFile {
        frames: Some(400),
        body: vec![bar],
        pick: vec![pick],
        pin: vec![PinEntry {
            body: "bar".into(),
            members: Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(0.1 - half, 9.0, 9.0) },
            motion: Motion::default(),
        }],
        ..on_a_floor(entry, camera([0.3, 1.2, 3.8], [-0.25, 0.55, 0.0]))
    };
    scene.collider.push(plate);
    scene
}
