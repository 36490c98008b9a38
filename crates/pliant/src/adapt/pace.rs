//! What steps and changes cost on this machine, and what a budget in milliseconds therefore has room for.
//!
//! Nodes cost in every step, changes once. So they are learned apart: the price of nodes from steps that come after one
//! without changes (what a change has made anew is then in the caches again), the price of changes from the time that changing
//! took. A frame has the budget, less what its nodes cost, to spend on changes; what is too dear for one frame is saved up for.
//!
//! Prices are means of the middle half of the latest measurements: a frame in which the machine was busy with something else is
//! not believed. And between *enough* and *too many* nodes nothing is done, so a scene that has settled stays as it is.

use super::Load;
use serde::Serialize;

/// What a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StepCost {
    /// Wall-clock milliseconds of everything but cuts and changes of nodes.
    pub millis: f64,
    /// The work that was, see [`Simulate::work`](crate::model::Simulate::work).
    pub work: f64,
    /// Wall-clock milliseconds of changes of nodes.
    pub change_millis: f64,
    /// The work that those were, in the same units; 0 if there were none.
    pub change_work: f64,
    /// Whether bodies were cut.
    pub cut: bool,
}

/// What steps and changes cost on this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Milliseconds for a unit of work in every step.
    nodes: Price<LATEST>,
    /// Milliseconds for a unit of the work of changes.
    changes: Price<7>,
    /// The latest step changed nodes, or cut bodies.
    unsettled: bool,
    /// Whether there were too few nodes or too many, and it is not yet enough of either.
    trend: Trend,
    /// Prices of nodes that were learned since the latest change.
    since: usize,
    /// Milliseconds that frames have left over for changes since the latest.
    saved: f64,
}

/// Where the number of nodes is going.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Trend {
    #[default]
    Settled,
    Growing,
    Shrinking,
}

/// What a frame has room for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Room {
    /// Nodes.
    pub nodes: usize,
    /// Work of changes that fits into what this frame has left.
    pub now: f64,
    /// Work of changes that fits into what this and earlier frames have left.
    pub saved: f64,
}

impl Room {
    /// For so many nodes, whatever changes cost.
    pub fn of_nodes(nodes: usize) -> Self {
        Self { nodes, now: f64::INFINITY, saved: f64::INFINITY }
    }
}

/// Parts of the budget that nodes may cost: less than the first is too few, more than the whole budget is too many, and the second
/// is where both end. Apart by more than what noise makes of prices, and short of the whole so that changes need not wait long.
const TOO_FEW: f32 = 0.72;
const ENOUGH: f32 = 0.86;
/// Measurements that the price of nodes is the mean of: half a second of steps.
const LATEST: usize = 31;
/// Measurements without which a price is not known: the first steps of a world are dearer.
const FIRST: usize = 3;
/// Part of the budget that changes get, even if nodes cost all of it: else nothing would ever get better.
const LEAST: f64 = 0.1;
/// Frames within which changes that bring nodes back into the budget pay for themselves.
const REPAID: f64 = 20.0;

impl Pace {
    /// Learns from a step.
    pub fn learn(&mut self, cost: &StepCost) {
        if cost.work > 0.0 && !self.unsettled {
            self.nodes.learn(cost.millis / cost.work);
            self.since += 1;
        }
        if cost.change_work > 0.0 {
            self.changes.learn(cost.change_millis / cost.change_work);
            (self.saved, self.since) = (0.0, 0);
        }
        self.unsettled = cost.change_work > 0.0 || cost.cut;
    }

    /// How many nodes there may be so that a step takes these milliseconds when all bodies are awake; `None` if nothing is known
    /// yet, or nothing can be changed.
    pub fn nodes_in(&self, millis: f32, load: &Load) -> Option<usize> {
        let Load { adaptive, fixed, .. } = load;
        if adaptive.work <= 0.0 {
            return None;
        }
        let left = f64::from(millis) / self.nodes.middle(FIRST)? - fixed.work;
        let nodes = left.max(0.0) * adaptive.nodes as f64 / adaptive.work;
        Some((nodes as usize).saturating_add(fixed.nodes))
    }

    /// How many nodes there should be in a budget: those there are, unless they are too many or too few.
    pub fn nodes_for(&mut self, millis: f32, load: &Load) -> Option<usize> {
        let in_part = |part: f32| self.nodes_in(part * millis, load);
        let (few, enough, all) = (in_part(TOO_FEW)?, in_part(ENOUGH)?, in_part(1.0)?);
        let nodes = load.nodes();
        // What a step costs whatever there is makes few nodes look dearer than many are. So a trend goes on until all that is
        // known was learned from as many nodes as there are.
        let known = self.since >= LATEST;
        self.trend = match self.trend {
            _ if nodes < few => Trend::Growing,
            _ if nodes > all => Trend::Shrinking,
            Trend::Growing if nodes + 7 <= enough || !known => Trend::Growing,
            Trend::Shrinking if nodes > enough || !known => Trend::Shrinking,
            _ => Trend::Settled,
        };
        Some(match self.trend {
            Trend::Settled => nodes,
            Trend::Growing => nodes.max(enough),
            Trend::Shrinking => nodes.min(enough),
        })
    }

    /// What the next changes of nodes may be and cost.
    pub(crate) fn room(&mut self, millis: f32, load: &Load) -> Room {
        // While nothing is known, nothing changes; and after a change a step is waited for that the price of nodes shows in.
        let still = Room { nodes: load.nodes(), now: 0.0, saved: 0.0 };
        let (Some(nodes), Some(price)) = (self.nodes_for(millis, load), self.nodes.middle(FIRST)) else {
            return still;
        };
        let budget = f64::from(millis);
        let left = budget - price * load.awake;
        // To be over the budget costs in every frame: what many of them cost may be spent on it in one.
        let left = if left < 0.0 { -REPAID * left } else { left }.max(LEAST * budget);
        self.saved += left;
        if self.unsettled {
            return Room { nodes, ..still };
        }
        // Before the first change, a machine is as slow with changes as it is with nodes.
        let price = self.changes.middle(1).unwrap_or(price);
        Room { nodes, now: left / price, saved: self.saved / price }
    }
}

/// The mean of the middle half of the latest measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Price<const N: usize> {
    measured: [f64; N],
    count: usize,
}

impl<const N: usize> Default for Price<N> {
    fn default() -> Self {
        Self { measured: [0.0; N], count: 0 }
    }
}

impl<const N: usize> Price<N> {
    fn learn(&mut self, price: f64) {
        if price.is_finite() {
            self.measured[self.count % N] = price;
            self.count += 1;
        }
    }

    /// `None` if there are fewer than `least`.
    fn middle(&self, least: usize) -> Option<f64> {
        let mut known = self.measured;
        let known = &mut known[..self.count.min(N)];
        known.sort_by(f64::total_cmp);
        let middle = &known[known.len() / 4..known.len() - known.len() / 4];
        (known.len() >= least.max(1)).then(|| middle.iter().sum::<f64>() / middle.len() as f64)
    }
}
