//! The finest clusters: eight nodes around a corner of the cells.
//!
//! Such a cluster has what material joins of the eight nodes around the corner, if that is not flat. Nodes that are in none, in
//! parts one cell thick, have one of their own: the node and those that it is joined to. Each node's mass is shared out evenly
//! among its clusters, so all clusters together weigh what the body weighs, and a body is as stiff as its volume, also at its surface.

use super::rest::{CORNERS, Level, Link, Shape};
use crate::math::{pseudo_inverse, symmetric_eigen};
use crate::model::cells::CellGraph;
use crate::nodes::NodeRest;
use glam::{DMat3, DVec3, UVec3, Vec3};

/// γ of eight nodes: how much counts of what is not linear, which is how a cluster bends. With cells in the middle of which nodes are,
/// the outermost half of a cell has no cluster of its own; 2 makes up for it in beams of four cells and more.
pub const NOT_LINEAR: f32 = 2.0;
/// γ of the clusters of thin parts: a row of nodes bends like a beam as thick as its cells.
const NOT_LINEAR_IF_THIN: f32 = 0.4;
/// How many times stiffer than a whole voxel a cluster may be along its thinnest direction.
const STIFFEST: f64 = 3.0;
/// Extents below this part of the largest one (squared) are none.
const FLAT: f64 = 1e-3;

/// The clusters of cells.
pub(super) fn clusters(graph: &CellGraph, links: &[Link], nodes: &NodeRest) -> Level {
    let mut around: Vec<[Option<u32>; 6]> = vec![[None; 6]; graph.cells.len()];
    for &Link { ends: [a, b], axis } in links {
        around[a as usize][2 * axis] = Some(b);
        around[b as usize][2 * axis + 1] = Some(a);
    }
    let (mut members, mut used) = (blocks(graph, &around), vec![false; graph.cells.len()]);
    members.iter().flatten().flatten().for_each(|&node| used[node as usize] = true);
    for node in (0..used.len()).filter(|&node| !used[node]) {
        let mut star = [None; CORNERS];
        star[0] = Some(node as u32);
        star[1..7].copy_from_slice(&around[node]);
        if star.iter().flatten().count() > 1 {
            members.push(star);
        }
    }
    let (mut corners, mut shape_of, mut shapes) = (Vec::new(), Vec::new(), Vec::new());
    for cluster in &members {
        let first = cluster.iter().flatten().next().copied().unwrap_or_default();
        corners.push(cluster.map(|node| node.unwrap_or(first)));
        let whole = cluster.iter().all(Option::is_some);
        let shape = (!whole).then(|| Shape::of(cluster, &nodes.rest_positions, graph.cell));
        shape_of.push(shape.map(|shape| {
            shapes.push(shape);
            shapes.len() as u32 - 1
        }));
    }
    let mut level = Level::new(graph.cell, corners, shape_of, shapes, graph.cells.len());
    level.weights.clone_from(&nodes.masses);
    for (mass, places) in nodes.masses.iter().zip(level.places.iter()) {
        for place in places {
            level.masses[*place as usize / CORNERS] += mass / places.len() as f32;
        }
    }
    level
}

/// What material joins of the nodes around each corner of the cells, if it is not flat, by corner.
fn blocks(graph: &CellGraph, around: &[[Option<u32>; 6]]) -> Vec<[Option<u32>; CORNERS]> {
    let corner = |at: usize| UVec3::new(at as u32 & 1, at as u32 >> 1 & 1, at as u32 >> 2);
    // Corners by their upper cell, so that none is below zero.
    let of_node = |(node, cell): (usize, &UVec3)| {
        let key = |at: usize| (*cell + UVec3::ONE - corner(at)).to_array();
        (0..CORNERS)
            .map(move |at| {
                let [x, y, z] = key(at);
                ([z, y, x], at, node as u32)
            })
            .collect::<Vec<_>>()
    };
    let mut all: Vec<_> = graph.cells.iter().enumerate().flat_map(of_node).collect();
    all.sort_unstable();
    let mut found = Vec::new();
    for block in all.chunk_by(|a, b| a.0 == b.0) {
        let mut nodes = [None; CORNERS];
        block.iter().for_each(|&(_, at, node)| nodes[at] = Some(node));
        let mut left = nodes;
        while let Some(first) = left.iter().position(Option::is_some) {
            let part = joined(&mut left, first, around);
            let spans = (0..3).all(|axis| {
                let side =
                    |upper: usize| (0..CORNERS).any(|at| at >> axis & 1 == upper && part[at].is_some());
                side(0) && side(1)
            });
            if spans {
                found.push(part);
            }
        }
    }
    found
}

/// Takes what is joined to one of eight nodes out of them.
fn joined(
    left: &mut [Option<u32>; CORNERS],
    first: usize,
    around: &[[Option<u32>; 6]],
) -> [Option<u32>; CORNERS] {
    let mut part = [None; CORNERS];
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        let Some(node) = left[at].take() else { continue };
        part[at] = Some(node);
        for axis in 0..3 {
            let (next, side) = (at ^ 1 << axis, 2 * axis + (at >> axis & 1));
            if left[next].is_some() && around[node as usize][side] == left[next] {
                open.push(next);
            }
        }
    }
    part
}

impl Shape {
    /// The shape of some nodes.
    fn of(nodes: &[Option<u32>; CORNERS], places: &[Vec3], cell: f32) -> Self {
        let count = nodes.iter().flatten().count() as f64;
        let place = |node: u32| places[node as usize].as_dvec3();
        let middle = nodes.iter().flatten().map(|&node| place(node)).sum::<DVec3>() / count;
        let offsets = nodes.map(|node| node.map_or(DVec3::ZERO, |node| place(node) - middle));
        let mut second = [[0.0; 3]; 3];
        for q in offsets.map(|q| q.to_array()) {
            for (row, a) in second.iter_mut().zip(q) {
                row.iter_mut().zip(q).for_each(|(entry, b)| *entry += a * b / count);
            }
        }
        let found = pseudo_inverse(second, FLAT);
        let to_mat = |rows: &[[f64; 3]; 3]| DMat3::from_cols_array_2d(rows);
        let six = |m: DMat3| {
            [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.y_axis.z, m.z_axis.x].map(|v| v as f32)
        };
        let whole = 0.25 * f64::from(cell) * f64::from(cell);
        let thinnest = symmetric_eigen(found.inverse).values[0] * whole;
        let hooke = (STIFFEST / thinnest.max(f64::MIN_POSITIVE)).min(1.0);
        Self {
            weights: nodes.map(|node| node.map_or(0.0, |_| (1.0 / count) as f32)),
            offsets: offsets.map(|q| q.as_vec3()),
            inverse: six(to_mat(&found.inverse)),
            unknown: six(DMat3::IDENTITY - to_mat(&found.projector)),
            hooke: hooke as f32,
            not_linear: if found.rank < 3 || is_star(nodes, places, cell) {
                NOT_LINEAR_IF_THIN
            } else {
                NOT_LINEAR
            },
            stiffest: (hooke * thinnest) as f32,
        }
    }
}

/// Whether nodes are not all around one corner.
fn is_star(nodes: &[Option<u32>; CORNERS], places: &[Vec3], cell: f32) -> bool {
    let of = || nodes.iter().flatten().map(|&node| places[node as usize]);
    let (low, high) = of().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
    (high - low).max_element() > 1.5 * cell
}
