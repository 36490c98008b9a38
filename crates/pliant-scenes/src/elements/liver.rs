//! A liver that is pressed and let go.

use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{ElementSettings, Material, Selection, Shape};
use pliant_io::scene::{BodyEntry, ColliderEntry, Key, Motion, PinEntry, SceneFile};

/// Edge of the cells in metres.
const CELL: f32 = 0.05;

pub(crate) fn pressed(entry: &SceneEntry) -> SceneFile {
    let liver = BodyEntry {
        name: "liver".into(),
        figure: Some("liver".into()),
        position: DVec3::Y * 0.75,
        material: Material::default().with_young_modulus(2e4, 0.4).with_damping(0.3),
        elements: Some(ElementSettings { cell: Some(CELL), ..ElementSettings::default() }),
        ..BodyEntry::default()
    };
    let back = PinEntry {
        body: "liver".into(),
        members: Selection::Box { min: Vec3::NEG_ONE, max: Vec3::new(1.0, 1.0, -0.06) },
        motion: Motion::default(),
    };
    // A round tip comes from the front, twice, and goes away faster than it came.
    let key = |(time_secs, z): (f64, f32)| Key { time_secs, by: Vec3::Z * z };
    let path = [
        (0.3, 0.0),
        (1.2, -0.34),
        (1.7, -0.34),
        (1.8, 0.0),
        (2.8, 0.0),
        (3.6, -0.38),
        (4.0, -0.38),
        (4.1, 0.0),
    ];
    let tip = ColliderEntry {
        position: DVec3::new(-0.2, 1.0, 0.5),
        motion: Motion { path: path.map(key).into(), ..Motion::default() },
        ..ColliderEntry::new(Shape::Sphere { radius: 0.13 })
    };
    let mut scene = SceneFile {
        frames: Some(330),
        body: vec![liver],
        pin: vec![back],
        ..on_a_floor(entry, camera([-1.9, 1.45, 1.25], [0.0, 1.02, 0.05]))
    };
    scene.collider.push(tip);
    scene
}
