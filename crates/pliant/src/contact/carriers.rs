//! Nodes that can carry what touches a body, and how to find those near a place.

use super::narrow::OVER;
use super::shell::Patch;
use crate::body::border::{Border, Facet};
use crate::geometry::PointGrid;
use crate::math::functions::square;
use glam::{Vec3, Vec4};
use std::ops::Range;

/// A node that can carry a tip of another, with its facets as they are now.
#[derive(Clone, Debug)]
pub(super) struct Carrier {
    pub node: u32,
    pub at: Vec3,
    /// How far along the surface it speaks for it, in metres.
    pub span: f32,
    /// How far from it what it knows of the surface holds, in metres. A node at the surface knows it around itself; one inside knows
    /// the nearest piece of it: within that distance all is inside, and beyond nothing is known.
    known: f32,
    inside: bool,
    /// Its facets, in a list of all.
    facets: Range<u32>,
}

/// Which carriers are asked about a place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    /// Those that are not farther from it than so many metres.
    pub radius: f32,
    /// Of those only the ones that know the surface there, for bodies that are kept so many metres apart.
    pub knowing: Option<f32>,
}

impl Around {
    /// How far from a place a carrier may be, in metres.
    fn limit(&self, carrier: &Carrier) -> f32 {
        let Some(apart) = self.knowing else { return self.radius };
        let known = if carrier.inside { carrier.known } else { carrier.known + apart };
        known.min(self.radius)
    }
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
    around: Around,
    /// Which.
    indices: Vec<u32>,
    blocks: Vec<Block>,
}

/// A few carriers; none is in the last places.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Where they are, axis by axis.
    at: [[Vec4; 2]; 3],
    /// The square of how far from a place each may be.
    limit2: [Vec4; 2],
}

/// How many nodes are looked at at a time.
const BLOCK: usize = 8;
/// Up to how many nodes all are looked at rather than those in the grid's cells near a place: a grid asks 27 cells, which is as long as
/// comparing about 300 nodes.
const FEW: usize = 256;

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
        let (span, inside) = (border.span(patch.node), border.tips(patch.node).is_empty());
        let deep = |facet: &Facet| (facet.point - patch.at).dot(facet.normal);
        let known = match inside {
            true => self.facets[start as usize..].iter().map(deep).fold(0.0, f32::max),
            false => OVER * span,
        };
        let facets = start..self.facets.len() as u32;
        self.all.push(Carrier { node: patch.node, at: patch.at, span, known, inside, facets });
    }

    /// Sorts those that were added into a grid, if they are many.
    pub fn sort_in(&mut self, cell: f32) {
        if self.all.len() > FEW {
            self.points.clear();
            self.points.extend(self.all.iter().map(|carrier| carrier.at));
            self.grid.rebuild(&self.points, cell);
        }
    }

    /// Picks those that can carry anything, by where they are, to be asked about places. If that are many, the grid is asked instead.
    pub fn pick(&self, around: Around, can: impl Fn(Vec3) -> bool, picked: &mut Picked) {
        picked.around = around;
        let Picked { indices, blocks, .. } = picked;
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
            let (mut axes, mut limit2) = ([[f32::INFINITY; BLOCK]; 3], [0.0; BLOCK]);
            for (lane, &index) in block.iter().enumerate() {
                let carrier = &self.all[index as usize];
                let at = carrier.at.to_array();
                (0..3).for_each(|axis| axes[axis][lane] = at[axis]);
                limit2[lane] = square(around.limit(carrier));
            }
            let lanes = |numbers: [f32; BLOCK]| [0, 4].map(|lane| Vec4::from_slice(&numbers[lane..]));
            Block { at: axes.map(lanes), limit2: lanes(limit2) }
        }));
    }

    /// Calls `found` for each of those picked that is asked about a place, in a fixed order.
    pub fn near(&self, picked: &Picked, place: Vec3, mut found: impl FnMut(&Carrier, &[Facet])) {
        let mut each = |carrier: &Carrier| {
            found(carrier, &self.facets[carrier.facets.start as usize..carrier.facets.end as usize]);
        };
        if picked.indices.len() > FEW {
            self.grid.within(place, picked.around.radius, |index, _| {
                let carrier = &self.all[index as usize];
                if carrier.at.distance_squared(place) <= square(picked.around.limit(carrier)) {
                    each(carrier);
                }
            });
            return;
        }
        for (indices, block) in picked.indices.chunks(BLOCK).zip(&picked.blocks) {
            let mut within = block.within(place);
            while within != 0 {
                each(&self.all[indices[within.trailing_zeros() as usize] as usize]);
                within &= within - 1;
            }
        }
    }
}

impl Block {
    /// Which of them are not too far from a place, as bits.
    fn within(&self, place: Vec3) -> u32 {
        let Self { at: [x, y, z], limit2 } = self;
        let half = |of: usize| {
            let [dx, dy, dz] = [x[of] - place.x, y[of] - place.y, z[of] - place.z];
            (dx * dx + dy * dy + dz * dz).cmple(limit2[of]).bitmask()
        };
        half(0) | half(1) << 4
    }
}
