//! Which of Pliant's shapes a shape of rapier is, and the other way round.

use crate::convert::{back, place, turn, vector};
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::math::quat_from_rotation_arc;
use pliant::{MeshShape, Shape, geometry};
use rapier3d::geometry::{ColliderHandle, SharedShape};
use rapier3d::math::{Pose, Vector};
use rapier3d::parry::shape::{self, TypedShape};

/// A rapier collider that soft bodies do not feel, and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("soft bodies do not feel rapier's collider {collider:?}: {why}")]
pub struct Unmapped {
    /// The collider.
    pub collider: ColliderHandle,
    /// What is the matter with it.
    pub why: String,
}

/// One of Pliant's shapes within a shape of rapier.
#[derive(Clone, Debug)]
pub struct Part {
    pub shape: Shape,
    pub position: DVec3,
    pub rotation: Quat,
}

impl Part {
    fn new(shape: Shape) -> Self {
        Self { shape, position: DVec3::ZERO, rotation: Quat::IDENTITY }
    }

    /// The part of something that is itself placed.
    fn within(self, pose: &Pose) -> Self {
        let rotation = turn(pose.rotation);
        Self {
            shape: self.shape,
            position: place(pose.translation) + rotation.as_dquat() * self.position,
            rotation: (rotation * self.rotation).normalize(),
        }
    }
}

/// The parts of a shape: one, but for compound shapes.
///
/// # Errors
/// The kind of shape that has no counterpart.
pub fn parts(shape: &dyn shape::Shape) -> Result<Vec<Part>, String> {
    let one = |shape| Ok(vec![Part::new(shape)]);
    match shape.as_typed_shape() {
        TypedShape::Ball(ball) => one(Shape::Sphere { radius: ball.radius }),
        TypedShape::Cuboid(cuboid) => one(Shape::Box { half: vector(cuboid.half_extents) }),
        TypedShape::Capsule(capsule) => {
            let [a, b] = [capsule.segment.a, capsule.segment.b].map(vector);
            let along = (b - a).try_normalize().unwrap_or(Vec3::Y);
            let shape = Shape::Capsule { radius: capsule.radius, half_height: 0.5 * a.distance(b) };
            let position = (0.5 * (a + b)).as_dvec3();
            Ok(vec![Part { shape, position, rotation: quat_from_rotation_arc(Vec3::Y, along) }])
        }
        TypedShape::HalfSpace(half) => {
            let rotation = quat_from_rotation_arc(Vec3::Y, vector(half.normal).normalize_or(Vec3::Y));
            Ok(vec![Part { rotation, ..Part::new(Shape::Plane) }])
        }
        TypedShape::Compound(compound) => {
            let mut all = Vec::new();
            for (pose, shape) in compound.shapes() {
                all.extend(parts(&**shape)?.into_iter().map(|part| part.within(pose)));
            }
            Ok(all)
        }
        TypedShape::Cylinder(cylinder) => {
            one(Shape::Cylinder { radius: cylinder.radius, half_height: cylinder.half_height })
        }
        TypedShape::ConvexPolyhedron(hull) => one(Shape::convex_hull(points(hull.points()))),
        TypedShape::TriMesh(mesh) => {
            one(Shape::Mesh(MeshShape::new(points(mesh.vertices()), mesh.indices())))
        }
        TypedShape::HeightField(ground) => {
            let heights = ground.heights();
            let row = |i: usize| (0..=ground.ncols()).map(|j| heights[(i, j)]).collect();
            let rows: Vec<Vec<f32>> = (0..=ground.nrows()).map(row).collect();
            one(Shape::heightfield(vector(ground.scale()), rows))
        }
        // Round ones have no formula: a hull of many points is almost the same.
        TypedShape::Cone(_)
        | TypedShape::RoundCuboid(_)
        | TypedShape::RoundCylinder(_)
        | TypedShape::RoundCone(_)
        | TypedShape::RoundConvexPolyhedron(_) => {
            let convex = shape.as_support_map().ok_or("it has no corners")?;
            let directions = geometry::shapes::sphere(1.0, ROUNDNESS).positions;
            let corners =
                directions.iter().map(|direction| vector(convex.local_support_point(back(*direction))));
            one(Shape::convex_hull(corners.collect::<Vec<Vec3>>()))
        }
        other => Err(format!("a {} has no counterpart in Pliant", name(&other))),
    }
}

/// How often a ball's faces are divided for the directions in which corners of round shapes are found.
const ROUNDNESS: u32 = 4;

fn points(of: &[Vector]) -> Vec<Vec3> {
    of.iter().map(|point| vector(*point)).collect()
}

/// The shape of rapier that one of Pliant's is; `None` if it is not valid.
pub fn rapier_shape(shape: &Shape) -> Option<SharedShape> {
    shape.validate().ok()?;
    let corners = |of: &[Vec3]| of.iter().map(|point| back(*point)).collect::<Vec<Vector>>();
    match shape {
        Shape::Plane => Some(SharedShape::halfspace(Vector::Y)),
        Shape::Sphere { radius } => Some(SharedShape::ball(*radius)),
        Shape::Box { half } => Some(SharedShape::cuboid(half.x, half.y, half.z)),
        Shape::Capsule { radius, half_height } => Some(SharedShape::capsule_y(*half_height, *radius)),
        Shape::Cylinder { radius, half_height } => Some(SharedShape::cylinder(*half_height, *radius)),
        Shape::ConvexHull(hull) => SharedShape::convex_hull(&corners(hull.points())),
        Shape::Mesh(_) | Shape::Heightfield(_) => {
            let mesh = shape.triangles()?;
            SharedShape::trimesh(corners(&mesh.positions), mesh.triangles).ok()
        }
    }
}

fn name(shape: &TypedShape) -> &'static str {
    match shape {
        TypedShape::Ball(_) => "ball",
        TypedShape::Cuboid(_) => "cuboid",
        TypedShape::Capsule(_) => "capsule",
        TypedShape::Segment(_) => "segment",
        TypedShape::Triangle(_) => "triangle",
        TypedShape::Voxels(_) => "voxel grid",
        TypedShape::TriMesh(_) => "triangle mesh",
        TypedShape::Polyline(_) => "polyline",
        TypedShape::HalfSpace(_) => "half-space",
        TypedShape::HeightField(_) => "height field",
        TypedShape::Compound(_) => "compound shape",
        TypedShape::ConvexPolyhedron(_) => "convex polyhedron",
        TypedShape::Cylinder(_) => "cylinder",
        TypedShape::Cone(_) => "cone",
        TypedShape::RoundCuboid(_) => "round cuboid",
        TypedShape::RoundTriangle(_) => "round triangle",
        TypedShape::RoundCylinder(_) => "round cylinder",
        TypedShape::RoundCone(_) => "round cone",
        TypedShape::RoundConvexPolyhedron(_) => "round convex polyhedron",
        TypedShape::Custom(_) => "custom shape",
    }
}
