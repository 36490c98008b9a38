//! How far a pin has moved what it holds.

use crate::math::{quat_from_scaled_axis, turn_between};
use glam::{DVec3, Quat};
use serde::{Deserialize, Serialize};

/// How far something has been moved, and how it is turned about a point of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Pose {
    /// Metres from where it was.
    pub moved: DVec3,
    /// From how it was.
    pub turned: Quat,
}

impl Pose {
    /// Where it was at first.
    pub const START: Self = Self { moved: DVec3::ZERO, turned: Quat::IDENTITY };

    /// Where a place is that is turned about a pivot.
    pub fn apply(&self, pivot: DVec3, place: DVec3) -> DVec3 {
        if self.turned == Quat::IDENTITY {
            return place + self.moved;
        }
        pivot + self.moved + self.turned.as_dquat() * (place - pivot)
    }

    /// The place that [`apply`](Self::apply) brings here.
    pub fn undo(&self, pivot: DVec3, place: DVec3) -> DVec3 {
        if self.turned == Quat::IDENTITY {
            return place - self.moved;
        }
        pivot + self.turned.as_dquat().inverse() * (place - self.moved - pivot)
    }

    /// One of `left` even steps on the way to another; the last one gets there exactly.
    pub fn toward(&self, to: &Self, left: u32) -> Self {
        if left <= 1 {
            return *to;
        }
        let turn = quat_from_scaled_axis(turn_between(self.turned, to.turned) / left as f32);
        Self {
            moved: self.moved + (to.moved - self.moved) / f64::from(left),
            turned: if self.turned == to.turned { to.turned } else { (turn * self.turned).normalize() },
        }
    }
}
