//! The crossed edges of a grid, and what is kept of the surface between two changes.
//!
//! *Based on* \[PGCS06\] §6.2–6.3: a hash of only those nodes that are next to a crossed edge, and one event, "an edge is
//! crossed", that touches the four cubes around it.
//!
//! *Symbols*: a *site* is a lattice point with the places of which it is the low node: three edges, three faces, one
//! cube.
//!
//! *Deviations*: face and centre points are kept and only placed anew where a crossing came or went.

use super::placement::{self, FacePoint, Tangent};
use super::table::{edge_at, face_edges, others};
use super::{Crossing, STEPS, corner, stored::Stored};
use glam::{IVec3, Vec3};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// No site.
pub(super) const NONE: u32 = u32::MAX;

/// Lattice points farther out than this are not part of any grid, so that neighbours can be named without a check.
pub(super) const REACH: i32 = 1 << 29;

/// The bit of [`Site::stale`] for the cube's centre; those below are for the faces.
const CENTRE: u8 = 1 << 3;

/// A lattice point with the places of which it is the low node.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub node: IVec3,
    /// Which edges of the cube are crossed.
    pub config: u16,
    /// Which of the points below must be placed anew.
    stale: u8,
    /// The sites at the cube's nodes, or [`NONE`].
    pub links: [u32; 8],
    pub crossings: [Option<Crossing>; 3],
    /// In cells from the node, as `centre`.
    faces: [FacePoint; 3],
    centre: Vec3,
}

/// A regular grid with the edges that a surface crosses.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Cubes {
    origin: Vec3,
    cell: f32,
    count: usize,
    at: FxHashMap<IVec3, u32>,
    pub(super) sites: Vec<Site>,
    /// The sites by z, y and x; those that were added since the last refresh follow unsorted.
    order: Vec<u32>,
    sorted: usize,
    /// Sites with stale points.
    stale: Vec<u32>,
}

impl PartialEq for Cubes {
    /// Whether the same edges of the same grid are crossed alike.
    fn eq(&self, other: &Self) -> bool {
        (self.origin, self.cell, self.count) == (other.origin, other.cell, other.count)
            && self.iter().eq(other.iter())
    }
}

impl Cubes {
    /// A grid without crossings, whose node zero is at `origin` in rest space.
    pub fn new(origin: Vec3, cell: f32) -> Self {
        Self {
            origin,
            cell,
            count: 0,
            at: FxHashMap::default(),
            sites: Vec::new(),
            order: Vec::new(),
            sorted: 0,
            stale: Vec::new(),
        }
    }

    /// Where node zero is in rest space.
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// The length of an edge, in metres.
    pub fn cell(&self) -> f32 {
        self.cell
    }

    /// How many edges are crossed.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether no edge is crossed.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Where a node is in rest space.
    pub fn position(&self, node: IVec3) -> Vec3 {
        self.origin + self.cell * node.as_vec3()
    }

    /// Crosses the edge from `node` along `axis`, unless it is crossed already: cutting a place again changes nothing.
    ///
    /// Returns whether it was not. Nodes more than 2²⁹ from zero have no edges.
    ///
    /// # Panics
    /// If `axis` is not 0, 1 or 2; so do all that take one.
    pub fn cross(&mut self, node: IVec3, axis: usize, crossing: Crossing) -> bool {
        if node.min_element() < -REACH || node.max_element() > REACH {
            return false;
        }
        let site = self.site_or_new(node) as usize;
        if self.sites[site].crossings[axis].is_some() {
            return false;
        }
        self.sites[site].crossings[axis] = Some(crossing);
        self.count += 1;
        self.touch(node, axis, true);
        true
    }

    /// Takes a crossing away and returns it. The memory for its place is kept.
    pub fn uncross(&mut self, node: IVec3, axis: usize) -> Option<Crossing> {
        let &site = self.at.get(&node)?;
        let crossing = self.sites[site as usize].crossings[axis].take()?;
        self.count -= 1;
        self.touch(node, axis, false);
        Some(crossing)
    }

    /// Moves a crossing's edge vertex and returns whether there is one.
    ///
    /// A blade that comes between a node and the surface cannot cross their edge a second time. The edge vertex must then
    /// move along the surface to where the blade meets it, or the rim has steps.
    pub fn slide(&mut self, node: IVec3, axis: usize, point: Vec3) -> bool {
        let Some(&site) = self.at.get(&node) else { return false };
        let Some(crossing) = &mut self.sites[site as usize].crossings[axis] else { return false };
        crossing.point = point;
        self.touch(node, axis, true);
        true
    }

    /// The crossing of the edge from `node` along `axis`.
    pub fn crossing(&self, node: IVec3, axis: usize) -> Option<&Crossing> {
        self.sites[*self.at.get(&node)? as usize].crossings[axis].as_ref()
    }

    /// Which edges of a cube are crossed: a bit each, numbered as in [`table`](super::table).
    pub fn config(&self, cube: IVec3) -> u16 {
        self.at.get(&cube).map_or(0, |&site| self.sites[site as usize].config)
    }

    /// All crossed edges with their low node and axis, by the node's z, y and x, then by axis.
    pub fn iter(&self) -> impl Iterator<Item = (IVec3, usize, &Crossing)> {
        let order = self.order();
        (0..order.len()).flat_map(move |at| {
            let site = &self.sites[order[at] as usize];
            let crossed = site.crossings.iter().enumerate();
            crossed.filter_map(move |(axis, crossing)| Some((site.node, axis, crossing.as_ref()?)))
        })
    }

