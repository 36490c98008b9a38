//! A pile of a hundred.

use super::{EDGE, H, cube, depth_in, floor};
use pliant::glam::{DMat3, DVec3, EulerRot, Quat};
use pliant::math::rotation;
use pliant::model::Model;
use pliant::{Body, Material, World};

const COUNT: usize = 100;

/// Layers of cubes, each turned another way, let go one above the other.
fn pile() -> World {
    let mut world = floor();
    let material = Material::default().with_alpha(0.5).with_damping(0.7).with_friction(0.4);
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

/// What the pulls to the goals are the gradient of: ½ α/h² m (g − x)² over all nodes of all regions, each with its own goal. It is
/// what a world reports, summed here node by node.
fn elastic(body: &Body, regions: &[Vec<u32>], h: f32) -> f64 {
    let Model::Lattice(lattice) = &body.model else { return 0.0 };
    let rest = &body.rest().nodes;
    let of_region = |(node, region): (usize, &Vec<u32>)| {
        let nodes = region.iter().map(|&node| {
            let node = node as usize;
            let mass = f64::from(lattice.rest.shares.masses[node]);
            (mass, body.nodes.positions[node].as_dvec3(), rest.rest_positions[node].as_dvec3())
        });
        let nodes: Vec<(f64, DVec3, DVec3)> = nodes.collect();
        let mass: f64 = nodes.iter().map(|of| of.0).sum();
        let middle = nodes.iter().map(|&(m, x, _)| m * x).sum::<DVec3>() / mass;
        let middle0 = nodes.iter().map(|&(m, _, q)| m * q).sum::<DVec3>() / mass;
        let moment = nodes.iter().fold(DMat3::ZERO, |sum, &(m, x, q)| {
            let (p, q) = (m * (x - middle), q - middle0);
            sum + DMat3::from_cols(p * q.x, p * q.y, p * q.z)
        });
        let size = moment.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
        let turn = lattice.state.rotation(lattice.rest.slots[node] as usize);
        let turn = rotation((moment / size).as_mat3(), turn).as_dquat();
        let away =
            |&(m, x, q): &(f64, DVec3, DVec3)| m * (middle + turn * (q - middle0) - x).length_squared();
        f64::from(rest.masses[node]) * nodes.iter().map(away).sum::<f64>()
    };
    let sum: f64 = regions.iter().enumerate().map(of_region).sum();
    0.5 * f64::from(body.material.alpha_for(h, 1.0)) / f64::from(h).powi(2) * sum
}

/// The total energy of a pile in J.
fn energy(world: &World, regions: &[Vec<u32>]) -> f64 {
    let h = H / 4.0;
    let known = world.energy();
    let elastic = world.bodies().map(|(_, body)| elastic(body, regions, h)).sum::<f64>();
    assert!((known.elastic - elastic).abs() < 1e-3 * elastic + 1e-3, "{} J, not {elastic} J", known.elastic);
    known.kinetic + known.potential + elastic
}

/// The regions that all cubes of a pile have.
fn regions(world: &World) -> Vec<Vec<u32>> {
    let first = world.bodies().next().map(|(_, body)| &body.model);
    let Some(Model::Lattice(lattice)) = first else { unreachable!("cubes are lattices") };
    (0..lattice.rest.slots.len() as u32).map(|node| lattice.rest.region(node)).collect()
}

#[test]
fn a_pile_comes_to_rest_within_ten_seconds_and_stays() {
    let mut world = pile();
    let regions = regions(&world);
    let start = energy(&world, &regions);
    let (mut least, mut rise) = (start, 0.0_f64);
    for _ in 0..600 {
        let report = world.step(H);
        assert_eq!(report.contained, 0);
        let now = energy(&world, &regions);
        rise = rise.max(now - least);
        least = least.min(now);
    }
    println!("energy: {start:.1} J at first, {least:.1} J at the end, rose by {rise:.2} J at most");
    // Taking squashed bodies out of each other lifts what is on them a little.
    assert!(rise < 0.005 * start, "rose by {rise} J of {start}");
    println!("after 10 s: fastest {:.4} m/s, deepest {:.3}", fastest(&world), deepest(&world));
    assert!(fastest(&world) < 0.01, "{} m/s", fastest(&world));
    assert!(deepest(&world) < 0.05, "{} of an edge in each other", deepest(&world));
    let settled = energy(&world, &regions);
    for _ in 0..3600 {
        world.step(H);
    }
    assert!(fastest(&world) < 0.01, "{} m/s after a minute", fastest(&world));
    assert!(deepest(&world) < 0.05, "{} of an edge in each other after a minute", deepest(&world));
    assert!(energy(&world, &regions) < settled + 1e-4 * start);
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
