//! The tetrahedra: those of the lattice that are inside, and of those that the surface cuts, what is inside.
//!
//! Based on \[LS07\] §3 (stencils, the parity rule) and §4 (cells of several sizes).

use super::bcc::{Bcc, Side};
use super::cell_tree::{Cell, CellTree};
use super::{Solid, StuffingError};
use crate::geometry::{TetMesh, TetQuality};
use crate::par;
use glam::IVec3;
use std::f64::consts::PI;

/// Bounds of the dihedral angles in radians, as the paper has them.
const ANGLES: [f64; 2] = [10.7 * PI / 180.0, 164.8 * PI / 180.0];
/// Cells a task takes.
const CELLS: usize = 256;
/// Corners of the high face across each axis, counter-clockwise seen from beyond it: bits of x, y and z.
const HIGH_FACES: [[usize; 4]; 3] = [[1, 3, 7, 5], [2, 6, 7, 3], [4, 5, 7, 6]];

/// All tetrahedra that are inside.
pub fn fill(solid: &impl Solid, tree: &CellTree, bcc: &Bcc) -> Result<TetMesh, StuffingError> {
    let mut parts: Vec<Filler<'_, _>> = Vec::new();
    parts.resize_with(tree.cells.len().div_ceil(CELLS), || Filler::new(solid, tree, bcc));
    par::for_each_indexed(&mut parts, 1, |part, filler| {
        for cell in part * CELLS..((part + 1) * CELLS).min(tree.cells.len()) {
            filler.fill(cell);
        }
    });
    if parts.iter().any(|part| part.unbalanced) {
        return Err(StuffingError::NotADistance);
    }
    let mut tetrahedra: Vec<[u32; 4]> = parts.into_iter().flat_map(|part| part.found).collect();
    let mut number: Vec<Option<u32>> = vec![None; bcc.positions.len() + bcc.cuts.len()];
    tetrahedra.iter().flatten().for_each(|&at| number[at as usize] = Some(0));
    let mut positions = Vec::new();
    for (at, number) in (0_u32..).zip(&mut number).filter(|(_, number)| number.is_some()) {
        *number = Some(positions.len() as u32);
        positions.push(bcc.position(at));
    }
    for corner in tetrahedra.iter_mut().flatten() {
        *corner = number[*corner as usize].unwrap_or(0);
    }
    Ok(TetMesh::new(positions, tetrahedra))
}

/// Fills some of the cells.
struct Filler<'a, S> {
    solid: &'a S,
    tree: &'a CellTree,
    bcc: &'a Bcc,
    /// Corners: points of the lattice, then cut points.
    found: Vec<[u32; 4]>,
    /// Whether cells that touch differ by more than one level.
    unbalanced: bool,
}

impl<'a, S: Solid> Filler<'a, S> {
    fn new(solid: &'a S, tree: &'a CellTree, bcc: &'a Bcc) -> Self {
        Self { solid, tree, bcc, found: Vec::new(), unbalanced: false }
    }

    /// The tetrahedra around the faces of a cell that it shares with cells as large, beyond it, and larger, on all sides.
    fn fill(&mut self, at: usize) {
        let cell = self.tree.cells[at];
        for axis in 0..3 {
            for high in [false, true] {
                let mut step = IVec3::ZERO;
                step[axis] = if high { cell.edge() } else { -cell.edge() };
                let beyond = cell.low + step;
                let larger = (beyond.div_euclid(IVec3::splat(2 * cell.edge()))) * (2 * cell.edge());
                if let Some(other) = self.tree.find(beyond, cell.level) {
                    if high {
                        self.around_face(at, other, axis);
                    }
                } else if let Some(other) = self.tree.find(larger, cell.level + 1) {
                    self.beside_larger(at, other, axis, high);
                } else {
                    self.unbalanced |= cell.level > 0 && !self.has_smaller(&cell, beyond, axis, high);
                }
            }
        }
    }

    /// Whether the cells beyond a face are all one level smaller.
    fn has_smaller(&self, cell: &Cell, beyond: IVec3, axis: usize, high: bool) -> bool {
        let half = cell.edge() / 2;
        (0..4).all(|n| {
            let mut low = beyond;
            low[axis] += if high { 0 } else { half };
            low[(axis + 1) % 3] += half * (n & 1);
            low[(axis + 2) % 3] += half * (n >> 1);
            self.tree.find(low, cell.level - 1).is_some()
        })
    }

