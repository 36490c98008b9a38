//! The surface of a body before its first cut: one big cut whose outer side is thrown away, \[PGCS06\] §5.
//!
//! The grid's nodes are the middles of the finest cells. Those that hold material are inside, whether their middle is or not: so
//! every node of the model has its place in the grid, and sheets thinner than a cell have a surface too. An edge from inside to
//! outside that does not meet the mesh is crossed at the place of the mesh that is nearest to it.

use super::Cells;
use super::outside::Outside;
use super::splitting_cubes::{Crossing, Cubes};
use crate::sampling::grid::Grid;
use crate::sampling::ways::Spot;
use glam::{IVec3, Vec3};

/// The grid of a body whose nodes stand in `cells`, without any surface.
pub(crate) fn uncrossed(cells: &(impl Cells + ?Sized)) -> Cubes {
    let grid = cells.material().0;
    let origin = grid.filling.origin + Vec3::splat(0.5 * grid.filling.cell) - grid.centre;
    Cubes::new(origin, grid.filling.cell)
}

/// The grid of a body whose nodes stand in `cells`, with its outside.
pub(crate) fn first_surface(cells: &(impl Cells + ?Sized), outside: &Outside) -> Cubes {
    let (grid, samples, _) = cells.material();
    let filling = &grid.filling;
    let mut cubes = uncrossed(cells);
    let counts = IVec3::from_array(filling.counts.map(|n| n as i32));
    for node in 0..samples.len() as u32 {
        let (low, edge) = cells.cube(node);
        let high = (low + edge).min(counts);
        for cell in within(low, high).filter(|&cell| grid.holds(cell)) {
            for axis in 0..3 {
                let [before, after] = [-1, 1].map(|way| cell + way * IVec3::AXES[axis]);
                let inner = |other: IVec3| other.cmpge(low).all() && other.cmplt(high).all();
                let inside =
                    |other: IVec3| grid.holds(other) && (inner(other) || cells.node_in(other).is_some());
                if !inside(before) {
                    cross(&mut cubes, outside, before, axis, [false, true]);
                }
                if !inside(after) {
                    cross(&mut cubes, outside, cell, axis, [true, false]);
                } else if edge == 1 && !samples[node as usize].at_surface && !at_surface(grid, after) {
                    // Deep inside there are no gaps.
                } else if gap_between(cells, cell, after) {
                    cross(&mut cubes, outside, cell, axis, [true, true]);
                }
            }
        }
    }
    cubes
}

fn cross(cubes: &mut Cubes, outside: &Outside, low: IVec3, axis: usize, inside: [bool; 2]) {
    let ends = [low, low + IVec3::AXES[axis]].map(|node| cubes.position(node));
    let (point, normal) = outside.between(ends[0], ends[1], cubes.cell());
    let along = match inside {
        [true, true] => normal * if normal[axis] < 0.0 { -1.0 } else { 1.0 },
        [low, _] => {
            // Outward is where the outer end is. Beside a cell whose middle is outside, the mesh need not face the way the edge
            // goes: it is taken as level there. Turned round it would face inward.
            let (outer, up) = if low { (ends[1], 1.0) } else { (ends[0], -1.0) };
            let mut outward = if normal.dot(outer - point) < 0.0 { -normal } else { normal };
            outward[axis] = up * (up * outward[axis]).max(0.0);
            up * outward.try_normalize().unwrap_or(up * Vec3::AXES[axis])
        }
    };
    cubes.cross(low, axis, Crossing { point, normal: along, inside, cut: false });
}

/// Whether the surface passes through a finest cell.
fn at_surface(grid: &Grid, cell: IVec3) -> bool {
    grid.filling.surface[grid.filling.index(cell.as_uvec3().to_array())]
}

/// Whether the surface is between the materials of two cells: a gap between two fingers.
fn gap_between(cells: &(impl Cells + ?Sized), a: IVec3, b: IVec3) -> bool {
    let (grid, samples, _) = cells.material();
    if !(at_surface(grid, a) || at_surface(grid, b)) {
        return false;
    }
    let spot = |cell: IVec3| {
        let low = cell.as_uvec3();
        let own = cells.node_in(cell).filter(|&node| cells.cube(node).1 == 1);
        let sample = own.map_or_else(|| grid.sample(low, 1), |node| Some(samples[node as usize]))?;
        Some(Spot { low, edge: 1, sample })
    };
    spot(a).zip(spot(b)).is_some_and(|(a, b)| !grid.joins(&a, &b))
}

fn within(low: IVec3, high: IVec3) -> impl Iterator<Item = IVec3> {
    (low.z..high.z).flat_map(move |z| {
        (low.y..high.y).flat_map(move |y| (low.x..high.x).map(move |x| IVec3::new(x, y, z)))
    })
}
