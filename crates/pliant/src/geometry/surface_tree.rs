//! Where a surface is: whether a segment meets it, and how far away it is.
//!
//! A median-split tree of boxes in depth-first order. Boxes are compared in `f32`; triangles are tested in `f64`, where
//! differences of `f32` coordinates are exact and products nearly so: a segment through an edge that two triangles share
//! meets at least one of them.

use super::median;
use crate::math::functions::square;
use glam::{DVec3, Vec3, Vec3A, swizzles::Vec3Swizzles};
use serde::{Deserialize, Serialize};

/// Triangles in a leaf of the tree: with more, short segments test too many; with fewer, the tree outgrows the cache.
const LEAF_TRIANGLES: usize = 4;

/// How far outside its edges a triangle is still met, as a share of its height: enough to close seams, too little to
/// notice.
const INCLUSIVE: f64 = 1e-6;

/// How much boxes are widened, as a share of the surface's size, so that rounding never hides what they hold.
const WIDER: f32 = 1e-6;

/// Nodes that can wait in a search: halves of `u32::MAX` triangles are at most this deep.
const DEEPEST: usize = 40;

/// A tree of triangles that answers questions about nearness.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SurfaceTree {
    /// Corners are relative to it, so that surfaces far from zero lose nothing.
    middle: Vec3,
    /// Corners of the triangles in tree order.
    corners: Vec<[Vec3; 3]>,
    /// Which triangle each of them is.
    triangle_of: Vec<u32>,
    /// In depth-first order: a node's first child follows it.
    nodes: Vec<Node>,
}

/// The triangle that was nearest to some point: where to begin if the next one is near that. It changes how long a search takes, never
/// what it finds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guess(Option<u32>);

/// A triangle that may be nearest to a point of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Its place in the tree.
    at: u32,
    /// Metres from the middle of the cell.
    away: f32,
}

impl Candidate {
    /// Metres from the middle of the cell; the first of them is the nearest to it.
    pub(crate) fn away(self) -> f32 {
        self.away
    }
}

/// A box around a group of triangles.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Node {
    centre: Vec3A,
    half: Vec3A,
    /// The node after this one's descendants.
    skip: u32,
    /// The first of its triangles.
    begin: u32,
    /// Its triangles if it is a leaf; zero for inner nodes.
    count: u32,
}

