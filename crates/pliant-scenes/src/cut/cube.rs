//! Cubes cut by bent blades and by many of them: \[PGCS06\] Figures 9 and 10.

use super::knife;
use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{Material, OctreeSettings, PickSettings, Selection};
use pliant_io::scene::{
    BodyEntry, CutEntry, CylinderEntry, Key, Motion, PickEntry, PinEntry, SceneFile, ShapeEntry,
};

fn cube(at: DVec3) -> BodyEntry {
    BodyEntry {
        name: "cube".into(),
        shape: Some(ShapeEntry::Box { size: Vec3::ONE, cells: [10, 10, 10] }),
        position: at,
        material: Material::default().with_alpha(0.6).with_damping(0.6),
        octree: Some(OctreeSettings {
            cell: Some(0.05),
            levels: Some(2),
            width: Some(0.25),
            ..OctreeSettings::default()
        }),
        cut_color: Some(vec![0.75, 0.35, 0.1]),
        ..BodyEntry::default()
    }
}

/// A core is cut out, lifted over the rim, and set down beside.
pub(crate) fn cylinder_out(entry: &SceneEntry) -> SceneFile {
    let cut = CutEntry {
        at_secs: 0.5,
        cylinder: Some(CylinderEntry { center: DVec3::Y * 0.5, axis: Vec3::Y, radius: 0.3, length: 1.6 }),
        ..CutEntry::default()
    };
    let key = |time_secs, x, y| Key { time_secs, by: Vec3::new(x, y, 0.0) };
    let lift = PickEntry {
        body: "cube".into(),
        at: Some(Vec3::new(0.0, 0.5, 0.0)),
        spring: PickSettings { frequency_hz: 5.0, radius: Some(0.22), ..PickSettings::default() },
        motion: Motion {
            path: vec![key(1.0, 0.0, 0.0), key(3.0, 0.0, 1.3), key(5.4, 1.2, 1.3), key(7.2, 1.2, 0.0)],
            release_secs: Some(7.4),
            ..Motion::default()
        },
        ..PickEntry::default()
    };
    SceneFile {
        frames: Some(480),
        body: vec![cube(DVec3::Y * 0.5)],
        pick: vec![lift],
        cut: vec![cut],
        ..on_a_floor(entry, camera([2.4, 3.2, 4.6], [0.5, 0.85, 0.0]))
    }
}

/// Slits from above that cross, some by blades and some by knives; the posts between them are pulled apart.
pub(crate) fn crossing(entry: &SceneEntry) -> SceneFile {
    let soft = cube(DVec3::Y * 0.5);
    let soft = BodyEntry {
        material: soft.material.with_alpha(0.4),
        octree: soft.octree.map(|octree| OctreeSettings { width: Some(0.15), ..octree }),
        ..soft
    };
    let foot = PinEntry {
        body: "cube".into(),
        members: Selection::Box { min: Vec3::splat(-1.0), max: Vec3::new(1.0, -0.4, 1.0) },
        motion: Motion::default(),
    };
    let slit = |at_secs, [ax, az]: [f64; 2], [bx, bz]: [f64; 2], depth: f64| CutEntry {
        at_secs,
        polygon: Some(vec![
            DVec3::new(ax, 1.2, az),
            DVec3::new(bx, 1.2, bz),
            DVec3::new(bx, depth, bz),
            DVec3::new(ax, depth, az),
        ]),
        ..CutEntry::default()
    };
    let key =
        |time_secs, x: f32, z: f32, by: f32| Key { time_secs, by: Vec3::new(x * by, -0.3 * by, z * by) };
    let pull = |x: f32, z: f32| PickEntry {
        body: "cube".into(),
        at: Some(Vec3::new(0.5 * x, 0.5, 0.5 * z)),
        spring: PickSettings { frequency_hz: 5.0, radius: Some(0.16), ..PickSettings::default() },
        motion: Motion {
            path: vec![key(3.2, x, z, 0.0), key(4.4, x, z, 0.28), key(5.2, x, z, 0.28), key(6.2, x, z, 0.0)],
            release_secs: Some(6.4),
            ..Motion::default()
        },
        ..PickEntry::default()
    };
    SceneFile {
        frames: Some(420),
        body: vec![soft],
        pin: vec![foot],
        pick: vec![pull(-1.0, -1.0), pull(-1.0, 1.0), pull(1.0, -1.0), pull(1.0, 1.0)],
        knife: vec![
            knife(&[
                (0.3, [[-0.02, 1.2, -0.8], [-0.02, 1.2, 0.8]]),
                (1.2, [[0.02, 0.3, -0.8], [0.02, 0.3, 0.8]]),
            ]),
            knife(&[
                (1.0, [[-0.8, 1.2, 0.02], [0.8, 1.2, 0.02]]),
                (1.9, [[-0.8, 0.3, -0.02], [0.8, 0.3, -0.02]]),
            ]),
        ],
        cut: vec![
            slit(2.0, [-0.27, -0.8], [-0.24, 0.8], 0.35),
            slit(2.2, [0.27, -0.8], [0.24, 0.8], 0.35),
            slit(2.4, [-0.8, 0.27], [0.8, 0.24], 0.35),
            slit(2.6, [-0.8, -0.27], [0.8, -0.24], 0.35),
            slit(2.8, [-0.8, -0.8], [0.8, 0.8], 0.5),
            slit(3.0, [-0.8, 0.8], [0.8, -0.8], 0.5),
        ],
        ..on_a_floor(entry, camera([1.7, 2.6, 3.4], [0.0, 0.5, 0.0]))
    }
}
