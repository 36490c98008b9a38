//! Points near a point.
//!
//! Based on \[THMPG03\]: an unbounded grid of cells hashed into a table. The table is filled by counting sort, so a
//! cell has no capacity and the order within it is that of the points.
//!
//! Deviations: none of the queries trusts the hash; each point found is checked against the cell that was asked for,
//! so that no point is reported twice. A query that would touch more cells than there are points looks at all points
//! instead, so no query costs more than that.

use crate::math::functions::cbrt;
use glam::{DVec3, Vec3};

/// Bounds on distances are taken a little short, so that rounding in `f32` distances cannot disagree with them.
const ALMOST: f64 = 0.999_99;

/// Points sorted into the cells of a grid.
#[derive(Clone, Debug, Default)]
pub struct PointGrid {
    /// Cells per metre.
    per_metre: f64,
    /// The lowest and the highest cell with a point in it.
    low: [i64; 3],
    high: [i64; 3],
    /// Where each slot of the table begins in `indices`; one more than there are slots.
    starts: Vec<u32>,
    /// Points by slot, in their own order within it.
    indices: Vec<u32>,
    /// Their positions, in the same order.
    points: Vec<Vec3>,
    /// Their cells, in the same order.
    cells: Vec<[i64; 3]>,
    /// Slot and cell of each source point, while building.
    slots: Vec<(u32, [i64; 3])>,
}

impl PointGrid {
    /// A grid of `points` with cells of side `cell`, in metres: best about as large as the radius asked for.
    ///
    /// Points that are not finite are never found. A cell that is not positive is replaced by a fitting one.
    pub fn new(points: &[Vec3], cell: f32) -> Self {
        let mut grid = Self::default();
        grid.rebuild(points, cell);
        grid
    }

    /// A grid of `points` with about two of them in a cell, as [`Self::k_nearest`] likes it.
    pub fn fitting(points: &[Vec3]) -> Self {
        Self::new(points, fitting_cell(points))
    }

    /// Sorts in other points; memory is reused.
    pub fn rebuild(&mut self, points: &[Vec3], cell: f32) {
        let cell = if cell.is_finite() && cell > 0.0 { cell } else { fitting_cell(points) };
        self.per_metre = 1.0 / cell as f64;
        let slot_count = (points.len() * 2).next_power_of_two();
        self.starts.clear();
        self.starts.resize(slot_count + 1, 0);
        self.slots.clear();
        (self.low, self.high) = ([i64::MAX; 3], [i64::MIN; 3]);
        let mut finite = 0;
        for point in points {
            if !point.is_finite() {
                self.slots.push((0, [0; 3]));
                continue;
            }
            let at = self.cell_of(point.as_dvec3());
            self.low = std::array::from_fn(|axis| self.low[axis].min(at[axis]));
            self.high = std::array::from_fn(|axis| self.high[axis].max(at[axis]));
            let slot = slot_of(at, slot_count);
            self.slots.push((slot as u32, at));
            self.starts[slot + 1] += 1;
            finite += 1;
        }
        for slot in 0..slot_count {
            self.starts[slot + 1] += self.starts[slot];
        }
        self.indices.clear();
        self.indices.resize(finite, 0);
        self.points.clear();
        self.points.resize(finite, Vec3::ZERO);
        self.cells.clear();
        self.cells.resize(finite, [0; 3]);
        // Backwards, moving each slot's end to its start.
        for index in (0..points.len()).rev() {
            if points[index].is_finite() {
                let (slot, cell) = self.slots[index];
                let next = &mut self.starts[slot as usize + 1];
                *next -= 1;
                let at = *next as usize;
                (self.indices[at], self.points[at], self.cells[at]) = (index as u32, points[index], cell);
            }
        }
        // Each start now stands one slot too high.
        self.starts.rotate_left(1);
        self.starts[slot_count] = finite as u32;
    }

