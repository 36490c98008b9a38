//! A restored world goes on bit for bit as the first one did.

mod common;

use common::{small_ball, small_box};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::snapshot::SnapshotError;
use pliant::*;

const H: f32 = 1.0 / 60.0;

/// Everything at once: several clusters, plasticity, a thinned skin, picks, pins, wind, a push, colliders.
fn busy_world() -> (World, Vec<BodyHandle>, Vec<ToolHandle>) {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).expect("sound");
    world
        .add_collider(Collider::new(Shape::Sphere { radius: 0.5 }).at(DVec3::new(0.3, 0.0, 0.0)))
        .expect("sound");
    let plastic = Material::default().with_plasticity(Plasticity::default());
    let cap = AreaCap { method: CapMethod::Rows, limit: 1.5, soft_from: Some(1.2) };
    let bodies = [
        small_box()
            .model_with(|of: &mut pliant::ClusterSettings| {
                of.clustering = Clustering::Grid { cells: [2, 2, 2], overlap: 0.5 }
            })
            .material(plastic)
            .at(DVec3::Y * 1.5)
            .spin(Vec3::new(3.0, 1.0, 2.0)),
        small_ball()
            .model_with(|of: &mut pliant::ClusterSettings| {
                of.set_goals(GoalSettings {
                    matching: Matching::Quadratic,
                    area_cap: Some(cap),
                    ..GoalSettings::default()
                })
            })
            .at(DVec3::new(2.0, 2.0, 0.0))
            .velocity(Vec3::new(-4.0, 0.0, 1.0)),
        Body::builder(shapes::sphere(0.5, 3))
            .model_with(|of: &mut pliant::ClusterSettings| {
                of.particles = ParticleSettings { max_surface: 60, ..ParticleSettings::default() }
            })
            .at(DVec3::new(-2.0, 1.0, 0.0))
            .spin(Vec3::Y * 8.0),
    ];
    let handles: Vec<BodyHandle> = bodies.map(|b| world.add_body(b.build().expect("sound"))).to_vec();
    let gone = world.add_body(small_ball().build().expect("sound"));
    world.remove_body(gone).expect("sound");
    let pick = world.pick(handles[2], 17, PickSettings::default()).expect("sound");
    world.move_tool(pick, DVec3::new(-2.0, 2.0, 0.5)).expect("sound");
    let low = Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(-0.45, 9.0, 9.0) };
    let pin = world.pin(handles[0], &low).expect("sound");
    let wind = world.wind(Wind::default()).expect("sound");
    let push = world.push(Push::new(DVec3::new(1.0, 1.0, 0.0), 0.4)).expect("sound");
    (world, handles, vec![pick, pin, wind, push])
}

#[test]
fn a_restored_world_goes_on_bit_for_bit() {
    for through_bytes in [false, true] {
        let (mut world, ..) = busy_world();
        common::run(&mut world, 45, H);
        let snapshot = match through_bytes {
            false => world.snapshot(),
            true => Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap(),
        };
        let at = world.state_hash();
        let hashes = |world: &mut World| -> Vec<u64> {
            (0..60)
                .map(|_| {
                    world.step(H);
                    world.state_hash()
                })
                .collect()
        };
        let first = hashes(&mut world);
        world.restore(&snapshot);
        assert_eq!(world.state_hash(), at);
        assert_eq!(hashes(&mut world), first, "through bytes: {through_bytes}");
        let mut other = World::new();
        other.restore(&snapshot);
        assert_eq!(hashes(&mut other), first, "in another world, through bytes: {through_bytes}");
        assert_eq!(other.time_secs(), world.time_secs());
    }
}

#[test]
fn a_restored_heap_goes_on_bit_for_bit_also_if_bodies_come_and_go() {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).expect("sound");
    let heap: Vec<BodyHandle> = (0..8)
        .map(|i| {
            let [x, y] = [i % 2, i / 2].map(f64::from);
            let body = small_box().at(DVec3::new(1.01 * x + 0.1 * y, 0.52 + 1.02 * y, 0.0));
            world.add_body(body.build().expect("sound"))
        })
        .collect();
    // The pieces of a cut that never part are followed from step to step.
    let settings = LatticeSettings { cell: Some(0.125), width: Some(0.25) };
    let cut = Body::builder(shapes::cuboid(Vec3::ONE, [8; 3])).model(settings).at(DVec3::new(5.0, 30.0, 0.0));
    world.add_body(cut.build().expect("sound"));
    world.cut(Blade::plane(DVec3::new(5.0, 30.0, 0.0), Vec3::new(1.0, 0.3, 0.2)).expect("a blade"));
    for gone in [0, 5] {
        common::run(&mut world, 30, H);
        assert_eq!(world.bodies().count(), 10, "it was cut");
        assert!(world.touches().iter().any(|touch| matches!(touch.other, Other::Body(_))));
        world.remove_body(heap[gone]).expect("sound");
        world.add_body(small_box().at(DVec3::new(0.5, 6.0, 0.0)).build().expect("sound"));
        let snapshot = Snapshot::from_bytes(&world.snapshot().to_bytes()).expect("a snapshot");
        let mut other = World::new();
        other.restore(&snapshot);
        // Also if it was kept again before it went on.
        let again = other.snapshot();
        assert_eq!(again.to_bytes(), snapshot.to_bytes());
        other.restore(&again);
        for frame in 0..30 {
            world.step(H);
            other.step(H);
            assert_eq!(other.state_hash(), world.state_hash(), "frame {frame} without {gone}");
        }
    }
}

