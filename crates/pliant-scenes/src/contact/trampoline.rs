//! A hard ball on a trampoline of jelly.

use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{LatticeSettings, Material, Selection, Shape};
use pliant_io::scene::{
    BodyEntry, ColliderEntry, Motion, PinEntry, RigidEntry, Rotation, SceneFile, ShapeEntry,
};

/// Half of the sheet's edge, and how high it is.
const HALF: f32 = 0.8;
const HEIGHT: f64 = 0.8;

pub(crate) fn ball(entry: &SceneEntry) -> SceneFile {
    let sheet = BodyEntry {
        name: "sheet".into(),
        shape: Some(ShapeEntry::Box { size: Vec3::new(2.0 * HALF, 0.08, 2.0 * HALF), cells: [20, 1, 20] }),
        position: DVec3::Y * HEIGHT,
        material: Material::default().with_density(300.0).with_alpha(0.8).with_damping(0.03),
        lattice: Some(LatticeSettings { cell: Some(0.08), width: Some(0.08) }),
        ..BodyEntry::default()
    };
    let rim = |min: Vec3, max: Vec3| PinEntry {
        body: "sheet".into(),
        members: Selection::Box { min, max },
        motion: Motion::default(),
    };
    let (wide, inner) = (Vec3::ONE, HALF - 0.07);
    let bar = |x: f64, z: f64, axis: Vec3| ColliderEntry {
        position: DVec3::new(x, HEIGHT, z),
        rotation: Some(Rotation::new(axis, std::f32::consts::FRAC_PI_2)),
        ..ColliderEntry::new(Shape::Capsule { radius: 0.05, half_height: HALF + 0.06 })
    };
    let out = f64::from(HALF) + 0.06;
    let leg = |x: f64, z: f64| ColliderEntry {
        position: DVec3::new(x * out, HEIGHT / 2.0, z * out),
        ..ColliderEntry::new(Shape::Cylinder { radius: 0.05, half_height: HEIGHT as f32 / 2.0 })
    };
    let mut scene = SceneFile {
        frames: Some(360),
        body: vec![sheet],
        pin: vec![
            rim(-wide, Vec3::new(-inner, 1.0, 1.0)),
            rim(Vec3::new(inner, -1.0, -1.0), wide),
            rim(-wide, Vec3::new(1.0, 1.0, -inner)),
            rim(Vec3::new(-1.0, -1.0, inner), wide),
        ],
        rigid: vec![RigidEntry {
            shape: Shape::Sphere { radius: 0.18 },
            position: DVec3::new(0.05, 2.0, 0.0),
            rotation: None,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            density: 200.0,
            friction: 0.5,
            restitution: 0.0,
            attach: None,
        }],
        ..on_a_floor(entry, camera([1.7, 2.0, 3.8], [0.0, 0.95, 0.0]))
    };
    scene.collider.extend([bar(-out, 0.0, Vec3::X), bar(out, 0.0, Vec3::X)]);
    scene.collider.extend([bar(0.0, -out, Vec3::Z), bar(0.0, out, Vec3::Z)]);
    scene.collider.extend([leg(-1.0, -1.0), leg(1.0, -1.0), leg(-1.0, 1.0), leg(1.0, 1.0)]);
    scene
}
