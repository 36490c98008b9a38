//! How well shaped the elements of a tetrahedral mesh are.

use super::TetMesh;
use crate::math::functions::{atan2, cube};
use crate::par;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// The edges of a tetrahedron, each with the two corners that are not on it.
const EDGES: [[usize; 4]; 6] =
    [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]];

/// A tetrahedron with less volume than this share of the cube of its longest edge is degenerate: positions in `f32` do not tell which
/// way around it is.
const FLAT: f64 = 1e-6;

/// The worst elements of a tetrahedral mesh.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TetQuality {
    /// The smallest dihedral angle in radians.
    pub min_dihedral: f64,
    /// The largest dihedral angle in radians.
    pub max_dihedral: f64,
    /// The smallest ratio of three inradii to the circumradius: 1 for a regular tetrahedron, 0 for a flat one.
    pub worst_radius_ratio: f64,
    /// Tetrahedra with negative volume.
    pub inverted: usize,
    /// Tetrahedra with next to no volume for their size.
    pub degenerate: usize,
}

impl TetQuality {
    /// What is worse of two.
    fn with(self, other: Self) -> Self {
        Self {
            min_dihedral: self.min_dihedral.min(other.min_dihedral),
            max_dihedral: self.max_dihedral.max(other.max_dihedral),
            worst_radius_ratio: self.worst_radius_ratio.min(other.worst_radius_ratio),
            inverted: self.inverted + other.inverted,
            degenerate: self.degenerate + other.degenerate,
        }
    }

    /// The quality of one tetrahedron.
    pub fn of(corners: [DVec3; 4]) -> Self {
        let [a, b, c, d] = corners;
        let volume = (b - a).cross(c - a).dot(d - a) / 6.0;
        let angles = EDGES.map(|edge| dihedral(edge.map(|corner| corners[corner])));
        let longest = EDGES.map(|[i, j, ..]| corners[i].distance(corners[j])).into_iter().fold(0.0, f64::max);
        let flat = volume.abs() <= FLAT * cube(longest);
        Self {
            min_dihedral: angles.into_iter().fold(PI, f64::min),
            max_dihedral: angles.into_iter().fold(0.0, f64::max),
            worst_radius_ratio: if flat { 0.0 } else { radius_ratio(corners, volume.abs()) },
            inverted: usize::from(volume < 0.0 && !flat),
            degenerate: usize::from(flat),
        }
    }
}

/// The angle between the faces at the edge from `a` to `b`; `c` and `d` are their third corners.
fn dihedral([a, b, c, d]: [DVec3; 4]) -> f64 {
    let along = (b - a).normalize_or_zero();
    let [u, v] = [c - a, d - a].map(|side| side - along * side.dot(along));
    atan2(u.cross(v).length(), u.dot(v))
}

/// Three inradii divided by the circumradius.
fn radius_ratio([a, b, c, d]: [DVec3; 4], volume: f64) -> f64 {
    let area = |p: DVec3, q: DVec3, r: DVec3| 0.5 * (q - p).cross(r - p).length();
    let areas = area(b, c, d) + area(a, c, d) + area(a, b, d) + area(a, b, c);
    let [u, v, w] = [b - a, c - a, d - a];
    let center =
        v.cross(w) * u.length_squared() + w.cross(u) * v.length_squared() + u.cross(v) * w.length_squared();
    let circumradius = center.length() / (12.0 * volume);
    9.0 * volume / (areas * circumradius)
}

impl TetMesh {
    /// The worst angles and shapes; `None` without tetrahedra.
    pub fn quality(&self) -> Option<TetQuality> {
        let of = |range: std::ops::Range<usize>| {
            range.map(|tetrahedron| TetQuality::of(self.corners(tetrahedron))).reduce(TetQuality::with)
        };
        let worse = |a: Option<TetQuality>, b: Option<TetQuality>| match (a, b) {
            (Some(a), Some(b)) => Some(a.with(b)),
            (a, b) => a.or(b),
        };
        par::reduce(0..self.tetrahedra.len(), &of, &worse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::functions::acos;
    use glam::Vec3;

    fn of(corners: [[f32; 3]; 4]) -> TetQuality {
        TetMesh::new(corners.map(Vec3::from_array).to_vec(), vec![[0, 1, 2, 3]]).quality().unwrap()
    }

    #[test]
    fn a_regular_tetrahedron_is_the_best_there_is() {
        let found = of([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]]);
        let angle = acos(1.0_f64 / 3.0);
        assert!((found.min_dihedral - angle).abs() < 1e-6 && (found.max_dihedral - angle).abs() < 1e-6);
        assert!((found.worst_radius_ratio - 1.0).abs() < 1e-6);
        assert_eq!((found.inverted + found.degenerate), 0);
    }

    #[test]
    fn what_is_inverted_or_flat_is_counted() {
        let corner = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let right = of(corner);
        assert!((right.max_dihedral - PI / 2.0).abs() < 1e-6 && right.inverted == 0);
        // The inradius is 1 / (3 + √3), the circumradius √3 / 2.
        let expected = 3.0 / (3.0 + 3.0_f64.sqrt()) / (3.0_f64.sqrt() / 2.0);
        assert!((right.worst_radius_ratio - expected).abs() < 1e-6);
        let [a, b, c, d] = corner;
        assert_eq!(of([b, a, c, d]).inverted, 1);
        let flat = of([a, b, c, [1.0, 1.0, 0.0]]);
        assert_eq!((flat.degenerate, flat.inverted, flat.worst_radius_ratio), (1, 0, 0.0));
        assert_eq!(TetMesh::default().quality(), None);
    }
}
