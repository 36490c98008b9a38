//! Procedural shapes: closed, outward-oriented, without doubled vertices, with well-shaped triangles.
//!
//! All are centred at zero unless they say otherwise, and stand along y. Counts below the smallest that makes a
//! solid are raised to it, so every call gives a closed mesh. Sizes must be positive and finite.
//!
//! Symbols of `torus_knot`: `p` turns about the axis, `q` turns about the ring.

pub use super::sweep::{torus_knot, tube};
pub use super::voxels::{l_bar, lattice_surface};
use crate::math::functions::sin_cos;

use super::TriMesh;
use super::rings::{Circle, RingBuilder};
use super::voxels::LatticeSkin;
use glam::{IVec3, Vec3};
use rustc_hash::FxHashMap;
use std::f32::consts::{FRAC_PI_2, TAU};

/// Deepest subdivision of [`sphere`]: 5 million triangles. More would only exhaust memory.
const MAX_SUBDIVISIONS: u32 = 9;

/// A box of `size`, its faces divided into `cells` along each axis.
pub fn cuboid(size: Vec3, cells: [u32; 3]) -> TriMesh {
    let cells = IVec3::from_array(cells.map(|n| n.clamp(1, i32::MAX as u32) as i32));
    let step = size / cells.as_vec3();
    let mut skin = LatticeSkin::default();
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for i in 0..cells[u] {
            for j in 0..cells[v] {
                let mut cell = IVec3::ZERO;
                (cell[u], cell[v]) = (i, j);
                skin.face(cell, axis, false);
                cell[axis] = cells[axis] - 1;
                skin.face(cell, axis, true);
            }
        }
    }
    // From the nearer end, so that opposite corners are exact mirror images.
    let half = size * 0.5;
    skin.finish(|p| {
        let from_low = p.as_vec3() * step - half;
        let from_high = half - (cells - p).as_vec3() * step;
        Vec3::select((p * 2).cmplt(cells), from_low, from_high)
    })
}

/// A sphere from an icosahedron whose triangles were split in four `subdivisions` times.
pub fn sphere(radius: f32, subdivisions: u32) -> TriMesh {
    let golden = (1.0 + 5.0_f32.sqrt()) * 0.5;
    let mut directions: Vec<Vec3> = Vec::new();
    for (a, b) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
        directions.push(Vec3::new(a, b, 0.0).normalize());
    }
    for (a, b) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
        directions.push(Vec3::new(0.0, a, b).normalize());
    }
    for (a, b) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
        directions.push(Vec3::new(b, 0.0, a).normalize());
    }
    #[rustfmt::skip]
    let mut triangles: Vec<[u32; 3]> = vec![
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
        [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
        [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
        [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
    ];
    for _ in 0..subdivisions.min(MAX_SUBDIVISIONS) {
        triangles = split_in_four(&mut directions, &triangles);
    }
    TriMesh::new(directions.iter().map(|d| *d * radius).collect(), triangles)
}

/// Splits every triangle of a unit sphere at the middles of its edges.
fn split_in_four(directions: &mut Vec<Vec3>, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut middles: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut middle = |a: u32, b: u32| {
        *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
            directions.push((directions[a as usize] + directions[b as usize]).normalize());
            directions.len() as u32 - 1
        })
    };
    let mut finer = Vec::with_capacity(triangles.len() * 4);
    for &[a, b, c] in triangles {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
    }
    finer
}

/// A horizontal circle about the y axis.
fn circle(y: f32, radius: f32) -> Circle {
    Circle { centre: Vec3::new(0.0, y, 0.0), right: Vec3::X, up: Vec3::NEG_Z, radius }
}

/// A cylinder with flat caps: `around` points on a rim, `along` rows of triangles from cap to cap.
pub fn cylinder(radius: f32, height: f32, around: u32, along: u32) -> TriMesh {
    let (around, along) = (around.max(3), along.max(1));
    let y = |row: u32| height * (row as f32 / along as f32 - 0.5);
    let mut rings = RingBuilder::default();
    rings.open_cap(circle(y(0), radius), around);
    for row in 0..=along {
        rings.ring(circle(y(row), radius), around);
    }
    rings.close_cap(circle(y(along), radius), around);
    rings.finish()
}

/// A cylinder of `height` between two half spheres: `around` points on its waist, `along` rows between the domes.
///
/// The whole is `height + 2 radius` high.
pub fn capsule(radius: f32, height: f32, around: u32, along: u32) -> TriMesh {
    let (around, along) = (around.max(3), along.max(1));
    let rows = (around / 4).max(1);
    let dome = |row: u32| {
        let (sin, cos) = sin_cos(FRAC_PI_2 * row as f32 / rows as f32);
        (radius * sin, radius * cos, ((around as f32 * cos).round() as u32).max(3))
    };
    let half = height * 0.5;
    let mut rings = RingBuilder::default();
    rings.tip(Vec3::new(0.0, -half - radius, 0.0));
    for (up, out, count) in (1..rows).rev().map(dome) {
        rings.ring(circle(-half - up, out), count);
    }
    for row in 0..=along {
        rings.ring(circle(height * (row as f32 / along as f32 - 0.5), radius), around);
    }
    for (up, out, count) in (1..rows).map(dome) {
        rings.ring(circle(half + up, out), count);
    }
    rings.tip(Vec3::new(0.0, half + radius, 0.0));
    rings.finish()
}

/// A ring about the y axis: `around` sections at distance `major`, each a circle of radius `minor` with `across`
/// points.
pub fn torus(major: f32, minor: f32, around: u32, across: u32) -> TriMesh {
    let (around, across) = (around.max(3), across.max(3));
    let mut rings = RingBuilder::default();
    for section in 0..around {
        let (sin, cos) = sin_cos(TAU * section as f32 / around as f32);
        let out = Vec3::new(cos, 0.0, -sin);
        // Forward is (−sin, 0, −cos) = out × (−y).
        rings.ring(Circle { centre: out * major, right: out, up: Vec3::NEG_Y, radius: minor }, across);
    }
    rings.finish_loop()
}
