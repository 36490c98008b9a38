//! The figures of paper 001 \[HW08\], by the model `clusters`.

pub mod area;
pub mod complex;
pub mod crowd;
pub mod jelly;
pub mod l_bar;
pub mod skin_patch;
pub mod tools;

use crate::SceneEntry;
use pliant::glam::{DVec3, Vec3};
use pliant::{Matching, Material, Shape};
use pliant_io::scene::{BodyEntry, Camera, ColliderEntry, SceneFile};

/// What the list says of a scene, put into its description, and a floor.
pub(crate) fn on_a_floor(entry: &SceneEntry, camera: Camera) -> SceneFile {
    SceneFile { collider: vec![ColliderEntry::new(Shape::Plane)], ..in_the_air(entry, camera) }
}

/// What the list says of a scene, put into its description.
pub(crate) fn in_the_air(entry: &SceneEntry, camera: Camera) -> SceneFile {
    SceneFile {
        name: entry.name.into(),
        description: entry.description.into(),
        camera: Some(camera),
        ..SceneFile::default()
    }
}

pub(crate) fn camera(eye: [f64; 3], target: [f64; 3]) -> Camera {
    Camera { eye: DVec3::from(eye), target: DVec3::from(target), fov_y_radians: 0.6 }
}

/// Soft, but not so soft that it takes seconds to stand still.
pub(crate) fn jelly() -> Material {
    Material::default().with_alpha(0.12).with_beta(0.4).with_damping(0.5)
}

/// The three kinds of goals, by name, and places side by side for them.
pub(crate) fn side_by_side(spacing: f64, body: impl Fn(Matching, DVec3) -> BodyEntry) -> Vec<BodyEntry> {
    [
        ("rigid", Matching::Rigid, -1.0),
        ("linear", Matching::Linear, 0.0),
        ("quadratic", Matching::Quadratic, 1.0),
    ]
    .into_iter()
    .map(|(name, matching, x)| BodyEntry { name: name.into(), ..body(matching, DVec3::X * x * spacing) })
    .collect()
}

pub(crate) const UP: Vec3 = Vec3::Y;
