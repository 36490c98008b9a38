//! An L-shaped bar pulled apart, with one cluster and with two: \[HW08\] Figures 6 and 7.

use super::{camera, in_the_air, jelly};
use crate::SceneEntry;
use pliant::glam::{DVec3, Vec3};
use pliant::{ClusterSettings, Clustering, Matching, NamedCluster, PickSettings, Selection, WorldSettings};
use pliant_io::scene::{BodyEntry, Key, Motion, PickEntry, SceneFile, ShapeEntry};

const ARM: f32 = 1.2;
const WIDTH: f32 = 0.3;

pub(crate) fn one_cluster(entry: &SceneEntry) -> SceneFile {
    pulled(entry, Clustering::One)
}

pub(crate) fn two_clusters(entry: &SceneEntry) -> SceneFile {
    let arm = |name: &str, max: Vec3| NamedCluster {
        name: name.into(),
        members: Selection::Box { min: Vec3::splat(-0.01), max: max + Vec3::splat(0.01) },
    };
    // Both arms have the corner: it is where they are joined.
    let across = arm("across", Vec3::new(ARM, WIDTH, WIDTH));
    let upright = arm("upright", Vec3::new(WIDTH, ARM, WIDTH));
    pulled(entry, Clustering::Given(vec![across, upright]))
}

fn pulled(entry: &SceneEntry, clustering: Clustering) -> SceneFile {
    let bar = BodyEntry {
        name: "bar".into(),
        shape: Some(ShapeEntry::LBar { arm_length: ARM, width: WIDTH, depth: WIDTH, cell: 0.1 }),
        position: DVec3::new(-0.4, 0.3, -0.15),
        material: jelly().with_alpha(0.1).with_beta(0.6),
        clusters: Some(ClusterSettings { matching: Matching::Quadratic, ..ClusterSettings::default() }),
        clustering: Some(clustering),
        ..BodyEntry::default()
    };
    let key = |time_secs, by| Key { time_secs, by };
    let pull = |at: Vec3, by: Vec3| PickEntry {
        body: "bar".into(),
        at: Some(at),
        locked: true,
        spring: PickSettings { frequency_hz: 4.0, ..PickSettings::default() },
        motion: Motion {
            path: vec![key(0.5, Vec3::ZERO), key(2.0, by), key(3.0, by), key(4.0, Vec3::ZERO)],
            ..Motion::default()
        },
        ..PickEntry::default()
    };
    SceneFile {
        // The bar hangs between the picks; without weight only the pull is seen.
        world: WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() },
        frames: Some(300),
        body: vec![bar],
        pick: vec![
            pull(Vec3::new(ARM, 0.5 * WIDTH, 0.5 * WIDTH), Vec3::new(0.2, -0.3, 0.0)),
            pull(Vec3::new(0.5 * WIDTH, ARM, 0.5 * WIDTH), Vec3::new(-0.45, 0.05, 0.0)),
        ],
        ..in_the_air(entry, camera([0.3, 1.0, 4.6], [0.1, 0.8, 0.0]))
    }
}