    /// Keeps the material of those nodes only for which `keep` holds.
    ///
    /// The other nodes are no longer inside; a crossing with no end inside is taken away.
    pub fn retain(&mut self, keep: impl FnMut(IVec3) -> bool) {
        *self = self.kept(keep);
    }

    /// The grid with the material of those nodes only for which `keep` holds; see [`retain`](Self::retain).
    pub fn kept(&self, mut keep: impl FnMut(IVec3) -> bool) -> Self {
        let mut kept = Self::new(self.origin, self.cell);
        for (node, axis, crossing) in self.iter() {
            let [low, high] = crossing.inside;
            let inside = [low && keep(node), high && keep(node + STEPS[axis])];
            if inside != [false; 2] {
                kept.cross(node, axis, Crossing { inside, ..*crossing });
            }
        }
        kept
    }

    /// Places the points anew that changed crossings have made stale.
    ///
    /// [`Cubes::surface`] gives the same without it, but places them each time.
    pub fn refresh(&mut self) {
        if self.sorted < self.order.len() {
            self.order = self.order().into_owned();
            self.sorted = self.order.len();
        }
        let stale = std::mem::take(&mut self.stale);
        for &site in &stale {
            for axis in 0..3 {
                let face = self.face(site, axis);
                self.sites[site as usize].faces[axis] = face;
            }
            self.sites[site as usize].stale &= CENTRE;
        }
        for &site in &stale {
            let centre = self.centre(site);
            self.sites[site as usize].centre = centre;
            self.sites[site as usize].stale = 0;
        }
    }

    /// The sites by z, y and x.
    pub(super) fn order(&self) -> Cow<'_, [u32]> {
        if self.sorted == self.order.len() {
            return Cow::Borrowed(&self.order);
        }
        let mut order = self.order.clone();
        // Stable, because that is fast where most is in order.
        order.sort_by_key(|&site| {
            let IVec3 { x, y, z } = self.sites[site as usize].node;
            (z, y, x)
        });
        Cow::Owned(order)
    }

    /// The site at a node.
    pub(super) fn site(&self, node: IVec3) -> Option<&Site> {
        self.at.get(&node).map(|&site| &self.sites[site as usize])
    }

    /// The point of the face across `axis` of which a site is the low node, in cells from it.
    pub(super) fn face(&self, site: u32, axis: usize) -> FacePoint {
        let from = &self.sites[site as usize];
        if from.stale >> axis & 1 == 0 {
            return from.faces[axis];
        }
        placement::face_point(axis, face_edges(2 * axis).map(|edge| self.tangent(from, edge)))
    }

    /// The centre point of the cube of which a site is the low node, in cells from it.
    pub(super) fn centre(&self, site: u32) -> Vec3 {
        let from = &self.sites[site as usize];
        if from.stale & CENTRE == 0 {
            return from.centre;
        }
        let tangents = std::array::from_fn(|edge| self.tangent(from, edge));
        let faces = std::array::from_fn(|face| {
            let crossed = face_edges(face).iter().any(|edge| from.config >> edge & 1 == 1);
            let (axis, side) = (face / 2, face & 1);
            let step = STEPS[axis] * side as i32;
            let at = from.links[side << axis];
            crossed.then(|| {
                let face = self.face(at, axis);
                FacePoint { point: face.point + step.as_vec3(), ..face }
            })
        });
        placement::centre_point(&tangents, &faces)
    }

    /// The crossing of a cube's edge, in cells from the cube's low node.
    fn tangent(&self, from: &Site, edge: usize) -> Option<Tangent> {
        if from.config >> edge & 1 == 0 {
            return None;
        }
        let site = from.links[super::table::ends(edge)[0]];
        let crossing = self.sites[site as usize].crossings[edge / 4].as_ref()?;
        let point = (crossing.point - self.origin) / self.cell - from.node.as_vec3();
        Some(Tangent { point, normal: crossing.normal, cut: crossing.cut })
    }

    /// Tells the faces and cubes around an edge that it is crossed now, or no longer.
    fn touch(&mut self, node: IVec3, axis: usize, crossed: bool) {
        let (b, c) = others(axis);
        for (at_b, at_c) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let site = self.site_or_new(node - STEPS[b] * at_b - STEPS[c] * at_c);
            let at = &mut self.sites[site as usize];
            let bit = 1 << edge_at((at_b as usize) << b | (at_c as usize) << c, axis);
            at.config = if crossed { at.config | bit } else { at.config & !bit };
            if at.stale == 0 {
                self.stale.push(site);
            }
            // The face across b reaches from the edge along c, and the other way round.
            let (across_b, across_c) = (u8::from(at_b == 0) << b, u8::from(at_c == 0) << c);
            at.stale |= CENTRE | across_b | across_c;
        }
    }

    fn site_or_new(&mut self, node: IVec3) -> u32 {
        if let Some(&site) = self.at.get(&node) {
            return site;
        }
        let site = self.sites.len() as u32;
        self.at.insert(node, site);
        self.order.push(site);
        let links = std::array::from_fn(|at| self.at.get(&(node + corner(at))).copied().unwrap_or(NONE));
        for at in 1..8 {
            if let Some(&below) = self.at.get(&(node - corner(at))) {
                self.sites[below as usize].links[at] = site;
            }
        }
        let faces = [FacePoint::default(); 3];
        self.sites.push(Site {
            node,
            config: 0,
            stale: 0,
            links,
            crossings: [None; 3],
            faces,
            centre: Vec3::ZERO,
        });
        site
    }
}
