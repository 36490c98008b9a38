//! An elephant.

use super::sdf::{chain, ellipsoid, join, mix, ramp, rod, turned_ellipsoid};
use super::surface_nets::{Settings, extract, grounded, painted};
use pliant::geometry::TriMesh;
use pliant::glam::Vec3;
use pliant::math::{quat_from_rotation_y, quat_from_rotation_z};

/// An elephant that looks along +x, its trunk hanging free, with `resolution` cells along its length.
pub fn elephant(resolution: usize) -> TriMesh {
    let settings = Settings {
        lo: SIZE * Vec3::new(-0.62, -0.02, -0.44),
        hi: SIZE * Vec3::new(0.80, 1.02, 0.44),
        resolution,
        ..Settings::default()
    };
    grounded(painted(extract(&settings, |p| SIZE * distance(p / SIZE)), |p| color(p / SIZE)))
}

/// What the lengths below are multiplied by: it measures about a metre.
const SIZE: f32 = 0.8;

fn tusk(q: Vec3) -> f32 {
    let points = [
        (Vec3::new(0.44, 0.62, 0.115), 0.030),
        (Vec3::new(0.58, 0.53, 0.150), 0.026),
        (Vec3::new(0.69, 0.545, 0.155), 0.018),
    ];
    chain(q, &points)
}

fn distance(p: Vec3) -> f32 {
    // Left and right are alike.
    let q = Vec3::new(p.x, p.y, p.z.abs());
    let body = ellipsoid(p - Vec3::new(-0.10, 0.61, 0.0), Vec3::new(0.37, 0.255, 0.225));
    let back = ellipsoid(p - Vec3::new(-0.16, 0.68, 0.0), Vec3::new(0.24, 0.21, 0.17));
    let head = ellipsoid(p - Vec3::new(0.33, 0.74, 0.0), Vec3::new(0.165, 0.185, 0.15));
    let brow = ellipsoid(q - Vec3::new(0.37, 0.85, 0.055), Vec3::new(0.085, 0.07, 0.06));
    let trunk = chain(
        p,
        &[
            (Vec3::new(0.43, 0.70, 0.0), 0.088),
            (Vec3::new(0.55, 0.58, 0.0), 0.068),
            (Vec3::new(0.61, 0.44, 0.0), 0.056),
            (Vec3::new(0.63, 0.30, 0.0), 0.047),
            (Vec3::new(0.65, 0.19, 0.0), 0.041),
            (Vec3::new(0.71, 0.13, 0.0), 0.036),
        ],
    );
    let ear = turned_ellipsoid(
        q,
        Vec3::new(0.24, 0.76, 0.235),
        Vec3::new(0.15, 0.18, 0.036),
        quat_from_rotation_y(0.7) * quat_from_rotation_z(0.25),
    );
    let front = rod(q, Vec3::new(0.14, 0.52, 0.125), Vec3::new(0.16, 0.06, 0.125), 0.095, 0.082);
    let hind = rod(q, Vec3::new(-0.33, 0.55, 0.125), Vec3::new(-0.32, 0.06, 0.125), 0.105, 0.082);
    let tail = chain(
        p,
        &[
            (Vec3::new(-0.44, 0.66, 0.0), 0.032),
            (Vec3::new(-0.52, 0.55, 0.0), 0.024),
            (Vec3::new(-0.54, 0.40, 0.0), 0.022),
        ],
    );
    let tuft = ellipsoid(p - Vec3::new(-0.54, 0.36, 0.0), Vec3::new(0.034, 0.06, 0.034));
    let all = join(join(body, back, 0.1), join(head, brow, 0.06), 0.1);
    let all = join(join(all, trunk, 0.07), join(front, hind, 0.02), 0.07);
    let all = join(join(all, ear, 0.03), join(tail, tuft, 0.02), 0.03);
    let all = join(all, tusk(q), 0.015);
    // Flat soles.
    -join(-all, p.y - 0.005, 0.02)
}

fn color(p: Vec3) -> [f32; 3] {
    let q = Vec3::new(p.x, p.y, p.z.abs());
    let hide = mix([0.30, 0.29, 0.31], [0.40, 0.38, 0.39], ramp(p.y, 0.2, 0.9));
    let ivory = 1.0 - ramp(tusk(q), 0.004, 0.012);
    let out = ramp(p.x, 0.47, 0.5);
    let eye = 1.0 - ramp((q - Vec3::new(0.425, 0.775, 0.125)).length(), 0.026, 0.034);
    mix(mix(hide, [0.88, 0.84, 0.72], ivory * out), [0.04, 0.03, 0.03], eye)
}
