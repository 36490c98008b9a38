//! What touches keeps its momentum, gains no energy and does not turn inside out, however thin it is and however many there are.

use super::{EDGE, H, cube, depth_in, floor, run};
use crate::common::weightless;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, EulerRot, Quat, Vec3};
use pliant::{Blade, Body, BodyHandle, LatticeSettings, Material, Selection, Sleep, World};

/// What happened in some frames.
struct Course {
    /// How much the energy rose at most above the least it had had, as part of what it was at first.
    rise: f64,
    /// The least and the largest volume of a body at the end, as part of that at rest.
    volumes: [f64; 2],
    /// m/s of the fastest body at the end.
    fastest: f64,
}

/// Lets a world go on, awake.
fn watch(world: &mut World, frames: usize) -> Course {
    world.settings.sleep = Sleep { speed: 0.0, ..Sleep::default() };
    let start = world.energy().total();
    let (mut least, mut rise) = (start, 0.0_f64);
    for _ in 0..frames {
        let report = world.step(H);
        assert_eq!(report.contained, 0);
        assert!(report.substeps <= world.settings.max_substeps, "{} substeps", report.substeps);
        let now = world.energy().total();
        rise = rise.max(now - least);
        least = least.min(now);
    }
    let volumes = world.bodies().map(|(_, body)| body.volume_ratio());
    let volumes = volumes.fold([f64::INFINITY, 0.0], |[low, high], v| [low.min(v), high.max(v)]);
    let fastest = world.bodies().map(|(_, body)| body.velocity().length()).fold(0.0, f64::max);
    let course = Course { rise: rise / start, volumes, fastest };
    let count = world.bodies().count();
    println!("{count} bodies: rose by {:.5}, volumes {volumes:.2?}, {fastest:.3} m/s", course.rise);
    course
}

fn ball(world: &mut World) -> BodyHandle {
    let ball = Body::builder(shapes::sphere(0.32, 4))
        .material(Material::default().with_alpha(0.5))
        .model(LatticeSettings { cell: Some(0.05), width: Some(0.1) })
        .at(DVec3::Y * 0.33);
    world.add_body(ball.build().expect("a ball"))
}

#[test]
fn two_that_hit_off_centre_keep_their_angular_momentum() {
    for (friction, alpha, restitution, substeps) in
        [(0.0, 0.5, 0.0, 4), (0.5, 0.5, 0.0, 4), (0.0, 1.0, 0.7, 4), (0.0, 0.3, 0.0, 16), (0.5, 1.0, 0.7, 16)]
    {
        let mut world = weightless();
        world.settings.substeps = substeps;
        let material = Material::default().with_alpha(alpha).with_friction(friction);
        let cube = cube(material.with_restitution(restitution)).build().expect("a cube");
        for way in [1.0, -1.0] {
            let mut cube = cube.clone();
            cube.place(DVec3::new(-0.3, 0.06, 0.0) * way, Quat::from_rotation_z(-0.09 * way as f32))
                .expect("a place");
            cube.set_motion(Vec3::X * 2.0 * way as f32, Vec3::ZERO).expect("a motion");
            world.add_body(cube);
        }
        let angular = |world: &World| -> DVec3 {
            let of = |body: &Body| -> DVec3 {
                let nodes = body.rest().nodes.masses.iter().zip(&body.nodes.velocities).enumerate();
                nodes
                    .map(|(i, (&m, v))| f64::from(m) * body.nodes.world_position(i).cross(v.as_dvec3()))
                    .sum()
            };
            world.bodies().map(|(_, body)| of(body)).sum()
        };
        let start = angular(&world);
        run(&mut world, 60);
        let lost = (angular(&world) - start).length() / start.length();
        println!("friction {friction}: {lost:.5} of it is lost");
        assert!(world.bodies().all(|(_, body)| body.velocity().x.abs() < 1.5), "they have met");
        assert!(lost < 1e-3, "friction {friction}: {lost} of it is lost");
    }
}

