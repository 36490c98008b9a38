//! Two elephants whose trunks are shaken: \[TYGP15\] Figure 2.

use super::stands;
use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{HierarchySettings, Material, PickSettings, Solver, WorldSettings};
use pliant_io::scene::{BodyEntry, Key, Motion, PickEntry, SceneFile};

/// Edge of the finest cells in metres: 5,900 finest clusters.
const CELL: f32 = 0.0265;
/// How often the naive solver matches all clusters in a step: more matches than the adaptive one takes.
const NAIVE_CYCLES: u32 = 8;
/// Where the trunk is shaken, in the coordinates of the mesh.
const TRUNK: Vec3 = Vec3::new(0.5, 0.13, 0.0);

pub(crate) fn shaken(entry: &SceneEntry) -> SceneFile {
    let adaptive = HierarchySettings { cell: Some(CELL), ..HierarchySettings::default() };
    let naive = HierarchySettings { solver: Solver::Naive, cycles: NAIVE_CYCLES, ..adaptive };
    let elephant = |name: &str, z: f64, hierarchy| BodyEntry {
        name: name.into(),
        figure: Some("elephant".into()),
        position: DVec3::new(0.0, 0.0, z),
        material: Material::default().with_young_modulus(1e6, 0.3).with_damping(0.1),
        hierarchy: Some(hierarchy),
        ..BodyEntry::default()
    };
    let places = [[0.0, 0.0], [0.3, 0.1], [-0.3, 0.08], [0.3, 0.1], [-0.3, 0.08], [0.3, 0.1]];
    let key = |(i, [z, y]): (usize, &[f32; 2])| Key {
        time_secs: 0.3 + 0.4 * i as f64,
        by: Vec3::new(0.05 * (i % 2) as f32, *y, *z),
    };
    let shake = |body: &str| PickEntry {
        body: body.into(),
        at: Some(TRUNK),
        spring: PickSettings { frequency_hz: 14.0, radius: Some(0.06), ..PickSettings::default() },
        motion: Motion {
            path: places.iter().enumerate().map(key).collect(),
            release_secs: Some(2.3),
            ..Motion::default()
        },
        ..PickEntry::default()
    };
    let names = ["naive", "adaptive"];
    SceneFile {
        world: WorldSettings { substeps: 1, ..WorldSettings::default() },
        body: vec![elephant(names[0], -0.55, naive), elephant(names[1], 0.55, adaptive)],
        pick: names.map(shake).to_vec(),
        pin: names.map(|name| stands(name, 0.05)).to_vec(),
        ..on_a_floor(entry, camera([2.9, 1.0, 0.5], [0.1, 0.36, 0.0]))
    }
}
