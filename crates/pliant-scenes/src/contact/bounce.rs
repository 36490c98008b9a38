//! Balls that bounce.

use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::{LatticeSettings, Material, Shape};
use pliant_io::scene::{BodyEntry, ColliderEntry, SceneFile, ShapeEntry};

/// Metres.
const RADIUS: f32 = 0.2;

fn ball(name: String, position: DVec3, material: Material) -> BodyEntry {
    BodyEntry {
        name,
        shape: Some(ShapeEntry::Sphere { radius: RADIUS, subdivisions: 3 }),
        position,
        material,
        lattice: Some(LatticeSettings { cell: Some(RADIUS / 3.0), width: Some(RADIUS) }),
        ..BodyEntry::default()
    }
}

pub(crate) fn five_restitutions(entry: &SceneEntry) -> SceneFile {
    let body = (0..5_u8).map(|i| {
        let restitution = f32::from(i) / 4.0;
        // So stiff that what they bounce with is restitution alone.
        let material = Material::default().with_alpha(1.0).with_damping(0.0).with_restitution(restitution);
        let place = DVec3::new(0.6 * (f64::from(i) - 2.0), 1.8, 0.0);
        ball(format!("restitution {restitution}"), place, material)
    });
    SceneFile {
        frames: Some(300),
        body: body.collect(),
        ..on_a_floor(entry, camera([0.0, 1.3, 5.4], [0.0, 0.95, 0.0]))
    }
}

/// Steps that go down to the right, and how large they are in metres.
const STEPS: u8 = 5;
const TREAD: f64 = 0.5;
const RISE: f64 = 0.25;

pub(crate) fn ball_on_stairs(entry: &SceneEntry) -> SceneFile {
    let top = RISE * f64::from(STEPS);
    let material = Material::default().with_alpha(0.6).with_damping(0.1).with_restitution(0.6);
    let start = DVec3::new(-1.9, top + f64::from(RADIUS) + 0.05, 0.0);
    let ball = BodyEntry { velocity: Vec3::X * 1.2, ..ball("ball".into(), start, material) };
    let step = |i: u8| {
        let height = RISE * f64::from(STEPS - i);
        // The first is a landing that the ball starts on.
        let (left, right) =
            (if i == 0 { -2.4 } else { TREAD * f64::from(i) - 1.5 }, TREAD * f64::from(i) - 1.0);
        ColliderEntry {
            position: DVec3::new(0.5 * (left + right), 0.5 * height, 0.0),
            ..ColliderEntry::new(Shape::Box {
                half: DVec3::new(0.5 * (right - left), 0.5 * height, 0.5).as_vec3(),
            })
        }
    };
    let mut scene = SceneFile {
        frames: Some(300),
        body: vec![ball],
        ..on_a_floor(entry, camera([1.4, 2.1, 5.4], [0.0, 0.75, 0.0]))
    };
    scene.collider.extend((0..STEPS).map(step));
    scene
}
