//! A kidney.

use super::sdf::{carve, ellipsoid, mix, ramp};
use super::surface_nets::{Settings, extract, grounded, painted};
use pliant::geometry::TriMesh;
use pliant::glam::Vec3;
use pliant::math::functions::{atan2, cos, sin};

/// A kidney that lies on its flat side with its hilum toward +z, with `resolution` cells along it.
pub fn kidney(resolution: usize) -> TriMesh {
    let settings = Settings {
        lo: Vec3::new(-0.52, -0.20, -0.36),
        hi: Vec3::new(0.54, 0.20, 0.30),
        resolution,
        ..Settings::default()
    };
    grounded(painted(extract(&settings, distance), color))
}

/// Radius of the arc that the kidney follows, in metres, and its half angle.
const ARC: (f32, f32) = (0.40, 0.82);

fn distance(p: Vec3) -> f32 {
    // A flattened sausage along an arc around a point in front, thicker at its upper pole.
    let q = Vec3::new(p.x, p.y / 0.80, p.z - 0.30);
    let angle = atan2(q.x, -q.z).clamp(-ARC.1, ARC.1);
    let on_arc = Vec3::new(sin(angle), 0.0, -cos(angle)) * ARC.0;
    let bean = (q.distance(on_arc) - (0.205 + 0.020 * angle)) * 0.80;
    carve(bean, hilum(p), 0.10)
}

/// The hollow where vessels enter.
fn hilum(p: Vec3) -> f32 {
    ellipsoid(p - Vec3::new(0.0, 0.01, 0.13), Vec3::new(0.10, 0.06, 0.085))
}

fn color(p: Vec3) -> [f32; 3] {
    mix([0.58, 0.26, 0.18], [0.40, 0.055, 0.045], ramp(hilum(p), 0.0, 0.06))
}
