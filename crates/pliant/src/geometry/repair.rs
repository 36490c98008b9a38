//! Mending meshes: whatever comes in, what goes out is as close to a clean solid as it can be had.
//!
//! The mesh is gone over until a pass changes nothing, so repairing a repaired mesh changes nothing. What is seen is
//! kept: vertices merge only where they look alike; where a seam of normals or texture coordinates runs, they are
//! put in exactly the same place instead, so that welding for simulation is exact.

use super::duplicates::keep_one_of_each;
use super::edges::EdgeTable;
use super::holes::fill_holes;
use super::inspect::{MeshReport, WELD_TOLERANCE, inspect};
use super::mending::Mending;
use super::slivers::swap_slivers;
use super::split::split_non_manifold;
use super::{MeshError, TriMesh, orient, weld};
use serde::Serialize;
use std::fmt;

/// Passes after which repair stops even if something still changes: clean meshes take one, damaged ones two or three.
const MAX_PASSES: usize = 10;

/// What to mend and how far to go.
#[derive(Clone, Debug, PartialEq)]
pub struct RepairSettings {
    /// Vertices nearer than this share of the bounding box's diagonal are one, where that closes open edges. 0 … 0.01.
    pub weld_tolerance: f32,
    /// Holes with at most this many edges are filled; 0 fills none by this rule.
    pub max_hole_edges: u32,
    /// Holes whose perimeter is at most this share of the bounding box's diagonal are filled, too.
    pub max_hole_perimeter: f32,
    /// Components whose bounding box is smaller than this share of the whole one are removed; 0 keeps all.
    pub min_component: f32,
}

impl Default for RepairSettings {
    fn default() -> Self {
        Self {
            weld_tolerance: WELD_TOLERANCE,
            max_hole_edges: 64,
            max_hole_perimeter: 0.3,
            min_component: 0.0,
        }
    }
}

/// What [`repair`] did, and what is still wrong. It [prints](fmt::Display) as one line for each.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RepairLog {
    /// Triangles at vertices that are NaN or infinite, dropped.
    pub non_finite_triangles: usize,
    /// Triangles that name one place twice, dropped.
    pub collapsed_triangles: usize,
    /// Triangles covered by others, dropped.
    pub duplicate_triangles: usize,
    /// Triangles between two solids, dropped with their twins (not counted in `duplicate_triangles`).
    pub wall_triangles: usize,
    /// Triangles without area that were swapped away or dropped.
    pub slivers: usize,
    /// Vertices merged into others.
    pub merged_vertices: usize,
    /// Vertices dropped because no triangle names them.
    pub unused_vertices: usize,
    /// Vertices added to take non-manifold edges apart.
    pub split_vertices: usize,
    /// Triangles turned to agree with their neighbours or to face outward.
    pub flipped_triangles: usize,
    /// Closed parts that faced inward and were turned.
    pub turned_parts: usize,
    /// Parts removed as debris.
    pub removed_parts: usize,
    /// Holes filled.
    pub filled_holes: usize,
    /// Triangles that fill them.
    pub fill_triangles: usize,
    /// How often the mesh was gone over.
    pub passes: usize,
    /// The mesh as it is now.
    pub result: MeshReport,
}

/// Mends a mesh.
///
/// # Errors
/// Arrays that do not fit each other, or nothing left to simulate.
pub fn repair(mesh: &TriMesh, settings: &RepairSettings) -> Result<(TriMesh, RepairLog), MeshError> {
    let mut log = RepairLog::default();
    let mut mesh = drop_non_finite(mesh, &mut log);
    for _ in 0..MAX_PASSES {
        mesh.validate()?;
        let mended = pass(&mesh, settings, &mut log);
        log.passes += 1;
        if mended.triangles.is_empty() {
            return Err(MeshError::Empty("triangles with area"));
        }
        let settled = mended == mesh;
        mesh = mended;
        if settled {
            break;
        }
    }
    log.result = inspect(&mesh);
    Ok((mesh, log))
}

/// Goes over the mesh once.
fn pass(mesh: &TriMesh, settings: &RepairSettings, log: &mut RepairLog) -> TriMesh {
    let mut work = Mending::new(mesh, settings.weld_tolerance);
    drop_collapsed(&mut work, log);
    drop_duplicates(&mut work, log);
    take_apart(&mut work, weld::tolerance(mesh, settings.weld_tolerance), log);
    orient_outward(&mut work, log);
    drop_debris(&mut work, settings, log);
    log.slivers += swap_slivers(&mut work);
    let (holes, triangles) = fill_holes(&mut work, settings);
    log.filled_holes += holes;
    log.fill_triangles += triangles;
    let (mended, merged, unused) = work.finish();
    log.merged_vertices += merged;
    log.unused_vertices += unused;
    mended
}

/// Drops triangles whose vertices are not finite, and moves such vertices out of the way.
fn drop_non_finite(mesh: &TriMesh, log: &mut RepairLog) -> TriMesh {
    let mut mesh = mesh.clone();
    // Arrays that do not fit are left for `validate`.
    if mesh.positions.iter().all(|p| p.is_finite()) {
        return mesh;
    }
    let finite = |v: u32| mesh.positions.get(v as usize).is_none_or(|p| p.is_finite());
    let keep: Vec<bool> = mesh.triangles.iter().map(|t| t.iter().all(|&v| finite(v))).collect();
    log.non_finite_triangles = keep.iter().filter(|&&k| !k).count();
    if mesh.triangle_paints.len() == keep.len() {
        let mut kept = keep.iter();
        mesh.triangle_paints.retain(|_| kept.next() == Some(&true));
    }
    let mut kept = keep.iter();
    mesh.triangles.retain(|_| kept.next() == Some(&true));
    let anywhere = mesh.positions.iter().copied().find(|p| p.is_finite());
    for p in mesh.positions.iter_mut().filter(|p| !p.is_finite()) {
        *p = anywhere.unwrap_or_default();
    }
    mesh
}

