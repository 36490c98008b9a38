//! Which parts of a regular grid of cells are inside a mesh.
//!
//! Each cell has 4×4×4 samples. A closed and oriented mesh is scanned line by line, which is exact and fast; any other one
//! is asked for its generalised winding number, which is slower and forgives holes.

use super::extent::{Extent, rounded_up};
use super::thin::{self, ThinSample};
use super::{overlap, scan, soup};
use crate::geometry::EdgeTable;
use crate::math::functions::cube;
use glam::{DVec3, IVec3, UVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Cells of material that a body may have.
pub const MOST_NODES: u32 = 4_000_000;
/// Cells of the whole grid, empty ones included: about 600 MB.
pub const MOST_CELLS: u32 = 64 << 20;

/// Which part of each cell of a regular grid holds material: 4×4×4 samples a cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Filling {
    /// The low corner of cell (0, 0, 0).
    pub origin: Vec3,
    /// Edge of a cell in metres.
    pub cell: f32,
    /// Cells along x, y and z; multiples of the `block` it was made with.
    pub counts: [u32; 3],
    /// One bit a sample, x fastest, then y, then z: bit x + 4 y + 16 z; cells in the same order. A sample lies in the middle
    /// of its cube, a quarter of a cell large.
    pub masks: Vec<u64>,
    /// One entry a cell: whether the surface passes through it or touches it.
    pub surface: Vec<bool>,
    /// The samples that are inside because the part around them is thin, in the order of their keys.
    pub thin: Vec<ThinSample>,
}

/// What a cube of cells holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// Samples inside.
    pub count: u32,
    /// The sum of their positions relative to the cube's centre, in quarters of a cell: exact, in halves.
    pub moment: DVec3,
}

/// Why a mesh cannot be filled with cells.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FillingError {
    /// The cell's size is not a length.
    #[error("the cell size is {cell} m; it must be above 0 and finite")]
    NotALength {
        /// What it was.
        cell: f32,
    },
    /// The coarsest cells alone are too large for a grid.
    #[error("blocks of {block} cells a side need more than {MOST_CELLS} cells each; use fewer levels")]
    BlockTooLarge {
        /// What was asked for.
        block: u32,
    },
    /// Nothing can be inside.
    #[error(
        "the mesh has no volume: it has no triangles, is flat, or all its vertices are in one place; use a closed mesh, or \
         a model of particles for sheets"
    )]
    NoExtent,
    /// More cells than memory is worth.
    #[error(
        "cells of {cell} m need about {cells:.0} of them, more than {most}; use a cell size of {suggested} m or above"
    )]
    TooMany {
        /// Asked for, in metres.
        cell: f32,
        /// What it would take.
        cells: f64,
        /// How many there may be.
        most: u32,
        /// A size in metres that fits.
        suggested: f32,
    },
    /// A closed mesh between whose sides no sample lies.
    #[error(
        "the mesh is thinner than a quarter of a cell: no sample is inside with cells of {cell} m; use a cell size of about \
         {suggested} m, or a model of particles for sheets"
    )]
    TooThin {
        /// Asked for, in metres.
        cell: f32,
        /// About the mesh's thickness in metres.
        suggested: f32,
    },
    /// A mesh that encloses nothing.
    #[error(
        "nothing is inside the mesh with cells of {cell} m: it is open or has no volume; repair it (`pliant mesh FILE \
         --repair`), use a smaller cell size, or a model of particles for sheets"
    )]
    Empty {
        /// Asked for, in metres.
        cell: f32,
    },
}

/// A mesh in a grid's coordinates: the unit is a cell, zero the grid's low corner.
pub(super) struct Placed {
    pub counts: [usize; 3],
    pub corners: Vec<[DVec3; 3]>,
    /// How far rounding may have moved the surface, in cells.
    pub slack: f64,
}

