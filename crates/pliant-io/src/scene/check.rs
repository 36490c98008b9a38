//! What the values of a scene must be, beyond what the engine asks of them.

use super::{BodyEntry, Camera, Motion, PickEntry, PushEntry, SceneError, SceneFile, WindEntry};
use std::f32::consts::PI;

/// Substeps of a frame: more are a slip of the finger, and a frame would take minutes.
const MOST_SUBSTEPS: u32 = 1000;

fn require(ok: bool, key: impl Into<String>, message: &str) -> Result<(), SceneError> {
    if ok { Ok(()) } else { Err(SceneError::new(key, message)) }
}

impl SceneFile {
    /// Checks what holds for the whole scene.
    pub(super) fn check(&self) -> Result<(), SceneError> {
        let substeps = self.world.substeps;
        let range = format!("{substeps} substeps; there must be 1 to {MOST_SUBSTEPS}");
        require((1..=MOST_SUBSTEPS).contains(&substeps), "world.substeps", &range)?;
        require(self.world.gravity.is_finite(), "world.gravity", "gravity must be finite")?;
        let dt_secs = self.dt_secs.unwrap_or(1.0);
        let substep = dt_secs / substeps as f32;
        let message = "the length of a frame must be above 0, also after division into substeps";
        require(substep > 0.0 && dt_secs.is_finite(), "dt_secs", message)?;
        self.camera.map_or(Ok(()), |camera| camera.check())
    }
}

impl Camera {
    fn check(&self) -> Result<(), SceneError> {
        require(self.eye.is_finite(), "camera.eye", "it must be finite")?;
        require(self.target.is_finite(), "camera.target", "it must be finite")?;
        let apart = (self.eye - self.target).as_vec3();
        let apart = apart.is_finite() && apart.length_squared() > 0.0;
        require(
            apart,
            "camera.target",
            "the camera must look at another place than it is at, not too far off",
        )?;
        let fov = self.fov_y_radians;
        require(fov > 0.0 && fov < PI, "camera.fov_y_radians", "it must be between 0 and π, in radians")
    }
}

impl BodyEntry {
    pub(super) fn check(&self, key: &str) -> Result<(), SceneError> {
        require(self.velocity.is_finite(), format!("{key}.velocity"), "it must be finite")?;
        require(self.spin.is_finite(), format!("{key}.spin"), "it must be finite")?;
        let spacing = self.copies.is_none_or(|copies| copies.spacing.is_finite());
        require(spacing, format!("{key}.copies.spacing"), "it must be finite")
    }
}

impl PickEntry {
    pub(super) fn check(&self, key: &str) -> Result<(), SceneError> {
        require(self.at.is_none_or(|at| at.is_finite()), format!("{key}.at"), "it must be finite")
    }
}

impl PushEntry {
    pub(super) fn check(&self, key: &str) -> Result<(), SceneError> {
        require(self.center.is_finite(), format!("{key}.center"), "it must be finite")
    }
}

pub(super) fn wind(entry: &WindEntry, key: &str) -> Result<(), SceneError> {
    require(entry.velocity.is_finite(), format!("{key}.velocity"), "it must be finite")
}

impl Motion {
    /// Checks the motion of the tool that `key` names.
    pub(super) fn check(&self, key: &str) -> Result<(), SceneError> {
        for (i, step) in self.path.iter().enumerate() {
            let key = format!("{key}.motion.path[{i}]");
            require(step.time_secs.is_finite(), format!("{key}.time_secs"), "it must be finite")?;
            require(step.by.is_finite(), format!("{key}.by"), "it must be finite")?;
            let before = i.checked_sub(1).map(|i| self.path[i].time_secs);
            if let Some(before) = before.filter(|before| step.time_secs <= *before) {
                let message = format!(
                    "the times of a path must rise, but {} s is not after {before} s",
                    step.time_secs
                );
                return Err(SceneError::new(format!("{key}.time_secs"), message));
            }
        }
        let release = self.release_secs.is_none_or(|secs| secs >= 0.0 && secs.is_finite());
        require(release, format!("{key}.motion.release_secs"), "it must be 0 or more")
    }
}
