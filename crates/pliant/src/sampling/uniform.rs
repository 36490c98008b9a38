//! All cells of one size that hold material, and which of them it joins.

use super::grid::{Grid, Sample};
use glam::{UVec3, Vec3};

/// Cells with material, x fastest, then y, then z.
#[derive(Clone, Debug, Default)]
pub struct UniformSampling {
    /// Where each node is, in cells.
    pub cells: Vec<UVec3>,
    /// Whether material joins each node to the next one along x, y and z.
    pub links: Vec<[bool; 3]>,
    /// The material of each node.
    pub samples: Vec<Sample>,
    /// The middle of each node's cell, in the mesh's coordinates.
    pub middles: Vec<Vec3>,
}

impl UniformSampling {
    /// All cells of a grid that hold material.
    pub fn new(grid: &Grid) -> Self {
        let filling = &grid.filling;
        let mut sampling = Self::default();
        for (index, _) in filling.masks.iter().enumerate().filter(|(_, mask)| **mask != 0) {
            let cell = filling.cell_at(index);
            let Some(sample) = grid.sample(cell, 1) else { continue };
            sampling.cells.push(cell);
            sampling.samples.push(sample);
            sampling.middles.push(grid.middle(cell, 1));
        }
        let linked = |cell: &UVec3| [0, 1, 2].map(|axis| grid.is_linked(*cell, axis));
        sampling.links = sampling.cells.iter().map(linked).collect();
        sampling
    }
}
