//! Near ones fine and far ones coarse, and never more nodes than a frame can afford: \[SOG08\] §7.

use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{Budget, Material, OctreeSettings, Rule, WorldSettings};
use pliant_io::scene::{BodyEntry, Copies, SceneFile};

/// Edge of the finest cells in metres.
const CELL: f32 = 0.035;

pub(crate) fn under_budget(entry: &SceneEntry) -> SceneFile {
    let row = |figure: &str, x: f64, height: f64| BodyEntry {
        name: figure.into(),
        figure: Some(figure.into()),
        scale: Some(0.7),
        position: DVec3::new(x, height, 1.6),
        material: Material::default().with_alpha(0.48).with_damping(0.3),
        octree: Some(OctreeSettings {
            cell: Some(CELL),
            levels: Some(2),
            width: Some(0.15),
            ..OctreeSettings::default()
        }),
        refine: vec![Rule::Features { size: CELL }, Rule::Viewer { angle: 0.02 }],
        copies: Some(Copies { counts: [1, 1, 6], spacing: Vec3::NEG_Z * 1.6, tumble: true }),
        ..BodyEntry::default()
    };
    SceneFile {
        world: WorldSettings { budget: Some(Budget::Nodes(2000)), ..WorldSettings::default() },
        body: vec![
            row("bear", -1.8, 0.6),
            row("duck", -0.6, 0.9),
            row("star", 0.6, 0.7),
            row("kidney", 1.8, 0.8),
        ],
        ..on_a_floor(entry, camera([0.4, 1.7, 5.6], [0.0, 0.2, 0.0]))
    }
}
