//! A rapier world together with what couples it, as one thing that can be kept.

use crate::Coupling;
use pliant::{StepReport, World};
use rapier3d::dynamics::CCDSolver;
use rapier3d::pipeline::{CollisionPipeline, PhysicsPipeline, PhysicsWorld};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A rapier world together with what couples it to a Pliant world.
///
/// A clone kept beside a [`Snapshot`](pliant::Snapshot) of the Pliant world goes on with it bit for bit.
#[derive(Default, Serialize, Deserialize)]
pub struct Rigids {
    /// The rigid bodies.
    pub physics: PhysicsWorld,
    /// What couples them.
    pub coupling: Coupling,
}

impl Rigids {
    /// Moves both worlds on; see [`Coupling::step`].
    pub fn step(&mut self, world: &mut World, dt_secs: f32) -> StepReport {
        self.coupling.step(world, &mut self.physics, dt_secs)
    }
}

impl Clone for Rigids {
    fn clone(&self) -> Self {
        let from = &self.physics;
        // Pipelines are room to work in and have nothing to keep.
        let physics = PhysicsWorld {
            gravity: from.gravity,
            integration_parameters: from.integration_parameters,
            physics_pipeline: PhysicsPipeline::new(),
            collision_pipeline: CollisionPipeline::new(),
            islands: from.islands.clone(),
            broad_phase: from.broad_phase.clone(),
            narrow_phase: from.narrow_phase.clone(),
            bodies: from.bodies.clone(),
            colliders: from.colliders.clone(),
            impulse_joints: from.impulse_joints.clone(),
            multibody_joints: from.multibody_joints.clone(),
            soft_bodies: from.soft_bodies.clone(),
            ccd_solver: CCDSolver::new(),
        };
        Self { physics, coupling: self.coupling.clone() }
    }
}

impl fmt::Debug for Rigids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bodies = self.physics.bodies.len();
        f.debug_struct("Rigids").field("bodies", &bodies).field("coupling", &self.coupling).finish()
    }
}
