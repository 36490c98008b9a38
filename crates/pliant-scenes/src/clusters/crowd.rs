//! Dozens of small objects dropped at once: \[HW08\] Figure 11.

use super::{camera, jelly, on_a_floor};
use crate::SceneEntry;
use pliant::ParticleSettings;
use pliant::glam::{DVec3, Vec3};
use pliant_io::scene::{BodyEntry, Copies, SceneFile, ShapeEntry};

pub(crate) fn small_objects(entry: &SceneEntry) -> SceneFile {
    let few = ParticleSettings { max_surface: 160, ..ParticleSettings::default() };
    // The layers are set off against each other: until bodies touch each other they must not land on the same spot.
    let layer = |name: &str, height: f64, x: f64, z: f64| BodyEntry {
        name: name.into(),
        position: DVec3::new(-1.8 + x, height, -1.8 + z),
        material: jelly(),
        particles: Some(few),
        copies: Some(Copies { counts: [6, 1, 6], spacing: Vec3::splat(0.7), tumble: true }),
        ..BodyEntry::default()
    };
    let shape = |name, height, x, z, shape| BodyEntry { shape: Some(shape), ..layer(name, height, x, z) };
    SceneFile {
        body: vec![
            shape("cube", 0.8, 0.0, 0.0, ShapeEntry::Box { size: Vec3::splat(0.28), cells: [4, 4, 4] }),
            shape("ball", 1.5, 0.35, 0.0, ShapeEntry::Sphere { radius: 0.17, subdivisions: 2 }),
            BodyEntry { figure: Some("bear".into()), scale: Some(0.35), ..layer("bear", 2.2, 0.0, 0.35) },
            shape(
                "ring",
                3.0,
                0.35,
                0.35,
                ShapeEntry::Torus { major: 0.15, minor: 0.06, around: 24, across: 10 },
            ),
        ],
        ..on_a_floor(entry, camera([3.4, 3.6, 6.8], [0.1, 0.35, 0.1]))
    }
}
