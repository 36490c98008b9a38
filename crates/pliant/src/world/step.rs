//! A step: everything moves on, in phases.

use super::forces::{Force, forces};
use super::{BodyScratch, StepScratch, Substep, World};
use crate::body::{Acting, Body, BodyHandle};
use crate::contact::{Collider, ContactStep, Participants};
use crate::par;
use crate::report::{PhaseTimes, StepReport, Timer};
use crate::tool::{self, LoadStep, Tool};
use glam::Vec3;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A substep is not longer than this, in seconds, unless there would be too many of them.
const LONGEST_SUBSTEP_SECS: f32 = 1.0 / 50.0;

impl World {
    /// Moves everything `dt_secs` seconds on. Never panics and never fails: what goes wrong is contained and reported.
    ///
    /// 1. tools   2. models   3. attachments, contacts, pins, containment   4. cuts   5. adapt   6. skins
    pub fn step(&mut self, dt_secs: f32) -> StepReport {
        par::inside(|| self.step_inside(dt_secs, None))
    }

    /// As [`step`](Self::step), with forces of the caller's own, in N on every node and asked for in every substep. What is not
    /// finite is contained like anything else. Bodies that are pushed do not sleep.
    pub fn step_with(&mut self, dt_secs: f32, force: &Force) -> StepReport {
        for (handle, body) in self.bodies.iter_mut().filter(|(_, body)| body.rests()) {
            if forces(handle, body, self.time_secs, force).any(|(_, push)| push != Vec3::ZERO) {
                body.wake();
            }
        }
        par::inside(|| self.step_inside(dt_secs, Some(force)))
    }

    fn step_inside(&mut self, dt_secs: f32, force: Option<&Force>) -> StepReport {
        let mut report = StepReport::default();
        let asked = self.substeps_for(dt_secs);
        let whole = dt_secs / asked as f32;
        if whole > 0.0 && whole.is_finite() {
            self.begin(dt_secs, &mut report);
            let substeps = self.find_pairs(dt_secs, asked, &mut report.ms);
            let h = dt_secs / substeps as f32;
            self.substep = Substep { whole, h };
            for number in 0..substeps {
                self.move_rigid(h, substeps - number);
                self.collect_loads(h, number == 0, force, &mut report.ms);
                self.hold(&mut report.ms);
                self.deform(substeps - number, &mut report.ms);
                self.hold_attached(h, &mut report.ms);
                self.touch(h, &mut report.ms);
                self.carry(h, &mut report.ms);
                self.collect_reactions(h, &mut report.ms);
                self.time_secs += f64::from(h);
                self.count(&mut report);
            }
            self.colliders.values_mut().for_each(Collider::arrive);
            self.tools.values_mut().for_each(|tool| tool.act_mut().arrive());
            self.bodies.values_mut().for_each(Body::arrive);
            self.reactions.close(&self.tools, &self.bodies, dt_secs);
            self.break_attachments(dt_secs);
            self.update_maps(&mut report.ms);
            report.cuts = self.make_cuts(&mut report.ms);
            self.adapt(&mut report);
            self.update_skins(&mut report.ms);
            self.settle(dt_secs, &mut report.ms);
            report.substeps = substeps;
            self.learn_cost(&mut report);
        } else {
            report.refused = true;
        }
        self.sum_up(&mut report);
        report
    }

    /// What comes before the first substep: tools follow the nodes they hold, what is not finite is contained, sleepers that
    /// something has changed for wake.
    fn begin(&mut self, dt_secs: f32, report: &mut StepReport) {
        self.follow_changes();
        self.scratch.fit(&self.bodies);
        self.contacts.begin(&self.bodies);
        // What was written into the nodes since the latest step must not reach their neighbours through a fit.
        let bad = AtomicUsize::new(0);
        self.for_each_awake(|_, body| {
            bad.fetch_add(body.contain(), Ordering::Relaxed);
        });
        report.contained += bad.into_inner();
        self.wake_disturbed(dt_secs);
        if self.bodies.values().any(Body::keeps_skin) {
            self.bodies.for_each_parallel(Body::keep_skin);
        }
        self.colliders.values_mut().for_each(|collider| collider.start(dt_secs));
        self.start_tools(dt_secs);
        self.start_driven(dt_secs);
        self.wake_held();
        self.wake_attached();
        self.make_maps_for_tools();
    }

