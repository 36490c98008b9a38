//! Scenes: worlds with a name and a description, from a TOML file or from code.
//!
//! [`SceneFile`] is the description, [`Scene`] the world built from it, with the motions of its tools. `docs/scenes.md`
//! documents every key.

mod build;
mod check;
mod error;
mod file;
mod motion;
mod overrides;
mod shape;
mod surplus;

pub use error::SceneError;
pub use file::{
    BodyEntry, Camera, ColliderEntry, Copies, PickEntry, PinEntry, PushEntry, Rotation, SceneFile,
    ShapeEntry, WidthEntry, WindEntry,
};
pub use motion::{Key, Motion};
pub use overrides::set;

use pliant::{StepReport, ToolHandle, World};

/// A world with a name and a description, and tools that move by themselves.
#[derive(Debug)]
pub struct Scene {
    /// What it is called.
    pub name: String,
    /// One line that says what there is to see.
    pub description: String,
    /// Everything that is simulated.
    pub world: World,
    /// Length of a frame in seconds.
    pub dt_secs: f32,
    /// Frames that a run has unless it is told otherwise.
    pub frames: u32,
    /// From where to look.
    pub camera: Option<Camera>,
    /// What was left out or put right in its mesh files, in plain words.
    pub warnings: Vec<String>,
    tools: Vec<MovingTool>,
}

#[derive(Debug)]
struct MovingTool {
    handle: ToolHandle,
    start: pliant::glam::DVec3,
    motion: Motion,
    lock: bool,
}

impl Scene {
    /// Moves the tools along their paths and the world one frame on.
    pub fn step(&mut self) -> StepReport {
        let time = self.world.time_secs();
        for tool in &self.tools {
            // A tool that a user took out in the meantime needs no moving any more.
            if tool.motion.released(time) {
                let _ = self.world.remove_tool(tool.handle);
                continue;
            }
            if !tool.motion.path.is_empty() {
                if tool.lock {
                    let _ = self.world.lock(tool.handle, false);
                }
                let _ = self.world.move_tool(tool.handle, tool.start + tool.motion.at(time).as_dvec3());
            }
            if tool.lock {
                let _ = self.world.lock(tool.handle, true);
            }
        }
        self.world.step(self.dt_secs)
    }
}
