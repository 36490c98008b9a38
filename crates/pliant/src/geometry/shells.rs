//! The shells of a mesh, which of them overlap, and what hangs together by that.
//!
//! A shell is a part of a surface that shares no vertex with the rest. Characters of games are built of them: an arm is a shell
//! that ends inside the torso's. What they fill together is where the winding number is not 0, so a shell that faces inward
//! inside another is a cavity of it, and two that overlap are one piece of material.

use super::disjoint_sets::{Components, DisjointSets};
use super::edges::components_by_vertex;
use super::median;
use super::surface_tree::{SurfaceTree, met};
use super::winding::WindingTree;
use glam::Vec3;

/// The shells of a mesh, whose vertices should be welded.
pub struct Shells<'a> {
    positions: &'a [Vec3],
    triangles: &'a [[u32; 3]],
    /// The shell of each triangle.
    pub of_triangle: Vec<u32>,
    shells: Vec<Shell>,
    /// Pairs of triangles of different shells that go through each other, the lower first, sorted.
    pub meeting: Vec<[u32; 2]>,
}

/// One of them.
struct Shell {
    low: Vec3,
    high: Vec3,
    winding: WindingTree,
    /// Its largest triangle stands for it.
    largest: u32,
    /// What it encloses in m³, below 0 if it faces inward.
    volume: f64,
}

