//! How far a point is from the surface around a node.

use super::tips::FACING;
use super::{Border, Facet};
use glam::Vec3;

/// Cosines beyond the cone from which on a tip clearly faces a facet.
const CLEARLY: f32 = 0.2;
/// The least cosine at which a tip that is deep inside and a facet face each other.
const LEAST_CONE: f32 = -0.2;
/// Spans that a tip may be beside a facet's edge and still be on it: bodies of equal size stand on each other edge on edge.
const BESIDE: f32 = 0.05;

impl Border {
    /// How far a point is outside of a node's facets (negative inside) and which facet says so, given the facets as they are
    /// now. The material is where all of them have it below, or, where it turns inward, what the nearest of them says.
    pub fn distance(&self, node: u32, point: Vec3, now: &[Facet]) -> Option<(f32, Facet)> {
        let all = now.iter().map(|facet| ((point - facet.point).dot(facet.normal), *facet));
        if self.hollow[node as usize] {
            let away = |facet: &Facet| facet.point.distance_squared(point);
            all.min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b)))
        } else {
            all.max_by(|a, b| a.0.total_cmp(&b.0))
        }
    }

    /// As [`distance`](Self::distance), for a tip that looks `way` and can touch what is within `cone` of it: where it is
    /// inside, the facet is the one through which it gets out soonest by going back. Beside an edge that is not the nearest one,
    /// which would push it sideways. A tip that looks no way takes the nearest.
    ///
    /// The last number, from 0 to 1, is how much it is so: contacts that begin and end all at once make what rests on them
    /// tremble.
    pub fn distance_facing(
        &self,
        node: u32,
        point: Vec3,
        way: Vec3,
        cone: f32,
        now: &[Facet],
    ) -> Option<(f32, Facet, f32)> {
        if way == Vec3::ZERO {
            return self.distance(node, point, now).map(|(distance, facet)| (distance, facet, 1.0));
        }
        let clear = |facing: f32| ((facing - cone) / CLEARLY).min(1.0);
        if self.hollow[node as usize] {
            let (distance, facet) = self.distance(node, point, now)?;
            let facing = -facet.normal.dot(way);
            return (facing > cone).then(|| (distance, facet, clear(facing)));
        }
        let beside = BESIDE * self.spans[node as usize];
        let mut best = (f32::INFINITY, None);
        let mut on = 1.0_f32;
        // What is deep inside must get out, whichever way it looks.
        let outside = |facet: &Facet| (point - facet.point).dot(facet.normal);
        let out = now.iter().map(outside).fold(f32::NEG_INFINITY, f32::max);
        let cone = (cone + out.min(0.0) / self.spans[node as usize]).max(LEAST_CONE.min(cone));
        let clear = |facing: f32| ((facing - cone) / CLEARLY).min(1.0);
        for facet in now {
            let distance = outside(facet);
            let facing = -facet.normal.dot(way);
            if facing > cone {
                let back = -distance / facing.max(FACING);
                if back < best.0 {
                    best = (back, Some((distance, facing, facet)));
                }
            } else {
                on = on.min(1.0 - distance / beside);
                if on <= 0.0 {
                    return None;
                }
            }
        }
        let (distance, facing, facet) = best.1?;
        Some((distance, *facet, clear(facing) * on.min(1.0)))
    }
}
