//! What cuts: a surface in the world.
//!
//! Based on \[PGCS06\] §3 and \[HW08\] §4.1: the surface that a moving segment (a knife) sweeps, a plane or a polygon (scissors),
//! or any triangle mesh.
//!
//! Deviations: the papers pull the blade back to the rest shape. Here the blade stays where it is and the connections it may
//! cross are taken where they are now, which is the same thing without an inverse: it needs no deformation between nodes and
//! knows no doubt where a body overlaps itself.

use crate::geometry::{SurfaceTree, TriMesh};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// A surface in the world that cuts what it goes through.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Blade {
    /// Where the shape is measured from: blades far from zero keep their precision.
    origin: DVec3,
    shape: Shape,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Shape {
    /// Without end, through the origin.
    Plane { normal: Vec3 },
    /// Its triangles' normals are those of `tree`'s triangles.
    Triangles { corners: Vec<[Vec3; 3]>, tree: SurfaceTree },
}

/// Why something is not a blade.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BladeError {
    /// A coordinate is NaN or infinite.
    #[error("the blade's {what} is not finite")]
    NotFinite {
        /// Which part.
        what: &'static str,
    },
    /// It has no area or no direction.
    #[error("the blade has no area: {why}")]
    NoArea {
        /// What is missing.
        why: &'static str,
    },
}

/// Where a segment goes through a blade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Which part of the way, in [0, 1].
    pub share: f32,
    /// The blade's unit normal there, to either side.
    pub normal: Vec3,
}

impl Blade {
    /// A plane without end.
    ///
    /// # Errors
    /// If the point or the normal is not finite, or the normal has no length.
    pub fn plane(point: impl Into<DVec3>, normal: Vec3) -> Result<Self, BladeError> {
        let origin = point.into();
        if !origin.is_finite() || !normal.is_finite() {
            return Err(BladeError::NotFinite { what: "point or normal" });
        }
        let normal = normal.try_normalize().ok_or(BladeError::NoArea { why: "its normal has no length" })?;
        Ok(Self { origin, shape: Shape::Plane { normal } })
    }

    /// What a knife's edge sweeps on its way through these places, its two ends at each.
    ///
    /// # Errors
    /// If a place is not finite, or nothing is swept: it needs two places at least.
    pub fn swept(edges: &[[DVec3; 2]]) -> Result<Self, BladeError> {
        let strip = edges.windows(2).flat_map(|pair| {
            let [[a, b], [c, d]] = [pair[0], pair[1]];
            [[a, b, c], [c, b, d]]
        });
        Self::triangles(strip, "edge")
    }

    /// The surface between two lines that are divided alike: what an edge that bends sweeps.
    ///
    /// # Errors
    /// If a place is not finite, or nothing is between them.
    pub fn between(from: &[DVec3], to: &[DVec3]) -> Result<Self, BladeError> {
        let sides = from.windows(2).zip(to.windows(2));
        Self::triangles(sides.flat_map(|(a, b)| [[a[0], a[1], b[0]], [b[0], a[1], b[1]]]), "edge")
    }

    /// A flat or bent polygon: it is divided from the mean of its corners, so it may be concave as long as that sees them all.
    ///
    /// # Errors
    /// If a corner is not finite, or the polygon has no area.
    pub fn polygon(corners: &[DVec3]) -> Result<Self, BladeError> {
        let middle = corners.iter().sum::<DVec3>() / corners.len().max(1) as f64;
        let next = corners.iter().cycle().skip(1);
        Self::triangles(corners.iter().zip(next).map(|(&a, &b)| [middle, a, b]), "corner")
    }

    /// The triangles of a mesh, moved by `by`.
    ///
    /// # Errors
    /// If a vertex is not finite, or no triangle has an area.
    pub fn mesh(mesh: &TriMesh, by: impl Into<DVec3>) -> Result<Self, BladeError> {
        let by = mesh.origin + by.into();
        let known = |t: &&[u32; 3]| t.iter().all(|&v| (v as usize) < mesh.positions.len());
        let corners = mesh.triangles.iter().filter(known);
        Self::triangles(corners.map(|t| t.map(|v| by + mesh.positions[v as usize].as_dvec3())), "vertex")
    }

