//! Bodies against each other and themselves: they push, rest, slide, bounce, sleep and come apart.

#[path = "../common/mod.rs"]
mod common;

mod degenerate;
mod events;
mod itself;
mod pairs;
mod pieces;
mod pile;
mod sheets;
mod sleeping;
mod throws;

use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{Body, BodyBuilder, BodyHandle, Collider, LatticeSettings, Material, OctreeSettings, World};

/// A frame in seconds.
pub const H: f32 = 1.0 / 60.0;

/// Edge of a cube in metres.
pub const EDGE: f32 = 0.2;

/// A cube of 4×4×4 nodes.
pub fn cube(material: Material) -> BodyBuilder {
    Body::builder(shapes::cuboid(Vec3::splat(EDGE), [4; 3]))
        .material(material)
        .lattice(LatticeSettings { cell: 0.25 * EDGE, width: 0.5 * EDGE })
}

/// The same cube by every model.
pub fn cubes_of_all_models(material: Material) -> [(&'static str, Body); 3] {
    let mesh = || Body::builder(shapes::cuboid(Vec3::splat(EDGE), [4; 3])).material(material);
    [
        ("lattice", cube(material).build().expect("a lattice")),
        (
            "octree",
            mesh()
                .octree(OctreeSettings { cell: 0.25 * EDGE, levels: 1, width: 0.5 * EDGE, slack: 0.5 })
                .build()
                .expect("an octree"),
        ),
        ("clusters", mesh().build().expect("clusters")),
    ]
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

/// How deep the deepest vertex of one body's skin is inside another's, in metres.
pub fn depth_in(body: &Body, other: &Body) -> f64 {
    let mesh = pliant::TriMesh::new(other.skin().positions.clone(), other.rest().mesh.triangles.clone());
    let (low, high) = mesh.bounds().expect("a mesh");
    let offset = (body.nodes.origin - other.nodes.origin).as_vec3();
    let winding = pliant::geometry::WindingTree::new(&mesh.positions, &mesh.triangles);
    let surface = pliant::geometry::SurfaceTree::new(&mesh.positions, &mesh.triangles);
    let depth = |p: &Vec3| {
        let p = *p + offset;
        let near = p.cmpge(low).all() && p.cmple(high).all();
        if near && winding.is_inside(p) { surface.distance_up_to(p, f32::INFINITY) } else { 0.0 }
    };
    f64::from(body.skin().positions.iter().map(depth).fold(0.0, f32::max))
}
