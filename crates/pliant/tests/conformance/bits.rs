//! The same bits, on any number of threads and after a snapshot.

use super::*;

/// Two bodies of one model that fall onto each other and a floor, held, picked and blown at.
fn busy_world(model: &Entry, spacing: f32, material: Material) -> World {
    let mut world = floor();
    for (i, place) in [DVec3::new(0.0, 0.5, 0.0), DVec3::new(0.3, 1.4, 0.1)].into_iter().enumerate() {
        let body = model.body(block(), spacing).material(material).at(place).spin([3.0, 1.0, 2.0]);
        let handle = world.add_body(body.build().unwrap());
        if i == 0 {
            world.pin(handle, &Selection::Nodes(vec![0])).unwrap();
        }
        let pick = world.pick(handle, 7, PickSettings::default()).unwrap();
        world.move_tool(pick, place + DVec3::new(0.2, 0.1, 0.3)).unwrap();
    }
    world.wind(Wind::default()).unwrap();
    world.push(Push::new([0.6, 0.4, 0.0], 0.3)).unwrap();
    world
}

/// Steps, and cuts everything in the middle of it.
fn hashes(world: &mut World, frames: usize) -> Vec<u64> {
    let mut hashes = Vec::new();
    for frame in 0..frames {
        if frame == frames / 2 {
            world.cut(Blade::plane([0.1, 0.0, 0.0], Vec3::new(1.0, 0.1, 0.2)).unwrap());
        }
        world.step(H);
        hashes.push(world.state_hash());
    }
    hashes
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for model in MODELS {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| hashes(&mut busy_world(model, 0.06, (model.elastic)(0.3)), 12))
        };
        let one = on(1);
        for threads in [2, 7] {
            let differs = one.iter().zip(&on(threads)).position(|(a, b)| a != b);
            assert_eq!(differs, None, "{} differs on {threads} threads, first at that frame", model.word);
        }
    }
}

#[test]
fn a_restored_world_goes_on_bit_for_bit() {
    for model in MODELS {
        for (made_of, material) in model.materials() {
            let mut world = busy_world(model, 0.125, material);
            run(&mut world, 30, H);
            let bytes = world.snapshot().to_bytes();
            let at = world.state_hash();
            let first = hashes(&mut world, 20);
            let mut other = World::new();
            other.restore(&Snapshot::from_bytes(&bytes).unwrap());
            assert_eq!(other.state_hash(), at, "{}, {made_of}", model.word);
            let differs = first.iter().zip(&hashes(&mut other, 20)).position(|(a, b)| a != b);
            assert_eq!(differs, None, "{}, {made_of}: differs, first at that frame", model.word);
            assert!(world.bodies().count() > 2, "{}: nothing was cut", model.word);
            // Pieces are kept as well as whole bodies are.
            let bytes = world.snapshot().to_bytes();
            let first = hashes(&mut world, 10);
            other.restore(&Snapshot::from_bytes(&bytes).unwrap());
            assert_eq!(hashes(&mut other, 10), first, "{}, {made_of}: pieces", model.word);
        }
    }
}

#[test]
fn a_restored_skin_is_where_it_was() {
    for model in MODELS {
        let mut world = busy_world(model, 0.125, (model.elastic)(0.3));
        run(&mut world, 40, H);
        let skins = |world: &World| -> Vec<Vec<Vec3>> {
            world.bodies().map(|(_, body)| body.skin().positions.clone()).collect()
        };
        let before = skins(&world);
        world.restore(&Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap());
        assert_eq!(skins(&world), before, "{}", model.word);
    }
}
