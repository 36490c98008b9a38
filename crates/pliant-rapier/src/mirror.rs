//! Colliders that Pliant has of its own, as rapier feels them.

use crate::convert::{back, pose_back};
use crate::{Coupling, rapier_shape};
use pliant::{ColliderHandle, World};
use rapier3d::dynamics::{RigidBodyBuilder, RigidBodyHandle};
use rapier3d::geometry::ColliderBuilder;
use rapier3d::pipeline::PhysicsWorld;
use serde::{Deserialize, Serialize};

/// A collider of Pliant and the body that is its image in rapier.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Mirror {
    ours: ColliderHandle,
    pub theirs: RigidBodyHandle,
}

impl Coupling {
    /// Lets rigid bodies feel a collider that the Pliant world has of its own, wherever it moves: it becomes a kinematic body of the
    /// rapier world, which goes when the collider goes. `None` if the collider is not there.
    pub fn mirror(
        &mut self,
        world: &World,
        physics: &mut PhysicsWorld,
        collider: ColliderHandle,
    ) -> Option<RigidBodyHandle> {
        let ours = world.collider(collider).ok()?;
        let shape = ColliderBuilder::new(rapier_shape(&ours.shape)?)
            .friction(ours.surface.friction)
            .restitution(ours.surface.restitution);
        let body = RigidBodyBuilder::kinematic_position_based()
            .pose(pose_back(ours.position, ours.rotation))
            .linvel(back(ours.velocity));
        let (theirs, _) = physics.insert(body, shape);
        self.mirrors.push(Mirror { ours: collider, theirs });
        Some(theirs)
    }

    /// Sends the images to where the colliders are after Pliant's step.
    pub(crate) fn move_mirrors(&mut self, world: &World, physics: &mut PhysicsWorld) {
        self.mirrors.retain(|mirror| {
            match (world.collider(mirror.ours), physics.bodies.contains(mirror.theirs)) {
                (Ok(ours), true) => {
                    let pose = pose_back(ours.position, ours.rotation);
                    let moved =
                        physics.bodies.get(mirror.theirs).is_some_and(|body| *body.position() != pose);
                    // One that stands still may let what lies on it sleep.
                    if moved && let Some(body) = physics.bodies.get_mut(mirror.theirs) {
                        body.set_next_kinematic_position(pose);
                    }
                    true
                }
                _ => {
                    physics.remove_body(mirror.theirs);
                    false
                }
            }
        });
    }
}
