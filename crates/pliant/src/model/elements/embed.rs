//! Tetrahedra from the cells that a body fills: its volume is embedded in them, and what they hold of it is how much they count.
//!
//! Each cell becomes four tetrahedra at corners and, in its middle, one more that a node there divides into four: eight, as many as a
//! register has lanes, mirrored from cell to cell so that diagonals of faces agree. A node in the middle changes nothing of what elements
//! resist, for without a load it is where its four corners say. It is the node of the cell: the first nodes of a body are those of its cells, in
//! their order, so whoever goes by cells (skins, contacts, cuts) goes by nodes. Corners come after them.
//!
//! Corners are shared only by cells between which joined cells around the corner lead: fingers that touch no more than a cell stay apart,
//! and where a cut disconnects cells, each side has a corner of its own (the virtual nodes of \[MBF04\]). By the same ways the surface of the
//! splitting cubes has one sheet there or several, so elements and surface part in the same places.
//!
//! Two thirds of a cell's mass are in its middle and the rest is in its corners: then its moments of inertia are those of a cube.

use super::ElementSettings;
use super::rest::{CORNERS, Rest};
use crate::geometry::{DisjointSets, TetMesh};
use crate::math::lanes::LANES;
use crate::model::cells::CellGraph;
use crate::nodes::NodeRest;
use glam::{UVec3, Vec3};

/// Tetrahedra of a cell.
pub const PER_CELL: usize = 8;
const _: () = assert!(PER_CELL == LANES);

/// Corners of a cell; the one at 0bZYX is there.
const CUBE: usize = 8;
/// The middle of a cell, among its corners.
const M: usize = CUBE;

/// Tetrahedra of a cell; the other half of the cells is mirrored along x.
const SPLIT: [[usize; CORNERS]; PER_CELL] = [
    [0, 1, 2, 4],
    [3, 2, 1, 7],
    [5, 4, 7, 1],
    [6, 7, 4, 2],
    [M, 2, 4, 7],
    [M, 1, 7, 4],
    [M, 1, 2, 7],
    [M, 1, 4, 2],
];
/// The part of the cell that each of them is.
const VOLUMES: [f32; PER_CELL] = {
    const SIXTH: f32 = 1.0 / 6.0;
    const TWELFTH: f32 = 1.0 / 12.0;
    [SIXTH, SIXTH, SIXTH, SIXTH, TWELFTH, TWELFTH, TWELFTH, TWELFTH]
};
/// The part of a cell's mass that its middle has.
const MIDDLE: f32 = 2.0 / 3.0;
/// What a corner has of a cell, as part of what the middle has.
const CORNER: f32 = (1.0 - MIDDLE) / (CUBE as f32 * MIDDLE);

/// An element's mass over what its corners have of theirs by it, for the longest step: at a corner, and in the middle. Corners 1, 2, 4 and 7
/// are in six elements; three eighths of their mass are left to those at corners, for which both kinds are about as fast.
const WEIGHTS: [[f64; CORNERS]; 2] = [[4.0, 32.0, 32.0, 32.0], [0.5, 9.6, 9.6, 9.6]];

/// The corners of cells as nodes, numbered after the middles of all cells.
#[derive(Clone, Debug, Default)]
pub struct Corners {
    /// Of each cell.
    pub of_cells: Vec<[u32; CUBE]>,
    /// How many nodes there are, with the middles.
    pub nodes: usize,
}

impl Corners {
    /// Of cells that are joined as their links say.
    pub fn new(graph: &CellGraph) -> Self {
        let cells = graph.cells.len();
        let mut sets = DisjointSets::new(CUBE * cells);
        for low in 0..cells {
            for axis in (0..3).filter(|&axis| graph.links[low][axis]) {
                let next = graph.cells[low].as_ivec3() + UVec3::AXES[axis].as_ivec3();
                let Some(high) = graph.node_at(next) else { continue };
                for corner in (0..CUBE).filter(|corner| corner & (1 << axis) == 0) {
                    let [a, b] = [CUBE * low + (corner | 1 << axis), CUBE * high as usize + corner];
                    sets.join(a as u32, b as u32);
                }
            }
        }
        let mut numbers = vec![None; CUBE * cells];
        let mut nodes = cells;
        let mut number = |cell: usize, corner: usize| {
            *numbers[sets.find((CUBE * cell + corner) as u32) as usize].get_or_insert_with(|| {
                nodes += 1;
                nodes as u32 - 1
            })
        };
        let of_cells = (0..cells).map(|cell| std::array::from_fn(|corner| number(cell, corner))).collect();
        Self { of_cells, nodes }
    }

    /// The tetrahedra of all cells, cell by cell.
    pub fn tetrahedra(&self, graph: &CellGraph) -> Vec<[u32; CORNERS]> {
        let of_cell = |(cell, corners): (usize, &[u32; CUBE])| {
            let (mirrored, corners) = ((graph.cells[cell].element_sum() & 1) as usize, *corners);
            let node = move |at: usize| if at == M { cell as u32 } else { corners[at ^ mirrored] };
            SPLIT.map(|split| {
                let [a, b, c, d] = split.map(node);
                if mirrored == 1 { [a, c, b, d] } else { [a, b, c, d] }
            })
        };
        self.of_cells.iter().enumerate().flat_map(of_cell).collect()
    }

