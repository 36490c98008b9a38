//! Everything that is simulated together.

use crate::adapt::{Around, Budget, Wishes, plan};
use crate::body::Body;
use crate::contact::{self, Collider, ColliderError, Contact};
use crate::cut::{CutEvent, Order};
use crate::ids::{Arena, Handle, StaleHandle};
use crate::par;
use crate::report::{StepReport, timed};
use crate::selection::Selection;
use crate::tool::{Loads, Pick, PickSettings, Pin, Push, Tool, ToolError, Wind};
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
    /// How many smaller steps a step is made of, 1 or more.
    ///
    /// A contact or a pin moves few nodes, and the rest of the body follows at the rate of one match a substep: with one substep
    /// of 1/60 s a body that stands on small feet sinks into itself by a quarter of a metre, with four by 2 cm.
    pub substeps: u32,
    /// What a frame may cost; bodies that adapt keep to it. `None` lets them have what their rules want.
    pub budget: Option<Budget>,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self { gravity: Vec3::new(0.0, -9.81, 0.0), substeps: 4, budget: None }
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

    /// Moves everything `dt_secs` seconds on. Never panics and never fails: what goes wrong is contained and reported.
    ///
    /// 1. tools   2. models   3. contacts, pins, containment   4. cuts   5. adapt   6. skins
    pub fn step(&mut self, dt_secs: f32) -> StepReport {
        par::inside(|| self.step_inside(dt_secs))
    }

    fn step_inside(&mut self, dt_secs: f32) -> StepReport {
        let mut report = StepReport::default();
        let substeps = self.settings.substeps.max(1);
        let h = dt_secs / substeps as f32;
        if !(h > 0.0 && h.is_finite()) {
            report.refused = true;
        } else {
            self.follow_changes();
            // What was written into the nodes since the last step must not reach their neighbours through a fit.
            self.bodies.for_each_parallel(|body| body.tally.contained = body.contain());
            for substep in 0..substeps {
                timed(&mut report.ms.tools, || self.apply_tools(h, substep == 0));
                timed(&mut report.ms.models, || self.bodies.for_each_parallel(|body| body.deform(h)));
                timed(&mut report.ms.contacts, || self.collide(h));
                self.time_secs += f64::from(h);
                self.tally(&mut report);
                self.bodies.values_mut().for_each(|body| body.tally.contained = 0);
            }
            timed(&mut report.ms.skins, || self.bodies.for_each_parallel(Body::update_maps));
            let mut ms = 0.0;
            timed(&mut ms, || self.make_cuts(&mut report));
            report.ms.cuts = ms;
            timed(&mut report.ms.adapt, || self.adapt());
            timed(&mut report.ms.skins, || self.bodies.for_each_parallel(Body::update_skin));
            self.learn_cost(&report);
        }
        report.time_secs = self.time_secs;
        report.nodes = self.bodies.values().map(|body| body.nodes.positions.len()).sum();
        report.regions = self.bodies.values().map(|body| body.model.cost()).sum();
        report
    }

    /// Makes cells finer and coarser as the bodies' rules want and the budget allows.
    fn adapt(&mut self) {
        let budget = self.settings.budget;
        if !self.bodies.values().any(|body| body.adaptivity.is_active(budget.is_some())) {
            return;
        }
        let tools = self.tool_places();
        let around = Around { tools: &tools, eye: self.eye };
        let wishes: Vec<Wishes> =
            self.bodies.values_mut().map(|body| Wishes::of(body, &around, budget.is_some())).collect();
        let nodes = self.bodies.values().map(|body| body.nodes.positions.len()).sum();
        let limit = budget.map(|budget| budget.nodes(self.node_ms));
        let changes = plan(&wishes, nodes, limit);
        for (body, changes) in self.bodies.values_mut().zip(&changes) {
            // Nodes of a plan are the body's own, so nothing can be wrong with them.
            let _ = body.resample(changes);
        }
        self.follow_changes();
    }

    /// Where tools that touch bodies are, and how far they reach.
    fn tool_places(&self) -> Vec<(DVec3, f32)> {
        let place = |tool: &Tool| match tool {
            Tool::Push(push) => Some((push.center, push.radius)),
            Tool::Pick(pick) => {
                let body = self.bodies.get(pick.body)?;
                Some((body.vertex_position(pick.vertex as usize), 0.0))
            }
            Tool::Knife(knife) => {
                Some((knife.middle(), (0.5 * knife.edge[0].distance(knife.edge[1])) as f32))
            }
            Tool::Pin(_) | Tool::Wind(_) => None,
        };
        self.tools.values().filter_map(place).collect()
    }

    /// Lets tools hold on to bodies whose nodes have changed.
    pub(crate) fn follow_changes(&mut self) {
        let Self { bodies, tools, .. } = self;
        for tool in tools.values_mut() {
            match tool {
                Tool::Pick(pick) => {
                    if let Some(body) = bodies.get(pick.body) {
                        pick.follow(body);
                    }
                }
                Tool::Pin(pin) => {
                    if let Some(body) = bodies.get(pin.body) {
                        pin.follow(body);
                    }
                }
                Tool::Push(_) | Tool::Wind(_) | Tool::Knife(_) => {}
            }
        }
        bodies.values_mut().for_each(|body| body.changes.clear());
    }

    /// What a node costs in a step, smoothed, for budgets in milliseconds.
    fn learn_cost(&mut self, report: &StepReport) {
        let nodes: usize = self.bodies.values().map(|body| body.nodes.positions.len()).sum();
        let ms = (report.ms.total() - report.ms.adapt - report.ms.cuts) / nodes.max(1) as f64;
        self.node_ms = if self.node_ms == 0.0 { ms } else { self.node_ms + 0.1 * (ms - self.node_ms) };
    }

    fn apply_tools(&mut self, h: f32, first: bool) {
        let (tools, gravity, time) = (&self.tools, self.settings.gravity, self.time_secs);
        let bounces = self.colliders.values().any(|collider| collider.restitution > 0.0);
        self.bodies.for_each_handle_parallel(|handle, body| {
            let wind = |body: &Body, loads: &mut Loads| {
                for tool in tools.values() {
                    if let Tool::Wind(wind) = tool {
                        wind.load(body, loads, time);
                    }
                }
            };
            body.load((gravity, h, bounces), first.then_some(wind), |body, loads| {
                for tool in tools.values() {
                    match tool {
                        Tool::Pick(pick) if pick.body == handle => pick.load(body, loads),
                        Tool::Push(push) => push.load(body, loads, h),
                        Tool::Pick(_) | Tool::Pin(_) | Tool::Wind(_) | Tool::Knife(_) => {}
                    }
                }
            });
        });
    }

    fn collide(&mut self, h: f32) {
        let (colliders, tools) = (&self.colliders, &self.tools);
        let rest_speed = self.settings.gravity.length() * h;
        self.bodies.for_each_handle_parallel(|handle, body| {
            let rest = body.rest().clone();
            let surroundings = contact::Surroundings { radius: rest.nodes.radius, h, rest_speed };
            let (material, before) = (body.material, (&body.arrivals[..], &rest.nodes.reaches[..]));
            body.tally.contacts =
                contact::collide(&mut body.nodes, before, &material, colliders.values(), &surroundings);
            for tool in tools.values() {
                match tool {
                    Tool::Pin(pin) if pin.body == handle => pin.hold(&mut body.nodes),
                    _ => {}
                }
            }
            body.tally.contained += body.contain();
        });
    }

    fn tally(&self, report: &mut StepReport) {
        report.contacts = self.bodies.values().map(|body| body.tally.contacts).sum();
        report.contained += self.bodies.values().map(|body| body.tally.contained).sum::<usize>();
        report.momentum_slip += self.bodies.values().map(|body| body.tally.momentum_slip).sum::<DVec3>();
    }

    /// A number that two worlds share only if all their nodes have the same positions and velocities, bit for bit.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv::default();
        for body in self.bodies.values() {
            body.nodes.origin.to_array().iter().for_each(|v| hash.write(v.to_bits()));
            let vectors = body.nodes.positions.iter().chain(&body.nodes.velocities);
            vectors.flat_map(|v| v.to_array()).for_each(|v| hash.write(u64::from(v.to_bits())));
        }
        hash.0
    }

    /// Kinetic, gravitational and elastic energy in J; `h` is the step that the elastic part is stated for.
    pub fn energy(&self, h: f32) -> Energy {
        let gravity = self.settings.gravity.as_dvec3();
        let mut energy = Energy::default();
        for body in self.bodies.values() {
            let rest = &body.rest().nodes;
            energy.kinetic += rest.kinetic_energy(&body.nodes);
            energy.potential -= rest.total_mass * gravity.dot(body.center_of_mass());
            energy.elastic += body.model.elastic_energy(rest, &body.material, h);
        }
        energy
    }
}

