//! Where the points inside a cap are at rest, and how its vertices face.
//!
//! A cap is plane now, and not at rest. What moves its rim from now to rest is split into the affine map nearest to
//! it and what remains; the remainder is spread over the inside so that each point has the mean of its neighbours.
//! So a body that is only moved, turned or sheared gets its cap back exactly.

use crate::geometry::Lists;
use glam::{DMat2, DVec2, DVec3};

/// Sweeps over the points, to and fro. They reach some ten points inward; farther in, the remainder is small anyway.
const SWEEPS: usize = 40;

/// A remainder below this share of the cap's size is rounding.
const ROUNDING: f64 = 1e-9;

/// A determinant below this share of the squared trace has no inverse worth using: the rim is a line.
const FLAT: f64 = 1e-12;

/// The displacement that is affine in the plane's coordinates and fits that of the rim best.
struct Affine {
    centre: DVec2,
    offset: DVec3,
    slope: [DVec3; 2],
}

impl Affine {
    fn fit(flat: &[DVec2], displacement: &[DVec3]) -> Self {
        let share = 1.0 / flat.len().max(1) as f64;
        let centre = flat.iter().sum::<DVec2>() * share;
        let offset = displacement.iter().sum::<DVec3>() * share;
        let (mut moments, mut right, mut up) = (DMat2::ZERO, DVec3::ZERO, DVec3::ZERO);
        for (p, u) in flat.iter().zip(displacement) {
            let (arm, u) = (*p - centre, *u - offset);
            moments += DMat2::from_cols(arm * arm.x, arm * arm.y);
            right += u * arm.x;
            up += u * arm.y;
        }
        let trace = moments.x_axis.x + moments.y_axis.y;
        let slope = if moments.determinant() > FLAT * trace * trace {
            let inverse = moments.inverse();
            [
                right * inverse.x_axis.x + up * inverse.x_axis.y,
                right * inverse.y_axis.x + up * inverse.y_axis.y,
            ]
        } else {
            [DVec3::ZERO; 2]
        };
        Self { centre, offset, slope }
    }

    fn at(&self, flat: DVec2) -> DVec3 {
        let arm = flat - self.centre;
        self.offset + self.slope[0] * arm.x + self.slope[1] * arm.y
    }
}

/// How far each inner point of a cap lies at rest from where it is now.
///
/// `flat` has the rim's points, for which `displacement` is known, and then the inner ones.
pub(super) fn displacements(flat: &[DVec2], displacement: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    let rim = displacement.len();
    let affine = Affine::fit(&flat[..rim], displacement);
    let mut remainder: Vec<DVec3> =
        flat[..rim].iter().zip(displacement).map(|(p, u)| *u - affine.at(*p)).collect();
    remainder.resize(flat.len(), DVec3::ZERO);
    let size = flat[..rim].iter().map(|p| p.distance(affine.centre)).fold(0.0, f64::max);
    if remainder.iter().any(|r| r.abs().max_element() > ROUNDING * size) {
        let neighbours = neighbours(flat.len(), rim, triangles);
        for sweep in 0..SWEEPS {
            for i in rim..flat.len() {
                let point = if sweep % 2 == 0 { i } else { flat.len() - 1 - (i - rim) };
                let around = neighbours.of(point);
                if !around.is_empty() {
                    let sum: DVec3 = around.iter().map(|&n| remainder[n as usize]).sum();
                    remainder[point] = sum / around.len() as f64;
                }
            }
        }
    }
    flat[rim..].iter().zip(&remainder[rim..]).map(|(p, r)| affine.at(*p) + *r).collect()
}

/// The neighbours of the points from `first` on, each as often as it shares a triangle: twice.
fn neighbours(count: usize, first: usize, triangles: &[[u32; 3]]) -> Lists {
    let sides = triangles.iter().flat_map(|&[a, b, c]| [(a, b), (a, c), (b, c), (b, a), (c, a), (c, b)]);
    Lists::from_pairs(count, sides.filter(|side| side.0 as usize >= first))
}

/// Unit normals of a surface's vertices: the mean over the triangles around them and around their neighbours, so
/// that needles along the rim do not matter. Without area they are `otherwise`.
pub(super) fn normals(positions: &[DVec3], triangles: &[[u32; 3]], otherwise: DVec3) -> Vec<DVec3> {
    let mut sums: Vec<DVec3> = vec![DVec3::ZERO; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        let area = (b - a).cross(c - a);
        triangle.iter().for_each(|&v| sums[v as usize] += area);
    }
    let mut wider = sums.clone();
    for triangle in triangles {
        let all: DVec3 = triangle.iter().map(|&v| sums[v as usize]).sum();
        triangle.iter().for_each(|&v| wider[v as usize] += all);
    }
    wider.iter().map(|sum| sum.try_normalize().unwrap_or(otherwise)).collect()
}
