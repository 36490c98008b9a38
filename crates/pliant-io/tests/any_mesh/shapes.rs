//! Shapes that are hard to fill, to carry and to cut.

use super::joined::joined;
use pliant::TriMesh;
use pliant::geometry::shapes;
use pliant::glam::{IVec3, Vec3};
use std::collections::BTreeMap;

/// All of them, fitted into a metre.
pub fn nasty() -> Vec<(&'static str, TriMesh)> {
    let bars =
        |cell: IVec3| [cell.x, cell.y, cell.z].map(|at| at % 3 == 1).iter().filter(|on| **on).count() < 2;
    let sponge = move |cell: IVec3| bars(cell) && bars(cell / 3);
    let shell = |cell: IVec3| (cell - 4).abs().max_element() > 2;
    let comb = |cell: IVec3| cell.x < 2 || cell.y % 3 == 0;
    let holes = |cell: IVec3| (cell.x % 4 < 2) || (cell.z % 4 < 2);
    let stairs = |cell: IVec3| cell.y <= cell.x;
    let spiked = |cell: IVec3| cell.y < 2 || (cell.x % 4 == 1 && cell.z % 4 == 1);
    // Blocks that only meet at edges and corners.
    let checkers = |cell: IVec3| (cell.x + cell.y + cell.z) % 2 == 0;
    vec![
        ("plate", shapes::cuboid(Vec3::new(1.0, 0.02, 0.8), [12, 1, 10])),
        ("slanted plate", turned(&shapes::cuboid(Vec3::new(1.0, 0.03, 0.8), [12, 1, 10]))),
        ("needle", shapes::cylinder(0.01, 1.0, 8, 20)),
        (
            "sword",
            joined(&[
                (shapes::cuboid(Vec3::new(0.03, 0.8, 0.1), [1, 16, 2]), Vec3::Y * 0.4),
                (shapes::cuboid(Vec3::new(0.05, 0.05, 0.4), [1, 1, 8]), Vec3::ZERO),
                (shapes::cylinder(0.03, 0.2, 8, 4), Vec3::NEG_Y * 0.1),
            ]),
        ),
        ("comb", blocks(IVec3::new(8, 13, 2), comb)),
        ("plate with holes", blocks(IVec3::new(14, 1, 14), holes)),
        ("stairs", blocks(IVec3::new(9, 9, 3), stairs)),
        ("bed of nails", blocks(IVec3::new(11, 9, 11), spiked)),
        ("hollow box", blocks(IVec3::splat(9), shell)),
        ("sponge", blocks(IVec3::splat(9), sponge)),
        ("checkers", blocks(IVec3::new(4, 3, 3), checkers)),
        (
            "chain of balls",
            joined(&std::array::from_fn::<_, 6, _>(|i| (shapes::sphere(0.1, 2), Vec3::X * 0.19 * i as f32))),
        ),
        (
            "arms in a torso",
            joined(&[
                (shapes::capsule(0.2, 0.5, 16, 6), Vec3::ZERO),
                (turned(&shapes::capsule(0.06, 0.6, 10, 8)), Vec3::new(0.25, 0.1, 0.0)),
                (shapes::sphere(0.14, 2), Vec3::Y * 0.5),
            ]),
        ),
        ("thin ring", shapes::torus(0.5, 0.02, 40, 8)),
    ]
}

fn turned(mesh: &TriMesh) -> TriMesh {
    let mut mesh = mesh.clone();
    let rotation = pliant::math::quat_from_scaled_axis(Vec3::new(0.5, 0.2, 0.9));
    mesh.positions.iter_mut().for_each(|p| *p = rotation * *p);
    mesh
}

/// The surface of the cells of a grid that are `filled`.
fn blocks(counts: IVec3, filled: impl Fn(IVec3) -> bool) -> TriMesh {
    let is_filled = |cell: IVec3| cell.cmpge(IVec3::ZERO).all() && cell.cmplt(counts).all() && filled(cell);
    let mut known: BTreeMap<[i32; 3], u32> = BTreeMap::new();
    let mut mesh = TriMesh::default();
    let cells = (0..counts.z)
        .flat_map(|z| (0..counts.y).flat_map(move |y| (0..counts.x).map(move |x| IVec3::new(x, y, z))));
    for cell in cells.filter(|&cell| is_filled(cell)) {
        for axis in 0..3 {
            let [a, b, c] = [0, 1, 2].map(|k| IVec3::AXES[(axis + k) % 3]);
            for side in [0, 1] {
                if is_filled(cell + a * (2 * side - 1)) {
                    continue;
                }
                let low = cell + a * side;
                let corners = if side == 1 {
                    [low, low + b, low + b + c, low + c]
                } else {
                    [low, low + c, low + b + c, low + b]
                };
                let mut vertex = |corner: IVec3| {
                    *known.entry(corner.to_array()).or_insert_with(|| {
                        mesh.positions.push(corner.as_vec3());
                        mesh.positions.len() as u32 - 1
                    })
                };
                let [p, q, r, s] = corners.map(&mut vertex);
                mesh.triangles.extend([[p, q, r], [p, r, s]]);
            }
        }
    }
    mesh
}
