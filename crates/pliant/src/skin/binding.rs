//! Which nodes carry a vertex.
//!
//! A vertex goes where its nodes' local maps put it: Σ w (x + M (p⁰ − x⁰)). A vertex that is a node follows just that one.

use crate::geometry::PointGrid;
use glam::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// A node that carries part of a vertex.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Bond {
    /// Which node.
    pub node: u32,
    /// How much of the vertex it carries; a vertex's weights add up to 1.
    pub weight: f32,
    /// From the node to the vertex at rest.
    pub offset: Vec3,
}

/// Which nodes carry each vertex.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Binding {
    bonds: Vec<Bond>,
    /// Where each vertex begins in `bonds`, and the end.
    starts: Vec<u32>,
}

/// Nodes that carry a vertex that is not one itself. Four surround it; more only smear the deformation.
const BONDS: usize = 4;

impl Binding {
    /// Binds vertices to the nodes nearest to them at rest.
    pub fn new(vertices: &[Vec3], nodes: &[Vec3]) -> Self {
        let grid = PointGrid::fitting(nodes);
        let mut binding = Self { bonds: Vec::new(), starts: vec![0] };
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
                    (1.0 - d2.sqrt() / (reach * 1.0001)).powi(2) / d2.max(1e-12 * reach * reach)
                }
            };
            let sum: f32 = nearest[..used].iter().map(|n| weight(n.1)).sum();
            binding.bonds.extend(nearest[..used].iter().map(|&(node, d2)| Bond {
                node,
                weight: weight(d2) / sum,
                offset: vertex - nodes[node as usize],
            }));
            binding.starts.push(binding.bonds.len() as u32);
        }
        binding
    }

    /// Whether a vertex needs the nodes' local maps: one that is a node itself does not.
    pub fn uses_maps(&self) -> bool {
        self.bonds.len() > self.len()
    }

    /// How many vertices are bound.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What carries a vertex.
    pub fn bonds_of(&self, vertex: usize) -> &[Bond] {
        &self.bonds[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// Where a vertex is. Without `maps` each vertex is where its node is.
    pub fn position(&self, vertex: usize, positions: &[Vec3], maps: &[Mat3]) -> Vec3 {
        let offset = |bond: &Bond| maps.get(bond.node as usize).map_or(Vec3::ZERO, |map| *map * bond.offset);
        let at = |bond: &Bond| positions[bond.node as usize] + offset(bond);
        self.bonds_of(vertex).iter().map(|bond| bond.weight * at(bond)).sum()
    }

    /// How fast a vertex moves.
    pub fn velocity(&self, vertex: usize, velocities: &[Vec3]) -> Vec3 {
        self.bonds_of(vertex).iter().map(|bond| bond.weight * velocities[bond.node as usize]).sum()
    }
}
