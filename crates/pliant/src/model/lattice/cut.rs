//! A lattice that is cut.

use super::Rest;
use super::rest::Material;
use crate::nodes::NodeRest;
use std::sync::Arc;

impl Rest {
    /// The part of it that has these nodes, ascending, with these pairs disconnected.
    pub(super) fn part(&self, rest: &NodeRest, nodes: &[u32], pairs: &[(u32, u32)]) -> (NodeRest, Self) {
        let node_rest = rest.only(nodes);
        let mut links = self.links.clone();
        self.unlink(&mut links, pairs);
        let mut mine = vec![false; self.cells.len()];
        nodes.iter().for_each(|&node| mine[node as usize] = true);
        for [low, high] in self.edges().filter(|[_, high]| !mine[*high as usize]) {
            self.unlink(&mut links, &[(low, high)]);
        }
        let cells = nodes.iter().map(|&node| self.cells[node as usize]).collect();
        let links = nodes.iter().map(|&node| links[node as usize]).collect();
        let mut part =
            Self::new(self.cell, self.width, cells, links, &node_rest.masses, &node_rest.rest_positions);
        part.material = self.material.as_ref().map(|material| {
            let samples = nodes.iter().map(|&node| material.samples[node as usize]).collect();
            Arc::new(Material { grid: material.grid.clone(), samples })
        });
        (node_rest, part)
    }
}
