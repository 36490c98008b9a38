//! Resolution that follows the action, within what a frame may cost.

use super::World;
use crate::adapt::{Wishes, plan};
use crate::model::adapt::Around;
use crate::report::{PhaseTimes, StepReport, Timer};
use glam::DVec3;

impl World {
    /// Makes cells finer and coarser as the bodies' rules want and the budget allows.
    pub(super) fn adapt(&mut self, ms: &mut PhaseTimes) {
        let _timer = Timer::new(&mut ms.adapt);
        let budget = self.settings.budget;
        if !self.bodies.values().any(|body| body.adaptivity.is_active(budget.is_some())) {
            return;
        }
        let tools = self.foci();
        let around = Around { tools: &tools, eye: self.eye };
        let wishes: Vec<Wishes> =
            self.bodies.values_mut().map(|body| Wishes::of(body, &around, budget.is_some())).collect();
        let limit = budget.map(|budget| budget.nodes(self.node_ms));
        let changes = plan(&wishes, self.node_count(), limit);
        for (body, changes) in self.bodies.values_mut().zip(&changes) {
            // Nodes of a plan are the body's own, so nothing can be wrong with them.
            let _ = body.resample(changes);
        }
        self.follow_changes();
    }

    /// Where tools that touch bodies are, and how far they reach.
    fn foci(&self) -> Vec<(DVec3, f32)> {
        let held = |body| self.bodies.get(body);
        self.tools.values().filter_map(|tool| tool.act().focus(tool.body().and_then(held))).collect()
    }

    /// Lets tools hold on to bodies whose nodes have changed.
    pub(super) fn follow_changes(&mut self) {
        let Self { bodies, tools, .. } = self;
        for tool in tools.values_mut() {
            if let Some(body) = tool.body().and_then(|body| bodies.get(body)) {
                tool.act_mut().follow(body);
            }
        }
        bodies.values_mut().for_each(|body| body.changes.clear());
    }

    /// Simulated points of all bodies.
    pub(super) fn node_count(&self) -> usize {
        self.bodies.values().map(|body| body.nodes.positions.len()).sum()
    }

    /// Nodes that the budget has room for.
    pub(super) fn room(&self) -> usize {
        let budget = self.settings.budget;
        budget.map_or(usize::MAX, |budget| budget.nodes(self.node_ms).saturating_sub(self.node_count()))
    }

    /// What a node costs in a step, smoothed, for budgets in milliseconds.
    pub(super) fn learn_cost(&mut self, report: &StepReport) {
        let ms = (report.ms.total() - report.ms.adapt - report.ms.cuts) / self.node_count().max(1) as f64;
        self.node_ms = if self.node_ms == 0.0 { ms } else { self.node_ms + 0.1 * (ms - self.node_ms) };
    }
}
