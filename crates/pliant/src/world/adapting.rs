//! Resolution that follows the action, within what a frame may cost.

use super::World;
use crate::adapt::{Budget, ChangeWork, Load, Room, Wishes, plan};
use crate::model::adapt::{Around, Changes};
use crate::par;
use crate::report::{StepReport, Timer};
use glam::DVec3;

impl World {
    /// Makes cells finer and coarser as the bodies' rules want and the budget allows.
    pub(super) fn adapt(&mut self, report: &mut StepReport) {
        let StepReport { ms, cost, .. } = report;
        let _timer = Timer::new(&mut ms.adapt);
        let load = Load::of(self.bodies.values());
        cost.work = load.awake();
        let budget = self.settings.budget;
        if !self.bodies.values().any(|body| body.adaptivity.is_active(budget.is_some())) {
            return;
        }
        let tools = self.foci();
        let around = Around { tools: &tools, eye: self.eye };
        let wishes: Vec<Wishes> =
            self.bodies.values_mut().map(|body| Wishes::of(body, &around, budget.is_some())).collect();
        let room = match budget {
            None => Room::of_nodes(usize::MAX),
            Some(Budget::Nodes(nodes)) => Room::of_nodes(nodes as usize),
            Some(Budget::Millis(millis)) => self.pace.room(millis, &load),
        };
        let prices: Vec<ChangeWork> = self.bodies.values().map(ChangeWork::of).collect();
        let changes = plan(&wishes, load.nodes(), &room, &prices);
        let _timer = Timer::new(&mut cost.change_millis);
        cost.change_work = self.change(&changes, &prices);
    }

    /// Changes the nodes of bodies, and all that follows from them, so that the next step does not pay for it. Returns the work
    /// that it was.
    fn change(&mut self, changes: &[Changes], prices: &[ChangeWork]) -> f64 {
        let bodies = self.bodies.values_mut().zip(changes).zip(prices);
        let mut wanted: Vec<_> = bodies.filter(|((_, changes), _)| changes.change_nodes()).collect();
        let mut work = vec![0.0; wanted.len()];
        par::for_each_pair(&mut wanted, &mut work, 1, |_, ((body, changes), price), work| {
            // Nodes of a plan are the body's own, so nothing can be wrong with them.
            if let Ok(true) = body.resample(changes) {
                body.border();
                *work = price.body + price.cell * (changes.refine.len() + changes.coarsen.len()) as f64;
            }
        });
        self.follow_changes();
        work.iter().sum()
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
            tool.act_mut().follow_both(bodies);
        }
        bodies.values_mut().for_each(|body| body.changes.clear());
    }

    /// Nodes that the budget has room for.
    pub(super) fn room(&self) -> usize {
        let load = Load::of(self.bodies.values());
        let nodes = match self.settings.budget {
            None => None,
            Some(Budget::Nodes(nodes)) => Some(nodes as usize),
            Some(Budget::Millis(millis)) => self.pace.nodes_in(millis, &load),
        };
        nodes.map_or(usize::MAX, |nodes| nodes.saturating_sub(load.nodes()))
    }

    /// Sums up what the step cost, and learns from it for budgets in milliseconds.
    pub(super) fn learn_cost(&mut self, report: &mut StepReport) {
        let StepReport { ms, cost, .. } = report;
        cost.millis = ms.total() - ms.cuts - cost.change_millis;
        cost.cut = report.cuts > 0;
        if let Some(Budget::Millis(_)) = self.settings.budget {
            self.pace.learn(cost);
        }
    }
}
