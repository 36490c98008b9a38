//! What carries the skin of an octree.

use super::Rest;
use crate::sampling::CellKey;
use crate::sampling::grid::{Grid, Sample};
use crate::skin::Cells;
use glam::{IVec3, UVec3, Vec3};

impl Rest {
    fn finest_cell(&self, place: Vec3) -> IVec3 {
        let filling = &self.grid.filling;
        ((place + self.grid.centre - filling.origin) / filling.cell).floor().as_ivec3()
    }

    fn leaf_around(&self, cell: IVec3) -> Option<u32> {
        let counts = UVec3::from_array(self.grid.filling.counts).as_ivec3();
        let within = cell.cmpge(IVec3::ZERO).all() && cell.cmplt(counts).all();
        if within { self.tree.leaf_at(cell.as_uvec3()) } else { None }
    }
}

impl Cells for Rest {
    fn holding(&self, place: Vec3) -> Option<u32> {
        self.leaf_around(self.finest_cell(place))
    }

    fn near(&self, place: Vec3, found: &mut Vec<u32>) {
        found.clear();
        let cell = self.finest_cell(place);
        // Rings around the vertex's own cell, until one has a node.
        for ring in 1..=1_i32 << self.settings.levels {
            for z in -ring..=ring {
                for y in -ring..=ring {
                    let inner = z.abs() < ring && y.abs() < ring;
                    // Inside the ring's box only its two ends are new; the first ring has the own cell as well.
                    let step = if inner && ring > 1 { 2 * ring } else { 1 };
                    for x in (-ring..=ring).step_by(step as usize) {
                        let leaf = self.leaf_around(cell + IVec3::new(x, y, z));
                        found.extend(leaf.filter(|leaf| !found.contains(leaf)));
                    }
                }
            }
            if !found.is_empty() {
                break;
            }
        }
    }

    fn joined(&self, node: u32, found: &mut Vec<u32>) {
        found.clear();
        found.extend(self.graph.of(node as usize).iter().map(|edge| edge.node));
    }

    fn size(&self, node: u32) -> f32 {
        let key: CellKey = self.tree.key_of(node as usize);
        key.edge() as f32 * self.grid.filling.cell
    }

    fn cube(&self, node: u32) -> (IVec3, i32) {
        let key = self.tree.key_of(node as usize);
        (key.low().as_ivec3(), key.edge() as i32)
    }

    fn has_large(&self) -> bool {
        self.settings.levels > 0
    }

    fn node_in(&self, cell: IVec3) -> Option<u32> {
        self.leaf_around(cell)
    }

    fn material(&self) -> (&Grid, &[Sample], &[Vec3]) {
        (&self.grid, &self.samples, &self.places)
    }
}
