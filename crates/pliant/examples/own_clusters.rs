//! A bar divided into clusters by hand, pinned at one end and bent by its weight.
//!
//! `cargo run --release --example own_clusters`

use pliant::geometry::shapes;
use pliant::glam::Vec3;
use pliant::{Body, Clustering, Material, NamedCluster, Selection, World};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    // Three parts that overlap: what two clusters share is what holds them together.
    let part = |name: &str, from: f32, to: f32| NamedCluster {
        name: name.into(),
        members: Selection::Box { min: Vec3::new(from, -1.0, -1.0), max: Vec3::new(to, 1.0, 1.0) },
    };
    let parts = vec![part("root", -1.0, -0.2), part("middle", -0.4, 0.4), part("tip", 0.2, 1.0)];
    let bar = Body::builder(shapes::cuboid(Vec3::new(2.0, 0.2, 0.2), [20, 2, 2]))
        .model_with(|of: &mut pliant::ClusterSettings| of.clustering = Clustering::Given(parts))
        .material(Material::default().with_alpha(0.5))
        .build()?;

    let mut world = World::new();
    let bar = world.add_body(bar);
    world.pin(bar, &Selection::Box { min: Vec3::new(-1.01, -1.0, -1.0), max: Vec3::new(-0.8, 1.0, 1.0) })?;
    for _ in 0..240 {
        world.step(1.0 / 60.0);
    }
    let skin = world.body(bar)?.skin();
    let lowest = skin.positions.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
    let highest = skin.positions.iter().map(|p| p.y).fold(f32::NEG_INFINITY, f32::max);
    println!("the tip hangs {:.2} m below the root", highest - lowest);
    Ok(())
}
