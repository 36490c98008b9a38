//! The same bits on any number of threads.

mod common;

use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::*;

const H: f32 = 1.0 / 60.0;

/// One large body of many clusters and thousands of nodes, and its skin.
fn large() -> World {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).expect("a floor");
    let body = Body::builder(shapes::torus(1.0, 0.4, 64, 32))
        .model_with(|of: &mut pliant::ClusterSettings| {
            of.particles =
                ParticleSettings { spacing: Some(0.08), max_surface: 4000, ..ParticleSettings::default() }
        })
        .model_with(|of: &mut pliant::ClusterSettings| {
            of.clustering = Clustering::Spread { count: 60, overlap: 0.5 }
        })
        .model_with(|of: &mut pliant::ClusterSettings| {
            of.set_goals(GoalSettings { matching: Matching::Quadratic, ..GoalSettings::default() })
        })
        .at(DVec3::Y * 2.0)
        .spin(Vec3::new(1.0, 2.0, 3.0))
        .build()
        .expect("a torus");
    world.add_body(body);
    world.wind(Wind::default()).expect("wind");
    world
}

/// Many bodies of several kinds.
fn many() -> World {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).expect("a floor");
    let plastic = Material::default().with_plasticity(Plasticity::default());
    let cap = AreaCap { method: CapMethod::Rows, limit: 1.4, soft_from: Some(1.2) };
    let kinds = [
        common::small_box().material(plastic).model_with(|of: &mut pliant::ClusterSettings| {
            of.clustering = Clustering::Grid { cells: [2, 2, 2], overlap: 0.5 }
        }),
        common::small_ball().model_with(|of: &mut pliant::ClusterSettings| {
            of.set_goals(GoalSettings { area_cap: Some(cap), ..GoalSettings::default() })
        }),
    ]
    .map(|builder| builder.build().expect("a body"));
    for i in 0..80 {
        let mut body = kinds[i % 2].clone();
        let place = DVec3::new((i % 9) as f64 * 2.0, 1.0 + (i / 9) as f64 * 0.7, (i / 9) as f64 * 2.0);
        body.place(place, Quat::from_rotation_x(i as f32)).expect("a place");
        body.set_motion(Vec3::new(0.0, -3.0, 1.0), Vec3::splat(0.1 * i as f32)).expect("a motion");
        let handle = world.add_body(body);
        if i % 10 == 0 {
            let pick = world.pick(handle, 3, PickSettings::default()).expect("a pick");
            world.move_tool(pick, place + DVec3::Y).expect("moved");
        }
    }
    world
}

/// A skin that is carried by a thinned set of nodes.
fn thinned() -> World {
    let mut world = World::new();
    world.add_collider(Collider::new(Shape::Sphere { radius: 1.0 })).expect("a ball");
    let body = Body::builder(shapes::sphere(0.7, 5)).model_with(|of: &mut pliant::ClusterSettings| {
        of.clustering = Clustering::Spread { count: 20, overlap: 0.4 }
    });
    let handle = world.add_body(body.at(DVec3::Y * 2.0).build().expect("a ball"));
    world.pick(handle, 100, PickSettings::default()).expect("a pick");
    world
}

/// A name, a world, and how many frames of it.
type Scene = (&'static str, fn() -> World, usize);

const WORLDS: [Scene; 3] = [("large", large, 40), ("many", many, 90), ("thinned", thinned, 40)];

fn hashes(world: fn() -> World, frames: usize) -> Vec<u64> {
    let mut world = world();
    (0..frames)
        .map(|_| {
            world.step(H);
            world.state_hash()
        })
        .collect()
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for (name, world, frames) in WORLDS {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| hashes(world, frames))
        };
        let one = on(1);
        for threads in [2, 7] {
            let other = on(threads);
            let differs = one.iter().zip(&other).position(|(a, b)| a != b);
            assert_eq!(differs, None, "{name} on {threads} threads differs from one, first at that frame");
        }
    }
}

#[test]
fn the_same_calls_give_the_same_bits() {
    for (name, world, frames) in WORLDS {
        assert_eq!(hashes(world, frames), hashes(world, frames), "{name}");
    }
}

#[test]
fn the_hash_sees_the_last_bit_of_any_node() {
    let mut world = many();
    let before = world.state_hash();
    let body = world.bodies_mut().last().expect("bodies");
    let v = &mut body.nodes.velocities[0].z;
    *v = f32::from_bits(v.to_bits() ^ 1);
    assert_ne!(world.state_hash(), before);
}