/// Energy in J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Energy {
    /// ½ m v²
    pub kinetic: f64,
    /// −m g·x
    pub potential: f64,
    /// Of the springs that the goals are.
    pub elastic: f64,
}

impl Energy {
    /// All together.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

/// FNV-1a over 64-bit words: the same on every machine and in every version.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn write(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
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

    /// A body, to change.
    ///
    /// # Errors
    /// If it is not there.
    pub fn body_mut(&mut self, handle: BodyHandle) -> Result<&mut Body, StaleHandle> {
        self.bodies.get_mut(handle).ok_or_else(|| stale("body", handle))
    }

    /// All bodies.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyHandle, &Body)> {
        self.bodies.iter()
    }

    /// All bodies, to change.
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Body> {
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
        let body = self.body(body)?;
        let rest = &body.rest().nodes;
        Ok(contact::touching(&body.nodes, &rest.reaches, rest.radius, self.colliders.values()))
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
        let pick = Pick::new(body, self.body(body)?, vertex, settings)?;
        Ok(self.tools.insert(Tool::Pick(pick)))
    }

    /// Holds nodes of a body where they are.
    ///
    /// # Errors
    /// If the body is not there or nothing is selected.
    pub fn pin(&mut self, body: BodyHandle, selection: &Selection) -> Result<ToolHandle, ToolError> {
        let pin = Pin::new(body, self.body(body)?, selection)?;
        Ok(self.tools.insert(Tool::Pin(pin)))
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
        self.tool_mut(tool)?.move_to(position.into())
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
        picks.into_iter().for_each(|pick| drop(self.tools.remove(pick)));
    }

    /// Takes a tool out.
    ///
    /// # Errors
    /// If it is not there.
    pub fn remove_tool(&mut self, tool: ToolHandle) -> Result<Tool, StaleHandle> {
        self.tools.remove(tool).ok_or_else(|| stale("tool", tool))
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
