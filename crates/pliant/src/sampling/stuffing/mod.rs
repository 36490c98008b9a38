//! Tetrahedra of good shape that fill a solid.
//!
//! Based on \[LS07\], isosurface stuffing: a body-centered cubic lattice, whose tetrahedra are nearly regular, is laid over the solid.
//! Lattice points very near the surface are moved onto it (`warp`); tetrahedra that the surface still crosses are cut by *stencils*.
//!
//! Symbols: `α` the share of an edge within which a cut point moves its end, for *long* edges (along an axis, black in the paper) and
//! *short* ones (along a diagonal, red).
//!
//! Guarantee: dihedral angles between 10.7° and 164.8°, by the paper's computer-assisted proof, for a lattice of one size and wherever
//! the surface is; `tests/stuffing.rs` looks for worse ones. Between sizes, deep inside, angles are fixed ones within these bounds.
//!
//! Deviations: a tetrahedron of four points on the surface is kept if its center is inside and its angles are within the bounds; the
//! paper leaves all of them out, which makes voids in the material. The octree of a graded mesh is balanced by how it is made: a
//! cell's distance from the surface is at least 2.65 times its size, so no two that touch differ by more than one level.
//!
//! What is thinner than about one cell is lost or in pieces: [`Stuffed`] says how much volume that was.

mod bcc;
mod cell_tree;
mod stencils;

use super::solid::{MeshSolid, Solid};
use crate::geometry::{TetMesh, Welded};
use crate::math::functions::{cbrt, cube};
use bcc::Bcc;
use cell_tree::CellTree;
use glam::DVec3;

/// Cells of the lattice that there may be; twelve tetrahedra each, about 1 GB in all.
pub const MOST_CELLS: usize = 1 << 21;
/// A lattice has at least this many steps of `f32` in an edge: with fewer, rounding spoils its angles.
const LEAST_STEPS: f64 = 2000.0;

/// How a solid is filled with tetrahedra.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StuffingSettings {
    /// Edge of the lattice's cells at the surface, in meters: the longer edges of tetrahedra; the others have 0.87 of it.
    pub size: f32,
    /// How many times tetrahedra may double their size away from the surface; 0 for one size everywhere.
    pub levels: u32,
}

/// What a solid was filled with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stuffed {
    /// The tetrahedra.
    pub mesh: TetMesh,
    /// Their volume in m³.
    pub volume: f64,
    /// What the solid's surface encloses in m³, if it is closed.
    pub enclosed: Option<f64>,
}

impl Stuffed {
    /// The share of the solid's volume that has no tetrahedra, if that is known: what is too thin for them, and what corners lose.
    pub fn missed(&self) -> Option<f64> {
        self.enclosed
            .filter(|&enclosed| enclosed > 0.0)
            .map(|enclosed| (1.0 - self.volume / enclosed).max(0.0))
    }
}

/// Why a solid cannot be filled with tetrahedra.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StuffingError {
    /// The size is not a length.
    #[error("the size of tetrahedra is {size} m; it must be above 0 and finite")]
    NotALength {
        /// What it was.
        size: f32,
    },
    /// There is nothing to fill.
    #[error("there is nothing to fill: the mesh has no triangles or no extent; use a closed mesh")]
    NoExtent,
    /// More cells than memory is worth.
    #[error(
        "tetrahedra of {size} m need about {cells:.0} cells, more than {MOST_CELLS}; use a size of {suggested} m or above"
    )]
    TooMany {
        /// Asked for, in meters.
        size: f32,
        /// About what it would take.
        cells: f64,
        /// A size in meters that should fit.
        suggested: f32,
    },
    /// `f32` cannot hold the lattice.
    #[error(
        "tetrahedra of {size} m are too small for coordinates of {farthest} m; use a size of {suggested} m or above, or move the mesh \
         nearer to zero"
    )]
    TooFine {
        /// Asked for, in meters.
        size: f32,
        /// The largest coordinate in meters.
        farthest: f32,
        /// A size in meters that fits.
        suggested: f32,
    },
    /// No lattice point is inside.
    #[error(
        "nothing is inside with tetrahedra of {size} m: the mesh is thinner than that, open, or has no volume; use a smaller size, or \
         repair the mesh (`pliant mesh FILE --repair`)"
    )]
    Empty {
        /// Asked for, in meters.
        size: f32,
    },
    /// The distances contradict each other.
    #[error(
        "the signed distance changes by more than 1 m per meter; divide it by its largest slope, or use levels = 0"
    )]
    NotADistance,
}

/// Fills what a mesh encloses with tetrahedra of about the given size in meters. Vertices should be welded: doubled ones make every seam
/// a hole.
///
/// # Errors
/// If the size does not suit the mesh, which is found out before much memory is taken, or if nothing is inside.
pub fn stuff(mesh: &Welded, settings: &StuffingSettings) -> Result<Stuffed, StuffingError> {
    stuff_solid(&MeshSolid::new(mesh), settings)
}

/// Fills any solid with tetrahedra, as a [`DistanceField`](super::solid::DistanceField).
///
/// # Errors
/// As [`stuff`].
pub fn stuff_solid(solid: &impl Solid, settings: &StuffingSettings) -> Result<Stuffed, StuffingError> {
    let size = check(solid, settings)?;
    let tree = CellTree::new(solid, size, settings.levels)?;
    let mut bcc = Bcc::new(solid, &tree);
    bcc.find_cuts(solid);
    bcc.warp();
    bcc.number_cuts();
    let mesh = stencils::fill(solid, &tree, &bcc)?;
    if mesh.tetrahedra.is_empty() {
        return Err(StuffingError::Empty { size: settings.size });
    }
    let volume = mesh.signed_volume();
    Ok(Stuffed { mesh, volume, enclosed: solid.volume() })
}

/// The size, if a lattice of it can be laid over the solid.
fn check(solid: &impl Solid, settings: &StuffingSettings) -> Result<f64, StuffingError> {
    let size = settings.size;
    if !(size > 0.0 && size.is_finite()) {
        return Err(StuffingError::NotALength { size });
    }
    let (low, high) = solid.bounds().ok_or(StuffingError::NoExtent)?;
    let extent = high.as_dvec3() - low.as_dvec3();
    if !extent.cmpgt(DVec3::ZERO).any() {
        return Err(StuffingError::NoExtent);
    }
    let farthest = low.abs().max(high.abs()).max_element();
    let finest = f64::from(farthest) * f64::from(f32::EPSILON) * LEAST_STEPS;
    if f64::from(size) < finest {
        return Err(StuffingError::TooFine { size, farthest, suggested: 1.1 * finest as f32 });
    }
    // Of a graded mesh most is at the surface: how many cells that takes turns out as they are made.
    let inside = solid.volume().filter(|_| settings.levels == 0).unwrap_or(0.0) / cube(f64::from(size));
    let longest = extent.max_element() / f64::from(size) / f64::from(cell_tree::MOST_ALONG);
    if inside > MOST_CELLS as f64 || longest > 1.0 {
        return Err(too_many(size, inside.max(cube(longest) * MOST_CELLS as f64)));
    }
    Ok(f64::from(size))
}

/// More cells than there may be.
fn too_many(size: f32, cells: f64) -> StuffingError {
    let suggested = 1.05 * f64::from(size) * cbrt(cells / MOST_CELLS as f64);
    StuffingError::TooMany { size, cells, suggested: suggested as f32 }
}
