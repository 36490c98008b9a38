//! From the surface inward: what nodes inside know of it.

use super::Facet;
use glam::Vec3;

/// Gives nodes without a facet that of the joined node whose surface is nearest, from the surface inward; returns how deep the
/// deepest node is.
pub(super) fn flood(
    facets: &mut [Vec<Facet>],
    places: &[Vec3],
    mut joined: impl FnMut(u32, &mut Vec<u32>),
) -> f32 {
    let depth_of = |facet: &Facet| facet.point.dot(facet.normal);
    let least = |facets: &[Facet]| facets.iter().map(depth_of).fold(f32::INFINITY, f32::min).max(0.0);
    let mut deepest = facets.iter().filter(|of| !of.is_empty()).map(|of| least(of)).fold(0.0, f32::max);
    let mut layer: Vec<u32> =
        (0..facets.len() as u32).filter(|&node| !facets[node as usize].is_empty()).collect();
    let mut found = Vec::new();
    let mut best: Vec<Option<Facet>> = vec![None; facets.len()];
    while !layer.is_empty() && layer.len() < facets.len() {
        let mut next = Vec::new();
        for &node in &layer {
            joined(node, &mut found);
            for &other in found.iter().filter(|&&other| facets[other as usize].is_empty()) {
                let away = places[other as usize] - places[node as usize];
                for facet in &facets[node as usize] {
                    let facet = Facet { point: facet.point - away, ..*facet };
                    let best = &mut best[other as usize];
                    if best.is_none() {
                        next.push(other);
                    }
                    if best.is_none_or(|best| depth_of(&facet) < depth_of(&best)) {
                        *best = Some(facet);
                    }
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        for &node in &next {
            let facet = best[node as usize].unwrap_or_default();
            deepest = deepest.max(depth_of(&facet));
            facets[node as usize].push(facet);
        }
        layer = next;
    }
    deepest
}
