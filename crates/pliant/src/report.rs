//! What a step did.

use crate::adapt::StepCost;
use glam::DVec3;
use serde::Serialize;
use web_time::Instant;

/// What a step did, what it cost and what had to be contained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StepReport {
    /// Simulated seconds since the world began, after the step.
    pub time_secs: f64,
    /// Simulated points of all bodies.
    pub nodes: usize,
    /// Shape matches, springs or elements of all bodies.
    pub regions: usize,
    /// Places where bodies touched colliders, each other or themselves in the last substep.
    pub contacts: usize,
    /// Smaller steps that the step was made of.
    pub substeps: u32,
    /// Bodies that rest and were left out.
    pub asleep: usize,
    /// Blades that cut.
    pub cuts: usize,
    /// Nodes that were not finite, or flew off, and were put back.
    pub contained: usize,
    /// Momentum in kg m/s that the forces inside bodies added by rounding; it should be none.
    pub momentum_slip: DVec3,
    /// The step length was not a positive finite number, so nothing was done.
    pub refused: bool,
    /// Wall-clock milliseconds of each phase.
    pub ms: PhaseTimes,
    /// What of it was for nodes and what for their changes, as budgets in milliseconds learn it.
    pub cost: StepCost,
}

/// Wall-clock milliseconds of each phase of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PhaseTimes {
    /// Forces of tools.
    pub tools: f64,
    /// Models.
    pub models: f64,
    /// Contacts, pins and containment.
    pub contacts: f64,
    /// Cuts.
    pub cuts: f64,
    /// Refining and coarsening.
    pub adapt: f64,
    /// Skins.
    pub skins: f64,
}

impl PhaseTimes {
    /// All phases together.
    pub fn total(&self) -> f64 {
        self.tools + self.models + self.contacts + self.cuts + self.adapt + self.skins
    }

    /// The phases by name, in the order of a step.
    pub fn named(&self) -> [(&'static str, f64); 6] {
        [
            ("tools", self.tools),
            ("models", self.models),
            ("contacts", self.contacts),
            ("cuts", self.cuts),
            ("adapt", self.adapt),
            ("skins", self.skins),
        ]
    }
}

/// Adds the milliseconds from its making to its end to the time of a phase.
#[derive(Debug)]
pub(crate) struct Timer<'a> {
    ms: &'a mut f64,
    start: Instant,
}

impl<'a> Timer<'a> {
    /// Begins to measure.
    pub fn new(ms: &'a mut f64) -> Self {
        Self { ms, start: Instant::now() }
    }
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        *self.ms += self.start.elapsed().as_secs_f64() * 1e3;
    }
}
