//! Kinematic bodies of a scene: they follow a path, and push and carry what touches them.

use super::{Motion, Scene, SceneError};
use pliant::glam::DVec3;
use pliant::{BodyHandle, World};
use serde::{Deserialize, Serialize};

/// A body that follows a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct DrivenBody {
    handle: BodyHandle,
    motion: Motion,
}

impl DrivenBody {
    /// Lets the next frame of `dt_secs` bring it along its path.
    pub fn apply(&self, world: &mut World, dt_secs: f32) {
        let now = world.time_secs();
        // One that a user took out in the meantime follows nothing any more.
        let Some(body) = world.body(self.handle).ok().filter(|body| body.kinematic) else { return };
        if self.motion.released(now) {
            if let Ok(body) = world.body_mut(self.handle) {
                body.kinematic = false;
            }
            return;
        }
        // As far as the path goes in the frame, from wherever it is: so it may be cut or become another model on its way.
        let by = (self.motion.at(now + f64::from(dt_secs)) - self.motion.at(now)).as_dvec3();
        if by != DVec3::ZERO {
            let origin = body.nodes.origin + by;
            let places: Vec<DVec3> = body.nodes.positions.iter().map(|x| origin + x.as_dvec3()).collect();
            // Only what is not finite is refused, and stays.
            let _ = world.drive(self.handle, &places);
        }
    }
}

impl Scene {
    /// Makes bodies kinematic that follow a path.
    ///
    /// # Errors
    /// If the path is none; `key` is that of the body.
    pub(super) fn drive(
        &mut self,
        key: &str,
        bodies: &[BodyHandle],
        motion: &Motion,
    ) -> Result<(), SceneError> {
        motion.check(&format!("{key}.driven"))?;
        for &handle in bodies {
            let body = self.world.body_mut(handle).map_err(|error| SceneError::new(key, error))?;
            body.kinematic = true;
            self.driven.push(DrivenBody { handle, motion: motion.clone() });
        }
        Ok(())
    }
}
