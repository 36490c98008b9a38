//! Binding a skin to nodes that stand in cells: only those on a vertex's own side of the surface and of every cut.
//!
//! A vertex has a home: the node of the cell it lies in, or the nearest one that it can see. It is carried by that node and
//! the nodes that material joins to it, so a fingertip never hangs on the finger beside it.

use super::binding::{BONDS, Binding, Bond, Bonds};
use crate::geometry::SurfaceTree;
use crate::math::functions::square;
use crate::sampling::grid::{Grid, Sample};
use glam::{IVec3, Vec3};

/// What a skin must know of nodes that stand in cells; places are relative to the body's centre.
pub trait Cells {
    /// The node whose cell holds a place.
    fn holding(&self, place: Vec3) -> Option<u32>;
    /// The nodes whose cells are around a place; none if it is far off.
    fn near(&self, place: Vec3, found: &mut Vec<u32>);
    /// The nodes that material joins to a node.
    fn joined(&self, node: u32, found: &mut Vec<u32>);
    /// Edge of a node's cell in metres.
    fn size(&self, node: u32) -> f32;
    /// Low corner and edge of a node's cell, in finest cells.
    fn cube(&self, node: u32) -> (IVec3, i32);
    /// Whether some cells are larger than the finest.
    fn has_large(&self) -> bool;
    /// The node whose cell has a finest cell.
    fn node_in(&self, cell: IVec3) -> Option<u32>;
    /// The material, that of each node's cell, and where each node is at rest.
    fn material(&self) -> (&Grid, &[Sample], &[Vec3]);

    /// Where a node is at rest.
    fn place(&self, node: u32) -> Vec3 {
        self.material().2[node as usize]
    }

    /// A point near the node that is inside the material.
    fn inside(&self, node: u32) -> Vec3 {
        let (grid, samples, _) = self.material();
        samples[node as usize].inside - grid.centre
    }

    /// The surface, and where the body's centre is in its coordinates.
    fn surface(&self) -> (&SurfaceTree, Vec3) {
        let grid = self.material().0;
        (&grid.surface, grid.centre)
    }

    /// How many nodes there are.
    fn count(&self) -> usize {
        self.material().2.len()
    }
}

impl<T: Cells + ?Sized> Cells for &T {
    fn holding(&self, place: Vec3) -> Option<u32> {
        (**self).holding(place)
    }
    fn near(&self, place: Vec3, found: &mut Vec<u32>) {
        (**self).near(place, found);
    }
    fn joined(&self, node: u32, found: &mut Vec<u32>) {
        (**self).joined(node, found);
    }
    fn size(&self, node: u32) -> f32 {
        (**self).size(node)
    }
    fn cube(&self, node: u32) -> (IVec3, i32) {
        (**self).cube(node)
    }
    fn has_large(&self) -> bool {
        (**self).has_large()
    }
    fn node_in(&self, cell: IVec3) -> Option<u32> {
        (**self).node_in(cell)
    }
    fn material(&self) -> (&Grid, &[Sample], &[Vec3]) {
        (**self).material()
    }
}

/// How much of the way to a vertex must be free: the vertex itself is on the surface.
const FREE: f32 = 0.98;

/// Finds what carries a vertex; keeps its memory from vertex to vertex.
#[derive(Clone, Debug, Default)]
pub struct Binder {
    found: Vec<u32>,
    nearest: Vec<(f32, u32)>,
}

impl Binder {
    /// The home of a vertex and what carries it.
    pub fn bind(&mut self, cells: &(impl Cells + ?Sized), vertex: Vec3) -> (u32, Bonds) {
        let home = self.home(cells, vertex);
        (home, self.carry(cells, home, vertex))
    }

    /// What carries a place that belongs to a node: that node and those joined to it.
    pub fn carry(&mut self, cells: &(impl Cells + ?Sized), home: u32, vertex: Vec3) -> Bonds {
        self.carry_where(cells, home, vertex, |_| true)
    }

