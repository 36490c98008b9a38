//! Moving air, from a breeze to a gale.
//!
//! The pressure on a piece of surface is that of the air stopped by it, ½ ρ u², u being the part of the air's velocity relative to
//! it that is along its normal n. Where nodes stand in cells, the pieces are what a node has of the
//! surface in each direction ([`Border::areas`](crate::body::border::Border::areas)), moved by its map: however fine the skin is, wind
//! costs what the nodes do. Areas A are summed as vectors A n, so those of a closed body add up to nothing. Where maps are those of goals, which nodes need not follow, the pieces are the triangles of the skin, whose vertices are
//! nodes.
//!
//! Gusts are waves that travel with the wind: a fixed sum of sines of place and time, so the same scene always meets the same gusts.

use super::{Act, ToolError, not_negative};
use crate::body::Body;
use crate::math::functions::sin;
use crate::nodes::Loads;
use crate::skin::limited;
use glam::{DVec3, Mat3, Vec3};
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

    /// The pressure on the surface. Gusts are longer than a step.
    fn load_step(&self, body: &Body, loads: &mut Loads, time_secs: f64) {
        if body.rest().binding.is_to_cells() {
            self.blow_on_nodes(body, loads, time_secs);
        } else {
            self.blow_on_triangles(body, loads, time_secs);
        }
    }
}

impl Wind {
    fn blow_on_nodes(&self, body: &Body, loads: &mut Loads, time_secs: f64) {
        let (border, nodes) = (body.border(), &body.nodes);
        for &node in &border.outer {
            let at = node as usize;
            let air = self.at(nodes.world_position(at), time_secs) - nodes.velocities[at];
            let carried = cofactor(limited(body.node_map(at)));
            for area in border.areas(node) {
                if let Some((damping, slower)) = self.pressure(carried * *area, air, false) {
                    loads.damper(at, damping, slower);
                }
            }
        }
    }

    fn blow_on_triangles(&self, body: &Body, loads: &mut Loads, time_secs: f64) {
        let (rest, skin, nodes) = (body.rest(), body.skin(), &body.nodes);
        // Both sides of a sheet are out.
        let sheet = body.border().sheet.is_some();
        for corners in &rest.mesh.triangles {
            let [a, b, c] = corners.map(|v| skin.positions[v as usize]);
            let middle = nodes.origin + ((a + b + c) / 3.0).as_dvec3();
            let velocity: Vec3 =
                corners.map(|v| rest.binding.velocity(v as usize, &nodes.velocities)).iter().sum();
            let air = self.at(middle, time_secs) - velocity / 3.0;
            let Some((damping, slower)) = self.pressure(0.5 * (b - a).cross(c - a), air, sheet) else {
                continue;
            };
            for bond in corners.iter().flat_map(|&v| rest.binding.bonds_of(v as usize)) {
                loads.damper(bond.node as usize, damping * bond.weight / 3.0, slower);
            }
        }
    }

    /// The damper that is the pressure of `air`, relative to it, on a piece of surface with the directed area A n: in kg/s, and how
    /// much slower than the air it is along n in m/s. There is none in the lee.
    fn pressure(&self, area: Vec3, air: Vec3, both_sides: bool) -> Option<(f32, Vec3)> {
        let along = air.dot(area); // A u
        let stopped = if both_sides { along.abs() } else { -along };
        let squared = area.length_squared();
        (stopped > 0.0 && squared > 0.0).then(|| (0.5 * self.air_density * stopped, along / squared * area))
    }
}

/// What a map does to directed areas.
fn cofactor(map: Mat3) -> Mat3 {
    let (x, y, z) = (map.x_axis, map.y_axis, map.z_axis);
    Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y))
}
