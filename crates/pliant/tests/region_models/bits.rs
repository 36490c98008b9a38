//! The same bits, on any number of threads and after a snapshot.

use super::*;

/// One of each, falling and held, with plasticity.
fn busy_world(cell: f32) -> World {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).expect("a floor");
    for (i, (_, make)) in MODELS.into_iter().enumerate() {
        let material = Material::default().with_plasticity((i % 2 == 1).then(Plasticity::default));
        let body = make(bar(), cell)
            .material(material)
            .at(DVec3::new(2.0 * i as f64, 0.3, 0.0))
            .spin(Vec3::new(3.0, 1.0, 2.0))
            .build()
            .expect("a body");
        let handle = world.add_body(body);
        world.pin(handle, &Selection::Nodes(vec![0])).expect("a pin");
        world.pick(handle, 7, PickSettings::default()).expect("a pick");
    }
    world.wind(Wind::default()).expect("wind");
    world
}

fn hashes(world: &mut World, frames: usize) -> Vec<u64> {
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
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| hashes(&mut busy_world(0.05), 15))
    };
    let one = on(1);
    for threads in [2, 7] {
        assert_eq!(one, on(threads), "{threads} threads");
    }
}

#[test]
fn a_restored_world_goes_on_bit_for_bit() {
    let mut world = busy_world(0.1);
    common::run(&mut world, 40, H);
    let snapshot = Snapshot::from_bytes(&world.snapshot().to_bytes()).expect("sound");
    let first = hashes(&mut world, 60);
    let mut other = World::new();
    other.restore(&snapshot);
    assert_eq!(hashes(&mut other, 60), first);
}
