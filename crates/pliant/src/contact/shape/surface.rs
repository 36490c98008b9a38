//! The signed distance to a surface of triangles.
//!
//! Based on \[BA05\]: inside or outside follows from the normal of the nearest face, edge or corner; edges have the sum of
//! their faces' normals, corners the sum weighted by angle. The nearest triangle comes from a tree of boxes; what is nearest
//! on it is found in `f64`, where `f32` coordinates are exact, so that the direction is right also very near the surface.

use super::cells::Cells;
use super::coarse::Coarse;
use crate::geometry::{EdgeTable, Guess, SurfaceTree};
use crate::math::functions::{atan2, square};
use glam::{DVec3, Vec3};
use std::sync::OnceLock;

/// Below this part of the surface's size the way to the nearest point is rounding, and its own normal is taken instead.
const ON_SURFACE: f64 = 1e-12;

/// A surface that can be asked how far away it is.
pub struct Surface {
    tree: SurfaceTree,
    facets: Vec<Facet>,
    /// Bounds of its triangles.
    low: Vec3,
    high: Vec3,
    /// Half its thickness if it is a sheet with two sides; a solid has none.
    sheet: Option<f32>,
    /// A length below which distances are rounding.
    least: f64,
    coarse: OnceLock<Coarse>,
    cells: OnceLock<Cells>,
}

/// A triangle and the normals of all that can be nearest on it.
struct Facet {
    corners: [DVec3; 3],
    normal: DVec3,
    /// Unit vectors in its plane from its edges inward; edge `i` runs from corner `i` to corner `i + 1`.
    inward: [DVec3; 3],
    edge_normals: [Vec3; 3],
    corner_normals: [Vec3; 3],
}

/// What of a triangle is nearest.
enum Nearest {
    Face,
    Edge(usize),
    Corner(usize),
}

/// What of a surface is nearest to a point.
struct Found {
    triangle: u32,
    /// The square of how far away it is.
    away2: f64,
    nearest: DVec3,
    place: Nearest,
}

impl Surface {
    /// The closed surface of a solid whose triangles face outward.
    pub fn solid(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        Self::new(positions, triangles, None)
    }

    /// A sheet of this thickness.
    pub fn sheet(positions: &[Vec3], triangles: &[[u32; 3]], thickness: f32) -> Self {
        Self::new(positions, triangles, Some(0.5 * thickness))
    }

    fn new(positions: &[Vec3], triangles: &[[u32; 3]], sheet: Option<f32>) -> Self {
        let corners_of = |t: &[u32; 3]| t.map(|v| positions[v as usize].as_dvec3());
        let normals: Vec<DVec3> = triangles.iter().map(|t| normal_of(corners_of(t))).collect();
        let edges = EdgeTable::new(triangles);
        let mut edge_normals = vec![[Vec3::ZERO; 3]; triangles.len()];
        for edge in &edges.edges {
            let uses = edges.uses_of(edge);
            let sum: DVec3 = uses.iter().map(|side| normals[side.triangle as usize]).sum();
            for side in uses {
                edge_normals[side.triangle as usize][side.side as usize] = sum.as_vec3();
            }
        }
        let mut corner_normals = vec![DVec3::ZERO; positions.len()];
        for (t, normal) in triangles.iter().zip(&normals) {
            let at = corners_of(t);
            for i in 0..3 {
                let (to, from) = (at[(i + 1) % 3] - at[i], at[(i + 2) % 3] - at[i]);
                let angle = atan2(to.cross(from).length(), to.dot(from));
                corner_normals[t[i] as usize] += *normal * angle;
            }
        }
        let facets =
            triangles.iter().zip(normals).zip(edge_normals).map(|((t, normal), edge_normals)| Facet {
                corners: corners_of(t),
                normal,
                inward: inward(corners_of(t), normal),
                edge_normals,
                corner_normals: t.map(|v| corner_normals[v as usize].as_vec3()),
            });
        let used = || triangles.iter().flatten().map(|&v| positions[v as usize]);
        let low = used().fold(Vec3::INFINITY, Vec3::min);
        let high = used().fold(Vec3::NEG_INFINITY, Vec3::max);
        Self {
            tree: SurfaceTree::new(positions, triangles),
            facets: facets.collect(),
            low,
            high,
            sheet,
            coarse: OnceLock::new(),
            cells: OnceLock::new(),
            least: ON_SURFACE * low.abs().max(high.abs()).max_element() as f64,
        }
    }