#[test]
fn a_hit_is_the_same_however_fast_both_fly() {
    for alpha in [0.1, 0.3] {
        let after = |drift: f32| -> [(DVec3, f64); 2] {
            let mut world = weightless();
            let cube =
                cube(Material::default().with_alpha(alpha).with_friction(0.5)).build().expect("a cube");
            let cubes = [1.0, -1.0].map(|way| {
                let mut cube = cube.clone();
                let turn = Quat::from_rotation_z(-0.09 * way as f32);
                cube.place(DVec3::new(-0.3, 0.06, 0.0) * way, turn).expect("a place");
                let velocity = Vec3::new(2.0 * way as f32, 0.0, drift);
                cube.set_motion(velocity, Vec3::ZERO).expect("a motion");
                world.add_body(cube)
            });
            run(&mut world, 60);
            cubes.map(|cube| {
                let body = world.body(cube).expect("there");
                (body.velocity() - DVec3::Z * f64::from(drift), body.volume_ratio())
            })
        };
        let still = after(0.0);
        assert!(still.iter().all(|(velocity, _)| velocity.x.abs() < 1.5), "they have met");
        for drift in [10.0, 100.0] {
            for ((velocity, volume), (expected, as_large)) in after(drift).into_iter().zip(still) {
                println!("α {alpha}, {drift} m/s: {velocity:.4}, not {expected:.4}");
                assert!((velocity - expected).length() < 0.01, "{drift} m/s: {velocity}, not {expected}");
                assert!((volume - as_large).abs() < 0.01, "{drift} m/s: {volume}, not {as_large}");
            }
        }
    }
}

#[test]
fn thin_discs_that_fall_on_each_other_come_to_rest_as_thick_as_they_were() {
    let mut world = floor();
    for i in 0..5 {
        let disc = Body::builder(shapes::cylinder(0.3, 0.06, 32, 2))
            .model(LatticeSettings { cell: Some(0.05), width: None })
            .at(DVec3::new(0.07 * f64::from(i), 0.1 + 0.25 * f64::from(i), 0.05 * f64::from(i % 2)))
            .turned(Quat::from_rotation_x(0.2 * i as f32));
        world.add_body(disc.build().expect("a disc"));
    }
    let Course { rise, volumes, fastest } = watch(&mut world, 300);
    // Taking squashed discs apart does a little work.
    assert!(rise < 0.02, "energy rose by {rise}");
    assert!(volumes[0] > 0.7 && volumes[1] < 1.3, "{volumes:?}");
    assert!(fastest < 0.1, "{fastest} m/s");
}

#[test]
fn the_pieces_of_a_ball_cut_by_four_planes_fall_apart_and_lie() {
    let mut world = floor();
    let ball = ball(&mut world);
    run(&mut world, 60);
    let middle = world.body(ball).expect("there").center_of_mass() + DVec3::splat(0.01);
    for normal in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, 1.0, 0.3)] {
        world.cut(Blade::plane(middle, normal).expect("a blade"));
    }
    let Course { rise, volumes, fastest } = watch(&mut world, 240);
    assert!(world.bodies().count() >= 12);
    assert!(rise < 0.03, "energy rose by {rise}");
    assert!(volumes[0] > 0.7 && volumes[1] < 1.3, "{volumes:?}");
    assert!(fastest < 0.5, "{fastest} m/s");
}

#[test]
fn a_hundred_pieces_of_one_body_settle() {
    let mut world = floor();
    let ball = ball(&mut world);
    run(&mut world, 30);
    let middle = world.body(ball).expect("there").center_of_mass();
    for i in 0..14 {
        let turn = 1.3 * i as f32;
        let aside =
            DVec3::new(0.1 * f64::from((1.7 * turn).sin()), 0.1 * f64::from((2.3 * turn).cos()), 0.05);
        let normal = Vec3::new(turn.cos(), (0.7 * turn).sin(), turn.sin());
        world.cut(Blade::plane(middle + aside, normal).expect("a blade"));
    }
    let Course { rise, volumes, .. } = watch(&mut world, 150);
    assert!(world.bodies().count() > 60);
    assert!(rise < 0.05, "energy rose by {rise}");
    // Crumbs of a few nodes are squeezed more than what is large.
    assert!(volumes[0] > 0.3 && volumes[1] < 1.3, "{volumes:?}");
}