    /// How many points can be found.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there is no point to be found.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Calls `found(index, distance²)` for each point at most `radius` away, cell by cell, in a fixed order.
    pub fn within(&self, point: Vec3, radius: f32, mut found: impl FnMut(u32, f32)) {
        if self.is_empty() || radius.is_nan() || radius < 0.0 || !point.is_finite() {
            return;
        }
        let radius2 = radius * radius;
        // A little more, so that rounding in the distance and in the cells cannot disagree.
        let reach = radius as f64 * 1.000_01;
        let (low, high) = (self.cell_of(point.as_dvec3() - reach), self.cell_of(point.as_dvec3() + reach));
        let low: [i64; 3] = std::array::from_fn(|axis| low[axis].max(self.low[axis]));
        let high: [i64; 3] = std::array::from_fn(|axis| high[axis].min(self.high[axis]));
        let cells: f64 = (0..3).map(|axis| (high[axis] as f64 - low[axis] as f64 + 1.0).max(0.0)).product();
        if cells > self.points.len() as f64 {
            for (&candidate, &index) in self.points.iter().zip(&self.indices) {
                let distance2 = candidate.distance_squared(point);
                if distance2 <= radius2 {
                    found(index, distance2);
                }
            }
            return;
        }
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                for x in low[0]..=high[0] {
                    let cell = [x, y, z];
                    for at in self.slot_range(cell) {
                        let distance2 = self.points[at].distance_squared(point);
                        if distance2 <= radius2 && self.cells[at] == cell {
                            found(self.indices[at], distance2);
                        }
                    }
                }
            }
        }
    }

    /// Puts the `k` points nearest to `point` into `nearest` as (index, distance²), nearest first, of equally near
    /// ones the lower index first; fewer when there are fewer.
    pub fn k_nearest(&self, point: Vec3, k: usize, nearest: &mut Vec<(u32, f32)>) {
        nearest.clear();
        if self.is_empty() || k == 0 || !point.is_finite() {
            return;
        }
        if k >= self.points.len() {
            self.scan_all(point, k, nearest);
            return;
        }
        let home = self.cell_of(point.as_dvec3());
        let gap = |axis: usize| {
            let (low, high) = (self.low[axis], self.high[axis]);
            low.saturating_sub(home[axis]).max(home[axis].saturating_sub(high)).max(0)
        };
        let reach = |axis: usize| {
            let (low, high) = (self.low[axis], self.high[axis]);
            home[axis].saturating_sub(low).max(high.saturating_sub(home[axis]))
        };
        let place = point.as_dvec3() * self.per_metre;
        let in_home = place - place.floor();
        let margin = in_home.min(1.0 - in_home).min_element().max(0.0);
        let first = gap(0).max(gap(1)).max(gap(2));
        let last = reach(0).max(reach(1)).max(reach(2));
        let mut cells_left = self.points.len() as i64;
        let mut ring = first;
        loop {
            if !self.scan_ring(point, home, ring, k, nearest, &mut cells_left) {
                nearest.clear();
                self.scan_all(point, k, nearest);
                return;
            }
            // Whatever lies beyond this ring is at least `ring` cells and the rest of the home cell away.
            let beyond = (ring as f64 + margin) / self.per_metre * ALMOST;
            let enough = nearest.len() == k && (nearest[k - 1].1 as f64) < beyond * beyond;
            if enough || ring >= last {
                return;
            }
            ring += 1;
        }
    }

    /// Looks at the cells exactly `ring` cells from `home`; false when that would be more than `cells_left`.
    fn scan_ring(
        &self,
        point: Vec3,
        home: [i64; 3],
        ring: i64,
        k: usize,
        nearest: &mut Vec<(u32, f32)>,
        cells_left: &mut i64,
    ) -> bool {
        let range = |axis: usize| {
            let low = home[axis].saturating_sub(ring).max(self.low[axis]);
            let high = home[axis].saturating_add(ring).min(self.high[axis]);
            low..=high
        };
        for z in range(2) {
            let z_on_ring = z.abs_diff(home[2]) == ring as u64;
            for y in range(1) {
                *cells_left -= 1;
                if *cells_left < 0 {
                    return false;
                }
                if z_on_ring || y.abs_diff(home[1]) == ring as u64 {
                    for x in range(0) {
                        *cells_left -= 1;
                        if *cells_left < 0 {
                            return false;
                        }
                        self.scan_cell(point, [x, y, z], k, nearest);
                    }
                } else {
                    for x in [home[0].saturating_sub(ring), home[0].saturating_add(ring)] {
                        if range(0).contains(&x) {
                            self.scan_cell(point, [x, y, z], k, nearest);
                        }
                    }
                }
            }
        }
        true
    }

    fn scan_cell(&self, point: Vec3, cell: [i64; 3], k: usize, nearest: &mut Vec<(u32, f32)>) {
        if nearest.len() == k && self.gap_to_cell(point, cell) * ALMOST > nearest[k - 1].1 as f64 {
            return;
        }
        for at in self.slot_range(cell) {
            if self.cells[at] == cell {
                offer(nearest, k, (self.indices[at], self.points[at].distance_squared(point)));
            }
        }
    }

    /// Square of the distance from a point to a cell.
    fn gap_to_cell(&self, point: Vec3, cell: [i64; 3]) -> f64 {
        let low = DVec3::from_array(cell.map(|x| x as f64));
        let place = point.as_dvec3() * self.per_metre;
        let gap = (low - place).max(place - low - 1.0).max(DVec3::ZERO) / self.per_metre;
        gap.length_squared()
    }

    fn scan_all(&self, point: Vec3, k: usize, nearest: &mut Vec<(u32, f32)>) {
        nearest.extend(self.points.iter().zip(&self.indices).map(|(p, &i)| (i, p.distance_squared(point))));
        let nearer = |a: &(u32, f32), b: &(u32, f32)| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0));
        if k < nearest.len() {
            nearest.select_nth_unstable_by(k, nearer);
            nearest.truncate(k);
        }
        nearest.sort_unstable_by(nearer);
    }

    fn cell_of(&self, point: DVec3) -> [i64; 3] {
        // Without `floor`, which is a call of a function where the processor is not known, as often as points are looked for.
        (point * self.per_metre).to_array().map(|x| {
            let toward_zero = x as i64;
            toward_zero.saturating_sub(i64::from(x < toward_zero as f64))
        })
    }

    fn slot_range(&self, cell: [i64; 3]) -> std::ops::Range<usize> {
        let slot = slot_of(cell, self.starts.len() - 1);
        self.starts[slot] as usize..self.starts[slot + 1] as usize
    }
}