    /// Low and high corner of the box around it.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let thick = Vec3::splat(self.sheet.unwrap_or(0.0));
        (self.low - thick, self.high + thick)
    }

    /// Whether it encloses what bodies cannot enter, and is not just a sheet.
    pub fn is_solid(&self) -> bool {
        self.sheet.is_none()
    }

    /// Distance, negative inside, and the direction out, of a place that is not asked about again: no cell remembers it.
    pub fn distance_once(&self, point: Vec3) -> (f32, Vec3) {
        if !point.is_finite() {
            return (point.length(), Vec3::Y);
        }
        let nearest = self.tree.nearest(point);
        nearest.map_or((f32::MAX, Vec3::Y), |(triangle, _)| self.distance_to(triangle, point))
    }

    /// Distance, negative inside, and the direction out; sooner known if the guess is good.
    pub fn distance(&self, point: Vec3, guess: &mut Guess) -> (f32, Vec3) {
        if !point.is_finite() {
            return (point.length(), Vec3::Y);
        }
        let cells = self.cells.get_or_init(|| Cells::new(self.low, self.high));
        let Some((candidates, aside)) = cells.candidates(&self.tree, point) else {
            let nearest = self.tree.nearest_from(guess, point);
            return nearest.map_or((f32::MAX, Vec3::Y), |(triangle, _)| self.distance_to(triangle, point));
        };
        let exact = point.as_dvec3();
        let mut best: Option<Found> = None;
        for &candidate in candidates {
            let least2 = best.as_ref().map_or(f64::INFINITY, |best| best.away2);
            // No triangle has come nearer than the point is aside.
            if square(f64::from((candidate.away() - aside).max(0.0))) * (1.0 - 1e-4) > least2 {
                break;
            }
            let triangle = self.tree.triangle(candidate);
            let Some(found) = self.facets[triangle as usize].nearest_within(exact, least2) else { continue };
            let found = Found { triangle, ..found };
            if best.as_ref().is_none_or(|best| (found.away2, triangle) < (best.away2, best.triangle)) {
                best = Some(found);
            }
        }
        best.map_or((f32::MAX, Vec3::Y), |found| self.distance_from(&found, exact))
    }

    /// How far a point is from what bodies cannot enter at least, or, inside a solid, from its surface; none if that is not soon known.
    pub fn at_least(&self, point: Vec3) -> Option<f32> {
        let cells = self.cells.get_or_init(|| Cells::new(self.low, self.high));
        cells.at_least(&self.tree, point).map(|away| away - self.sheet.unwrap_or(0.0))
    }

    /// Whether a point is certainly farther outside than `limit`. Soon known of most points that are.
    /// `distance` is that of the shape it is the surface of.
    pub fn is_farther_than(&self, point: Vec3, limit: f32, distance: impl Fn(Vec3) -> f32) -> bool {
        let (low, high) = self.bounds();
        let beyond = (low - point).max(point - high).max(Vec3::ZERO);
        if limit >= 0.0 && beyond.length_squared() > limit * limit {
            return true;
        }
        let coarse = self.coarse.get_or_init(|| Coarse::new(low, high, distance));
        coarse.at_least(point).is_some_and(|distance| distance > limit)
    }

    fn distance_to(&self, triangle: u32, point: Vec3) -> (f32, Vec3) {
        let point = point.as_dvec3();
        let found = self.facets[triangle as usize].nearest_within(point, f64::INFINITY);
        found.map_or((f32::MAX, Vec3::Y), |found| self.distance_from(&Found { triangle, ..found }, point))
    }

    /// Distance and direction out of a point of which it is known what is nearest to it.
    fn distance_from(
        &self,
        &Found { triangle, nearest, ref place, .. }: &Found,
        point: DVec3,
    ) -> (f32, Vec3) {
        let facet = &self.facets[triangle as usize];
        let away = point - nearest;
        let normal = match *place {
            Nearest::Face => facet.normal,
            Nearest::Edge(i) => facet.edge_normals[i].as_dvec3(),
            Nearest::Corner(i) => facet.corner_normals[i].as_dvec3(),
        };
        // On a face the way there may be rounded, but not the face's normal.
        let (distance, direction) = match place {
            Nearest::Face => ((point - facet.corners[0]).dot(normal), normal),
            _ => {
                let sign = if away.dot(normal) < 0.0 { -1.0 } else { 1.0 };
                let length = away.length();
                let direction = if length > self.least { away / length * sign } else { normal };
                (sign * length, direction)
            }
        };
        let direction = unit(direction, facet.normal);
        match self.sheet {
            None => (distance as f32, direction),
            Some(half) if distance < 0.0 => ((-distance - f64::from(half)) as f32, -direction),
            Some(half) => ((distance - f64::from(half)) as f32, direction),
        }
    }
}

