//! Inside or outside, by the generalised winding number.
//!
//! Based on \[JKSH13\] (the number itself) and \[BDSLJ18\] (far triangles are seen as one dipole).
//!
//! Symbols: `w` winding number, `β` how many radii away a group counts as far, `p̃` its area-weighted centre.
//!
//! The number is 1 inside a closed outward-oriented surface, −1 inside an inside-out one, 0 outside; near holes and
//! overlaps it lies between, and a half is the best guess of the border.
//!
//! Deviations: groups come from a median-split tree of triangles, not from an octree; moments are the exact integrals
//! over the triangles.

use super::median;
use crate::math::functions::atan2;
use glam::{DVec3, Mat3, Vec3};
use std::f32::consts::PI;

/// `β`, as in \[BDSLJ18\]: errors stay below a hundredth. Smaller is faster and wrong near the border.
const FAR: f32 = 2.0;

/// Triangles in a leaf of the tree: below about 8 the tree costs more than it saves.
const LEAF_TRIANGLES: usize = 8;

/// A tree of triangles that answers how often the surface winds around a point.
///
/// Lengths are scaled to the bounding box, so any size of mesh will do.
#[derive(Clone, Debug)]
pub struct WindingTree {
    middle: DVec3,
    per_metre: f64,
    /// Corners of the triangles in tree order, scaled.
    corners: Vec<[Vec3; 3]>,
    /// In depth-first order: a node's first child follows it.
    nodes: Vec<Node>,
}

/// A group of triangles as seen from afar.
#[derive(Clone, Debug)]
struct Node {
    /// `p̃`.
    centre: Vec3,
    /// Square of the distance from which the group is far.
    far2: f32,
    /// Sum of area × normal.
    dipole: Vec3,
    /// Integral of (x − p̃) ⊗ normal.
    first: Mat3,
    /// Integral of (x − p̃) ⊗ (x − p̃) ⊗ normal, contracted once: what multiplies the direction itself.
    second_trace: Vec3,
    /// The same, as a cubic form of the direction: what multiplies `x_i² x_j` in row `i`, column `j`.
    second: Mat3,
    /// And what multiplies `x y z`.
    second_xyz: f32,
    /// The node after this one's descendants.
    skip: u32,
    /// The first of its triangles.
    begin: u32,
    /// Triangles to sum one by one when near; zero for inner nodes.
    count: u32,
}

impl WindingTree {
    /// A tree over triangles; those that are not finite or name vertices that are not there are left out.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let at = |v: u32| positions.get(v as usize).filter(|p| p.is_finite()).map(|p| p.as_dvec3());
        let found: Vec<[DVec3; 3]> =
            triangles.iter().filter_map(|&[a, b, c]| Some([at(a)?, at(b)?, at(c)?])).collect();
        let start = found.first().map_or(DVec3::ZERO, |t| t[0]);
        let (low, high) = found.iter().flatten().fold((start, start), |(lo, hi), p| (lo.min(*p), hi.max(*p)));
        let middle = (low + high) * 0.5;
        let half = high.distance(low) * 0.5;
        let per_metre = if half > 0.0 { 1.0 / half } else { 1.0 };
        let corners: Vec<[Vec3; 3]> =
            found.iter().map(|t| t.map(|p| ((p - middle) * per_metre).as_vec3())).collect();
        let mut order: Vec<u32> = (0..corners.len() as u32).collect();
        let mut nodes = Vec::with_capacity(2 * corners.len() / LEAF_TRIANGLES + 1);
        if !order.is_empty() {
            build(&corners, &mut order, 0, &mut nodes);
        }
        let corners = order.iter().map(|&t| corners[t as usize]).collect();
        Self { middle, per_metre, corners, nodes }
    }

    /// How often the surface winds around `point`.
    pub fn winding(&self, point: Vec3) -> f32 {
        let point = ((point.as_dvec3() - self.middle) * self.per_metre).as_vec3();
        let mut sum = 0.0;
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let to = node.centre - point;
            let square = to.length_squared();
            if square > node.far2 {
                sum += far_solid_angle(node, to, square);
                at = node.skip as usize;
            } else {
                let begin = node.begin as usize;
                for corners in &self.corners[begin..begin + node.count as usize] {
                    sum += solid_angle(corners.map(|c| c - point));
                }
                at += 1;
            }
        }
        sum / (4.0 * PI)
    }

    /// Whether `point` is inside, also of a surface that is inside out.
    pub fn is_inside(&self, point: Vec3) -> bool {
        self.winding(point).abs() > 0.5
    }
}