#[test]
fn small_cubes_in_a_heap_do_not_sink_into_each_other() {
    let mut world = floor();
    let cube = Body::builder(shapes::cuboid(Vec3::splat(0.1), [2; 3]))
        .material(Material::default().with_alpha(0.5))
        .model(LatticeSettings { cell: Some(0.05), width: Some(0.1) })
        .build()
        .expect("a cube");
    for i in 0..200_usize {
        let random = |k: usize| ((i * 7919 + k * 104_729) % 1000) as f64 / 1000.0 - 0.5;
        let [x, z] = [(i % 5, 1), (i / 5 % 5, 2)].map(|(place, k)| place as f64 * 0.18 + 0.02 * random(k));
        let turn = Quat::from_euler(EulerRot::XYZ, random(3) as f32, random(4) as f32, random(5) as f32);
        let mut cube = cube.clone();
        cube.place(DVec3::new(x, 0.1 + (i / 25) as f64 * 0.18, z), turn).expect("a place");
        world.add_body(cube);
    }
    let Course { rise, volumes, .. } = watch(&mut world, 180);
    // A world that asks for more substeps reports the energy of a stiffer material while it does.
    assert!(rise < 0.05, "energy rose by {rise}");
    assert!(volumes[0] > 0.6 && volumes[1] < 1.3, "{volumes:?}");
    // As deep in each other as cubes on edges are, whose surfaces are known at points half a cell apart.
    let cubes: Vec<&Body> = world.bodies().map(|(_, body)| body).collect();
    let near = |a: &Body, b: &Body| a.center_of_mass().distance(b.center_of_mass()) < 0.18;
    let others = |a: usize| cubes.iter().enumerate().filter(move |(b, _)| *b != a).map(|(_, body)| *body);
    let deep =
        |a: usize| others(a).filter(|b| near(cubes[a], b)).map(|b| depth_in(cubes[a], b)).fold(0.0, f64::max);
    let depths: Vec<f64> = (0..cubes.len()).map(deep).collect();
    let (deepest, mean) = (depths.iter().copied().fold(0.0, f64::max), depths.iter().sum::<f64>() / 200.0);
    println!("deepest {deepest:.4} m, {mean:.4} m in the mean");
    assert!(deepest < 0.04 && mean < 0.01, "{deepest} m, {mean} m in the mean");
}

/// How many edges up the middle of a cube is that has lain on a pinned slab for two seconds, one substep each, under so many times its
/// weight.
fn height_on_a_slab(times: f32) -> f64 {
    let mut world = World::new();
    (world.settings.substeps, world.settings.gravity) = (1, Vec3::Y * -9.81 * times);
    let slab = Body::builder(shapes::cuboid(Vec3::new(0.8, 0.2, 0.8), [16, 4, 16]))
        .material(Material::default().with_alpha(0.5))
        .model(LatticeSettings { cell: Some(0.05), width: Some(0.1) })
        .at(DVec3::Y * -0.1);
    let slab = world.add_body(slab.build().expect("a slab"));
    world.pin(slab, &Selection::All).expect("pinned");
    let on_it = cube(Material::default().with_alpha(0.5)).at(DVec3::Y * 0.11).build().expect("a cube");
    let on_it = world.add_body(on_it);
    for _ in 0..120 {
        assert_eq!(world.step(H).contained, 0);
    }
    let cube = world.body(on_it).expect("there");
    assert!(cube.velocity().length() < 3.0, "{}", cube.velocity());
    cube.center_of_mass().y / f64::from(EDGE)
}

#[test]
fn ten_times_the_weight_at_one_substep_passes_nothing() {
    let height = height_on_a_slab(10.0);
    assert!(height > 0.1 && height < 1.0, "its middle is {height} edges up");
}

#[test]
fn a_hundred_times_the_weight_at_one_substep_passes_nothing() {
    // It is crushed: 1 kg weighs as much as 100 do.
    let height = height_on_a_slab(100.0);
    assert!(height > -0.2 && height < 1.0, "its middle is {height} edges up");
}

#[test]
fn a_cube_that_lands_in_one_long_step_is_not_squashed_and_does_not_jump() {
    for dt_secs in [0.1, 0.25] {
        let mut world = floor();
        let cube = cube(Material::default().with_alpha(0.5)).at(DVec3::Y * 0.46).build().expect("a cube");
        let cube = world.add_body(cube);
        for step in 0..40 {
            world.step(dt_secs);
            let cube = world.body(cube).expect("there");
            let (height, volume) = (cube.center_of_mass().y, cube.volume_ratio());
            assert!(height < 0.46, "{dt_secs} s, step {step}: jumps to {height} m");
            assert!(volume > 0.5, "{dt_secs} s, step {step}: squashed to {volume}");
        }
    }
}
