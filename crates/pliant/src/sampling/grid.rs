//! The material of a body on its finest lattice: what models that fill a body with cells sample.

use super::filling::{Filling, FillingError};
use crate::geometry::{OuterSurface, SurfaceTree, TriMesh, Welded, components_by_material};
use glam::{IVec3, UVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The material of a body on its finest lattice.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Grid {
    /// Which part of each cell holds material.
    pub filling: Filling,
    /// The outer surface, to see what is between two points.
    pub surface: SurfaceTree,
    /// kg that each sample of the filling stands for.
    pub sample_mass: f64,
    /// Where the body's centre of mass is in the mesh's coordinates.
    pub centre: Vec3,
    /// Of each cell of the filling, a bit an axis: whether material joins it to the next one.
    pub links: Vec<u8>,
    /// Of each cell of the filling, what links join it to; empty if all material is one part.
    pub parts: Vec<u32>,
}

/// The material in one cell of any size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Samples of the filling that are inside.
    pub count: u32,
    /// Their mean, in the mesh's coordinates.
    pub mean: Vec3,
    /// A point near the mean that is inside the material for sure.
    pub inside: Vec3,
    /// Whether the surface passes through the cell.
    pub at_surface: bool,
}

impl Grid {
    /// Fills a mesh with cells of edge `cell`; the grid is made of blocks of `block` cells.
    ///
    /// # Errors
    /// If the mesh cannot be filled so; before any memory is taken.
    pub fn new(mesh: &Welded, cell: f32, block: u32, density: f32) -> Result<Self, FillingError> {
        let filling = Filling::new(&mesh.positions, &mesh.triangles, cell, block)?;
        let outer = OuterSurface::new(mesh);
        // Walls inside the material, where shells overlap, are in nobody's way.
        let surface = match &outer {
            Some(outer) => outer.tree(),
            None => SurfaceTree::new(&mesh.positions, &mesh.triangles),
        };
        let mut grid = Self { filling, surface, ..Self::default() };
        grid.find_links(&parts(mesh, outer.is_some()));
        // Shells that lie face to face may leave holes in the outer surface of all, which then encloses anything.
        let likely = if outer.is_some() { 0.95..1.05 } else { 0.5..2.0 };
        grid.weigh(enclosed_volume(mesh, outer.as_ref()), likely, density);
        Ok(grid)
    }

    /// What each sample weighs, and where the middle of all is. What the surface is said to enclose counts if it is a `likely` part of
    /// what the samples stand for.
    fn weigh(&mut self, enclosed: f64, likely: Range<f64>, density: f32) {
        let filling = &self.filling;
        let mut samples = 0_u64;
        let mut moment = glam::DVec3::ZERO;
        for (index, mask) in filling.masks.iter().enumerate().filter(|(_, mask)| **mask != 0) {
            let low = filling.cell_at(index);
            let material = filling.material(low.to_array(), 1);
            samples += u64::from(mask.count_ones());
            moment += material.moment * 0.25 + (low.as_dvec3() + 0.5) * f64::from(material.count);
        }
        let mean = moment / samples as f64 * f64::from(filling.cell);
        self.centre = filling.origin + mean.as_vec3();
        // What the samples miss of the volume, or have too much, is spread over all of them.
        let sampled = filling.volume();
        let volume = if likely.contains(&(enclosed / sampled)) { enclosed } else { sampled };
        self.sample_mass = f64::from(density) * volume / samples as f64;
    }

    /// Whether a cell holds material.
    pub fn holds(&self, cell: IVec3) -> bool {
        let counts = IVec3::from_array(self.filling.counts.map(|n| n as i32));
        let known = cell.cmpge(IVec3::ZERO).all() && cell.cmplt(counts).all();
        known && self.filling.masks[self.filling.index(cell.as_uvec3().to_array())] != 0
    }