impl SurfaceTree {
    /// A tree over triangles; those that are not finite or name vertices that are not there are left out.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let at = |v: u32| positions.get(v as usize).copied().filter(|p| p.is_finite());
        let (mut found, mut triangle_of): (Vec<[Vec3; 3]>, Vec<u32>) = (Vec::new(), Vec::new());
        for (t, &[a, b, c]) in triangles.iter().enumerate() {
            if let (Some(a), Some(b), Some(c)) = (at(a), at(b), at(c)) {
                found.push([a, b, c]);
                triangle_of.push(t as u32);
            }
        }
        Self::of_corners(found, triangle_of)
    }

    /// A tree over triangles with finite corners, and what each of them is called.
    pub(super) fn of_corners(mut found: Vec<[Vec3; 3]>, triangle_of: Vec<u32>) -> Self {
        let start = found.first().map_or(Vec3::ZERO, |t| t[0]);
        let (low, high) = found.iter().flatten().fold((start, start), |(lo, hi), p| (lo.min(*p), hi.max(*p)));
        let middle = low * 0.5 + high * 0.5;
        found.iter_mut().flatten().for_each(|p| *p -= middle);
        let mut order: Vec<u32> = (0..found.len() as u32).collect();
        let mut nodes = Vec::with_capacity(4 * found.len() / LEAF_TRIANGLES + 1);
        if !order.is_empty() {
            let wider = WIDER * (high * 0.5 - low * 0.5).max_element();
            build(&found, &mut order, 0, wider, &mut nodes);
        }
        let corners = order.iter().map(|&t| found[t as usize]).collect();
        let triangle_of = order.iter().map(|&t| triangle_of[t as usize]).collect();
        Self { middle, corners, triangle_of, nodes }
    }

    /// Whether the segment from `a` to `b` meets a triangle; its ends and the triangles' edges count.
    ///
    /// Which end comes first does not matter. A segment in the plane of a triangle does not meet it, nor does anything
    /// meet a triangle without area.
    pub fn crosses(&self, a: Vec3, b: Vec3) -> bool {
        let (a, b) = if follows(a, b) { (b, a) } else { (a, b) };
        let (a, b) = (a - self.middle, b - self.middle);
        let (centre, half) = (Vec3A::from((a + b) * 0.5), Vec3A::from((b - a) * 0.5));
        let (from, along) = (a.as_dvec3(), b.as_dvec3() - a.as_dvec3());
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !node.meets(centre, half) {
                at = node.skip as usize;
                continue;
            }
            let begin = node.begin as usize;
            if self.corners[begin..begin + node.count as usize].iter().any(|t| met(t, from, along)) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Where the segment from `a` to `b` first goes through the surface: which part of the way it is, and the triangle.
    ///
    /// An end that lies in a triangle's plane counts as in front of it: so of the ways that lead away from a point on the
    /// surface just those cross that go to the back, and nothing can slip through at such a point.
    pub fn crossing(&self, a: Vec3, b: Vec3) -> Option<(f32, u32)> {
        let (a, b) = (a - self.middle, b - self.middle);
        let (centre, half) = (Vec3A::from((a + b) * 0.5), Vec3A::from((b - a) * 0.5));
        let (from, along) = (a.as_dvec3(), b.as_dvec3() - a.as_dvec3());
        let mut best: Option<(f64, u32)> = None;
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !node.meets(centre, half) {
                at = node.skip as usize;
                continue;
            }
            for t in node.begin as usize..(node.begin + node.count) as usize {
                let hit = crossed(&self.corners[t], from, along).map(|share| (share, self.triangle_of[t]));
                best = match (best, hit) {
                    (Some(best), Some(hit)) if best <= hit => Some(best),
                    (best, hit) => hit.or(best),
                };
            }
            at += 1;
        }
        best.map(|(share, triangle)| (share as f32, triangle))
    }

    /// The triangles that may reach into a box, in the order of the tree.
    pub(super) fn within(&self, low: Vec3, high: Vec3, found: &mut Vec<u32>) {
        found.clear();
        let (low, high) = (Vec3A::from(low - self.middle), Vec3A::from(high - self.middle));
        let (centre, half) = ((low + high) * 0.5, (high - low) * 0.5);
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if (node.centre - centre).abs().cmpgt(node.half + half).any() {
                at = node.skip as usize;
                continue;
            }
            found.extend(&self.triangle_of[node.begin as usize..(node.begin + node.count) as usize]);
            at += 1;
        }
    }

    /// Low and high corner of a box around the surface; none if it has no triangles.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let root = self.nodes.first()?;
        Some((
            Vec3::from(root.centre - root.half) + self.middle,
            Vec3::from(root.centre + root.half) + self.middle,
        ))
    }

    /// How far `point` is from the nearest triangle; infinite if there is none.
    pub fn distance(&self, point: Vec3) -> f32 {
        let found = self.search(point, f64::INFINITY, &mut Guess::default());
        found.map_or(f32::INFINITY, |(square, ..)| square.sqrt() as f32)
    }

    /// How far `point` is from the nearest triangle, or `limit` if there is none nearer: soon found out.
    pub fn distance_up_to(&self, point: Vec3, limit: f32) -> f32 {
        let square = square(f64::from(limit));
        let found = self.search(point, square, &mut Guess::default());
        found.map_or(limit, |(square, ..)| (square.sqrt() as f32).min(limit))
    }

    /// The nearest triangle, of equally near ones the first, and the nearest point on it.
    pub fn nearest(&self, point: Vec3) -> Option<(u32, Vec3)> {
        self.nearest_from(&mut Guess::default(), point)
    }

    /// As [`nearest`](Self::nearest), sooner found if the guess is good; the next one is made of it.
    pub(crate) fn nearest_from(&self, guess: &mut Guess, point: Vec3) -> Option<(u32, Vec3)> {
        let found = self.search(point, f64::INFINITY, guess);
        found.map(|(_, triangle, nearest)| (triangle, nearest + self.middle))
    }

    /// The square of the distance, the triangle and the point relative to the middle, of what may be nearer than `limit`, a
    /// square.
    fn search(&self, point: Vec3, limit: f64, guess: &mut Guess) -> Option<(f64, u32, Vec3)> {
        let point = point - self.middle;
        let (exact, place) = (point.as_dvec3(), Vec3A::from(point));
        let candidate = |t: usize, limit: f64| self.candidate(t, exact, limit);
        let guessed = guess.0.map(|t| t as usize).filter(|&t| t < self.corners.len());
        let mut best = guessed.and_then(|t| candidate(t, limit));
        let mut waiting = [(0_u32, 0.0_f32); DEEPEST];
        let mut count = usize::from(!self.nodes.is_empty());
        while count > 0 {
            count -= 1;
            let (at, square) = waiting[count];
            // The box's distance is rounded; an equally near triangle with a lower index must not be lost to that.
            let nearest = best.map_or(limit, |(nearest, ..)| nearest);
            if f64::from(square) * (1.0 - 1e-6) > nearest {
                continue;
            }
            let node = &self.nodes[at as usize];
            if node.count == 0 {
                let left = at + 1;
                let right = self.nodes[left as usize].skip;
                let [l, r] = [left, right].map(|n| (n, self.nodes[n as usize].square_distance(place)));
                let (near, far) = if r.1 < l.1 { (r, l) } else { (l, r) };
                waiting[count] = far;
                waiting[count + 1] = near;
                count += 2;
            }
            for t in node.begin as usize..(node.begin + node.count) as usize {
                let nearest = best.map_or(limit, |(nearest, ..)| nearest);
                let Some((square, triangle, nearest)) = candidate(t, nearest) else { continue };
                if best.is_none_or(|(least, of, _)| (square, triangle) < (least, of)) {
                    best = Some((square, triangle, nearest));
                    guess.0 = Some(t as u32);
                }
            }
        }
        best.map(|(square, triangle, nearest)| (square, triangle, nearest.as_vec3()))
    }

    /// The square of the distance of a triangle, by its place in the tree, from a point relative to the middle, if it may be nearer than
    /// `limit`, a square; which triangle it is; and its nearest point.
    fn candidate(&self, at: usize, point: DVec3, limit: f64) -> Option<(f64, u32, DVec3)> {
        let nearest = nearest_within(self.corners[at].map(|c| c.as_dvec3()), point, limit)?;
        Some((nearest.distance_squared(point), self.triangle_of[at], nearest))
    }

    /// The triangles of which one is nearest to any point within a radius of `middle`, nearest to that first; none if they are more than
    /// `most`.
    pub(crate) fn nearest_within(&self, middle: Vec3, radius: f32, most: usize) -> Option<Vec<Candidate>> {
        let limit = 1.0001 * (self.distance(middle) + 2.0 * radius);
        let (middle, square) = (middle - self.middle, limit * limit);
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if node.square_distance(middle.into()) > square {
                at = node.skip as usize;
                continue;
            }
            for t in node.begin..node.begin + node.count {
                if let Some((away2, ..)) = self.candidate(t as usize, middle.as_dvec3(), f64::from(square)) {
                    found.push(Candidate { at: t, away: away2.sqrt() as f32 });
                }
            }
            if found.len() > 4 * most {
                return None;
            }
            at += 1;
        }
        found.retain(|candidate| candidate.away <= limit);
        found.sort_by(|a, b| a.away.total_cmp(&b.away).then(a.at.cmp(&b.at)));
        (found.len() <= most).then_some(found)
    }

    /// Which triangle a candidate is.
    pub(crate) fn triangle(&self, candidate: Candidate) -> u32 {
        self.triangle_of[candidate.at as usize]
    }
}