    /// Where nodes are at rest, given where the middles are.
    fn places(&self, cell: f32, middles: &[Vec3]) -> Vec<Vec3> {
        let mut places = middles.to_vec();
        places.resize(self.nodes, Vec3::ZERO);
        for (corners, middle) in self.of_cells.iter().zip(middles) {
            for (at, &corner) in corners.iter().enumerate() {
                let at = at as u32;
                let way = UVec3::new(at & 1, at >> 1 & 1, at >> 2).as_vec3() - 0.5;
                places[corner as usize] = *middle + cell * way;
            }
        }
        places
    }

    /// What nodes weigh, given what the middles do.
    pub fn masses(&self, mut middles: Vec<f32>) -> Vec<f32> {
        middles.resize(self.nodes, 0.0);
        for (cell, corners) in self.of_cells.iter().enumerate() {
            let mass = CORNER * middles[cell];
            corners.iter().for_each(|&corner| middles[corner as usize] += mass);
        }
        middles
    }
}

/// A body that is embedded in the cells it fills: `cells` are their middles, with all of their mass, of a density. `stiffness` tells how
/// many times as stiff as the material each cell is; empty if none is stiffer. Forces and energy of an element are proportional to its volume,
/// so that is where it counts.
pub fn embed(
    cells: &NodeRest,
    graph: CellGraph,
    density: f32,
    stiffness: Vec<f32>,
    settings: ElementSettings,
) -> (NodeRest, Rest) {
    let times = |cell: usize| stiffness.get(cell).copied().unwrap_or(1.0);
    let corners = Corners::new(&graph);
    let mesh = TetMesh::new(corners.places(graph.cell, &cells.rest_positions), corners.tetrahedra(&graph));
    let volume = |(cell, mass): (usize, &f32)| VOLUMES.map(|part| part * (mass / density) * times(cell));
    let volumes: Vec<f32> = cells.masses.iter().enumerate().flat_map(volume).collect();
    let weights = |element: usize| {
        let stiffness = f64::from(times(element / PER_CELL));
        WEIGHTS[element % PER_CELL / (PER_CELL / 2)].map(|weight| stiffness * weight)
    };
    let rest = Rest { settings, spacing: graph.cell, graph, ..Rest::default() };
    let rest = Rest { stiffness: stiffness.clone(), ..rest.with_mesh(&mesh, &volumes, weights) };
    let masses = corners.masses(cells.masses.iter().map(|mass| MIDDLE * mass).collect());
    let nodes = NodeRest { rest_positions: mesh.positions, masses, ..NodeRest::default() }.of_a_part();
    (NodeRest { middle: Vec3::ZERO, ..nodes }, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use std::collections::BTreeMap;

    /// Two cells each way.
    fn block(links: [bool; 3]) -> CellGraph {
        let cells: Vec<UVec3> = (0..8).map(|at| UVec3::new(at & 1, at >> 1 & 1, at >> 2)).collect();
        CellGraph { cell: 0.5, links: vec![links; cells.len()], cells, material: None }
    }

    fn embedded(graph: &CellGraph) -> (NodeRest, Rest) {
        let rest_positions = graph.cells.iter().map(|cell| (cell.as_vec3() - 0.5) * graph.cell).collect();
        let nodes = NodeRest { rest_positions, masses: vec![3.0; graph.cells.len()], ..NodeRest::default() };
        embed(&nodes, graph.clone(), 2.0, Vec::new(), ElementSettings::default())
    }

    #[test]
    fn cells_become_tetrahedra_that_fill_them_and_share_what_links_join() {
        for (links, corners) in [([true; 3], 27), ([true, true, false], 36), ([false; 3], 64)] {
            let graph = block(links);
            let (nodes, rest) = embedded(&graph);
            assert_eq!(nodes.masses.len(), 8 + corners);
            let mesh = TetMesh::new(nodes.rest_positions.clone(), rest.tetrahedra.clone());
            for at in 0..mesh.tetrahedra.len() {
                let part = mesh.signed_volume_of(at) / 0.125;
                assert!((part - f64::from(VOLUMES[at % PER_CELL])).abs() < 1e-6, "element {at}: {part}");
                assert_eq!(rest.packs[at / PER_CELL].volumes.0[at % PER_CELL], VOLUMES[at % PER_CELL] * 1.5);
            }
        }
    }

    #[test]
    fn a_block_has_the_mass_and_the_inertia_of_a_block() {
        let (nodes, _) = embedded(&block([true; 3]));
        assert!((nodes.total_mass - 24.0).abs() < 1e-5);
        let each = nodes.rest_positions.iter().zip(&nodes.masses);
        let second: DVec3 = each.map(|(x, &m)| f64::from(m) * x.as_dvec3() * x.as_dvec3()).sum();
        // M a²/12
        assert!((second - DVec3::splat(2.0)).length() < 1e-5, "{second}");
    }

    #[test]
    fn neighboring_cells_have_the_same_diagonals() {
        let (_, rest) = embedded(&block([true; 3]));
        let mut faces: BTreeMap<[u32; 3], usize> = BTreeMap::new();
        for &[a, b, c, d] in &rest.tetrahedra {
            for mut face in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
                face.sort_unstable();
                *faces.entry(face).or_default() += 1;
            }
        }
        let outside = faces.values().filter(|&&count| count == 1).count();
        assert_eq!(outside, 6 * 4 * 2, "two triangles for each face of a cell outside");
        assert!(faces.values().all(|&count| count <= 2));
    }
}
