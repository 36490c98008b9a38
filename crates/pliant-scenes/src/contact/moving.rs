//! What moving things squeeze and carry.

use super::path;
use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{LatticeSettings, Material, Shape};
use pliant_io::scene::{BodyEntry, ColliderEntry, Motion, SceneFile, ShapeEntry};

pub(crate) fn ball_between_plates(entry: &SceneEntry) -> SceneFile {
    let ball = BodyEntry {
        name: "ball".into(),
        shape: Some(ShapeEntry::Sphere { radius: 0.4, subdivisions: 3 }),
        position: DVec3::Y * 1.0,
        material: Material::default().with_alpha(0.4).with_damping(0.6),
        lattice: Some(LatticeSettings { cell: Some(0.08), width: Some(0.16) }),
        ..BodyEntry::default()
    };
    let plate = |y: f64, by: f32| ColliderEntry {
        position: DVec3::Y * y,
        motion: Motion {
            repeat: true,
            ..path(&[
                (0.0, [0.0; 3]),
                (0.5, [0.0; 3]),
                (1.7, [0.0, by, 0.0]),
                (2.3, [0.0, by, 0.0]),
                (3.0, [0.0; 3]),
            ])
        },
        ..ColliderEntry::new(Shape::Box { half: Vec3::new(0.65, 0.05, 0.65) })
    };
    let mut scene = SceneFile {
        frames: Some(360),
        body: vec![ball],
        ..on_a_floor(entry, camera([1.3, 1.6, 3.6], [0.0, 0.9, 0.0]))
    };
    scene.collider.extend([plate(0.55, 0.14), plate(1.6, -0.45)]);
    scene
}

pub(crate) fn jelly_on_platform(entry: &SceneEntry) -> SceneFile {
    let material = Material::default().with_alpha(0.14).with_damping(0.25).with_friction(0.8);
    let jelly = |name: &str, x: f64, y: f64, shape: ShapeEntry| BodyEntry {
        name: name.into(),
        shape: Some(shape),
        position: DVec3::new(x, y, 0.0),
        material,
        lattice: Some(LatticeSettings { cell: Some(0.075), width: Some(0.15) }),
        ..BodyEntry::default()
    };
    let cylinder = |radius, height| ShapeEntry::Cylinder { radius, height, around: 32, along: 6 };
    let platform = ColliderEntry {
        position: DVec3::Y * 0.5,
        friction: 1.2,
        motion: Motion {
            repeat: true,
            ..path(&[
                (0.0, [0.0; 3]),
                (1.0, [0.0; 3]),
                (2.2, [0.7, 0.0, 0.0]),
                (3.0, [0.7, 0.4, 0.0]),
                (4.4, [-0.7, 0.4, 0.0]),
                (5.2, [-0.7, 0.0, 0.0]),
                (6.4, [0.0; 3]),
            ])
        },
        ..ColliderEntry::new(Shape::Box { half: Vec3::new(0.75, 0.06, 0.45) })
    };
    let mut scene = SceneFile {
        frames: Some(400),
        body: vec![
            jelly(
                "cube",
                -0.35,
                0.82,
                ShapeEntry::Box { size: Vec3::new(0.45, 0.5, 0.45), cells: [6, 6, 6] },
            ),
            jelly("pudding", 0.35, 0.78, cylinder(0.25, 0.42)),
        ],
        ..on_a_floor(entry, camera([0.5, 1.7, 4.0], [0.0, 0.75, 0.0]))
    };
    scene.collider.push(platform);
    scene
}
