//! Solid blocks of nodes, and blades given by functions.

use crate::common::Random;
use pliant::glam::{IVec3, Vec3};
use pliant::skin::splitting_cubes::{Crossing, Cubes, Surface};
use std::collections::BTreeMap;

pub const CELL: f32 = 0.1;
pub const ORIGIN: Vec3 = Vec3::new(-0.3, 0.2, 0.7);
pub const STEPS: [IVec3; 3] = [IVec3::X, IVec3::Y, IVec3::Z];

/// All lattice points of `low..high`.
pub fn points(low: IVec3, high: IVec3) -> impl Iterator<Item = IVec3> {
    (low.z..high.z)
        .flat_map(move |z| (low.y..high.y).map(move |y| (y, z)))
        .flat_map(move |(y, z)| (low.x..high.x).map(move |x| IVec3::new(x, y, z)))
}

/// Edges with both ends in `0..size`.
pub fn inner_edges(size: IVec3) -> impl Iterator<Item = (IVec3, usize)> {
    points(IVec3::ZERO, size)
        .flat_map(|node| (0..3).map(move |axis| (node, axis)))
        .filter(move |&(node, axis)| (node + STEPS[axis]).cmplt(size).all())
}

/// A box around the nodes `0..size`, half a cell from the outermost.
pub fn block(size: IVec3) -> Cubes {
    let mut cubes = Cubes::new(ORIGIN, CELL);
    let is_inside = |node: IVec3| node.cmpge(IVec3::ZERO).all() && node.cmplt(size).all();
    for node in points(IVec3::NEG_ONE, size) {
        for (axis, &step) in STEPS.iter().enumerate() {
            let inside = [is_inside(node), is_inside(node + step)];
            if inside[0] != inside[1] {
                let point = ORIGIN + CELL * (node.as_vec3() + 0.5 * step.as_vec3());
                let crossing = Crossing { point, normal: step.as_vec3(), inside, cut: false };
                assert!(cubes.cross(node, axis, crossing));
            }
        }
    }
    cubes
}

/// A crossing anywhere near the middle of an inner edge.
pub fn random_crossing(node: IVec3, axis: usize, random: &mut Random) -> Crossing {
    let middle = node.as_vec3() + 0.5 * STEPS[axis].as_vec3();
    let normal = (random.vec3() + 1.5 * STEPS[axis].as_vec3()).normalize();
    let point = ORIGIN + CELL * (middle + 0.4 * random.vec3());
    Crossing { point, normal, inside: [true; 2], cut: true }
}

/// Crosses each inner edge on whose ends `side` has different signs, at its zero; `side` is given cells from node zero.
pub fn cut(cubes: &mut Cubes, size: IVec3, side: impl Fn(Vec3) -> f32, normal: impl Fn(Vec3) -> Vec3) {
    for (node, axis) in inner_edges(size) {
        let step = STEPS[axis].as_vec3();
        let at = |t: f32| node.as_vec3() + t * step;
        let starts_low = side(at(0.0)) < 0.0;
        if starts_low == (side(at(1.0)) < 0.0) {
            continue;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            if (side(at(middle)) < 0.0) == starts_low {
                low = middle;
            } else {
                high = middle;
            }
        }
        let at = at(low);
        let normal = normal(at) * if normal(at).dot(step) < 0.0 { -1.0 } else { 1.0 };
        cubes.cross(node, axis, Crossing { point: ORIGIN + CELL * at, normal, inside: [true; 2], cut: true });
    }
}

/// A position in cells from node zero.
pub fn in_cells(position: Vec3) -> Vec3 {
    (position - ORIGIN) / CELL
}

/// Each side of a quad must be met as often one way as the other.
pub fn assert_closed(surface: &Surface, what: &str) {
    let mut sides: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    for quad in &surface.quads {
        for i in 0..4 {
            let (from, to) = (quad.corners[i], quad.corners[(i + 1) % 4]);
            assert_ne!(from, to, "{what}: a quad without a side");
            *sides.entry((from.min(to), from.max(to))).or_default() += if from < to { 1 } else { -1 };
        }
    }
    let open = sides.iter().find(|(_, balance)| **balance != 0);
    assert_eq!(open, None, "{what}: not closed");
}
