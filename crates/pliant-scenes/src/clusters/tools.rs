//! What else the model and the tools can do: dents that stay, wind, a pushing ball, a body thrown by a pick.

use super::{UP, camera, in_the_air, jelly, on_a_floor};
use crate::SceneEntry;
use pliant::glam::{DVec3, Vec3};
use pliant::{Clustering, PickSettings, Plasticity, Selection, Shape, Wind};
use pliant_io::scene::{
    BodyEntry, ColliderEntry, Copies, Key, Motion, PickEntry, PinEntry, PushEntry, Rotation, SceneFile,
    ShapeEntry,
};

pub(crate) fn duck_drop(entry: &SceneEntry) -> SceneFile {
    let duck = BodyEntry {
        name: "duck".into(),
        figure: Some("duck".into()),
        position: DVec3::Y * 0.9,
        rotation: Some(Rotation::new(Vec3::new(0.3, 0.0, 1.0), 0.35)),
        material: jelly().with_alpha(0.1).with_beta(0.5),
        clustering: Some(Clustering::Spread { count: 6, overlap: 0.8 }),
        ..BodyEntry::default()
    };
    SceneFile { body: vec![duck], ..on_a_floor(entry, camera([1.9, 1.7, 4.2], [0.1, 0.75, 0.0])) }
}

pub(crate) fn plastic_bear(entry: &SceneEntry) -> SceneFile {
    let plasticity = Plasticity { yield_strain: 0.12, creep_per_sec: 8.0, max_strain: 0.4 };
    let bear = |name: &str, x: f64, plasticity| BodyEntry {
        name: name.into(),
        figure: Some("bear".into()),
        position: DVec3::new(x, 1.0, 0.0),
        rotation: Some(Rotation::new(Vec3::X, -0.5)),
        velocity: UP * -3.0,
        material: jelly().with_alpha(0.1).with_plasticity(plasticity).with_beta(0.6),
        clustering: Some(Clustering::Spread { count: 8, overlap: 0.8 }),
        ..BodyEntry::default()
    };
    let body = vec![bear("elastic", -0.7, None), bear("plastic", 0.7, Some(plasticity))];
    SceneFile { body, ..on_a_floor(entry, camera([0.9, 1.8, 4.6], [0.0, 0.75, 0.0])) }
}

pub(crate) fn stars_in_wind(entry: &SceneEntry) -> SceneFile {
    let star = |i: u32| BodyEntry {
        name: format!("star {i}"),
        figure: Some("star".into()),
        position: DVec3::new(1.15 * (f64::from(i) - 1.0), 1.0, 0.0),
        rotation: Some(Rotation::new(Vec3::X, 1.57)),
        material: jelly().with_density(60.0).with_alpha(0.1).with_beta(0.5).with_damping(0.2),
        clustering: Some(Clustering::Spread { count: 16, overlap: 0.8 }),
        ..BodyEntry::default()
    };
    // Held by the topmost arm.
    let held = |i: u32| PinEntry {
        body: format!("star {i}"),
        members: Selection::Box { min: Vec3::new(-1.0, -1.0, -1.0), max: Vec3::new(1.0, 1.0, -0.38) },
        motion: Motion::default(),
    };
    let wind =
        Wind { velocity: Vec3::new(2.0, 0.0, 9.0), gustiness: 0.9, gust_length: 8.0, ..Wind::default() };
    SceneFile {
        body: (0..3).map(star).collect(),
        pin: (0..3).map(held).collect(),
        wind: vec![wind],
        ..in_the_air(entry, camera([2.6, 1.3, 4.0], [0.0, 0.8, 0.0]))
    }
}

pub(crate) fn push_through(entry: &SceneEntry) -> SceneFile {
    let cushions = BodyEntry {
        name: "cushion".into(),
        shape: Some(ShapeEntry::Box { size: Vec3::new(0.5, 0.9, 0.5), cells: [5, 9, 5] }),
        position: DVec3::new(-1.2, 0.45, 0.0),
        material: jelly().with_density(100.0),
        clustering: Some(Clustering::Spread { count: 3, overlap: 0.8 }),
        copies: Some(Copies { counts: [4, 1, 1], spacing: Vec3::splat(0.8), tumble: false }),
        ..BodyEntry::default()
    };
    let key = |time_secs, x| Key { time_secs, by: Vec3::X * x };
    let push = PushEntry {
        center: DVec3::new(-2.6, 0.75, 0.05),
        radius: 0.3,
        frequency_hz: 12.0,
        motion: Motion { path: vec![key(0.5, 0.0), key(3.5, 4.6)], ..Motion::default() },
    };
    SceneFile {
        body: vec![cushions],
        push: vec![push],
        ..on_a_floor(entry, camera([0.6, 1.8, 4.6], [0.2, 0.35, 0.0]))
    }
}

pub(crate) fn pick_and_throw(entry: &SceneEntry) -> SceneFile {
    let hand = BodyEntry {
        name: "hand".into(),
        figure: Some("hand".into()),
        position: DVec3::new(-1.5, 0.0, 0.0),
        material: jelly().with_alpha(0.35).with_beta(0.5),
        clustering: Some(Clustering::Spread { count: 20, overlap: 0.7 }),
        ..BodyEntry::default()
    };
    let key = |time_secs, x, y| Key { time_secs, by: Vec3::new(x, y, 0.0) };
    let throw = PickEntry {
        body: "hand".into(),
        at: Some(Vec3::new(0.0, 1.0, 0.0)),
        spring: PickSettings { frequency_hz: 5.0, ..PickSettings::default() },
        motion: Motion {
            path: vec![key(0.3, 0.0, 0.0), key(1.3, 0.0, 0.8), key(1.8, -0.6, 0.6), key(2.5, 1.2, 1.1)],
            release_secs: Some(2.2),
            ..Motion::default()
        },
        ..PickEntry::default()
    };
    let bar = ColliderEntry {
        position: DVec3::new(0.9, 0.25, 0.0),
        ..ColliderEntry::new(Shape::Capsule { radius: 0.25, half_height: 0.9 })
    };
    let bar = ColliderEntry { rotation: Some(Rotation::new(Vec3::X, std::f32::consts::FRAC_PI_2)), ..bar };
    let mut scene = SceneFile {
        body: vec![hand],
        pick: vec![throw],
        ..on_a_floor(entry, camera([1.3, 1.8, 5.6], [0.3, 0.9, 0.0]))
    };
    scene.collider.push(bar);
    scene
}
