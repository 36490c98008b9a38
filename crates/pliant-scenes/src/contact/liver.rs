//! A liver cut in two, the upper half of which slides off the lower one.

use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{Material, OctreeSettings, Shape};
use pliant_io::scene::{BodyEntry, ColliderEntry, CutEntry, PlaneEntry, Rotation, SceneFile};

/// How steep the board is, in radians.
const SLOPE: f32 = 0.25;

pub(crate) fn halves(entry: &SceneEntry) -> SceneFile {
    let turned = Rotation::new(Vec3::Z, SLOPE);
    let liver = BodyEntry {
        name: "liver".into(),
        figure: Some("liver".into()),
        position: DVec3::new(0.2, 0.35, 0.0),
        rotation: Some(turned),
        material: Material::default().with_alpha(0.5).with_damping(0.8).with_friction(0.15),
        octree: Some(OctreeSettings {
            cell: Some(0.035),
            levels: Some(1),
            width: Some(0.12),
            ..OctreeSettings::default()
        }),
        ..BodyEntry::default()
    };
    // Rough enough for what lies on it, so that only what lies on wet flesh slides.
    let board = ColliderEntry {
        position: DVec3::new(0.0, 0.25, 0.0),
        rotation: Some(turned),
        friction: 3.0,
        ..ColliderEntry::new(Shape::Box { half: Vec3::new(0.9, 0.04, 0.6) })
    };
    let plane = PlaneEntry { point: DVec3::new(0.2, 0.68, 0.0), normal: Vec3::new(-0.5, 1.0, -0.1) };
    let mut scene = SceneFile {
        frames: Some(360),
        body: vec![liver],
        cut: vec![CutEntry { at_secs: 1.0, plane: Some(plane), ..CutEntry::default() }],
        ..on_a_floor(entry, camera([-1.7, 2.0, -3.0], [-0.2, 0.25, -0.15]))
    };
    scene.collider.push(board);
    scene
}