#[test]
fn taking_a_snapshot_or_refreshing_a_skin_changes_nothing() {
    let (mut world, handles, _) = busy_world();
    let (mut twin, ..) = busy_world();
    for _ in 0..30 {
        world.step(H);
        twin.step(H);
        drop(world.snapshot());
        handles.iter().for_each(|&h| world.body_mut(h).unwrap().refresh());
        assert_eq!(world.state_hash(), twin.state_hash());
    }
}

#[test]
fn a_restored_skin_is_where_it_was() {
    let (mut world, handles, _) = busy_world();
    common::run(&mut world, 20, H);
    let skins: Vec<Vec<Vec3>> =
        handles.iter().map(|&h| world.body(h).unwrap().skin().positions.clone()).collect();
    let snapshot = Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap();
    world.restore(&snapshot);
    for (handle, skin) in handles.iter().zip(skins) {
        assert_eq!(world.body(*handle).unwrap().skin().positions, skin);
    }
}

#[test]
fn handles_from_then_are_good_again_and_later_ones_are_not() {
    let (mut world, bodies, tools) = busy_world();
    let snapshot = world.snapshot();
    world.remove_body(bodies[0]).unwrap();
    let later = world.add_body(small_ball().build().unwrap());
    world.remove_tool(tools[2]).unwrap();
    world.restore(&snapshot);
    assert!(bodies.iter().all(|&b| world.body(b).is_ok()));
    assert!(tools.iter().all(|&t| world.tool(t).is_ok()));
    assert!(world.body(later).is_err());
}

#[test]
fn damaged_bytes_are_found_and_nothing_panics() {
    let (mut world, ..) = busy_world();
    common::run(&mut world, 5, H);
    let bytes = world.snapshot().to_bytes();
    assert!(Snapshot::from_bytes(&bytes).is_ok());
    for at in (0..24).chain((24..bytes.len()).step_by(97)) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x41;
        let error = Snapshot::from_bytes(&damaged).unwrap_err();
        match at {
            0..8 => assert_eq!(error, SnapshotError::AnotherKind),
            8..12 => assert!(matches!(error, SnapshotError::Version { .. }), "{at}: {error}"),
            _ => assert!(matches!(error, SnapshotError::Damaged(_)), "{at}: {error}"),
        }
    }
    for length in (0..bytes.len()).step_by(101).chain([0, 1, 23, 24, bytes.len() - 1]) {
        let error = Snapshot::from_bytes(&bytes[..length]).unwrap_err();
        assert_eq!(error == SnapshotError::AnotherKind, length < 24, "{length}: {error}");
    }
    let mut longer = bytes.clone();
    longer.extend([0; 3]);
    assert!(matches!(Snapshot::from_bytes(&longer), Err(SnapshotError::Damaged(_))));
    assert_eq!(Snapshot::from_bytes(b"solid cube").unwrap_err(), SnapshotError::AnotherKind);
}

#[test]
fn another_version_is_named() {
    let mut bytes = World::new().snapshot().to_bytes();
    bytes[8..12].copy_from_slice(&77_u32.to_le_bytes());
    let error = Snapshot::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, SnapshotError::Version { found: 77, readable: 18 });
    assert!(error.to_string().contains("77"));
}

#[test]
fn clones_cost_their_state_and_share_their_rest() {
    let body = Body::builder(shapes::sphere(0.5, 3)).build().unwrap();
    let state = body.nodes.positions.len() * 24;
    let crowd = |count: usize| {
        let mut world = World::new();
        for i in 0..count {
            let mut clone = body.clone();
            clone.place(DVec3::X * i as f64, Quat::IDENTITY).unwrap();
            world.add_body(clone);
        }
        world.snapshot().to_bytes().len()
    };
    let (one, sixty) = (crowd(1), crowd(60));
    let each = (sixty - one) as f64 / 59.0;
    assert!(each < 1.1 * state as f64, "a clone costs {each:.0} bytes for {state} bytes of state");
    assert!(one > 3 * state, "the rest shape is most of a single body");
}