/// `v` with length 1, or `other`, or up.
fn unit(v: DVec3, other: DVec3) -> Vec3 {
    v.try_normalize().or_else(|| other.try_normalize()).unwrap_or(DVec3::Y).as_vec3()
}

/// The unit normal of a triangle; zero without area.
fn normal_of([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

/// From the edges of a triangle inward.
fn inward(corners: [DVec3; 3], normal: DVec3) -> [DVec3; 3] {
    let along = |i: usize| corners[(i + 1) % 3] - corners[i];
    [0, 1, 2].map(|i| normal.cross(along(i)).normalize_or_zero())
}

impl Facet {
    /// What of it is nearest to a point, unless that is surely farther away than `limit2`, a square.
    fn nearest_within(&self, point: DVec3, limit2: f64) -> Option<Found> {
        let Self { corners, normal, inward, .. } = self;
        // What is rounded must not hide one that is as near.
        let most = limit2 * (1.0 + 1e-6);
        let height = (point - corners[0]).dot(*normal);
        if square(height) > most {
            return None;
        }
        let (flat, beside) = (*normal != DVec3::ZERO, [0, 1, 2].map(|i| (point - corners[i]).dot(inward[i])));
        if flat && beside.iter().all(|&beside| beside >= 0.0) {
            let nearest = point - *normal * height;
            return Some(Found { triangle: 0, away2: square(height), nearest, place: Nearest::Face });
        }
        if beside.iter().any(|&beside| beside < 0.0 && square(beside) > most) {
            return None;
        }
        let on_edge = |i: usize| {
            let (from, to) = (corners[i], corners[(i + 1) % 3]);
            let along = to - from;
            let share = (point - from).dot(along) / along.length_squared();
            let (nearest, place) = if share >= 1.0 {
                (to, Nearest::Corner((i + 1) % 3))
            } else if share > 0.0 {
                (from + along * share, Nearest::Edge(i))
            } else {
                // Also that of an edge without length, whose share is NaN.
                (from, Nearest::Corner(i))
            };
            Found { triangle: 0, away2: nearest.distance_squared(point), nearest, place }
        };
        // Only an edge that the point is beyond can be nearest.
        let edges = (0..3).filter(|&i| !flat || beside[i] < 0.0);
        edges.map(on_edge).reduce(|best, other| if other.away2 < best.away2 { other } else { best })
    }
}
