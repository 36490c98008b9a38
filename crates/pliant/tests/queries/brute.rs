//! The same questions, asked of every triangle.

use pliant::geometry::winding_exact;
use pliant::glam::DVec3;
use pliant::{Body, BodyHandle, World};

/// The corners of all triangles of a body's skin relative to a point of the world.
fn triangles(body: &Body, from: DVec3) -> impl Iterator<Item = [DVec3; 3]> + '_ {
    let origin = body.nodes.origin - from;
    let at = move |v: u32| origin + body.skin().positions[v as usize].as_dvec3();
    body.rest().mesh.triangles.iter().map(move |t| t.map(at))
}

/// How far along a ray from zero a triangle is.
fn meet([a, b, c]: [DVec3; 3], along: DVec3) -> Option<f64> {
    let normal = (b - a).cross(c - a);
    let t = a.dot(normal) / along.dot(normal);
    let at = along * t;
    let inside = |p: DVec3, q: DVec3| (q - p).cross(at - p).dot(normal) >= 0.0;
    (t > 0.0 && inside(a, b) && inside(b, c) && inside(c, a)).then_some(t)
}

/// How far along a ray a triangle of a body is.
pub fn distance_on_ray(body: &Body, triangle: u32, from: DVec3, along: DVec3) -> Option<f64> {
    triangles(body, from).nth(triangle as usize).and_then(|corners| meet(corners, along))
}

/// Distance along the ray, body and triangle of what a ray meets first.
pub fn first_on_ray(world: &World, from: DVec3, along: DVec3) -> Option<(f64, BodyHandle, u32)> {
    let mut best: Option<(f64, BodyHandle, u32)> = None;
    for (handle, body) in world.bodies() {
        for (triangle, corners) in (0..).zip(triangles(body, from)) {
            if let Some(t) = meet(corners, along).filter(|&t| best.is_none_or(|best| t < best.0)) {
                best = Some((t, handle, triangle));
            }
        }
    }
    best
}

/// How far a point is from the skin of a body.
pub fn distance(body: &Body, point: DVec3) -> f64 {
    triangles(body, point).map(|corners| nearest(corners).length()).fold(f64::INFINITY, f64::min)
}

/// As [`distance`], negative inside.
pub fn signed_distance(body: &Body, point: DVec3) -> f64 {
    let at = (point - body.nodes.origin).as_vec3();
    let winding = winding_exact(&body.skin().positions, &body.rest().mesh.triangles, at);
    if winding.abs() > 0.5 { -distance(body, point) } else { distance(body, point) }
}

/// The point of a triangle nearest to zero: of its inner part, or of its edges.
fn nearest([a, b, c]: [DVec3; 3]) -> DVec3 {
    let on = |p: DVec3, q: DVec3| {
        let edge = q - p;
        p + edge * (-p.dot(edge) / edge.length_squared()).clamp(0.0, 1.0)
    };
    let normal = (b - a).cross(c - a);
    let foot = normal * (a.dot(normal) / normal.length_squared());
    let inside = |p: DVec3, q: DVec3| (q - p).cross(foot - p).dot(normal) >= 0.0;
    if inside(a, b) && inside(b, c) && inside(c, a) {
        return foot;
    }
    let nearer = |p: DVec3, q: DVec3| if q.length_squared() < p.length_squared() { q } else { p };
    nearer(nearer(on(a, b), on(b, c)), on(c, a))
}

/// Whether any of a grid of points on the triangles of a skin is in a box.
pub fn has_point_in(body: &Body, low: DVec3, high: DVec3) -> bool {
    const PARTS: u32 = 8;
    let within = |p: DVec3| p.cmpge(low).all() && p.cmple(high).all();
    triangles(body, DVec3::ZERO).any(|[a, b, c]| {
        (0..=PARTS).any(|i| {
            (0..=PARTS - i).any(|j| {
                let [u, v] = [i, j].map(|k| f64::from(k) / f64::from(PARTS));
                within(a + (b - a) * u + (c - a) * v)
            })
        })
    })
}
