//! A fish held by two locked picks and a torus knot swung by one: \[HW08\] Figure 3.

use super::{UP, camera, in_the_air, jelly};
use crate::SceneEntry;
use pliant::glam::{DVec3, Vec3};
use pliant::{ClusterSettings, Clustering, Matching, ParticleSettings, PickSettings};
use pliant_io::scene::{BodyEntry, Key, Motion, PickEntry, SceneFile, ShapeEntry};

pub(crate) fn fish_held(entry: &SceneEntry) -> SceneFile {
    let fish = BodyEntry {
        name: "fish".into(),
        figure: Some("fish".into()),
        position: DVec3::Y * 0.8,
        material: jelly().with_alpha(0.05).with_beta(0.7),
        clusters: Some(ClusterSettings { matching: Matching::Quadratic, ..ClusterSettings::default() }),
        ..BodyEntry::default()
    };
    let hold = |x: f32, by: Vec3| PickEntry {
        body: "fish".into(),
        at: Some(Vec3::new(x, 0.25, 0.0)),
        locked: true,
        spring: PickSettings { frequency_hz: 4.0, radius: Some(0.16), ..PickSettings::default() },
        motion: Motion {
            path: vec![Key { time_secs: 0.0, by: Vec3::ZERO }, Key { time_secs: 1.0, by }],
            ..Motion::default()
        },
        ..PickEntry::default()
    };
    SceneFile {
        body: vec![fish],
        pick: vec![hold(-0.3, Vec3::new(0.12, 0.15, 0.25)), hold(0.33, Vec3::new(-0.12, 0.15, 0.25))],
        ..in_the_air(entry, camera([0.5, 1.5, 2.6], [0.0, 1.0, 0.0]))
    }
}

pub(crate) fn torus_knot_swung(entry: &SceneEntry) -> SceneFile {
    let knot = BodyEntry {
        name: "knot".into(),
        shape: Some(ShapeEntry::TorusKnot {
            p: 2,
            q: 3,
            major: 0.4,
            minor: 0.18,
            tube_radius: 0.085,
            around: 160,
            across: 12,
        }),
        position: DVec3::Y * 1.5,
        material: jelly().with_alpha(0.12).with_beta(0.5),
        clustering: Some(Clustering::Spread { count: 24, overlap: 0.8 }),
        particles: Some(ParticleSettings { max_surface: 1200, ..ParticleSettings::default() }),
        ..BodyEntry::default()
    };
    // Swung to and fro and up and down, faster than it can follow.
    let places = [[0.0, 0.0], [0.8, 0.3], [-0.8, 0.2], [0.8, -0.2], [-0.8, 0.3], [0.0, 0.0]];
    let key = |(i, [x, y]): (usize, &[f32; 2])| Key {
        time_secs: 0.5 * i as f64,
        by: Vec3::new(*x, 0.0, 0.0) + UP * *y,
    };
    let swing = PickEntry {
        body: "knot".into(),
        at: Some(Vec3::new(0.0, 0.6, 0.0)),
        spring: PickSettings { frequency_hz: 5.0, radius: Some(0.25), ..PickSettings::default() },
        motion: Motion {
            path: places.iter().enumerate().map(key).collect(),
            repeat: true,
            ..Motion::default()
        },
        ..PickEntry::default()
    };
    SceneFile {
        body: vec![knot],
        pick: vec![swing],
        ..in_the_air(entry, camera([0.6, 1.6, 6.0], [0.0, 1.2, 0.0]))
    }
}
