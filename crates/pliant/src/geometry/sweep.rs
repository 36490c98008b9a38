//! Tubes: a circle swept along a path without twist.
//!
//! Based on \[WJZL08\]: frames are carried from point to point by two reflections, which keeps rotation about the
//! path minimal.
//!
//! Deviations: on a closed path the angle by which the last frame misses the first is spread evenly over the path,
//! so that the tube closes exactly.

use super::TriMesh;
use super::rings::{Circle, RingBuilder};
use crate::math::functions::{atan2, sin_cos};
use crate::math::quat_from_axis_angle;
use glam::Vec3;
use std::f32::consts::TAU;

/// An end whose radius is below this share of the largest becomes a tip; any small number will do.
const TIP_SHARE: f32 = 1e-4;

/// Sweeps a circle along `path`, with `across` points on each section.
///
/// `radius` is given the share of the path's length, 0 … 1. An open path gets flat caps, or tips where its radius
/// is zero. Points that repeat the one before are skipped; a path that is no line (or, closed, no loop) gives an
/// empty mesh. Radii below the path's radius of curvature keep the tube from cutting through itself.
pub fn tube(path: &[Vec3], closed: bool, radius: impl Fn(f32) -> f32, across: u32) -> TriMesh {
    let across = across.max(3);
    let mut path: Vec<Vec3> = path.to_vec();
    path.dedup();
    if closed && path.len() > 1 && path.first() == path.last() {
        path.pop();
    }
    if path.len() < if closed { 3 } else { 2 } {
        return TriMesh::default();
    }
    let sections = sections(&path, closed, radius);
    let (Some(&first), Some(&last)) = (sections.first(), sections.last()) else {
        return TriMesh::default();
    };
    let mut rings = RingBuilder::default();
    if closed {
        for section in sections {
            rings.ring(section, across);
        }
        return rings.finish_loop();
    }
    let largest = sections.iter().fold(0.0, |most: f32, s| most.max(s.radius));
    let pointed = |end: Circle| end.radius <= TIP_SHARE * largest;
    if pointed(first) {
        rings.tip(first.centre);
    } else {
        rings.open_cap(first, across);
        rings.ring(first, across);
    }
    for &section in &sections[1..sections.len() - 1] {
        rings.ring(section, across);
    }
    if pointed(last) {
        rings.tip(last.centre);
    } else {
        rings.ring(last, across);
        rings.close_cap(last, across);
    }
    rings.finish()
}

/// A tube of `tube_radius` along the (p, q) torus knot: `p` turns about the y axis at distance `major`, `q` turns
/// about the ring at distance `minor`; `around` sections of `across` points.
///
/// `p` and `q` without a common factor give a knot (2, 3 is the trefoil); otherwise the tube runs over itself.
pub fn torus_knot(
    p: u32,
    q: u32,
    major: f32,
    minor: f32,
    tube_radius: f32,
    around: u32,
    across: u32,
) -> TriMesh {
    let around = around.max(3);
    let point = |i: u32| {
        // Turns are taken modulo one in integers, so that large p and q stay exact.
        let angle = |turns: u32| TAU * (turns as u64 * i as u64 % around as u64) as f32 / around as f32;
        let ((sin_p, cos_p), (sin_q, cos_q)) = (sin_cos(angle(p)), sin_cos(angle(q)));
        let out = major + minor * cos_q;
        Vec3::new(out * cos_p, minor * sin_q, -out * sin_p)
    };
    let path: Vec<Vec3> = (0..around).map(point).collect();
    tube(&path, true, |_| tube_radius, across)
}

/// The circle at each point of the path.
fn sections(path: &[Vec3], closed: bool, radius: impl Fn(f32) -> f32) -> Vec<Circle> {
    let count = path.len();
    let tangents: Vec<Vec3> = (0..count).map(|i| tangent(path, closed, i)).collect();
    let mut rights = vec![tangents[0].any_orthonormal_vector()];
    for i in 1..count {
        let carried = transport(rights[i - 1], path[i - 1], tangents[i - 1], path[i], tangents[i]);
        rights.push(carried);
    }
    if closed {
        let back = transport(rights[count - 1], path[count - 1], tangents[count - 1], path[0], tangents[0]);
        let up = tangents[0].cross(rights[0]);
        let missed = atan2(back.dot(up), back.dot(rights[0]));
        for i in 0..count {
            let turn = quat_from_axis_angle(tangents[i], -missed * i as f32 / count as f32);
            rights[i] = turn * rights[i];
        }
    }
    let lengths = lengths_before(path);
    let closing = if closed { path[count - 1].distance(path[0]) } else { 0.0 };
    let whole = lengths[count - 1] + closing;
    (0..count)
        .map(|i| Circle {
            centre: path[i],
            right: rights[i],
            up: tangents[i].cross(rights[i]),
            radius: radius(lengths[i] / whole),
        })
        .collect()
}

/// The path's length up to each point.
fn lengths_before(path: &[Vec3]) -> Vec<f32> {
    let mut length = 0.0;
    let steps = path.windows(2).map(|pair| {
        length += pair[0].distance(pair[1]);
        length
    });
    std::iter::once(0.0).chain(steps).collect()
}

/// The direction of a path at a point: the mean of the directions before and after it.
fn tangent(path: &[Vec3], closed: bool, i: usize) -> Vec3 {
    let count = path.len();
    let before = if i > 0 { Some(i - 1) } else { closed.then_some(count - 1) };
    let after = if i + 1 < count { Some(i + 1) } else { closed.then_some(0) };
    let into = before.map_or(Vec3::ZERO, |b| (path[i] - path[b]).normalize_or_zero());
    let out = after.map_or(Vec3::ZERO, |a| (path[a] - path[i]).normalize_or_zero());
    // Where the path turns back on itself the mean is zero: the direction before it will do.
    (into + out).try_normalize().or_else(|| into.try_normalize()).unwrap_or(Vec3::Y)
}

/// Carries `right` from one point to the next by the double reflection of \[WJZL08\].
fn transport(right: Vec3, from: Vec3, tangent: Vec3, to: Vec3, next_tangent: Vec3) -> Vec3 {
    let reflect = |v: Vec3, normal: Vec3| {
        let square = normal.length_squared();
        if square > 0.0 { v - normal * (2.0 * normal.dot(v) / square) } else { v }
    };
    // Normalised, so that the reflection does not underflow on tiny paths.
    let step = (to - from).normalize_or_zero();
    let reflected = reflect(right, step);
    let reflected_tangent = reflect(tangent, step);
    let carried = reflect(reflected, next_tangent - reflected_tangent);
    // Rounding is taken out at each step.
    (carried - next_tangent * next_tangent.dot(carried))
        .try_normalize()
        .unwrap_or_else(|| next_tangent.any_orthonormal_vector())
}
