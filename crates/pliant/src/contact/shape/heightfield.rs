//! A shape as ground of changing height.

use super::derived::{Derived, same};
use super::surface::Surface;
use super::{LARGEST, ShapeError};
use crate::geometry::{Guess, TriMesh};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Ground: solid below its heights without end, and nothing beyond its rim.
///
/// The heights stand on a regular grid in the middle of x and z; between them the ground is made of triangles.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heightfield {
    /// How far it reaches along x and z, in metres; `y` is what heights are multiplied by.
    size: Vec3,
    /// Rows from −z to z, each with its heights from −x to x.
    heights: Arc<[Vec<f32>]>,
    #[serde(skip)]
    derived: Derived,
}

impl Heightfield {
    /// Of its extent along x and z (`size.y` is what heights are multiplied by), and of rows of equal length from −z to z with
    /// heights from −x to x; two rows of two heights at least.
    pub fn new(size: Vec3, heights: impl Into<Arc<[Vec<f32>]>>) -> Self {
        Self { size, heights: heights.into(), derived: Derived::default() }
    }

    /// How far it reaches along x and z, and what heights are multiplied by.
    pub fn size(&self) -> Vec3 {
        self.size
    }

    /// Its rows.
    pub fn heights(&self) -> &[Vec<f32>] {
        &self.heights
    }

    /// Rows and heights in a row.
    fn counts(&self) -> (usize, usize) {
        (self.heights.len(), self.heights.first().map_or(0, Vec::len))
    }

    fn check(&self) -> Result<(), ShapeError> {
        let (rows, columns) = self.counts();
        if rows < 2 || columns < 2 || self.heights.iter().any(|row| row.len() != columns) {
            return Err("its heights must be two rows or more, of equal length, with two heights or more");
        }
        if !self.size.to_array().iter().all(|&length| length > 0.0 && length <= LARGEST) {
            return Err("its size must be above 0");
        }
        if !self.heights.iter().flatten().all(|height| (height * self.size.y).abs() <= LARGEST) {
            return Err("its heights must be finite");
        }
        Ok(())
    }

    /// The ground without what is below it.
    pub(super) fn mesh(&self) -> TriMesh {
        if self.check().is_err() {
            return TriMesh::default();
        }
        let (rows, columns) = self.counts();
        let along = |i: usize, count: usize, size: f32| (i as f32 / (count - 1) as f32 - 0.5) * size;
        let mut ground = TriMesh::default();
        for (row, heights) in self.heights.iter().enumerate() {
            for (column, height) in heights.iter().enumerate() {
                let (x, z) = (along(column, columns, self.size.x), along(row, rows, self.size.z));
                ground.positions.push(Vec3::new(x, height * self.size.y, z));
            }
        }
        let at = |row: usize, column: usize| (row * columns + column) as u32;
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let (here, right) = (at(row, column), at(row, column + 1));
                let (below, across) = (at(row + 1, column), at(row + 1, column + 1));
                ground.triangles.extend([[here, below, right], [right, below, across]]);
            }
        }
        ground
    }

    /// The ground alone; its sides are added to what it answers.
    pub(super) fn surface(&self) -> Result<&Surface, ShapeError> {
        self.derived.get(|| {
            self.check()?;
            let ground = self.mesh();
            Ok(Surface::solid(&ground.positions, &ground.triangles))
        })
    }

    /// The height at the nearest place of the ground.
    fn height(&self, x: f32, z: f32) -> f64 {
        let (rows, columns) = self.counts();
        let place = |at: f32, size: f32, count: usize| {
            let last = (count - 1) as f64;
            let at = ((f64::from(at) / f64::from(size) + 0.5) * last).clamp(0.0, last);
            let cell = at.floor().min(last - 1.0);
            (cell as usize, at - cell)
        };
        let ((column, across), (row, along)) = (place(x, self.size.x, columns), place(z, self.size.z, rows));
        let at = |r: usize, c: usize| f64::from(self.heights[row + r][column + c] * self.size.y);
        let (right, below) = (at(0, 1), at(1, 0));
        if across + along <= 1.0 {
            let here = at(0, 0);
            here + across * (right - here) + along * (below - here)
        } else {
            let far = at(1, 1);
            far + (1.0 - across) * (below - far) + (1.0 - along) * (right - far)
        }
    }

    pub(super) fn distance(&self, point: Vec3, guess: &mut Guess) -> (f32, Vec3) {
        match self.surface() {
            Ok(surface) => self.with_sides(point, surface.distance(point, guess)),
            Err(_) => super::NOWHERE,
        }
    }

    /// The distance of the ground, of whose surface it is known, with the sides that go down from its rim.
    fn with_sides(&self, point: Vec3, (mut distance, mut normal): (f32, Vec3)) -> (f32, Vec3) {
        if !point.is_finite() {
            return (point.length(), Vec3::Y);
        }
        let half = 0.5 * self.size;
        let over = point.x.abs() < half.x && point.z.abs() < half.z;
        let inside = over && f64::from(point.y) < self.height(point.x, point.z);
        // The ground's rim has no other side that would tell; very near the ground it knows best itself.
        if (distance < 0.0) != inside && distance.abs() > 1e-6 * half.max_element() {
            (distance, normal) = (-distance, -normal);
        }
        // The sides go down from the rim for ever. What is nearest on them is straight across, or on the rim.
        for axis in [0, 2] {
            for side in [Vec3::AXES[axis], -Vec3::AXES[axis]] {
                let mut nearest = point.clamp(-half, half).with_y(point.y);
                nearest[axis] = side[axis] * half[axis];
                let away = point - nearest;
                let length = away.length();
                if length < distance.abs() && f64::from(point.y) <= self.height(nearest.x, nearest.z) {
                    let out = if inside || length == 0.0 { side } else { away / length };
                    (distance, normal) = (if inside { -length } else { length }, out);
                }
            }
        }
        (distance, normal)
    }

    pub(super) fn is_farther_than(&self, point: Vec3, limit: f32) -> bool {
        let Ok(surface) = self.surface() else { return false };
        let (low, high) = surface.bounds();
        // Above its lowest place, or beside it.
        let raised = if point.y < low.y { point.with_y(low.y) } else { point };
        let beside = point.y < low.y && raised.x.abs() < high.x && raised.z.abs() < high.z;
        !beside && surface.is_farther_than(raised, limit, |p| self.with_sides(p, surface.distance_once(p)).0)
    }
}

impl PartialEq for Heightfield {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && same(&self.heights, &other.heights)
    }
}