impl Node {
    /// Whether a segment with this middle and half may meet the box, by separating axes.
    fn meets(&self, middle: Vec3A, half: Vec3A) -> bool {
        let to = middle - self.centre;
        let reach = half.abs();
        if (to.abs().cmpgt(self.half + reach)).any() {
            return false;
        }
        let cross = to.cross(half).abs();
        let most = self.half.yzx() * reach.zxy() + self.half.zxy() * reach.yzx();
        // The margin covers the rounding of a cross product that cancels.
        let margin = 1e-6 * to.abs().max_element() * reach.max_element();
        !cross.cmpgt(most + margin).any()
    }

    fn square_distance(&self, point: Vec3A) -> f32 {
        ((point - self.centre).abs() - self.half).max(Vec3A::ZERO).length_squared()
    }
}

/// Whether `a` comes after `b` in an order that is the same for all.
fn follows(a: Vec3, b: Vec3) -> bool {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)).is_gt()
}

/// Whether the segment meets the triangle: the volumes it spans with the edges have one sign, and its ends lie on
/// different sides.
pub(super) fn met(corners: &[Vec3; 3], from: DVec3, along: DVec3) -> bool {
    let [a, b, c] = corners.map(|p| p.as_dvec3() - from);
    // The plane first: most segments that come near a triangle do not reach it.
    let normal = (b - a).cross(c - a);
    let through = -along.dot(normal);
    let (size, sign) = (through.abs(), through.signum());
    let least = -INCLUSIVE * size;
    // The share of the segment before the plane, times `through`.
    let before = -a.dot(normal) * sign;
    // Also leaves out NaN.
    if !(size > 0.0 && before >= least && before <= size - least) {
        return false;
    }
    let (u, v, w) = (along.dot(c.cross(b)), along.dot(a.cross(c)), along.dot(b.cross(a)));
    u * sign >= least && v * sign >= least && w * sign >= least
}

