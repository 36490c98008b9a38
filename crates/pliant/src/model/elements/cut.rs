//! A body of elements that is cut: a cell stays whole, and its elements with it; where cells are disconnected, the corners that they shared
//! become nodes of their own.
//!
//! Based on \[MBF04\]: a node that a cut goes through is copied, one copy for each part of the material around it, and all copies go on from
//! where it is, as fast. Each has the mass of the material that it has left, so mass and both momenta are what they were, and each element
//! has the corners, the deformation and the energy that it had.
//!
//! Deviations: no element is copied, because the blade is taken around cells and not through them, as for all bodies of cells. So there is
//! no element that is mostly empty, and what a cut leaves is as well conditioned as what it found.

use super::embed::Corners;
use super::rest::pack_and_lane;
use super::{Elements, Rest};
use crate::math::lanes::LANES;
use crate::model::adapt::Resampled;
use crate::model::cells::CellGraph;
use crate::model::seam::Part;
use crate::nodes::{Correspondence, NodeRest, NodeState, Renumbering};
use std::sync::Arc;

impl Elements {
    /// The part of a body that has these cells, ascending, joined as a graph of them says. A cell's elements are a pack, which is taken as
    /// it is.
    pub(super) fn part_of(&self, rest: &NodeRest, cells: &[u32], graph: CellGraph) -> Part {
        let (before, now) = (Corners::new(&self.rest.graph), Corners::new(&graph));
        let mut nodes = cells.to_vec();
        nodes.resize(now.nodes, 0);
        for (corners, &cell) in now.of_cells.iter().zip(cells) {
            for (&corner, from) in corners.iter().zip(before.of_cells[cell as usize]) {
                nodes[corner as usize] = from;
            }
        }
        let tetrahedra = now.tetrahedra(&graph);
        let middles = cells.iter().map(|&cell| rest.masses[cell as usize]).collect();
        let Rest { settings, spacing, stiffest, .. } = *self.rest;
        let own = Rest {
            settings,
            spacing,
            stiffest,
            graph,
            packs: pick(&self.rest.packs, cells),
            stiffness: if self.rest.stiffness.is_empty() {
                Vec::new()
            } else {
                pick(&self.rest.stiffness, cells)
            },
            ..Rest::default()
        }
        .between(now.nodes, tetrahedra);
        let plastic = if self.plastic.is_empty() { Vec::new() } else { pick(&self.plastic, cells) };
        let model = Self { lame: self.lame, plastic, ..Self::new(Arc::new(own)) };
        let rest_positions = pick(&rest.rest_positions, &nodes);
        let node_rest = NodeRest { rest_positions, masses: now.masses(middles), ..*rest };
        Part { rest: node_rest, model: model.into(), nodes }
    }

    /// The same cells, joined as a graph says, where a body is now.
    pub(super) fn rejoined(&self, rest: &NodeRest, nodes: &NodeState, graph: CellGraph) -> Resampled {
        let cells: Vec<u32> = (0..graph.cells.len() as u32).collect();
        let Part { rest: now, model, nodes: from } = self.part_of(rest, &cells, graph);
        let state = NodeState {
            origin: nodes.origin,
            positions: pick(&nodes.positions, &from),
            velocities: pick(&nodes.velocities, &from),
        };
        Resampled { rest: now, nodes: state, model, renumbering: copies(&from, rest.masses.len()) }
    }

    /// The nodes that share an element with a node.
    pub(super) fn beside(&self, node: u32, found: &mut Vec<u32>) {
        let known = found.len();
        for &place in self.rest.places.of(node as usize) {
            let (pack, lane) = pack_and_lane(place);
            found.extend(self.rest.tetrahedra[LANES * pack + lane].iter().filter(|&&other| other != node));
        }
        found[known..].sort_unstable();
        found.dedup();
    }
}

/// Some of what there is.
fn pick<T: Copy>(of: &[T], which: &[u32]) -> Vec<T> {
    which.iter().map(|&at| of[at as usize]).collect()
}

/// Which node is which, given where each comes from: of several that were one, the first is that one and the others are divided from it.
fn copies(from: &[u32], before: usize) -> Renumbering {
    let mut after = vec![None; before];
    let mut kept = Vec::with_capacity(from.len());
    let mut from_parent = Vec::with_capacity(from.len());
    for (now, &was) in (0..).zip(from) {
        let first = after[was as usize].is_none();
        if first {
            after[was as usize] = Some(now);
        }
        kept.push(first.then_some(was));
        from_parent.push((!first).then_some(was));
    }
    let from_children = from.iter().map(|_| []).collect();
    let kept = Correspondence { before: kept, after, changed: vec![true; from.len()] };
    Renumbering { kept, from_parent, from_children }
}
