//! What a collider looks like.
//!
//! Everything rests on one function, [`Shape::distance`]. Round and straight shapes have formulas; hulls, meshes and ground
//! are surfaces of triangles, which are made ready to be searched once and shared by all clones.

mod cells;
mod coarse;
mod derived;
mod heightfield;
mod hull;
mod mesh;
mod quickhull;
mod surface;

pub use heightfield::Heightfield;
pub use hull::ConvexHull;
pub use mesh::MeshShape;

use crate::geometry::{Guess, TriMesh};
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};
use surface::Surface;

/// What a shape must be.
pub type ShapeError = &'static str;

/// Coordinates above this, in metres, cannot be squared twice in `f32`.
const LARGEST: f32 = 1e9;

/// How far away a shape is that is none.
const NOWHERE: (f32, Vec3) = (f32::MAX, Vec3::Y);

/// The shape of a collider, in its own coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Shape {
    /// All below the plane through the collider's position; its normal is the collider's y axis.
    Plane,
    /// A ball.
    Sphere {
        /// Metres.
        radius: f32,
    },
    /// A box.
    Box {
        /// Half its edges, in metres.
        half: Vec3,
    },
    /// A cylinder along y with half balls as ends.
    Capsule {
        /// Metres.
        radius: f32,
        /// Half the distance between the ends' centres, in metres.
        half_height: f32,
    },
    /// A cylinder along y with flat ends.
    Cylinder {
        /// Metres.
        radius: f32,
        /// Half the distance between the ends, in metres.
        half_height: f32,
    },
    /// The smallest convex solid that has all of some points.
    ConvexHull(ConvexHull),
    /// Triangles: a solid if they are closed, else a sheet.
    Mesh(MeshShape),
    /// Ground of changing height.
    Heightfield(Heightfield),
}

impl Shape {
    /// The smallest convex solid that has all of some points, in metres.
    pub fn convex_hull(points: impl Into<std::sync::Arc<[Vec3]>>) -> Self {
        Self::ConvexHull(ConvexHull::new(points))
    }

    /// A mesh's triangles, around the mesh's own origin.
    pub fn mesh(mesh: &TriMesh) -> Self {
        Self::Mesh(MeshShape::new(&mesh.positions[..], &mesh.triangles[..]))
    }

    /// Ground of changing height; see [`Heightfield::new`].
    pub fn heightfield(size: Vec3, heights: impl Into<std::sync::Arc<[Vec<f32>]>>) -> Self {
        Self::Heightfield(Heightfield::new(size, heights))
    }

    /// Checks every value, and makes what the first question would otherwise have to wait for.
    ///
    /// # Errors
    /// What it must be.
    pub fn validate(&self) -> Result<(), ShapeError> {
        let length = |v: f32| v > 0.0 && v.is_finite();
        let lengths = match self {
            Self::Plane => true,
            Self::Sphere { radius } => length(*radius),
            Self::Box { half } => half.to_array().into_iter().all(length),
            Self::Capsule { radius, half_height } => {
                length(*radius) && *half_height >= 0.0 && half_height.is_finite()
            }
            Self::Cylinder { radius, half_height } => length(*radius) && length(*half_height),
            Self::ConvexHull(hull) => return hull.surface().map(drop),
            Self::Mesh(mesh) => return mesh.surface().map(drop),
            Self::Heightfield(ground) => return ground.surface().map(drop),
        };
        if lengths { Ok(()) } else { Err("its lengths must be above 0") }
    }

    /// Distance from the surface, negative inside, and the direction out, in the shape's own coordinates.
    ///
    /// It is exact everywhere, so it never changes faster than the point moves. A shape that is not valid is very far away.
    pub fn distance(&self, p: Vec3) -> (f32, Vec3) {
        self.distance_from(&mut Guess::default(), p)
    }

    /// As [`distance`](Self::distance), from a surface of triangles sooner known if the guess is good; the next one is made of it.
    pub(crate) fn distance_from(&self, guess: &mut Guess, p: Vec3) -> (f32, Vec3) {
        let from = |surface: &Surface| surface.distance(p, guess);
        match self {
            Self::Plane => (p.y, Vec3::Y),
            Self::Sphere { radius } => ball(p, *radius),
            Self::Capsule { radius, half_height } => {
                ball(p - Vec3::Y * p.y.clamp(-half_height, *half_height), *radius)
            }
            Self::Box { half } => cuboid(p, *half),
            Self::Cylinder { radius, half_height } => cylinder(p, *radius, *half_height),
            Self::ConvexHull(hull) => hull.surface().map_or(NOWHERE, from),
            Self::Mesh(mesh) => mesh.surface().map_or(NOWHERE, from),
            Self::Heightfield(ground) => ground.distance(p, guess),
        }
    }

