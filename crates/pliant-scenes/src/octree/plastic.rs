//! A block that keeps its dents: \[SOG08\] Figure 5.

use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{Material, OctreeSettings, Plasticity, Rule, Shape};
use pliant_io::scene::{BodyEntry, ColliderEntry, Rotation, SceneFile, ShapeEntry};

/// Edge of the finest cells in metres.
const CELL: f32 = 0.05;

pub(crate) fn block(entry: &SceneEntry) -> SceneFile {
    let block = BodyEntry {
        name: "block".into(),
        shape: Some(ShapeEntry::Box { size: Vec3::new(1.6, 0.4, 0.8), cells: [32, 8, 16] }),
        position: DVec3::new(0.0, 1.4, -0.9),
        velocity: Vec3::new(0.0, -6.0, 2.5),
        material: Material::default().with_alpha(1.0).with_damping(0.5).with_plasticity(Plasticity {
            yield_strain: 0.04,
            creep_per_sec: 25.0,
            max_strain: 0.8,
        }),
        octree: Some(OctreeSettings {
            cell: Some(CELL),
            levels: Some(2),
            width: Some(0.1),
            ..OctreeSettings::default()
        }),
        refine: vec![Rule::Surface { size: 2.0 * CELL }, Rule::Strain { from: 0.4, size: CELL }],
        ..BodyEntry::default()
    };
    let ball = ColliderEntry {
        position: DVec3::new(-0.45, 0.3, -0.6),
        friction: 0.1,
        ..ColliderEntry::new(Shape::Sphere { radius: 0.25 })
    };
    let edge = ColliderEntry {
        position: DVec3::new(0.45, 0.15, -0.6),
        friction: 0.1,
        rotation: Some(Rotation::new(Vec3::Z, std::f32::consts::FRAC_PI_4)),
        ..ColliderEntry::new(Shape::Box { half: Vec3::new(0.22, 0.22, 0.5) })
    };
    let mut scene =
        SceneFile { body: vec![block], ..on_a_floor(entry, camera([1.2, 1.6, 3.6], [0.0, 0.55, 0.0])) };
    scene.collider.extend([ball, edge]);
    scene
}