    /// As [`carry`](Self::carry), but of the joined nodes only those that may.
    pub fn carry_where(
        &mut self,
        cells: &(impl Cells + ?Sized),
        home: u32,
        vertex: Vec3,
        may: impl Fn(u32) -> bool,
    ) -> Bonds {
        cells.joined(home, &mut self.found);
        self.found.retain(|&node| may(node));
        self.nearest.clear();
        let away = |node: u32| cells.place(node).distance(vertex) / cells.size(node);
        // The nearest few in order; there may be a hundred beside a large cell.
        for node in self.found.iter().copied().chain([home]) {
            let entry = (away(node), node);
            let at = self.nearest.partition_point(|other| *other < entry);
            if at <= BONDS {
                self.nearest.truncate(BONDS);
                self.nearest.insert(at, entry);
            }
        }
        // The first node left out has weight 0, so weights change smoothly from vertex to vertex.
        let reach = self.nearest.get(BONDS).map_or(f32::INFINITY, |n| n.0 * 1.0001);
        self.nearest.truncate(BONDS);
        let least = 1e-3;
        let weight = |d: f32| square((1.0 - d / reach).max(0.0)) / square(d.max(least));
        let sum: f32 = self.nearest.iter().map(|n| weight(n.0)).sum();
        let even = 1.0 / self.nearest.len() as f32;
        let share = |d: f32| if sum > 0.0 { weight(d) / sum } else { even };
        Bonds::new(self.nearest.iter().map(|&(d, node)| Bond { node, weight: share(d) }))
    }

    /// The node of the cell that a vertex lies in, or the nearest that it can see.
    fn home(&mut self, cells: &(impl Cells + ?Sized), vertex: Vec3) -> u32 {
        let (surface, centre) = cells.surface();
        let sees = |&node: &u32| {
            let from = cells.inside(node) + centre;
            !surface.crosses(from, from + (vertex + centre - from) * FREE)
        };
        if let Some(node) = cells.holding(vertex).filter(sees) {
            return node;
        }
        cells.near(vertex, &mut self.found);
        if self.found.is_empty() {
            self.found.extend(0..cells.count() as u32);
        }
        let away = |&node: &u32| cells.place(node).distance_squared(vertex) / square(cells.size(node));
        self.found.sort_by(|a, b| away(a).total_cmp(&away(b)).then(a.cmp(b)));
        // Farther ones than these few are not on the vertex's own piece of material.
        let first = self.found[0];
        self.found.iter().take(12).copied().find(sees).unwrap_or(first)
    }
}

impl Binding {
    /// Binds vertices to nodes that stand in cells.
    pub fn to_cells(vertices: &[Vec3], cells: &(impl Cells + Sync + ?Sized)) -> Self {
        Self::rebound(vertices, cells, &Self::default(), &|_| None, &|_| None)
    }

    /// As [`to_cells`](Self::to_cells), but keeps what `previous` has of the vertices whose home `kept` says is still the same
    /// in all that matters, and the homes whose cells `stayed`; both give what each node before is now.
    pub fn rebound(
        vertices: &[Vec3],
        cells: &(impl Cells + Sync + ?Sized),
        previous: &Self,
        kept: &(dyn Fn(u32) -> Option<u32> + Sync),
        stayed: &(dyn Fn(u32) -> Option<u32> + Sync),
    ) -> Self {
        Self::made(vertices.len(), &|binder, vertex| {
            if let Some(known) = previous.carried_over(vertex, kept) {
                return known;
            }
            let place = vertices[vertex];
            // It saw the node of its cell before, and does so now.
            let home = previous.homes.get(vertex).and_then(|&home| stayed(home));
            match home.filter(|&home| cells.holding(place) == Some(home)) {
                Some(home) => (home, binder.carry(cells, home, place)),
                None => binder.bind(cells, place),
            }
        })
    }

    /// Home and bonds of each of `count` vertices, as `bind` gives them.
    pub(crate) fn made(count: usize, bind: &(dyn Fn(&mut Binder, usize) -> (u32, Bonds) + Sync)) -> Self {
        let mut binding = Self { bonds: vec![Bonds::default(); count], homes: vec![0; count], mapped: true };
        let bounds = |part: usize| (part * PART).min(count);
        let data = (&mut binding.bonds[..], &mut binding.homes[..]);
        let parts = 0..count.div_ceil(PART);
        crate::par::for_each_part(parts, &bounds, data, &|part, (bonds, homes)| {
            let mut binder = Binder::default();
            let first = bounds(part);
            for (vertex, (bonds, home)) in (first..).zip(bonds.iter_mut().zip(homes)) {
                (*home, *bonds) = bind(&mut binder, vertex);
            }
        });
        binding
    }

    /// Home and bonds of a vertex with the nodes' new numbers, if all of them are kept.
    pub(crate) fn carried_over(
        &self,
        vertex: usize,
        kept: &dyn Fn(u32) -> Option<u32>,
    ) -> Option<(u32, Bonds)> {
        let home = kept(*self.homes.get(vertex)?)?;
        let mut bonds = *self.bonds.get(vertex)?;
        for node in &mut bonds.nodes {
            *node = kept(*node)?;
        }
        Some((home, bonds))
    }
}

/// Vertices that a task binds.
const PART: usize = 256;
