//! What colliders look like.

use crate::shapes;
use pliant::geometry::TriMesh;
use pliant::glam::{Quat, Vec3};
use pliant::{Collider, Shape, World};
use std::sync::Arc;

/// Meshes of the colliders seen in the latest picture, around their own positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColliderMeshes(Vec<Known>);

/// How a shape looks that is turned.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    shape: Shape,
    rotation: Quat,
    pub mesh: Arc<TriMesh>,
    /// How the mesh is turned.
    base: Quat,
    /// Positions and normals, if it has turned on since the mesh was made: the triangles stay where they are.
    turned: Option<(Vec<Vec3>, Vec<Vec3>)>,
}

impl Known {
    /// Positions and normals as they are now.
    pub fn points(&self) -> (&[Vec3], &[Vec3]) {
        let (mesh, turned) = (&self.mesh, self.turned.as_ref());
        turned.map_or((&mesh.positions, &mesh.normals), |(positions, normals)| (positions, normals))
    }

    fn is_of(&self, collider: &Collider) -> bool {
        self.rotation == collider.rotation && self.shape == collider.shape
    }

    fn turn(&mut self, rotation: Quat) {
        let by = rotation * self.base.inverse();
        let (positions, normals) = self.turned.get_or_insert_default();
        positions.clear();
        positions.extend(self.mesh.positions.iter().map(|p| by * *p));
        normals.clear();
        normals.extend(self.mesh.normals.iter().map(|n| by * *n));
        self.rotation = rotation;
    }
}

impl ColliderMeshes {
    /// Makes meshes for the colliders that have none yet, turns those that have turned, and forgets those that are gone.
    /// Planes are shown as plates with sides of twice `reach`.
    pub fn meet(&mut self, world: &World, reach: f32) {
        let mut before = std::mem::take(&mut self.0);
        let colliders = || world.colliders().map(|(_, c)| c).filter(|c| !is_floor(c));
        // First those that have not turned, so that no other takes theirs.
        for collider in colliders() {
            if let Some(index) = before.iter().position(|known| known.is_of(collider)) {
                self.0.push(before.swap_remove(index));
            }
        }
        for collider in colliders() {
            if self.of(collider).is_some() {
                continue;
            }
            let (shape, rotation) = (&collider.shape, collider.rotation);
            let alike = before.iter().position(|known| known.shape == *shape);
            self.0.push(match alike.map(|index| before.swap_remove(index)) {
                Some(mut known) => {
                    known.turn(rotation);
                    known
                }
                None => Known {
                    shape: shape.clone(),
                    rotation,
                    mesh: Arc::new(mesh(shape, rotation, reach)),
                    base: rotation,
                    turned: None,
                },
            });
        }
    }

    /// That of a collider; none for a floor, which is part of the view.
    pub fn of(&self, collider: &Collider) -> Option<&Known> {
        self.0.iter().find(|known| known.is_of(collider))
    }
}

/// A plane that is level, but for rounding.
pub(crate) fn is_floor(collider: &Collider) -> bool {
    collider.shape == Shape::Plane && (collider.rotation * Vec3::Y).y > 0.999
}

fn mesh(shape: &Shape, rotation: Quat, reach: f32) -> TriMesh {
    match shape {
        // The floor is part of the view; a tilted plane is shown as a plate below its surface.
        Shape::Plane => {
            let half = Vec3::new(1.0, 0.01, 1.0) * reach;
            shapes::cuboid(-(rotation * Vec3::Y * half.y), half, rotation)
        }
        Shape::Sphere { radius } => shapes::sphere(Vec3::ZERO, *radius, 48),
        Shape::Box { half } => shapes::cuboid(Vec3::ZERO, *half, rotation),
        Shape::Capsule { radius, half_height } => {
            let end: Vec3 = rotation * (Vec3::Y * half_height);
            shapes::capsule(-end, end, *radius, 32)
        }
        Shape::Cylinder { radius, half_height } => {
            let end: Vec3 = rotation * (Vec3::Y * half_height);
            shapes::cylinder(-end, end, *radius, 48)
        }
        Shape::ConvexHull(_) | Shape::Mesh(_) | Shape::Heightfield(_) => {
            // Without normals: their faces are flat.
            let mut mesh = shape.triangles().unwrap_or_default();
            mesh.positions.iter_mut().for_each(|p| *p = rotation * *p);
            mesh
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant::glam::DVec3;

    #[test]
    fn a_collider_that_turns_keeps_its_triangles_and_nothing_piles_up() {
        let mut world = World::new();
        let points = shapes::cuboid(Vec3::ZERO, Vec3::ONE, Quat::IDENTITY).positions;
        let hull = Collider::new(Shape::convex_hull(points)).moving(Vec3::X, Vec3::new(0.3, 1.0, 0.0));
        let handle = world.add_collider(hull.clone()).unwrap();
        let still = world.add_collider(hull.at(DVec3::X * 9.0).moving(Vec3::ZERO, Vec3::ZERO)).unwrap();
        let mut meshes = ColliderMeshes::default();
        meshes.meet(&world, 1.0);
        assert_eq!(meshes.0.len(), 1, "both look alike");
        for _ in 0..50 {
            world.step(1.0 / 60.0);
            meshes.meet(&world, 1.0);
        }
        assert_eq!(meshes.0.len(), 2);
        let collider = world.collider(handle).unwrap();
        let known = meshes.of(collider).unwrap();
        let mesh = known.mesh.clone();
        world.step(1.0 / 60.0);
        meshes.meet(&world, 1.0);
        let collider = world.collider(handle).unwrap();
        let known = meshes.of(collider).unwrap();
        assert!(Arc::ptr_eq(&mesh, &known.mesh), "its triangles are kept");
        for (now, corner) in known.points().0.iter().zip(collider.shape.triangles().unwrap().positions) {
            assert!(now.distance(collider.rotation * corner) < 1e-5);
        }
        world.remove_collider(handle).unwrap();
        world.remove_collider(still).unwrap();
        meshes.meet(&world, 1.0);
        assert!(meshes.0.is_empty());
    }

    #[test]
    fn every_shape_is_drawn_where_it_is() {
        let ground = Shape::heightfield(Vec3::ONE, vec![vec![0.0, 0.2], vec![0.1, 0.0]]);
        let solid = shapes::capsule(-Vec3::Y, Vec3::Y, 0.5, 12);
        let table = [
            Shape::Plane,
            Shape::Sphere { radius: 0.5 },
            Shape::Box { half: Vec3::splat(0.5) },
            Shape::Capsule { radius: 0.5, half_height: 0.5 },
            Shape::Cylinder { radius: 0.5, half_height: 0.5 },
            Shape::convex_hull(solid.positions.clone()),
            Shape::mesh(&solid),
            ground,
        ];
        for shape in table {
            let mesh = mesh(&shape, Quat::IDENTITY, 1.0);
            mesh.validate().unwrap();
            let off = |p: &Vec3| if shape == Shape::Plane { 0.0 } else { shape.distance(*p).0 };
            assert!(mesh.positions.iter().all(|p| off(p).abs() < 1e-5), "{shape:?}");
        }
    }
}
