//! Everything that is simulated together.

mod adapting;
mod attaching;
mod cutting;
mod driving;
mod filtering;
mod forces;
mod queries;
pub mod snapshot;
mod state;
mod step;
mod tools;
mod waking;

pub use crate::body::BodyHandle;
pub use crate::contact::ColliderHandle;
pub use crate::tool::ToolHandle;
pub(crate) use cutting::Order;
pub use cutting::{Cause, CutError, CutEvent, Parted};
pub use driving::DriveError;
pub use forces::{Force, ForceAt};
pub use queries::{QueryFilter, QueryHit, QueryTarget, RayHit};
pub use state::Energy;

use crate::adapt::{Budget, Pace};
use crate::body::{Body, Stepping};
use crate::contact::{Collider, ColliderError, Contacts, Marks, Sleep};
use crate::ids::{Arena, Handle, Side, StaleHandle};
use crate::model::StepOutput;
use crate::nodes::HeldNodes;
use crate::tool::{BrokenAttachment, LoadScratch, Reactions, Ties, Tool};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

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
    /// How many substeps fast bodies, stiff ones and steps longer than 1/50 s may ask for beyond [`substeps`](Self::substeps). Where more
    /// were needed, what is very thin and very fast passes through what is as thin, and models make more steps than contacts do.
    pub max_substeps: u32,
    /// What a frame may cost; bodies that adapt keep to it. `None` lets them have what their rules want.
    pub budget: Option<Budget>,
    /// When bodies that rest are left out of steps.
    pub sleep: Sleep,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, -9.81, 0.0),
            substeps: 4,
            max_substeps: 8,
            budget: None,
            sleep: Sleep::default(),
        }
    }
}

impl WorldSettings {
    /// The steps of a world with these settings, for [`Body::warnings`].
    pub fn stepping(&self, dt_secs: f32) -> Stepping {
        let substeps = self.substeps.max(1);
        let most_substeps = substeps.max(self.max_substeps);
        Stepping { gravity: self.gravity.length(), dt_secs, substeps, most_substeps }
    }
}

/// How long a substep is, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Substep {
    /// As the settings have it.
    whole: f32,
    /// As fast bodies need it.
    h: f32,
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
    time_secs: f64,
    /// How long the substeps of the latest step were.
    substep: Substep,
    eye: Option<DVec3>,
    /// What steps cost, for budgets in milliseconds.
    pace: Pace,
    bodies: Arena<Body>,
    colliders: Arena<Collider>,
    tools: Arena<Tool>,
    /// Cuts to be made at the end of the next step.
    orders: Vec<Order>,
    /// What the latest step cut.
    cuts: Vec<CutEvent>,
    /// Attachments that let go in it.
    broken: Vec<BrokenAttachment>,
    /// What tools hold bodies with.
    reactions: Reactions,
    /// Who touches whom.
    contacts: Contacts,
    /// What the latest step found that bodies may have fallen asleep on.
    marks: Marks,
    /// What phases keep beside the bodies.
    scratch: StepScratch,
}

/// What phases keep, most of it beside each body, from one step to the next for its memory.
#[derive(Debug, Default)]
struct StepScratch {
    /// What tools and models keep.
    bodies: Side<BodyScratch>,
    /// The nodes that tools hold in this substep.
    held: Side<HeldNodes>,
    /// What attachments keep.
    ties: Ties,
    /// The balls in which no body sleeps, by center and radius in metres.
    wakeful: Vec<(DVec3, f32)>,
}

/// What tools and models keep beside a body.
#[derive(Debug, Default)]
struct BodyScratch {
    /// Loads of tools.
    loads: LoadScratch,
    /// What the model's step came to in this substep.
    output: StepOutput,
}

impl StepScratch {
    /// Makes room beside all bodies.
    fn fit(&mut self, bodies: &Arena<Body>) {
        self.bodies.fit(bodies, |_| BodyScratch::default());
        self.held.fit(bodies, |_| HeldNodes::default());
    }
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
    pub fn add_body(&mut self, mut body: Body) -> BodyHandle {
        // What it was cut from is elsewhere.
        body.whole = None;
        self.bodies.insert(body)
    }

    /// Takes a body out, with the picks, pins and attachments on it.
    ///
    /// # Errors
    /// If it is not there.
    pub fn remove_body(&mut self, handle: BodyHandle) -> Result<Body, StaleHandle> {
        self.contacts.wake_touching(&mut self.bodies, handle);
        let body = self.bodies.remove(handle).ok_or_else(|| stale("body", handle))?;
        self.contacts.filter.forget(handle.into());
        let on_it = |tool: &Tool| tool.bodies().any(|body| body == handle);
        let tools: Vec<ToolHandle> = self.tools.iter().filter(|(_, t)| on_it(t)).map(|(h, _)| h).collect();
        tools.into_iter().for_each(|tool| drop(self.remove_tool(tool)));
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
        let collider = self.colliders.remove(handle).ok_or_else(|| stale("collider", handle))?;
        self.contacts.filter.forget(handle.into());
        Ok(collider)
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

    /// All colliders.
    pub fn colliders(&self) -> impl Iterator<Item = (ColliderHandle, &Collider)> {
        self.colliders.iter()
    }
}

fn stale<T>(kind: &'static str, handle: Handle<T>) -> StaleHandle {
    StaleHandle { kind, handle: format!("{handle:?}") }
}