    /// The material in a cube of `edge` cells, if there is any.
    pub fn sample(&self, low: UVec3, edge: u32) -> Option<Sample> {
        let filling = &self.filling;
        let counts = UVec3::from_array(filling.counts);
        if low.cmpge(counts).any() {
            return None;
        }
        let material = filling.material(low.to_array(), edge);
        if material.count == 0 {
            return None;
        }
        let middle = self.middle(low, edge);
        let mean = middle + (material.moment / f64::from(material.count)).as_vec3() * (0.25 * filling.cell);
        let high = (low + edge).min(counts);
        let at_surface = cells(low, high).any(|at| filling.surface[filling.index(at.to_array())]);
        let inside = if at_surface { self.inside_near(mean, low, high) } else { mean };
        Some(Sample { count: material.count, mean, inside, at_surface })
    }

    /// The middle of a cube of cells, in the mesh's coordinates.
    pub fn middle(&self, low: UVec3, edge: u32) -> Vec3 {
        self.filling.origin + (low.as_vec3() + 0.5 * edge as f32) * self.filling.cell
    }

    /// The sample inside the material that is nearest to a point, among cells from `low` to below `high`.
    fn inside_near(&self, point: Vec3, low: UVec3, high: UVec3) -> Vec3 {
        let filling = &self.filling;
        let at = (point - filling.origin) / filling.cell;
        let own = at.floor().max(Vec3::ZERO).as_uvec3();
        let sub = ((at - own.as_vec3()) * 4.0).as_uvec3().min(UVec3::splat(3));
        let bit = sub.x + 4 * sub.y + 16 * sub.z;
        let inside_box = own.cmpge(low).all() && own.cmplt(high).all();
        if inside_box && filling.masks[filling.index(own.to_array())] >> bit & 1 == 1 {
            // In the cube of a thin part's sample a point need not be inside.
            return filling
                .thin_sample(own, bit)
                .map_or(point, |there| filling.origin + there * filling.cell);
        }
        let mut best = (f32::INFINITY, point);
        for cell in cells(low, high) {
            let mask = filling.masks[filling.index(cell.to_array())];
            let nearest = at.clamp(cell.as_vec3(), cell.as_vec3() + 1.0);
            if mask == 0 || nearest.distance_squared(at) > best.0 {
                continue;
            }
            for bit in (0..64).filter(|bit| mask >> bit & 1 == 1) {
                let there = filling.sample(cell, bit);
                let away = there.distance_squared(at);
                if away < best.0 {
                    best = (away, filling.origin + there * filling.cell);
                }
            }
        }
        best.1
    }
}

/// Which part of a mesh that hangs together each triangle of its surface belongs to: an outer surface has the triangles of the
/// source.
fn parts(mesh: &Welded, outer: bool) -> impl Fn(u32) -> u32 {
    let found = components_by_material(&mesh.positions, &mesh.triangles).of_member;
    let source = |welded: usize| if outer { mesh.triangle_of[welded] as usize } else { welded };
    let mut parts = vec![0; (0..found.len()).map(|welded| source(welded) + 1).max().unwrap_or(0)];
    found.iter().enumerate().for_each(|(welded, &part)| parts[source(welded)] = part);
    move |triangle| parts[triangle as usize]
}

/// What a mesh encloses, in m³, if it is closed; `outer` is its outer surface where shells of it overlap.
pub(super) fn enclosed_volume(mesh: &Welded, outer: Option<&OuterSurface>) -> f64 {
    let whole = || TriMesh::new(mesh.positions.clone(), mesh.triangles.clone()).signed_volume();
    outer.map_or_else(whole, |outer| outer.volume).abs()
}

/// The cells from `low` to below `high`, x fastest.
pub(crate) fn cells(low: UVec3, high: UVec3) -> impl Iterator<Item = UVec3> {
    (low.z..high.z).flat_map(move |z| {
        (low.y..high.y).flat_map(move |y| (low.x..high.x).map(move |x| UVec3::new(x, y, z)))
    })
}
