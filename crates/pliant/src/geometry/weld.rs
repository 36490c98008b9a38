//! Welding: one vertex for all that lie in the same place.
//!
//! Meshes are drawn with doubled vertices along seams of normals and texture coordinates. Simulated as they are,
//! they would burst at those seams; the welded mesh does not, and keeps the map back for drawing.
//!
//! Vertices are taken in order. Each joins the nearest kept vertex within the tolerance, or is kept itself. A chain
//! of close vertices therefore never runs into one: kept vertices are always farther apart than the tolerance, and
//! no vertex moves by more than it.

use super::{EdgeTable, TriMesh};
use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The tolerance never exceeds this share of the median edge, whatever is asked for: a quarter keeps the triangles
/// of a regular mesh apart. With more than a half, whole meshes collapse.
const MOST_OF_AN_EDGE: f64 = 0.25;

/// A mesh whose vertices are all in different places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Welded {
    /// Vertex positions, relative to the source's origin. Each is the position of its first source vertex.
    pub positions: Vec<Vec3>,
    /// Corners of each triangle; triangles that collapsed are left out.
    pub triangles: Vec<[u32; 3]>,
    /// For each vertex of the source the welded vertex it became.
    pub vertex_of: Vec<u32>,
    /// For each welded triangle its source triangle.
    pub triangle_of: Vec<u32>,
}

/// Joins vertices that are equal, or nearer than `relative_tolerance` times the bounding box's diagonal.
///
/// Zero joins equal ones only; NaN and negative tolerances count as zero, and tolerances that would swallow the mesh
/// are cut to a quarter of the median edge. Vertices that are not finite are never joined. Triangles that name the
/// same place twice, or a vertex that is not there, are left out.
pub fn weld(mesh: &TriMesh, relative_tolerance: f32) -> Welded {
    let (positions, vertex_of) = weld_points(&mesh.positions, tolerance(mesh, relative_tolerance));
    let mut welded = Welded { positions, vertex_of, ..Welded::default() };
    for (source, corners) in mesh.triangles.iter().enumerate() {
        let known = corners.iter().all(|&v| (v as usize) < welded.vertex_of.len());
        if !known {
            continue;
        }
        let [a, b, c] = corners.map(|v| welded.vertex_of[v as usize]);
        if a != b && b != c && c != a {
            welded.triangles.push([a, b, c]);
            welded.triangle_of.push(source as u32);
        }
    }
    welded
}

/// Joins equal vertices, and near ones as [`weld`] does only when that closes open edges.
///
/// A mesh that is closed already may have detail finer than the tolerance, which would be lost. Simulation welds this
/// way.
pub fn weld_as_needed(mesh: &TriMesh, relative_tolerance: f32) -> Welded {
    let exact = weld(mesh, 0.0);
    let open = EdgeTable::new(&exact.triangles).open().count();
    if open == 0 || relative_tolerance.is_nan() || relative_tolerance <= 0.0 {
        return exact;
    }
    let near = weld(mesh, relative_tolerance);
    if EdgeTable::new(&near.triangles).open().count() < open { near } else { exact }
}

/// The distance below which two vertices of `mesh` are one, in metres.
pub(super) fn tolerance(mesh: &TriMesh, relative: f32) -> f64 {
    if relative.is_nan() || relative <= 0.0 {
        return 0.0;
    }
    let mut finite = mesh.positions.iter().filter(|p| p.is_finite()).map(|p| p.as_dvec3());
    let Some(first) = finite.next() else { return 0.0 };
    let (low, high) = finite.fold((first, first), |(lo, hi), p| (lo.min(p), hi.max(p)));
    let wanted = relative as f64 * low.distance(high);
    median_edge(mesh).map_or(0.0, |edge| wanted.min(MOST_OF_AN_EDGE * edge))
}

