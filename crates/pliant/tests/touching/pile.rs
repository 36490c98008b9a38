//! A pile of a hundred.

use super::{EDGE, H, cube, depth_in, floor};
use pliant::glam::{DVec3, EulerRot, Quat};
use pliant::{Body, Material, World};

const COUNT: usize = 100;

/// Layers of cubes, each turned another way, let go one above the other.
fn pile() -> World {
    let mut world = floor();
    let material = Material { alpha: 0.5, damping: 0.7, friction: 0.4, ..Material::default() };
    let cube = cube(material).build().expect("a cube");
    for i in 0..COUNT {
        let random = |k: usize| ((i * 7919 + k * 104_729) % 1000) as f32 / 1000.0 - 0.5;
        let turn = Quat::from_euler(EulerRot::XYZ, random(3), random(4), random(5));
        let at = |index: usize, k: usize| (index as f32 * 1.55 * EDGE + 0.1 * EDGE * random(k)) as f64;
        let place = DVec3::new(at(i % 5, 1), 0.2 + (i / 25) as f64 * 0.31, at(i / 5 % 5, 2));
        let mut cube = cube.clone();
        cube.place(place, turn).expect("a place");
        world.add_body(cube);
    }
    world
}

fn deepest(world: &World) -> f64 {
    let bodies: Vec<&Body> = world.bodies().map(|(_, body)| body).collect();
    let near = |a: &Body, b: &Body| a.center_of_mass().distance(b.center_of_mass()) < 1.8 * f64::from(EDGE);
    let mut deepest = 0.0_f64;
    for a in &bodies {
        for b in bodies.iter().filter(|b| !std::ptr::eq(*a, **b) && near(a, b)) {
            deepest = deepest.max(depth_in(a, b));
        }
    }
    deepest / f64::from(EDGE)
}

fn fastest(world: &World) -> f64 {
    world.bodies().map(|(_, body)| body.velocity().length()).fold(0.0, f64::max)
}

#[test]
fn a_pile_comes_to_rest_within_ten_seconds_and_stays() {
    let mut world = pile();
    let h = H / 4.0;
    let start = world.energy(h).total();
    let (mut least, mut rise) = (f64::INFINITY, 0.0_f64);
    for _ in 0..600 {
        let report = world.step(H);
        assert_eq!(report.contained, 0);
        let now = world.energy(h).total();
        assert!(now < 1.001 * start, "{now} J of {start}");
        rise = rise.max(now - least);
        least = least.min(now);
    }
    println!("energy: {start:.1} J at first, {least:.1} J at the end, rose by {rise:.2} J at most");
    // The elastic part is that of the step before, so an impact shows a little late.
    assert!(rise < 0.02 * start, "rose by {rise} J of {start}");
    println!("after 10 s: fastest {:.4} m/s, deepest {:.3}", fastest(&world), deepest(&world));
    assert!(fastest(&world) < 0.01, "{} m/s", fastest(&world));
    assert!(deepest(&world) < 0.05, "{} of an edge in each other", deepest(&world));
    let settled = world.energy(h).total();
    for _ in 0..3600 {
        world.step(H);
    }
    assert!(fastest(&world) < 0.01, "{} m/s after a minute", fastest(&world));
    assert!(deepest(&world) < 0.05, "{} of an edge in each other after a minute", deepest(&world));
    assert!(world.energy(h).total() < settled + 1e-4 * start);
}

#[test]
fn a_pile_falls_the_same_way_on_any_number_of_threads() {
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut world = pile();
            for _ in 0..150 {
                world.step(H);
            }
            world.state_hash()
        })
    };
    let one = hash(1);
    assert_eq!(hash(2), one);
    assert_eq!(hash(7), one);
}
