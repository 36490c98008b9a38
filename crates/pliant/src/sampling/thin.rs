//! Parts of a body that are thinner than its samples are apart: blades, leaves, the tips of fins.
//!
//! Such a part passes between the samples, all of them or now and then: then nothing carries its skin, or nodes that nothing
//! joins, and a sword falls to pieces. So wherever a way into the body comes out again within half a cell, the sample nearest
//! to its middle counts as inside. What is thicker keeps just the samples it has.

use super::filling::Placed;
use crate::geometry::{SurfaceTree, WindingTree};
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

/// How far apart on the surface ways inward are, in cells: half a sample's cube, so that none is left out between two of them.
const APART: f64 = 0.125;

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
    let volume: f64 = placed.corners.iter().map(|[a, b, c]| a.dot(b.cross(*c))).sum();
    let ways = ways(placed, masks, if volume < 0.0 { -1.0 } else { 1.0 });
    if ways.is_empty() {
        return Vec::new();
    }
    let positions: Vec<Vec3> = placed.corners.iter().flatten().map(|corner| corner.as_vec3()).collect();
    let triangles: Vec<[u32; 3]> =
        (0..placed.corners.len() as u32).map(|t| [0, 1, 2].map(|k| 3 * t + k)).collect();
    let surface = SurfaceTree::new(&positions, &triangles);
    let winding = WindingTree::new(&positions, &triangles);
    let mut found: Vec<Option<ThinSample>> = vec![None; ways.len()];
    par::for_each_indexed(&mut found, 256, |way, found| {
        let (point, inward) = ways[way];
        let [from, to] = [START, THIN].map(|depth| point + inward * depth);
        *found = surface
            .crossing(from, to)
            .map(|(share, _)| from + (to - from) * (0.5 * share))
            .filter(|&middle| winding.winding(middle).abs() > 0.5)
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
    let mut found = Vec::new();
    for &[a, b, c] in &placed.corners {
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
        let inward = -outward * normal;
        let longest = (b - a).length().max((c - b).length()).max((a - c).length());
        let parts = (longest / APART).ceil().max(1.0) as u32;
        for i in 0..=parts {
            for j in 0..=parts - i {
                // A little off the edges: a way along another triangle's plane meets nothing.
                let share = |k: u32| (f64::from(k) + 0.01) / (f64::from(parts) + 0.03);
                let point = a + (b - a) * share(i) + (c - a) * share(j);
                let below = key_at(placed, point + inward * DEEP);
                if below.is_none_or(|key| masks[cell(key)] & bit(key) == 0) {
                    found.push((point.as_vec3(), inward.as_vec3()));
                }
            }
        }
    }
    found
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
