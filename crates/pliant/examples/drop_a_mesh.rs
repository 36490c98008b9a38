//! Drops a mesh on the floor and says where it comes to rest.
//!
//! `cargo run --release --example drop_a_mesh -- my.obj` (without a file: a torus)

use pliant::geometry::shapes;
use pliant::{Body, Clustering, Collider, Material, World};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mesh = match std::env::args().nth(1) {
        Some(file) => pliant_io::read_mesh(file)?.mesh,
        None => shapes::torus(0.4, 0.15, 48, 20),
    };
    // Whatever its size, the mesh falls from its own height.
    let (lo, hi) = mesh.bounds().ok_or("the mesh has no vertices")?;
    let drop = f64::from(hi.y - 2.0 * lo.y);

    let mut world = World::new();
    world.add_collider(Collider::floor(mesh.origin.y))?;
    let body = Body::builder(mesh)
        .name("dropped")
        .material(Material::default().with_alpha(0.1).with_beta(0.5))
        .model_with(|of: &mut pliant::ClusterSettings| {
            of.clustering = Clustering::Spread { count: 4, overlap: 0.8 }
        })
        .at([0.0, drop, 0.0])
        .build()?;
    println!("{} nodes, {:.1} kg", body.nodes.positions.len(), body.rest().nodes.total_mass);
    let handle = world.add_body(body);

    for second in 1..=5 {
        for _ in 0..60 {
            world.step(1.0 / 60.0);
        }
        let body = world.body(handle)?;
        let (place, speed) = (body.center_of_mass(), body.velocity().length());
        println!(
            "{second} s: height {:.3} m, speed {speed:.3} m/s, volume {:.3}",
            place.y,
            body.volume_ratio()
        );
    }
    Ok(())
}
