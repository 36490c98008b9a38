//! Values that differ from part to part of a body.

use super::{StiffnessEntry, WidthEntry};
use pliant::Selection;
use pliant::glam::Vec3;

impl WidthEntry {
    /// The width at a place that would have the width `below` without this entry.
    pub(super) fn over(&self, below: f32, place: Vec3) -> f32 {
        below + share(&self.within, place) * (self.width - below)
    }
}

impl StiffnessEntry {
    /// How many times as stiff as its material a place is that would be `below` times without this entry.
    pub(super) fn over(&self, below: f32, place: Vec3) -> f32 {
        below + share(&self.within, place) * (self.times - below)
    }
}

/// How much of a place is in a part of a body: all, nothing, or less and less around a sphere.
pub(super) fn share(within: &Selection, place: Vec3) -> f32 {
    match within {
        Selection::All => 1.0,
        Selection::Box { min, max } => {
            f32::from(u8::from(place.cmpge(*min).all() && place.cmple(*max).all()))
        }
        Selection::Sphere { center, radius } => {
            let beyond = place.distance(*center) - radius;
            if beyond <= 0.0 { 1.0 } else { (1.0 - 4.0 * beyond / radius).max(0.0) }
        }
        Selection::Nodes(_) | Selection::Vertices(_) => 0.0,
    }
}
