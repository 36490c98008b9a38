//! What a blade crosses: edges of the grid, and with them connections between nodes.
//!
//! Based on \[PGCS06\] §6.3, "a single type of event", and \[SOG08\] §5.1. An edge of the grid is taken where it is now, from node
//! to node; where it goes through the blade it is crossed, at the same share of its way at rest. Nodes that no way of edges that
//! are not crossed joins any more, within the box around their two cells, are disconnected: so connections and surface can never
//! disagree, and two nodes hang together exactly as long as some vertex of the surface moves with both.
//!
//! A cell is cut around, never through: edges between two finest cells of one node are not crossed, and a node is on the side of
//! the blade that it is on itself, whatever part of its cell is on the other.

use super::blade::Seen;
use super::tearing::torn;
use crate::skin::splitting_cubes::{Crossing, Cubes};
use crate::skin::{Cells, joined};
use glam::{IVec3, Mat3, Vec3};

/// An edge of the grid that is to be crossed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossed {
    pub low: IVec3,
    pub axis: usize,
    pub crossing: Crossing,
    /// Where it is crossed now, relative to the body's origin.
    pub now: Vec3,
}

/// Where the nodes of a body are now.
pub(crate) struct Deformed<'a> {
    pub positions: &'a [Vec3],
    pub map: &'a dyn Fn(usize) -> Mat3,
}

impl Deformed<'_> {
    /// Where a point of a node's cell is now.
    fn at(&self, node: u32, from: Vec3, rest: Vec3) -> Vec3 {
        let node = node as usize;
        self.positions[node] + (self.map)(node) * (rest - from)
    }
}

/// What crosses edges.
#[derive(Clone, Copy)]
pub(crate) enum Edge<'a> {
    /// A blade.
    Blade(Seen<'a>),
    /// The stretch that each place of the rest shape can take.
    Stretch(&'a dyn Fn(Vec3) -> f32),
}

impl Edge<'_> {
    /// The edges that it crosses and that are not crossed already.
    pub fn crossed(&self, cells: &(impl Cells + ?Sized), now: &Deformed, cubes: &Cubes) -> Vec<Crossed> {
        match self {
            Self::Blade(blade) => crossed_by(blade, cells, now, cubes),
            Self::Stretch(most) => torn(cells, now, cubes, most),
        }
    }

    /// The pairs of nodes that it parts although no edge between them is crossed, without those that are known.
    pub fn parted_between(
        &self,
        cells: &(impl Cells + ?Sized),
        now: &Deformed,
        cubes: &Cubes,
        edges: &[[u32; 2]],
        known: &[(u32, u32)],
    ) -> Vec<(u32, u32)> {
        match self {
            Self::Blade(blade) => parted_between(blade, cells, now.positions, cubes, edges, known),
            Self::Stretch(_) => Vec::new(),
        }
    }

    /// Moves edge vertices of the first surface to the rim of the cut.
    ///
    /// A blade that comes between a node and the surface cannot cross their edge a second time: the edge vertex slides along
    /// the surface to where the blade meets it. Else the rim would have steps.
    pub fn slide(&self, cells: &(impl Cells + ?Sized), now: &Deformed, cubes: &mut Cubes) {
        let Self::Blade(blade) = self else { return };
        let places = cells.material().2;
        let mut moved = Vec::new();
        for (low, axis, crossing) in cubes.iter().filter(|(.., crossing)| !crossing.cut) {
            let inner = if crossing.inside[0] { low } else { low + IVec3::AXES[axis] };
            let Some(node) = cells.node_in(inner).filter(|&node| cells.cube(node).1 == 1) else { continue };
            let from = places[node as usize];
            let Some(hit) = blade.crossing(now.positions[node as usize], now.at(node, from, crossing.point))
            else {
                continue;
            };
            let normal = ((now.map)(node as usize).transpose() * hit.normal).normalize_or_zero();
            let met = from.lerp(crossing.point, hit.share.max(LEAST_SHARE));
            let mut aside = crossing.point - cubes.position(low);
            aside[axis] = 0.0;
            if aside.length() > LEAST_BEYOND * cubes.cell() {
                // It is at the rim of another cut already: the two meet before the surface, and so does the piece end.
                moved.push((low, axis, met));
                continue;
            }
            let along = normal.reject_from(crossing.normal);
            let off = normal.dot(crossing.point - met);
            let point = crossing.point - along * (off / along.length_squared());
            let middle = 0.5 * (cubes.position(low) + cubes.position(low + IVec3::AXES[axis]));
            // It stays outside of its node, or thin pieces would turn inside out.
            let outward = if crossing.inside[0] { 1.0 } else { -1.0 };
            let beyond = outward * (point - from)[axis];
            if point.distance(middle) < MOST_SLID * cubes.cell() && beyond > LEAST_BEYOND * cubes.cell() {
                moved.push((low, axis, point));
            }
        }
        for (low, axis, point) in moved {
            cubes.slide(low, axis, point);
        }
    }
}

/// How far from the middle of its edge, in cells, a crossing may slide: no farther than its neighbours.
const MOST_SLID: f32 = 0.8;
/// How far beyond its node along the edge, in cells, a crossing that slides stays at least, and how far aside it has slid for sure.
const LEAST_BEYOND: f32 = 0.05;