    fn triangles(corners: impl Iterator<Item = [DVec3; 3]>, what: &'static str) -> Result<Self, BladeError> {
        let corners: Vec<[DVec3; 3]> = corners.collect();
        if corners.iter().flatten().any(|p| !p.is_finite()) {
            return Err(BladeError::NotFinite { what });
        }
        let origin = corners.first().map_or(DVec3::ZERO, |t| t[0]);
        let local = corners.iter().map(|t| t.map(|p| (p - origin).as_vec3()));
        let corners: Vec<[Vec3; 3]> = local.filter(|t| normal_of(t).is_some()).collect();
        if corners.is_empty() {
            return Err(BladeError::NoArea { why: "nothing was swept, or all of its triangles are flat" });
        }
        let positions: Vec<Vec3> = corners.iter().flatten().copied().collect();
        let triangles: Vec<[u32; 3]> =
            (0..corners.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let tree = SurfaceTree::new(&positions, &triangles);
        Ok(Self { origin, shape: Shape::Triangles { corners, tree } })
    }

    /// Its triangles in the world, to be drawn; none of a plane, which has no end.
    pub fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        let corners = match &self.shape {
            Shape::Plane { .. } => &[][..],
            Shape::Triangles { corners, .. } => corners,
        };
        corners.iter().map(|t| t.map(|p| self.origin + p.as_dvec3()))
    }

    /// The plane that it is, or lies in: a point and a unit normal. `None` if it is bent by more than `most` metres.
    pub fn flat(&self, most: f32) -> Option<(DVec3, Vec3)> {
        match &self.shape {
            Shape::Plane { normal } => Some((self.origin, *normal)),
            Shape::Triangles { corners, .. } => {
                let normals = corners.iter().map(|[a, b, c]| (*b - *a).cross(*c - *a));
                let normal = normals.sum::<Vec3>().try_normalize()?;
                let middle = corners.iter().flatten().sum::<Vec3>() / (3 * corners.len()) as f32;
                let off = |p: &Vec3| normal.dot(*p - middle).abs();
                let bent = corners.iter().flatten().map(off).fold(0.0, f32::max);
                (bent <= most).then(|| (self.origin + middle.as_dvec3(), normal))
            }
        }
    }

    /// The blade as seen from a body: what it asks is asked relative to the body's origin.
    pub(crate) fn seen_from(&self, origin: DVec3) -> Seen<'_> {
        Seen { blade: self, by: (origin - self.origin).as_vec3() }
    }
}

/// A blade in the coordinates of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    blade: &'a Blade,
    by: Vec3,
}

impl Seen<'_> {
    /// Where the segment from `a` to `b` first goes through the blade.
    pub fn crossing(&self, a: Vec3, b: Vec3) -> Option<Hit> {
        let (a, b) = (a + self.by, b + self.by);
        match &self.blade.shape {
            Shape::Plane { normal } => {
                let (here, there) = (normal.dot(a), normal.dot(b));
                let through = here - there;
                ((here >= 0.0) != (there >= 0.0)).then(|| Hit { share: here / through, normal: *normal })
            }
            Shape::Triangles { corners, tree } => {
                let (share, triangle) = tree.crossing(a, b)?;
                let normal = normal_of(&corners[triangle as usize]).unwrap_or(Vec3::Y);
                Some(Hit { share, normal })
            }
        }
    }

    /// Whether it may come within `reach` of a place: a quick answer.
    pub fn may_reach(&self, place: Vec3, reach: f32) -> bool {
        let place = place + self.by;
        match &self.blade.shape {
            Shape::Plane { normal } => normal.dot(place).abs() <= reach,
            Shape::Triangles { tree, .. } => tree
                .bounds()
                .is_some_and(|(low, high)| place.clamp(low, high).distance_squared(place) <= reach * reach),
        }
    }

    /// Whether it comes within `reach` of a place.
    pub fn is_near(&self, place: Vec3, reach: f32) -> bool {
        self.may_reach(place, reach)
            && match &self.blade.shape {
                Shape::Plane { .. } => true,
                Shape::Triangles { tree, .. } => tree.distance_up_to(place + self.by, 1.01 * reach) <= reach,
            }
    }
}

fn normal_of([a, b, c]: &[Vec3; 3]) -> Option<Vec3> {
    let (u, v) = (*b - *a, *c - *a);
    let size = u.abs().max_element().max(v.abs().max_element());
    (u / size).cross(v / size).try_normalize()
}
