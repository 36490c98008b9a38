//! Stars of four materials, from soft to stiff, that are held in their middle and shaken: \[DDCB01\] Figure 8.

use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{ElementSettings, Material, Selection};
use pliant_io::scene::{BodyEntry, Key, Motion, PinEntry, SceneFile};

/// Pa of the softest; each next one is four times as stiff.
const SOFTEST: f32 = 1e4;
const COUNT: u8 = 4;
/// Metres between them.
const APART: f64 = 0.85;

pub(crate) fn soft_to_stiff(entry: &SceneEntry) -> SceneFile {
    let moduli = (0..COUNT).map(|i| (i, SOFTEST * f32::from(1_u8 << (2 * i))));
    let name = |modulus: f32| format!("{} kPa", 1e-3 * modulus);
    let middle = |i: u8| APART * (f64::from(i) - 0.5 * f64::from(COUNT - 1));
    let star = |(i, modulus): (u8, f32)| BodyEntry {
        name: name(modulus),
        figure: Some("star".into()),
        scale: Some(0.6),
        position: DVec3::new(middle(i), 0.55, 0.0),
        material: Material::default().with_young_modulus(modulus, 0.35).with_damping(0.2),
        elements: Some(ElementSettings { cell: Some(0.045), ..ElementSettings::default() }),
        ..BodyEntry::default()
    };
    let held = |(_, modulus): (u8, f32)| PinEntry {
        body: name(modulus),
        members: Selection::Sphere { center: Vec3::ZERO, radius: 0.11 },
        motion: Motion {
            path: [(0.5, 0.0), (0.75, 0.25), (1.0, 0.0), (1.25, 0.25), (1.5, 0.0)]
                .map(|(time_secs, y)| Key { time_secs, by: Vec3::Y * y })
                .into(),
            ..Motion::default()
        },
    };
    SceneFile {
        frames: Some(240),
        body: moduli.clone().map(star).collect(),
        pin: moduli.map(held).collect(),
        ..on_a_floor(entry, camera([0.0, 2.0, 3.7], [0.0, 0.5, 0.0]))
    }
}
