//! What is near a point, in a ball or in a box.

use super::cast::hit_of;
use super::{QueryFilter, QueryHit, QueryTarget};
use crate::World;
use glam::DVec3;

impl World {
    /// The place on skins and colliders with the least distance from a point; the distance is negative inside a collider or a closed
    /// skin, so what is around the point comes before what is beside it. `None` if nothing is within the filter's distance.
    /// A skin that is not closed has no inside.
    ///
    /// Of what is equally far, bodies come before colliders, and the lower handle first.
    pub fn closest_point(&self, point: impl Into<DVec3>, filter: &QueryFilter) -> Option<QueryHit> {
        let (point, limit) = (point.into(), f64::from(filter.max_distance));
        if !point.is_finite() || limit.is_nan() || limit < 0.0 {
            return None;
        }
        let mut best: Option<(f64, QueryHit)> = None;
        for (handle, body) in self.bodies.iter().filter(|(handle, body)| filter.sees(*handle, body)) {
            // What is around it has a negative distance, whatever was found before.
            let limit = best.as_ref().map_or(limit, |best| best.0.min(limit)).max(0.0);
            if distance_from_box(point, body.skin_bounds()) > limit {
                continue;
            }
            let Some(place) = body.nearest_on_skin(point, limit) else { continue };
            if best.as_ref().is_none_or(|best| place.distance < best.0) {
                best = Some((place.distance, hit_of(handle, &place, place.distance)));
            }
        }
        for (handle, collider) in self.colliders.iter().filter(|_| filter.colliders) {
            let (distance, normal) = collider.distance(point);
            if distance <= limit && best.as_ref().is_none_or(|best| distance < best.0) {
                let hit = QueryHit {
                    target: QueryTarget::Collider(handle),
                    triangle: None,
                    point: point - normal.as_dvec3() * distance,
                    normal,
                    distance: distance as f32,
                };
                best = Some((distance, hit));
            }
        }
        best.map(|(_, hit)| hit)
    }

    /// What a ball touches or is inside of: bodies first, then colliders, both by handle. The filter's distance does not count.
    pub fn overlaps_sphere(
        &self,
        center: impl Into<DVec3>,
        radius: f32,
        filter: &QueryFilter,
    ) -> Vec<QueryTarget> {
        let (center, radius) = (center.into(), f64::from(radius));
        if !center.is_finite() || !radius.is_finite() || radius < 0.0 {
            return Vec::new();
        }
        let bodies = self.bodies.iter().filter(|(handle, body)| {
            filter.sees(*handle, body)
                && distance_from_box(center, body.skin_bounds()) <= radius
                && body.nearest_on_skin(center, radius).is_some()
        });
        let bodies = bodies.map(|(handle, _)| QueryTarget::Body(handle));
        let colliders = self.colliders.iter().filter(|_| filter.colliders);
        let colliders = colliders.filter(|(_, collider)| collider.distance(center).0 <= radius);
        bodies.chain(colliders.map(|(handle, _)| QueryTarget::Collider(handle))).collect()
    }

    /// What a box touches or is inside of, from its low to its high corner: bodies first, then colliders, both by handle. The filter's
    /// distance does not count. Colliders other than planes that are nearer than 1/32 of the box's half diagonal may count too.
    pub fn overlaps_box(
        &self,
        low: impl Into<DVec3>,
        high: impl Into<DVec3>,
        filter: &QueryFilter,
    ) -> Vec<QueryTarget> {
        let (low, high) = (low.into(), high.into());
        if !low.is_finite() || !high.is_finite() || low.cmpgt(high).any() {
            return Vec::new();
        }
        let (center, half) = (0.5 * (low + high), 0.5 * (high - low));
        let bodies = self.bodies.iter().filter(|(handle, body)| {
            let [of_low, of_high] = body.skin_bounds();
            filter.sees(*handle, body)
                && of_low.cmple(high).all()
                && low.cmple(of_high).all()
                && body.reaches_into(center, half)
        });
        let bodies = bodies.map(|(handle, _)| QueryTarget::Body(handle));
        let colliders = self.colliders.iter().filter(|_| filter.colliders);
        let colliders = colliders.filter(|(_, collider)| collider.reaches_into(center, half));
        bodies.chain(colliders.map(|(handle, _)| QueryTarget::Collider(handle))).collect()
    }
}

/// How far a point is from a box; 0 inside.
fn distance_from_box(point: DVec3, [low, high]: [DVec3; 2]) -> f64 {
    (low - point).max(point - high).max(DVec3::ZERO).length()
}
