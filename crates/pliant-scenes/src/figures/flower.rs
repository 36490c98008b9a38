//! A flower with separate petals.

use super::sdf::{carve, ellipsoid, join, lens, mix, ramp, slab};
use super::surface_nets::{Settings, extract, grounded, painted};
use pliant::geometry::TriMesh;
use pliant::glam::{Vec2, Vec3};
use pliant::math::functions::{hypot, sin, sin_cos};
use pliant::math::{quat_from_rotation_x, quat_from_rotation_y};
use std::f32::consts::TAU;

/// A flower one metre tall that looks up and along +z, with `resolution` cells along its height; petals
/// need about 90.
pub fn flower(resolution: usize) -> TriMesh {
    let settings = Settings {
        lo: Vec3::new(-0.36, -0.02, -0.15),
        hi: Vec3::new(0.36, 1.06, 0.43),
        resolution,
        relax_rounds: 16,
        // Smoothing would roughen the thin rims.
        smooth_rounds: 0,
    };
    // Petals thinner than the grid would be lost.
    let half = (1.08 / resolution.max(4) as f32 * 0.75).clamp(THIN, 0.03);
    grounded(painted(extract(&settings, |p| distance(p, half)), |p| color(p, half)))
}

const PETALS: usize = 8;

/// Half the thickness of petals and leaves on a fine grid, in metres.
const THIN: f32 = 0.0115;

/// How much steeper than the others each petal rises: no two neighbours are alike.
const LIFT: [f32; PETALS] = [0.05, -0.06, 0.02, -0.02, 0.07, -0.04, 0.03, -0.07];

/// Where the stem ends in the blossom, in metres.
const TOP: f32 = 0.76;

/// Height on the stem, direction around it, length and half width of each leaf.
const LEAVES: [[f32; 4]; 3] =
    [[0.17, 0.25, 0.29, 0.056], [0.29, 3.50, 0.27, 0.052], [0.42, 0.80, 0.20, 0.042]];

/// Slope of a leaf's halves across it.
const FOLD: f32 = 0.35;

fn distance(p: Vec3, half: f32) -> f32 {
    let green = LEAVES.iter().fold(stem(p, half), |all, leaf| join(all, self::leaf(p, *leaf, half), 0.03));
    let q = blossom(p);
    let cup = ellipsoid(q + Vec3::Y * 0.022, Vec3::new(0.062, 0.045, 0.062));
    let head = join(join(green, cup, 0.05), middle(q), 0.02);
    // A clean cut to stand on.
    carve(join(head, petals(q, half), 0.012), p.y, 0.01)
}

/// Where the stem is at a height: an S that leans forward at its top.
fn spine(y: f32) -> Vec3 {
    let t = y / TOP;
    Vec3::new(0.035 * sin(t * TAU * 0.9), y, 0.02 * sin(t * TAU * 0.5) + 0.14 * t * t * t)
}

fn stem(p: Vec3, half: f32) -> f32 {
    let y = p.y.clamp(-0.05, TOP);
    let along = (spine(y + 0.005) - spine(y - 0.005)) / 0.01;
    let off = p - spine(y);
    // The slanted tube is thinner across than on the level.
    let slant = along.y / along.length();
    let radius = half * 1.9 + 0.012 * ramp(-y, -0.10, 0.0);
    Vec3::new(off.x * slant, off.y, off.z * slant).length() - radius
}

/// A pointed leaf that rises from the stem and droops at its tip.
fn leaf(p: Vec3, [height, direction, length, wide]: [f32; 4], half: f32) -> f32 {
    let q = quat_from_rotation_y(direction) * (p - spine(height));
    let x = q.x.clamp(0.0, length);
    let (rise, droop) = (1.1, 1.45 / length);
    let slope = rise - droop * x;
    // Folded along its middle rib.
    let fold = FOLD * (Vec2::new(q.z, 0.012).length() - 0.012);
    let level = q.y - (rise * x - 0.5 * droop * x * x) - fold;
    let flat = lens(Vec2::new(q.x - 0.5 * length, q.z), 0.5 * length, wide) - half;
    slab(flat, level / (1.0 + slope * slope + FOLD * FOLD).sqrt(), half)
}

/// A point as the blossom sees it, its middle at zero and its axis along y.
fn blossom(p: Vec3) -> Vec3 {
    quat_from_rotation_x(-0.75) * (p - spine(TOP) - Vec3::new(0.0, 0.025, 0.015))
}

fn middle(q: Vec3) -> f32 {
    ellipsoid(q - Vec3::Y * 0.018, Vec3::new(0.078, 0.042, 0.078))
}

fn petals(q: Vec3, half: f32) -> f32 {
    let one = |i: usize| {
        let (sin, cos) = sin_cos(i as f32 / PETALS as f32 * TAU);
        petal(Vec3::new(q.x * cos + q.z * sin, q.y, q.z * cos - q.x * sin), LIFT[i], half)
    };
    (0..PETALS).map(one).fold(f32::INFINITY, |all, petal| join(all, petal, 0.016))
}

/// A petal along x, round at its tip and narrow at its root.
fn petal(q: Vec3, lift: f32, half: f32) -> f32 {
    let x = q.x.clamp(0.0, 0.30);
    // Rises, then bends outward; its rims are higher than its middle.
    let slope = 0.42 + lift - 1.3 * x;
    let level = q.y - (0.42 + lift) * x + 0.65 * x * x - 1.6 * q.z * q.z + 0.012;
    // Narrower where the grid is coarse and the petals thick, which keeps the gaps open.
    let wide = 0.057 * (0.42 + 0.78 * ramp(x, 0.05, 0.25)) - (half - THIN);
    let flat = ellipsoid(Vec3::new(q.x - 0.162, 0.0, q.z), Vec3::new(0.120, 1.0, wide));
    slab(flat, level / (1.0 + slope * slope).sqrt(), half)
}

/// Green below, coral petals with golden roots, a brown middle with a yellow rim.
fn color(p: Vec3, half: f32) -> [f32; 3] {
    let q = blossom(p);
    let radius = hypot(q.x, q.z);
    let green = mix([0.05, 0.17, 0.03], [0.14, 0.36, 0.05], ramp(p.y, 0.0, 0.7));
    let petal = mix([0.95, 0.42, 0.03], [0.86, 0.10, 0.06], ramp(radius, 0.07, 0.17));
    let disc = mix([0.16, 0.05, 0.01], [0.80, 0.42, 0.02], ramp(radius, 0.03, 0.07));
    let (petals, middle) = (petals(q, half), middle(q));
    let blossom = mix(disc, petal, ramp(middle - petals, -0.004, 0.004));
    let below = ramp(petals.min(middle), 0.004, 0.012);
    mix(blossom, green, below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant::math::functions::sin_cos;

    #[test]
    fn petals_are_apart() {
        for (i, radius) in (0..PETALS).flat_map(|i| [0.10, 0.14, 0.18, 0.24].map(|radius| (i, radius))) {
            let (sin, cos) = sin_cos((i as f32 + 0.5) / PETALS as f32 * TAU);
            let heights = (-50..150).map(|mm| mm as f32 * 0.001);
            let nearest = heights
                .map(|y| petals(Vec3::new(radius * cos, y, radius * sin), THIN))
                .fold(f32::INFINITY, f32::min);
            assert!(nearest > 0.008, "gap {i} at {radius} m: {nearest}");
        }
    }
}
