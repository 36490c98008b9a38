//! Bodies of clusters cut by scissors, whose parts roll off a ridge: \[HW08\] Figure 10.

use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{Clustering, Material, Shape};
use pliant_io::scene::{BodyEntry, ColliderEntry, CutEntry, PlaneEntry, Rotation, SceneFile, ShapeEntry};

pub(crate) fn fish(entry: &SceneEntry) -> SceneFile {
    let fish = BodyEntry {
        name: "fish".into(),
        figure: Some("fish".into()),
        position: DVec3::new(-0.06, 0.75, 0.0),
        material: material(),
        clustering: Some(Clustering::Spread { count: 6, overlap: 0.8 }),
        ..BodyEntry::default()
    };
    let cuts = vec![
        cut(0.15, [0.0, 0.7, 0.0], [1.0, 0.0, 0.1]),
        cut(2.5, [0.7, 0.2, -0.5], [1.0, 0.0, 0.3]),
        cut(2.5, [-1.6, 0.2, 0.25], [1.0, 0.0, -0.3]),
    ];
    on_a_ridge(entry, fish, cuts)
}

pub(crate) fn torus_knot(entry: &SceneEntry) -> SceneFile {
    let knot = BodyEntry {
        name: "knot".into(),
        shape: Some(ShapeEntry::TorusKnot {
            p: 2,
            q: 3,
            major: 0.4,
            minor: 0.17,
            tube_radius: 0.085,
            around: 200,
            across: 14,
        }),
        position: DVec3::Y * 0.9,
        rotation: Some(Rotation::new(Vec3::X, 0.3)),
        material: material(),
        clustering: Some(Clustering::Spread { count: 16, overlap: 0.8 }),
        ..BodyEntry::default()
    };
    let cuts = vec![
        cut(0.5, [0.0, 0.9, 0.0], [1.0, 0.0, 0.1]),
        cut(2.5, [0.8, 0.2, 0.0], [1.0, 0.0, 0.1]),
        cut(2.5, [-0.4, 0.2, 0.0], [1.0, 0.0, 0.1]),
    ];
    on_a_ridge(entry, knot, cuts)
}

fn material() -> Material {
    Material::default().with_alpha(0.3).with_beta(0.3).with_damping(0.4).with_friction(0.7)
}

fn cut(at_secs: f64, point: [f64; 3], normal: [f32; 3]) -> CutEntry {
    let plane = PlaneEntry { point: DVec3::from(point), normal: Vec3::from(normal) };
    CutEntry { at_secs, scissors: Some(plane), ..CutEntry::default() }
}

/// The ground leads the parts away from each other.
fn on_a_ridge(entry: &SceneEntry, body: BodyEntry, cut: Vec<CutEntry>) -> SceneFile {
    let ridge = ColliderEntry {
        position: DVec3::new(0.0, 0.15, 0.0),
        rotation: Some(Rotation::new(Vec3::X, std::f32::consts::FRAC_PI_2)),
        friction: 0.05,
        ..ColliderEntry::new(Shape::Capsule { radius: 0.3, half_height: 0.5 })
    };
    let mut scene = SceneFile {
        frames: Some(300),
        body: vec![body],
        cut,
        ..on_a_floor(entry, camera([0.1, 1.9, 4.8], [-0.25, 0.25, 0.0]))
    };
    scene.collider.push(ridge);
    scene
}
