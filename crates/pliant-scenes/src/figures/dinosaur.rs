//! A dinosaur.

use super::sdf::{chain, ellipsoid, join, mix, ramp, rod, turned_ellipsoid};
use super::surface_nets::{Settings, extract, grounded, painted};
use pliant::geometry::TriMesh;
use pliant::glam::Vec3;
use pliant::math::quat_from_rotation_z;

/// A long-necked dinosaur with plates along its back that looks along +x, with `resolution` cells along its length.
pub fn dinosaur(resolution: usize) -> TriMesh {
    let settings = Settings {
        lo: SIZE * Vec3::new(-0.82, -0.02, -0.22),
        hi: SIZE * Vec3::new(0.66, 0.94, 0.22),
        resolution,
        ..Settings::default()
    };
    grounded(painted(extract(&settings, |p| SIZE * distance(p / SIZE)), |p| color(p / SIZE)))
}

/// What the lengths below are multiplied by: it measures about a metre.
const SIZE: f32 = 0.74;

/// Where the plates stand along the back: place, height and tilt.
const PLATES: [(f32, f32, f32, f32); 7] = [
    (0.26, 0.63, 0.055, -0.7),
    (0.16, 0.565, 0.070, -0.4),
    (0.05, 0.56, 0.085, -0.1),
    (-0.07, 0.56, 0.090, 0.1),
    (-0.19, 0.53, 0.080, 0.35),
    (-0.31, 0.46, 0.065, 0.5),
    (-0.42, 0.39, 0.048, 0.55),
];

fn plates(p: Vec3) -> f32 {
    let plate = |&(x, y, height, tilt): &(f32, f32, f32, f32)| {
        let radii = Vec3::new(0.72 * height, height, 0.026);
        turned_ellipsoid(p, Vec3::new(x, y, 0.0), radii, quat_from_rotation_z(tilt))
    };
    PLATES.iter().map(plate).fold(f32::INFINITY, f32::min)
}

fn distance(p: Vec3) -> f32 {
    // Left and right are alike.
    let q = Vec3::new(p.x, p.y, p.z.abs());
    let body = ellipsoid(p - Vec3::new(-0.04, 0.40, 0.0), Vec3::new(0.27, 0.165, 0.15));
    let neck = chain(
        p,
        &[
            (Vec3::new(0.14, 0.43, 0.0), 0.112),
            (Vec3::new(0.28, 0.54, 0.0), 0.082),
            (Vec3::new(0.38, 0.67, 0.0), 0.064),
            (Vec3::new(0.44, 0.79, 0.0), 0.054),
        ],
    );
    let head = ellipsoid(p - Vec3::new(0.49, 0.83, 0.0), Vec3::new(0.095, 0.062, 0.062));
    let snout = ellipsoid(p - Vec3::new(0.56, 0.81, 0.0), Vec3::new(0.065, 0.042, 0.05));
    let tail = chain(
        p,
        &[
            (Vec3::new(-0.20, 0.40, 0.0), 0.125),
            (Vec3::new(-0.38, 0.32, 0.0), 0.082),
            (Vec3::new(-0.54, 0.22, 0.0), 0.053),
            (Vec3::new(-0.67, 0.14, 0.0), 0.036),
            (Vec3::new(-0.77, 0.12, 0.0), 0.024),
        ],
    );
    let front = rod(q, Vec3::new(0.12, 0.36, 0.095), Vec3::new(0.13, 0.05, 0.105), 0.075, 0.056);
    let hind = rod(q, Vec3::new(-0.16, 0.36, 0.095), Vec3::new(-0.15, 0.05, 0.11), 0.092, 0.06);
    let foot = ellipsoid(q - Vec3::new(0.145, 0.035, 0.105), Vec3::new(0.075, 0.045, 0.062));
    let paw = ellipsoid(q - Vec3::new(-0.135, 0.035, 0.11), Vec3::new(0.08, 0.045, 0.066));
    let all = join(join(body, neck, 0.09), tail, 0.09);
    let all = join(all, join(head, snout, 0.04), 0.05);
    let all = join(all, join(join(front, foot, 0.03), join(hind, paw, 0.03), 0.02), 0.05);
    let all = join(all, plates(p), 0.025);
    // Flat soles.
    -join(-all, p.y - 0.003, 0.02)
}

fn color(p: Vec3) -> [f32; 3] {
    let q = Vec3::new(p.x, p.y, p.z.abs());
    let stripes = 0.5 + 0.5 * pliant::math::functions::sin(48.0 * p.x + 14.0 * p.y);
    let green = mix([0.16, 0.36, 0.14], [0.25, 0.48, 0.18], ramp(stripes, 0.3, 0.7));
    let belly = 1.0 - ramp(p.y - 0.25 * ramp(p.x, 0.1, 0.4), 0.18, 0.34);
    let skin = mix(green, [0.62, 0.60, 0.36], 0.7 * belly);
    let plate = 1.0 - ramp(plates(p), 0.002, 0.010);
    let eye = 1.0 - ramp((q - Vec3::new(0.515, 0.862, 0.05)).length(), 0.016, 0.022);
    mix(mix(skin, [0.72, 0.30, 0.12], plate), [0.02, 0.02, 0.02], eye)
}
