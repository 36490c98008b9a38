//! A step: everything moves on, in phases.

use super::{BodyHandle, Substep, World};
use crate::adapt::{Wishes, plan};
use crate::body::Body;
use crate::contact::Collider;
use crate::ids::NodeId;
use crate::model::adapt::Around;
use crate::nodes::Loads;
use crate::par;
use crate::report::{StepReport, timed};
use crate::tool::Tool;
use glam::{DVec3, Vec3};

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

impl World {
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
        let whole = dt_secs / self.settings.substeps.max(1) as f32;
        if !(whole > 0.0 && whole.is_finite()) {
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
            let h = dt_secs / substeps as f32;
            self.substep = Substep { whole, h };
            report.substeps = substeps;
            for substep in 0..substeps {
                self.colliders.values_mut().for_each(|collider| collider.advance(h));
                self.carriers_mut().for_each(|(_, carrier)| carrier.speed_up(h));
                timed(&mut report.ms.tools, || self.apply_tools(h, substep == 0, force));
                timed(&mut report.ms.models, || self.deform(whole, h));
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
        report.regions = self.bodies.values().map(|body| body.model.parts()).sum();
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

    /// Lets the models move the nodes.
    fn deform(&mut self, whole: f32, h: f32) {
        let gravity = self.settings.gravity;
        self.for_each_awake(|_, body| body.deform(&[], gravity, whole, h));
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
        let (tools, time) = (&self.tools, self.time_secs);
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
            body.load(bounces, first.then_some(wind), |body, loads| {
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
