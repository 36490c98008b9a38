//! A liver.

use super::sdf::{carve, chain, ellipsoid, join, mix, ramp, turned_ellipsoid};
use super::surface_nets::{Settings, extract, grounded, painted};
use pliant::geometry::TriMesh;
use pliant::glam::Vec3;
use pliant::math::quat_from_rotation_z;

/// A liver seen from the front along z, its large lobe toward −x, with `resolution` cells along it.
pub fn liver(resolution: usize) -> TriMesh {
    let settings = Settings {
        lo: Vec3::new(-0.56, -0.36, -0.26),
        hi: Vec3::new(0.54, 0.36, 0.26),
        resolution,
        ..Settings::default()
    };
    grounded(painted(extract(&settings, distance), color))
}

fn distance(p: Vec3) -> f32 {
    let turn = quat_from_rotation_z(0.35);
    let large = turned_ellipsoid(p, Vec3::new(-0.21, -0.01, 0.0), Vec3::new(0.31, 0.27, 0.19), turn);
    // The small lobe is a wedge: flat, and thinner toward its end.
    let flat = Vec3::new(p.x, p.y, p.z * 1.5);
    let small = chain(
        flat,
        &[
            (Vec3::new(-0.10, 0.07, 0.0), 0.20),
            (Vec3::new(0.20, 0.11, 0.03), 0.14),
            (Vec3::new(0.44, 0.13, 0.06), 0.055),
        ],
    ) / 1.5;
    carve(join(large, small, 0.16), hollow(p), 0.10)
}

/// The hollow below and behind, where the stomach lies.
fn hollow(p: Vec3) -> f32 {
    ellipsoid(p - Vec3::new(0.20, -0.20, -0.14), Vec3::new(0.30, 0.17, 0.16))
}

/// Reddish brown, paler in the hollow.
fn color(p: Vec3) -> [f32; 3] {
    mix([0.42, 0.13, 0.09], [0.30, 0.055, 0.035], ramp(hollow(p), 0.0, 0.08))
}