fn crossed_by(blade: &Seen, cells: &(impl Cells + ?Sized), now: &Deformed, cubes: &Cubes) -> Vec<Crossed> {
    let mut found = Vec::new();
    let mut ask = |a: End, b: End, low: IVec3, axis: usize| {
        // From node to node by way of the edge: a blade that is crossed twice on it leaves them on the same side.
        let hit = blade.crossing(a.now, b.now);
        let inside = [&a, &b].map(|end| end.way_from_node().and_then(|(from, to)| blade.crossing(from, to)));
        let crossings = [hit, inside[0], inside[1]];
        let odd = crossings.iter().flatten().count() % 2 == 1;
        let Some(first) = crossings.into_iter().flatten().next().filter(|_| odd) else { return };
        // A large cell is cut around: at its side, if the blade is inside it.
        let share = hit.map_or(0.5, |hit| hit.share.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE));
        // A normal goes back to rest by the transpose of the map.
        let normal = (now.map)(a.node as usize).transpose() * first.normal;
        let normal = normal.try_normalize().unwrap_or(Vec3::AXES[axis]);
        let along = normal * if normal[axis] < 0.0 { -1.0 } else { 1.0 };
        let point = a.rest.lerp(b.rest, share);
        let crossing = Crossing { point, normal: along, inside: [true; 2], cut: true };
        found.push(Crossed { low, axis, crossing, now: a.now.lerp(b.now, share) });
    };
    // Most of a body is far from a knife.
    let near = |node: u32| blade.may_reach(now.positions[node as usize], FAR * cells.size(node));
    for_each_edge(cells, now, cubes, &near, &mut ask);
    found
}

/// How long an edge may be, in sizes of the cell at its low end, for a blade to be looked for: none is stretched so far.
pub(super) const FAR: f32 = 8.0;

/// How near to a node an edge is crossed at most, as part of the edge: a vertex in a node would have no side.
pub(super) const LEAST_SHARE: f32 = 1e-3;

/// An end of an edge: the node of a finest cell, or the middle of a finest cell of a large one.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub node: u32,
    pub rest: Vec3,
    pub now: Vec3,
    node_rest: Vec3,
    node_now: Vec3,
}

impl End {
    /// The way from the node to the end, if it is not the node itself.
    fn way_from_node(&self) -> Option<(Vec3, Vec3)> {
        (self.rest != self.node_rest).then_some((self.node_now, self.now))
    }
}

/// Calls `ask` with the ends of every edge between two nodes that is not crossed, its low cell and its axis. Edges whose low node
/// is not `near` are left out.
pub(super) fn for_each_edge(
    cells: &(impl Cells + ?Sized),
    now: &Deformed,
    cubes: &Cubes,
    near: &dyn Fn(u32) -> bool,
    ask: &mut impl FnMut(End, End, IVec3, usize),
) {
    let (grid, samples, places) = cells.material();
    let end = |node: u32, cell: IVec3, small: bool| {
        let (node_rest, node_now) = (places[node as usize], now.positions[node as usize]);
        let rest = if small { node_rest } else { cubes.position(cell) };
        let now = if small { node_now } else { now.at(node, node_rest, rest) };
        End { node, rest, now, node_rest, node_now }
    };
    for node in (0..samples.len() as u32).filter(|&node| near(node)) {
        let (low, edge) = cells.cube(node);
        for axis in 0..3 {
            // The cells on its high side.
            for v in 0..edge {
                for u in 0..edge {
                    let mut cell = low;
                    cell[axis] += edge - 1;
                    cell[(axis + 1) % 3] += u;
                    cell[(axis + 2) % 3] += v;
                    let next = cell + IVec3::AXES[axis];
                    let Some(other) = cells.node_in(next) else { continue };
                    if cubes.crossing(cell, axis).is_some() {
                        continue;
                    }
                    let small = [edge == 1, cells.cube(other).1 == 1];
                    // Cells without material have no edges that are not crossed, but large nodes have such cells.
                    if !(small[0] || grid.holds(cell)) || !(small[1] || grid.holds(next)) {
                        continue;
                    }
                    ask(end(node, cell, small[0]), end(other, next, small[1]), cell, axis);
                }
            }
        }
    }
}

/// The pairs that a blade goes between and that no way joins: nodes that only see each other, across an edge or a corner of the
/// grid that has no material. Those that are `known`, sorted, are left out.
fn parted_between(
    blade: &Seen,
    cells: &(impl Cells + ?Sized),
    positions: &[Vec3],
    cubes: &Cubes,
    edges: &[[u32; 2]],
    known: &[(u32, u32)],
) -> Vec<(u32, u32)> {
    let apart = |&&[a, b]: &&[u32; 2]| {
        blade.crossing(positions[a as usize], positions[b as usize]).is_some()
            && known.binary_search(&(a.min(b), a.max(b))).is_err()
            && !joined(cells, cubes, a, b)
    };
    edges.iter().filter(apart).map(|&[a, b]| (a.min(b), a.max(b))).collect()
}
