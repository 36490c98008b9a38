//! A body's skin as queries see it: the box around it, what a ray or a ball meets, what is near and what is inside.

use super::Body;
use crate::geometry::{FoundTriangle, MovingTriangles};
use crate::skin::bounds;
use glam::{DVec3, Vec3};

/// A place on a skin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SkinPlace {
    /// How far along the way, or away, in metres.
    pub distance: f64,
    /// The triangle of the mesh.
    pub triangle: u32,
    /// Where, in the world.
    pub point: DVec3,
    /// A unit vector, to where the question came from.
    pub normal: Vec3,
}

/// A ball of no or some radius that goes along a unit vector, up to `limit` metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub from: DVec3,
    pub along: DVec3,
    pub radius: f64,
    pub limit: f64,
}

impl Way {
    /// Where it enters and leaves a box, if it enters it before its end.
    pub fn crosses(&self, [low, high]: [DVec3; 2]) -> Option<(f64, f64)> {
        let (mut near, mut far) = (0.0_f64, self.limit);
        for axis in 0..3 {
            let (from, along) = (self.from[axis], self.along[axis]);
            let ends = [low[axis] - self.radius - from, high[axis] + self.radius - from];
            if along == 0.0 {
                if !(ends[0] <= 0.0 && ends[1] >= 0.0) {
                    return None;
                }
                continue;
            }
            let [a, b] = ends.map(|end| end / along);
            (near, far) = (near.max(a.min(b)), far.min(a.max(b)));
        }
        (near <= far).then_some((near, far))
    }

    /// The place at a distance.
    pub fn at(&self, distance: f64) -> DVec3 {
        self.from + self.along * distance
    }
}

impl Body {
    /// Low and high corner of the box around its nodes and its skin, in the world.
    ///
    /// It goes through all nodes, and through all vertices once after each change of the skin.
    pub fn aabb(&self) -> [DVec3; 2] {
        let ([low, high], [skin_low, skin_high]) = (bounds(&self.nodes.positions), self.skin.bounds());
        [low.min(skin_low), high.max(skin_high)].map(|corner| self.nodes.origin + corner.as_dvec3())
    }

    /// Low and high corner of the box around its skin, in the world, a little wider than rounding needs.
    pub(crate) fn skin_bounds(&self) -> [DVec3; 2] {
        let [low, high] = self.skin.bounds();
        let wider = 1e-6 * low.abs().max(high.abs()).max_element();
        [low - wider, high + wider].map(|corner| self.nodes.origin + corner.as_dvec3())
    }

    /// The triangles of the skin, relative to the origin.
    fn triangles(&self) -> MovingTriangles<'_> {
        self.skin.triangles(&self.rest.mesh, &self.rest.tree)
    }

    /// Where a ball on its way first touches the skin, from either side. `start` is where it enters the box around it.
    pub(crate) fn first_on(&self, way: &Way, start: f64) -> Option<SkinPlace> {
        // From beside the body, where `f32` knows where it is.
        let from = way.from - self.nodes.origin + way.along * start;
        let (triangles, limit) = (self.triangles(), way.limit - start);
        let found = if way.radius > 0.0 {
            triangles.first_on_way(from, way.along, way.radius, limit)
        } else {
            triangles.first_on_ray(from, way.along, limit)
        };
        let FoundTriangle { distance, triangle } = found?;
        let center = from + way.along * distance;
        let point = triangles.nearest_of(triangle, center);
        let normal = if way.radius > 0.0 { center - point } else { triangles.normal(triangle, -way.along) };
        Some(SkinPlace {
            distance: start + distance,
            triangle,
            point: if way.radius > 0.0 { self.nodes.origin + point } else { way.at(start + distance) },
            normal: normal.try_normalize().unwrap_or(-way.along).as_vec3(),
        })
    }

    /// The place of the skin nearest to a point, if it is nearer than `limit` or the point is inside. The distance is negative
    /// inside a closed skin, and the normal points to where it grows.
    pub(crate) fn nearest_on_skin(&self, point: DVec3, limit: f64) -> Option<SkinPlace> {
        let encloses = self.encloses(point);
        let (at, triangles) = (point - self.nodes.origin, self.triangles());
        let found = triangles.nearest(at, if encloses { f64::INFINITY } else { limit })?;
        let sign = if encloses { -1.0 } else { 1.0 };
        let nearest = triangles.nearest_of(found.triangle, at);
        let away = (at - nearest).try_normalize();
        let normal = away.map_or_else(|| triangles.normal(found.triangle, DVec3::ZERO), |away| sign * away);
        Some(SkinPlace {
            distance: sign * found.distance,
            triangle: found.triangle,
            point: self.nodes.origin + nearest,
            normal: normal.as_vec3(),
        })
    }

    /// Whether the skin reaches into the box around `center`, or is around it.
    pub(crate) fn reaches_into(&self, center: DVec3, half: DVec3) -> bool {
        self.triangles().reach_into(center - self.nodes.origin, half) || self.encloses(center)
    }

    /// Whether a point is inside the skin, if that is closed.
    fn encloses(&self, point: DVec3) -> bool {
        let [low, high] = self.skin_bounds();
        point.cmpge(low).all()
            && point.cmple(high).all()
            && self.triangles().enclose(point - self.nodes.origin)
    }
}
