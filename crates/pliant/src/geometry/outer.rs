//! The surface of what overlapping shells fill together: each wall that has material on one side only.
//!
//! A triangle that other shells go through is carved along them first, so that each piece is inside or outside as a whole;
//! of the others, those that share edges are alike.

use super::edges::EdgeTable;
use super::shells::Shells;
use super::surface_tree::SurfaceTree;
use super::{DisjointSets, Welded, median};
use glam::{DVec3, Vec3};

/// Parts of the mesh's size by which a place beside a wall is off it: well above rounding, well below any detail. Shells that
/// lie face to face are told apart so.
const BESIDE: f32 = 2e-5;

/// Pieces below this share of their triangle's size are nothing.
const LEAST: f64 = 1e-9;

/// The walls of a mesh that have material on one side only.
#[derive(Clone, Debug, Default)]
pub struct OuterSurface {
    /// Corners of each piece.
    pub corners: Vec<[Vec3; 3]>,
    /// The triangle of the source that it is of.
    pub triangle_of: Vec<u32>,
    /// Whether it is all of that.
    pub whole: Vec<bool>,
    /// What they enclose, in m³: overlaps count once.
    pub volume: f64,
}

impl OuterSurface {
    /// The outer surface of a mesh; none if no shells overlap, so that all of it is.
    pub fn new(mesh: &Welded) -> Option<Self> {
        let shells = Shells::overlapping(&mesh.positions, &mesh.triangles)?;
        let mut carved: Vec<Vec<u32>> = vec![Vec::new(); mesh.triangles.len()];
        for &[a, b] in &shells.meeting {
            carved[a as usize].push(b);
            carved[b as usize].push(a);
        }
        let (low, high) = median::bounds(mesh.positions.iter().copied().filter(|p| p.is_finite()));
        let found =
            Builder { shells: &shells, off: BESIDE * (high - low).length(), middle: 0.5 * (low + high) };
        let mut outer = Self::default();
        for patch in patches(mesh, &carved) {
            let Some(side) = found.side_of_patch(&patch) else { continue };
            for &triangle in &patch {
                outer.add(
                    shells.corners(triangle),
                    mesh.triangle_of[triangle as usize],
                    true,
                    side,
                    found.middle,
                );
            }
        }
        for (triangle, by) in carved.iter().enumerate().filter(|(_, by)| !by.is_empty()) {
            found.carve(triangle as u32, by, mesh.triangle_of[triangle], &mut outer);
        }
        let all = outer.corners.len() == mesh.triangles.len() && outer.whole.iter().all(|whole| *whole);
        (!all).then_some(outer)
    }

    /// The outer surface as a tree, whose triangles are those of the source.
    pub fn tree(&self) -> SurfaceTree {
        SurfaceTree::of_corners(self.corners.clone(), self.triangle_of.clone())
    }

    fn add(&mut self, corners: [Vec3; 3], triangle: u32, whole: bool, side: f64, middle: Vec3) {
        let [a, b, c] = corners.map(|p| (p - middle).as_dvec3());
        self.volume += side * a.dot(b.cross(c)) / 6.0;
        self.corners.push(corners);
        self.triangle_of.push(triangle);
        self.whole.push(whole);
    }
}

/// Triangles that no other shell goes through, in parts that share edges.
fn patches(mesh: &Welded, carved: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let edges = EdgeTable::new(&mesh.triangles);
    let mut sets = DisjointSets::new(mesh.triangles.len());
    let whole = |t: u32| carved[t as usize].is_empty();
    for edge in &edges.edges {
        for pair in edges.uses_of(edge).windows(2).filter(|pair| pair.iter().all(|u| whole(u.triangle))) {
            sets.join(pair[0].triangle, pair[1].triangle);
        }
    }
    let found = sets.components();
    let mut patches = vec![Vec::new(); found.count];
    let finite = |t: u32| mesh.triangles[t as usize].iter().all(|&v| mesh.positions[v as usize].is_finite());
    for triangle in (0..mesh.triangles.len() as u32).filter(|&t| whole(t) && finite(t)) {
        patches[found.of_member[triangle as usize] as usize].push(triangle);
    }
    patches.retain(|patch| !patch.is_empty());
    patches
}

struct Builder<'a> {
    shells: &'a Shells<'a>,
    off: f32,
    middle: Vec3,
}

