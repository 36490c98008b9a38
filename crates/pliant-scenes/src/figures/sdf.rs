//! Distance functions that figures are built from: negative inside, and roughly in metres near the surface.

use pliant::glam::{Quat, Vec2, Vec3};

/// An ellipsoid around the origin; exact on the surface, good near it.
pub fn ellipsoid(p: Vec3, radii: Vec3) -> f32 {
    let k0 = (p / radii).length();
    let k1 = (p / (radii * radii)).length();
    if k1 > 1e-12 { k0 * (k0 - 1.0) / k1 } else { -radii.min_element() }
}

/// An ellipsoid with a middle and a turn.
pub fn turned_ellipsoid(p: Vec3, middle: Vec3, radii: Vec3, turn: Quat) -> f32 {
    ellipsoid(turn.inverse() * (p - middle), radii)
}

/// A rod with round ends of radius `ra` at `a` and `rb` at `b`.
pub fn rod(p: Vec3, a: Vec3, b: Vec3, ra: f32, rb: f32) -> f32 {
    let ab = b - a;
    let t = ((p - a).dot(ab) / ab.length_squared().max(1e-12)).clamp(0.0, 1.0);
    (p - a - ab * t).length() - (ra + (rb - ra) * t)
}

/// Rods through points with radii, as one.
pub fn chain(p: Vec3, points: &[(Vec3, f32)]) -> f32 {
    let rods = points.windows(2).map(|w| rod(p, w[0].0, w[1].0, w[0].1, w[1].1));
    rods.fold(f32::INFINITY, f32::min)
}

/// A flat plate in the xy plane: a polygon with thickness `2·half` along z and rounded rims.
pub fn plate(p: Vec3, polygon: &[Vec2], half: f32) -> f32 {
    slab(polygon_distance(Vec2::new(p.x, p.y), polygon), p.z, half)
}

/// A slab with thickness `2·half` and rounded rims: `flat` is the distance to its outline in its plane, `level` the
/// height above that plane.
pub fn slab(flat: f32, level: f32, half: f32) -> f32 {
    let across = Vec2::new(flat + half, level.abs());
    across.max(Vec2::ZERO).length() + across.x.max(across.y - half).min(0.0) - half
}

/// Distance to a lens around the origin of the plane, pointed at both ends of x.
pub fn lens(p: Vec2, half_length: f32, half_width: f32) -> f32 {
    let radius = (half_length * half_length / half_width + half_width) * 0.5;
    let (q, inward) = (p.abs(), radius - half_width);
    if (q.x - half_length) * inward > q.y * half_length {
        q.distance(Vec2::X * half_length)
    } else {
        (q + Vec2::Y * inward).length() - radius
    }
}

/// Distance to a simple polygon in the plane.
fn polygon_distance(p: Vec2, polygon: &[Vec2]) -> f32 {
    let (mut nearest, mut inside) = (f32::INFINITY, false);
    for (i, &a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        let (edge, to) = (b - a, p - a);
        let t = (to.dot(edge) / edge.length_squared().max(1e-12)).clamp(0.0, 1.0);
        nearest = nearest.min((to - edge * t).length_squared());
        if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
            inside = !inside;
        }
    }
    nearest.sqrt() * if inside { -1.0 } else { 1.0 }
}

/// Both, with a fillet about as wide as `k`.
pub fn join(a: f32, b: f32, k: f32) -> f32 {
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * k * 0.25
}

/// `a` without `b`, with a rounded rim about as wide as `k`.
pub fn carve(a: f32, b: f32, k: f32) -> f32 {
    -join(-a, b, k)
}

/// 0 below `lo`, 1 above `hi`, smooth between.
pub fn ramp(x: f32, lo: f32, hi: f32) -> f32 {
    let t = ((x - lo) / (hi - lo)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A smooth curve through `(x, value)` pairs in rising order of x; constant beyond the ends.
pub fn curve(x: f32, points: &[(f32, f32)]) -> f32 {
    let Some(next) = points.iter().position(|p| p.0 > x) else { return points.last().map_or(0.0, |p| p.1) };
    if next == 0 {
        return points[0].1;
    }
    let slope = |i: usize| {
        let (a, b) = (points[i.saturating_sub(1)], points[(i + 1).min(points.len() - 1)]);
        (b.1 - a.1) / (b.0 - a.0)
    };
    let (a, b) = (points[next - 1], points[next]);
    let width = b.0 - a.0;
    let t = (x - a.0) / width;
    let (ma, mb) = (slope(next - 1) * width, slope(next) * width);
    let (t2, t3) = (t * t, t * t * t);
    a.1 * (2.0 * t3 - 3.0 * t2 + 1.0)
        + ma * (t3 - 2.0 * t2 + t)
        + b.1 * (3.0 * t2 - 2.0 * t3)
        + mb * (t3 - t2)
}

/// Mixes two colours.
pub fn mix(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    Vec3::from(a).lerp(Vec3::from(b), t).to_array()
}