impl Filling {
    /// Fills a mesh with cells of the given size in metres, in a grid of whole blocks of `block` cells a side. Vertices
    /// should be welded: doubled ones make every seam a hole.
    ///
    /// The mesh's box lies in the middle of the grid. Triangles that are not finite or name vertices that are not there are
    /// left out; an inside-out mesh has the same inside.
    ///
    /// # Errors
    /// If the grid would be too large, which is found out before it is made, or if nothing is inside.
    pub fn new(
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        cell: f32,
        block: u32,
    ) -> Result<Self, FillingError> {
        if !(cell > 0.0 && cell.is_finite()) {
            return Err(FillingError::NotALength { cell });
        }
        let block = block.max(1);
        if cube(f64::from(block)) > f64::from(MOST_CELLS) {
            return Err(FillingError::BlockTooLarge { block });
        }
        let known = |&v: &u32| positions.get(v as usize).is_some_and(|p| p.is_finite());
        let triangles: Vec<[u32; 3]> = triangles.iter().filter(|t| t.iter().all(known)).copied().collect();
        let at = |v: u32| positions[v as usize].as_dvec3();
        let extent = Extent::new(triangles.iter().flatten().map(|&v| at(v)), block);
        if !(extent.high - extent.low).cmpgt(DVec3::ZERO).all() {
            return Err(FillingError::NoExtent);
        }
        let corners: Vec<[DVec3; 3]> = triangles.iter().map(|t| t.map(|v| at(v) - extent.middle())).collect();
        let volume = corners.iter().map(|[a, b, c]| a.dot(b.cross(*c)) / 6.0).sum::<f64>().abs();
        extent.check(cell, volume)?;

        let counts = extent.counts(f64::from(cell)).map(|n| n as u32);
        let exact = extent.middle() - DVec3::from_array(counts.map(f64::from)) * (0.5 * f64::from(cell));
        let origin = exact.as_vec3();
        let to_origin = extent.middle() - origin.as_dvec3();
        let place = |p: DVec3| (p + to_origin) / f64::from(cell);
        let placed = Placed {
            counts: counts.map(|n| n as usize),
            corners: corners.iter().map(|t| t.map(place)).collect(),
            slack: 1e-6
                + 0.5 * extent.rounding(f64::from(cell)).max_element()
                + (exact - origin.as_dvec3()).abs().max_element() / f64::from(cell),
        };
        let surface = overlap::surface_cells(&placed, &placed.corners);
        let rims = rims(&triangles);
        let closed = rims.is_empty();
        let mut masks = if closed {
            scan::masks(&placed)
        } else {
            let of_edge = |[a, b]: [u32; 2]| [a, b, b].map(|v| place(at(v) - extent.middle()));
            let rims: Vec<[DVec3; 3]> = rims.into_iter().map(of_edge).collect();
            soup::masks(&placed, &surface, &overlap::surface_cells(&placed, &rims))
        };
        let filled = masks.iter().filter(|mask| **mask != 0).count();
        if filled == 0 {
            let area: f64 = corners.iter().map(|[a, b, c]| 0.5 * (*b - *a).cross(*c - *a).length()).sum();
            let thickness = (2.0 * volume / area).min(0.5 * f64::from(cell));
            return Err(if closed && rounded_up(thickness) > 0.0 {
                FillingError::TooThin { cell, suggested: rounded_up(thickness) }
            } else {
                FillingError::Empty { cell }
            });
        }
        let thin = if closed { thin::fill(&placed, &mut masks) } else { Vec::new() };
        // Nearly always foreseen above, but a mesh that is not oriented does not know its volume.
        extent.check(cell, filled as f64 * cube(f64::from(cell)) * (1.0 - 1e-6))?;
        Ok(Self { origin, cell, counts, masks, surface, thin })
    }

    /// Where a sample is in the material, in cells from the low corner: in the middle of its cube, or of the thin part there.
    pub fn sample(&self, cell: UVec3, bit: u32) -> Vec3 {
        let sub = UVec3::new(bit & 3, (bit >> 2) & 3, bit >> 4);
        self.thin_sample(cell, bit).unwrap_or(cell.as_vec3() + (sub.as_vec3() + 0.5) * 0.25)
    }

    /// Whether a cell has samples inside that are not those of thin parts.
    pub fn is_solid(&self, cell: IVec3) -> bool {
        if cell.min_element() < 0 || cell.as_uvec3().cmpge(UVec3::from_array(self.counts)).any() {
            return false;
        }
        let index = self.index(cell.as_uvec3().to_array());
        let first = self.thin.partition_point(|sample| sample.key < 64 * index as u64);
        let own = self.thin[first..].iter().take_while(|sample| sample.key / 64 == index as u64);
        let thin = own.fold(0_u64, |mask, sample| mask | 1 << (sample.key % 64));
        self.masks[index] & !thin != 0
    }

