//! What a world is asked: rays, moving balls, closest points and overlaps, against going through everything.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod brute;
mod colliders;
#[path = "../common/mod.rs"]
mod common;
mod filters;
mod rays;
mod skins;

use common::Random;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{Body, BodyHandle, Collider, LatticeSettings, Material, World};

const H: f32 = 1.0 / 60.0;

/// Soft bodies of several models and shapes that have just landed on each other and on a floor, `shift` from zero.
fn heap(shift: DVec3) -> (World, Vec<BodyHandle>) {
    let mut world = World::new();
    world.add_collider(Collider::floor(shift.y)).unwrap();
    let soft = Material::default().with_alpha(0.05);
    let meshes =
        [shapes::torus(0.4, 0.15, 40, 20), shapes::sphere(0.4, 3), shapes::cuboid(Vec3::splat(0.6), [6; 3])];
    let handles = meshes.into_iter().enumerate().map(|(i, mesh)| {
        let builder = Body::builder(mesh).material(soft);
        let builder = if i == 0 {
            builder
        } else {
            builder.model(LatticeSettings { cell: Some(0.15), width: Some(0.3) })
        };
        let turn = Quat::from_scaled_axis(Vec3::new(0.3, 0.2 * i as f32, 0.9));
        let at = shift + DVec3::new(0.2 * i as f64, 0.5 + 0.7 * i as f64, 0.0);
        builder.turned(turn).at(at).velocity([0.0, -3.0, 0.0]).spin([2.0, 1.0, 0.5]).build().unwrap()
    });
    let bodies: Vec<Body> = handles.collect();
    let handles: Vec<BodyHandle> = bodies.into_iter().map(|body| world.add_body(body)).collect();
    for _ in 0..25 {
        world.step(H);
    }
    let deformed = handles.iter().map(|&of| common::deformation(world.body(of).unwrap()));
    assert!(deformed.fold(0.0, f64::max) > 0.05, "they are deformed");
    (world, handles)
}

/// A place near the heap.
fn place(random: &mut Random, shift: DVec3) -> DVec3 {
    shift + DVec3::new(0.2, 0.6, 0.0) + 0.7 * random.vec3().as_dvec3()
}
