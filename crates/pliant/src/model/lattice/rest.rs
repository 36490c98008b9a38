//! The lattice of an undeformed body: nodes, the lines they stand in, and what the regions are at rest.

use crate::math::lanes::LANES;
use crate::model::cells::CellGraph;
use crate::model::regions::{Constants, Shares, fit, rest::measure};
use glam::{IVec3, UVec3, Vec3};
use serde::{Deserialize, Serialize};

/// The lattice of an undeformed body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rest {
    /// The cells, and which of them material joins.
    pub graph: CellGraph,
    /// w, in cells.
    pub width: u32,
    /// Lines along x, in the order of nodes.
    pub along_x: Lines,
    /// Lines along y, slice by slice across x.
    pub along_y: Lines,
    /// Lines along z, slice by slice across x, in the order of slots.
    pub along_z: Lines,
    /// Where the values of each place of `along_y` come from on the way back: slots.
    pub back_y: Vec<u32>,
    /// Where the values of each node come from on the way back: places of `along_y`.
    pub back_x: Vec<u32>,
    /// The node of each slot. A slot is a region, in the order in which they are fitted; empty ones fill up registers.
    pub nodes: Vec<Option<u32>>,
    /// The slot of each node.
    pub slots: Vec<u32>,
    /// Regions at rest, by eights, in the order of slots.
    pub constants: Vec<Constants>,
    /// How the nodes' masses are shared out.
    pub shares: Shares,
}

impl std::ops::Deref for Rest {
    type Target = CellGraph;
    fn deref(&self) -> &CellGraph {
        &self.graph
    }
}

/// Unbroken lines of nodes along one axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lines {
    /// Where each line begins and ends.
    pub runs: Vec<[u32; 2]>,
    /// Where the values of each place come from, in the order of the pass before.
    pub from: Vec<u32>,
    /// Parts that are worked on at a time: first line and first place of each, and the ends.
    pub parts: Vec<[u32; 2]>,
}

/// Places that a part has at least: enough work for a thread, and its values fit the first-level cache.
const PART: usize = 128;

impl Rest {
    /// A lattice of `cells`, of which those that `links` says are joined to their next ones along x, y and z.
    ///
    /// `cells` are sorted: x fastest, then y, then z.
    pub fn new(
        cell: f32,
        width: u32,
        cells: Vec<UVec3>,
        links: Vec<[bool; 3]>,
        masses: &[f32],
        at: &[Vec3],
    ) -> Self {
        Self::of(CellGraph { cell, cells, links, material: None }, width, masses, at)
    }

    /// The lattice of cells.
    pub fn of(graph: CellGraph, width: u32, masses: &[f32], at: &[Vec3]) -> Self {
        let mut rest = Self { graph, width: width.max(1), ..Self::default() };
        rest.find_lines();
        rest.measure(masses, at);
        rest
    }

    /// Cuts the links between pairs of nodes that are next to each other along an axis; others have none. Returns whether there
    /// was one.
    pub fn disconnect(&mut self, pairs: &[(u32, u32)], masses: &[f32], at: &[Vec3]) -> bool {
        let graph = self.graph.disconnected(pairs);
        let changed = graph.is_some();
        if let Some(graph) = graph {
            *self = Self::of(graph, self.width, masses, at);
        }
        changed
    }

    fn measure(&mut self, masses: &[f32], at: &[Vec3]) {
        let weights: Vec<f32> =
            self.nodes.iter().map(|node| node.map_or(0.0, |node| masses[node as usize])).collect();
        (self.constants, self.shares) = measure(self, &weights, masses, at);
    }

    /// The nodes of a node's region: what is reached by up to w links along z, from there along y, from there along x.
    pub fn region(&self, node: u32) -> Vec<u32> {
        let mut found = vec![node];
        for axis in [2, 1, 0] {
            for at in 0..found.len() {
                for way in [1, -1] {
                    let mut here = found[at];
                    for _ in 0..self.width {
                        let cell = self.cells[here as usize].as_ivec3() + way * IVec3::AXES[axis];
                        let Some(next) = self.node_at(cell) else { break };
                        let low = if way > 0 { here } else { next };
                        if !self.links[low as usize][axis] {
                            break;
                        }
                        found.push(next);
                        here = next;
                    }
                }
            }
        }
        found
    }

