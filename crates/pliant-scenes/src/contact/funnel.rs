//! Many small bodies that fall through a funnel.

use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Vec3};
use pliant::math::functions::sin_cos;
use pliant::{LatticeSettings, Material, MeshShape, Shape};
use pliant_io::scene::{BodyEntry, ColliderEntry, Copies, SceneFile, ShapeEntry};

/// Radius and height of the funnel's rings, in metres, from its rim to the end of its spout.
const RINGS: [(f32, f32); 3] = [(0.95, 2.1), (0.26, 1.25), (0.26, 1.0)];
/// Corners of a ring.
const AROUND: u32 = 48;

pub(crate) fn poured(entry: &SceneEntry) -> SceneFile {
    let small = |name: &str, y: f64, shape: ShapeEntry| BodyEntry {
        name: name.into(),
        shape: Some(shape),
        position: DVec3::new(-0.46, y, -0.46),
        material: Material::default().with_alpha(0.5).with_damping(0.8).with_friction(0.3),
        lattice: Some(LatticeSettings { cell: Some(0.05), width: Some(0.1) }),
        copies: Some(Copies { counts: [5, 3, 5], spacing: Vec3::new(0.23, 0.46, 0.23), tumble: true }),
        ..BodyEntry::default()
    };
    let funnel = ColliderEntry { friction: 0.3, ..ColliderEntry::new(Shape::Mesh(surface())) };
    let mut scene = SceneFile {
        frames: Some(360),
        body: vec![
            small("ball", 2.0, ShapeEntry::Sphere { radius: 0.075, subdivisions: 2 }),
            small("cube", 2.23, ShapeEntry::Box { size: Vec3::splat(0.12), cells: [3, 3, 3] }),
        ],
        ..on_a_floor(entry, camera([2.0, 3.0, 5.2], [0.0, 1.15, 0.0]))
    };
    scene.collider.push(funnel);
    scene
}

/// A cone with a spout, open at both ends.
fn surface() -> MeshShape {
    let corner = |(radius, y): (f32, f32), i: u32| {
        let (sin, cos) = sin_cos(std::f32::consts::TAU * i as f32 / AROUND as f32);
        Vec3::new(radius * cos, y, radius * sin)
    };
    let positions: Vec<Vec3> =
        RINGS.iter().flat_map(|&ring| (0..AROUND).map(move |i| corner(ring, i))).collect();
    let quads = (0..(RINGS.len() as u32 - 1) * AROUND).flat_map(|a| {
        let b = a - a % AROUND + (a + 1) % AROUND;
        [[a, b, a + AROUND], [b, b + AROUND, a + AROUND]]
    });
    MeshShape::new(positions, quads.collect::<Vec<_>>()).thickness(0.03)
}
