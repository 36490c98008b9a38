//! Colliders of a scene: what they look like, and how they move by themselves.

use super::build::{Figures, figure, read_file, turn};
use super::{Motion, Rotation, SceneError};
use pliant::glam::{DVec3, Vec3};
use pliant::math::quat_from_scaled_axis;
use pliant::{Collider, ColliderHandle, CollisionGroups, MeshShape, Shape, Surface, TriMesh, World};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A collider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ColliderEntry {
    /// What it looks like. Give this, or `mesh`, or `figure`.
    pub shape: Option<Shape>,
    /// A mesh file, relative to the scene file.
    pub mesh: Option<String>,
    /// A figure of Pliant's own, by name.
    pub figure: Option<String>,
    /// How much larger than its mesh or figure it is; 1 unless given.
    pub scale: Option<f32>,
    /// How thick a mesh is that is not closed, in metres; a hundredth of its size unless given.
    pub thickness: Option<f32>,
    /// Where it is.
    pub position: DVec3,
    /// How it is turned.
    pub rotation: Option<Rotation>,
    /// Coulomb friction.
    pub friction: f32,
    /// Restitution in [0, 1].
    pub restitution: f32,
    /// Coefficient of rolling friction in meters.
    pub rolling_friction: f32,
    /// Coefficient of spinning friction in meters.
    pub spinning_friction: f32,
    /// How fast it moves, in m/s.
    pub velocity: Vec3,
    /// How fast it turns about its position, in rad/s.
    pub spin: Vec3,
    /// How it moves by itself.
    pub motion: Motion,
    /// The groups that it is in, and those of the bodies that it touches.
    pub groups: CollisionGroups,
    /// Whether it only notices bodies, which go through it.
    pub sensor: bool,
}

impl Default for ColliderEntry {
    fn default() -> Self {
        Self {
            shape: None,
            mesh: None,
            figure: None,
            scale: None,
            thickness: None,
            position: DVec3::ZERO,
            rotation: None,
            friction: 0.5,
            restitution: 0.0,
            rolling_friction: 0.0,
            spinning_friction: 0.0,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            motion: Motion::default(),
            groups: CollisionGroups::default(),
            sensor: false,
        }
    }
}

impl ColliderEntry {
    /// A collider at the origin.
    pub fn new(shape: Shape) -> Self {
        Self { shape: Some(shape), ..Self::default() }
    }

    /// Puts it into the world, and returns how it moves if it has a motion.
    pub(super) fn add_to(
        &self,
        world: &mut World,
        key: &str,
        folder: &Path,
        figures: Figures,
        warnings: &mut Vec<String>,
    ) -> Result<Option<MovingCollider>, SceneError> {
        self.motion.check(&format!("{key}.motion"))?;
        if !self.motion.path.is_empty() && self.velocity != Vec3::ZERO {
            let message = "the collider may have only one of velocity and a path";
            return Err(SceneError::new(format!("{key}.velocity"), message));
        }
        let rotation = turn(key, self.rotation.as_ref())?;
        let (shape, offset) = self.shape(key, folder, figures, warnings)?;
        let start = self.position + rotation.as_dquat() * offset;
        let collider = Collider {
            rotation,
            surface: Surface {
                friction: self.friction,
                restitution: self.restitution,
                rolling_friction: self.rolling_friction,
                spinning_friction: self.spinning_friction,
            },
            groups: self.groups,
            sensor: self.sensor,
            ..Collider::new(shape).at(start).moving(self.velocity, self.spin)
        };
        let handle = world.add_collider(collider).map_err(|error| {
            let what = if error.what == "shape" { self.source() } else { error.what };
            SceneError::new(format!("{key}.{what}"), error)
        })?;
        let moves = self.motion != Motion::default();
        Ok(moves.then(|| MovingCollider { handle, start, spin: self.spin, motion: self.motion.clone() }))
    }

    /// The key that its shape comes from.
    fn source(&self) -> &'static str {
        match (&self.mesh, &self.figure) {
            (Some(_), _) => "mesh",
            (_, Some(_)) => "figure",
            _ => "shape",
        }
    }

    /// The shape, and where its zero is from the collider's.
    fn shape(
        &self,
        key: &str,
        folder: &Path,
        figures: Figures,
        warnings: &mut Vec<String>,
    ) -> Result<(Shape, DVec3), SceneError> {
        let mesh = match (&self.mesh, &self.shape, &self.figure) {
            (Some(file), None, None) => read_file(key, file, folder, warnings)?,
            (None, None, Some(name)) => figure(key, name, figures)?,
            (None, Some(shape), None) => {
                for (name, given) in [("scale", self.scale), ("thickness", self.thickness)] {
                    if given.is_some() {
                        let message =
                            format!("{name} is for a mesh or a figure; a shape has its own lengths");
                        return Err(SceneError::new(format!("{key}.{name}"), message));
                    }
                }
                return Ok((shape.clone(), DVec3::ZERO));
            }
            (None, None, None) => {
                return Err(SceneError::new(key, "the collider needs one of shape, mesh or figure"));
            }
            _ => {
                return Err(SceneError::new(key, "the collider may have only one of shape, mesh and figure"));
            }
        };
        for (name, given) in [("scale", self.scale), ("thickness", self.thickness)] {
            if let Some(value) = given.filter(|value| !(*value > 0.0 && value.is_finite())) {
                let message = format!("{name} is {value}; it must be above 0");
                return Err(SceneError::new(format!("{key}.{name}"), message));
            }
        }
        let scale = self.scale.unwrap_or(1.0);
        let TriMesh { origin, positions, triangles, .. } = mesh;
        let positions: Vec<Vec3> = positions.into_iter().map(|p| p * scale).collect();
        let shape = MeshShape::new(positions, triangles);
        let shape = match self.thickness {
            Some(thickness) => shape.thickness(thickness),
            None => shape,
        };
        Ok((Shape::Mesh(shape), origin * f64::from(scale)))
    }
}

/// A collider that moves along a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MovingCollider {
    handle: ColliderHandle,
    start: DVec3,
    spin: Vec3,
    motion: Motion,
}

impl MovingCollider {
    /// Lets the next frame of `dt_secs` bring it to where it is to be then.
    pub fn apply(&self, world: &mut World, dt_secs: f32) {
        let now = world.time_secs();
        // One that a user took out in the meantime needs no moving any more.
        if self.motion.released(now) {
            let _ = world.remove_collider(self.handle);
            return;
        }
        let Ok(collider) = world.collider_mut(self.handle) else { return };
        if !self.motion.path.is_empty() {
            let by = self.motion.at(now + f64::from(dt_secs));
            // A move ends every other motion, so the turning is part of it.
            let turn = quat_from_scaled_axis(self.spin * dt_secs);
            collider.move_to(self.start + by.as_dvec3(), (turn * collider.rotation).normalize());
        }
    }
}
