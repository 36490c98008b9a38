//! How far bodies come in a step.

use super::response::mean;
use crate::body::Body;
use crate::math::largest_coordinate;
use glam::Vec3;

/// How a body moves in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    /// What no node comes farther than, in metres.
    pub reach: f32,
    /// How far it comes as a whole, in metres.
    pub way: Vec3,
    /// How much farther parts of it come, if that is far for its size. What swings less is caught by what is around it, and
    /// petals in the wind are not worth many substeps.
    pub flung: f32,
    /// How far gravity lets it fall, in metres.
    pub fall: f32,
}

impl Motion {
    pub fn of(body: &Body, dt_secs: f32, gravity: f32) -> Self {
        if body.is_asleep() {
            return Self::default();
        }
        let fall = dt_secs * dt_secs * gravity * body.gravity_scale.abs();
        let reach = dt_secs * fastest(body) + fall;
        let mean = mean(&body.nodes.velocities);
        let most2 = body.nodes.velocities.iter().map(|v| v.distance_squared(mean)).fold(0.0, f32::max);
        let flung = dt_secs * most2.sqrt();
        let far = flung > FLUNG * body.rest().nodes.radius;
        Self { reach, way: dt_secs * mean, flung: if far { flung } else { 0.0 }, fall }
    }
}

/// Radii that parts of a body must come in a step, besides what all of it does, to be flung.
const FLUNG: f32 = 0.25;

/// The speed that no node of a body is faster than, in m/s.
pub(super) fn fastest(body: &Body) -> f32 {
    // No vector is longer than √3 of its largest coordinate.
    1.733 * largest_coordinate(&body.nodes.velocities)
}
