//! Random sequences of cuts through cells of several sizes.

use super::sequences::{KINDS, blade};
use super::*;
use pliant::{Budget, NodeId};

/// Octrees of two to four sizes of cells, coarse where nothing asks for more.
fn bodies() -> Vec<(&'static str, Body)> {
    let octree = |mesh: TriMesh, cell: f32, levels: u32| {
        let settings =
            OctreeSettings { cell: Some(cell), levels: Some(levels), width: Some(2.0 * cell), slack: 0.5 };
        Body::builder(mesh).model(settings).build().unwrap()
    };
    vec![
        ("a ball", octree(shapes::sphere(0.5, 3), 0.1, 1)),
        ("a ball of three sizes", octree(shapes::sphere(0.5, 2), 0.08, 2)),
        ("a block", octree(shapes::cuboid(Vec3::new(1.0, 0.5, 0.6), [2; 3]), 0.09, 3)),
        ("a capsule", octree(shapes::capsule(0.22, 0.6, 12, 6), 0.08, 2)),
        ("a ring", octree(shapes::torus(0.4, 0.14, 24, 12), 0.09, 2)),
        ("a plate", octree(shapes::cuboid(Vec3::new(1.0, 0.14, 1.0), [4, 1, 4]), 0.1, 2)),
    ]
}

/// A few random cells become finer, so that sizes are mixed where no blade is.
fn mix(body: &mut Body, random: &mut Random) {
    for _ in 0..random.below(3) {
        let count = body.nodes.positions.len();
        let nodes: Vec<NodeId> = (0..4).map(|_| NodeId(random.below(count) as u32)).collect();
        body.refine(&nodes).unwrap();
    }
}

/// Pieces become coarser again, wherever they can or at random, as they do when nothing asks for fine cells any more.
fn coarsen(world: &mut World, random: &mut Random) {
    let everywhere = random.below(2) == 0;
    let bodies: Vec<BodyHandle> = world.bodies().map(|(handle, _)| handle).collect();
    for handle in bodies {
        let body = world.body_mut(handle).unwrap();
        for _ in 0..3 {
            let nodes = 0..body.nodes.positions.len() as u32;
            let chosen = nodes.filter(|_| everywhere || random.below(3) == 0).map(NodeId);
            body.coarsen(&chosen.collect::<Vec<_>>()).unwrap();
        }
    }
}

/// Makes a sequence of cuts, after every other of which the pieces become coarser, and of which every other has no room for finer cells along its blades, and returns how many went through
/// a body with cells of several sizes.
fn run_sequence(seed: u64, name: &str, body: &Body) -> usize {
    let mut random = Random::new(seed);
    let mut world = space();
    let mut body = body.clone();
    body.contacts.bodies = false;
    mix(&mut body, &mut random);
    if random.below(2) == 0 {
        let nodes = body.nodes.positions.len() + random.below(60);
        world.set_budget(Some(Budget::Nodes(nodes as u32)));
    }
    world.add_body(body);
    let mass = totals(&world).0;
    let (mut before, mut mixed) = (None, 0);
    for cut in 0..4 {
        let kind = KINDS[random.below(KINDS.len())];
        let when = format!("{name}, seed {seed}, cut {cut} ({kind:?})");
        match blade(kind, &mut random, DVec3::ZERO, before.as_ref()) {
            Some(blade) => {
                world.cut(blade.clone());
                before = Some(blade);
            }
            None => world.scissors(None, DVec3::ZERO, random.vector()).unwrap(),
        }
        assert_eq!(world.step(FRAME_SECS).contained, 0, "{when}");
        assert!(!world.cuts().is_empty(), "{when}: nothing is told of it");
        for parted in world.cuts().iter().filter_map(|event| event.result.as_ref().ok()) {
            assert!(parted.closed, "{when}");
            let of = parted.pieces.iter().map(|&piece| world.body(piece).unwrap());
            mixed += usize::from(of.into_iter().any(has_several_sizes));
        }
        world.bodies().for_each(|(_, body)| assert_closed(body, &when));
        let (now, momentum, _) = totals(&world);
        assert!((now - mass).abs() < 1e-5 * mass, "{when}: the mass was {mass}, is {now}");
        if random.below(2) == 0 {
            coarsen(&mut world, &mut random);
            let (coarse, after, _) = totals(&world);
            assert!((coarse - mass).abs() < 1e-5 * mass, "{when}: made coarser, the mass is {coarse}");
            assert!((after - momentum).length() < 1e-4 * mass, "{when}: {momentum} became {after}");
        }
    }
    mixed
}

fn has_several_sizes(body: &Body) -> bool {
    let sizes = || (0..body.nodes.positions.len()).map(|node| body.spacing(node));
    sizes().any(|size| size > 1.5 * sizes().fold(f32::INFINITY, f32::min))
}

/// Sequences with seeds from 0 on; most of their cuts must be through several sizes, or this tests something else.
fn run_sequences(count: u64) {
    let bodies = bodies();
    let of = |seed: u64| {
        if seed > 0 && seed.is_multiple_of(250) {
            println!("{seed} sequences");
        }
        let (name, body) = &bodies[seed as usize % bodies.len()];
        run_sequence(seed, name, body)
    };
    let mixed: usize = (0..count).map(of).sum();
    println!("{count} sequences, {mixed} cuts through cells of several sizes");
    assert!(
        mixed as u64 > count,
        "only {mixed} cuts of {count} sequences were through cells of several sizes"
    );
}

#[test]
fn after_any_cut_through_cells_of_several_sizes_the_surface_is_closed() {
    run_sequences(60);
}

#[test]
#[ignore = "10,000 sequences, some minutes in release"]
fn after_any_of_10000_sequences_through_cells_of_several_sizes_the_surface_is_closed() {
    run_sequences(10_000);
}