/// How often a surface winds around `point`, triangle by triangle: the slow twin of [`WindingTree::winding`].
pub fn winding_exact(positions: &[Vec3], triangles: &[[u32; 3]], point: Vec3) -> f64 {
    let angle = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| positions[v as usize].as_dvec3() - point.as_dvec3());
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * atan2(a.dot(b.cross(c)), below)
    };
    triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// The solid angle of a triangle seen from zero, \[OS83\].
fn solid_angle([a, b, c]: [Vec3; 3]) -> f32 {
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    // With edges, not corners: from afar corners are nearly parallel and their cross product cancels.
    let above = a.dot((b - a).cross(c - a));
    if above == 0.0 { 0.0 } else { 2.0 * atan2(above, below) }
}

/// The solid angle of a far group: a Taylor series of the dipole's field, \[BDSLJ18\].
fn far_solid_angle(node: &Node, to: Vec3, square: f32) -> f32 {
    let inverse2 = 1.0 / square;
    let inverse3 = inverse2 * inverse2.sqrt();
    let trace = node.first.x_axis.x + node.first.y_axis.y + node.first.z_axis.z;
    let first = trace - 3.0 * inverse2 * to.dot(node.first * to);
    let cubic = (to * to).dot(node.second * to) + node.second_xyz * to.x * to.y * to.z;
    let second = inverse2 * (7.5 * inverse2 * cubic - 1.5 * node.second_trace.dot(to));
    (node.dipole.dot(to) + first + second) * inverse3
}

/// Adds the node of `order` and those below it; `order` is sorted into tree order.
fn build(corners: &[[Vec3; 3]], order: &mut [u32], begin: u32, nodes: &mut Vec<Node>) {
    let at = nodes.len();
    let mut node = summarise(corners, order);
    node.begin = begin;
    let leaf = order.len() <= LEAF_TRIANGLES;
    node.count = if leaf { order.len() as u32 } else { 0 };
    nodes.push(node);
    if !leaf {
        let (left, right) = median::halves(corners, order);
        let second = begin + left.len() as u32;
        build(corners, left, begin, nodes);
        build(corners, right, second, nodes);
    }
    nodes[at].skip = nodes.len() as u32;
}

/// The moments of a group of triangles.
fn summarise(corners: &[[Vec3; 3]], group: &[u32]) -> Node {
    let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a) * 0.5;
    let triangles = || group.iter().map(|&t| corners[t as usize]);
    let (mut centre, mut area) = (Vec3::ZERO, 0.0);
    for t in triangles() {
        let size = normal(t).length();
        centre += (t[0] + t[1] + t[2]) * (size / 3.0);
        area += size;
    }
    centre = if area > 0.0 { centre / area } else { corners[group[0] as usize][0] };
    let mut node = Node {
        centre,
        far2: 0.0,
        dipole: Vec3::ZERO,
        first: Mat3::ZERO,
        second_trace: Vec3::ZERO,
        second: Mat3::ZERO,
        second_xyz: 0.0,
        skip: 0,
        begin: 0,
        count: 0,
    };
    for t in triangles() {
        let n = normal(t);
        let [a, b, c] = t.map(|p| p - centre);
        let sum = a + b + c;
        let outer = |v: Vec3, w: Vec3| Mat3::from_cols(v * w.x, v * w.y, v * w.z);
        // The mean of x ⊗ x over the triangle.
        let mean = (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * (1.0 / 12.0);
        node.dipole += n;
        node.first += outer(sum / 3.0, n);
        node.second_trace += n * mean.diagonal().element_sum() + 2.0 * (mean * n);
        // x_i² x_j gathers (i, i, j), (i, j, i) and (j, i, i); on the diagonal they are one.
        let mixed = Mat3::from_cols_array_2d(&std::array::from_fn(|j| {
            std::array::from_fn(|i| {
                let square = mean.col(i)[i] * n[j];
                if i == j { square } else { square + 2.0 * mean.col(j)[i] * n[i] }
            })
        }));
        node.second += mixed;
        node.second_xyz += 2.0 * (mean.y_axis.z * n.x + mean.z_axis.x * n.y + mean.x_axis.y * n.z);
        for corner in [a, b, c] {
            node.far2 = node.far2.max(FAR * FAR * corner.length_squared());
        }
    }
    node
}
