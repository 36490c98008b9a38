//! Which triangle is seen at each sample.
//!
//! Triangles are snapped to a fine integer grid and filled row by row with exact edge tests, so neighbours
//! that share an edge leave no gap and overlap nowhere. Depth is anything that is linear on the picture plane and
//! larger when nearer: one over the view depth for cameras, the height toward the light for shadow maps.

use pliant::glam::Vec3;

/// Grid steps in a sample.
const STEPS: f32 = 256.0;
/// Coordinates beyond this many samples are moved here, so that edge functions fit 64 bits.
const FAR: f32 = 1_048_576.0;

/// A triangle on the sample grid.
#[derive(Clone, Debug)]
pub(crate) struct ScreenTriangle {
    /// `a·x + b·y + c ≥ 0` inside, in grid steps.
    edges: [[i64; 3]; 3],
    /// One over what each edge function changes by from sample to sample.
    inverses: [f64; 3],
    /// First row of samples that it may cover, and the row after the last.
    pub rows: [usize; 2],
    /// Depth at sample (0, 0) and its growth along x and y.
    depth: [f64; 3],
    /// Smallest and largest depth of the corners.
    depth_range: [f32; 2],
}

impl ScreenTriangle {
    /// From three corners `(x, y, depth)` in samples; `None` when nothing of a `width × height` grid can be covered.
    pub fn new(corners: [Vec3; 3], width: usize, height: usize) -> Option<Self> {
        if !corners.iter().all(|c| c.is_finite()) {
            return None;
        }
        let (lo, hi) =
            (corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2]));
        if hi.x < 0.0 || hi.y < 0.0 || lo.x > width as f32 || lo.y > height as f32 {
            return None;
        }
        // Rows whose middles it may reach; a grid step more, for the snapping. Many small triangles lie between samples.
        let first = above(lo.y - 0.51);
        let after = ((hi.y + 0.51).max(0.0) as usize).min(height);
        if first >= after || above(lo.x - 0.51) as f32 > hi.x - 0.49 {
            return None;
        }
        let snap = |v: f32| {
            let steps = v.clamp(-FAR, FAR) * STEPS;
            (steps + 0.5_f32.copysign(steps)) as i64
        };
        let [a, b, c] = corners;
        let mut p = [(snap(a.x), snap(a.y), a.z), (snap(b.x), snap(b.y), b.z), (snap(c.x), snap(c.y), c.z)];
        let area = (p[1].0 - p[0].0) * (p[2].1 - p[0].1) - (p[2].0 - p[0].0) * (p[1].1 - p[0].1);
        if area == 0 {
            return None;
        }
        if area < 0 {
            p.swap(1, 2);
        }
        let edge = |i: usize| {
            let (from, to) = (p[i], p[(i + 1) % 3]);
            let (a, b) = (from.1 - to.1, to.0 - from.0);
            // A sample exactly on a shared edge belongs to one of the two triangles only.
            let owned = a > 0 || (a == 0 && b > 0);
            [a, b, -(a * from.0 + b * from.1) - i64::from(!owned)]
        };
        let at = |v: (i64, i64, f32)| {
            [v.0 as f64 / f64::from(STEPS), v.1 as f64 / f64::from(STEPS), f64::from(v.2)]
        };
        let [p0, p1, p2] = p.map(at);
        let (x1, y1, d1) = (p1[0] - p0[0], p1[1] - p0[1], p1[2] - p0[2]);
        let (x2, y2, d2) = (p2[0] - p0[0], p2[1] - p0[1], p2[2] - p0[2]);
        let inverse = 1.0 / (x1 * y2 - x2 * y1);
        let (dx, dy) = ((d1 * y2 - d2 * y1) * inverse, (d2 * x1 - d1 * x2) * inverse);
        let edges = [edge(0), edge(1), edge(2)];
        Some(Self {
            edges,
            inverses: edges.map(|[a, ..]| 1.0 / (a as f64 * f64::from(STEPS))),
            rows: [first, after],
            depth: [p0[2] - dx * p0[0] - dy * p0[1], dx, dy],
            depth_range: [lo.z, hi.z],
        })
    }

    /// The samples of a row that are covered, `None` if there are none.
    fn span(&self, row: usize, width: usize) -> Option<[usize; 2]> {
        let (steps, half) = (STEPS as i64, STEPS as i64 / 2);
        let y = row as i64 * steps + half;
        let (mut first, mut after) = (0i64, width as i64);
        for ([a, b, c], inverse) in self.edges.into_iter().zip(self.inverses) {
            // Value at the centre of sample 0; each sample adds a·steps.
            let value = a * half + b * y + c;
            if a == 0 {
                if value < 0 {
                    return None;
                }
                continue;
            }
            // Where it is zero, by floats; then the sample beside it by whole numbers, so that neighbours agree.
            let zero = (-(value as f64) * inverse).clamp(-1.0, width as f64 + 1.0) as i64;
            let inside = |x: i64| value + a * steps * x >= 0;
            if a > 0 {
                let x = zero - 1
                    + i64::from(!inside(zero - 1))
                    + i64::from(!inside(zero))
                    + i64::from(!inside(zero + 1));
                first = first.max(x);
            } else {
                let x = zero - 1
                    + i64::from(inside(zero - 1))
                    + i64::from(inside(zero))
                    + i64::from(inside(zero + 1));
                after = after.min(x);
            }
        }
        (first < after).then_some([first as usize, after as usize])
    }

    /// Calls `fill(first, after, depth_at_first, depth_step)` for the samples covered in a row.
    pub fn fill_row(&self, row: usize, width: usize, mut fill: impl FnMut(usize, usize, f32, f32)) {
        let Some([first, after]) = self.span(row, width) else { return };
        let along = self.depth[0] + self.depth[2] * (row as f64 + 0.5);
        let [lo, hi] = self.depth_range;
        // Slivers have steep depth planes: never leave the range of the corners.
        let at = |x: usize| ((along + self.depth[1] * (x as f64 + 0.5)) as f32).clamp(lo, hi);
        let (start, end) = (at(first), at(after - 1));
        let count = after - first;
        let step = if count > 1 { (end - start) / (count - 1) as f32 } else { 0.0 };
        fill(first, after, start, step);
    }
}

