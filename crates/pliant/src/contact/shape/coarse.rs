//! A rough answer to how far away a surface is, for the many points that are nowhere near it.

use glam::Vec3;

/// Cells along the longest side: a search takes as long as two hundred looks into the table, and 16³ searches are soon made.
const CELLS: f32 = 16.0;

/// The distance from the middle of each cell of a grid.
pub struct Coarse {
    low: Vec3,
    cell: f32,
    counts: [usize; 3],
    distances: Vec<f32>,
}

impl Coarse {
    /// A grid over the box from `low` to `high`, and a little beyond it.
    pub fn new(low: Vec3, high: Vec3, distance: impl Fn(Vec3) -> f32) -> Self {
        let cell = ((high - low).max_element() / CELLS).max(f32::MIN_POSITIVE);
        let low = low - cell;
        let counts = ((high + cell - low) / cell).ceil().to_array().map(|count| count as usize);
        let mut coarse = Self { low, cell, counts, distances: Vec::with_capacity(counts.iter().product()) };
        for z in 0..counts[2] {
            for y in 0..counts[1] {
                for x in 0..counts[0] {
                    coarse.distances.push(distance(coarse.middle([x, y, z])));
                }
            }
        }
        coarse
    }

    fn middle(&self, cell: [usize; 3]) -> Vec3 {
        self.low + (Vec3::from(cell.map(|i| i as f32)) + 0.5) * self.cell
    }

    /// What the distance of a point is at least; none beyond the grid.
    pub fn at_least(&self, point: Vec3) -> Option<f32> {
        let at = ((point - self.low) / self.cell).floor();
        if at.is_nan() || at.min_element() < 0.0 {
            return None;
        }
        let [x, y, z] = at.to_array().map(|i| i as usize);
        let [nx, ny, nz] = self.counts;
        let inside = x < nx && y < ny && z < nz;
        let index = (z * ny + y) * nx + x;
        // The distance changes by no more than the point moves, but for rounding.
        inside.then(|| self.distances[index] - 1.0001 * point.distance(self.middle([x, y, z])))
    }
}
