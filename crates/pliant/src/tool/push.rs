//! A ball that pushes bodies out of its way.
//!
//! Based on \[HW08\] §4: response forces on whatever is near the cursor.

use super::{Act, ToolError, not_negative};
use crate::body::Body;
use crate::nodes::Loads;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A ball that pushes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Push {
    /// Where it is, in metres.
    pub center: DVec3,
    /// Metres, 0 or more.
    pub radius: f32,
    /// How hard it pushes: the frequency in Hz of its spring on each node, 0 or more.
    pub frequency_hz: f32,
}

impl Push {
    /// A firm ball.
    pub fn new(center: impl Into<DVec3>, radius: f32) -> Self {
        Self { center: center.into(), radius, frequency_hz: 10.0 }
    }
}

impl Act for Push {
    fn word(&self) -> &'static str {
        "push"
    }

    fn validate(&self) -> Result<(), ToolError> {
        not_negative("radius", self.radius)?;
        not_negative("frequency_hz", self.frequency_hz)
    }

    fn position(&self) -> Option<DVec3> {
        Some(self.center)
    }

    fn move_to(&mut self, position: DVec3) -> Result<(), ToolError> {
        self.center = position;
        Ok(())
    }

    fn focus(&self, _: Option<&Body>) -> Option<(DVec3, f32)> {
        Some((self.center, self.radius))
    }

    fn wakes_in(&self) -> Option<(DVec3, f32)> {
        Some((self.center, self.radius))
    }

    /// The push on the body's nodes: towards the ball's surface, and against motion into it.
    fn load(&self, body: &Body, loads: &mut Loads, h: f32) {
        let center = (self.center - body.nodes.origin).as_vec3();
        let omega = std::f32::consts::TAU * self.frequency_hz;
        let masses = &body.rest().nodes.masses;
        let nodes = body.nodes.positions.iter().zip(&body.nodes.velocities).enumerate();
        for (node, (x, v)) in nodes {
            let away = x - center;
            let depth = self.radius - away.length();
            let Some(out) = away.try_normalize().filter(|_| depth > 0.0) else { continue };
            let speed = v.dot(out);
            // A node that will be out by itself is not pushed.
            let left = depth - h * speed.max(0.0);
            if left > 0.0 {
                loads.spring(node, masses[node] * omega * omega, out * left);
                loads.damper(node, 2.0 * masses[node] * omega, -out * speed.min(0.0));
            }
        }
    }
}
