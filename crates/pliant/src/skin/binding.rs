//! Which nodes carry a vertex.
//!
//! A vertex goes where its nodes' local maps put it: Σ w (x + M (p⁰ − x⁰)). A vertex that is a node follows just that one.
//!
//! Every vertex has room for four nodes, used or not: bonds are read by eights in the order of vertices, and a list of lists
//! would cost more than the multiplications by 0.

use crate::geometry::PointGrid;
use crate::math::functions::square;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Nodes that carry a vertex at most. Four surround it; more only smear the deformation.
pub const BONDS: usize = 4;

/// A node that carries part of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bond {
    /// Which node.
    pub node: u32,
    /// How much of the vertex it carries, above 0; a vertex's weights add up to 1.
    pub weight: f32,
}

/// All that carries one vertex. Places that are not used have weight 0 on the first node, which is in the cache anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct Bonds {
    /// Which nodes.
    pub nodes: [u32; BONDS],
    /// How much of the vertex each carries.
    pub weights: [f32; BONDS],
}

impl Bonds {
    /// Up to [`BONDS`] bonds; more are ignored.
    pub fn new(bonds: impl IntoIterator<Item = Bond>) -> Self {
        let mut all = Self::default();
        for (at, bond) in bonds.into_iter().take(BONDS).enumerate() {
            if at == 0 {
                all.nodes = [bond.node; BONDS];
            }
            (all.nodes[at], all.weights[at]) = (bond.node, bond.weight);
        }
        all
    }

    /// Those that carry something.
    pub fn iter(&self) -> impl Iterator<Item = Bond> + '_ {
        let all = self.nodes.iter().zip(&self.weights).map(|(&node, &weight)| Bond { node, weight });
        all.filter(|bond| bond.weight != 0.0)
    }
}

/// Which nodes carry each vertex.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Binding {
    /// Of each vertex.
    pub(super) bonds: Vec<Bonds>,
    /// The node that each vertex belongs to; empty for particles, which have no cells.
    pub(crate) homes: Vec<u32>,
    /// Whether some vertex is not a node itself.
    pub(super) mapped: bool,
}

impl Binding {
    /// Binds vertices to the nodes nearest to them at rest.
    pub fn new(vertices: &[Vec3], nodes: &[Vec3]) -> Self {
        let grid = PointGrid::fitting(nodes);
        let mut binding = Self::default();
        let mut nearest = Vec::new();
        for &vertex in vertices {
            grid.k_nearest(vertex, BONDS + 1, &mut nearest);
            let reach = nearest.last().map_or(0.0, |n| n.1.sqrt());
            let at_node = nearest.first().is_some_and(|n| n.1.sqrt() <= 1e-4 * reach || reach == 0.0);
            let used = if at_node { 1 } else { nearest.len().min(BONDS) };
            // The first node left out has weight 0, so weights change smoothly from vertex to vertex.
            let weight = |d2: f32| {
                if used == 1 {
                    1.0
                } else {
                    square(1.0 - d2.sqrt() / (reach * 1.0001)) / d2.max(1e-12 * reach * reach)
                }
            };
            let sum: f32 = nearest[..used].iter().map(|n| weight(n.1)).sum();
            let bond = |&(node, d2): &(u32, f32)| Bond { node, weight: weight(d2) / sum };
            binding.bonds.push(Bonds::new(nearest[..used].iter().map(bond)));
            binding.mapped |= used > 1;
        }
        binding
    }

    /// Of what carries each vertex, for models that know it.
    pub fn of_bonds(bonds: Vec<Bonds>) -> Self {
        Self { bonds, homes: Vec::new(), mapped: true }
    }

    /// Whether a vertex needs the nodes' local maps: one that is a node itself does not.
    pub fn uses_maps(&self) -> bool {
        self.mapped
    }

    /// Whether the vertices are bound to cells, see [`to_cells`](Self::to_cells).
    pub fn is_to_cells(&self) -> bool {
        !self.homes.is_empty()
    }

    /// How many vertices are bound.
    pub fn len(&self) -> usize {
        self.bonds.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bonds.is_empty()
    }

    /// What carries each vertex.
    pub fn bonds(&self) -> &[Bonds] {
        &self.bonds
    }

    /// What carries a vertex.
    pub fn bonds_of(&self, vertex: usize) -> impl Iterator<Item = Bond> + '_ {
        self.bonds[vertex].iter()
    }

    /// How fast a vertex moves.
    pub fn velocity(&self, vertex: usize, velocities: &[Vec3]) -> Vec3 {
        self.bonds_of(vertex).map(|bond| bond.weight * velocities[bond.node as usize]).sum()
    }
}
