//! Which nodes crossed edges of the grid part: those that no way of edges that are not crossed joins any more, within the box
//! around their two cells. The surface goes by the same crossings, so connections and surface can never disagree.

use super::Cells;
use super::splitting_cubes::Cubes;
use super::splitting_cubes::table::{component, ends, face_nodes};
use glam::IVec3;

/// The pairs of nodes that crossed edges leave without a way between them, each once, the lower number first.
pub(crate) fn parted(
    cells: &(impl Cells + ?Sized),
    cubes: &Cubes,
    crossed: impl Iterator<Item = (IVec3, usize)> + Clone,
) -> Vec<(u32, u32)> {
    let mut around: Vec<IVec3> = Vec::new();
    for (low, axis) in crossed.clone() {
        let (b, c) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
        around.extend([low, low - b, low - c, low - b - c]);
    }
    let key = |cube: &IVec3| (cube.z, cube.y, cube.x);
    around.sort_unstable_by_key(key);
    around.dedup();
    let mut pairs = Vec::new();
    for cube in around {
        parted_in(cells, cubes, cube, &mut pairs);
    }
    if cells.has_large() {
        let crossed: Vec<(IVec3, IVec3)> =
            crossed.map(|(low, axis)| (low, low + IVec3::AXES[axis])).collect();
        parted_from_large(cells, cubes, &crossed, &mut pairs);
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The pairs with a large cell: those are joined to cells that do not touch them, by ways that may be crossed far from both.
fn parted_from_large(
    cells: &(impl Cells + ?Sized),
    cubes: &Cubes,
    crossed: &[(IVec3, IVec3)],
    pairs: &mut Vec<(u32, u32)>,
) {
    let (mut near, mut others) = (Vec::new(), Vec::new());
    for node in 0..cells.count() as u32 {
        let (low, edge) = cells.cube(node);
        if edge == 1 {
            continue;
        }
        // No box around it and a cell it is joined to reaches farther.
        let within =
            |&&(a, b): &&(IVec3, IVec3), low: IVec3, high: IVec3| a.cmpge(low).all() && b.cmple(high).all();
        near.clear();
        near.extend(crossed.iter().filter(|edges| within(edges, low - 2 * edge, low + 3 * edge)));
        if near.is_empty() {
            continue;
        }
        cells.joined(node, &mut others);
        for &other in &others {
            let (low, high) = box_around(cells, node, other);
            if near.iter().any(|edges| within(&edges, low, high)) && !joined(cells, cubes, node, other) {
                pairs.push((node.min(other), node.max(other)));
            }
        }
    }
}

/// The pairs of finest cells of a cube that are parted.
fn parted_in(cells: &(impl Cells + ?Sized), cubes: &Cubes, cube: IVec3, pairs: &mut Vec<(u32, u32)>) {
    let config = cubes.config(cube);
    let corner = |at: usize| IVec3::new((at & 1) as i32, (at >> 1 & 1) as i32, (at >> 2) as i32);
    let small: [Option<u32>; 8] =
        std::array::from_fn(|at| cells.node_in(cube + corner(at)).filter(|&node| cells.cube(node).1 == 1));
    let mut part = |a: usize, b: usize, apart: &dyn Fn() -> bool| {
        if let (Some(i), Some(j)) = (small[a], small[b])
            && apart()
        {
            pairs.push((i.min(j), i.max(j)));
        }
    };
    for edge in 0..12 {
        let [a, b] = ends(edge);
        part(a, b, &|| config >> edge & 1 == 1);
    }
    for face in 0..6 {
        let [a, b, c, d] = face_nodes(face);
        let allowed = [a, b, c, d].iter().fold(0_u8, |mask, node| mask | 1 << node);
        for (from, to) in [(a, d), (b, c)] {
            part(from, to, &|| component(config, from, allowed) >> to & 1 == 0);
        }
    }
    for from in 0..4 {
        part(from, 7 - from, &|| component(config, from, 255) >> (7 - from) & 1 == 0);
    }
}

/// Whether a way leads from one node to the other within the box around their cells.
pub(crate) fn joined(cells: &(impl Cells + ?Sized), cubes: &Cubes, a: u32, b: u32) -> bool {
    let (grid, samples, _) = cells.material();
    let (low, high) = box_around(cells, a, b);
    // From a finest cell that has material for sure.
    let [from, to] = [a, b].map(|node| {
        let (low, edge) = cells.cube(node);
        let at = (samples[node as usize].inside - grid.filling.origin) / grid.filling.cell;
        at.floor().as_ivec3().clamp(low, low + edge - 1)
    });
    cubes.joined_in_box(low, high, from, to)
}

/// The finest cells around the cells of two nodes, the last ones included.
fn box_around(cells: &(impl Cells + ?Sized), a: u32, b: u32) -> (IVec3, IVec3) {
    let [(low, edge), (other, wide)] = [a, b].map(|node| cells.cube(node));
    (low.min(other), (low + edge).max(other + wide) - 1)
}
