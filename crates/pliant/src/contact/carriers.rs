//! Nodes that can carry what touches a body, and how to find those near a place.

use super::shell::Patch;
use crate::body::border::{Border, Facet};
use crate::geometry::PointGrid;
use glam::{Vec3, Vec4};
use std::ops::Range;

/// A node that can carry a tip of another, with its facets as they are now.
#[derive(Clone, Debug)]
pub(super) struct Carrier {
    pub node: u32,
    pub at: Vec3,
    /// Its facets, in a list of all.
    facets: Range<u32>,
}

/// Nodes that can carry tips.
#[derive(Clone, Debug, Default)]
pub(super) struct Carriers {
    all: Vec<Carrier>,
    facets: Vec<Facet>,
    /// Where they are, if they are many.
    points: Vec<Vec3>,
    grid: PointGrid,
}

/// Some of them, among which those near a place are found.
#[derive(Debug, Default)]
pub(super) struct Picked {
    /// Which.
    indices: Vec<u32>,
    /// Where they are, axis by axis, a few at a time; none is in the last places.
    blocks: Vec<[[Vec4; 2]; 3]>,
}

/// How many nodes are looked at at a time.
const BLOCK: usize = 8;
/// Up to how many nodes all are looked at rather than those in the grid's cells near a place.
const FEW: usize = 64;

impl Carriers {
    pub fn clear(&mut self) {
        self.all.clear();
        self.facets.clear();
    }

    /// Makes room for so many, with so many facets.
    pub fn reserve(&mut self, count: usize, facets: usize) {
        self.all.reserve(count);
        self.facets.reserve(facets);
        self.points.reserve(count);
    }

    pub fn add(&mut self, patch: &Patch, border: &Border) {
        let start = self.facets.len() as u32;
        self.facets.extend(border.facets(patch.node).iter().map(|facet| patch.facet(facet)));
        self.all.push(Carrier { node: patch.node, at: patch.at, facets: start..self.facets.len() as u32 });
    }

    /// Sorts those that were added into a grid, if they are many.
    pub fn sort_in(&mut self, cell: f32) {
        if self.all.len() > FEW {
            self.points.clear();
            self.points.extend(self.all.iter().map(|carrier| carrier.at));
            self.grid.rebuild(&self.points, cell);
        }
    }

    /// Picks those that can carry anything, by where they are. If that are many, the grid is asked instead.
    pub fn pick(&self, can: impl Fn(Vec3) -> bool, picked: &mut Picked) {
        let Picked { indices, blocks } = picked;
        indices.clear();
        blocks.clear();
        indices.reserve(FEW + 1);
        blocks.reserve(FEW / BLOCK);
        let found = (0..).zip(&self.all).filter(|(_, carrier)| can(carrier.at));
        indices.extend(found.map(|(index, _)| index).take(FEW + 1));
        if indices.len() > FEW {
            return;
        }
        blocks.extend(indices.chunks(BLOCK).map(|block| {
            let mut axes = [[f32::INFINITY; BLOCK]; 3];
            for (lane, &index) in block.iter().enumerate() {
                let at = self.all[index as usize].at.to_array();
                (0..3).for_each(|axis| axes[axis][lane] = at[axis]);
            }
            axes.map(|axis| [0, 4].map(|lane| Vec4::from_slice(&axis[lane..])))
        }));
    }

    /// Calls `found` for each of those picked that is not farther from a place than a radius, in a fixed order.
    pub fn near(&self, picked: &Picked, place: Vec3, radius: f32, mut found: impl FnMut(&Carrier, &[Facet])) {
        let mut each = |index: u32| {
            let carrier = &self.all[index as usize];
            found(carrier, &self.facets[carrier.facets.start as usize..carrier.facets.end as usize]);
        };
        if picked.indices.len() > FEW {
            self.grid.within(place, radius, |index, _| each(index));
            return;
        }
        for (block, axes) in picked.indices.chunks(BLOCK).zip(&picked.blocks) {
            let mut within = within(axes, place, radius * radius);
            while within != 0 {
                each(block[within.trailing_zeros() as usize]);
                within &= within - 1;
            }
        }
    }
}

/// Which points of a block are within a distance of a place, given its square, as bits.
fn within([x, y, z]: &[[Vec4; 2]; 3], place: Vec3, radius2: f32) -> u32 {
    let half = |of: usize| {
        let [dx, dy, dz] = [x[of] - place.x, y[of] - place.y, z[of] - place.z];
        (dx * dx + dy * dy + dz * dz).cmple(Vec4::splat(radius2)).bitmask()
    };
    half(0) | half(1) << 4
}
