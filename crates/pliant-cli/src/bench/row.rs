//! One measurement.

use serde::{Deserialize, Serialize};

/// One measurement. A ratio is always theirs divided by ours: above 1 we are faster.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub suite: &'static str,
    pub name: &'static str,
    /// What the row is about.
    pub value: f64,
    pub unit: &'static str,
    /// Which way the value improves.
    pub better: Better,
    pub paper: Option<f64>,
    pub peer: Option<f64>,
    pub ours: Option<f64>,
    pub ratio: Option<f64>,
    pub threads: usize,
}

/// Which way a value improves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Better {
    /// Times, errors, and how much more one thing costs than another.
    Lower,
    /// How much faster one thing is than another, and frames per second.
    Higher,
    /// Counts that are the same in every run: a change is a change of behavior.
    Same,
    /// Shares of what theory says.
    One,
}

/// How much worse a value may be, as part of itself, before it counts: measurements on a busy machine differ by about this much.
pub(super) const TOLERANCE: f64 = 0.15;

impl Better {
    /// Whether `now` is worse than `before` by more than the tolerance. What is not a number is worse than any number.
    pub fn is_worse(self, before: f64, now: f64) -> bool {
        let holds = match self {
            Self::Lower => now <= before * (1.0 + TOLERANCE),
            Self::Higher => now >= before * (1.0 - TOLERANCE),
            Self::Same => now == before,
            Self::One => (now - 1.0).abs() <= (before - 1.0).abs() + TOLERANCE,
        };
        !holds
    }

    /// The better of two measurements of one thing.
    pub fn best(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Lower => a.min(b),
            Self::Higher => a.max(b),
            Self::Same => b,
            Self::One if (a - 1.0).abs() < (b - 1.0).abs() => a,
            Self::One => b,
        }
    }
}

impl Row {
    /// A row about a number of its own, measured on the threads of the current pool.
    pub fn number(suite: &'static str, name: &'static str, value: f64, unit: &'static str) -> Self {
        let threads = rayon::current_num_threads();
        let better = Better::Lower;
        Self { suite, name, value, unit, better, paper: None, peer: None, ours: None, ratio: None, threads }
    }

    /// A row about how much faster `ours` is than `peer`, both times in `unit`.
    pub fn speedup(
        suite: &'static str,
        name: &'static str,
        [peer, ours]: [f64; 2],
        unit: &'static str,
    ) -> Self {
        let ratio = peer / ours;
        let number = Self::number(suite, name, ratio, unit).better(Better::Higher);
        Self { peer: Some(peer), ours: Some(ours), ratio: Some(ratio), ..number }
    }

    /// A row about how much more `ours` costs than `peer`, both times in `unit`.
    pub fn growth(
        suite: &'static str,
        name: &'static str,
        [peer, ours]: [f64; 2],
        unit: &'static str,
    ) -> Self {
        Self { value: ours / peer, ..Self::speedup(suite, name, [peer, ours], unit).better(Better::Lower) }
    }

    /// Which way the value improves; down unless said.
    pub fn better(self, better: Better) -> Self {
        Self { better, ..self }
    }

    /// What the paper says.
    pub fn paper(self, paper: f64) -> Self {
        Self { paper: Some(paper), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::Better::{Higher, Lower, One, Same};

    #[test]
    fn worse_is_more_than_15_percent_in_the_direction_of_the_row() {
        assert!(Lower.is_worse(10.0, 11.6) && !Lower.is_worse(10.0, 11.4) && !Lower.is_worse(10.0, 1.0));
        assert!(Higher.is_worse(10.0, 8.4) && !Higher.is_worse(10.0, 8.6) && !Higher.is_worse(10.0, 99.0));
        assert!(Same.is_worse(502.0, 501.0) && Same.is_worse(502.0, 503.0) && !Same.is_worse(502.0, 502.0));
        assert!(One.is_worse(0.9, 0.7) && One.is_worse(0.9, 1.3) && !One.is_worse(0.8, 1.1));
    }

    #[test]
    fn what_is_not_a_number_is_worse() {
        for better in [Lower, Higher, Same, One] {
            assert!(better.is_worse(1.0, f64::NAN), "{better:?}");
        }
    }

    #[test]
    fn the_better_of_two_measurements() {
        assert_eq!(Lower.best(1.0, 2.0), 1.0);
        assert_eq!(Higher.best(1.0, 2.0), 2.0);
        assert_eq!(One.best(0.9, 1.3), 0.9);
        assert_eq!(One.best(0.2, 1.3), 1.3);
    }
}
