//! Jelly cubes and spheres, rigid, linear and quadratic: \[HW08\] §6.1.

use super::{camera, jelly, on_a_floor, side_by_side};
use crate::SceneEntry;
use pliant::ClusterSettings;
use pliant::glam::{DVec3, Vec3};
use pliant_io::scene::{BodyEntry, Rotation, SceneFile, ShapeEntry};

pub(crate) fn cubes(entry: &SceneEntry) -> SceneFile {
    three(entry, ShapeEntry::Box { size: Vec3::ONE, cells: [7, 7, 7] })
}

pub(crate) fn spheres(entry: &SceneEntry) -> SceneFile {
    three(entry, ShapeEntry::Sphere { radius: 0.55, subdivisions: 3 })
}

fn three(entry: &SceneEntry, shape: ShapeEntry) -> SceneFile {
    let body = |matching, place: DVec3| BodyEntry {
        shape: Some(shape),
        position: place + DVec3::Y * 2.0,
        // On a corner's edge, so that it must bend, and rolls on.
        rotation: Some(Rotation::new(Vec3::new(0.3, 0.1, 1.0), 0.6)),
        spin: Vec3::new(0.0, 0.0, -2.0),
        material: jelly(),
        clusters: Some(ClusterSettings { matching, ..ClusterSettings::default() }),
        ..BodyEntry::default()
    };
    let body = side_by_side(1.9, body);
    SceneFile { body, ..on_a_floor(entry, camera([1.6, 2.4, 7.2], [0.1, 0.75, 0.0])) }
}
