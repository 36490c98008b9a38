//! The inside of a closed surface, line by line.
//!
//! A plane through a layer of samples cuts the surface in polygons: a triangle's up-going edge is where its part of the
//! polygon begins, its down-going edge where it ends, and the neighbour computes the same point from the same numbers. A line
//! in that plane then crosses each polygon as often one way as the other, whatever the rounding: nothing leaks.

use super::filling::Placed;
use super::overlap::{Group, groups};
use crate::par;
use glam::{DVec2, DVec3};

/// How far samples are moved, in cells, to look for walls. A sample on the surface is on one side for lines along x and may be
/// on the other for lines along y; next to it there is no doubt.
const NUDGE: [f64; 3] = [1.31e-5, 2.93e-5, 4.77e-5];

/// The samples inside, one mask a cell.
pub(super) fn masks(placed: &Placed) -> Vec<u64> {
    let [nx, ny, nz] = placed.counts;
    let mut masks = vec![0_u64; nx * ny * nz];
    let groups = groups(placed, &placed.corners);
    let mut parts: Vec<(&Group, &mut [u64])> = Vec::with_capacity(groups.len());
    let mut rest = masks.as_mut_slice();
    for group in &groups {
        let (part, after) = rest.split_at_mut(group.layers.len() * nx * ny);
        parts.push((group, part));
        rest = after;
    }
    par::for_each_indexed(&mut parts, 1, |_, (group, part)| fill(placed, group, part));
    masks
}

/// Walls between neighbouring samples of the same cell, for each cell with a slot: bit `i` of the mask of an axis says that the
/// surface passes between sample `i` and the one before it along that axis. Cells without a slot have `u32::MAX`.
pub(super) fn walls(placed: &Placed, slots: &[u32], count: usize) -> Vec<[u64; 3]> {
    let mut walls = vec![[0; 3]; count];
    for axis in 0..3 {
        let turn = [axis, (axis + 1) % 3, (axis + 2) % 3];
        let turned = |p: DVec3| DVec3::from_array(turn.map(|a| p[a] - NUDGE[a]));
        let turned = Placed {
            counts: turn.map(|a| placed.counts[a]),
            corners: placed.corners.iter().map(|t| t.map(turned)).collect(),
            slack: placed.slack,
        };
        let groups = groups(&turned, &turned.corners);
        let mut found: Vec<Option<Crossings>> = groups.iter().map(|_| None).collect();
        par::for_each_indexed(&mut found, 1, |g, found| *found = Some(crossings(&turned, &groups[g])));
        for (group, crossings) in groups.iter().zip(found.iter().flatten()) {
            for (line, at, _) in crossings.found.iter().map(|&c| crossings.unpack(c)) {
                let plane = (line / crossings.lines) as usize + 4 * group.layers.start;
                let mut sample = [0; 3];
                for (a, s) in turn.into_iter().zip([at as usize, (line % crossings.lines) as usize, plane]) {
                    sample[a] = s;
                }
                let [x, y, z] = sample;
                if at % 4 != 0 {
                    let cell = (z / 4 * placed.counts[1] + y / 4) * placed.counts[0] + x / 4;
                    if let Some(walls) = walls.get_mut(slots[cell] as usize) {
                        walls[axis] |= 1 << (x % 4 + 4 * (y % 4) + 16 * (z % 4));
                    }
                }
            }
        }
    }
    walls
}

/// Fills the layers of one group.
fn fill(placed: &Placed, group: &Group, masks: &mut [u64]) {
    let [nx, ny, _] = placed.counts;
    let mut crossings = crossings(placed, group);
    // Crossings between the same two samples may come in any order: only their sum counts.
    crossings.found.sort_unstable();
    let (mut winding, mut begin) = (0, 0);
    for &crossing in &crossings.found {
        let (line, at, up) = crossings.unpack(crossing);
        let before = winding;
        winding += if up { 1 } else { -1 };
        if before == 0 {
            begin = at;
        } else if winding == 0 {
            let (y, z) = ((line % crossings.lines) as usize, (line / crossings.lines) as usize);
            let row = (z / 4 * ny + y / 4) * nx;
            set_run(&mut masks[row..row + nx], 4 * (y % 4) + 16 * (z % 4), begin as usize, at as usize);
        }
    }
}

