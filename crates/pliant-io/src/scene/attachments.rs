//! Bodies of a scene that are held to each other.

use super::build::tool_error;
use super::{Motion, Scene, SceneError};
use pliant::glam::{DVec3, Vec3};
use pliant::{BodyHandle, Selection, World};
use serde::{Deserialize, Serialize};

/// A body that is held to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttachmentEntry {
    /// The body's name.
    pub body: String,
    /// Which of its nodes are held.
    pub members: Selection,
    /// The name of the body that they are held to. Of several copies each is held to its own.
    pub to: String,
    /// The nodes of that one around which they are held; all unless given.
    pub to_members: Option<Selection>,
    /// Hold them to the point of its surface that is nearest to this one of its mesh's coordinates instead.
    pub at: Option<Vec3>,
    /// N above which it lets go; never unless given.
    pub max_force: Option<f32>,
    /// When it lets go, in seconds; never unless given.
    pub release_secs: Option<f64>,
}

impl AttachmentEntry {
    /// Attaches the copies of one body to those of another.
    pub(super) fn add_to(
        &self,
        scene: &mut Scene,
        key: &str,
        [bodies, others]: [&[BodyHandle]; 2],
    ) -> Result<(), SceneError> {
        if self.to_members.is_some() && self.at.is_some() {
            return Err(SceneError::new(key, "an attachment may have only one of to_members and at"));
        }
        if others.len() != 1 && others.len() != bodies.len() {
            let fault = format!(
                "there are {} of {:?} and {} of {:?}; there must be as many, or one to hold all to",
                bodies.len(),
                self.body,
                others.len(),
                self.to
            );
            return Err(SceneError::new(format!("{key}.to"), fault));
        }
        for (&body, &other) in bodies.iter().zip(others.iter().cycle()) {
            let pair = [body, other];
            let tool = match self.at {
                None => {
                    let to = self.to_members.as_ref().unwrap_or(&Selection::All);
                    scene.world.attach_nodes(pair, [&self.members, to], self.max_force)
                }
                Some(at) => {
                    let point = in_world(&scene.world, other, at)
                        .ok_or_else(|| SceneError::new(format!("{key}.at"), "it must be finite"))?;
                    scene.world.attach_to_surface(pair, &self.members, point, self.max_force)
                }
            };
            let tool = tool.map_err(|error| tool_error(key, "", error))?;
            let motion = Motion { release_secs: self.release_secs, ..Motion::default() };
            scene.add_motion(key, tool, &motion, false)?;
        }
        Ok(())
    }
}

/// Where a point of a mesh's coordinates is, of a body that is not deformed yet.
fn in_world(world: &World, body: BodyHandle, at: Vec3) -> Option<DVec3> {
    let body = world.body(body).ok()?;
    let rest = body.rest();
    let out = at * rest.scale - rest.center - rest.nodes.middle;
    at.is_finite().then(|| body.center_of_mass() + (body.rotation() * out).as_dvec3())
}
