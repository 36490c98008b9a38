//! Bodies against each other and themselves: they push, rest, slide, bounce, sleep and come apart.

#[path = "../common/mod.rs"]
mod common;

mod degenerate;
mod events;
mod itself;
mod mechanics;
mod pairs;
mod pieces;
mod pile;
mod resting;
mod rolling;
mod sheets;
mod sleeping;
#[path = "../common/surface.rs"]
mod surface;
mod throws;
mod towers;

use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{Body, BodyBuilder, BodyHandle, Collider, LatticeSettings, Material, World};
pub use surface::depth_in;

/// A frame in seconds.
pub const H: f32 = 1.0 / 60.0;

/// Edge of a cube in metres.
pub const EDGE: f32 = 0.2;

/// A cube of 4×4×4 nodes.
pub fn cube(material: Material) -> BodyBuilder {
    Body::builder(shapes::cuboid(Vec3::splat(EDGE), [4; 3]))
        .material(material)
        .model(LatticeSettings { cell: Some(0.25 * EDGE), width: Some(0.5 * EDGE) })
}

/// A world with a floor.
pub fn floor() -> World {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).expect("a floor");
    world
}

/// Steps a number of frames.
pub fn run(world: &mut World, frames: usize) {
    for _ in 0..frames {
        world.step(H);
    }
}

/// Where the middle of a body is.
pub fn middle(world: &World, body: BodyHandle) -> DVec3 {
    world.body(body).expect("there").center_of_mass()
}
