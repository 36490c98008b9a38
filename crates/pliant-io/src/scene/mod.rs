//! Scenes: worlds with a name and a description, from a TOML file or from code.
//!
//! [`SceneFile`] is the description, [`Scene`] the world built from it, with the motions of its tools, colliders and kinematic bodies. `docs/scenes.md`
//! documents every key.

mod attachments;
mod build;
mod check;
mod colliders;
mod cutting;
mod driving;
mod error;
mod file;
mod motion;
mod overrides;
mod painting;
mod rigids;
mod shape;
mod surplus;

pub use attachments::AttachmentEntry;
pub use colliders::ColliderEntry;
pub use cutting::{CutEntry, CylinderEntry, EdgeKey, KnifeEntry, PlaneEntry, SphereEntry};
pub use error::SceneError;
pub use file::{
    BodyEntry, Camera, Copies, PickEntry, PinEntry, PushEntry, Rotation, SceneFile, ShapeEntry,
    StiffnessEntry, ToughnessEntry, WidthEntry, WindEntry,
};
pub use motion::{Key, Motion};
pub use overrides::set;
pub use rigids::{AttachEntry, RigidEntry, SceneState};

use colliders::MovingCollider;
use cutting::{Frame, MovingKnife, TimedCut};
use driving::DrivenBody;
use pliant::{StepReport, ToolHandle, World};
use pliant_rapier::Rigids;
use serde::{Deserialize, Serialize};

/// A world with a name and a description, and tools, colliders and kinematic bodies that move by themselves.
#[derive(Debug)]
pub struct Scene {
    /// What it is called.
    pub name: String,
    /// One line that says what there is to see.
    pub description: String,
    /// All that is soft, and colliders.
    pub world: World,
    /// Rigid bodies, if it has some.
    pub rigids: Option<Rigids>,
    /// Length of a frame in seconds.
    pub dt_secs: f32,
    /// Frames that a run has unless it is told otherwise.
    pub frames: u32,
    /// From where to look.
    pub camera: Option<Camera>,
    /// What was left out or put right in its mesh files, and what to know of its bodies, in plain words.
    pub warnings: Vec<String>,
    tools: Vec<MovingTool>,
    colliders: Vec<MovingCollider>,
    driven: Vec<DrivenBody>,
    knives: Vec<MovingKnife>,
    cuts: Vec<TimedCut>,
}

/// What a scene is besides its world: all that is needed, with a snapshot, to go on with it later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Script {
    name: String,
    description: String,
    dt_secs: f32,
    frames: u32,
    camera: Option<Camera>,
    tools: Vec<MovingTool>,
    colliders: Vec<MovingCollider>,
    driven: Vec<DrivenBody>,
    knives: Vec<MovingKnife>,
    cuts: Vec<TimedCut>,
}

impl Default for Script {
    fn default() -> Self {
        let (name, description) = (String::new(), String::new());
        Self {
            name,
            description,
            dt_secs: 1.0 / 60.0,
            frames: 300,
            camera: None,
            tools: Vec::new(),
            colliders: Vec::new(),
            driven: Vec::new(),
            knives: Vec::new(),
            cuts: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct MovingTool {
    handle: ToolHandle,
    start: pliant::glam::DVec3,
    motion: Motion,
    lock: bool,
}

impl Scene {
    /// What the scene is besides its world.
    pub fn script(&self) -> Script {
        Script {
            name: self.name.clone(),
            description: self.description.clone(),
            dt_secs: self.dt_secs,
            frames: self.frames,
            camera: self.camera,
            tools: self.tools.clone(),
            colliders: self.colliders.clone(),
            driven: self.driven.clone(),
            knives: self.knives.clone(),
            cuts: self.cuts.clone(),
        }
    }

    /// A scene that goes on with a world; if it had rigid bodies, they are to be given to it.
    pub fn resumed(script: Script, world: World) -> Self {
        let Script { name, description, dt_secs, frames, camera, tools, colliders, driven, knives, cuts } =
            script;
        let (warnings, rigids) = (Vec::new(), None);
        Self {
            name,
            description,
            world,
            rigids,
            dt_secs,
            frames,
            camera,
            warnings,
            tools,
            colliders,
            driven,
            knives,
            cuts,
        }
    }

    /// Moves the tools, colliders and kinematic bodies along their paths, asks for the cuts whose time has come, and moves the world one frame on.
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
        self.colliders.iter().for_each(|collider| collider.apply(&mut self.world, self.dt_secs));
        self.driven.iter().for_each(|body| body.apply(&mut self.world, self.dt_secs));
        let frame = Frame::next(&self.world, self.dt_secs);
        self.knives.iter_mut().for_each(|knife| knife.apply(frame, &mut self.world));
        self.cuts.iter().for_each(|cut| cut.apply(frame, &mut self.world));
        match &mut self.rigids {
            Some(rigids) => {
                let gravity = self.world.settings.gravity.to_array();
                rigids.physics.gravity = gravity.into();
                rigids.step(&mut self.world, self.dt_secs)
            }
            None => self.world.step(self.dt_secs),
        }
    }
}