/// The median length of the edges that have one.
fn median_edge(mesh: &TriMesh) -> Option<f64> {
    let at = |v: u32| mesh.positions.get(v as usize).map(|p| p.as_dvec3());
    let mut lengths: Vec<f64> = Vec::with_capacity(mesh.triangles.len() * 3);
    for &[a, b, c] in &mesh.triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            if let (Some(from), Some(to)) = (at(from), at(to)) {
                let length = from.distance(to);
                if length.is_finite() && length > 0.0 {
                    lengths.push(length);
                }
            }
        }
    }
    if lengths.is_empty() {
        return None;
    }
    let middle = lengths.len() / 2;
    Some(*lengths.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// The kept points and, for each point, which of them it became. `tolerance` is in metres.
fn weld_points(points: &[Vec3], tolerance: f64) -> (Vec<Vec3>, Vec<u32>) {
    let mut kept: Vec<Vec3> = Vec::new();
    let mut vertex_of = Vec::with_capacity(points.len());
    let mut equal: FxHashMap<[u32; 3], u32> = FxHashMap::default();
    let mut near = NearKept::new(tolerance);
    for &point in points {
        if !point.is_finite() {
            kept.push(point);
            near.skip();
            vertex_of.push(kept.len() as u32 - 1);
            continue;
        }
        // Adding zero turns −0 into 0.
        let bits = (point + Vec3::ZERO).to_array().map(f32::to_bits);
        let index = match equal.entry(bits) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let index = near.find(point, &kept).unwrap_or_else(|| {
                    near.add(point);
                    kept.push(point);
                    kept.len() as u32 - 1
                });
                *entry.insert(index)
            }
        };
        vertex_of.push(index);
    }
    (kept, vertex_of)
}

/// Kept points by cell of a spatial hash. Cells are twice as wide as the tolerance, so that only the eight nearest
/// have to be searched.
struct NearKept {
    tolerance: f64,
    heads: FxHashMap<[i64; 3], u32>,
    /// For each kept point the one that was in its cell before it.
    next: Vec<Option<u32>>,
}

impl NearKept {
    fn new(tolerance: f64) -> Self {
        Self { tolerance, heads: FxHashMap::default(), next: Vec::new() }
    }

    /// Where a point lies, in cells.
    fn in_cells(&self, point: Vec3) -> DVec3 {
        point.as_dvec3() / (2.0 * self.tolerance)
    }

    /// The nearest kept point within the tolerance, of equal ones the first.
    fn find(&self, point: Vec3, kept: &[Vec3]) -> Option<u32> {
        if self.tolerance <= 0.0 {
            return None;
        }
        let place = self.in_cells(point);
        // The lower cell of the two along each axis that the tolerance can reach.
        let corner = (place - 0.5).floor().to_array().map(|x| x as i64);
        let mut best: Option<(f64, u32)> = None;
        for neighbour in 0..8_i64 {
            let offset = [neighbour & 1, neighbour >> 1 & 1, neighbour >> 2];
            let cell: [i64; 3] = std::array::from_fn(|axis| corner[axis].saturating_add(offset[axis]));
            let mut entry = self.heads.get(&cell).copied();
            while let Some(index) = entry {
                let distance = kept[index as usize].as_dvec3().distance(point.as_dvec3());
                let nearer = best.is_none_or(|best| (distance, index) < best);
                if distance <= self.tolerance && nearer {
                    best = Some((distance, index));
                }
                entry = self.next[index as usize];
            }
        }
        best.map(|(_, index)| index)
    }

    /// Notes the next kept point.
    fn add(&mut self, point: Vec3) {
        if self.tolerance <= 0.0 {
            return;
        }
        let index = self.next.len() as u32;
        let cell = self.in_cells(point).floor().to_array().map(|x| x as i64);
        self.next.push(self.heads.insert(cell, index));
    }

    /// Notes that the next kept point is not to be found.
    fn skip(&mut self) {
        if self.tolerance > 0.0 {
            self.next.push(None);
        }
    }
}
