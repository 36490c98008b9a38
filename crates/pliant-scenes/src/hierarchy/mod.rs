//! Scenes of clusters on several levels.

pub(crate) mod dinosaur;
pub(crate) mod elephant;
pub(crate) mod willow;

use pliant::Selection;
use pliant::glam::Vec3;
use pliant_io::scene::{Motion, PinEntry};

/// The lowest part of a figure, held where it stands.
fn stands(body: &str, height: f32) -> PinEntry {
    let members = Selection::Box { min: Vec3::NEG_ONE, max: Vec3::new(1.0, height, 1.0) };
    PinEntry { body: body.into(), members, motion: Motion::default() }
}
