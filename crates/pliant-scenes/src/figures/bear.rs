//! A gummy bear.

use super::sdf::{carve, ellipsoid, join, rod};
use super::surface_nets::{Settings, extract, grounded};
use pliant::geometry::TriMesh;
use pliant::glam::Vec3;

/// A gummy bear that looks along +z, with `resolution` cells along its height.
pub fn bear(resolution: usize) -> TriMesh {
    let settings = Settings {
        lo: Vec3::new(-0.34, -0.02, -0.26),
        hi: Vec3::new(0.34, 1.04, 0.36),
        resolution,
        ..Settings::default()
    };
    grounded(extract(&settings, distance))
}

fn distance(p: Vec3) -> f32 {
    // Left and right are alike.
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let belly = ellipsoid(p - Vec3::new(0.0, 0.36, 0.0), Vec3::new(0.25, 0.32, 0.215));
    let head = ellipsoid(p - Vec3::new(0.0, 0.77, 0.01), Vec3::new(0.205, 0.185, 0.18));
    let ear = ellipsoid(q - Vec3::new(0.165, 0.925, -0.01), Vec3::new(0.075, 0.078, 0.055));
    let hollow = ellipsoid(q - Vec3::new(0.168, 0.930, 0.055), Vec3::new(0.040, 0.042, 0.032));
    let muzzle = ellipsoid(p - Vec3::new(0.0, 0.715, 0.165), Vec3::new(0.105, 0.084, 0.085));
    let nose = ellipsoid(p - Vec3::new(0.0, 0.752, 0.240), Vec3::new(0.044, 0.034, 0.034));
    let eye = ellipsoid(q - Vec3::new(0.084, 0.812, 0.168), Vec3::splat(0.036));
    let arm = rod(q, Vec3::new(0.205, 0.53, 0.06), Vec3::new(0.185, 0.44, 0.225), 0.088, 0.078);
    let leg = rod(q, Vec3::new(0.165, 0.125, 0.04), Vec3::new(0.180, 0.115, 0.225), 0.120, 0.098);
    let tail = ellipsoid(p - Vec3::new(0.0, 0.20, -0.20), Vec3::splat(0.06));
    let ear = carve(ear, hollow, 0.03);
    let face = join(join(join(head, muzzle, 0.05), nose, 0.02), eye, 0.02);
    let trunk = join(join(belly, face, 0.09), ear, 0.04);
    let limbs = join(join(trunk, arm, 0.05), leg, 0.05);
    let all = join(limbs, tail, 0.04);
    // Flat soles.
    -join(-all, p.y - 0.02, 0.03)
}
