//! Rigid bodies of another engine, as far as soft ones push them about.
//!
//! Several colliders, and carriers of nodes, can stand for one rigid body: what one of them gets, all get.

use super::Collider;
use crate::ids::Arena;
use glam::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// The inertia of a collider that bodies push about.
///
/// Contacts change the collider's `velocity` and `spin` and are added up in `impulse` and `angular_impulse`, for an engine of
/// rigid bodies to take over. Gravity and other colliders are that engine's business.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rigid {
    /// 1/kg, above 0.
    pub inverse_mass: f32,
    /// Inverse of the inertia about the centre of mass, in the world's axes, 1/(kg m²).
    pub inverse_inertia: Mat3,
    /// Centre of mass relative to the collider's position, in the world's axes, in metres.
    pub centre: Vec3,
    /// The rigid body that it stands for, any number; several colliders and [carriers](crate::Carrier) of the same number move as one.
    /// 0 stands for itself alone.
    pub body: u64,
    /// What else speeds it up during a step, gravity above all, in m/s²: without it, what rests on a body would fall freely
    /// for a step before it is held.
    pub acceleration: Vec3,
    /// What bodies gave it in the latest step, in kg m/s.
    pub impulse: Vec3,
    /// The same about its centre of mass, in kg m²/s.
    pub angular_impulse: Vec3,
}

impl Rigid {
    /// Of a mass and an inertia, with nothing received yet.
    pub fn new(inverse_mass: f32, inverse_inertia: Mat3, centre: Vec3) -> Self {
        Self {
            inverse_mass,
            inverse_inertia,
            centre,
            body: 0,
            acceleration: Vec3::ZERO,
            impulse: Vec3::ZERO,
            angular_impulse: Vec3::ZERO,
        }
    }
}

/// How a rigid body moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RigidMotion {
    /// The rigid body, as in [`Rigid::body`].
    pub body: u64,
    /// Of its centre of mass, in m/s.
    pub velocity: Vec3,
    /// rad/s
    pub spin: Vec3,
}

impl RigidMotion {
    /// Whether something with this key stands for the rigid body. What has the key 0 stands for itself alone.
    pub fn is_of(&self, key: u64) -> bool {
        key != 0 && key == self.body
    }

    /// Gives all colliders that stand for the rigid body its motion.
    pub fn give_to_colliders(&self, colliders: &mut Arena<Collider>) {
        let stand_for_it = |c: &&mut Collider| c.rigid.is_some_and(|rigid| self.is_of(rigid.body));
        for collider in colliders.values_mut().filter(stand_for_it) {
            (collider.velocity, collider.spin) = (self.velocity, self.spin);
        }
    }
}
