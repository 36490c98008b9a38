//! A number at every place of a body, painted by whoever made it.

use super::grid::{Grid, cells};
use glam::{UVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A number at every place of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Painted {
    /// The same everywhere.
    Uniform(f32),
    /// One value for 2×2×2 finest cells, x fastest.
    Cells {
        /// Values along x, y and z.
        counts: UVec3,
        /// The numbers.
        values: Vec<f32>,
    },
}

impl Default for Painted {
    fn default() -> Self {
        Self::Uniform(0.0)
    }
}

impl Painted {
    /// Samples a function of the grid's coordinates.
    pub fn new(grid: &Grid, number: impl Fn(Vec3) -> f32) -> Self {
        let counts = UVec3::from_array(grid.filling.counts).map(|n| n.div_ceil(2));
        let places = cells(UVec3::ZERO, counts);
        Self::Cells { counts, values: places.map(|cell| number(grid.middle(2 * cell, 2))).collect() }
    }

    /// The largest of them.
    pub fn largest(&self) -> f32 {
        match self {
            Self::Uniform(value) => *value,
            Self::Cells { values, .. } => values.iter().copied().fold(0.0, f32::max),
        }
    }

    /// The smallest of them.
    pub fn smallest(&self) -> f32 {
        match self {
            Self::Uniform(value) => *value,
            Self::Cells { values, .. } => values.iter().copied().fold(f32::INFINITY, f32::min),
        }
    }

    /// The number at a place in the grid's coordinates.
    pub fn at(&self, grid: &Grid, place: Vec3) -> f32 {
        match self {
            Self::Uniform(value) => *value,
            Self::Cells { counts, values } => {
                let at = (place - grid.filling.origin) / (2.0 * grid.filling.cell);
                let cell = at.floor().max(Vec3::ZERO).as_uvec3().min(counts - 1);
                values[((cell.z * counts.y + cell.y) * counts.x + cell.x) as usize]
            }
        }
    }
}

/// A number painted by a function of the mesh's coordinates and of what it is where nothing is painted.
#[derive(Clone)]
pub struct Brush(pub Arc<dyn Fn(Vec3, f32) -> f32 + Send + Sync>);

impl Brush {
    /// Of places alone.
    pub fn of_places(number: impl Fn(Vec3) -> f32 + Send + Sync + 'static) -> Self {
        Self(Arc::new(move |place, _| number(place)))
    }

    /// What it paints at a place of the mesh over `plain`.
    pub fn at(&self, place: Vec3, plain: f32) -> f32 {
        (self.0)(place, plain)
    }

    /// What it paints over `plain` on a grid of a body that is `scale` times as large as the mesh; nothing is below 0.
    pub fn on(&self, grid: &Grid, scale: f32, plain: f32) -> Painted {
        Painted::new(grid, |place| (self.0)(place / scale, plain).max(0.0))
    }
}

impl std::fmt::Debug for Brush {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Brush")
    }
}
