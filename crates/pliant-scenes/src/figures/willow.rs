//! A willow.

use super::sdf::{join, mix, ramp, rod};
use super::surface_nets::{Settings, extract, grounded, painted};
use pliant::geometry::TriMesh;
use pliant::glam::Vec3;
use pliant::math::functions::sin_cos;
use std::f32::consts::TAU;

/// A weeping willow with 32 hanging branches, none of which touches another, with `resolution` cells along its longest side.
pub fn willow(resolution: usize) -> TriMesh {
    let settings = Settings {
        lo: Vec3::new(-0.56, -0.02, -0.56),
        hi: Vec3::new(0.56, 1.08, 0.56),
        resolution,
        relax_rounds: 6,
        smooth_rounds: 1,
    };
    let tree = Tree::new();
    grounded(painted(extract(&settings, |p| tree.distance(p)), color))
}

/// Boughs around the stem, and the branches that hang from each.
const OUTER: [usize; 2] = [8, 3];
const INNER: [usize; 2] = [8, 1];

struct Tree {
    rods: Vec<(Vec3, Vec3, f32, f32)>,
    /// The box around each bough with its branches, and its rods.
    boughs: Vec<(Vec3, Vec3, std::ops::Range<usize>)>,
}

/// Around the stem, at a height.
fn around(turn: f32, radius: f32, height: f32) -> Vec3 {
    let (sin, cos) = sin_cos(turn);
    Vec3::new(radius * cos, height, radius * sin)
}

impl Tree {
    fn new() -> Self {
        let mut tree = Self { rods: Vec::new(), boughs: Vec::new() };
        for bough in 0..OUTER[0] {
            let turn = TAU * bough as f32 / OUTER[0] as f32;
            let lower = 0.03 * [0.0, 1.0, 0.4, 1.4][bough % 4];
            tree.bough(
                turn,
                [0.20, 0.70 + lower, 0.33, 0.79 + lower],
                OUTER[1],
                0.30,
                [0.46, 0.14 + 2.0 * lower],
            );
        }
        for bough in 0..INNER[0] {
            // They hang between the outer boughs.
            let turn = TAU * (bough as f32 + 0.5) / INNER[0] as f32;
            let lower = 0.025 * [0.0, 1.0, 0.5][bough % 3];
            tree.bough(
                turn,
                [0.09, 0.88 + lower, 0.15, 0.98 + lower],
                INNER[1],
                0.40,
                [0.26, 0.42 + 2.0 * lower],
            );
        }
        tree
    }

    /// A bough that rises to `[r, y, r, y]` and is divided into branches `apart` radians from each other, which hang down to `[r, y]`.
    fn bough(&mut self, turn: f32, rise: [f32; 4], branches: usize, apart: f32, end: [f32; 2]) {
        let first = self.rods.len();
        let (middle, top) = (around(turn, rise[0], rise[1]), around(turn, rise[2], rise[3]));
        self.rods.push((Vec3::new(0.0, 0.52, 0.0), middle, 0.045, 0.032));
        self.rods.push((middle, top, 0.032, 0.025));
        for branch in 0..branches {
            let side = turn + apart * (branch as f32 - 0.5 * (branches as f32 - 1.0));
            let shorter = if branch % 2 == 0 { 0.07 } else { 0.0 };
            let bend = around(side, 0.5 * (rise[2] + end[0]) + 0.02, rise[3] + 0.01);
            let hang = around(side, end[0] - 0.01, rise[3] - 0.16);
            let tip = around(side, end[0], end[1] + shorter);
            self.rods.push((top, bend, 0.025, 0.021));
            self.rods.push((bend, hang, 0.021, 0.019));
            self.rods.push((hang, tip, 0.019, 0.016));
        }
        let ends = || self.rods[first..].iter().flat_map(|&(a, b, ..)| [a, b]);
        let low = ends().fold(Vec3::INFINITY, Vec3::min);
        let high = ends().fold(Vec3::NEG_INFINITY, Vec3::max);
        self.boughs.push((low, high, first..self.rods.len()));
    }

    fn distance(&self, p: Vec3) -> f32 {
        let stem = rod(p, Vec3::ZERO, Vec3::new(0.0, 0.56, 0.0), 0.085, 0.055);
        let root = rod(p, Vec3::new(0.0, -0.02, 0.0), Vec3::new(0.0, 0.06, 0.0), 0.13, 0.08);
        let mut nearest = join(stem, root, 0.06);
        for (low, high, rods) in &self.boughs {
            let outside = (p.clamp(*low, *high) - p).length() - 0.05;
            if outside < nearest {
                let of = |&(a, b, ra, rb): &(Vec3, Vec3, f32, f32)| rod(p, a, b, ra, rb);
                let bough =
                    self.rods[rods.clone()].iter().map(of).fold(f32::INFINITY, |a, b| join(a, b, 0.012));
                nearest = join(nearest, bough, 0.03);
            }
        }
        -join(-nearest, p.y, 0.02)
    }
}

fn color(p: Vec3) -> [f32; 3] {
    let out = Vec3::new(p.x, 0.0, p.z).length();
    let leaves = ramp(out, 0.10, 0.22);
    let bark = mix([0.22, 0.14, 0.08], [0.30, 0.21, 0.12], ramp(p.y, 0.0, 0.5));
    let green = mix([0.42, 0.60, 0.18], [0.18, 0.42, 0.12], ramp(p.y, 0.2, 0.9));
    mix(bark, green, leaves)
}