    /// Around the face between two cells of one size: one tetrahedron an edge, or two where smaller cells divide the edge.
    fn around_face(&mut self, at: usize, beyond: usize, axis: usize) {
        let (points, level) = (self.bcc.of_cell[at], self.tree.cells[at].level);
        let centers = [points[8], self.bcc.of_cell[beyond][8]];
        for side in 0..4 {
            let [p, q] = [side, (side + 1) % 4].map(|corner| points[HIGH_FACES[axis][corner]]);
            match self.between(p, q).filter(|_| level > 0) {
                Some(middle) => {
                    self.unbalanced |=
                        level > 1 && self.between(p, middle).or(self.between(middle, q)).is_some();
                    self.add([centers[0], centers[1], p, middle]);
                    self.add([centers[0], centers[1], middle, q]);
                }
                None => self.add([centers[0], centers[1], p, q]),
            }
        }
    }

    /// The point in the middle of an edge, if there is one.
    fn between(&self, p: u32, q: u32) -> Option<u32> {
        let sum = self.bcc.places[p as usize] + self.bcc.places[q as usize];
        if sum.x & 1 | sum.y & 1 | sum.z & 1 == 1 { None } else { self.bcc.find(sum / 2) }
    }

    /// On both sides of the face between a cell and one twice as large: it is halved from the middle of the larger one's face.
    fn beside_larger(&mut self, at: usize, larger: usize, axis: usize, high: bool) {
        let (points, center) = (self.bcc.of_cell[at], self.bcc.of_cell[larger][8]);
        let mut face = HIGH_FACES[axis];
        if !high {
            face = face.map(|corner| corner ^ 1 << axis);
            face.reverse();
        }
        let face = face.map(|corner| points[corner]);
        let mut middle = self.tree.cells[larger].center();
        middle[axis] = self.bcc.places[face[0] as usize][axis];
        let is_middle = |point: &u32| self.bcc.places[*point as usize] == middle;
        let Some(first) = face.iter().position(is_middle) else {
            self.unbalanced = true;
            return;
        };
        let [a, b, c, d] = std::array::from_fn(|n| face[(first + n) % 4]);
        for [b, c] in [[b, c], [c, d]] {
            self.add([points[8], a, b, c]);
            self.add([center, a, c, b]);
        }
    }

    /// Adds what is inside of a tetrahedron of the lattice.
    fn add(&mut self, corners: [u32; 4]) {
        let sides = corners.map(|corner| self.bcc.sides[corner as usize]);
        let count = |side: Side| sides.iter().filter(|&&s| s == side).count();
        match (count(Side::Inside), count(Side::Outside)) {
            (0, 0) => self.add_on_surface(corners),
            (0, _) => {}
            (_, 0) => self.found.push(corners),
            (1, _) => self.add_corner(corners),
            (2, 1) => self.add_pyramid(corners),
            (2, _) => self.add_edge(corners),
            _ => self.add_three(corners),
        }
    }

    /// Four points on the surface: inside or outside as their center is.
    fn add_on_surface(&mut self, corners: [u32; 4]) {
        let positions = corners.map(|corner| self.bcc.positions[corner as usize]);
        let center = positions.iter().sum::<glam::DVec3>() * 0.25;
        let found = TetQuality::of(positions);
        let good = found.inverted == 0 && found.min_dihedral > ANGLES[0] && found.max_dihedral < ANGLES[1];
        if good && self.solid.is_inside(center.as_vec3()) {
            self.found.push(corners);
        }
    }

    /// The cut point between a corner inside and one outside, or the corner if it is on the surface.
    fn toward(&self, inside: u32, end: u32) -> u32 {
        match self.bcc.sides[end as usize] {
            Side::Outside => {
                self.bcc.cut(inside, end).map_or(inside, |cut| cut + self.bcc.positions.len() as u32)
            }
            _ => end,
        }
    }

