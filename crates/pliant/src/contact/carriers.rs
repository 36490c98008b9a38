//! Nodes that can carry what touches a body, and how to find those near a place.

use super::shell::Patch;
use crate::body::border::{Border, Facet};
use crate::geometry::PointGrid;
use glam::Vec3;
use std::ops::Range;

/// A node that can carry a tip of another, with its facets as they are now.
#[derive(Clone, Debug)]
pub(super) struct Carrier {
    pub node: u32,
    pub at: Vec3,
    /// Its facets, in a list of all.
    facets: Range<u32>,
}

/// Nodes that can carry tips, and how to find those near one.
#[derive(Debug, Default)]
pub(super) struct Carriers {
    all: Vec<Carrier>,
    facets: Vec<Facet>,
    points: Vec<Vec3>,
    grid: PointGrid,
}

/// How many nodes are looked at one by one rather than by the grid.
const FEW: usize = 24;

impl Carriers {
    pub fn clear(&mut self) {
        self.all.clear();
        self.facets.clear();
    }

    pub fn add(&mut self, patch: &Patch, border: &Border) {
        let start = self.facets.len() as u32;
        self.facets.extend(border.facets(patch.node).iter().map(|facet| patch.facet(facet)));
        self.all.push(Carrier { node: patch.node, at: patch.at, facets: start..self.facets.len() as u32 });
    }

    pub fn sort_in(&mut self, cell: f32) {
        if self.all.len() > FEW {
            self.points.clear();
            self.points.extend(self.all.iter().map(|carrier| carrier.at));
            self.grid.rebuild(&self.points, cell);
        }
    }

    pub fn near(&self, place: Vec3, radius: f32, mut found: impl FnMut(&Carrier, &[Facet])) {
        let mut each = |carrier: &Carrier| {
            found(carrier, &self.facets[carrier.facets.start as usize..carrier.facets.end as usize]);
        };
        if self.all.len() > FEW {
            self.grid.within(place, radius, |index, _| each(&self.all[index as usize]));
        } else {
            let within = |carrier: &&Carrier| carrier.at.distance_squared(place) <= radius * radius;
            self.all.iter().filter(within).for_each(each);
        }
    }
}