    fn find_lines(&mut self) {
        let count = self.cells.len();
        let sorted = |axes: [usize; 3]| {
            let mut order: Vec<u32> = (0..count as u32).collect();
            order.sort_by_key(|&i| axes.map(|axis| self.cells[i as usize][axis]));
            order
        };
        let (x_order, y_order, z_order) = (sorted([2, 1, 0]), sorted([0, 2, 1]), sorted([0, 1, 2]));
        debug_assert!(x_order.iter().enumerate().all(|(k, &node)| k == node as usize), "cells are sorted");
        let along_x = self.lines(&x_order, 0, false);
        let along_y = self.lines(&y_order, 1, true);
        let along_z = self.lines(&z_order, 2, true);
        // What no node has is never read.
        let of = |table: &[u32], node: u32| table.get(node as usize).copied().unwrap_or(0);
        let place_of = |lines: &Lines| {
            let mut places = vec![0; count];
            let used = lines.from.iter().enumerate().filter(|(_, node)| **node != FILLER);
            used.for_each(|(place, &node)| places[node as usize] = place as u32);
            places
        };
        let (places, slots) = (place_of(&along_y), place_of(&along_z));
        self.nodes = along_z.from.iter().map(|&node| (node != FILLER).then_some(node)).collect();
        self.back_y = along_y.from.iter().map(|&node| of(&slots, node)).collect();
        self.along_z =
            Lines { from: along_z.from.iter().map(|&node| of(&places, node)).collect(), ..along_z };
        (self.along_x, self.along_y, self.slots, self.back_x) = (along_x, along_y, slots, places);
    }

    /// Lines of nodes in `order` along an axis; `from` holds the nodes. With `slices`, parts are whole slices across x, filled up
    /// to a multiple of eight: then the lines along y and along z of a part have the same nodes.
    fn lines(&self, order: &[u32], axis: usize, slices: bool) -> Lines {
        let mut lines = Lines { parts: vec![[0, 0]], ..Lines::default() };
        let joined = |a: u32, b: u32| {
            let (from, to) = (self.cells[a as usize], self.cells[b as usize]);
            self.links[a as usize][axis] && to == from + UVec3::AXES[axis]
        };
        let mut rest = order;
        while let Some(&first) = rest.first() {
            let length = rest.windows(2).take_while(|pair| joined(pair[0], pair[1])).count() + 1;
            let (run, after) = rest.split_at(length);
            let start = lines.from.len() as u32;
            lines.from.extend(run);
            lines.runs.push([start, lines.from.len() as u32]);
            rest = after;
            let part_start = lines.parts.last().map_or(0, |part| part[1] as usize);
            let slice = |node: u32| self.cells[node as usize].x;
            let whole = !slices || rest.first().is_none_or(|&next| slice(next) != slice(first));
            if (lines.from.len() - part_start >= PART && whole) || rest.is_empty() {
                while slices && !(lines.from.len() - part_start).is_multiple_of(LANES) {
                    lines.from.push(FILLER);
                }
                lines.parts.push([lines.runs.len() as u32, lines.from.len() as u32]);
            }
        }
        lines
    }
}

/// Stands for no node while lines are being made.
const FILLER: u32 = u32::MAX;

impl Lines {
    /// Number of parts.
    pub fn part_count(&self) -> usize {
        self.parts.len() - 1
    }

    /// First place of a part.
    pub fn part_start(&self, part: usize) -> usize {
        self.parts[part][1] as usize
    }

    /// The lines of a part.
    pub fn runs_of(&self, part: usize) -> &[[u32; 2]] {
        &self.runs[self.parts[part][0] as usize..self.parts[part + 1][0] as usize]
    }
}

const _: () = assert!(fit::BLOCK.is_multiple_of(LANES));