    /// The corners, those inside first, then those outside, turned the same way around.
    fn sorted(&self, mut corners: [u32; 4]) -> [u32; 4] {
        let rank = |corner: u32| match self.bcc.sides[corner as usize] {
            Side::Inside => 0,
            Side::Outside => 1,
            Side::Surface => 2,
        };
        let mut odd = false;
        for end in (1..4).rev() {
            for at in 0..end {
                if rank(corners[at]) > rank(corners[at + 1]) {
                    corners.swap(at, at + 1);
                    odd = !odd;
                }
            }
        }
        // Two of a kind can always change places.
        if odd {
            let same = (0..3).find(|&at| rank(corners[at]) == rank(corners[at + 1])).unwrap_or(0);
            corners.swap(same, same + 1);
        }
        corners
    }

    /// One corner inside.
    fn add_corner(&mut self, corners: [u32; 4]) {
        let [a, b, c, d] = self.sorted(corners);
        self.found.push([a, self.toward(a, b), self.toward(a, c), self.toward(a, d)]);
    }

    /// Two corners inside, one outside and one on the surface.
    fn add_pyramid(&mut self, corners: [u32; 4]) {
        let [a, b, c, d] = self.sorted(corners);
        let [ac, bc] = [self.toward(a, c), self.toward(b, c)];
        if self.diagonal_from_first(a, b, c) {
            self.found.extend([[a, b, bc, d], [a, bc, ac, d]]);
        } else {
            self.found.extend([[a, b, ac, d], [b, bc, ac, d]]);
        }
    }

    /// Two corners inside, two outside.
    fn add_edge(&mut self, corners: [u32; 4]) {
        let [a, b, c, d] = self.sorted(corners);
        let from_a = [self.diagonal_from_first(a, b, c), self.diagonal_from_first(a, b, d)];
        // The face of cut points is nobody else's: its diagonal is the one that does not run in a ring with the others.
        let diagonals = [from_a[0], !from_a[0], !from_a[1]];
        let first = [a, self.toward(a, c), self.toward(a, d)];
        self.add_prism(first, [b, self.toward(b, c), self.toward(b, d)], diagonals);
    }

    /// Three corners inside, one outside.
    fn add_three(&mut self, corners: [u32; 4]) {
        let [a, b, c, d] = self.sorted(corners);
        let inside = [a, b, c];
        let diagonals = std::array::from_fn(|n| self.diagonal_from_first(inside[n], inside[(n + 1) % 3], d));
        self.add_prism(inside, inside.map(|corner| self.toward(corner, d)), diagonals);
    }

    /// A prism between two triangles. `diagonals[n]` says that side `n` is divided from corner `n` of the first triangle to corner
    /// `n + 1` of the second one, not the other way.
    fn add_prism(&mut self, first: [u32; 3], second: [u32; 3], diagonals: [bool; 3]) {
        // A corner of the first triangle where two diagonals begin: there is one unless they run in a ring.
        let Some(start) = (0..3).find(|&n| diagonals[n] && !diagonals[(n + 2) % 3]) else { return };
        let turned = |n: usize| (start + n) % 3;
        let [p0, p1, p2] = [0, 1, 2].map(|n| first[turned(n)]);
        let [q0, q1, q2] = [0, 1, 2].map(|n| second[turned(n)]);
        self.found.push([p0, q0, q1, q2]);
        if diagonals[turned(1)] {
            self.found.extend([[p0, p1, p2, q2], [p0, p1, q2, q1]]);
        } else {
            self.found.extend([[p0, p1, p2, q1], [p0, p2, q2, q1]]);
        }
    }

    /// Whether the diagonal of the face of two corners inside and one outside begins at the first of them; the tetrahedron beyond the face
    /// decides alike. It ends at the cut point of the long edge; where both cut edges are short, the parity of coordinates decides.
    fn diagonal_from_first(&self, a: u32, b: u32, c: u32) -> bool {
        let [a, b, c] = [a, b, c].map(|point| self.bcc.places[point as usize]);
        if (b - c).element_product() == 0 {
            return true;
        }
        if (a - c).element_product() == 0 {
            return false;
        }
        a.cmpgt(c).bitmask().count_ones() % 2 == 0
    }
}
