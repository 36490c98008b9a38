//! Nodes that can carry what touches a body, and how to find those near a place.

use super::narrow::OVER;
use super::places::{Eight, Places};
use super::shell::{Overlap, Patch};
use crate::body::border::{Border, Facet, in_all};
use crate::geometry::PointGrid;
use crate::math::functions::square;
use crate::math::lanes::{F32x8, Kernel, LANES, LaneMask, Lanes, run};
use glam::Vec3;
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

    /// The same of eight.
    #[inline(always)]
    fn limits<L: Lanes>(&self, known: &Known) -> L {
        let radius = L::splat(self.radius);
        let Some(apart) = self.knowing else { return radius };
        (L::load(&known.within) + L::load(&known.beyond) * L::splat(apart)).min(radius)
    }
}

/// How far from eight carriers what they know of the surface holds.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Metres.
    within: F32x8,
    /// 1 for those that know it also as far beyond as bodies are kept apart, 0 for others.
    beyond: F32x8,
}

/// Nodes that can carry tips.
#[derive(Clone, Debug, Default)]
pub(super) struct Carriers {
    all: Vec<Carrier>,
    facets: Vec<Facet>,
    /// Where they are, and in another form if they are many.
    places: Places,
    known: Vec<Known>,
    points: Vec<Vec3>,
    grid: PointGrid,
}

/// Some of them, among which those near a place are found.
#[derive(Debug, Default)]
pub(super) struct Picked {
    around: Around,
    /// Which, and how many.
    eights: Vec<Eight>,
    count: usize,
    /// Those near the place that was asked about last.
    near: Vec<u32>,
}

/// Up to how many nodes all are looked at rather than those in the grid's cells near a place: a grid asks 27 cells, which is as long as
/// comparing about 300 nodes.
const FEW: usize = 256;

impl Carriers {
    pub fn clear(&mut self) {
        self.all.clear();
        self.facets.clear();
        self.places.clear();
        self.known.clear();
    }

    /// Makes room for so many, with so many facets.
    pub fn reserve(&mut self, count: usize, facets: usize) {
        self.all.reserve(count);
        self.facets.reserve(facets);
        self.points.reserve(count);
        self.places.reserve(count);
        self.known.reserve(count.div_ceil(LANES));
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
        self.places.push(patch.at);
        let lane = self.all.len() % LANES;
        if lane == 0 {
            self.known.push(Known::default());
        }
        if let Some(of_eight) = self.known.last_mut() {
            (of_eight.within.0[lane], of_eight.beyond.0[lane]) = (known, if inside { 0.0 } else { 1.0 });
        }
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

    /// Picks those that are in an overlap, or not farther from it than they are asked about places; all of them without one. If that are
    /// many, the grid is asked instead.
    pub fn pick(&self, around: Around, overlap: Option<&Overlap>, picked: &mut Picked) {
        picked.around = around;
        self.places.within(overlap, around.radius, &mut picked.eights);
        picked.count = picked.eights.iter().map(|eight| eight.bits.count_ones() as usize).sum();
    }

    /// One of them, and its facets.
    pub fn get(&self, index: u32) -> (&Carrier, &[Facet]) {
        let carrier = &self.all[index as usize];
        (carrier, &self.facets[carrier.facets.start as usize..carrier.facets.end as usize])
    }

    /// Calls `found` for each of those picked that is asked about a place, in a fixed order.
    pub fn near(&self, picked: &mut Picked, place: Vec3, mut found: impl FnMut(&Carrier, &[Facet])) {
        let mut near = std::mem::take(&mut picked.near);
        run(NearBox { carriers: self, picked, bounds: [place; 2], found: &mut near });
        for &index in &near {
            let (carrier, facets) = self.get(index);
            found(carrier, facets);
        }
        picked.near = near;
    }

    /// As [`near`](Self::near), of many.
    fn near_in_grid(&self, picked: &Picked, place: Vec3, mut found: impl FnMut(u32)) {
        self.grid.within(place, picked.around.radius, |index, _| {
            let carrier = &self.all[index as usize];
            if carrier.at.distance_squared(place) <= square(picked.around.limit(carrier)) {
                found(index);
            }
        });
    }

    /// Finds those picked that may be asked about places in a box from `low` to `high`, in the order of [`near`](Self::near); if they are
    /// many, the box is one place.
    #[inline(always)]
    pub fn near_box<L: Lanes>(&self, picked: &Picked, [low, high]: [Vec3; 2], found: &mut Vec<u32>) {
        found.clear();
        if picked.is_many() {
            self.near_in_grid(picked, low, |index| found.push(index));
            return;
        }
        found.reserve(picked.count);
        let (low, high) = (in_all::<L>(low), in_all::<L>(high));
        for &Eight { block, bits } in &picked.eights {
            let mut away2 = L::splat(0.0);
            for (axis, at) in self.places.block(block as usize).iter().enumerate() {
                let at = L::load(at);
                let away = (low[axis] - at).max(at - high[axis]).max(L::splat(0.0));
                away2 = away2 + away * away;
            }
            let limit = picked.around.limits::<L>(&self.known[block as usize]);
            let near = (limit * limit).ge(away2).bits() & bits;
            for index in (Eight { block, bits: near }).indices() {
                found.push(index);
            }
        }
    }
}

/// Looks for those near a box, in lanes.
struct NearBox<'a> {
    carriers: &'a Carriers,
    picked: &'a Picked,
    bounds: [Vec3; 2],
    found: &'a mut Vec<u32>,
}

impl Kernel for NearBox<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.carriers.near_box::<L>(self.picked, self.bounds, self.found);
    }
}

impl Picked {
    /// Whether they are so many that the grid is asked.
    pub fn is_many(&self) -> bool {
        self.count > FEW
    }

    /// The square of how far from a place a carrier may be to be asked about it.
    pub fn limit2(&self, carrier: &Carrier) -> f32 {
        square(self.around.limit(carrier))
    }
}
