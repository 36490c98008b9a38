//! The points that are simulated, the same for every model.

mod held;
mod loads;
mod renumbering;
mod supports;

pub use held::{HeldNode, HeldNodes, Hold};
pub use loads::Loads;
pub use renumbering::{Correspondence, Renumbering};
pub use supports::Support;

use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// What never changes about a body's nodes while its topology stays.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NodeRest {
    /// Undeformed positions in metres, relative to the centre of mass of the body as it was made.
    pub rest_positions: Vec<Vec3>,
    /// Where the centre of mass is in them: zero, but for a piece of a body that was cut.
    pub middle: Vec3,
    /// kg, above 0.
    pub masses: Vec<f32>,
    /// The sum of `masses`.
    pub total_mass: f64,
    /// Distance in metres from the centre of mass to the farthest node: the body's own measure of size.
    pub radius: f32,
}

/// Where the nodes are now.
///
/// Positions are relative to an origin that travels with the body, so a body keeps its precision 1,000 km away.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NodeState {
    /// World position that `positions` are measured from, in metres.
    pub origin: DVec3,
    /// Current positions in metres, relative to `origin`.
    pub positions: Vec<Vec3>,
    /// Current velocities in m/s.
    pub velocities: Vec<Vec3>,
}

impl NodeState {
    /// Where a node is in the world.
    pub fn world_position(&self, node: usize) -> DVec3 {
        self.origin + self.positions[node].as_dvec3()
    }
}

impl NodeRest {
    /// Nodes that are a part of a body, whose centre of mass is another.
    pub(crate) fn of_a_part(mut self) -> Self {
        self.total_mass = self.masses.iter().map(|&m| f64::from(m)).sum();
        let places = self.rest_positions.iter().zip(&self.masses);
        let moment: DVec3 = places.map(|(x, &m)| f64::from(m) * x.as_dvec3()).sum();
        self.middle = (moment / self.total_mass).as_vec3();
        self.radius = self.rest_positions.iter().map(|x| x.distance(self.middle)).fold(0.0, f32::max);
        self
    }

    /// Some of the nodes.
    pub(crate) fn only(&self, nodes: &[u32]) -> Self {
        Self {
            rest_positions: nodes.iter().map(|&node| self.rest_positions[node as usize]).collect(),
            masses: nodes.iter().map(|&node| self.masses[node as usize]).collect(),
            ..*self
        }
    }

    /// Centre of mass relative to the origin, and velocity of the whole.
    pub fn mean_motion(&self, state: &NodeState) -> (DVec3, DVec3) {
        let nodes = self.masses.iter().zip(&state.positions).zip(&state.velocities);
        let (x, v) = nodes.fold((DVec3::ZERO, DVec3::ZERO), |(x, v), ((&m, p), u)| {
            (x + f64::from(m) * p.as_dvec3(), v + f64::from(m) * u.as_dvec3())
        });
        (x / self.total_mass, v / self.total_mass)
    }

    /// Linear momentum in kg m/s.
    pub fn momentum(&self, state: &NodeState) -> DVec3 {
        self.mean_motion(state).1 * self.total_mass
    }

    /// Angular momentum about the centre of mass in kg m²/s.
    pub fn angular_momentum(&self, state: &NodeState) -> DVec3 {
        let (centre, velocity) = self.mean_motion(state);
        let nodes = self.masses.iter().zip(&state.positions).zip(&state.velocities);
        nodes.map(|((&m, p), v)| f64::from(m) * (p.as_dvec3() - centre).cross(v.as_dvec3() - velocity)).sum()
    }

    /// Kinetic energy in J.
    pub fn kinetic_energy(&self, state: &NodeState) -> f64 {
        let nodes = self.masses.iter().zip(&state.velocities);
        nodes.map(|(&m, v)| 0.5 * f64::from(m) * v.as_dvec3().length_squared()).sum()
    }
}
