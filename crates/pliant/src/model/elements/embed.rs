//! Tetrahedra from the cells that a body fills: its volume is embedded in them, and what they hold of it is how much they count.
//!
//! Each cell becomes five tetrahedra, one in its middle and four at corners, mirrored from cell to cell so that diagonals of
//! faces agree. Corners are shared only by cells that material joins: fingers that touch no more than a cell stay apart.

use crate::geometry::{DisjointSets, TetMesh};
use crate::sampling::grid::Grid;
use crate::sampling::uniform::UniformSampling;
use glam::{IVec3, UVec3, Vec3};

/// Tetrahedra that a body is embedded in.
#[derive(Clone, Debug, Default)]
pub struct Embedding {
    /// The tetrahedra, in the coordinates of the surface.
    pub mesh: TetMesh,
    /// The part of each that is material.
    pub shares: Vec<f32>,
}

/// Tetrahedra of a cell whose corner at 0bZYX is there; the other half of the cells is mirrored along x.
const SPLIT: [[usize; 4]; 5] = [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]];
const CORNERS: usize = 8;

impl Embedding {
    /// The cells of a grid that hold material; `density` is what the grid was weighed with.
    pub fn new(grid: &Grid, density: f32) -> Self {
        let UniformSampling { cells, links, samples, .. } = UniformSampling::new(grid);
        let corners = corners(&cells, &links);
        let (origin, edge) = (grid.filling.origin, grid.filling.cell);
        let count = corners.iter().flatten().map(|&corner| corner as usize + 1).max().unwrap_or(0);
        let mut mesh = TetMesh::new(vec![Vec3::ZERO; count], Vec::with_capacity(SPLIT.len() * cells.len()));
        let mut shares = Vec::with_capacity(SPLIT.len() * cells.len());
        let whole = f64::from(density) * f64::from(edge) * f64::from(edge) * f64::from(edge);
        for ((cell, corners), sample) in cells.iter().zip(&corners).zip(&samples) {
            for (at, corner) in corners.iter().enumerate() {
                mesh.positions[*corner as usize] = origin + (*cell + offset(at)).as_vec3() * edge;
            }
            let mirrored = (cell.element_sum() & 1) as usize;
            let share = (f64::from(sample.count) * grid.sample_mass / whole) as f32;
            for split in SPLIT {
                let [a, b, c, d] = split.map(|at| corners[at ^ mirrored]);
                mesh.tetrahedra.push(if mirrored == 1 { [a, c, b, d] } else { [a, b, c, d] });
                shares.push(share);
            }
        }
        Self { mesh, shares }
    }
}

/// The number of each cell's corners.
fn corners(cells: &[UVec3], links: &[[bool; 3]]) -> Vec<[u32; CORNERS]> {
    let key = |cell: &UVec3| [cell.z, cell.y, cell.x];
    let find = |cell: UVec3| cells.binary_search_by_key(&key(&cell), key).ok();
    let mut sets = DisjointSets::new(CORNERS * cells.len());
    for (low, (cell, linked)) in cells.iter().zip(links).enumerate() {
        for axis in (0..3).filter(|&axis| linked[axis]) {
            let Some(high) = find(*cell + UVec3::AXES[axis]) else { continue };
            for corner in (0..CORNERS).filter(|corner| corner & (1 << axis) == 0) {
                let [a, b] = [CORNERS * low + (corner | 1 << axis), CORNERS * high + corner];
                sets.join(a as u32, b as u32);
            }
        }
    }
    let mut numbers = vec![None; CORNERS * cells.len()];
    let mut count = 0;
    let mut number = |cell: usize, corner: usize| {
        *numbers[sets.find((CORNERS * cell + corner) as u32) as usize].get_or_insert_with(|| {
            count += 1;
            count - 1
        })
    };
    (0..cells.len()).map(|cell| std::array::from_fn(|corner| number(cell, corner))).collect()
}

fn offset(corner: usize) -> UVec3 {
    let corner = corner as i32;
    IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2).as_uvec3()
}
