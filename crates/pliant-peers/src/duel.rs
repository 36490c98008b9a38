//! Two engines on the same work, frame by frame in turns.

use crate::engine::Engine;
use anyhow::{Result, ensure};
use std::time::Instant;

/// Frames of a duel: those at the start that do not count, and those that do.
#[derive(Clone, Copy, Debug)]
pub struct Frames {
    /// At the start.
    pub warm_up: usize,
    /// After them.
    pub counted: usize,
}

/// Fall, landing and standing, 3 s; the first few frames are for caches and allocations.
pub const DROP_FRAMES: Frames = Frames { warm_up: 5, counted: 175 };
/// Frames at the end over which a body must stand: 1 s, so that a swing through the right height is not taken for standing.
const STANDING: usize = 60;
/// How far from its rest height a standing body may be, and how far in another.
const TOLERANCE: f64 = 0.1;

/// What one engine did.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// ms of each frame that counts.
    ms: Vec<f64>,
    /// Height ratios of the last frames.
    heights: Vec<f64>,
    /// How far apart bodies were in the last frames.
    apart: Vec<f64>,
}

impl Run {
    /// Mean ms per frame.
    pub fn mean(&self) -> f64 {
        mean(&self.ms)
    }

    /// Median ms per frame.
    pub fn median(&self) -> f64 {
        let mut sorted = self.ms.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// Height as part of that at rest, over the last second.
    pub fn height(&self) -> f64 {
        mean(&self.heights)
    }

    /// How far apart bodies were, over the last second.
    pub fn apart(&self) -> f64 {
        mean(&self.apart)
    }

    /// Whether the bodies stand at the end, and not in each other. One that is nowhere (NaN) does not.
    pub fn stands(&self) -> bool {
        (self.height() - 1.0).abs() <= TOLERANCE && self.apart() >= 1.0 - TOLERANCE
    }

    fn frame(&mut self, index: usize, frames: Frames, engine: &mut dyn Engine) {
        let start = Instant::now();
        engine.step();
        let ms = start.elapsed().as_secs_f64() * 1e3;
        if index >= frames.warm_up {
            self.ms.push(ms);
        }
        if index + STANDING >= frames.warm_up + frames.counted {
            self.heights.push(engine.height_ratio());
            self.apart.push(engine.apart());
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Steps both by turns, so that both meet the same machine.
///
/// # Errors
/// If they do not have the same number of points.
pub fn duel(peer: &mut dyn Engine, ours: &mut dyn Engine, frames: Frames) -> Result<(Run, Run)> {
    ensure!(
        peer.nodes() == ours.nodes(),
        "not the same work: the peer has {} points, ours {}",
        peer.nodes(),
        ours.nodes()
    );
    let (mut theirs, mut own) = (Run::default(), Run::default());
    for index in 0..frames.warm_up + frames.counted {
        theirs.frame(index, frames, peer);
        own.frame(index, frames, ours);
    }
    Ok((theirs, own))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Swings about a height, in steps of one frame.
    struct Swing {
        frame: usize,
        about: f64,
        nodes: usize,
        apart: f64,
    }

    impl Engine for Swing {
        fn step(&mut self) {
            self.frame += 1;
        }

        fn height_ratio(&self) -> f64 {
            self.about + 0.15 * (self.frame as f64 * std::f64::consts::TAU / 30.0).sin()
        }

        fn nodes(&self) -> usize {
            self.nodes
        }

        fn apart(&self) -> f64 {
            self.apart
        }
    }

    fn swing(about: f64) -> Swing {
        Swing { frame: 0, about, nodes: 8, apart: 1.0 }
    }

    #[test]
    fn a_swing_through_the_right_height_is_not_standing() {
        let (peer, ours) = duel(&mut swing(0.85), &mut swing(0.95), DROP_FRAMES).unwrap();
        assert!(!peer.stands() && ours.stands(), "{} {}", peer.height(), ours.height());
    }

    #[test]
    fn a_body_that_is_nowhere_does_not_stand() {
        assert!(!duel(&mut swing(f64::NAN), &mut swing(1.0), DROP_FRAMES).unwrap().0.stands());
    }

    #[test]
    fn bodies_in_each_other_do_not_stand() {
        let mut merged = Swing { apart: 0.8, ..swing(1.0) };
        assert!(!duel(&mut merged, &mut swing(1.0), DROP_FRAMES).unwrap().0.stands());
    }

    #[test]
    fn only_frames_after_the_warm_up_count() {
        let frames = Frames { warm_up: 7, counted: 61 };
        assert_eq!(duel(&mut swing(1.0), &mut swing(1.0), frames).unwrap().0.ms.len(), 61);
    }

    #[test]
    fn different_work_is_refused() {
        assert!(duel(&mut swing(1.0), &mut Swing { nodes: 9, ..swing(1.0) }, DROP_FRAMES).is_err());
    }
}