/// The whole number at or above `x`, or 0. Without a call into the C library, which `f32::ceil` is on old machines.
#[inline]
pub(crate) fn above(x: f32) -> usize {
    let whole = x as usize;
    whole + usize::from((whole as f32) < x)
}

/// Cuts a triangle in view coordinates at depth `near`; gives the pieces in front of it.
pub(crate) fn clip_near(corners: [Vec3; 3], near: f32) -> ([[Vec3; 3]; 2], usize) {
    let inside = corners.map(|c| c.z >= near);
    if inside == [true; 3] {
        return ([corners; 2], 1);
    }
    let mut polygon = [Vec3::ZERO; 4];
    let mut count = 0;
    for i in 0..3 {
        let (p, q) = (corners[i], corners[(i + 1) % 3]);
        if inside[i] {
            polygon[count] = p;
            count += 1;
        }
        if inside[i] != inside[(i + 1) % 3] {
            let mut cut = p + (q - p) * ((near - p.z) / (q.z - p.z));
            cut.z = near;
            polygon[count] = cut;
            count += 1;
        }
    }
    let [a, b, c, d] = polygon;
    ([[a, b, c], [a, c, d]], count.saturating_sub(2))
}

/// Nearest depth and what is there for some rows of samples.
#[derive(Default)]
pub(crate) struct Visibility {
    width: usize,
    pub depth: Vec<f32>,
    /// One more than the index of what is seen, 0 where there is nothing.
    pub ids: Vec<u32>,
}

