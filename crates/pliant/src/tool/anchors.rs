//! What a pin remembers: a part of the rest shape, and where it is held.
//!
//! Which nodes are held, and where, follows from this and from the nodes that the body has now, never from those it had in
//! between: a body that is coarsened and refined again is held as before.

use super::Division;
use crate::body::{Body, BodyRest};
use crate::geometry::PointGrid;
use crate::selection::Selection;
use glam::{DVec3, Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;

/// A part of a body's rest shape, and where it is held. Places are in the coordinates of the scaled mesh, which stay the same
/// when a body gets other nodes, another model, or is cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Anchors {
    region: Region,
    /// The nodes that were there when it was pinned.
    samples: Vec<Sample>,
}

/// A part of a rest shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Region {
    /// What a selection by place means.
    Selected(Selection),
    /// The cells of nodes that were given by number.
    Cells(Vec<Cube>),
    /// The nodes nearest to vertices.
    Points(Vec<Vec3>),
}

/// An axis-parallel cube.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Cube {
    middle: Vec3,
    size: f32,
}

/// Where a place of the rest shape is held, and how its surroundings were deformed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Sample {
    place: Vec3,
    /// In the world, or in the carrier's coordinates.
    at: DVec3,
    /// Turns a small rest vector into one of those coordinates.
    map: Mat3,
}

/// A node and where it is held.
pub(super) type Anchor = (u32, DVec3);

/// How far outside a cell a place may be by rounding, as part of the cell's edge.
const ROUNDING: f32 = 1e-4;
/// Samples that say where a place between them is held.
const AROUND: usize = 4;

impl Anchors {
    /// The nodes of a selection, held where they are; `None` if there are none.
    pub fn new(body: &Body, selection: &Selection) -> Option<(Self, Vec<Anchor>)> {
        let nodes = body.select(selection);
        let anchors: Vec<Anchor> =
            nodes.iter().map(|&node| (node, body.nodes.world_position(node as usize))).collect();
        let region = Region::of(body, selection, &nodes);
        let samples = Sample::of(body, &anchors, Quat::IDENTITY);
        (!anchors.is_empty()).then_some((Self { region, samples }, anchors))
    }

    /// The nodes of the part that a body has now, ascending, and where they are held.
    pub fn of(&self, body: &Body) -> Vec<Anchor> {
        let rest = body.rest();
        let nodes = self.represented(body, self.region.nodes(body));
        let places: Vec<Vec3> = self.samples.iter().map(|sample| sample.place).collect();
        let (grid, mut near) = (PointGrid::fitting(&places), Vec::new());
        nodes.into_iter().map(|node| (node, self.at(place(rest, node), &grid, &mut near))).collect()
    }

    /// Where a place of the rest shape is held: with the nearest samples, deformed as they were.
    fn at(&self, place: Vec3, grid: &PointGrid, near: &mut Vec<(u32, f32)>) -> DVec3 {
        grid.k_nearest(place, AROUND, near);
        let least = near.first().map_or(0.0, |nearest| nearest.1);
        let (mut at, mut sum) = (DVec3::ZERO, 0.0);
        for &(sample, off) in near.iter() {
            let sample = self.samples[sample as usize];
            if off == 0.0 {
                return sample.at;
            }
            let weight = f64::from(least / off);
            at += weight * (sample.at + (sample.map * (place - sample.place)).as_dvec3());
            sum += weight;
        }
        at / sum
    }

