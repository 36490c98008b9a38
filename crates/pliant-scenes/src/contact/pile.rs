//! A heap of jelly cubes and balls.

use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{LatticeSettings, Material};
use pliant_io::scene::{BodyEntry, Copies, SceneFile, ShapeEntry};

/// Edge of a cube and diameter of a ball, in metres.
const SIZE: f32 = 0.2;

pub(crate) fn cubes_and_balls(entry: &SceneEntry) -> SceneFile {
    // Rows of cubes between rows of balls.
    let rows = |name: &str, z: f64, shape: ShapeEntry| BodyEntry {
        name: name.into(),
        shape: Some(shape),
        position: DVec3::new(-0.64, 0.3, z),
        material: Material::default().with_alpha(0.5).with_damping(1.0).with_friction(0.4),
        lattice: Some(LatticeSettings { cell: Some(SIZE / 4.0), width: Some(SIZE / 2.0) }),
        copies: Some(Copies { counts: [5, 5, 2], spacing: Vec3::new(0.32, 0.36, 0.6), tumble: true }),
        ..BodyEntry::default()
    };
    SceneFile {
        frames: Some(360),
        body: vec![
            rows("cube", -0.45, ShapeEntry::Box { size: Vec3::splat(SIZE), cells: [4, 4, 4] }),
            rows("ball", -0.15, ShapeEntry::Sphere { radius: SIZE / 2.0, subdivisions: 2 }),
        ],
        ..on_a_floor(entry, camera([2.0, 2.2, 4.4], [0.0, 0.45, 0.0]))
    }
}
