//! Triangles cut by the plane.
//!
//! A triangle with corners on both sides is cut where its edges cross; with a corner in the plane, at that corner. A
//! triangle that lies in the plane goes to the half whose solid it bounds, by the way it faces: otherwise a cut along
//! a step would leave a fin without thickness.

use super::ScissorsError;
use super::half::{Corner, HalfBuilder};
use super::section::{Section, Side};
use crate::geometry::{TriMesh, Welded};

/// Sorts all triangles, whole or in pieces, behind and in front of the plane.
pub(super) fn clip_triangles<'m>(
    mesh: &'m TriMesh,
    welded: &Welded,
    section: &mut Section,
) -> Result<[HalfBuilder<'m>; 2], ScissorsError> {
    let has = |wanted: Side| welded.triangles.iter().flatten().any(|&place| section.side(place) == wanted);
    if !has(Side::Behind) || !has(Side::Front) {
        return Err(ScissorsError::Misses);
    }
    let mut behind = HalfBuilder::new(mesh);
    let mut front = HalfBuilder::new(mesh);
    for (places, &source) in welded.triangles.iter().zip(&welded.triangle_of) {
        let drawn = mesh.triangles[source as usize];
        let corners = [0, 1, 2].map(|i| Corner::Vertex { place: places[i], vertex: drawn[i] });
        let sides = places.map(|place| section.side(place));
        let (any_behind, any_front) = (sides.contains(&Side::Behind), sides.contains(&Side::Front));
        match (any_behind, any_front) {
            (true, false) => behind.triangle(corners, source, section),
            (false, true) => front.triangle(corners, source, section),
            (false, false) if section.facing(*places) > 0.0 => behind.triangle(corners, source, section),
            (false, false) => front.triangle(corners, source, section),
            (true, true) => {
                let (below, above) = cut(*places, drawn, sides, section);
                behind.polygon(below, source, section);
                front.polygon(above, source, section);
            }
        }
    }
    Ok([behind, front])
}

/// A piece of a triangle: three or four corners.
#[derive(Default)]
struct Piece {
    corners: [Option<Corner>; 4],
    count: usize,
}

impl Piece {
    fn push(&mut self, corner: Corner) {
        if let Some(free) = self.corners.get_mut(self.count) {
            *free = Some(corner);
            self.count += 1;
        }
    }
}

/// Walks around a triangle and hands each corner to the piece it belongs to, those in the plane to both.
fn cut(places: [u32; 3], drawn: [u32; 3], sides: [Side; 3], section: &mut Section) -> (Piece, Piece) {
    let (mut behind, mut front) = (Piece::default(), Piece::default());
    for i in 0..3 {
        let j = (i + 1) % 3;
        let corner = Corner::Vertex { place: places[i], vertex: drawn[i] };
        if sides[i] != Side::Front {
            behind.push(corner);
        }
        if sides[i] != Side::Behind {
            front.push(corner);
        }
        let crosses = sides[i] != sides[j] && sides[i] != Side::In && sides[j] != Side::In;
        if crosses {
            let (low, high) = if places[i] < places[j] { (i, j) } else { (j, i) };
            let vertices = [drawn[low], drawn[high]];
            let at = section.crossing([places[low], places[high]], vertices);
            let corner = Corner::Edge { place: at.place, vertices, t: at.t };
            behind.push(corner);
            front.push(corner);
        }
    }
    (behind, front)
}

impl HalfBuilder<'_> {
    /// Adds a piece of a triangle; four corners are split along the shorter diagonal.
    fn polygon(&mut self, piece: Piece, source: u32, section: &Section) {
        match piece.corners {
            [Some(a), Some(b), Some(c), None] => self.triangle([a, b, c], source, section),
            [Some(a), Some(b), Some(c), Some(d)] => {
                let at = |corner: Corner| section.point(corner.place()).now;
                if at(a).distance_squared(at(c)) <= at(b).distance_squared(at(d)) {
                    self.triangle([a, b, c], source, section);
                    self.triangle([a, c, d], source, section);
                } else {
                    self.triangle([a, b, d], source, section);
                    self.triangle([b, c, d], source, section);
                }
            }
            _ => {}
        }
    }
}