fn drop_collapsed(work: &mut Mending, log: &mut RepairLog) {
    let welded = work.welded();
    let whole = |t: usize| {
        let [a, b, c] = welded[t];
        a != b && b != c && c != a
    };
    log.collapsed_triangles += work.keep_triangles(whole);
}

fn drop_duplicates(work: &mut Mending, log: &mut RepairLog) {
    let (keep, walls) = keep_one_of_each(&work.welded());
    let dropped = work.keep_triangles(|t| keep[t]);
    log.wall_triangles += 2 * walls;
    log.duplicate_triangles += dropped.saturating_sub(2 * walls);
}

/// Makes neighbours agree as far as edges are manifold, then takes apart those that are not.
fn take_apart(work: &mut Mending, tolerance: f64, log: &mut RepairLog) {
    let welded = work.welded();
    let edges = EdgeTable::new(&welded);
    if edges.non_manifold().next().is_none() {
        return;
    }
    let mut flood = orient::flood(welded.len(), &orient::manifold_pairs(&edges));
    log.turned_parts += orient::turn_outward(&mut flood, &work.places, &welded, &edges);
    log.flipped_triangles += work.flip(&flood.flipped);
    let edges = EdgeTable::new(&work.welded());
    log.split_vertices += split_non_manifold(work, &edges, tolerance);
}

fn orient_outward(work: &mut Mending, log: &mut RepairLog) {
    let welded = work.welded();
    let edges = EdgeTable::new(&welded);
    let mut flood = orient::flood(welded.len(), &orient::manifold_pairs(&edges));
    log.turned_parts += orient::turn_outward(&mut flood, &work.places, &welded, &edges);
    log.flipped_triangles += work.flip(&flood.flipped);
}

fn drop_debris(work: &mut Mending, settings: &RepairSettings, log: &mut RepairLog) {
    let least = settings.min_component as f64 * diagonal(work);
    if least.is_nan() || least <= 0.0 {
        return;
    }
    let parts = EdgeTable::new(&work.welded()).components_by_edge();
    let mut bounds = vec![None; parts.count];
    for (t, corners) in work.triangles.iter().enumerate() {
        let bound = &mut bounds[parts.of_member[t] as usize];
        for &v in corners {
            let p = work.place(v).as_dvec3();
            let (low, high) = bound.unwrap_or((p, p));
            *bound = Some((low.min(p), high.max(p)));
        }
    }
    let small: Vec<bool> =
        bounds.iter().map(|b| b.is_some_and(|(low, high)| low.distance(high) < least)).collect();
    // Something must be left.
    if small.iter().all(|&s| s) {
        return;
    }
    log.removed_parts += small.iter().filter(|&&s| s).count();
    work.keep_triangles(|t| !small[parts.of_member[t] as usize]);
}

/// The diagonal of the bounding box of what triangles use.
pub(super) fn diagonal(work: &Mending) -> f64 {
    let mut used = work.triangles.iter().flatten().map(|&v| work.place(v).as_dvec3());
    let Some(first) = used.next() else { return 0.0 };
    let (low, high) = used.fold((first, first), |(lo, hi), p| (lo.min(p), hi.max(p)));
    low.distance(high)
}

impl RepairLog {
    /// Whether anything was done.
    pub fn changed(&self) -> bool {
        let untouched = Self { passes: self.passes, result: self.result.clone(), ..Self::default() };
        *self != untouched
    }
}

impl fmt::Display for RepairLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = [
            (self.non_finite_triangles, "triangles that were not finite dropped"),
            (self.collapsed_triangles, "collapsed triangles dropped"),
            (self.duplicate_triangles, "doubled triangles dropped"),
            (self.wall_triangles, "triangles of walls between solids dropped"),
            (self.slivers, "triangles without area removed"),
            (self.merged_vertices, "vertices merged"),
            (self.unused_vertices, "unused vertices dropped"),
            (self.split_vertices, "vertices added to take non-manifold edges apart"),
            (self.flipped_triangles, "triangles turned"),
            (self.turned_parts, "inside-out parts turned outward"),
            (self.removed_parts, "small parts removed"),
            (self.filled_holes, "holes filled"),
            (self.fill_triangles, "triangles added to fill them"),
        ];
        if !self.changed() {
            writeln!(f, "nothing to mend")?;
        }
        for (count, what) in done.into_iter().filter(|&(count, _)| count > 0) {
            writeln!(f, "{count} {what}")?;
        }
        let left = &self.result;
        let wrong = [
            (left.open_edges, "open edges: holes too large to fill, or a sheet"),
            (left.non_manifold_edges, "edges with more than two triangles"),
            (left.degenerate_triangles, "triangles without area"),
            (left.duplicate_triangles, "doubled triangles"),
            (usize::from(!left.orientable), "surface on which no winding fits"),
            (usize::from(left.inside_out), "surface that faces inward"),
        ];
        for (count, what) in wrong.into_iter().filter(|&(count, _)| count > 0) {
            writeln!(f, "still there: {count} {what}")?;
        }
        Ok(())
    }
}
