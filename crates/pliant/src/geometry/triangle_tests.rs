//! A single triangle against a ray, a moving ball and a box, in `f64`.

use crate::math::functions::square;
use glam::DVec3;

/// How far outside its edges a triangle is still met, as a share of its height: enough to close seams, too little to notice.
const INCLUSIVE: f64 = 1e-9;

/// The corners of a triangle.
pub(super) type Corners = [DVec3; 3];

/// How far along a ray a triangle is, in lengths of its direction, and from which side the ray comes: 1 from the front, −1 from
/// the back. A ray in the triangle's plane does not meet it, nor does anything meet a triangle without area.
pub(super) fn meet_ray([a, b, c]: Corners, from: DVec3, direction: DVec3) -> Option<(f64, i32)> {
    // Two cross products and a division, \[MT97\].
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(ac);
    let scale = 1.0 / ab.dot(p);
    let to_start = from - a;
    let u = to_start.dot(p) * scale;
    let q = to_start.cross(ab);
    let v = direction.dot(q) * scale;
    let t = ac.dot(q) * scale;
    // Anything that is not a number fails one of these.
    let meets =
        u >= -INCLUSIVE && v >= -INCLUSIVE && u + v <= 1.0 + INCLUSIVE && t > 0.0 && t < f64::INFINITY;
    meets.then_some((t, if scale > 0.0 { 1 } else { -1 }))
}

/// How far a ball that touches a triangle not yet goes, along a unit vector, before it does.
pub(super) fn meet_ball(corners: Corners, from: DVec3, along: DVec3, radius: f64) -> Option<f64> {
    // A ball that touches a face from one side touches the edges and corners of that face later.
    if let Some(t) = reach_face(corners, from, along, radius) {
        return Some(t);
    }
    let [a, b, c] = corners;
    let rim = [(a, b), (b, c), (c, a)].map(|(start, end)| reach_edge(start, end, from, along, radius));
    rim.into_iter().flatten().min_by(f64::total_cmp)
}

/// How far a ball goes before it touches the inner part of a triangle.
fn reach_face(corners: Corners, from: DVec3, along: DVec3, radius: f64) -> Option<f64> {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a).try_normalize()?;
    let height = (from - a).dot(normal);
    let out = normal * height.signum();
    let t = (height.abs() - radius) / -along.dot(out);
    let touched = from + along * t - out * radius;
    let within = |from: DVec3, to: DVec3| (to - from).cross(touched - from).dot(normal) >= 0.0;
    (t >= 0.0 && t.is_finite() && within(a, b) && within(b, c) && within(c, a)).then_some(t)
}

/// How far a ball that is not there yet goes before it touches an edge or one of its ends.
fn reach_edge(start: DVec3, end: DVec3, from: DVec3, along: DVec3, radius: f64) -> Option<f64> {
    let (edge, to) = (end - start, from - start);
    let square_length = edge.length_squared();
    // The way and the start without their parts along the edge.
    let across = along - edge * (along.dot(edge) / square_length);
    let beside = to - edge * (to.dot(edge) / square_length);
    let on_side = reach(beside, across, radius).filter(|t| {
        let share = (to + along * *t).dot(edge) / square_length;
        (0.0..=1.0).contains(&share)
    });
    on_side.or_else(|| {
        let ends = [reach(to, along, radius), reach(from - end, along, radius)];
        ends.into_iter().flatten().min_by(f64::total_cmp)
    })
}

/// The first t ≥ 0 at which |to + t along| = radius, from outside.
fn reach(to: DVec3, along: DVec3, radius: f64) -> Option<f64> {
    let (speed2, toward) = (along.length_squared(), -to.dot(along));
    // The nearest point on the way first: the square of a far start would swallow the radius.
    let nearest = toward / speed2;
    let room = square(radius) - (to + along * nearest).length_squared();
    if !(toward > 0.0 && room >= 0.0) {
        return None;
    }
    let t = nearest - (room / speed2).sqrt();
    t.is_finite().then(|| t.max(0.0))
}

/// Whether a triangle reaches into a box around zero, by separating axes.
pub(super) fn meets_box(corners: Corners, half: DVec3) -> bool {
    let [a, b, c] = corners;
    let edges = [b - a, c - b, a - c];
    let parted_along = |axis: DVec3| {
        let [p, q, r] = corners.map(|corner| corner.dot(axis));
        let reach = half.dot(axis.abs());
        p.min(q).min(r) > reach || p.max(q).max(r) < -reach
    };
    let finite = a.is_finite() && b.is_finite() && c.is_finite();
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    finite
        && !axes.into_iter().any(parted_along)
        && !parted_along(edges[0].cross(edges[1]))
        && !edges.iter().any(|edge| axes.iter().any(|axis| parted_along(edge.cross(*axis))))
}
