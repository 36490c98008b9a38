//! Bodies at rest, which are left out of steps.

use super::Body;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// How long a body has been slow, where that began, and whether it sleeps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SleepState {
    /// Seconds that it has been slow for.
    pub slow_secs: f32,
    /// It is left out of steps.
    pub asleep: bool,
    /// Its origin when it became slow.
    pub origin: DVec3,
    /// Its nodes' positions then; none while it is fast.
    pub positions: Vec<Vec3>,
}

impl Body {
    /// Whether it is left out of steps: it rests and costs nothing until something touches or changes it, or it is disabled.
    pub fn is_asleep(&self) -> bool {
        self.sleep.asleep || !self.enabled
    }

    /// Whether nothing that touches it moves it in this step.
    pub(crate) fn is_unmoved(&self) -> bool {
        self.is_asleep() || self.kinematic
    }

    /// Whether it sleeps where it is, and others can lean on it.
    pub(crate) fn rests(&self) -> bool {
        self.sleep.asleep && self.enabled
    }

    /// Takes part in steps again.
    pub(crate) fn wake(&mut self) {
        (self.sleep.slow_secs, self.sleep.asleep) = (0.0, false);
    }

    /// Stays out of steps until something wakes it.
    pub(crate) fn fall_asleep(&mut self) {
        self.nodes.velocities.fill(Vec3::ZERO);
        self.sleep.asleep = true;
        // What a snapshot cannot keep must not depend on the step it fell asleep in.
        self.refresh_maps();
    }
}