    /// Adds a sample at a point of a cell, in cells from the low corner.
    pub(super) fn add_thin(&mut self, cell: UVec3, point: Vec3) {
        let sub = ((point - cell.as_vec3()) * 4.0).as_uvec3().min(UVec3::splat(3));
        let (index, bit) = (self.index(cell.to_array()), sub.x + 4 * sub.y + 16 * sub.z);
        self.masks[index] |= 1 << bit;
        self.surface[index] = true;
        let sample = ThinSample { key: 64 * index as u64 + u64::from(bit), point };
        if let Err(at) = self.thin.binary_search_by_key(&sample.key, |sample| sample.key) {
            self.thin.insert(at, sample);
        }
    }

    /// Where a sample is, as [`sample`](Self::sample), if it is in a thin part.
    pub fn thin_sample(&self, cell: UVec3, bit: u32) -> Option<Vec3> {
        let key = 64 * self.index(cell.to_array()) as u64 + u64::from(bit);
        let at = self.thin.binary_search_by_key(&key, |sample| sample.key).ok()?;
        Some(self.thin[at].point)
    }

    /// What the samples inside stand for, in m³.
    pub fn volume(&self) -> f64 {
        let samples: u64 = self.masks.iter().map(|mask| u64::from(mask.count_ones())).sum();
        samples as f64 * cube(f64::from(self.cell)) / 64.0
    }

    /// Where a cell is in `masks` and `surface`.
    pub fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        let [nx, ny, _] = self.counts.map(|n| n as usize);
        (z as usize * ny + y as usize) * nx + x as usize
    }

    /// The cell at a place of `masks` and `surface`.
    pub fn cell_at(&self, index: usize) -> UVec3 {
        let [nx, ny, _] = self.counts.map(|n| n as usize);
        UVec3::new((index % nx) as u32, (index / nx % ny) as u32, (index / (nx * ny)) as u32)
    }

    /// Whether nothing is inside a cube of cells with low corner `low` and `edge` cells a side.
    pub fn is_empty(&self, low: [u32; 3], edge: u32) -> bool {
        let [[x0, x1], [y0, y1], [z0, z1]] =
            std::array::from_fn(|a| [low[a], low[a].saturating_add(edge).min(self.counts[a])]);
        let row_is_empty = |(y, z)| {
            x0 >= x1 || {
                let start = self.index([x0, y, z]);
                self.masks[start..start + (x1 - x0) as usize].iter().all(|&mask| mask == 0)
            }
        };
        (z0..z1).flat_map(|z| (y0..y1).map(move |y| (y, z))).all(row_is_empty)
    }

    /// What is inside a cube of cells with low corner `low` and `edge` cells a side; beyond the grid there is nothing.
    pub fn material(&self, low: [u32; 3], edge: u32) -> Material {
        let high: [u32; 3] = std::array::from_fn(|a| low[a].saturating_add(edge).min(self.counts[a]));
        let (mut count, mut quarters) = (0_u32, [0_i64; 3]);
        for z in low[2]..high[2] {
            for y in low[1]..high[1] {
                for x in low[0]..high[0] {
                    let mask = self.masks[self.index([x, y, z])];
                    let inside = mask.count_ones();
                    count += inside;
                    for (axis, &at) in [x, y, z].iter().enumerate() {
                        let before = 4 * i64::from(at - low[axis]);
                        quarters[axis] += before * i64::from(inside) + sum_along(mask, axis);
                    }
                }
            }
        }
        // A sample is half a quarter beyond its cube's low corner; the centre is 2 edge quarters beyond the low corner.
        let to_centre = (0.5 - 2.0 * f64::from(edge)) * f64::from(count);
        Material { count, moment: DVec3::from_array(quarters.map(|q| q as f64)) + to_centre }
    }
}

/// The sum of the samples' coordinates, 0 … 3, along an axis.
fn sum_along(mask: u64, axis: usize) -> i64 {
    /// Samples whose coordinate is odd, and those where it is 2 or 3.
    const PLANES: [[u64; 2]; 3] = [
        [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc],
        [0xf0f0_f0f0_f0f0_f0f0, 0xff00_ff00_ff00_ff00],
        [0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000],
    ];
    let [ones, twos] = PLANES[axis].map(|plane| i64::from((mask & plane).count_ones()));
    ones + 2 * twos
}

/// Edges that are not walked as often forward as backward: the rims of holes. Without any a scan cannot leak.
pub(super) fn rims(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let table = EdgeTable::new(triangles);
    let unbalanced = table.edges.iter().filter(|edge| {
        let uses = table.uses_of(edge);
        2 * uses.iter().filter(|u| u.forward).count() != uses.len()
    });
    unbalanced.map(|edge| edge.vertices).collect()
}
