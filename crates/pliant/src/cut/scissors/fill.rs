//! Points inside a section, on a grid of equilateral triangles.

use glam::DVec2;

/// The most grid points looked at: a finer spacing is made coarser.
const MOST_POINTS: f64 = 65_536.0;

/// How far points keep from the rim, in spacings: nearer ones make needles.
const CLEARANCE: f64 = 0.6;

/// Height of an equilateral triangle.
const ROW: f64 = 0.866_025_403_784_438_6;

/// A grid over the section's bounding box.
struct Grid {
    low: DVec2,
    spacing: f64,
    columns: usize,
    rows: usize,
}

impl Grid {
    fn new(low: DVec2, high: DVec2, spacing: f64, layer: usize) -> Self {
        let size = high - low;
        let count = |spacing: f64| (size.x / spacing + 2.0) * (size.y / (spacing * ROW) + 2.0);
        let mut spacing = spacing;
        while count(spacing) > MOST_POINTS {
            // At least by a tenth, so that this ends.
            spacing *= (count(spacing) / MOST_POINTS).sqrt().clamp(1.1, 1e9);
        }
        let columns = (size.x / spacing) as usize + 2;
        let rows = (size.y / (spacing * ROW)) as usize + 2;
        // Half a step off the box, so that points do not lie on its sides.
        let low = low + (size - DVec2::new(columns as f64 - 1.5, (rows - 1) as f64 * ROW) * spacing) * 0.5;
        let shift = (DVec2::new(0.618_034, 0.754_878) * layer as f64).fract() * 0.4;
        Self { low: low + shift * spacing, spacing, columns, rows }
    }

    fn y(&self, row: usize) -> f64 {
        self.low.y + row as f64 * self.spacing * ROW
    }

    /// Where the row's first point is: every other row is shifted by half a step.
    fn start(&self, row: usize) -> f64 {
        self.low.x + if row % 2 == 1 { 0.5 * self.spacing } else { 0.0 }
    }

    /// The rows between two heights.
    fn rows_between(&self, low: f64, high: f64) -> std::ops::Range<usize> {
        let step = self.spacing * ROW;
        let first = ((low - self.low.y) / step).ceil().max(0.0) as usize;
        let end = ((high - self.low.y) / step).floor() + 1.0;
        first..(end.max(0.0) as usize).min(self.rows)
    }

    /// The first point of a row that is not left of `x`.
    fn column(&self, row: usize, x: f64) -> usize {
        (((x - self.start(row)) / self.spacing).ceil().max(0.0) as usize).min(self.columns)
    }

    fn point(&self, row: usize, column: usize) -> DVec2 {
        DVec2::new(self.start(row) + column as f64 * self.spacing, self.y(row))
    }
}

/// Points about `spacing` apart in what the edges wind around, row by row, in alternating direction.
///
/// Each `layer` has them elsewhere: caps that cover each other must not share points, or welding would join them.
pub(super) fn points(edges: &[[DVec2; 2]], spacing: f64, layer: usize) -> Vec<DVec2> {
    if !(spacing.is_finite() && spacing > 0.0) || edges.is_empty() {
        return Vec::new();
    }
    let ends = || edges.iter().flatten();
    let low = ends().fold(DVec2::INFINITY, |low, p| low.min(*p));
    let high = ends().fold(DVec2::NEG_INFINITY, |high, p| high.max(*p));
    if spacing >= (high - low).max_element() {
        return Vec::new();
    }
    let grid = Grid::new(low, high, spacing, layer);
    // One more column for what is right of all points.
    let width = grid.columns + 1;
    let mut winding = vec![0_i32; width * grid.rows];
    let mut too_near = vec![false; width * grid.rows];
    for &[a, b] in edges {
        for row in grid.rows_between(a.y.min(b.y), a.y.max(b.y)) {
            let y = grid.y(row);
            // Half open, so that a corner counts once.
            if (a.y <= y) != (b.y <= y) {
                let x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
                winding[row * width + grid.column(row, x)] += if b.y > a.y { -1 } else { 1 };
            }
        }
        let clear = CLEARANCE * grid.spacing;
        for row in grid.rows_between(a.y.min(b.y) - clear, a.y.max(b.y) + clear) {
            let begin = grid.column(row, a.x.min(b.x) - clear);
            let end = grid.column(row, a.x.max(b.x) + clear);
            for column in begin..end {
                too_near[row * width + column] |= distance(grid.point(row, column), a, b) < clear;
            }
        }
    }
    let mut found = Vec::new();
    for row in 0..grid.rows {
        let from = found.len();
        let mut around = 0;
        for column in 0..grid.columns {
            around += winding[row * width + column];
            if around != 0 && !too_near[row * width + column] {
                found.push(grid.point(row, column));
            }
        }
        if row % 2 == 1 {
            found[from..].reverse();
        }
    }
    found
}

/// How far a point is from the line between two.
fn distance(point: DVec2, a: DVec2, b: DVec2) -> f64 {
    let along = b - a;
    let square = along.length_squared();
    let t = if square > 0.0 { ((point - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    point.distance(a + along * t)
}
