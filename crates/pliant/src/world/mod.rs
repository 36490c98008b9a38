//! Everything that is simulated together.

mod state;
mod step;

pub use state::Energy;
pub use step::{Force, ForceAt};

use crate::adapt::Budget;
use crate::body::Body;
use crate::contact::{self, Collider, ColliderError, Contact, Contacts, Marks, Sleep};
use crate::cut::{CutEvent, Order};
use crate::ids::{Arena, Handle, StaleHandle};
use crate::selection::Selection;
use crate::tool::{Carrier, Pick, PickSettings, Pin, Push, Tool, ToolError, Wind};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Names a body of a world.
pub type BodyHandle = Handle<Body>;
/// Names a collider of a world.
pub type ColliderHandle = Handle<Collider>;
/// Names a tool of a world.
pub type ToolHandle = Handle<Tool>;

/// What holds for the whole world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorldSettings {
    /// m/s²
    pub gravity: Vec3,
    /// How many smaller steps a step is made of, 1 or more. It is made of more where bodies are so fast that they would pass
    /// through each other.
    ///
    /// A contact or a pin moves few nodes, and the rest of the body follows at the rate of one match a substep: with one substep
    /// of 1/60 s a body that stands on small feet sinks into itself by a quarter of a metre, with four by 2 cm.
    pub substeps: u32,
    /// What a frame may cost; bodies that adapt keep to it. `None` lets them have what their rules want.
    pub budget: Option<Budget>,
    /// When bodies that rest are left out of steps.
    pub sleep: Sleep,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self { gravity: Vec3::new(0.0, -9.81, 0.0), substeps: 4, budget: None, sleep: Sleep::default() }
    }
}

/// How long a substep is, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Substep {
    /// As the settings have it.
    pub whole: f32,
    /// As fast bodies need it.
    pub h: f32,
}

impl Default for Substep {
    /// That of a world left as it is, at 60 frames per second.
    fn default() -> Self {
        Self { whole: 1.0 / 240.0, h: 1.0 / 240.0 }
    }
}

/// Bodies, colliders and tools, and the time.
///
/// The same sequence of calls gives the same bits on any number of threads.
#[derive(Debug, Default)]
pub struct World {
    /// What holds for the whole world; may be changed between steps.
    pub settings: WorldSettings,
    pub(crate) time_secs: f64,
    /// How long the substeps of the latest step were.
    pub(crate) substep: Substep,
    pub(crate) eye: Option<DVec3>,
    /// Milliseconds that a node costs in a step; 0 until one was made.
    pub(crate) node_ms: f64,
    pub(crate) bodies: Arena<Body>,
    pub(crate) colliders: Arena<Collider>,
    pub(crate) tools: Arena<Tool>,
    /// Cuts to be made at the end of the next step.
    pub(crate) orders: Vec<Order>,
    /// What the latest step cut.
    pub(crate) cuts: Vec<CutEvent>,
    /// Who touches whom.
    pub(crate) contacts: Contacts,
    /// What the latest step found that bodies may have fallen asleep on.
    pub(crate) marks: Marks,
}

impl World {
    /// An empty world with gravity.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty world.
    pub fn with_settings(settings: WorldSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// What a frame may cost; bodies that adapt keep to it from the next step on.
    pub fn set_budget(&mut self, budget: Option<Budget>) {
        self.settings.budget = budget;
    }

    /// From where the world is looked at: bodies with a rule for it are finer near the viewer.
    pub fn look_from(&mut self, eye: Option<DVec3>) {
        self.eye = eye.filter(|eye| eye.is_finite());
    }

    /// Simulated seconds since the world began.
    pub fn time_secs(&self) -> f64 {
        self.time_secs
    }
}

/// Bodies.
impl World {
    /// Puts a body into the world.
    pub fn add_body(&mut self, body: Body) -> BodyHandle {
        self.bodies.insert(body)
    }

