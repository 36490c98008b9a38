//! The first cells of a body: fine where criteria want it.

use super::CellKey;
use super::criteria::{Criterion, Place};
use super::grid::{Grid, cells};
use glam::UVec3;

/// The leaves that criteria want of an undeformed body: base cells, divided until all are content. Sorted by key.
pub fn first_leaves(grid: &Grid, levels: u32, scale: f32, criteria: &[&dyn Criterion]) -> Vec<CellKey> {
    let block = 1 << levels;
    let counts = UVec3::from_array(grid.filling.counts);
    let mut stack: Vec<CellKey> =
        cells(UVec3::ZERO, counts / block).map(|base| CellKey::new(base * block, levels)).collect();
    let mut leaves = Vec::new();
    while let Some(key) = stack.pop() {
        let material = grid.filling.material(key.low().to_array(), key.edge());
        if material.count == 0 {
            continue;
        }
        if key.level() > 0
            && wanted(grid, key, scale, criteria) < key.edge() as f32 * grid.filling.cell * (1.0 - 1e-4)
        {
            stack.extend(key.children());
        } else {
            leaves.push(key);
        }
    }
    leaves.sort_unstable();
    leaves
}

fn wanted(grid: &Grid, key: CellKey, scale: f32, criteria: &[&dyn Criterion]) -> f32 {
    let middle = grid.middle(key.low(), key.edge());
    let place = Place {
        low: key.low(),
        edge: key.edge(),
        size: key.edge() as f32 * grid.filling.cell,
        rest: middle / scale,
        rest_size: key.edge() as f32 * grid.filling.cell / scale,
        grid,
        now: None,
    };
    criteria.iter().map(|criterion| criterion.largest(&place, 1.0)).fold(f32::INFINITY, f32::min)
}
