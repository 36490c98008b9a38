//! Parts of a body that are thinner than its samples are apart: blades, leaves, the tips of fins.
//!
//! Such a part passes between the samples, all of them or now and then: then nothing carries its skin, or nodes that nothing
//! joins, and a sword falls to pieces. So wherever a way into the body comes out again within half a cell, the sample nearest
//! to its middle counts as inside. What is thicker keeps just the samples it has.

use super::filling::Placed;
use crate::geometry::SurfaceTree;
use crate::par;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// How far below the surface a body that is not thin has a sample for sure, in cells: more than from the middle of a sample's cube to
/// its corner.
const DEEP: f64 = 0.22;

/// How thick a part is at most, in cells, to be looked at: what is thicker has samples inside.
const THIN: f32 = 0.5;

/// Where a way inward begins, in cells: below the triangle that it starts from.
const START: f32 = 1e-3;

/// How far apart on the surface ways inward are at most, in cells: less than a sample's cube, so that hardly one is left out between
/// two of them.
const APART: f64 = 0.15;

/// Surface that is looked at, in faces of cells: twice that of the largest solid cube. What has more is thin all over, and has so many
/// cells that it would take minutes.
const MOST_AREA: f64 = 300_000.0;

/// A sample in the middle of a thin part. The middle of its cube need not be inside the material: this point is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThinSample {
    /// Sixty-four times the cell's place in the masks, and the sample's bit.
    pub key: u64,
    /// The point, in the mesh's coordinates, in cells from the grid's low corner.
    pub point: Vec3,
}

/// Adds the samples in the middle of thin parts of a closed mesh, and returns them in the order of their keys.
pub(super) fn fill(placed: &Placed, masks: &mut [u64]) -> Vec<ThinSample> {
    let normals: Vec<Vec3> =
        placed.corners.iter().map(|[a, b, c]| (*b - *a).cross(*c - *a).as_vec3()).collect();
    let area: f64 = normals.iter().map(|normal| 0.5 * f64::from(normal.length())).sum();
    if area > MOST_AREA {
        return Vec::new();
    }
    let volume: f64 = placed.corners.iter().map(|[a, b, c]| a.dot(b.cross(*c))).sum();
    let outward = if volume < 0.0 { -1.0 } else { 1.0 };
    let ways = ways(placed, masks, outward.into());
    if ways.is_empty() {
        return Vec::new();
    }
    let positions: Vec<Vec3> = placed.corners.iter().flatten().map(|corner| corner.as_vec3()).collect();
    let triangles: Vec<[u32; 3]> =
        (0..placed.corners.len() as u32).map(|t| [0, 1, 2].map(|k| 3 * t + k)).collect();
    let surface = SurfaceTree::new(&positions, &triangles);
    let mut found: Vec<Option<ThinSample>> = vec![None; ways.len()];
    par::for_each_indexed(&mut found, 256, |way, found| {
        let (point, inward) = ways[way];
        let [from, to] = [START, THIN].map(|depth| point + inward * depth);
        *found = surface
            .crossing(from, to)
            // The wall on the other side is seen from behind; one seen from the front is that of another part, across a gap.
            .filter(|(_, wall)| normals[*wall as usize].dot(inward) * outward > 0.0)
            .map(|(share, _)| from + (to - from) * (0.5 * share))
            .and_then(|point| Some(ThinSample { key: key_at(placed, point.as_dvec3())?, point }));
    });
    let mut found: Vec<ThinSample> =
        found.into_iter().flatten().filter(|s| masks[cell(s.key)] & bit(s.key) == 0).collect();
    // Of several in one cube the one nearest to its middle.
    let off_middle = |sample: &ThinSample| {
        let in_cube = sample.point * 4.0;
        in_cube.distance_squared(in_cube.floor() + 0.5)
    };
    found.sort_by(|a, b| a.key.cmp(&b.key).then(off_middle(a).total_cmp(&off_middle(b))));
    found.dedup_by_key(|sample| sample.key);
    found.iter().for_each(|sample| masks[cell(sample.key)] |= bit(sample.key));
    found
}

fn cell(key: u64) -> usize {
    (key / 64) as usize
}

fn bit(key: u64) -> u64 {
    1 << (key % 64)
}

/// Places of the surface below which no sample is inside, and the ways inward from them.
fn ways(placed: &Placed, masks: &[u64], outward: f64) -> Vec<(Vec3, Vec3)> {
    let mut parts: Vec<Vec<(Vec3, Vec3)>> = vec![Vec::new(); placed.corners.len().div_ceil(TRIANGLES)];
    par::for_each_indexed(&mut parts, 1, |part, found| {
        for corners in placed.corners[part * TRIANGLES..].iter().take(TRIANGLES) {
            let [a, b, c] = *corners;
            let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
            let inward = -outward * normal;
            for_each_point(corners, |point| {
                let below = key_at(placed, point + inward * DEEP);
                if below.is_none_or(|key| masks[cell(key)] & bit(key) == 0) {
                    found.push((point.as_vec3(), inward.as_vec3()));
                }
            });
        }
    });
    parts.concat()
}

/// Triangles that a task looks at.
const TRIANGLES: usize = 64;

/// Points of a triangle, in rows along its longest edge: as many as its area needs, also if it is a sliver. They are a little off the
/// edges, where a way along the plane of the next triangle would meet nothing.
fn for_each_point(corners: &[DVec3; 3], mut each: impl FnMut(DVec3)) {
    let length = |k: usize| (corners[(k + 1) % 3] - corners[k]).length();
    let longest = (0..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
    let [a, b, c] = [0, 1, 2].map(|k| corners[(longest + k) % 3]);
    let height = (b - a).cross(c - a).length() / length(longest);
    let rows = (height / APART).ceil().max(1.0) as u32;
    for row in 0..rows {
        let share = (f64::from(row) + 0.5) / f64::from(rows);
        let (from, to) = (a.lerp(c, share), b.lerp(c, share));
        let points = ((to - from).length() / APART).ceil().max(1.0) as u32;
        for point in 0..points {
            each(from.lerp(to, (f64::from(point) + 0.5) / f64::from(points)));
        }
    }
}

/// The key of the sample in whose cube a point lies.
fn key_at(placed: &Placed, point: DVec3) -> Option<u64> {
    let at = (point * 4.0).floor().to_array();
    let counts = placed.counts;
    if !(0..3).all(|axis| at[axis] >= 0.0 && at[axis] < 4.0 * counts[axis] as f64) {
        return None;
    }
    let [x, y, z] = at.map(|v| v as u64);
    let cell = (z / 4 * counts[1] as u64 + y / 4) * counts[0] as u64 + x / 4;
    Some(64 * cell + x % 4 + 4 * (y % 4) + 16 * (z % 4))
}
