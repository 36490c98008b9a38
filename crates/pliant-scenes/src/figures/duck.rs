//! A rubber duck.

use super::sdf::{ellipsoid, join, mix, ramp, turned_ellipsoid};
use super::surface_nets::{Settings, extract, grounded, painted};
use pliant::geometry::TriMesh;
use pliant::glam::Vec3;
use pliant::math::{quat_from_rotation_y, quat_from_rotation_z};

/// A rubber duck that looks along +x, with `resolution` cells along its longest side.
pub fn duck(resolution: usize) -> TriMesh {
    let settings = Settings {
        lo: Vec3::new(-0.55, -0.32, -0.38),
        hi: Vec3::new(0.52, 0.72, 0.38),
        resolution,
        ..Settings::default()
    };
    grounded(painted(extract(&settings, distance), color))
}

const HEAD: Vec3 = Vec3::new(0.17, 0.40, 0.0);

fn beak(p: Vec3) -> f32 {
    let upper = turned_ellipsoid(
        p,
        Vec3::new(0.40, 0.375, 0.0),
        Vec3::new(0.12, 0.034, 0.10),
        quat_from_rotation_z(0.22),
    );
    let lower = turned_ellipsoid(
        p,
        Vec3::new(0.385, 0.335, 0.0),
        Vec3::new(0.09, 0.028, 0.075),
        quat_from_rotation_z(-0.12),
    );
    join(upper, lower, 0.02)
}

fn distance(p: Vec3) -> f32 {
    let mut body = ellipsoid(p - Vec3::new(-0.04, 0.0, 0.0), Vec3::new(0.43, 0.27, 0.33));
    // A flat bottom to stand on.
    body = -join(-body, p.y + 0.24, 0.08);
    let tail = turned_ellipsoid(
        p,
        Vec3::new(-0.42, 0.17, 0.0),
        Vec3::new(0.15, 0.07, 0.12),
        quat_from_rotation_z(-0.85),
    );
    let side = Vec3::new(p.x, p.y, p.z.abs());
    let wing = turned_ellipsoid(
        side,
        Vec3::new(-0.10, 0.06, 0.29),
        Vec3::new(0.22, 0.12, 0.07),
        quat_from_rotation_y(0.18) * quat_from_rotation_z(-0.30),
    );
    let head = ellipsoid(p - HEAD, Vec3::new(0.215, 0.21, 0.205));
    let tuft = turned_ellipsoid(
        p,
        Vec3::new(0.13, 0.61, 0.0),
        Vec3::new(0.07, 0.045, 0.05),
        quat_from_rotation_z(-0.7),
    );
    let all = join(join(body, tail, 0.16), head, 0.14);
    let all = join(join(all, wing, 0.04), tuft, 0.06);
    join(all, beak(p), 0.025)
}

fn color(p: Vec3) -> [f32; 3] {
    let yellow = [0.90, 0.58, 0.03];
    let orange = [0.88, 0.16, 0.01];
    let c = mix(orange, yellow, ramp(beak(p), 0.004, 0.022));
    let eye = Vec3::new(p.x - 0.315, p.y - 0.47, p.z.abs() - 0.115).length();
    mix([0.01, 0.01, 0.015], c, ramp(eye, 0.036, 0.050))
}