    /// How far a point is from the shape at least, or, inside a solid, from its surface; none if that is not much sooner known than
    /// the distance.
    pub(crate) fn at_least(&self, p: Vec3) -> Option<f32> {
        match self {
            Self::ConvexHull(_) | Self::Mesh(_) => self.surface().ok()?.at_least(p),
            _ => None,
        }
    }

    fn surface(&self) -> Result<&Surface, ShapeError> {
        match self {
            Self::ConvexHull(hull) => hull.surface(),
            Self::Mesh(mesh) => mesh.surface(),
            Self::Heightfield(ground) => ground.surface(),
            _ => Err("it has no triangles"),
        }
    }

    /// Whether a point is certainly farther outside than `limit` metres; false says nothing.
    ///
    /// It costs a few nanoseconds for any shape, where the distance from a large mesh takes a microsecond.
    pub fn is_farther_than(&self, p: Vec3, limit: f32) -> bool {
        match self {
            Self::ConvexHull(_) | Self::Mesh(_) => self
                .surface()
                .is_ok_and(|surface| surface.is_farther_than(p, limit, |p| surface.distance_once(p).0)),
            Self::Heightfield(ground) => ground.is_farther_than(p, limit),
            _ => self.distance(p).0 > limit,
        }
    }

    /// Low and high corner of a box around it, in its own coordinates; none of a plane, which has no end, and of what is not
    /// valid. Ground goes down without end, so its low corner is at minus infinity.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let around = |half: Vec3| Some((-half, half));
        match self {
            Self::Plane => None,
            Self::Sphere { radius } => around(Vec3::splat(*radius)),
            Self::Box { half } => around(*half),
            Self::Capsule { radius, half_height } => {
                around(Vec3::new(*radius, radius + half_height, *radius))
            }
            Self::Cylinder { radius, half_height } => around(Vec3::new(*radius, *half_height, *radius)),
            Self::ConvexHull(hull) => hull.surface().ok().map(Surface::bounds),
            Self::Mesh(mesh) => mesh.surface().ok().map(Surface::bounds),
            Self::Heightfield(ground) => {
                let (low, high) = ground.surface().ok()?.bounds();
                Some((low.with_y(f32::NEG_INFINITY), high))
            }
        }
    }

    /// What is to be seen of a hull, a mesh or ground, as triangles; the others have none. Empty if it is not valid.
    pub fn triangles(&self) -> Option<TriMesh> {
        match self {
            Self::ConvexHull(hull) => Some(hull.mesh()),
            Self::Mesh(mesh) => Some(mesh.mesh()),
            Self::Heightfield(ground) => Some(ground.mesh()),
            _ => None,
        }
    }
}

fn ball(p: Vec3, radius: f32) -> (f32, Vec3) {
    let distance = p.length();
    (distance - radius, if distance > 0.0 { p / distance } else { Vec3::Y })
}

fn cuboid(p: Vec3, half: Vec3) -> (f32, Vec3) {
    let beyond = p.abs() - half;
    let outside = beyond.max(Vec3::ZERO);
    let sign = Vec3::ONE.copysign(p);
    if outside != Vec3::ZERO {
        let distance = outside.length();
        return (distance, sign * outside / distance);
    }
    let nearest = beyond.max_position();
    (beyond[nearest], Vec3::AXES[nearest] * sign)
}

fn cylinder(p: Vec3, radius: f32, half_height: f32) -> (f32, Vec3) {
    let (side, end) = (Vec3::new(p.x, 0.0, p.z), Vec3::new(0.0, 1.0_f32.copysign(p.y), 0.0));
    let across = side.length();
    let side = if across > 0.0 { side / across } else { Vec3::X };
    let beyond = Vec2::new(across - radius, p.y.abs() - half_height);
    let outside = beyond.max(Vec2::ZERO);
    if outside != Vec2::ZERO {
        let distance = outside.length();
        return (distance, (side * outside.x + end * outside.y) / distance);
    }
    if beyond.x > beyond.y { (beyond.x, side) } else { (beyond.y, end) }
}

fn check_points(points: &[Vec3]) -> Result<(), ShapeError> {
    if points.iter().all(|point| point.abs().max_element() <= LARGEST && point.is_finite()) {
        Ok(())
    } else {
        Err("its points must be finite and within a million kilometres")
    }
}

#[cfg(test)]
mod tests;
