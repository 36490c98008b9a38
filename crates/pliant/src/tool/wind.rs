//! Moving air, from a breeze to a gale.
//!
//! The pressure on a triangle is that of the air stopped by it, ½ ρ u², u being the part of the air's velocity relative to
//! the skin that is along the normal. Gusts are waves that travel with the wind: a fixed sum of sines of place and time, so
//! the same scene always meets the same gusts.

use super::{Act, ToolError, not_negative};
use crate::body::Body;
use crate::math::functions::sin;
use crate::nodes::Loads;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Moving air.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wind {
    /// Mean velocity in m/s.
    pub velocity: Vec3,
    /// How much gusts add and take away, as part of the mean velocity; 0 is a steady wind.
    pub gustiness: f32,
    /// Distance in metres from one gust to the next.
    pub gust_length: f32,
    /// Density of the air in kg/m³.
    pub air_density: f32,
}

impl Default for Wind {
    fn default() -> Self {
        Self { velocity: Vec3::new(5.0, 0.0, 0.0), gustiness: 0.5, gust_length: 10.0, air_density: 1.2 }
    }
}

impl Wind {
    /// Velocity of the air in m/s at a place and time.
    pub fn at(&self, place: DVec3, time_secs: f64) -> Vec3 {
        let speed = f64::from(self.velocity.length());
        if speed == 0.0 {
            return Vec3::ZERO;
        }
        let along = self.velocity.as_dvec3() / speed;
        let phase =
            std::f64::consts::TAU / f64::from(self.gust_length) * (place.dot(along) - speed * time_secs);
        let across = place.dot(along.any_orthogonal_vector()) / f64::from(self.gust_length);
        // Three waves whose lengths have no common multiple, the shorter ones weaker.
        let gust = 0.5 * sin(phase) + 0.3 * sin(2.3 * phase + across) + 0.2 * sin(5.7 * phase - 2.0 * across);
        self.velocity * (1.0 + f64::from(self.gustiness) * gust) as f32
    }
}

impl Act for Wind {
    fn word(&self) -> &'static str {
        "wind"
    }

    fn validate(&self) -> Result<(), ToolError> {
        not_negative("gustiness", self.gustiness)?;
        not_negative("air_density", self.air_density)?;
        not_negative("velocity", self.velocity.length())?;
        if self.gust_length > 0.0 && self.gust_length.is_finite() {
            return Ok(());
        }
        Err(ToolError::Setting { name: "gust_length", value: f64::from(self.gust_length), range: "above 0" })
    }

    /// Nothing rests in the wind.
    fn keeps_awake(&self) -> bool {
        true
    }

    /// The pressure on the skin, handed to the nodes that carry it. Gusts are longer than a step.
    fn load_step(&self, body: &Body, loads: &mut Loads, time_secs: f64) {
        let (rest, skin, nodes) = (body.rest(), body.skin(), &body.nodes);
        let mut blown = std::mem::take(&mut loads.blown);
        blown.air.clear();
        blown.air.extend(nodes.positions.iter().zip(&nodes.velocities).map(|(x, v)| {
            // Gusts are much longer than from one node to the next.
            self.at(nodes.origin + x.as_dvec3(), time_secs) - *v
        }));
        blown.vertices.clear();
        let air_at = |v| (rest.binding.velocity(v, &blown.air), Vec3::ZERO, 0.0);
        blown.vertices.extend((0..skin.positions.len()).map(air_at));
        for corners in &rest.mesh.triangles {
            let [a, b, c] = corners.map(|v| skin.positions[v as usize]);
            let doubled = (b - a).cross(c - a);
            let Some(normal) = doubled.try_normalize() else { continue };
            let [a, b, c] = corners.map(|v| blown.vertices[v as usize].0);
            let relative = ((a + b + c) / 3.0).dot(normal);
            // Only the windward side; its back is in the lee.
            if relative >= 0.0 {
                continue;
            }
            let part = 0.5 * self.air_density * 0.5 * doubled.length() * -relative / 3.0;
            for &v in corners {
                let (_, drag, damping) = &mut blown.vertices[v as usize];
                *drag += part * relative * normal;
                *damping += part;
            }
        }
        for (v, &(_, drag, damping)) in blown.vertices.iter().enumerate().filter(|(_, of)| of.2 > 0.0) {
            for bond in rest.binding.bonds_of(v) {
                loads.damper(bond.node as usize, damping * bond.weight, drag / damping);
            }
        }
        loads.blown = blown;
    }
}
