//! What is known of a world as a whole: its hash and its energy.

use super::{BodyHandle, StaleHandle, Substep, World};
use crate::model::Level;
use serde::Serialize;

impl World {
    /// A number that two worlds share only if all their nodes have the same positions and velocities, bit for bit.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv::default();
        for body in self.bodies.values() {
            body.nodes.origin.to_array().iter().for_each(|v| hash.write(v.to_bits()));
            let vectors = body.nodes.positions.iter().chain(&body.nodes.velocities);
            vectors.flat_map(|v| v.to_array()).for_each(|v| hash.write(u64::from(v.to_bits())));
        }
        hash.0
    }

    /// Kinetic and gravitational energy in J, and the potential of what holds bodies together, for substeps as long as those of the
    /// latest step.
    pub fn energy(&self) -> Energy {
        let Substep { whole, h } = self.substep;
        let gravity = self.settings.gravity.as_dvec3();
        let mut energy = Energy::default();
        for body in self.bodies.values() {
            let rest = &body.rest().nodes;
            energy.kinetic += rest.kinetic_energy(&body.nodes);
            let weight = rest.total_mass * f64::from(body.gravity_scale);
            energy.potential -= weight * gravity.dot(body.center_of_mass());
            energy.elastic += body.elastic_energy(whole, h);
        }
        energy
    }

    /// The levels that a body's model works on, the finest first, with the energy of their regions now and the matches of the latest
    /// substep; empty if its model has no levels.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn levels(&self, body: BodyHandle) -> Result<Vec<Level>, StaleHandle> {
        let Substep { whole, h } = self.substep;
        Ok(self.body(body)?.levels(whole, h))
    }
}

/// Energy in J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Energy {
    /// ½ m v²
    pub kinetic: f64,
    /// −m g·x
    pub potential: f64,
    /// The potential of what holds bodies together.
    pub elastic: f64,
}

impl Energy {
    /// All together.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

/// FNV-1a over 64-bit words: the same on every machine and in every version.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn write(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
