//! Moments of a session that can be gone back to at once.

use pliant::ToolHandle;
use pliant_io::scene::SceneState;
use std::collections::VecDeque;

/// What a user has in hand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hand {
    pub held: Option<ToolHandle>,
    pub wind: Option<ToolHandle>,
    /// Knives that are gone after the next step.
    pub put_away: Vec<ToolHandle>,
}

/// A point in a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// Steps made.
    pub step: u64,
    /// Inputs done.
    pub inputs: usize,
    pub hand: Hand,
    /// Cuts made.
    pub cuts: usize,
}

/// Snapshots of moments, the latest ones close together, older ones farther apart.
#[derive(Debug)]
pub struct Kept {
    moments: VecDeque<(Moment, SceneState)>,
}

/// Steps between two moments.
const EVERY: u64 = 15;
/// Moments at most; a snapshot of a large body takes a few megabytes.
const MOST: usize = 48;

impl Kept {
    pub fn new(start: SceneState) -> Self {
        Self { moments: VecDeque::from([(Moment::default(), start)]) }
    }

    pub fn is_due(&self, now: &Moment) -> bool {
        self.moments.iter().all(|(moment, _)| moment.step + EVERY <= now.step || moment.step > now.step)
    }

    pub fn add(&mut self, now: Moment, snapshot: impl FnOnce() -> SceneState) {
        let after = self.moments.partition_point(|(moment, _)| order(moment) < order(&now));
        if self.moments.get(after).is_some_and(|(moment, _)| *moment == now) {
            return;
        }
        let step = now.step;
        self.moments.insert(after, (now, snapshot()));
        if self.moments.len() > MOST {
            // The beginning stays; of the rest the one goes that leaves the smallest gap for its age.
            let gap = |i: &usize| {
                let between = self.moments[i + 1].0.step - self.moments[i - 1].0.step;
                let age = step.saturating_sub(self.moments[*i].0.step) + EVERY;
                between as f64 / age as f64
            };
            let worst = (1..self.moments.len() - 1).min_by(|a, b| gap(a).total_cmp(&gap(b)));
            worst.map(|i| self.moments.remove(i));
        }
    }

    /// The latest moment that is not after that many steps and inputs.
    pub fn latest(&self, step: u64, inputs: usize) -> (Moment, &SceneState) {
        let fits = |moment: &Moment| moment.step <= step && moment.inputs <= inputs;
        let found = self.moments.iter().rev().find(|(moment, _)| fits(moment));
        let (moment, snapshot) = found.unwrap_or(&self.moments[0]);
        (moment.clone(), snapshot)
    }

    /// Forgets what has the latest input in it, which has become another.
    pub fn forget_with(&mut self, now: &Moment) {
        self.moments.retain(|(moment, _)| order(moment) < order(now));
    }

    pub fn forget_after(&mut self, now: &Moment) {
        self.moments.retain(|(moment, _)| order(moment) <= order(now));
    }
}

fn order(moment: &Moment) -> (u64, usize) {
    (moment.step, moment.inputs)
}