/// Where the lines of a group's layers cross the surface, in no order.
fn crossings(placed: &Placed, group: &Group) -> Crossings {
    let [nx, ny, _] = placed.counts;
    let mut crossings = Crossings { found: Vec::new(), along: 4 * nx as u64, lines: 4 * ny as u64 };
    let planes = 4 * group.layers.start as i64..4 * group.layers.end as i64;
    for &t in &group.triangles {
        // In samples, with the first sample at zero.
        let corners = placed.corners[t as usize].map(|p| p * 4.0 - 0.5);
        let low = corners[0].z.min(corners[1].z).min(corners[2].z);
        let high = corners[0].z.max(corners[1].z).max(corners[2].z);
        let first = (low.floor() as i64 + 1).max(planes.start);
        let last = (high.floor() as i64).min(planes.end - 1);
        for plane in first..=last {
            if let Some((from, to)) = cut(&corners, plane as f64) {
                crossings.add((plane - planes.start) as u64, from, to);
            }
        }
    }
    crossings
}

/// Where a triangle begins and ends in a plane of constant z.
fn cut(corners: &[DVec3; 3], z: f64) -> Option<(DVec2, DVec2)> {
    let (mut from, mut to) = (None, None);
    for i in 0..3 {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        if a.z < z && z <= b.z {
            from = Some(between(a, b, z));
        } else if b.z < z && z <= a.z {
            to = Some(between(b, a, z));
        }
    }
    from.zip(to)
}

/// Where the edge between two points reaches a height. Always from the lower to the higher: both triangles at the edge get the
/// same bits.
fn between(low: DVec3, high: DVec3, z: f64) -> DVec2 {
    low.truncate() + (high - low).truncate() * ((z - low.z) / (high.z - low.z))
}

/// Where lines cross the surface: line, first sample behind the crossing, and direction, packed in the order of sorting.
struct Crossings {
    found: Vec<u64>,
    along: u64,
    /// Lines in a plane.
    lines: u64,
}

impl Crossings {
    /// Notes all lines of a plane that cross the segment.
    fn add(&mut self, plane: u64, from: DVec2, to: DVec2) {
        let up = from.y < to.y;
        let (low, high) = if up { (from, to) } else { (to, from) };
        let first = (low.y.floor() as i64 + 1).max(0);
        let last = (high.y.floor() as i64).min(self.lines as i64 - 1);
        for line in first..=last {
            let x = low.x + (high.x - low.x) * ((line as f64 - low.y) / (high.y - low.y));
            let at = x.ceil().clamp(0.0, self.along as f64) as u64;
            let line = plane * self.lines + line as u64;
            self.found.push((line * (self.along + 1) + at) << 1 | u64::from(up));
        }
    }

    fn unpack(&self, crossing: u64) -> (u64, u64, bool) {
        let place = crossing >> 1;
        (place / (self.along + 1), place % (self.along + 1), crossing & 1 == 1)
    }
}

/// Sets the samples `begin..end` of a row of cells, on the line that starts at bit `shift` of each.
fn set_run(row: &mut [u64], shift: usize, begin: usize, end: usize) {
    if begin >= end {
        return;
    }
    let (first, last) = (begin / 4, (end - 1) / 4);
    let from = 0xf_u64 << (begin % 4) & 0xf;
    let to = 0xf_u64 >> (3 - (end - 1) % 4);
    if first == last {
        row[first] |= (from & to) << shift;
        return;
    }
    row[first] |= from << shift;
    row[first + 1..last].iter_mut().for_each(|mask| *mask |= 0xf << shift);
    row[last] |= to << shift;
}
