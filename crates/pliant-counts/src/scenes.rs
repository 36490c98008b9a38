//! Worlds that are stepped, each about one kernel: skins are coarse where they are not what is counted, and nothing touches.

use crate::Fault;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{
    Blade, Body, Clustering, Collider, LatticeSettings, OctreeSettings, ParticleSettings, Rule, Selection,
    World,
};

/// A world with one body that is held at its top and swings, so that it is deformed and its regions turn.
fn hanging(body: Body) -> Result<World, Fault> {
    let mut world = World::new();
    let body = world.add_body(body);
    let top = Selection::Box { min: Vec3::new(-1.0, 0.3, -1.0), max: Vec3::new(0.0, 1.0, 1.0) };
    world.pin(body, &top)?;
    Ok(world)
}

/// 4096 nodes.
pub(crate) fn lattice() -> Result<World, Fault> {
    let settings = LatticeSettings { cell: Some(1.0 / 16.0), width: Some(0.3) };
    hanging(Body::builder(shapes::cuboid(Vec3::ONE, [2; 3])).model(settings).build()?)
}

/// Cells of three sizes.
pub(crate) fn octree() -> Result<World, Fault> {
    let cell = 1.0 / 32.0;
    let ball = Selection::Sphere { center: Vec3::new(0.3, -0.3, 0.0), radius: 0.4 };
    let body = Body::builder(shapes::cuboid(Vec3::ONE, [2; 3]))
        .model(OctreeSettings { cell: Some(cell), levels: Some(4), width: Some(0.2), slack: 0.5 })
        .refine([Rule::Everywhere { size: 4.0 * cell }, Rule::Region { within: ball, size: cell }])
        .build()?;
    hanging(body)
}

/// 64 clusters that overlap.
pub(crate) fn clusters() -> Result<World, Fault> {
    let body = Body::builder(shapes::cuboid(Vec3::ONE, [6; 3]))
        .model_with(|of: &mut pliant::ClusterSettings| {
            of.particles = ParticleSettings { spacing: Some(0.08), ..ParticleSettings::default() }
        })
        .model_with(|of: &mut pliant::ClusterSettings| {
            of.clustering = Clustering::Grid { cells: [4; 3], overlap: 0.5 }
        })
        .build()?;
    hanging(body)
}

/// 40,962 vertices carried by few nodes.
pub(crate) fn skin() -> Result<World, Fault> {
    let settings = LatticeSettings { cell: Some(0.25), width: Some(0.5) };
    hanging(Body::builder(shapes::sphere(0.5, 6)).model(settings).build()?)
}

/// Three layers of nine cubes on a floor, close to each other, that do not sleep.
pub(crate) fn heap() -> Result<World, Fault> {
    let mut world = World::new();
    world.settings.sleep.speed = 0.0;
    world.add_collider(Collider::floor(0.0))?;
    for i in 0..27 {
        let [x, y, z] = [i % 3, i / 9, i / 3 % 3].map(f64::from);
        let at = DVec3::new(0.205 * x + 0.03 * y, 0.11 + 0.21 * y, 0.205 * z);
        let mesh = shapes::cuboid(Vec3::splat(0.2), [4; 3]);
        world.add_body(
            Body::builder(mesh)
                .model(LatticeSettings { cell: Some(0.05), width: Some(0.1) })
                .at(at)
                .build()?,
        );
    }
    Ok(world)
}

/// A cube of 12³ nodes in free fall that the next step cuts in two.
pub(crate) fn cut() -> Result<World, Fault> {
    let cell = 1.0 / 12.0;
    let mut world = World::new();
    world.add_body(
        Body::builder(shapes::cuboid(Vec3::ONE, [12; 3]))
            .model(OctreeSettings { cell: Some(cell), levels: Some(2), width: Some(2.0 * cell), slack: 0.5 })
            .refine([Rule::Everywhere { size: cell }])
            .build()?,
    );
    crate::steps(&mut world, crate::BEFORE);
    let middle = world.bodies().next().map_or(DVec3::ZERO, |(_, body)| body.center_of_mass());
    world.cut(Blade::plane(middle, Vec3::new(1.0, 0.3, 0.2))?);
    Ok(world)
}
