//! What tools do to a body in a substep.

use super::Tool;
use crate::body::{Body, BodyHandle};
use crate::ids::Arena;
use crate::nodes::Loads;
use glam::Vec3;

/// What tools keep beside a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoadScratch {
    loads: Loads,
    /// Dampers that stay the same for the whole step: strength in kg/s and the velocity that each node is drawn to.
    dampers: Vec<(f32, Vec3)>,
}

impl LoadScratch {
    /// What tools do to the body in this substep.
    pub fn loads(&self) -> &Loads {
        &self.loads
    }
}

/// A substep, for loads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoadStep {
    /// Its length in seconds.
    pub h: f32,
    /// Simulated seconds since the world began.
    pub time_secs: f64,
    /// Whether it is the first of its step.
    pub first: bool,
}

/// Collects the loads of tools on a body and those that `more` adds, for its model to apply.
///
/// What stays the same for a step is asked for at the first substep alone: the wind blows on the surface, whose maps are made
/// once a step, and its gusts are longer than that.
pub(crate) fn load(
    handle: BodyHandle,
    body: &Body,
    scratch: &mut LoadScratch,
    tools: &Arena<Tool>,
    step: &LoadStep,
    more: impl FnOnce(&Body, &mut Loads),
) {
    let LoadScratch { loads, dampers } = scratch;
    let on_it = || tools.values().filter(|tool| tool.body().is_none_or(|body| body == handle));
    loads.clear(body.nodes.positions.len());
    if step.first {
        on_it().for_each(|tool| tool.act().load_step(body, loads, step.time_secs));
        loads.keep_dampers(&body.nodes.velocities, dampers);
    } else {
        loads.add_dampers(dampers, &body.nodes.velocities);
    }
    more(body, loads);
    on_it().for_each(|tool| tool.act().load(body, loads, step.h));
}
