//! Models that solve for all nodes at once lie, slide and fall alike at any number of substeps: what rests is part of what they solve for.

use super::{H, run};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{
    Body, BodyBuilder, BodyHandle, Collider, ElementSettings, HierarchySettings, Material, ModelSettings,
    TriMesh, World,
};

/// m/s²
const GRAVITY: f64 = 9.81;
const CELL: f32 = 0.06;
const SUBSTEPS: [u32; 3] = [1, 4, 16];

fn models() -> [ModelSettings; 2] {
    [
        ElementSettings { cell: Some(CELL), ..ElementSettings::default() }.into(),
        HierarchySettings { cell: Some(CELL), ..HierarchySettings::default() }.into(),
    ]
}

/// A plane through zero that lets things slide.
fn slope(normal: DVec3, substeps: u32, friction: f32) -> World {
    let mut world = World::new();
    world.settings.sleep.speed = 0.0;
    world.settings.substeps = substeps;
    let plane = Collider::plane(DVec3::ZERO, normal.as_vec3()).friction(friction);
    world.add_collider(plane).expect("a plane");
    world
}

fn body(mesh: TriMesh, model: &ModelSettings, young_modulus: f32, friction: f32) -> BodyBuilder {
    let material = Material::default().with_young_modulus(young_modulus, 0.3).with_friction(friction);
    Body::builder(mesh).material(material).model(model.clone())
}

/// J of all bodies together.
fn energy(world: &World) -> f64 {
    world.energy().total()
}

/// J that a body has after a substep's free fall, which is how far contacts may be late.
fn late(world: &World, body: BodyHandle) -> f64 {
    let h = f64::from(H) / f64::from(world.settings.substeps);
    world.body(body).expect("there").rest().nodes.total_mass * (GRAVITY * h).powi(2)
}

#[test]
fn what_lies_is_pressed_flat_by_its_weight_alone() {
    for model in models() {
        for young_modulus in [3e4, 1e6] {
            let lie = |substeps| {
                let mut world = slope(DVec3::Y, substeps, 0.5);
                let ball = body(shapes::sphere(0.3, 3), &model, young_modulus, 0.5).at(DVec3::Y * 0.3);
                let ball = world.add_body(ball.build().expect("a ball"));
                let (before, most) = (energy(&world), late(&world, ball));
                for _ in 0..180 {
                    run(&mut world, 1);
                    let more = energy(&world) - before;
                    assert!(more < 1.1 * most, "{}, {substeps} substeps: {more} J more", model.name());
                }
                let ball = world.body(ball).expect("there");
                (ball.center_of_mass().y, ball.volume_ratio(), ball.velocity().y.abs())
            };
            let [once, four, many] = SUBSTEPS.map(lie);
            println!("{} of {young_modulus} Pa: {once:.3?} {four:.3?} {many:.3?}", model.name());
            for found in [once, four] {
                assert!((found.0 - many.0).abs() < 0.004, "{} lies at {found:?}, not {many:?}", model.name());
                assert!((found.1 - many.1).abs() < 0.01, "{} has {found:?}, not {many:?}", model.name());
                assert!(found.2 < 0.01, "{} still moves at {found:?}", model.name());
            }
        }
    }
}

#[test]
fn what_slides_is_held_back_by_friction_as_coulomb_says() {
    let (sin, cos) = 20.0_f64.to_radians().sin_cos();
    for model in models() {
        for substeps in SUBSTEPS {
            let normal = DVec3::new(sin, cos, 0.0);
            let mut world = slope(normal, substeps, 0.2);
            let cube = body(shapes::cuboid(Vec3::splat(0.36), [3; 3]), &model, 1e5, 0.2);
            let mut cube = cube.build().expect("a cube");
            cube.place(normal * 0.18, Quat::from_rotation_z(-20.0_f32.to_radians())).expect("a place");
            let cube = world.add_body(cube);
            let before = energy(&world);
            run(&mut world, 120);
            let found = world.body(cube).expect("there");
            let (speed, expected) = (found.velocity().length(), 2.0 * GRAVITY * (sin - 0.2 * cos));
            println!("{} at {substeps} substeps: {:.3} of {expected:.3} m/s", model.name(), speed);
            assert!((speed / expected - 1.0).abs() < 0.02, "{}, {substeps}: {speed}", model.name());
            assert!(found.volume_ratio() > 0.97, "{}, {substeps}: {}", model.name(), found.volume_ratio());
            let lost = before - energy(&world);
            assert!(lost > 0.0, "{}, {substeps}: {lost} J lost", model.name());
        }
    }
}

#[test]
fn what_friction_holds_stays_on_a_slope() {
    let (sin, cos) = 20.0_f64.to_radians().sin_cos();
    for model in models() {
        for substeps in SUBSTEPS {
            let normal = DVec3::new(sin, cos, 0.0);
            let mut world = slope(normal, substeps, 0.8);
            let cube = body(shapes::cuboid(Vec3::splat(0.36), [3; 3]), &model, 1e5, 0.8);
            let mut cube = cube.build().expect("a cube");
            cube.place(normal * 0.18, Quat::from_rotation_z(-20.0_f32.to_radians())).expect("a place");
            let cube = world.add_body(cube);
            run(&mut world, 60);
            let settled = world.body(cube).expect("there").center_of_mass();
            run(&mut world, 120);
            let crept = world.body(cube).expect("there").center_of_mass().distance(settled);
            println!("{} at {substeps} substeps: crept {crept:.1e} m in 2 s", model.name());
            assert!(crept < 1e-3, "{}, {substeps}: {crept} m", model.name());
        }
    }
}

#[test]
fn what_falls_hits_and_leaves_without_more_energy_than_it_had() {
    for model in models() {
        for substeps in [4, 16] {
            let mut world = slope(DVec3::Y, substeps, 0.5);
            let bar = body(shapes::cuboid(Vec3::new(0.6, 0.18, 0.18), [5, 2, 2]), &model, 1e5, 0.5);
            let mut bar = bar.build().expect("a bar");
            bar.place(DVec3::Y * 1.2, Quat::from_rotation_z(0.6)).expect("a place");
            let bar = world.add_body(bar);
            let before = energy(&world);
            for frame in 0..180 {
                run(&mut world, 1);
                let more = energy(&world) - before;
                assert!(
                    more < late(&world, bar),
                    "{}, {substeps}, frame {frame}: {more} J more",
                    model.name()
                );
            }
            let bar = world.body(bar).expect("there");
            assert!((bar.volume_ratio() - 1.0).abs() < 0.03, "{}: {}", model.name(), bar.volume_ratio());
            // It lies on its side.
            assert!(
                (bar.center_of_mass().y - 0.09).abs() < 0.02,
                "{}: {}",
                model.name(),
                bar.center_of_mass()
            );
        }
    }
}
