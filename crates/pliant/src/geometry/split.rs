//! Edges with more than two triangles are taken apart into edges with two.
//!
//! Based on \[GTLH01\]: sides are paired, and each vertex gets a copy for every fan of triangles that is still
//! connected around it.
//!
//! Deviations: four and more sides are paired so that each pair bounds solid, three so that the flattest two stay
//! together. Copies are moved apart by a few welding tolerances, or welding would join them again.

use super::disjoint_sets::DisjointSets;
use super::edges::{Edge, EdgeTable, EdgeUse};
use super::mending::Mending;
use super::orient::manifold_pairs;
use crate::math::functions::atan2;
use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// How far copies move apart, in welding tolerances: above one, with room for rounding.
const APART: f64 = 4.0;

/// Or at least by this share of the largest coordinate: some roundings of `f32`.
const ROUNDING: f64 = 1e-6;

/// Takes non-manifold edges apart and returns how many vertices were added; `tolerance` is that of welding.
pub(super) fn split_non_manifold(work: &mut Mending, edges: &EdgeTable, tolerance: f64) -> usize {
    let welded = work.welded();
    let mut marked = vec![false; work.places.len()];
    let mut pairs = manifold_pairs(edges);
    for edge in edges.non_manifold() {
        edge.vertices.iter().for_each(|&v| marked[v as usize] = true);
        pair_sides(&work.places, &welded, edge, edges.uses_of(edge), &mut pairs);
    }
    let mut fans = DisjointSets::new(welded.len() * 3);
    for (a, b) in &pairs {
        let corner = |side: &EdgeUse, i: u32| side.triangle * 3 + (side.side as u32 + i) % 3;
        let at = |corner: u32| welded[corner as usize / 3][corner as usize % 3];
        for i in 0..2 {
            let mine = corner(a, i);
            let theirs = if at(corner(b, 0)) == at(mine) { corner(b, 0) } else { corner(b, 1) };
            fans.join(mine, theirs);
        }
    }
    // Corners at marked vertices, by vertex and fan.
    let mut corners: Vec<(u32, u32, u32)> = (0..welded.len() as u32 * 3)
        .map(|corner| (welded[corner as usize / 3][corner as usize % 3], corner))
        .filter(|&(v, _)| marked[v as usize])
        .map(|(v, corner)| (v, fans.find(corner), corner))
        .collect();
    corners.sort_unstable();
    let largest = work.places.iter().fold(0.0_f32, |m, p| m.max(p.abs().max_element()));
    let apart = (APART * tolerance).max(ROUNDING * largest as f64);
    let mut added = 0;
    for at_vertex in corners.chunk_by(|a, b| a.0 == b.0) {
        let mut fans: Vec<&[(u32, u32, u32)]> = at_vertex.chunk_by(|a, b| a.1 == b.1).collect();
        // The largest fan stays where it is.
        fans.sort_by_key(|fan| std::cmp::Reverse(fan.len()));
        for (rank, fan) in fans.iter().enumerate().skip(1) {
            move_fan(work, &welded, fan, apart * rank as f64);
            added += 1;
        }
    }
    added
}

/// Gives the corners of a fan a vertex of their own, moved toward the fan by `distance`.
fn move_fan(work: &mut Mending, welded: &[[u32; 3]], fan: &[(u32, u32, u32)], distance: f64) {
    let vertex = fan[0].0;
    let from = work.places[vertex as usize].as_dvec3();
    let toward = |&(_, _, corner): &(u32, u32, u32)| {
        let others = welded[corner as usize / 3].map(|v| work.places[v as usize].as_dvec3() - from);
        (others[0] + others[1] + others[2]).normalize_or_zero()
    };
    let direction: DVec3 = fan.iter().map(toward).sum::<DVec3>().try_normalize().unwrap_or(DVec3::Y);
    let place = work.add_place((from + direction * distance).as_vec3());
    let mut copies: FxHashMap<u32, u32> = FxHashMap::default();
    for &(_, _, corner) in fan {
        let (t, i) = (corner as usize / 3, corner as usize % 3);
        let drawn = work.triangles[t][i];
        let copy = *copies.entry(drawn).or_insert_with(|| work.blend(drawn, drawn, 0.0, place));
        work.triangles[t][i] = copy;
    }
}

/// Decides which sides at an edge stay together; the others become open.
fn pair_sides(
    places: &[Vec3],
    welded: &[[u32; 3]],
    edge: &Edge,
    uses: &[EdgeUse],
    pairs: &mut Vec<(EdgeUse, EdgeUse)>,
) {
    let [low, high] = edge.vertices.map(|v| places[v as usize].as_dvec3());
    let axis = (high - low).try_normalize().unwrap_or(DVec3::Y);
    let (right, up) = axis.any_orthonormal_pair();
    let angle = |side: &EdgeUse| {
        let far = welded[side.triangle as usize][(side.side as usize + 2) % 3];
        let arm = places[far as usize].as_dvec3() - low;
        // Degenerate arms give a NaN-free zero.
        atan2(arm.dot(up), arm.dot(right))
    };
    let mut sides: Vec<(f64, EdgeUse)> = uses.iter().map(|side| (angle(side), *side)).collect();
    sides.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.triangle.cmp(&b.1.triangle)));
    if let [a, b, c] = sides[..] {
        let bend = |(x, y): &((f64, EdgeUse), (f64, EdgeUse))| {
            let flat = ((x.0 - y.0).abs().rem_euclid(TAU) - PI).abs();
            flat + if x.1.forward == y.1.forward { FRAC_PI_2 } else { 0.0 }
        };
        let best = [(a, b), (b, c), (a, c)].into_iter().min_by(|x, y| bend(x).total_cmp(&bend(y)));
        pairs.extend(best.map(|(x, y)| (x.1, y.1)));
        return;
    }
    // Going around the edge, solid begins at a backward side and ends at the next forward one. What is between two
    // paired sides has been paired before, as with brackets; twice around, for pairs across the end.
    let mut begun: Vec<EdgeUse> = Vec::new();
    let mut paired = vec![false; sides.len()];
    for lap in 0..2 {
        for (at, (_, side)) in sides.iter().enumerate() {
            if paired[at] {
                continue;
            }
            if !side.forward {
                if lap == 0 {
                    begun.push(*side);
                }
            } else if let Some(begin) = begun.pop() {
                paired[at] = true;
                pairs.push((begin, *side));
            }
        }
    }
}