    /// Takes a body out, with the picks and pins on it.
    ///
    /// # Errors
    /// If it is not there.
    pub fn remove_body(&mut self, handle: BodyHandle) -> Result<Body, StaleHandle> {
        self.wake_touching(handle);
        let body = self.bodies.remove(handle).ok_or_else(|| stale("body", handle))?;
        let on_it = |tool: &Tool| match tool {
            Tool::Pick(pick) => pick.body == handle,
            Tool::Pin(pin) => pin.body == handle,
            Tool::Push(_) | Tool::Wind(_) | Tool::Knife(_) => false,
        };
        let tools: Vec<ToolHandle> = self.tools.iter().filter(|(_, t)| on_it(t)).map(|(h, _)| h).collect();
        tools.into_iter().for_each(|tool| drop(self.tools.remove(tool)));
        Ok(body)
    }

    /// A body.
    ///
    /// # Errors
    /// If it is not there.
    pub fn body(&self, handle: BodyHandle) -> Result<&Body, StaleHandle> {
        self.bodies.get(handle).ok_or_else(|| stale("body", handle))
    }

    /// A body, to change; it wakes.
    ///
    /// # Errors
    /// If it is not there.
    pub fn body_mut(&mut self, handle: BodyHandle) -> Result<&mut Body, StaleHandle> {
        let body = self.bodies.get_mut(handle).ok_or_else(|| stale("body", handle))?;
        body.wake();
        Ok(body)
    }

    /// All bodies.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyHandle, &Body)> {
        self.bodies.iter()
    }

    /// All bodies, to change; they wake.
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Body> {
        self.bodies.values_mut().for_each(Body::wake);
        self.bodies.values_mut()
    }
}

/// Colliders.
impl World {
    /// Puts a collider into the world.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn add_collider(&mut self, collider: Collider) -> Result<ColliderHandle, ColliderError> {
        collider.validate()?;
        Ok(self.colliders.insert(collider))
    }

    /// Takes a collider out.
    ///
    /// # Errors
    /// If it is not there.
    pub fn remove_collider(&mut self, handle: ColliderHandle) -> Result<Collider, StaleHandle> {
        self.colliders.remove(handle).ok_or_else(|| stale("collider", handle))
    }

    /// A collider.
    ///
    /// # Errors
    /// If it is not there.
    pub fn collider(&self, handle: ColliderHandle) -> Result<&Collider, StaleHandle> {
        self.colliders.get(handle).ok_or_else(|| stale("collider", handle))
    }

    /// A collider, to change.
    ///
    /// # Errors
    /// If it is not there.
    pub fn collider_mut(&mut self, handle: ColliderHandle) -> Result<&mut Collider, StaleHandle> {
        self.colliders.get_mut(handle).ok_or_else(|| stale("collider", handle))
    }

    /// Where a body touches colliders now.
    ///
    /// # Errors
    /// If the body is not there.
    pub fn contacts(&self, body: BodyHandle) -> Result<Vec<Contact>, StaleHandle> {
        Ok(contact::touching(self.body(body)?, self.colliders.values()))
    }

    /// All colliders.
    pub fn colliders(&self) -> impl Iterator<Item = (ColliderHandle, &Collider)> {
        self.colliders.iter()
    }
}

/// Tools.
impl World {
    /// Grabs a vertex of a body's skin; it is pulled to where it is until the pick is moved.
    ///
    /// # Errors
    /// If the body or the vertex is not there.
    pub fn pick(
        &mut self,
        body: BodyHandle,
        vertex: u32,
        settings: PickSettings,
    ) -> Result<ToolHandle, ToolError> {
        let pick = Pick::new(body, self.body_mut(body)?, vertex, settings)?;
        Ok(self.tools.insert(Tool::Pick(pick)))
    }

    /// Holds nodes of a body where they are.
    ///
    /// # Errors
    /// If the body is not there or nothing is selected.
    pub fn pin(&mut self, body: BodyHandle, selection: &Selection) -> Result<ToolHandle, ToolError> {
        let pin = Pin::new(body, self.body_mut(body)?, selection)?;
        Ok(self.tools.insert(Tool::Pin(pin)))
    }

