//! Everything that is simulated together.

use crate::adapt::{Around, Budget, Wishes, plan};
use crate::body::Body;
use crate::contact::{self, Collider, ColliderError, Contact, Contacts, Marks, Sleep};
use crate::cut::{CutEvent, Order};
use crate::ids::{Arena, Handle, NodeId, StaleHandle};
use crate::par;
use crate::report::{StepReport, timed};
use crate::selection::Selection;
use crate::tool::{Carrier, Loads, Pick, PickSettings, Pin, Push, Tool, ToolError, Wind};
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

/// A force in N on a node, as the caller of [`World::step_with`] wants it.
pub type Force<'a> = dyn Fn(&ForceAt) -> Vec3 + Sync + 'a;

/// A node that a force is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceAt {
    /// The body.
    pub body: BodyHandle,
    /// The node.
    pub node: NodeId,
    /// Where it is.
    pub position: DVec3,
    /// m/s
    pub velocity: Vec3,
    /// kg
    pub mass: f32,
    /// Simulated seconds since the world began.
    pub time_secs: f64,
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

    /// Moves everything `dt_secs` seconds on. Never panics and never fails: what goes wrong is contained and reported.
    ///
    /// 1. tools   2. models   3. contacts, pins, containment   4. cuts   5. adapt   6. skins
    pub fn step(&mut self, dt_secs: f32) -> StepReport {
        par::inside(|| self.step_inside(dt_secs, None))
    }

    /// As [`step`](Self::step), with forces of the caller's own, in N on every node and asked for in every substep. What is not
    /// finite is contained like anything else. Bodies that are pushed do not sleep.
    pub fn step_with(&mut self, dt_secs: f32, force: &Force) -> StepReport {
        for (handle, body) in self.bodies.iter_mut().filter(|(_, body)| body.is_asleep()) {
            if body.forces(handle, self.time_secs, force).any(|(_, push)| push != Vec3::ZERO) {
                body.wake();
            }
        }
        par::inside(|| self.step_inside(dt_secs, Some(force)))
    }

    fn step_inside(&mut self, dt_secs: f32, force: Option<&Force>) -> StepReport {
        let mut report = StepReport::default();
        let longest = dt_secs / self.settings.substeps.max(1) as f32;
        if !(longest > 0.0 && longest.is_finite()) {
            report.refused = true;
        } else {
            self.follow_changes();
            // What was written into the nodes since the last step must not reach their neighbours through a fit.
            self.for_each_awake(|_, body| body.tally.contained = body.contain());
            self.wake_disturbed(dt_secs);
            self.colliders.values_mut().for_each(|collider| collider.start(dt_secs));
            self.carriers_mut().for_each(|(_, carrier)| carrier.start());
            self.wake_carried();
            let mut substeps = self.settings.substeps.max(1);
            timed(&mut report.ms.contacts, || substeps = substeps.max(self.prepare_contacts(dt_secs)));
            let whole = dt_secs / self.settings.substeps.max(1) as f32;
            let h = dt_secs / substeps as f32;
            report.substeps = substeps;
            for substep in 0..substeps {
                self.colliders.values_mut().for_each(|collider| collider.advance(h));
                self.carriers_mut().for_each(|(_, carrier)| carrier.speed_up(h));
                timed(&mut report.ms.tools, || self.apply_tools(h, substep == 0, force));
                timed(&mut report.ms.models, || self.for_each_awake(|_, body| body.deform(whole, h)));
                timed(&mut report.ms.contacts, || {
                    self.touch(h);
                    self.carry(h);
                });
                self.time_secs += f64::from(h);
                self.tally(&mut report);
            }
            self.colliders.values_mut().for_each(Collider::arrive);
            timed(&mut report.ms.skins, || self.for_each_awake(|_, body| body.update_maps()));
            let mut ms = 0.0;
            timed(&mut ms, || self.make_cuts(&mut report));
            report.ms.cuts = ms;
            timed(&mut report.ms.adapt, || self.adapt());
            timed(&mut report.ms.skins, || self.for_each_awake(|_, body| body.update_skin()));
            timed(&mut report.ms.contacts, || self.settle(dt_secs));
            self.learn_cost(&report);
        }
        report.time_secs = self.time_secs;
        report.nodes = self.bodies.values().map(|body| body.nodes.positions.len()).sum();
        report.regions = self.bodies.values().map(|body| body.model.cost()).sum();
        report.asleep = self.bodies.values().filter(|body| body.is_asleep()).count();
        report
    }

    /// Runs `work` on every body that does not sleep.
    pub(crate) fn for_each_awake(&mut self, work: impl Fn(BodyHandle, &mut Body) + Sync + Send) {
        self.bodies.for_each_handle_parallel(|handle, body| {
            if !body.is_asleep() {
                work(handle, body);
            }
        });
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

    fn apply_tools(&mut self, h: f32, first: bool, force: Option<&Force>) {
        let (tools, gravity, time) = (&self.tools, self.settings.gravity, self.time_secs);
        let bounces = self.colliders.values().any(|collider| collider.restitution > 0.0);
        let by_bodies = self.bodies.values().any(|body| body.material.restitution > 0.0);
        let bounces = bounces || by_bodies;
        self.bodies.for_each_handle_parallel(|handle, body| {
            if body.is_asleep() {
                return;
            }
            let wind = |body: &Body, loads: &mut Loads| {
                for tool in tools.values() {
                    if let Tool::Wind(wind) = tool {
                        wind.load(body, loads, time);
                    }
                }
            };
            body.load((gravity, h, bounces), first.then_some(wind), |body, loads| {
                for (node, push) in force.into_iter().flat_map(|force| body.forces(handle, time, force)) {
                    loads.push(node, push);
                }
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

    fn tally(&mut self, report: &mut StepReport) {
        report.contacts = 0;
        for body in self.bodies.values_mut() {
            let tally = std::mem::take(&mut body.tally);
            report.contacts += tally.contacts;
            report.contained += tally.contained;
            report.momentum_slip += tally.momentum_slip;
        }
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

impl Body {
    /// What a caller's force does to each node.
    fn forces<'a>(
        &'a self,
        body: BodyHandle,
        time_secs: f64,
        force: &'a Force,
    ) -> impl Iterator<Item = (usize, Vec3)> + 'a {
        self.nodes.velocities.iter().zip(&self.rest().nodes.masses).enumerate().map(
            move |(node, (&velocity, &mass))| {
                let position = self.nodes.world_position(node);
                let at = ForceAt { body, node: NodeId(node as u32), position, velocity, mass, time_secs };
                (node, force(&at))
            },
        )
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
