//! A trout.

use super::sdf::{chain, curve, ellipsoid, join, mix, plate, ramp, rod};
use super::surface_nets::{Settings, extract, grounded, painted};
use pliant::geometry::TriMesh;
use pliant::glam::{Vec2, Vec3};
use pliant::math::functions::exp;

/// A trout one metre long that swims along +x, with `resolution` cells along it; fins need about 40.
pub fn fish(resolution: usize) -> TriMesh {
    let settings = Settings {
        lo: Vec3::new(-0.54, -0.24, -0.12),
        hi: Vec3::new(0.54, 0.26, 0.12),
        resolution,
        smooth_rounds: 14,
        ..Settings::default()
    };
    // Fins thinner than the grid would be lost.
    let half = (1.08 / resolution.max(4) as f32 * 0.75).clamp(0.009, 0.03);
    grounded(painted(extract(&settings, |p| distance(p, half)), color))
}

/// Half height of the body along the spine.
const HEIGHT: &[(f32, f32)] = &[
    (-0.46, 0.030),
    (-0.36, 0.044),
    (-0.20, 0.088),
    (0.0, 0.126),
    (0.16, 0.132),
    (0.30, 0.110),
    (0.40, 0.080),
    (0.47, 0.048),
    (0.492, 0.030),
    (0.505, 0.012),
];

/// Half width of the body along the spine.
const WIDTH: &[(f32, f32)] = &[
    (-0.46, 0.018),
    (-0.36, 0.026),
    (-0.20, 0.050),
    (0.0, 0.072),
    (0.16, 0.080),
    (0.30, 0.074),
    (0.40, 0.058),
    (0.47, 0.036),
    (0.492, 0.024),
    (0.505, 0.010),
];

fn distance(p: Vec3, half: f32) -> f32 {
    let fin = |points: &[(f32, f32)], q: Vec3| {
        let polygon: Vec<Vec2> = points.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
        plate(q, &polygon, half)
    };
    let tail = tail(p, half);
    let dorsal = fin(&[(0.14, 0.09), (0.08, 0.205), (0.03, 0.232), (-0.06, 0.180), (-0.11, 0.08)], p);
    let adipose = fin(&[(-0.22, 0.05), (-0.27, 0.122), (-0.33, 0.128), (-0.32, 0.03)], p);
    let anal = fin(&[(-0.12, -0.08), (-0.18, -0.170), (-0.25, -0.190), (-0.27, -0.04)], p);
    let pelvic = paired(p, Vec3::new(0.02, -0.10, 0.035), 0.10, half);
    let pectoral = paired(p, Vec3::new(0.27, -0.055, 0.058), 0.12, half);
    let body = body(p);
    let fins = [tail, dorsal, adipose, anal, pelvic, pectoral];
    fins.iter().fold(body, |all, fin| join(all, *fin, 0.035))
}

/// Two lobes and the web between them, flat.
fn tail(p: Vec3, half: f32) -> f32 {
    // Above and below are alike. Squeezed along z, a round rod becomes a flat one.
    let flat = half / 0.036;
    let q = Vec3::new(p.x, p.y.abs(), p.z / flat);
    let root = Vec3::new(-0.40, 0.005, 0.0);
    let lobe = chain(
        q,
        &[(root, 0.034), (Vec3::new(-0.455, 0.085, 0.0), 0.042), (Vec3::new(-0.512, 0.165, 0.0), 0.030)],
    );
    let web = rod(q, root, Vec3::new(-0.455, 0.03, 0.0), 0.034, 0.036);
    join(lobe, web, 0.03) * flat.min(1.0)
}

/// Elliptical cross-sections along the spine, with eyes.
fn body(p: Vec3) -> f32 {
    let x = p.x.clamp(-0.46, 0.505);
    let (h, w) = (curve(x, HEIGHT), curve(x, WIDTH));
    let off = Vec3::new(p.x - x, p.y + 0.012 * ramp(p.x, 0.2, 0.5), p.z);
    let section = Vec2::new(off.y / h, off.z / w).length();
    let tube = (section - 1.0) * h.min(w);
    let body = if off.x == 0.0 { tube } else { Vec2::new(off.x, tube.max(0.0)).length() - 0.006 };
    let eye = ellipsoid(Vec3::new(p.x - 0.405, p.y - 0.022, p.z.abs() - 0.046), Vec3::splat(0.024));
    join(body, eye, 0.012)
}

/// A fin on each side that points back, down and out.
fn paired(p: Vec3, root: Vec3, length: f32, half: f32) -> f32 {
    let q = Vec3::new(p.x, p.y, p.z.abs()) - root;
    let along = Vec3::new(-0.72, -0.52, 0.46).normalize();
    let out = along.cross(Vec3::new(-0.4, 0.8, 0.2)).normalize();
    let up = out.cross(along);
    let local = Vec3::new(q.dot(along) - 0.5 * length, q.dot(up), q.dot(out));
    ellipsoid(local, Vec3::new(0.62 * length, 0.30 * length, 1.25 * half))
}

/// Olive back, silver sides with a rosy band, pale belly, dark eyes.
fn color(p: Vec3) -> [f32; 3] {
    let back = [0.13, 0.17, 0.07];
    let side = [0.52, 0.50, 0.40];
    let belly = [0.85, 0.80, 0.68];
    let fins = [0.50, 0.30, 0.14];
    let height = curve(p.x, HEIGHT);
    let level = p.y / height;
    let mut c = mix(mix(belly, side, ramp(level, -0.8, -0.15)), back, ramp(level, 0.15, 0.85));
    let band = exp(-(level + 0.02) * (level + 0.02) * 14.0) * ramp(p.x, -0.45, -0.2);
    c = mix(c, [0.72, 0.22, 0.20], 0.6 * band);
    let off_body = Vec2::new(level, p.z / curve(p.x, WIDTH)).length();
    c = mix(c, fins, ramp(off_body, 1.12, 1.35).max(ramp(-p.x, 0.43, 0.47)));
    let eye = Vec3::new(p.x - 0.405, p.y - 0.022, p.z.abs() - 0.06).length();
    mix([0.01, 0.01, 0.01], c, ramp(eye, 0.020, 0.030))
}
