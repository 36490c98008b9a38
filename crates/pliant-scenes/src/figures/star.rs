//! A starfish.

use super::sdf::{ellipsoid, join, rod};
use super::surface_nets::{Settings, extract, grounded};
use pliant::geometry::TriMesh;
use pliant::glam::Vec3;
use pliant::math::functions::{atan2, cos, hypot, sin, sin_cos};
use std::f32::consts::TAU;

/// A starfish that lies on the floor, with `resolution` cells across.
pub fn star(resolution: usize) -> TriMesh {
    let settings = Settings {
        lo: Vec3::new(-0.54, -0.16, -0.54),
        hi: Vec3::new(0.54, 0.20, 0.54),
        resolution,
        ..Settings::default()
    };
    grounded(extract(&settings, distance))
}

fn distance(p: Vec3) -> f32 {
    // All arms are the one nearest to the point.
    let angle = atan2(p.z, p.x);
    let turn = TAU / 5.0 * (angle / (TAU / 5.0)).round();
    let radius = hypot(p.x, p.z);
    let q = Vec3::new(radius * cos(angle - turn), p.y, (radius * sin(angle - turn)).abs());
    let arm = rod(q, Vec3::new(0.06, 0.0, 0.0), Vec3::new(0.46, 0.0, 0.0), 0.145, 0.058);
    // The next arm, so that the fillet between them is smooth.
    let (sin, cos) = sin_cos(TAU / 5.0);
    let next =
        rod(q, Vec3::new(0.06 * cos, 0.0, 0.06 * sin), Vec3::new(0.46 * cos, 0.0, 0.46 * sin), 0.145, 0.058);
    let middle = ellipsoid(p - Vec3::Y * 0.02, Vec3::new(0.17, 0.15, 0.17));
    let all = join(join(arm, next, 0.08), middle, 0.08);
    // A flat bottom.
    -join(-all, p.y + 0.075, 0.06)
}
