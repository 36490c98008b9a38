//! Surfaces made of rings: each ring is stitched to the one before it.
//!
//! Rings may have different numbers of points, so caps and domes keep well-shaped triangles.

use super::TriMesh;
use crate::math::functions::sin_cos;
use glam::Vec3;
use std::f32::consts::TAU;

/// A circle in space: `right × up` is the direction in which the next ring lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circle {
    pub centre: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    pub radius: f32,
}

impl Circle {
    /// The same circle with another radius.
    pub fn with_radius(self, radius: f32) -> Self {
        Self { radius, ..self }
    }
}

/// A ring's points in the mesh: a single point is a tip.
#[derive(Clone, Copy, Debug)]
struct Ring {
    first: u32,
    count: u32,
}

/// Builds a mesh ring by ring.
#[derive(Debug, Default)]
pub(super) struct RingBuilder {
    mesh: TriMesh,
    rings: Vec<Ring>,
}

impl RingBuilder {
    /// Adds a ring of `count` points and stitches it to the ring before.
    pub fn ring(&mut self, circle: Circle, count: u32) {
        let first = self.mesh.positions.len() as u32;
        for i in 0..count {
            let (sin, cos) = sin_cos(TAU * i as f32 / count as f32);
            let direction = circle.right * cos + circle.up * sin;
            self.mesh.positions.push(circle.centre + direction * circle.radius);
        }
        self.push(Ring { first, count });
    }

    /// Adds a single point, where the surface begins or ends.
    pub fn tip(&mut self, point: Vec3) {
        let first = self.mesh.positions.len() as u32;
        self.mesh.positions.push(point);
        self.push(Ring { first, count: 1 });
    }

    /// Adds a flat cap from the middle of `circle` outwards, without its rim.
    pub fn open_cap(&mut self, circle: Circle, around: u32) {
        self.tip(circle.centre);
        for (radius, count) in cap_rings(circle.radius, around) {
            self.ring(circle.with_radius(radius), count);
        }
    }

    /// Adds a flat cap from the rim of `circle`, which is there already, to its middle.
    pub fn close_cap(&mut self, circle: Circle, around: u32) {
        for (radius, count) in cap_rings(circle.radius, around).into_iter().rev() {
            self.ring(circle.with_radius(radius), count);
        }
        self.tip(circle.centre);
    }

    /// The mesh of all rings; both ends must be tips.
    pub fn finish(self) -> TriMesh {
        self.mesh
    }

    /// The mesh of all rings, the last one stitched to the first one.
    pub fn finish_loop(mut self) -> TriMesh {
        if let (Some(&first), Some(&last)) = (self.rings.first(), self.rings.last()) {
            self.stitch(last, first);
        }
        self.mesh
    }

    fn push(&mut self, ring: Ring) {
        if let Some(&prev) = self.rings.last() {
            self.stitch(prev, ring);
        }
        self.rings.push(ring);
    }

    /// A strip of triangles between two rings, always advancing on the ring whose next point comes first.
    fn stitch(&mut self, low: Ring, high: Ring) {
        let steps = |ring: Ring| if ring.count == 1 { 0 } else { ring.count as u64 };
        let at = |ring: Ring, i: u64| ring.first + (i % ring.count as u64) as u32;
        let (n, m) = (steps(low), steps(high));
        let (mut i, mut j) = (0, 0);
        while i < n || j < m {
            if j == m || (i < n && (i + 1) * m <= (j + 1) * n) {
                self.mesh.triangles.push([at(low, i), at(low, i + 1), at(high, j)]);
                i += 1;
            } else {
                self.mesh.triangles.push([at(low, i), at(high, j + 1), at(high, j)]);
                j += 1;
            }
        }
    }
}

/// Radii and counts of the rings inside a disc, from the middle outwards, so that triangles stay about as large as
/// those at the rim.
fn cap_rings(radius: f32, around: u32) -> Vec<(f32, u32)> {
    let steps = ((around as f32 / TAU).round() as u32).max(1);
    (1..steps)
        .map(|k| {
            let share = k as f32 / steps as f32;
            (radius * share, ((around as f32 * share).round() as u32).max(3))
        })
        .collect()
}