    /// Holds nodes of a body to a rigid body, which carries them and feels them. Whoever moves the rigid body keeps the carrier
    /// up to date ([`World::carriers_mut`]).
    ///
    /// # Errors
    /// If the body is not there, nothing is selected, or a number of the carrier makes no sense.
    pub fn attach(
        &mut self,
        body: BodyHandle,
        selection: &Selection,
        carrier: Carrier,
    ) -> Result<ToolHandle, ToolError> {
        let pin = Pin::new(body, self.body_mut(body)?, selection)?.carried(carrier)?;
        Ok(self.tools.insert(Tool::Pin(pin)))
    }

    /// The carriers of all pins that have one, to change.
    pub fn carriers_mut(&mut self) -> impl Iterator<Item = (ToolHandle, &mut Carrier)> {
        self.tools.iter_mut().filter_map(|(handle, tool)| match tool {
            Tool::Pin(pin) => Some((handle, pin.carrier.as_mut()?)),
            _ => None,
        })
    }

    /// Puts a ball into the world that pushes bodies away.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn push(&mut self, push: Push) -> Result<ToolHandle, ToolError> {
        push.validate()?;
        Ok(self.tools.insert(Tool::Push(push)))
    }

    /// Lets the wind blow.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn wind(&mut self, wind: Wind) -> Result<ToolHandle, ToolError> {
        wind.validate()?;
        Ok(self.tools.insert(Tool::Wind(wind)))
    }

    /// Moves a tool: a pick's target, a push's centre, a knife, or how far pinned nodes are from where they were pinned.
    ///
    /// # Errors
    /// If it is not there or cannot be moved.
    pub fn move_tool(&mut self, tool: ToolHandle, position: impl Into<DVec3>) -> Result<(), ToolError> {
        let position = position.into();
        let tool = self.tool_mut(tool)?;
        let moves = tool.position() != Some(position);
        tool.move_to(position)?;
        if let Some(body) = tool.body().filter(|_| moves) {
            self.wake(body);
        }
        Ok(())
    }

    /// Locks a pick in place, or unlocks it.
    ///
    /// # Errors
    /// If it is not there or not a pick.
    pub fn lock(&mut self, tool: ToolHandle, locked: bool) -> Result<(), ToolError> {
        match self.tool_mut(tool)? {
            Tool::Pick(pick) => pick.locked = locked,
            other => return Err(ToolError::NotFor { tool: other.name(), action: "locked" }),
        }
        Ok(())
    }

    /// Lets go of all picks that are not locked.
    pub fn release_picks(&mut self) {
        let loose = |tool: &Tool| matches!(tool, Tool::Pick(pick) if !pick.locked);
        let picks: Vec<ToolHandle> = self.tools.iter().filter(|(_, t)| loose(t)).map(|(h, _)| h).collect();
        // They are there: they were just found.
        picks.into_iter().for_each(|pick| drop(self.remove_tool(pick)));
    }

    /// Takes a tool out.
    ///
    /// # Errors
    /// If it is not there.
    pub fn remove_tool(&mut self, tool: ToolHandle) -> Result<Tool, StaleHandle> {
        let removed = self.tools.remove(tool).ok_or_else(|| stale("tool", tool))?;
        if let Some(body) = removed.body() {
            self.wake(body);
        }
        Ok(removed)
    }

    /// A tool.
    ///
    /// # Errors
    /// If it is not there.
    pub fn tool(&self, tool: ToolHandle) -> Result<&Tool, StaleHandle> {
        self.tools.get(tool).ok_or_else(|| stale("tool", tool))
    }

    pub(crate) fn tool_mut(&mut self, tool: ToolHandle) -> Result<&mut Tool, StaleHandle> {
        self.tools.get_mut(tool).ok_or_else(|| stale("tool", tool))
    }

    /// All tools.
    pub fn tools(&self) -> impl Iterator<Item = (ToolHandle, &Tool)> {
        self.tools.iter()
    }
}

fn stale<T>(kind: &'static str, handle: Handle<T>) -> StaleHandle {
    StaleHandle { kind, handle: format!("{handle:?}") }
}
