//! Where a body tears: along the ridge of its strain.
//!
//! An edge of the grid tears if it is stretched more than it can take, and no less than the next edges of its line: of a wide zone
//! of strain only the ridge tears, and what is beside it relaxes. It is crossed where the parabola through its strain and
//! theirs is highest. So the crossings of neighbouring lines follow one smooth line through the body, also where it goes from one
//! cell to the next; and the surface there runs as that line does, not across the cells.

use super::crossings::{Crossed, Deformed, End, LEAST_SHARE, for_each_edge};
use crate::math::symmetric_eigen;
use crate::skin::Cells;
use crate::skin::splitting_cubes::{Crossing, Cubes};
use glam::{IVec3, Vec3};

/// Strain, in what the material can take, from which an edge tears wherever the ridge is: what cannot tear there must not hold up
/// what can tear here for ever.
const IN_ANY_CASE: f32 = 1.5;

/// How near to a node an edge tears at most, as part of the edge: nearer, the cell beside it would have no width.
const NEAREST: f32 = 0.1;

/// The edges that are stretched farther than `most` at their place in the rest shape.
pub(super) fn torn(
    cells: &(impl Cells + ?Sized),
    now: &Deformed,
    cubes: &Cubes,
    most: &dyn Fn(Vec3) -> f32,
) -> Vec<Crossed> {
    let tearing = Tearing { cells, now, cubes, most };
    let mut found = Vec::new();
    let mut ask = |a: End, b: End, low: IVec3, axis: usize| {
        let strain = tearing.strain(a.node, b.node);
        if strain <= 1.0 {
            return;
        }
        let Some(share) = tearing.ridge(strain, [a.node, b.node], low, axis) else { return };
        let point = a.rest.lerp(b.rest, share);
        let normal = tearing.normal([a.node, b.node], low, axis, share);
        let crossing = Crossing { point, normal, inside: [true; 2], cut: true };
        found.push(Crossed { low, axis, crossing, now: a.now.lerp(b.now, share) });
    };
    for_each_edge(cells, now, cubes, &|_| true, &mut ask);
    found
}

struct Tearing<'a, C: ?Sized> {
    cells: &'a C,
    now: &'a Deformed<'a>,
    cubes: &'a Cubes,
    most: &'a dyn Fn(Vec3) -> f32,
}

impl<C: Cells + ?Sized> Tearing<'_, C> {
    /// How far two nodes are pulled apart, in what the material between them can take.
    fn strain(&self, a: u32, b: u32) -> f32 {
        let [from, to] = [a, b].map(|node| self.cells.place(node));
        let [from_now, to_now] = [a, b].map(|node| self.now.positions[node as usize]);
        let stretch = from_now.distance(to_now) / from.distance(to) - 1.0;
        let most = (self.most)(0.5 * (from + to));
        if most > 0.0 {
            stretch / most
        } else if stretch > 0.0 {
            f32::INFINITY
        } else {
            0.0
        }
    }

    /// The share of an edge before the ridge of strain; none if the ridge is on another edge of its line.
    fn ridge(&self, strain: f32, [a, b]: [u32; 2], low: IVec3, axis: usize) -> Option<f32> {
        let step = IVec3::AXES[axis];
        let (before, after) = (low, low + step);
        // The next nodes of the line, beyond cells of any size.
        let mut beyond = [before, after];
        beyond[0][axis] = self.cells.cube(a).0[axis] - 1;
        beyond[1][axis] = self.cells.cube(b).0[axis] + self.cells.cube(b).1;
        let crossed = [beyond[0], beyond[1] - step].map(|cell| self.cubes.crossing(cell, axis).is_some());
        let next = |side: usize, from: u32| {
            let node = self.cells.node_in(beyond[side]).filter(|_| !crossed[side])?;
            Some(self.strain(from, node))
        };
        let [low, high] = [next(0, a), next(1, b)];
        // Of equal ones the first is the ridge.
        let is_ridge = low.is_none_or(|low| strain > low) && high.is_none_or(|high| strain >= high);
        if !is_ridge && strain < IN_ANY_CASE {
            return None;
        }
        let (Some(low), Some(high)) = (low, high) else { return Some(0.5) };
        let curvature = low - 2.0 * strain + high;
        if !is_ridge || !curvature.is_finite() || curvature >= 0.0 {
            return Some(0.5);
        }
        Some((0.5 + 0.5 * (low - high) / curvature).clamp(NEAREST.max(LEAST_SHARE), 1.0 - NEAREST))
    }

    /// Across what is torn: as the ridge runs from this line of edges to those beside it, or else in the direction in which both
    /// nodes are stretched most.
    fn normal(&self, nodes: [u32; 2], low: IVec3, axis: usize, share: f32) -> Vec3 {
        let mut normal = Vec3::AXES[axis];
        let mut known = false;
        for side in [(axis + 1) % 3, (axis + 2) % 3] {
            let [before, after] = [-1, 1].map(|way| self.ridge_near(low + way * IVec3::AXES[side], axis));
            let slope = match (before, after) {
                (Some(before), Some(after)) => 0.5 * (after - before),
                (Some(before), None) => share - before,
                (None, Some(after)) => after - share,
                (None, None) => continue,
            };
            normal[side] = -slope.clamp(-STEEPEST, STEEPEST);
            known = true;
        }
        if known { normal.normalize() } else { self.most_stretched(nodes, axis) }
    }

    /// Where the ridge of strain is on the line of edges through a cell, in cells from its middle, if it is near there.
    fn ridge_near(&self, cell: IVec3, axis: usize) -> Option<f32> {
        let step = IVec3::AXES[axis];
        for edge in [0, -1, 1] {
            if let Some(torn) = self.cubes.crossing(cell + edge * step, axis).filter(|crossing| crossing.cut)
            {
                return Some((torn.point - self.cubes.position(cell))[axis] / self.cubes.cell());
            }
        }
        let strain = |edge: i32| {
            let from = cell + edge * step;
            let [a, b] = [self.cells.node_in(from)?, self.cells.node_in(from + step)?];
            (a != b && self.cubes.crossing(from, axis).is_none()).then(|| self.strain(a, b))
        };
        let all = [strain(-2)?, strain(-1)?, strain(0)?, strain(1)?, strain(2)?];
        let highest = (1..4).find(|&i| all[i] > all[i - 1] && all[i] >= all[i + 1])?;
        let curvature = all[highest - 1] - 2.0 * all[highest] + all[highest + 1];
        let top = 0.5 * (all[highest - 1] - all[highest + 1]) / curvature;
        top.is_finite().then_some(highest as f32 - 1.5 + top)
    }

    /// The direction in which both nodes are stretched most, along an axis.
    fn most_stretched(&self, nodes: [u32; 2], axis: usize) -> Vec3 {
        let [a, b] = nodes.map(|node| (self.now.map)(node as usize));
        let square = (a.transpose() * a + b.transpose() * b) * 0.5;
        let eigen = symmetric_eigen(square.to_cols_array_2d().map(|column| column.map(f64::from)));
        let main = Vec3::from_array(eigen.vectors[0].map(|v| v as f32));
        if main[axis] < 0.0 { -main } else { main }
    }
}

/// How far the ridge is followed from one line of edges to the next, in cells.
const STEEPEST: f32 = 1.5;