/// The share of a segment before a triangle that it goes through; see [`SurfaceTree::crossing`].
fn crossed(corners: &[Vec3; 3], from: DVec3, along: DVec3) -> Option<f64> {
    let [a, b, c] = corners.map(|p| p.as_dvec3() - from);
    let normal = (b - a).cross(c - a);
    let (here, there) = (-a.dot(normal), along.dot(normal) - a.dot(normal));
    if (here >= 0.0) == (there >= 0.0) {
        return None;
    }
    let through = here - there;
    let (size, sign) = (through.abs(), through.signum());
    let least = -INCLUSIVE * size;
    let (u, v, w) = (along.dot(c.cross(b)), along.dot(a.cross(c)), along.dot(b.cross(a)));
    let within = u * sign >= least && v * sign >= least && w * sign >= least;
    within.then(|| here / through)
}

/// The point of a triangle that is nearest to `point`. A triangle without area is its edges.
pub(super) fn nearest_on(corners: [DVec3; 3], point: DVec3) -> DVec3 {
    nearest_within(corners, point, f64::INFINITY).unwrap_or(corners[0])
}

/// As [`nearest_on`]; none if its plane, or what is beside an edge, says that it is farther away than `limit`, a square.
fn nearest_within([a, b, c]: [DVec3; 3], point: DVec3, limit: f64) -> Option<DVec3> {
    let normal = (b - a).cross(c - a);
    let (area2, height) = (normal.length_squared(), (point - a).dot(normal));
    // Lengths times that of the normal.
    let most = limit * area2 * (1.0 + 1e-6);
    if square(height) > most {
        return None;
    }
    let mut within = area2 > 0.0;
    for (from, to) in [(a, b), (b, c), (c, a)] {
        let along = to - from;
        let inward = along.cross(point - from).dot(normal);
        let inside = inward >= 0.0;
        if !inside && square(inward) > most * along.length_squared() {
            return None;
        }
        within &= inside;
    }
    if within {
        return Some(point - normal * (height / area2));
    }
    let on_edge = |from: DVec3, to: DVec3| {
        let along = to - from;
        let share = (point - from).dot(along) / along.length_squared();
        // An edge without length, whose share is NaN, is its start.
        from + along * if share > 0.0 { share.min(1.0) } else { 0.0 }
    };
    let mut nearest = on_edge(a, b);
    for other in [on_edge(b, c), on_edge(c, a)] {
        if other.distance_squared(point) < nearest.distance_squared(point) {
            nearest = other;
        }
    }
    Some(nearest)
}

/// Adds the node of `order` and those below it; `order` is sorted into tree order.
fn build(corners: &[[Vec3; 3]], order: &mut [u32], begin: u32, wider: f32, nodes: &mut Vec<Node>) {
    let at = nodes.len();
    let (low, high) = median::bounds(order.iter().flat_map(|&t| corners[t as usize]));
    let leaf = order.len() <= LEAF_TRIANGLES;
    nodes.push(Node {
        centre: Vec3A::from((low + high) * 0.5),
        half: Vec3A::from((high - low) * 0.5 + wider),
        skip: 0,
        begin,
        count: if leaf { order.len() as u32 } else { 0 },
    });
    if !leaf {
        let (left, right) = median::halves(corners, order);
        let second = begin + left.len() as u32;
        build(corners, left, begin, wider, nodes);
        build(corners, right, second, wider, nodes);
    }
    nodes[at].skip = nodes.len() as u32;
}
