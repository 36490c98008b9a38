//! What a ray meets: how a cursor finds the body under it.

use crate::body::{Body, BodyHandle};
use glam::{DVec3, Vec3};

/// Where a ray first meets a skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The body.
    pub body: BodyHandle,
    /// The triangle of its mesh.
    pub triangle: u32,
    /// The corner of that triangle nearest to the place.
    pub vertex: u32,
    /// The place.
    pub position: DVec3,
    /// How far along the ray it is, in lengths of its direction.
    pub distance: f32,
}

/// Where a ray first meets the skin of a body as it is drawn, from either side.
pub(crate) fn hit(handle: BodyHandle, body: &Body, from: DVec3, direction: Vec3) -> Option<RayHit> {
    let positions = &body.skin().positions;
    let start = (from - body.nodes.origin).as_vec3();
    let mut best: Option<(f32, u32)> = None;
    let triangles = &body.rest().mesh.triangles;
    for (index, corners) in triangles.iter().enumerate() {
        let [a, b, c] = corners.map(|v| positions[v as usize]);
        // Two cross products and a division, \[MT97\].
        let (ab, ac) = (b - a, c - a);
        let p = direction.cross(ac);
        let scale = 1.0 / ab.dot(p);
        let to_start = start - a;
        let u = to_start.dot(p) * scale;
        let q = to_start.cross(ab);
        let v = direction.dot(q) * scale;
        let t = ac.dot(q) * scale;
        // Anything that is not a number fails one of these.
        if u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0 && best.is_none_or(|(least, _)| t < least) {
            best = Some((t, index as u32));
        }
    }
    let (distance, triangle) = best?;
    let place = start + direction * distance;
    let off = |v: &u32| positions[*v as usize].distance_squared(place);
    let vertex = triangles[triangle as usize].into_iter().min_by(|a, b| off(a).total_cmp(&off(b)))?;
    Some(RayHit {
        body: handle,
        triangle,
        vertex,
        position: from + (direction * distance).as_dvec3(),
        distance,
    })
}
