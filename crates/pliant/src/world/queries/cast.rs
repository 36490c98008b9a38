//! What a ray or a moving ball first meets.

use super::{QueryFilter, QueryHit, QueryTarget, RayHit};
use crate::World;
use crate::body::{BodyHandle, SkinPlace, Way};
use glam::{DVec3, Vec3};

impl World {
    /// Where a ray first meets a skin as it is drawn, from either side; `None` if it meets none. Disabled bodies count.
    pub fn cast_ray(&self, from: impl Into<DVec3>, direction: Vec3) -> Option<RayHit> {
        let filter = QueryFilter { disabled: true, ..QueryFilter::skins() };
        let (way, length) = way(from.into(), direction, 0.0, filter.max_distance)?;
        let (body, place) = self.first_skin_on(&way, &filter)?;
        let of = self.bodies.get(body)?;
        let corners = of.rest().mesh.triangles[place.triangle as usize];
        let off = |vertex: &u32| of.vertex_position(*vertex as usize).distance_squared(place.point);
        let vertex = corners.into_iter().min_by(|a, b| off(a).total_cmp(&off(b)))?;
        let distance = (place.distance / length) as f32;
        Some(RayHit { body, triangle: place.triangle, vertex, position: place.point, distance })
    }

    /// What a ray first meets: skins from either side, colliders from outside. A ray that begins inside a collider meets it at
    /// once. Of what is equally far, bodies come before colliders, and the lower handle first.
    ///
    /// Skins, planes and convex colliders are met exactly, to rounding; a ray that grazes another collider for very long may
    /// miss it. `None` if it meets nothing, or the ray or the filter's distance is not finite or none.
    pub fn cast_ray_with(
        &self,
        from: impl Into<DVec3>,
        direction: Vec3,
        filter: &QueryFilter,
    ) -> Option<QueryHit> {
        let (way, length) = way(from.into(), direction, 0.0, filter.max_distance)?;
        self.first_on(&way, length, filter)
    }

    /// What a ball first touches that goes along a direction, as exactly as [`cast_ray_with`](Self::cast_ray_with) says: skins
    /// from either side, colliders from outside. `distance` is how far its center goes, 0 if it touches something already, and
    /// `point` where it touches.
    pub fn cast_sphere(
        &self,
        from: impl Into<DVec3>,
        direction: Vec3,
        radius: f32,
        filter: &QueryFilter,
    ) -> Option<QueryHit> {
        let (way, length) = way(from.into(), direction, radius, filter.max_distance)?;
        self.first_on(&way, length, filter)
    }

    /// What is first on a way; distances are divided by `length`.
    fn first_on(&self, way: &Way, length: f64, filter: &QueryFilter) -> Option<QueryHit> {
        let skin = self.first_skin_on(way, filter);
        let skin = skin.map(|(body, place)| (place.distance, hit_of(body, &place, place.distance / length)));
        let mut best = skin;
        let colliders = self.colliders.iter().filter(|_| filter.colliders);
        for (handle, collider) in colliders {
            let limit = best.as_ref().map_or(way.limit, |best| best.0);
            let Some((distance, normal)) = collider.first_on(&Way { limit, ..*way }) else { continue };
            if best.as_ref().is_none_or(|best| distance < best.0) {
                let hit = QueryHit {
                    target: QueryTarget::Collider(handle),
                    triangle: None,
                    point: way.at(distance) - normal.as_dvec3() * way.radius,
                    normal,
                    distance: (distance / length) as f32,
                };
                best = Some((distance, hit));
            }
        }
        best.map(|(_, hit)| hit)
    }

    /// The first skin on a way: those whose boxes come first are asked first, and those behind what was found not at all.
    fn first_skin_on(&self, way: &Way, filter: &QueryFilter) -> Option<(BodyHandle, SkinPlace)> {
        let mut candidates: Vec<_> = self
            .bodies
            .iter()
            .filter(|(handle, body)| filter.sees(*handle, body))
            .filter_map(|(handle, body)| Some((way.crosses(body.skin_bounds())?.0, handle, body)))
            .collect();
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut best: Option<(BodyHandle, SkinPlace)> = None;
        for (start, handle, body) in candidates {
            let limit = best.map_or(way.limit, |(_, place)| place.distance);
            if start > limit {
                break;
            }
            let Some(place) = body.first_on(&Way { limit, ..*way }, start) else { continue };
            let nearer =
                |(other, found): (BodyHandle, SkinPlace)| (place.distance, handle) < (found.distance, other);
            if best.is_none_or(nearer) {
                best = Some((handle, place));
            }
        }
        best
    }
}

/// A place on a skin as a hit.
pub(super) fn hit_of(body: BodyHandle, place: &SkinPlace, distance: f64) -> QueryHit {
    QueryHit {
        target: QueryTarget::Body(body),
        triangle: Some(place.triangle),
        point: place.point,
        normal: place.normal,
        distance: distance as f32,
    }
}

/// The way of a ball, and the length of its direction; `None` if it is no way.
fn way(from: DVec3, direction: Vec3, radius: f32, max_distance: f32) -> Option<(Way, f64)> {
    let direction = direction.as_dvec3();
    let length = direction.length();
    let good = from.is_finite() && length > 0.0 && length.is_finite() && max_distance >= 0.0;
    let round = radius >= 0.0 && radius.is_finite();
    let limit = f64::from(max_distance) * length;
    (good && round)
        .then(|| (Way { from, along: direction / length, radius: f64::from(radius), limit }, length))
}