    /// Makes the local maps that tools read, of bodies whose skin does not need them: those that the latest substep has left are of
    /// where its nodes were before it, and a world that was restored has none of them.
    fn make_maps_for_tools(&mut self) {
        let Self { bodies, tools, .. } = self;
        let read = tools.values().filter(|tool| tool.act().reads_maps()).filter_map(Tool::body);
        for handle in read {
            if let Some(body) = bodies.get_mut(handle).filter(|body| !body.is_asleep()) {
                body.make_maps_unless_made();
            }
        }
    }

    /// The substeps that a step of `dt_secs` is made of, whatever happens in it: those of the settings, and for a long step as many as
    /// keep materials from going soft, which pull once a substep.
    fn substeps_for(&self, dt_secs: f32) -> u32 {
        let needed = (dt_secs / LONGEST_SUBSTEP_SECS).ceil() as u32;
        self.settings.substeps.max(1).max(needed.min(self.settings.max_substeps))
    }

    /// Finds who can meet whom, and says how many substeps the step is made of: those asked for, or more.
    fn find_pairs(&mut self, dt_secs: f32, asked: u32, ms: &mut PhaseTimes) -> u32 {
        let _timer = Timer::new(&mut ms.contacts);
        let gravity = self.settings.gravity.length();
        self.contacts.filter.begin(&self.bodies, &self.colliders);
        self.find_attached();
        let needed = self.contacts.prepare(&mut self.bodies, dt_secs, gravity);
        // What is stiff is best met as often as it moves.
        let moving = self.bodies.values().filter(|body| !body.is_asleep() && !body.kinematic);
        let stiff = moving.map(|body| body.steps_needed(dt_secs)).max().unwrap_or(1);
        asked.max(needed.max(stiff).min(self.settings.max_substeps))
    }

    /// Tools set off to where they are to be moved in a step.
    fn start_tools(&mut self, dt_secs: f32) {
        self.reactions.start(&mut self.tools, &mut self.bodies, dt_secs);
    }

    /// Colliders, carriers and what holds nodes go on by themselves; there are `left` substeps with this one.
    fn move_rigid(&mut self, h: f32, left: u32) {
        self.colliders.values_mut().for_each(|collider| collider.advance(h));
        self.tools.values_mut().for_each(|tool| tool.act_mut().advance(h, left));
    }

    /// Loads of tools and forces of the caller's own, for the models to apply.
    fn collect_loads(&mut self, h: f32, first: bool, force: Option<&Force>, ms: &mut PhaseTimes) {
        let _timer = Timer::new(&mut ms.tools);
        let (tools, time_secs) = (&self.tools, self.time_secs);
        let step = LoadStep { h, time_secs, first };
        self.bodies.for_each_with_parallel(&mut self.scratch.bodies, |handle, body, scratch| {
            if body.is_asleep() || body.kinematic {
                return;
            }
            tool::load(handle, body, &mut scratch.loads, tools, &step, |body, loads| {
                for (node, push) in force.into_iter().flat_map(|force| forces(handle, body, time_secs, force))
                {
                    loads.push(node, push);
                }
            });
        });
    }

    /// Models move the nodes, of driven bodies what drives them; there are `left` substeps with this one.
    fn deform(&mut self, left: u32, ms: &mut PhaseTimes) {
        let _timer = Timer::new(&mut ms.models);
        let (Substep { whole, h }, gravity) = (self.substep, self.settings.gravity);
        let StepScratch { bodies, held, .. } = &mut self.scratch;
        self.bodies.for_each_with_parallel(bodies, |handle, body, scratch| {
            if body.kinematic && !body.is_asleep() {
                body.drive_on(left);
            } else if let Some(held) = held.get(handle).filter(|_| !body.is_asleep()) {
                let BodyScratch { loads, output } = scratch;
                let acting = Acting { held, loads: loads.loads(), gravity };
                body.deform(&acting, whole, h, output);
            }
        });
        for (handle, _) in self.bodies.iter() {
            if let (Some(held), Some(scratch)) = (held.get_mut(handle), bodies.get_mut(handle)) {
                held.add(&mut scratch.output.given);
            }
        }
    }

