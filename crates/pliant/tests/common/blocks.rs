//! Closed meshes made of boxes, and bodies of cells made of them.

#![allow(dead_code, clippy::allow_attributes, reason = "each test binary uses a part of it")]

use pliant::geometry::TriMesh;
use pliant::glam::Vec3;
use pliant::model::{Model, lattice, octree};
use pliant::{Body, BodyBuilder};
use std::collections::BTreeMap;

/// The surface of all boxes between the planes `x`, `y` and `z` that are `filled`; those that touch are one piece.
pub fn blocks(planes: [&[f32]; 3], filled: impl Fn([usize; 3]) -> bool) -> TriMesh {
    let counts = planes.map(|p| p.len() as i32 - 1);
    let inside = |at: [i32; 3]| {
        (0..3).all(|k| (0..counts[k]).contains(&at[k])) && filled(at.map(|v| usize::try_from(v).unwrap_or(0)))
    };
    let mut vertices: BTreeMap<[i32; 3], u32> = BTreeMap::new();
    let mut mesh = TriMesh::new(Vec::new(), Vec::new());
    for z in 0..counts[2] {
        for y in 0..counts[1] {
            for x in 0..counts[0] {
                let at = [x, y, z];
                for (axis, side) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
                    let mut next = at;
                    next[axis] += 2 * side - 1;
                    if !inside(at) || inside(next) {
                        continue;
                    }
                    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                    let mut corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[a, b]| {
                        let mut corner = at;
                        corner[axis] += side;
                        corner[u] += a;
                        corner[v] += b;
                        let place = |k: usize| planes[k][corner[k] as usize];
                        *vertices.entry(corner).or_insert_with(|| {
                            mesh.positions.push(Vec3::new(place(0), place(1), place(2)));
                            mesh.positions.len() as u32 - 1
                        })
                    });
                    if side == 0 {
                        corners.reverse();
                    }
                    let [a, b, c, d] = corners;
                    mesh.triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
    }
    mesh
}

/// An L of two arms, 1 m long and 0.4 m thick.
pub fn l_bar() -> TriMesh {
    let plane = [0.0, 0.4, 1.0];
    blocks([&plane, &plane, &[0.0, 0.4]], |[x, y, _]| x == 0 || y == 0)
}

/// Two boxes side by side along x with a gap between them.
pub fn two_boxes(gap: f32) -> TriMesh {
    blocks([&[0.0, 0.5, 0.5 + gap, 1.0 + gap], &[0.0, 0.5], &[0.0, 0.5]], |[x, _, _]| x != 1)
}

/// Two fingers up from a palm, with a gap between them.
pub fn two_fingers(gap: f32) -> TriMesh {
    blocks([&[0.0, 0.3, 0.3 + gap, 0.6 + gap], &[0.0, 0.3, 1.0], &[0.0, 0.3]], |[x, y, _]| y == 0 || x != 1)
}

/// A palm with four fingers and a thumb.
pub fn rough_hand() -> TriMesh {
    let x = [-0.25, 0.0, 0.12, 0.16, 0.28, 0.32, 0.44, 0.48, 0.6];
    let y = [0.0, 0.2, 0.33, 0.6, 0.95, 1.05, 1.15];
    let tops = [0, 4, 0, 6, 0, 6, 0, 5];
    blocks([&x, &y, &[0.0, 0.15]], |[x, y, _]| if x == 0 { y == 1 } else { y < 3 || y < tops[x] })
}

pub fn lattice_of(builder: BodyBuilder, settings: lattice::LatticeSettings) -> (Body, lattice::Rest) {
    let body = builder.model(settings).build().expect("a body");
    let Model::Lattice(lattice) = &body.model else { unreachable!("made of a lattice") };
    let rest = (*lattice.rest).clone();
    (body, rest)
}

pub fn octree_of(builder: BodyBuilder, settings: octree::OctreeSettings) -> (Body, octree::Rest) {
    let body = builder.model(settings).build().expect("a body");
    let Model::Octree(octree) = &body.model else { unreachable!("made of an octree") };
    let rest = (*octree.rest).clone();
    (body, rest)
}