impl<'a> Shells<'a> {
    /// The shells of a mesh; none if there is nothing that could overlap: no two shells whose boxes do.
    pub fn overlapping(positions: &'a [Vec3], triangles: &'a [[u32; 3]]) -> Option<Self> {
        let parts = components_by_vertex(triangles);
        if parts.count < 2 {
            return None;
        }
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); parts.count];
        let corners = |t: u32| triangles[t as usize].map(|v| positions[v as usize]);
        for triangle in 0..triangles.len() as u32 {
            if corners(triangle).iter().all(|p| p.is_finite()) {
                members[parts.of_member[triangle as usize] as usize].push(triangle);
            }
        }
        let around = |own: &Vec<u32>| median::bounds(own.iter().flat_map(|&t| corners(t)));
        let boxes: Vec<(Vec3, Vec3)> = members.iter().map(around).collect();
        let apart =
            |a: usize, b: usize| boxes[a].0.cmpgt(boxes[b].1).any() || boxes[b].0.cmpgt(boxes[a].1).any();
        if (0..boxes.len()).all(|a| (0..a).all(|b| apart(a, b))) {
            return None;
        }
        let mut found = Self {
            positions,
            triangles,
            of_triangle: parts.of_member,
            shells: Vec::new(),
            meeting: Vec::new(),
        };
        found.shells = members.iter().zip(&boxes).map(|(own, &bounds)| found.shell(own, bounds)).collect();
        found.find_meeting();
        Some(found)
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|v| self.positions[v as usize])
    }

    /// The shell of some triangles within a box.
    fn shell(&self, own: &[u32], (low, high): (Vec3, Vec3)) -> Shell {
        let triangles: Vec<[u32; 3]> = own.iter().map(|&t| self.triangles[t as usize]).collect();
        let area = |t: u32| {
            let [a, b, c] = self.corners(t);
            (b - a).cross(c - a).length_squared()
        };
        let largest = own.iter().copied().max_by(|&a, &b| area(a).total_cmp(&area(b)).then(b.cmp(&a)));
        let middle = (low * 0.5 + high * 0.5).as_dvec3();
        let span = |&t: &u32| {
            let [a, b, c] = self.corners(t).map(|p| p.as_dvec3() - middle);
            a.dot(b.cross(c)) / 6.0
        };
        let winding = WindingTree::new(self.positions, &triangles);
        Shell { low, high, winding, largest: largest.unwrap_or(0), volume: own.iter().map(span).sum() }
    }

    fn find_meeting(&mut self) {
        let tree = SurfaceTree::new(self.positions, self.triangles);
        let (mut near, mut meeting) = (Vec::new(), Vec::new());
        for triangle in 0..self.triangles.len() as u32 {
            let corners = self.corners(triangle);
            let (low, high) = median::bounds(corners.into_iter());
            if !(low.is_finite() && high.is_finite()) {
                continue;
            }
            tree.within(low, high, &mut near);
            let own = self.of_triangle[triangle as usize];
            let other = |t: &u32| *t > triangle && self.of_triangle[*t as usize] != own;
            let found = near.iter().copied().filter(other).filter(|&t| meet(&corners, &self.corners(t)));
            meeting.extend(found.map(|other| [triangle, other]));
        }
        meeting.sort_unstable();
        self.meeting = meeting;
    }

    /// How often the other shells wind around a place at a shell.
    pub fn around(&self, shell: u32, place: Vec3) -> i32 {
        let near = |s: &Shell| place.cmpge(s.low).all() && place.cmple(s.high).all();
        let others = self.shells.iter().enumerate().filter(|(s, other)| *s != shell as usize && near(other));
        others.map(|(_, other)| other.winding.winding(place).round() as i32).sum()
    }

    /// How often a shell itself winds around the places in front of it; behind it is one more.
    pub fn front(&self, shell: u32) -> i32 {
        if self.shells[shell as usize].volume < 0.0 { -1 } else { 0 }
    }

    /// Whether a shell lies wholly in the material of others, and of which the innermost is.
    fn embedded(&self, shell: u32) -> Option<u32> {
        let corners = self.corners(self.shells[shell as usize].largest);
        let place = corners.iter().sum::<Vec3>() / 3.0;
        let around = |s: &u32| self.shells[*s as usize].winding.winding(place).abs() > 0.5;
        let volume = |s: u32| self.shells[s as usize].volume.abs();
        let others = (0..self.shells.len() as u32).filter(|&s| s != shell).filter(around);
        let innermost = others.min_by(|&a, &b| volume(a).total_cmp(&volume(b)));
        innermost.filter(|_| self.around(shell, place) != 0)
    }

    /// What hangs together: shells that meet, and those that lie in the material of another. And how many of them do either
    /// without being a cavity.
    pub fn bodies(&self) -> (Components, usize) {
        let mut sets = DisjointSets::new(self.shells.len());
        let mut overlaps = vec![false; self.shells.len()];
        for pair in &self.meeting {
            let [a, b] = pair.map(|t| self.of_triangle[t as usize]);
            sets.join(a, b);
            (overlaps[a as usize], overlaps[b as usize]) = (true, true);
        }
        for shell in 0..self.shells.len() as u32 {
            if let Some(other) = self.embedded(shell) {
                sets.join(shell, other);
                if self.front(shell) == 0 {
                    (overlaps[shell as usize], overlaps[other as usize]) = (true, true);
                }
            }
        }
        (sets.components(), overlaps.iter().filter(|overlaps| **overlaps).count())
    }
}

/// Parts of a surface that share vertices, or overlap, or are inside each other's material.
pub(crate) fn components_by_material(positions: &[Vec3], triangles: &[[u32; 3]]) -> Components {
    let Some(shells) = Shells::overlapping(positions, triangles) else {
        return components_by_vertex(triangles);
    };
    let bodies = shells.bodies().0;
    let of_member = shells.of_triangle.iter().map(|&shell| bodies.of_member[shell as usize]).collect();
    Components { count: bodies.count, of_member }
}

/// Whether an edge of one of two triangles goes through the other.
fn meet(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let pierces = |edges: &[Vec3; 3], through: &[Vec3; 3]| {
        (0..3).any(|i| {
            let (from, to) = (edges[i].as_dvec3(), edges[(i + 1) % 3].as_dvec3());
            met(through, from, to - from)
        })
    };
    pierces(a, b) || pierces(b, a)
}
