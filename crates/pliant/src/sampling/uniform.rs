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
        let mut node_at: Vec<Option<u32>> = vec![None; filling.masks.len()];
        for (index, _) in filling.masks.iter().enumerate().filter(|(_, mask)| **mask != 0) {
            let cell = filling.cell_at(index);
            let Some(sample) = grid.sample(cell, 1) else { continue };
            node_at[index] = Some(sampling.cells.len() as u32);
            sampling.cells.push(cell);
            sampling.samples.push(sample);
            sampling.middles.push(grid.middle(cell, 1));
        }
        let strides = [1, filling.counts[0] as usize, (filling.counts[0] * filling.counts[1]) as usize];
        let joined = |node: usize, axis: usize| {
            let cell = sampling.cells[node];
            if cell[axis] + 1 >= filling.counts[axis] {
                return false;
            }
            let Some(next) = node_at[filling.index(cell.to_array()) + strides[axis]] else { return false };
            let (a, b) = (&sampling.samples[node], &sampling.samples[next as usize]);
            !((a.at_surface || b.at_surface) && grid.surface.crosses(a.inside, b.inside))
        };
        let mut links = vec![[false; 3]; sampling.cells.len()];
        crate::par::for_each_indexed(&mut links, 64, |node, links| {
            *links = [joined(node, 0), joined(node, 1), joined(node, 2)];
        });
        sampling.links = links;
        sampling
    }
}