    /// The nodes, and more where the body is so coarse that a part of what is held has no node of its own: the node whose cell
    /// it is in, unless one next to that is held.
    fn represented(&self, body: &Body, mut nodes: Vec<u32>) -> Vec<u32> {
        let rest = body.rest();
        let cells = body.cells();
        let all = OnceCell::new();
        let (mut near, mut joined, mut more) = (Vec::new(), Vec::new(), Vec::new());
        for sample in &self.samples {
            let at = sample.place - rest.center;
            let home = cells.as_ref().and_then(|cells| cells.holding(at)).or_else(|| {
                let all = all.get_or_init(|| PointGrid::fitting(&rest.nodes.rest_positions));
                all.k_nearest(at, 1, &mut near);
                near.first().map(|nearest| nearest.0)
            });
            let Some(home) = home else { continue };
            joined.clear();
            if let Some(cells) = &cells {
                body.joined_to(&**cells, home, &mut joined);
            }
            joined.push(home);
            if !joined.iter().any(|node| nodes.binary_search(node).is_ok()) {
                more.push(home);
            }
        }
        nodes.extend(more);
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// In other coordinates: `place` finds places of those that they are in now in them, and `turn` turns directions.
    pub fn turned(&mut self, place: impl Fn(DVec3) -> DVec3, turn: Quat) {
        let turn = Mat3::from_quat(turn);
        for sample in &mut self.samples {
            sample.at = place(sample.at);
            sample.map = turn * sample.map;
        }
    }

    /// What a piece of the body has of it. `anchors` are the nodes of the piece that are held, and `turn` turns the world into
    /// their coordinates.
    pub fn of_piece(&self, division: &Division, piece: u32, anchors: &[Anchor], turn: Quat) -> Option<Self> {
        let (_, now) = division.piece(piece)?;
        let before = division.before;
        let (all, mut near) = (PointGrid::fitting(&before.nodes.rest_positions), Vec::new());
        let mut mine = |place: Vec3| {
            all.k_nearest(place - before.center, 1, &mut near);
            near.first()
                .and_then(|nearest| division.nodes.get(nearest.0 as usize))
                .is_some_and(|at| at.0 == piece)
        };
        let mut part = self.clone();
        part.samples.retain(|sample| mine(sample.place));
        // Nodes that were made anew are held where they are.
        if division.anew || part.samples.is_empty() {
            part.samples = Sample::of(now, anchors, turn);
        }
        match &mut part.region {
            Region::Selected(_) => {}
            Region::Cells(cells) => cells.retain(|cell| mine(cell.middle)),
            Region::Points(points) => points.retain(|&point| mine(point)),
        }
        Some(part)
    }
}

impl Region {
    fn of(body: &Body, selection: &Selection, nodes: &[u32]) -> Self {
        let rest = body.rest();
        let cube = |&node: &u32| {
            let (at, outline) = (node as usize, body.model.outline(&rest.nodes, node as usize));
            let spacing = body.spacing(at);
            let (middle, size) = outline.map_or_else(
                || (rest.nodes.rest_positions[at], spacing),
                // No farther than to the next node, where cells have more than one.
                |outline| (outline.middle, outline.size.min(spacing)),
            );
            Cube { middle: middle + rest.center, size }
        };
        match selection {
            Selection::Nodes(_) => Self::Cells(nodes.iter().map(cube).collect()),
            Selection::Vertices(vertices) => {
                let at = |&vertex: &u32| Some(*rest.mesh.positions.get(vertex as usize)? + rest.center);
                Self::Points(vertices.iter().filter_map(at).collect())
            }
            Selection::All | Selection::Box { .. } | Selection::Sphere { .. } => {
                Self::Selected(selection.clone())
            }
        }
    }

    /// The nodes in it, ascending.
    fn nodes(&self, body: &Body) -> Vec<u32> {
        let rest = body.rest();
        let count = rest.nodes.rest_positions.len() as u32;
        match self {
            Self::Selected(selection) => body.select(selection),
            Self::Cells(cells) => {
                (0..count).filter(|&node| cells.iter().any(|cell| cell.has(place(rest, node)))).collect()
            }
            Self::Points(points) => {
                let (grid, mut near) = (PointGrid::fitting(&rest.nodes.rest_positions), Vec::new());
                let mut nearest = |point: &Vec3| {
                    grid.k_nearest(*point - rest.center, 1, &mut near);
                    near.first().map(|nearest| nearest.0)
                };
                let mut nodes: Vec<u32> = points.iter().filter_map(&mut nearest).collect();
                nodes.sort_unstable();
                nodes.dedup();
                nodes
            }
        }
    }
}

impl Cube {
    fn has(&self, place: Vec3) -> bool {
        (place - self.middle).abs().max_element() <= (0.5 + ROUNDING) * self.size
    }
}

impl Sample {
    /// Nodes as they are now; `turn` turns the world into the coordinates that they are held in.
    fn of(body: &Body, anchors: &[Anchor], turn: Quat) -> Vec<Self> {
        let turn = Mat3::from_quat(turn);
        let of_node = |&(node, at): &Anchor| {
            let map = turn * body.node_map(node as usize);
            Self { place: place(body.rest(), node), at, map }
        };
        anchors.iter().map(of_node).collect()
    }
}

/// Where a node is in the scaled mesh.
fn place(rest: &BodyRest, node: u32) -> Vec3 {
    rest.nodes.rest_positions[node as usize] + rest.center
}