    /// The nodes that tools hold in this substep, and what others pull with.
    fn hold(&mut self, ms: &mut PhaseTimes) {
        let _timer = Timer::new(&mut ms.tools);
        let Self { reactions, tools, bodies, scratch, substep, .. } = self;
        reactions.hold(tools, bodies, &mut scratch.held);
        reactions.pull(tools, bodies, |body| Some(scratch.bodies.get(body)?.loads.loads()), substep.h);
    }

    /// Contacts, held nodes and containment.
    fn touch(&mut self, h: f32, ms: &mut PhaseTimes) {
        let _timer = Timer::new(&mut ms.contacts);
        let Self {
            bodies,
            colliders,
            tools,
            contacts,
            scratch: StepScratch { held, .. },
            settings,
            substep,
            ..
        } = self;
        let step = ContactStep { h, whole: substep.whole, rest_speed: settings.gravity.length() * h };
        let mut parts = Participants { bodies, colliders, held };
        contacts.touch(&mut parts, &step);
        contacts.sense(&parts, h);
        contacts.rigid_motions().for_each(|motion| tool::give_to_carriers(&motion, tools));
    }

    /// Rigid bodies carry the nodes that are held to them.
    fn carry(&mut self, h: f32, ms: &mut PhaseTimes) {
        let _timer = Timer::new(&mut ms.contacts);
        let Self { tools, bodies, colliders, reactions, scratch, .. } = self;
        reactions.weigh_carried(bodies, &mut scratch.held, -1.0);
        tool::carry(tools, bodies, colliders, h);
        reactions.weigh_carried(bodies, &mut scratch.held, 1.0);
    }

    /// What tools and attachments have held bodies with in a substep.
    fn collect_reactions(&mut self, h: f32, ms: &mut PhaseTimes) {
        let _timer = Timer::new(&mut ms.tools);
        self.reactions.collect(&self.tools, &self.bodies, &self.scratch.held, h);
    }

    /// Adds up what a substep counted.
    fn count(&mut self, report: &mut StepReport) {
        let counts = self.contacts.take_counts();
        report.contacts = counts.contacts;
        report.contained += counts.contained;
        for scratch in self.scratch.bodies.values_mut() {
            report.momentum_slip += std::mem::take(&mut scratch.output.momentum_slip);
        }
    }

    /// The local maps of the nodes, which at the end of a step are still those of its beginning.
    fn update_maps(&mut self, ms: &mut PhaseTimes) {
        let _timer = Timer::new(&mut ms.skins);
        self.for_each_awake(|_, body| body.update_maps());
    }

    /// Skins follow the nodes.
    fn update_skins(&mut self, ms: &mut PhaseTimes) {
        let _timer = Timer::new(&mut ms.skins);
        self.for_each_awake(|_, body| body.update_skin());
    }

    /// Events of contacts, and sleep for those that rest.
    fn settle(&mut self, dt_secs: f32, ms: &mut PhaseTimes) {
        let _timer = Timer::new(&mut ms.contacts);
        self.contacts.close(&self.bodies, &self.colliders, dt_secs);
        if self.never_sleeps() {
            self.bodies.values_mut().for_each(|body| body.sleep.slow_secs = 0.0);
        } else {
            self.contacts.settle(&mut self.bodies, &self.settings.sleep, dt_secs);
        }
    }

    /// How the world is after a step.
    fn sum_up(&self, report: &mut StepReport) {
        report.time_secs = self.time_secs;
        report.nodes = self.bodies.values().map(|body| body.nodes.positions.len()).sum();
        report.regions = self.bodies.values().map(|body| body.model.parts()).sum();
        report.asleep = self.bodies.values().filter(|body| body.is_asleep()).count();
    }

    /// Runs `work` on every body that does not sleep.
    fn for_each_awake(&mut self, work: impl Fn(BodyHandle, &mut Body) + Sync + Send) {
        self.bodies.for_each_handle_parallel(|handle, body| {
            if !body.is_asleep() {
                work(handle, body);
            }
        });
    }
}
