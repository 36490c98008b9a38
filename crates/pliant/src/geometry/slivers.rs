//! Triangles without area whose corners differ: a vertex lies on the opposite side.
//!
//! Leaving one out would open the surface, so the long side is swapped for the other diagonal of the two triangles
//! at it. Only where that side is open is the triangle left out.

use super::edges::{EdgeTable, EdgeUse};
use super::mending::Mending;
use glam::Vec3;
use rustc_hash::FxHashSet;

/// A triangle is a sliver when its height is below this share of its longest side.
const LEAST_HEIGHT: f64 = 1e-6;

/// Or below this share of the largest coordinate: twice the rounding of `f32`.
const ROUNDING: f64 = 2.4e-7;

/// Rounds of swaps: each frees one vertex of a long side that carries several.
const MAX_ROUNDS: usize = 16;

/// Tells slivers from triangles, for the coordinates of one mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thinness {
    rounding: f64,
}

impl Thinness {
    pub fn new(positions: impl Iterator<Item = Vec3>) -> Self {
        let largest = positions.filter(|p| p.is_finite()).fold(0.0, |m: f32, p| m.max(p.abs().max_element()));
        Self { rounding: largest as f64 * ROUNDING }
    }

    pub fn is_sliver(&self, corners: [Vec3; 3]) -> bool {
        let (height, longest) = height_and_longest(corners);
        height <= (LEAST_HEIGHT * longest).max(self.rounding)
    }
}

/// A triangle's height over its longest side, and that side.
fn height_and_longest([a, b, c]: [Vec3; 3]) -> (f64, f64) {
    let (a, b, c) = (a.as_dvec3(), b.as_dvec3(), c.as_dvec3());
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    let double_area = (b - a).cross(c - a).length();
    if longest > 0.0 { (double_area / longest, longest) } else { (0.0, 0.0) }
}

/// Swaps or leaves out slivers and returns how many; triangles must wind alike.
pub(super) fn swap_slivers(work: &mut Mending) -> usize {
    let thinness = Thinness::new(work.places.iter().copied());
    let mut count = 0;
    for _ in 0..MAX_ROUNDS {
        let welded = work.welded();
        let slivers: Vec<usize> = (0..welded.len())
            .filter(|&t| thinness.is_sliver(welded[t].map(|v| work.places[v as usize])))
            .collect();
        if slivers.is_empty() {
            break;
        }
        let done = swap_round(work, &welded, &slivers);
        count += done;
        if done == 0 {
            break;
        }
    }
    count
}

/// Treats slivers of which no neighbour has been touched yet.
fn swap_round(work: &mut Mending, welded: &[[u32; 3]], slivers: &[usize]) -> usize {
    let edges = EdgeTable::new(welded);
    let mut touched = vec![false; welded.len()];
    let mut dropped = vec![false; welded.len()];
    let mut diagonals: FxHashSet<[u32; 2]> = FxHashSet::default();
    let mut count = 0;
    for &t in slivers {
        let side = longest_side(welded[t].map(|v| work.places[v as usize]));
        let (a, b) = (welded[t][side], welded[t][(side + 1) % 3]);
        let Some(edge) = edges.find(a, b) else { continue };
        if touched[t] {
            continue;
        }
        match edges.uses_of(edge) {
            [_] => {
                touched[t] = true;
                dropped[t] = true;
                count += 1;
            }
            [x, y] if x.forward != y.forward => {
                let other: EdgeUse = if x.triangle as usize == t { *y } else { *x };
                let (n, far) = (other.triangle as usize, (other.side as usize + 2) % 3);
                let (c, d) = (welded[t][(side + 2) % 3], welded[n][far]);
                let diagonal = [c.min(d), c.max(d)];
                let free = c != d && edges.find(c, d).is_none() && !diagonals.contains(&diagonal);
                if touched[n] || !free || !improves(work, [a, b, c, d]) {
                    continue;
                }
                diagonals.insert(diagonal);
                (touched[t], touched[n]) = (true, true);
                swap(work, t, side, n, far);
                count += 1;
            }
            _ => {}
        }
    }
    work.keep_triangles(|t| !dropped[t]);
    count
}

/// Whether both triangles on the other diagonal are higher than the sliver.
fn improves(work: &Mending, [a, b, c, d]: [u32; 4]) -> bool {
    let height = |t: [u32; 3]| height_and_longest(t.map(|v| work.places[v as usize])).0;
    let before = height([a, b, c]);
    height([c, a, d]) > before && height([c, d, b]) > before
}

/// Swaps the side of `t` that it shares with `n`; `far` is the corner of `n` that is not on it.
fn swap(work: &mut Mending, t: usize, side: usize, n: usize, far: usize) {
    let [a, b, mut c] = [0, 1, 2].map(|i| work.triangles[t][(side + i) % 3]);
    let [d, other_b, other_a] = [0, 1, 2].map(|i| work.triangles[n][(far + i) % 3]);
    if (a, b) != (other_a, other_b) {
        // A seam runs along the side: the corner needs a copy that looks like the neighbour.
        let at = |v: u32| work.place(v);
        let along = at(b) - at(a);
        let share = ((at(c) - at(a)).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        c = work.blend(other_a, other_b, share, work.vertex_of[c as usize]);
    }
    work.triangles[t] = [c, other_a, d];
    work.triangles[n] = [c, d, other_b];
    if !work.triangle_paints.is_empty() {
        work.triangle_paints[t] = work.triangle_paints[n];
    }
}

fn longest_side(corners: [Vec3; 3]) -> usize {
    let length = |i: usize| corners[i].distance_squared(corners[(i + 1) % 3]);
    (1..3).fold(0, |best, i| if length(i) > length(best) { i } else { best })
}
