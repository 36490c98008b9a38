//! How large a grid must be to hold a mesh, and whether that is too large.
//!
//! All in `f64`, where even absurd numbers of cells are numbers.

use super::filling::{FillingError, MOST_CELLS, MOST_NODES};
use crate::math::functions::{cbrt, cube, log10, pow};
use glam::DVec3;

/// A size that exceeds a whole number of cells by less than this share of itself is that number of cells…
const ROUNDING: f64 = 1e-4;
/// … but never by more than this share of a cell: samples lie an eighth of a cell from the border.
const MOST_ROUNDING: f64 = 0.02;

/// A mesh's box and how it is divided.
pub(super) struct Extent {
    pub low: DVec3,
    pub high: DVec3,
    block: f64,
}

impl Extent {
    pub fn new(points: impl Iterator<Item = DVec3>, block: u32) -> Self {
        let (low, high) =
            points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(lo, hi), p| (lo.min(p), hi.max(p)));
        Self { low, high, block: f64::from(block) }
    }

    pub fn middle(&self) -> DVec3 {
        (self.low + self.high) * 0.5
    }

    /// By how many cells a size may exceed a whole number of cells. Far from zero it is `f32` that makes the difference.
    pub fn rounding(&self, cell: f64) -> DVec3 {
        let spacing = self.low.abs().max(self.high.abs()) * f64::from(f32::EPSILON);
        ((self.high - self.low) * ROUNDING).max(2.0 * spacing).min(DVec3::splat(MOST_ROUNDING * cell)) / cell
    }

    /// Cells along each axis, whole but perhaps too many for an integer.
    pub fn counts(&self, cell: f64) -> [f64; 3] {
        let cells = ((self.high - self.low) / cell - self.rounding(cell)).ceil().max(DVec3::ONE);
        ((cells / self.block).ceil() * self.block).to_array()
    }

    /// How many cells it takes and how many there may be, of that which exceeds its limit by most.
    fn need(&self, cell: f64, volume: f64) -> (f64, u32) {
        let material = (volume / cube(cell), MOST_NODES);
        let grid = (self.counts(cell).iter().product::<f64>(), MOST_CELLS);
        let excess = |(cells, most): (f64, u32)| cells / f64::from(most);
        if excess(material) > excess(grid) { material } else { grid }
    }

    /// Refuses cells so small that there would be too many of them.
    pub fn check(&self, cell: f32, volume: f64) -> Result<(), FillingError> {
        let (cells, most) = self.need(f64::from(cell), volume);
        if cells <= f64::from(most) {
            return Ok(());
        }
        let mut suggested = f64::from(cell) * cbrt(cells / f64::from(most));
        loop {
            let fitting = f64::from(rounded_up(suggested));
            let (fewer, limit) = self.need(fitting, volume);
            if fewer <= f64::from(limit) || !fitting.is_finite() {
                return Err(FillingError::TooMany { cell, cells, most, suggested: fitting as f32 });
            }
            // Whole blocks do not shrink with the volume: a little more at a time.
            suggested *= 1.05;
        }
    }
}

/// The next number of two digits.
pub(super) fn rounded_up(length: f64) -> f32 {
    let unit = pow(10.0, log10(length).floor() - 1.0);
    ((length / unit).ceil() * unit) as f32
}
