//! A body that is filled with cells of one size: a node in the middle of each, and which of them material joins. What models with such
//! nodes have in common, whatever they match.

pub mod skin;

pub use skin::Carriers;

use super::build::{BodyError, Source, centered};
use super::seam::Outline;
use crate::nodes::NodeRest;
use crate::sampling::grid::{Grid, Sample};
use crate::sampling::uniform::UniformSampling;
use crate::skin::Binding;
use glam::{IVec3, UVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Cells of one size that hold material, and which of them it joins.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CellGraph {
    /// Edge of a cell in metres.
    pub cell: f32,
    /// Where each node is, in cells; x fastest, then y, then z.
    pub cells: Vec<UVec3>,
    /// Whether material joins each node to the next one along x, y and z.
    pub links: Vec<[bool; 3]>,
    /// What the skin needs to find what carries it.
    pub material: Option<Arc<Material>>,
}

/// The material that cells were made from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Material {
    /// On the finest lattice.
    pub grid: Arc<Grid>,
    /// Of each node.
    pub samples: Vec<Sample>,
}

/// A mesh that was filled with cells.
pub struct Filled {
    /// The nodes, relative to their center of mass.
    pub nodes: NodeRest,
    /// Where that is in the scaled mesh's coordinates.
    pub center: Vec3,
    /// The cells.
    pub graph: CellGraph,
    /// Which nodes carry each vertex of the mesh.
    pub binding: Binding,
}

impl CellGraph {
    /// Fills a mesh with cells of edge `cell`.
    ///
    /// # Errors
    /// If the mesh cannot be filled so.
    pub fn fill(from: &Source, cell: f32) -> Result<Filled, BodyError> {
        let mut grid = Grid::new(from.welded, cell, 1, from.material.density)?;
        let UniformSampling { cells, links, samples, middles } = UniformSampling::new(&grid);
        let masses = samples.iter().map(|s| (f64::from(s.count) * grid.sample_mass) as f32).collect();
        let (nodes, center) = centered(middles, masses);
        grid.centre = center;
        let material = Some(Arc::new(Material { grid: Arc::new(grid), samples }));
        let graph = Self { cell, cells, links, material };
        let vertices = from.vertices_from(center);
        let carriers = Carriers::new(&graph, &nodes.rest_positions);
        let binding = carriers.map(|carriers| Binding::to_cells(&vertices, &carriers)).unwrap_or_default();
        Ok(Filled { nodes, center, graph, binding })
    }

    /// The node of a cell, if material is there.
    pub fn node_at(&self, cell: IVec3) -> Option<u32> {
        let key = |c: &UVec3| [c.z, c.y, c.x];
        let cell = (cell.min_element() >= 0).then(|| cell.as_uvec3())?;
        self.cells.binary_search_by_key(&key(&cell), key).ok().map(|node| node as u32)
    }

    /// Pairs of nodes that are joined, the first one before the second along an axis.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        (0..self.cells.len()).flat_map(move |node| {
            let joined = (0..3).filter(move |&axis| self.links[node][axis]);
            joined.filter_map(move |axis| {
                let next = self.node_at(self.cells[node].as_ivec3() + IVec3::AXES[axis])?;
                Some([node as u32, next])
            })
        })
    }

    /// Takes the links between pairs of nodes away.
    pub(super) fn unlink(&self, links: &mut [[bool; 3]], pairs: &[(u32, u32)]) {
        for &(a, b) in pairs {
            for (from, to) in [(a as usize, b as usize), (b as usize, a as usize)] {
                for (link, axis) in links[from].iter_mut().zip(UVec3::AXES) {
                    *link &= self.cells[to] != self.cells[from] + axis;
                }
            }
        }
    }

    /// The same cells without the links between pairs of nodes that are next to each other along an axis; `None` if there was none.
    pub(super) fn disconnected(&self, pairs: &[(u32, u32)]) -> Option<Self> {
        let mut links = self.links.clone();
        self.unlink(&mut links, pairs);
        (self.links != links).then(|| Self { links, ..self.clone() })
    }

    /// The part of it that has these nodes, ascending, with these pairs disconnected.
    pub(super) fn part(&self, rest: &NodeRest, nodes: &[u32], pairs: &[(u32, u32)]) -> (NodeRest, Self) {
        let mut links = self.links.clone();
        self.unlink(&mut links, pairs);
        let mut mine = vec![false; self.cells.len()];
        nodes.iter().for_each(|&node| mine[node as usize] = true);
        for [low, high] in self.edges().filter(|[_, high]| !mine[*high as usize]) {
            self.unlink(&mut links, &[(low, high)]);
        }
        let cells = nodes.iter().map(|&node| self.cells[node as usize]).collect();
        let links = nodes.iter().map(|&node| links[node as usize]).collect();
        let material = self.material.as_ref().map(|material| {
            let samples = nodes.iter().map(|&node| material.samples[node as usize]).collect();
            Arc::new(Material { grid: material.grid.clone(), samples })
        });
        (rest.only(nodes), Self { cell: self.cell, cells, links, material })
    }

    /// The cell of a node, undeformed.
    pub(super) fn outline(&self, rest: &NodeRest, node: usize) -> Option<Outline> {
        let at = self.cells.get(node)?.as_ivec3();
        let sides = IVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let enclosed = sides.map(|side| at + side).all(|cell| self.node_at(cell).is_some());
        Some(Outline { middle: rest.rest_positions[node], size: self.cell, level: 0, enclosed })
    }
}