impl Visibility {
    /// Nothing seen; keeps its memory.
    pub fn clear(&mut self, width: usize, rows: usize) {
        self.width = width;
        self.depth.clear();
        self.depth.resize(width * rows, 0.0);
        self.ids.clear();
        self.ids.resize(width * rows, 0);
    }

    /// Samples in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many rows it holds.
    pub fn rows(&self) -> usize {
        self.ids.len() / self.width
    }

    /// Takes one sample if it is nearer than what is there.
    #[inline]
    pub fn offer(&mut self, column: usize, row: usize, depth: f32, id: u32) {
        let at = row * self.width + column;
        if depth > self.depth[at] {
            (self.depth[at], self.ids[at]) = (depth, id);
        }
    }

    /// Draws a triangle's samples in rows `first_row ..` of the picture, of which this holds as many as it has.
    pub fn draw(&mut self, triangle: &ScreenTriangle, id: u32, first_row: usize) {
        let rows = self.rows();
        for row in triangle.rows[0].max(first_row)..triangle.rows[1].min(first_row + rows) {
            let base = (row - first_row) * self.width;
            triangle.fill_row(row, self.width, |first, after, start, step| {
                let depths = &mut self.depth[base + first..base + after];
                let ids = &mut self.ids[base + first..base + after];
                for (i, (depth, seen)) in depths.iter_mut().zip(ids).enumerate() {
                    let value = start + step * i as f32;
                    let nearer = value > *depth;
                    *depth = if nearer { value } else { *depth };
                    *seen = if nearer { id } else { *seen };
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_that_share_edges_cover_each_sample_once() {
        // A fan around a point that lies exactly on sample centres and corners.
        for centre in [Vec3::new(20.5, 20.5, 1.0), Vec3::new(21.0, 19.0, 1.0), Vec3::new(18.3, 22.7, 1.0)] {
            let rim = |i: usize| {
                let a = (i % 9) as f32 / 9.0 * std::f32::consts::TAU;
                Vec3::new(20.0 + 15.0 * a.cos(), 20.0 + 15.0 * a.sin(), 1.0)
            };
            let mut hits = vec![0; 40 * 40];
            for i in 0..9 {
                let t = ScreenTriangle::new([centre, rim(i), rim(i + 1)], 40, 40).unwrap();
                for row in t.rows[0]..t.rows[1] {
                    t.fill_row(row, 40, |a, b, _, _| (a..b).for_each(|x| hits[row * 40 + x] += 1));
                }
            }
            assert!(hits.iter().all(|&h| h <= 1));
            let area = 0.5 * 9.0 * 225.0 * (std::f32::consts::TAU / 9.0).sin();
            let covered = hits.iter().sum::<i32>() as f32;
            assert!((covered - area).abs() < 12.0, "{covered} of {area}");
        }
    }

    #[test]
    fn clipping_keeps_what_is_in_front() {
        let far = [Vec3::new(0.0, 0.0, 2.0), Vec3::new(1.0, 0.0, 2.0), Vec3::new(0.0, 1.0, 2.0)];
        assert_eq!(clip_near(far, 1.0).1, 1);
        assert_eq!(clip_near(far, 3.0).1, 0);
        let mut two = far;
        two[0].z = 0.0;
        let (pieces, count) = clip_near(two, 1.0);
        assert_eq!(count, 2);
        assert!(pieces.iter().flatten().all(|p| p.z >= 1.0));
    }

    #[test]
    fn absurd_coordinates_are_survived() {
        let big = 3e38;
        let t = ScreenTriangle::new(
            [Vec3::new(-big, -big, 1.0), Vec3::new(big, -big, 1.0), Vec3::new(0.0, big, 1.0)],
            64,
            64,
        );
        let t = t.unwrap();
        let mut count = 0;
        for row in t.rows[0]..t.rows[1] {
            t.fill_row(row, 64, |a, b, _, _| count += b - a);
        }
        assert!(count > 0);
    }
}