impl Builder<'_> {
    /// On which side of a wall of a shell its material is: 1 behind it, −1 in front; none if on both or, as at loose sheets in
    /// a cavity, on neither.
    fn side(&self, shell: u32, place: Vec3, normal: Vec3) -> Option<f64> {
        let front = self.shells.front(shell);
        let before = self.shells.around(shell, place + normal * self.off) + front;
        let behind = self.shells.around(shell, place - normal * self.off) + front + 1;
        match (before == 0, behind == 0) {
            (true, false) => Some(1.0),
            (false, true) => Some(-1.0),
            (true, true) => Some(0.0),
            (false, false) => None,
        }
    }

    /// The same for triangles that are alike, by the largest of them.
    fn side_of_patch(&self, patch: &[u32]) -> Option<f64> {
        let across = |&t: &u32| {
            let [a, b, c] = self.shells.corners(t);
            (b - a).cross(c - a)
        };
        let size = |t: &u32| across(t).length_squared();
        let largest = patch.iter().max_by(|a, b| size(a).total_cmp(&size(b)).then(b.cmp(a)))?;
        let place = self.shells.corners(*largest).iter().sum::<Vec3>() / 3.0;
        self.side(self.shells.of_triangle[*largest as usize], place, across(largest).normalize_or_zero())
    }

    /// Adds those pieces of a triangle that have material on one side only.
    fn carve(&self, triangle: u32, by: &[u32], source: u32, outer: &mut OuterSurface) {
        let corners = self.shells.corners(triangle).map(|p| p.as_dvec3());
        let shell = self.shells.of_triangle[triangle as usize];
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
        let mut waiting = vec![(corners.to_vec(), 0)];
        while let Some((piece, mut next)) = waiting.pop() {
            let halves = loop {
                let Some(&other) = by.get(next) else { break None };
                let other = self.shells.corners(other).map(|p| p.as_dvec3());
                next += 1;
                if runs_through(&piece, normal, &other) {
                    break Some(halves(&piece, &other));
                }
            };
            if let Some(halves) = halves {
                waiting.extend(halves.into_iter().filter(|half| half.len() > 2).map(|half| (half, next)));
                continue;
            }
            let place = piece.iter().sum::<DVec3>() / piece.len() as f64;
            let Some(side) = self.side(shell, place.as_vec3(), normal.as_vec3()) else { continue };
            for i in 1..piece.len() - 1 {
                let fan = [piece[0], piece[i], piece[i + 1]].map(|p| p.as_vec3());
                outer.add(fan, source, false, side, self.middle);
            }
        }
    }
}

/// Whether a triangle runs through a convex piece of a plane.
fn runs_through(piece: &[DVec3], normal: DVec3, other: &[DVec3; 3]) -> bool {
    let heights = other.map(|p| (p - piece[0]).dot(normal));
    let mut ends = [DVec3::ZERO; 2];
    let mut count = 0;
    for i in 0..3 {
        let j = (i + 1) % 3;
        if (heights[i] >= 0.0) != (heights[j] >= 0.0) && count < 2 {
            ends[count] = other[i] + (other[j] - other[i]) * (heights[i] / (heights[i] - heights[j]));
            count += 1;
        }
    }
    if count < 2 {
        return false;
    }
    // What is left of the way between both ends, side by side.
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (i, &a) in piece.iter().enumerate() {
        let inward = normal.cross(piece[(i + 1) % piece.len()] - a);
        let [from, to] = ends.map(|end| (end - a).dot(inward));
        if from < 0.0 && to < 0.0 {
            return false;
        }
        if from < 0.0 {
            first = first.max(from / (from - to));
        } else if to < 0.0 {
            last = last.min(from / (from - to));
        }
    }
    let size = piece.iter().map(|p| p.distance(piece[0])).fold(0.0, f64::max);
    (last - first) * ends[0].distance(ends[1]) > LEAST * size
}

/// Both parts of a convex piece beside the plane of a triangle.
fn halves(piece: &[DVec3], other: &[DVec3; 3]) -> [Vec<DVec3>; 2] {
    let normal = (other[1] - other[0]).cross(other[2] - other[0]).normalize_or_zero();
    let size = piece.iter().map(|p| p.distance(piece[0])).fold(0.0, f64::max);
    let height = |p: DVec3| {
        let height = (p - other[0]).dot(normal);
        if height.abs() < LEAST * size { 0.0 } else { height }
    };
    let mut parts = [Vec::new(), Vec::new()];
    for (i, &a) in piece.iter().enumerate() {
        let b = piece[(i + 1) % piece.len()];
        let (from, to) = (height(a), height(b));
        if from >= 0.0 {
            parts[0].push(a);
        }
        if from <= 0.0 {
            parts[1].push(a);
        }
        if from * to < 0.0 {
            let between = a + (b - a) * (from / (from - to));
            parts.iter_mut().for_each(|part| part.push(between));
        }
    }
    parts
}
