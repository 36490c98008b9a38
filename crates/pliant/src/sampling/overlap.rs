//! Which cells of a grid a surface passes through.
//!
//! A triangle is cut to a layer of cells, then to a row of it; what remains is convex, so it touches all cells between its
//! ends. That is exact and costs no more than the cells found, also for large triangles in a fine grid.

use super::filling::Placed;
use crate::par;
use glam::DVec3;
use std::ops::Range;

/// Most groups of layers: enough for any number of threads; more would list long triangles too often.
const MOST_GROUPS: usize = 128;

/// Consecutive layers of cells along z, and the triangles that reach into them.
pub(super) struct Group {
    pub layers: Range<usize>,
    pub triangles: Vec<u32>,
}

/// All layers of a grid in groups.
pub(super) fn groups(placed: &Placed, triangles: &[[DVec3; 3]]) -> Vec<Group> {
    let layers = placed.counts[2];
    let size = layers.div_ceil(MOST_GROUPS);
    let mut groups: Vec<Group> = (0..layers.div_ceil(size))
        .map(|g| Group { layers: g * size..((g + 1) * size).min(layers), triangles: Vec::new() })
        .collect();
    for (t, corners) in triangles.iter().enumerate() {
        let reached = cells_between(extent(corners, 2), placed.slack, layers);
        for group in &mut groups[reached.start / size..(reached.end - 1) / size + 1] {
            group.triangles.push(t as u32);
        }
    }
    groups
}

/// One entry a cell: whether one of `triangles` overlaps it.
pub(super) fn surface_cells(placed: &Placed, triangles: &[[DVec3; 3]]) -> Vec<bool> {
    let [nx, ny, nz] = placed.counts;
    let mut surface = vec![false; nx * ny * nz];
    let groups = groups(placed, triangles);
    let mut parts: Vec<(&Group, &mut [bool])> = Vec::with_capacity(groups.len());
    let mut rest = surface.as_mut_slice();
    for group in &groups {
        let (part, after) = rest.split_at_mut(group.layers.len() * nx * ny);
        parts.push((group, part));
        rest = after;
    }
    par::for_each_indexed(&mut parts, 1, |_, (group, part)| {
        for &t in &group.triangles {
            mark(placed, &triangles[t as usize], group.layers.clone(), part);
        }
    });
    surface
}

/// Marks the cells of some layers that a triangle overlaps.
fn mark(placed: &Placed, corners: &[DVec3; 3], layers: Range<usize>, surface: &mut [bool]) {
    let [nx, ny, nz] = placed.counts;
    let slack = placed.slack;
    let whole = Polygon::new(corners);
    let reached = cells_between(extent(corners, 2), slack, nz);
    for z in reached.start.max(layers.start)..reached.end.min(layers.end) {
        let layer = whole.within(2, z as f64 - slack, z as f64 + 1.0 + slack);
        if layer.count == 0 {
            continue;
        }
        for y in cells_between(extent(layer.points(), 1), slack, ny) {
            let row = layer.within(1, y as f64 - slack, y as f64 + 1.0 + slack);
            if row.count == 0 {
                continue;
            }
            let start = ((z - layers.start) * ny + y) * nx;
            let cells = cells_between(extent(row.points(), 0), slack, nx);
            surface[start + cells.start..start + cells.end].fill(true);
        }
    }
}

/// The least and the greatest coordinate along an axis.
fn extent(points: &[DVec3], axis: usize) -> (f64, f64) {
    points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), p| (lo.min(p[axis]), hi.max(p[axis])))
}

/// The cells along an axis that an interval touches; at least one.
fn cells_between((low, high): (f64, f64), slack: f64, count: usize) -> Range<usize> {
    let first = ((low - slack).ceil() - 1.0).max(0.0) as usize;
    let end = ((high + slack).floor() + 1.0).max(0.0) as usize;
    let first = first.min(count - 1);
    first..end.clamp(first + 1, count)
}

/// A triangle, cut up to four times.
#[derive(Clone, Copy)]
struct Polygon {
    corners: [DVec3; 8],
    count: usize,
}

impl Polygon {
    fn new(corners: &[DVec3; 3]) -> Self {
        let mut all = [DVec3::ZERO; 8];
        all[..3].copy_from_slice(corners);
        Self { corners: all, count: 3 }
    }

    fn points(&self) -> &[DVec3] {
        &self.corners[..self.count]
    }

    /// The part between two planes across an axis.
    fn within(&self, axis: usize, low: f64, high: f64) -> Self {
        let (least, greatest) = extent(self.points(), axis);
        let above = if least < low { self.cut(axis, low, 1.0) } else { *self };
        if greatest > high { above.cut(axis, high, -1.0) } else { above }
    }

    /// The part on one side of a plane across an axis.
    fn cut(&self, axis: usize, plane: f64, side: f64) -> Self {
        let mut part = Self { corners: [DVec3::ZERO; 8], count: 0 };
        let mut add = |p: DVec3| {
            // Rounding can make a convex polygon cross a plane more than twice; what is left out then lies on the plane.
            if let Some(next) = part.corners.get_mut(part.count) {
                *next = p;
                part.count += 1;
            }
        };
        let points = self.points();
        for (i, &a) in points.iter().enumerate() {
            let b = points[(i + 1) % points.len()];
            let (from, to) = ((a[axis] - plane) * side, (b[axis] - plane) * side);
            if from >= 0.0 {
                add(a);
            }
            if (from > 0.0 && to < 0.0) || (from < 0.0 && to > 0.0) {
                add(a + (b - a) * (from / (from - to)));
            }
        }
        part
    }
}
