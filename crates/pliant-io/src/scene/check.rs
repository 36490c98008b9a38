//! What the values of a scene must be, beyond what the engine asks of them.

use super::{BodyEntry, Camera, Motion, PickEntry, PushEntry, SceneError, SceneFile, WindEntry};
use pliant::{Budget, Rule, Selection};
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
        let most = self.world.max_substeps;
        let range = format!("{most} substeps; there must be 1 to {MOST_SUBSTEPS}");
        require((1..=MOST_SUBSTEPS).contains(&most), "world.max_substeps", &range)?;
        require(self.world.gravity.is_finite(), "world.gravity", "gravity must be finite")?;
        match self.world.budget {
            Some(Budget::Nodes(0)) => {
                return Err(SceneError::new(
                    "world.budget.nodes",
                    "a budget of 0 nodes; it must be 1 or more",
                ));
            }
            Some(Budget::Millis(ms)) if !(ms > 0.0 && ms.is_finite()) => {
                let message = format!("a budget of {ms} ms; it must be above 0 and finite");
                return Err(SceneError::new("world.budget.millis", message));
            }
            _ => {}
        }
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
        require(spacing, format!("{key}.copies.spacing"), "it must be finite")?;
        let is_color = |color: &Vec<f32>| {
            (3..=4).contains(&color.len()) && color.iter().all(|part| (0.0..=1.0).contains(part))
        };
        let message = "a colour is red, green, blue and perhaps opacity: 3 or 4 numbers in [0, 1]";
        require(self.cut_color.as_ref().is_none_or(is_color), format!("{key}.cut_color"), message)?;
        self.check_model(key)
    }

    fn check_model(&self, key: &str) -> Result<(), SceneError> {
        for (i, rule) in self.refine.iter().enumerate() {
            let key = format!("{key}.refine[{i}].{}", word(rule));
            rule.validate().map_err(|(name, value, range)| {
                SceneError::new(format!("{key}.{name}"), format!("{name} is {value}; it must be {range}"))
            })?;
            if let Rule::Region { within, .. } = rule {
                check_part(within, &format!("{key}.within"))?;
            }
        }
        for (i, entry) in self.widths.iter().enumerate() {
            let key = format!("{key}.widths[{i}]");
            check_part(&entry.within, &format!("{key}.within"))?;
            let message = format!("width is {}; it must be 0 or more", entry.width);
            require(entry.width >= 0.0 && entry.width.is_finite(), format!("{key}.width"), &message)?;
        }
        for (i, entry) in self.stiffness.iter().enumerate() {
            let key = format!("{key}.stiffness[{i}]");
            check_part(&entry.within, &format!("{key}.within"))?;
            let message = format!("times is {}; it must be from 0.001 to 1000", entry.times);
            require((1e-3..=1e3).contains(&entry.times), format!("{key}.times"), &message)?;
        }
        for (i, entry) in self.toughness.iter().enumerate() {
            let key = format!("{key}.toughness[{i}]");
            check_part(&entry.within, &format!("{key}.within"))?;
            let message = format!("tear is {}; it must be above 0", entry.tear);
            require(entry.tear > 0.0, format!("{key}.tear"), &message)?;
        }
        Ok(())
    }
}

/// What scene files call a rule.
fn word(rule: &Rule) -> &'static str {
    match rule {
        Rule::Everywhere { .. } => "everywhere",
        Rule::Surface { .. } => "surface",
        Rule::Features { .. } => "features",
        Rule::Region { .. } => "region",
        Rule::Viewer { .. } => "viewer",
        Rule::Strain { .. } => "strain",
        Rule::Tools { .. } => "tools",
    }
}

/// Checks that a selection says something of every place of a body, and not only of its nodes.
fn check_part(selection: &Selection, key: &str) -> Result<(), SceneError> {
    let numbers = match selection {
        Selection::All => return Ok(()),
        Selection::Box { min, max } => !(min.is_nan() || max.is_nan()),
        Selection::Sphere { center, radius } => center.is_finite() && *radius >= 0.0,
        Selection::Nodes(_) | Selection::Vertices(_) => {
            return Err(SceneError::new(key, "a part of a body is a box or a sphere, not nodes or vertices"));
        }
    };
    require(numbers, key, "its numbers must be finite, and a radius 0 or more")
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
    /// Checks the motion that `key` names.
    pub(super) fn check(&self, key: &str) -> Result<(), SceneError> {
        for (i, step) in self.path.iter().enumerate() {
            let key = format!("{key}.path[{i}]");
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
        require(release, format!("{key}.release_secs"), "it must be 0 or more")
    }
}