/// The slot of a cell in a table of `slot_count`, a power of two.
fn slot_of(cell: [i64; 3], slot_count: usize) -> usize {
    // Odd constants near 2⁶⁴ divided by powers of the golden ratio's 3-D sibling; any odd ones that spread bits do.
    let mixed = (cell[0] as u64).wrapping_mul(0xd1b5_4a32_d192_ed03)
        ^ (cell[1] as u64).wrapping_mul(0xabc9_8388_fb8f_ac03).rotate_left(21)
        ^ (cell[2] as u64).wrapping_mul(0x8cb9_2ba7_2f3d_8dd7).rotate_left(42);
    (mixed ^ mixed >> 32) as usize & (slot_count - 1)
}

/// Puts a candidate into the sorted list of at most `k` nearest.
fn offer(nearest: &mut Vec<(u32, f32)>, k: usize, candidate: (u32, f32)) {
    let before = |a: &(u32, f32)| a.1.total_cmp(&candidate.1).then(a.0.cmp(&candidate.0)).is_lt();
    if nearest.len() == k {
        if nearest.last().is_some_and(before) {
            return;
        }
        nearest.pop();
    }
    let at = nearest.partition_point(before);
    nearest.insert(at, candidate);
}

/// A cell side that puts about two points into a cell, for points that fill a volume, a plane or a line.
fn fitting_cell(points: &[Vec3]) -> f32 {
    let mut finite = points.iter().filter(|p| p.is_finite()).map(|p| p.as_dvec3());
    let Some(first) = finite.next() else { return 1.0 };
    let mut count = 1.0;
    let (low, high) = finite.fold((first, first), |(lo, hi), p| {
        count += 1.0;
        (lo.min(p), hi.max(p))
    });
    let mut sizes = (high - low).to_array();
    sizes.sort_unstable_by(|a, b| b.total_cmp(a));
    // Axes thinner than the cell do not count.
    let line = sizes[0] * 2.0 / count;
    let plane = (sizes[0] * sizes[1] * 2.0 / count).sqrt();
    let volume = cbrt(sizes[0] * sizes[1] * sizes[2] * 2.0 / count);
    let cell = line.max(plane).max(volume) as f32;
    if cell.is_finite() && cell > 0.0 { cell } else { 1.0 }
}
