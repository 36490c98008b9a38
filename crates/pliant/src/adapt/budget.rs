//! What a frame may cost.

use crate::body::Body;
use serde::{Deserialize, Serialize};

/// What a frame may cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Budget {
    /// Simulated nodes of all bodies together. The same on every machine.
    Nodes(u32),
    /// Wall-clock milliseconds of a step: as many nodes as this machine can move in that time. Runs differ.
    Millis(f32),
}

/// What steps cost on this machine: milliseconds for a unit of work (see [`Simulate::work`](crate::model::Simulate::work)).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Smoothed; `None` until a step was made.
    millis_per_work: Option<f64>,
}

/// How much work bodies are, and how many nodes they have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Of bodies whose nodes can change.
    adaptive: Work,
    /// Of all others.
    fixed: Work,
    /// Work of those that are awake.
    awake: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Work {
    work: f64,
    nodes: usize,
}

impl Load {
    /// That of some bodies.
    pub fn of<'a>(bodies: impl IntoIterator<Item = &'a Body>) -> Self {
        let mut load = Self::default();
        for body in bodies {
            let work = body.model.work();
            let part = if body.model.adapt().is_some() { &mut load.adaptive } else { &mut load.fixed };
            part.work += work;
            part.nodes += body.nodes.positions.len();
            load.awake += if body.is_asleep() { 0.0 } else { work };
        }
        load
    }

    /// Simulated nodes.
    pub fn nodes(&self) -> usize {
        self.adaptive.nodes + self.fixed.nodes
    }
}

impl Pace {
    /// Learns from a step that took some milliseconds.
    pub fn learn(&mut self, millis: f64, load: &Load) {
        if load.awake <= 0.0 {
            return;
        }
        let now = millis / load.awake;
        self.millis_per_work = Some(self.millis_per_work.map_or(now, |before| before + 0.1 * (now - before)));
    }

    /// How many nodes there may be so that a step takes these milliseconds when all bodies are awake; `None` if nothing is known
    /// yet, or nothing can be changed.
    pub fn nodes_in(&self, millis: f32, load: &Load) -> Option<usize> {
        let Load { adaptive, fixed, .. } = load;
        if adaptive.work <= 0.0 {
            return None;
        }
        let left = f64::from(millis) / self.millis_per_work? - fixed.work;
        let nodes = left.max(0.0) * adaptive.nodes as f64 / adaptive.work;
        Some((nodes as usize).saturating_add(fixed.nodes))
    }
}

impl Budget {
    /// How many nodes it has room for.
    pub(crate) fn nodes(self, load: &Load, pace: &Pace) -> usize {
        match self {
            Self::Nodes(nodes) => nodes as usize,
            // While nothing is known, nothing changes.
            Self::Millis(millis) => pace.nodes_in(millis, load).unwrap_or(usize::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies that adapt, and others, with so much work and so many nodes.
    fn load(adaptive: (f64, usize), fixed: (f64, usize)) -> Load {
        let [adaptive, fixed] = [adaptive, fixed].map(|(work, nodes)| Work { work, nodes });
        Load { adaptive, fixed, awake: adaptive.work + fixed.work }
    }

    #[test]
    fn what_cannot_change_is_paid_for_first_and_at_its_own_price() {
        // Nodes of the bodies that cannot change cost four times as much.
        let load = load((1000.0, 100), (4000.0, 100));
        let mut pace = Pace::default();
        assert_eq!(pace.nodes_in(1.0, &load), None, "nothing is known");
        pace.learn(5.0, &load);
        // 4 ms are spent on the others; of each further one a hundred nodes can be had.
        assert_eq!(pace.nodes_in(5.0, &load), Some(200));
        assert_eq!(pace.nodes_in(6.0, &load), Some(300));
        assert_eq!(pace.nodes_in(4.5, &load), Some(150));
        assert_eq!(pace.nodes_in(3.0, &load), Some(100), "none are left for those that can");
    }

    #[test]
    fn sleepers_are_not_learned_from_but_have_room() {
        let all = load((1000.0, 100), (1000.0, 100));
        let mut pace = Pace::default();
        pace.learn(0.001, &Load { awake: 0.0, ..all });
        assert_eq!(pace, Pace::default());
        pace.learn(1.0, &Load { awake: 1000.0, ..all });
        assert_eq!(pace.nodes_in(2.0, &all), Some(200), "for when all wake");
    }

    #[test]
    fn a_world_that_cannot_change_has_no_limit() {
        let fixed = load((0.0, 0), (1000.0, 100));
        let mut pace = Pace::default();
        pace.learn(9.0, &fixed);
        assert_eq!(Budget::Millis(1.0).nodes(&fixed, &pace), usize::MAX);
        assert_eq!(Budget::Nodes(7).nodes(&fixed, &pace), 7);
    }
}
