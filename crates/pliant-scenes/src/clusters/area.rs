//! A ball smashed against a wall, with and without limits to its area: \[HW08\] Figure 2.

use super::{camera, in_the_air};
use crate::SceneEntry;
use pliant::glam::{DVec3, Vec3};
use pliant::{AreaCap, CapMethod, ClusterSettings, Material, Shape, WorldSettings};
use pliant_io::scene::{BodyEntry, ColliderEntry, SceneFile, ShapeEntry};

pub(crate) fn no_cap(entry: &SceneEntry) -> SceneFile {
    smashed(entry, vec![("no cap", None)])
}

pub(crate) fn hard_caps(entry: &SceneEntry) -> SceneFile {
    smashed(entry, three(None, None))
}

pub(crate) fn soft_caps(entry: &SceneEntry) -> SceneFile {
    smashed(entry, three(Some(1.2), Some(3.3)))
}

/// The three ways to cap; a soft one resists from `rows`, `whole` on.
fn three(rows: Option<f32>, whole: Option<f32>) -> Vec<(&'static str, Option<AreaCap>)> {
    let cap = |method, limit, soft_from| Some(AreaCap { method, limit, soft_from });
    vec![
        ("rows", cap(CapMethod::Rows, 1.7, rows)),
        ("blend", cap(CapMethod::Blend, 4.2, whole)),
        ("cheap", cap(CapMethod::Cheap, 4.2, whole)),
    ]
}

fn smashed(entry: &SceneEntry, caps: Vec<(&str, Option<AreaCap>)>) -> SceneFile {
    let ball = |(i, (name, area_cap)): (usize, (&str, Option<AreaCap>))| BodyEntry {
        name: name.into(),
        shape: Some(ShapeEntry::Sphere { radius: 0.4, subdivisions: 3 }),
        position: DVec3::new(1.2, 0.9 + SPACING * i as f64, 0.0),
        velocity: Vec3::new(-35.0, 0.0, 0.0),
        material: Material::default().with_alpha(0.25).with_beta(0.95).with_damping(0.02),
        clusters: Some(ClusterSettings { area_cap, ..ClusterSettings::default() }),
        ..BodyEntry::default()
    };
    let body: Vec<BodyEntry> = caps.into_iter().enumerate().map(ball).collect();
    // Balls above each other, seen from the side: that is where one sees how flat they get.
    let middle = 0.9 + 0.5 * SPACING * (body.len() as f64 - 1.0);
    let half = 0.5 * SPACING * body.len() as f64 + 0.3;
    let wall = ColliderEntry {
        position: DVec3::new(-0.6, middle, 0.0),
        ..ColliderEntry::new(Shape::Box { half: Vec3::new(0.1, half as f32, 1.2) })
    };
    SceneFile {
        // A hit lasts a few frames: shown in slow motion, without gravity.
        dt_secs: Some(1.0 / 240.0),
        frames: Some(240),
        world: WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() },
        collider: vec![wall],
        body,
        ..in_the_air(entry, camera([2.6, middle + 0.5, 2.6 + 2.2 * half], [0.1, middle, 0.0]))
    }
}

/// Metres from ball to ball: even a pancake does not hide the next.
const SPACING: f64 = 1.6;
