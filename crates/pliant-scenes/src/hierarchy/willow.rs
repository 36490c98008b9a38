//! A willow in three winds: the opening figure of \[TYGP15\].

use super::stands;
use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{HierarchySettings, Material, Shape, Wind, WorldSettings};
use pliant_io::scene::{BodyEntry, ColliderEntry, SceneFile};

/// Edge of the finest cells in metres: the thinnest branches are two of them thick. There are 9,400 finest clusters.
const CELL: f32 = 0.0195;
/// It stands in a pot of this height in metres, so that its branches hang clear of the floor: in a storm, the longest brush it.
const POT: f32 = 0.2;

pub(crate) fn light(entry: &SceneEntry) -> SceneFile {
    in_wind(entry, 3.0)
}

pub(crate) fn medium(entry: &SceneEntry) -> SceneFile {
    in_wind(entry, 7.0)
}

pub(crate) fn strong(entry: &SceneEntry) -> SceneFile {
    in_wind(entry, 11.5)
}

fn in_wind(entry: &SceneEntry, speed: f32) -> SceneFile {
    let willow = BodyEntry {
        name: "willow".into(),
        figure: Some("willow".into()),
        position: DVec3::Y * f64::from(POT),
        // A branch with its leaves is mostly air.
        material: Material::default().with_density(60.0).with_young_modulus(1e6, 0.0).with_damping(0.1),
        hierarchy: Some(HierarchySettings { cell: Some(CELL), ..HierarchySettings::default() }),
        ..BodyEntry::default()
    };
    let wind = Wind {
        velocity: speed * Vec3::new(0.95, 0.0, 0.3),
        gustiness: 0.7,
        gust_length: 1.5 * speed,
        ..Wind::default()
    };
    let pot = ColliderEntry {
        position: DVec3::Y * f64::from(0.5 * POT),
        ..ColliderEntry::new(Shape::Cylinder { half_height: 0.5 * POT, radius: 0.16 })
    };
    let scene = on_a_floor(entry, camera([0.3, 1.05, 2.9], [0.06, 0.66, 0.0]));
    SceneFile {
        collider: scene.collider.iter().cloned().chain([pot]).collect(),
        world: WorldSettings { substeps: 1, ..WorldSettings::default() },
        body: vec![willow],
        pin: vec![stands("willow", 0.05)],
        wind: vec![wind],
        ..scene
    }
}
