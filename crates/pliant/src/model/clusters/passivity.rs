//! Limits that give back no more energy than they took.
//!
//! The pull to β A + (1 − β) R is the gradient of an energy. The limits of \[HW08\] §3 are not: led round a closed path of
//! deformations they do work, and a body that swings for long enough without damping explodes. So each cluster keeps a
//! ledger: the work that its limits did beyond what they had stored is taken out of the cluster's trembling again.
//!
//! Symbols: `E` the part of a goal map that the limits made, `U` = Σ m̃ |E q|² / 2β what they store, both for a spring of
//! 1 kg/s² a kg; a spring of α/h² does α/h² times that.
//!
//! Σ m̃ ½ (E + E') q · Δp between two steps is exactly the kinetic energy that E gives in a symplectic Euler step, so what
//! is kept is exact, for any step.

use super::Clusters;
use super::fit::Fit;
use super::goal::Map;
use super::rest::Rest;
use crate::par;
use glam::{DVec2, Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// What the limits of a cluster did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// The cluster's moments and its E at the step before, by columns.
    before: Option<([Vec3; 9], [Vec3; 9])>,
    /// U at the step before.
    stored: f32,
    /// Work done beyond what was stored, not yet taken back; negative if less was done. In kg m².
    pub owed: f32,
}

/// Books what the limits did since the step before.
pub fn book(model: &mut Clusters, beta: f32) {
    let Clusters { rest, state, scratch, .. } = model;
    let (fits, maps) = (&scratch.fits, &scratch.maps);
    if state.ledgers.is_empty() && maps.iter().all(|map| map.limits.is_none()) {
        return;
    }
    state.ledgers.resize(rest.len(), Ledger::default());
    par::for_each_indexed(&mut state.ledgers, super::fit::GRAIN, |cluster, ledger| {
        ledger.book(rest, cluster, &fits[cluster], &maps[cluster], beta);
    });
}

impl Ledger {
    fn book(&mut self, rest: &Rest, cluster: usize, fit: &Fit, map: &Map, beta: f32) {
        let moments = columns(fit.moment, &fit.quadratic);
        let extra = map.limits.map_or([Vec3::ZERO; 9], |(linear, bend)| columns(linear, &bend));
        let stored = if beta > 0.0 { rest.half_square(cluster, &extra) / beta } else { 0.0 };
        if let Some((moments_before, extra_before)) = &self.before {
            let parts =
                (0..9).map(|k| 0.5 * (extra[k] + extra_before[k]).dot(moments[k] - moments_before[k]));
            let owed = self.owed + parts.sum::<f32>() + stored - self.stored;
            // What was taken long ago, and is no longer stored, is not lent again.
            self.owed = if owed.is_finite() { owed.max(-stored) } else { 0.0 };
        }
        self.stored = stored;
        self.before = Some((moments, extra));
    }
}

fn columns(linear: Mat3, bend: &[Vec3; 6]) -> [Vec3; 9] {
    std::array::from_fn(|k| if k < 3 { linear.col(k) } else { bend[k - 3] })
}

/// The part of a cluster's trembling to take away for `owed` J, and what is then paid.
///
/// `trembling` is Σ m̃ w·w and Σ m̃ w·(2w + Δ) for the trembling w before a pull that adds Δ. In a symplectic Euler step a
/// part p taken from w takes ½ p ((2 − p) w·w + w·Δ) J. Where the pull turns the motion round that may be none, and paying
/// has to wait for a better step.
/// `f64`, because the square of the energy of a body of a millimetre is below the range of `f32`.
pub fn payment(owed: f64, trembling: DVec2) -> (f64, f64) {
    let DVec2 { x: ww, y: sum } = trembling;
    let most = (0.5 * sum / ww).clamp(0.0, 1.0);
    if most.is_nan() {
        return (0.0, 0.0);
    }
    let paid = 0.5 * most * (sum - most * ww);
    if paid <= owed {
        return (most, paid.max(0.0));
    }
    // The smaller root, in the form that does not cancel.
    let part = 4.0 * owed / (sum + (sum * sum - 8.0 * ww * owed).max(0.0).sqrt());
    (part.clamp(0.0, most), owed)
}
