//! A ball with a mouth: a cut that ends inside, which \[HW08\] could not have.

use super::knife;
use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{Material, OctreeSettings, PickSettings, Selection};
use pliant_io::scene::{BodyEntry, Key, Motion, PickEntry, PinEntry, SceneFile, ShapeEntry};

pub(crate) fn talking(entry: &SceneEntry) -> SceneFile {
    let ball = BodyEntry {
        name: "ball".into(),
        shape: Some(ShapeEntry::Sphere { radius: 0.5, subdivisions: 4 }),
        position: DVec3::Y * 0.5,
        material: Material::default().with_alpha(0.9).with_damping(0.6),
        octree: Some(OctreeSettings {
            cell: Some(0.045),
            levels: Some(1),
            width: Some(0.12),
            ..OctreeSettings::default()
        }),
        ..BodyEntry::default()
    };
    let foot = PinEntry {
        body: "ball".into(),
        members: Selection::Box { min: Vec3::splat(-1.0), max: Vec3::new(1.0, -0.16, 1.0) },
        motion: Motion::default(),
    };
    let key = |time_secs, open: f32| Key { time_secs, by: Vec3::new(0.0, 0.34, -0.22) * open };
    let words = [
        (1.8, 0.0),
        (2.3, 1.0),
        (2.7, 0.25),
        (3.0, 0.8),
        (3.4, 0.12),
        (3.8, 0.12),
        (4.1, 0.6),
        (4.4, 0.2),
        (4.8, 1.2),
        (5.3, 0.12),
        (5.6, 0.12),
        (5.9, 0.7),
        (6.2, 0.2),
        (6.6, 0.9),
        (7.2, 0.12),
    ];
    let lip = PickEntry {
        body: "ball".into(),
        at: Some(Vec3::new(0.0, 0.3, 0.4)),
        spring: PickSettings { frequency_hz: 6.0, radius: Some(0.25), ..PickSettings::default() },
        motion: Motion { path: words.map(|(time, open)| key(time, open)).into(), ..Motion::default() },
        ..PickEntry::default()
    };
    // From the front, and not quite through.
    let at = |z: f64| [[-0.7, 0.52, z], [0.7, 0.52, z]];
    SceneFile {
        frames: Some(450),
        body: vec![ball],
        pin: vec![foot],
        pick: vec![lip],
        knife: vec![knife(&[(0.3, at(0.8)), (1.5, at(-0.38))])],
        ..on_a_floor(entry, camera([1.5, 1.0, 2.9], [0.0, 0.52, 0.0]))
    }
}
