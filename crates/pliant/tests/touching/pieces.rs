//! Pieces of a cut: they fit into each other, so they touch everywhere and push nowhere.

use super::{H, run};
use crate::common::weightless;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{Blade, Body, BodyBuilder, LatticeSettings, Material, OctreeSettings, Rule, World};

/// A cube of 1 m.
fn cube() -> BodyBuilder {
    let material = Material::default().with_alpha(0.6).with_damping(0.6);
    Body::builder(shapes::cuboid(Vec3::ONE, [10; 3])).material(material)
}

/// Along the side of a cylinder that is upright.
fn cylinder(radius: f64) -> Blade {
    let ring = |y: f64| -> Vec<DVec3> {
        let at = |i: u32| std::f64::consts::TAU * f64::from(i % 48) / 48.0;
        (0..=48).map(|i| DVec3::new(radius * at(i).cos(), y, radius * at(i).sin())).collect()
    };
    Blade::between(&ring(-0.8), &ring(0.8)).expect("a blade")
}

#[test]
fn pieces_that_fit_into_each_other_stay_where_they_are() {
    let lattice = LatticeSettings { cell: Some(0.1), width: Some(0.2) };
    let octree =
        OctreeSettings { cell: Some(0.05), levels: Some(2), width: Some(0.15), ..OctreeSettings::default() };
    let bodies = [("lattice", cube().model(lattice)), ("octree", cube().model(octree))];
    for (name, body) in bodies {
        let body = body.build().expect("a cube");
        let blades = [
            ("plane", Blade::plane(DVec3::new(0.02, 0.0, 0.0), Vec3::new(1.0, 0.2, 0.1)).expect("a blade")),
            ("cylinder", cylinder(0.3)),
            ("sphere", Blade::mesh(&shapes::sphere(0.3, 3), DVec3::ZERO).expect("a blade")),
        ];
        for (blade_name, blade) in blades {
            let mut world = weightless();
            world.settings.substeps = 4;
            world.add_body(body.clone());
            run(&mut world, 1);
            world.cut(blade);
            world.step(H);
            let before: Vec<DVec3> = world.bodies().map(|(_, body)| body.center_of_mass()).collect();
            assert_eq!(before.len(), 2, "{name} by a {blade_name}");
            let mut fastest = 0.0_f64;
            for _ in 0..60 {
                world.step(H);
                let speeds = world.bodies().map(|(_, body)| body.velocity().length());
                fastest = speeds.fold(fastest, f64::max);
            }
            let moved =
                world.bodies().zip(&before).map(|((_, body), at)| body.center_of_mass().distance(*at));
            let moved = moved.fold(0.0, f64::max);
            println!("{name} by a {blade_name}: {fastest} m/s, {moved} m");
            assert!(fastest < 0.05 && moved < 0.02, "{name} by a {blade_name}: {fastest} m/s, {moved} m");
        }
    }
}

#[test]
fn pieces_that_never_parted_do_not_touch_while_they_fall() {
    let octree = OctreeSettings { cell: Some(0.1), levels: Some(2), width: Some(0.2), slack: 0.5 };
    let mut world = World::new();
    world.add_body(cube().model(octree).refine([Rule::Everywhere { size: 0.1 }]).build().expect("a cube"));
    run(&mut world, 3);
    let middle = world.bodies().next().map_or(DVec3::ZERO, |(_, body)| body.center_of_mass());
    world.cut(Blade::plane(middle, Vec3::new(1.0, 0.3, 0.2)).expect("a blade"));
    world.step(H);
    assert_eq!(world.bodies().count(), 2);
    for frame in 0..60 {
        assert_eq!(world.step(H).contacts, 0, "frame {frame}");
    }
    // Pressed together they do.
    for body in world.bodies_mut() {
        let inward = if body.center_of_mass().x < middle.x { 0.5 } else { -0.5 };
        body.nodes.velocities.iter_mut().for_each(|velocity| velocity.x += inward);
    }
    let contacts: usize = (0..10).map(|_| world.step(H).contacts).sum();
    assert!(contacts > 0);
}
