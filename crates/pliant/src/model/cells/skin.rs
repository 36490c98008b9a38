//! What carries the skin of a body of cells.

use super::CellGraph;
use crate::sampling::grid::{Grid, Sample};
use crate::skin::Cells;
use glam::{IVec3, Vec3};

/// Cells and the material they were made from.
#[derive(Clone, Copy, Debug)]
pub struct Carriers<'a> {
    /// The cells.
    pub cells: &'a CellGraph,
    /// The material.
    pub grid: &'a Grid,
    /// The material of each node.
    pub samples: &'a [Sample],
    /// Where each node is at rest.
    pub places: &'a [Vec3],
}

impl<'a> Carriers<'a> {
    /// Of cells whose nodes are the first of those at `places`; none if they have forgotten their material.
    pub fn new(cells: &'a CellGraph, places: &'a [Vec3]) -> Option<Self> {
        let material = cells.material.as_deref()?;
        let places = &places[..cells.cells.len()];
        Some(Self { cells, grid: &material.grid, samples: &material.samples, places })
    }

    fn cell_at(&self, place: Vec3) -> IVec3 {
        let filling = &self.grid.filling;
        ((place + self.grid.centre - filling.origin) / filling.cell).floor().as_ivec3()
    }

    fn node_at(&self, cell: IVec3) -> Option<u32> {
        self.cells.node_at(cell)
    }
}

impl Cells for Carriers<'_> {
    fn holding(&self, place: Vec3) -> Option<u32> {
        self.node_at(self.cell_at(place))
    }

    fn near(&self, place: Vec3, found: &mut Vec<u32>) {
        found.clear();
        let own = self.cell_at(place);
        for reach in 1..=3 {
            for z in -reach..=reach {
                for y in -reach..=reach {
                    let row = (-reach..=reach).map(|x| own + IVec3::new(x, y, z));
                    found.extend(row.filter_map(|cell| self.node_at(cell)));
                }
            }
            if !found.is_empty() {
                break;
            }
        }
    }

    /// Around a corner, by two or three links along different axes.
    fn joined(&self, node: u32, found: &mut Vec<u32>) {
        found.clear();
        found.push(node);
        for axis in [2, 1, 0] {
            for at in 0..found.len() {
                let cell = self.cells.cells[found[at] as usize].as_ivec3();
                let next = self.node_at(cell + IVec3::AXES[axis]);
                found.extend(next.filter(|_| self.cells.links[found[at] as usize][axis]));
                let before = self.node_at(cell - IVec3::AXES[axis]);
                found.extend(before.filter(|&before| self.cells.links[before as usize][axis]));
            }
        }
        found.remove(0);
    }

    fn size(&self, _: u32) -> f32 {
        self.cells.cell
    }

    fn cube(&self, node: u32) -> (IVec3, i32) {
        (self.cells.cells[node as usize].as_ivec3(), 1)
    }

    fn has_large(&self) -> bool {
        false
    }

    fn node_in(&self, cell: IVec3) -> Option<u32> {
        self.node_at(cell)
    }

    fn material(&self) -> (&Grid, &[Sample], &[Vec3]) {
        (self.grid, self.samples, self.places)
    }
}
