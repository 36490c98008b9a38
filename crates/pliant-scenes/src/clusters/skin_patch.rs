//! A patch of skin under a pick, with 1, 2×2 and 5×5 clusters: \[HW08\] Figures 8 and 9.

use super::{UP, camera, in_the_air};
use crate::SceneEntry;
use pliant::glam::{DVec3, Vec3};
use pliant::{Clustering, Material, ParticleSettings, PickSettings, Selection, WorldSettings};
use pliant_io::scene::{BodyEntry, Key, Motion, PickEntry, PinEntry, SceneFile, ShapeEntry};

pub(crate) fn one(entry: &SceneEntry) -> SceneFile {
    patch(entry, 1)
}

pub(crate) fn two_by_two(entry: &SceneEntry) -> SceneFile {
    patch(entry, 2)
}

pub(crate) fn five_by_five(entry: &SceneEntry) -> SceneFile {
    patch(entry, 5)
}

fn patch(entry: &SceneEntry, clusters: u32) -> SceneFile {
    let skin = BodyEntry {
        name: "skin".into(),
        shape: Some(ShapeEntry::Box { size: Vec3::new(1.6, 0.08, 1.6), cells: [24, 1, 24] }),
        position: DVec3::Y * 0.5,
        // The paper's α and β.
        material: Material::default().with_alpha(1.0).with_beta(0.6).with_damping(0.1),
        clustering: Some(Clustering::Grid { cells: [clusters, 1, clusters], overlap: 0.5 }),
        particles: Some(ParticleSettings { interior: false, ..ParticleSettings::default() }),
        ..BodyEntry::default()
    };
    let key = |time_secs, by| Key { time_secs, by };
    let pick = PickEntry {
        body: "skin".into(),
        at: Some(Vec3::new(0.15, 0.04, 0.15)),
        locked: true,
        spring: PickSettings { frequency_hz: 6.0, radius: Some(0.15), ..PickSettings::default() },
        motion: Motion {
            path: vec![key(0.3, Vec3::ZERO), key(1.5, UP * 0.45), key(3.0, UP * 0.45), key(3.3, Vec3::ZERO)],
            ..Motion::default()
        },
        ..PickEntry::default()
    };
    // The rest of the skin holds the patch along two of its edges.
    let edge = |x: f32| PinEntry {
        body: "skin".into(),
        members: Selection::Box { min: Vec3::new(x - 0.03, -1.0, -1.0), max: Vec3::new(x + 0.03, 1.0, 1.0) },
        motion: Motion::default(),
    };
    SceneFile {
        world: WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() },
        body: vec![skin],
        pick: vec![pick],
        pin: vec![edge(-0.8), edge(0.8)],
        ..in_the_air(entry, camera([1.4, 1.9, 2.6], [0.0, 0.55, 0.0]))
    }
}
