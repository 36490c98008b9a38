//! Resolution that follows the action, within what a frame may cost.

use super::World;
use crate::adapt::{Budget, Load, Wishes, plan};
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
        let load = Load::of(self.bodies.values());
        let limit = budget.map(|budget| budget.nodes(&load, &self.pace));
        let changes = plan(&wishes, load.nodes(), limit);
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

    /// Nodes that the budget has room for.
    pub(super) fn room(&self) -> usize {
        let Some(budget) = self.settings.budget else { return usize::MAX };
        let load = Load::of(self.bodies.values());
        budget.nodes(&load, &self.pace).saturating_sub(load.nodes())
    }

    /// Learns what steps cost, for budgets in milliseconds.
    pub(super) fn learn_cost(&mut self, report: &StepReport) {
        if let Some(Budget::Millis(_)) = self.settings.budget {
            let millis = report.ms.total() - report.ms.adapt - report.ms.cuts;
            self.pace.learn(millis, &Load::of(self.bodies.values()));
        }
    }
}
