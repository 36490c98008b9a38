//! A hand with five thin, separate fingers.

use super::sdf::{carve, chain, join, rod, turned_ellipsoid};
use super::surface_nets::{Settings, extract, grounded};
use pliant::geometry::TriMesh;
use pliant::glam::Vec3;
use pliant::math::quat_from_rotation_z;

/// A right hand that stands on its wrist, palm toward +z, with `resolution` cells along its height.
pub fn hand(resolution: usize) -> TriMesh {
    let settings = Settings {
        lo: Vec3::new(-0.42, -0.02, -0.14),
        hi: Vec3::new(0.46, 1.06, 0.22),
        resolution,
        ..Settings::default()
    };
    grounded(extract(&settings, distance))
}

/// Root x and y, tip x and y, thickness of index, middle, ring and little finger.
const FINGERS: [[f32; 5]; 4] = [
    [0.150, 0.53, 0.245, 0.92, 0.046],
    [0.050, 0.56, 0.065, 1.00, 0.048],
    [-0.050, 0.54, -0.105, 0.94, 0.045],
    [-0.140, 0.49, -0.265, 0.80, 0.040],
];

fn distance(p: Vec3) -> f32 {
    let wrist = chain_flat(
        p,
        &[
            (Vec3::new(0.0, -0.2, 0.0), 0.155),
            (Vec3::new(0.0, 0.10, 0.0), 0.125),
            (Vec3::new(0.0, 0.24, 0.0), 0.14),
        ],
        0.72,
    );
    let knuckle = |x: f32, y: f32| Vec3::new(x, y, 0.0);
    let heel = Vec3::new(0.0, 0.20, 0.0);
    let bones =
        FINGERS.map(|[x, y, ..]| rod(p, heel + Vec3::X * x * 0.6, knuckle(x, y - 0.05), 0.075, 0.058));
    let palm = bones.into_iter().fold(wrist, |all, bone| join(all, bone, 0.10));
    let ball = turned_ellipsoid(
        p,
        Vec3::new(0.13, 0.27, 0.045),
        Vec3::new(0.075, 0.14, 0.065),
        quat_from_rotation_z(-0.45),
    );
    let palm = join(palm, ball, 0.08);
    let thumb = chain(
        p,
        &[
            (Vec3::new(0.14, 0.26, 0.04), 0.062),
            (Vec3::new(0.255, 0.40, 0.075), 0.053),
            (Vec3::new(0.325, 0.505, 0.080), 0.049),
            (Vec3::new(0.375, 0.60, 0.070), 0.042),
        ],
    );
    let mut all = join(palm, thumb, 0.05);
    for [x, y, tip_x, tip_y, r] in FINGERS {
        // Three bones, bent a little toward the palm.
        let root = Vec3::new(x, y - 0.06, 0.0);
        let tip = Vec3::new(tip_x, tip_y, 0.0);
        let at = |t: f32| root.lerp(tip, t) + Vec3::Z * (0.075 * t * t);
        let finger =
            chain(p, &[(at(0.0), r * 1.12), (at(0.46), r * 1.0), (at(0.74), r * 0.95), (at(0.97), r * 0.80)]);
        all = join(all, finger, 0.035);
    }
    // A clean cut through the wrist to stand on.
    carve(all, p.y, 0.04)
}

/// A chain that is flatter along z.
fn chain_flat(p: Vec3, points: &[(Vec3, f32)], flat: f32) -> f32 {
    chain(Vec3::new(p.x, p.y, p.z / flat), points) * flat
}
