//! Rigid bodies of a scene.

use super::build::turn;
use super::{Rotation, Scene, SceneError};
use pliant::glam::{DVec3, Vec3};
use pliant::{BodyHandle, Selection, Shape, Snapshot};
use pliant_rapier::rapier3d::math::{Pose, Rotation as RapierRotation, Vector};
use pliant_rapier::rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder};
use pliant_rapier::{AttachError, Rigids, rapier_shape};
use serde::{Deserialize, Serialize};

/// A rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RigidEntry {
    /// What it looks like.
    pub shape: Shape,
    /// Where it is at first.
    #[serde(default)]
    pub position: DVec3,
    /// How it is turned at first.
    pub rotation: Option<Rotation>,
    /// How fast it flies at first, in m/s.
    #[serde(default)]
    pub velocity: Vec3,
    /// How fast it spins at first, in rad/s.
    #[serde(default)]
    pub spin: Vec3,
    /// kg/m³, above 0.
    #[serde(default = "default_density")]
    pub density: f32,
    /// Coulomb friction.
    #[serde(default = "default_friction")]
    pub friction: f32,
    /// Restitution in [0, 1].
    #[serde(default)]
    pub restitution: f32,
    /// Nodes of a soft body that it carries.
    pub attach: Option<AttachEntry>,
}

/// Nodes of a soft body that a rigid one carries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttachEntry {
    /// The soft body's name; all its copies are carried.
    pub body: String,
    /// Which nodes.
    pub members: Selection,
}

fn default_density() -> f32 {
    1000.0
}

fn default_friction() -> f32 {
    0.5
}

impl RigidEntry {
    /// A body at the origin.
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            position: DVec3::ZERO,
            rotation: None,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            density: default_density(),
            friction: default_friction(),
            restitution: 0.0,
            attach: None,
        }
    }

    fn check(&self, key: &str) -> Result<(), SceneError> {
        let fits = |holds: bool, name: &str, message: &str| {
            if holds { Ok(()) } else { Err(SceneError::new(format!("{key}.{name}"), message)) }
        };
        fits(
            !matches!(self.shape, Shape::Plane | Shape::Heightfield(_)),
            "shape",
            "it has no end, so it has no mass; make it a collider",
        )?;
        fits(self.position.is_finite(), "position", "it must be finite")?;
        fits(self.velocity.is_finite(), "velocity", "it must be finite")?;
        fits(self.spin.is_finite(), "spin", "it must be finite")?;
        fits(self.density > 0.0 && self.density.is_finite(), "density", "it must be above 0")?;
        fits(self.friction >= 0.0 && self.friction.is_finite(), "friction", "it must be 0 or more")?;
        fits((0.0..=1.0).contains(&self.restitution), "restitution", "it must be in [0, 1]")
    }

    /// Puts it into the scene; `soft` are the bodies that it is to carry nodes of.
    pub(super) fn add_to(&self, scene: &mut Scene, key: &str, soft: &[BodyHandle]) -> Result<(), SceneError> {
        self.check(key)?;
        let rotation = turn(key, self.rotation.as_ref())?;
        let shape_key = || format!("{key}.shape");
        self.shape.validate().map_err(|fault| SceneError::new(shape_key(), fault))?;
        let shape = rapier_shape(&self.shape)
            .ok_or_else(|| SceneError::new(shape_key(), "rapier cannot make a body of it"))?;
        let Scene { world, rigids, .. } = scene;
        let rigids = rigids.get_or_insert_with(|| {
            let mut rigids = Rigids::default();
            // The scene's colliders are there for rigid bodies too.
            let colliders: Vec<_> = world.colliders().map(|(handle, _)| handle).collect();
            for collider in colliders {
                rigids.coupling.mirror(world, &mut rigids.physics, collider);
            }
            rigids
        });
        let vector = |v: Vec3| Vector::from_array(v.to_array());
        let turned = RapierRotation::from_array(rotation.to_array());
        let body = RigidBodyBuilder::dynamic()
            .pose(Pose::from_parts(vector(self.position.as_vec3()), turned))
            .linvel(vector(self.velocity))
            .angvel(vector(self.spin))
            .ccd_enabled(true);
        let collider = ColliderBuilder::new(shape)
            .density(self.density)
            .friction(self.friction)
            .restitution(self.restitution);
        let (handle, _) = rigids.physics.insert(body, collider);
        for &soft in soft {
            let Some(attach) = &self.attach else { continue };
            rigids.coupling.attach(world, &rigids.physics, soft, &attach.members, handle).map_err(
                |error| match error {
                    AttachError::Tool(error) => SceneError::new(format!("{key}.attach.members"), error),
                    AttachError::NoSuchRigid(_) => SceneError::new(key, error),
                },
            )?;
        }
        // Colliders are there from the first picture on.
        rigids.coupling.couple(world, &rigids.physics).map_err(|error| SceneError::new(shape_key(), error))
    }
}

/// A moment of a scene, to go back to: its world and its rigid bodies.
#[derive(Clone, Debug)]
pub struct SceneState {
    /// The world.
    pub world: Snapshot,
    /// Its rigid bodies, if it has some.
    pub rigids: Option<Rigids>,
}

impl Scene {
    /// Keeps world and rigid bodies as they are.
    pub fn keep(&self) -> SceneState {
        SceneState { world: self.world.snapshot(), rigids: self.rigids.clone() }
    }

    /// Goes back to what was kept.
    pub fn restore(&mut self, state: &SceneState) {
        self.world.restore(&state.world);
        self.rigids.clone_from(&state.rigids);
    }
}
