//! What held on to a body holds on to its pieces.

use super::*;
use pliant::Cause;
use pliant::cut::{LEAST_NODES, MOST_PLACES};
use pliant::{NodeId, PickSettings, Selection, Tool};

#[test]
fn pins_hold_on_to_each_piece() {
    for body in [lattice_cube(8), octree_cube(8)] {
        let mut world = World::new();
        let handle = world.add_body(body);
        world.pin(handle, &Selection::All).unwrap();
        let before = world.body(handle).unwrap().nodes.positions.len();
        world.cut(plane([0.03, 0.0, 0.0], [1.0, 0.1, 0.0]));
        run(&mut world, 0..20);
        assert_eq!(world.bodies().count(), 2);
        assert_eq!(world.tools().count(), 2);
        let held: usize = world
            .tools()
            .map(|(_, tool)| if let Tool::Pin(pin) = tool { pin.held().count() } else { 0 })
            .sum();
        let nodes: usize = world.bodies().map(|(_, body)| body.nodes.positions.len()).sum();
        assert_eq!(held, nodes);
        assert!(nodes >= before);
        for (_, body) in world.bodies() {
            let places = body.rest().nodes.rest_positions.iter().enumerate();
            let moved = places.map(|(node, rest)| body.nodes.world_position(node).distance(rest.as_dvec3()));
            let fallen = moved.fold(0.0, f64::max);
            assert!(fallen < 1e-3, "{fallen}");
        }
    }
}

#[test]
fn a_pick_holds_on_to_the_piece_it_held() {
    for clusters in [false, true] {
        let body = if clusters {
            Body::builder(shapes::cuboid(Vec3::ONE, [4; 3])).build().unwrap()
        } else {
            lattice_cube(8)
        };
        let mut world = space();
        let handle = world.add_body(body);
        let vertex = |x: f32| {
            let positions = &world.body(handle).unwrap().rest().mesh.positions;
            positions.iter().position(|p| p.x * x > 0.2 && p.y > 0.4).unwrap() as u32
        };
        let [left, right] = [vertex(-1.0), vertex(1.0)];
        let picks = [left, right].map(|vertex| world.pick(handle, vertex, PickSettings::default()).unwrap());
        world.scissors(None, DVec3::new(0.04, 0.0, 0.0), Vec3::X).unwrap();
        world.step(FRAME_SECS);
        assert_eq!(world.bodies().count(), 2);
        for (pick, side) in picks.into_iter().zip([-1.0, 1.0]) {
            let Tool::Pick(pick) = world.tool(pick).unwrap() else { unreachable!() };
            let body = world.body(pick.body).unwrap();
            assert!(body.center_of_mass().x * side > 0.0, "clusters: {clusters}");
            assert!(body.vertex_position(pick.vertex as usize).x * side > 0.15);
            // Nothing was pulled yet, so nothing jumps.
            assert!(body.vertex_position(pick.vertex as usize).distance(pick.target) < 0.1);
        }
    }
}

#[test]
fn an_event_tells_which_node_is_which() {
    let mut world = space();
    let mut body = lattice_cube(8);
    body.set_motion(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.5, 0.0, 0.0)).unwrap();
    let handle = world.add_body(body);
    world.step(FRAME_SECS);
    let before = world.body(handle).unwrap().clone();
    world.cut_body(handle, plane([0.02, 0.0, 0.0], [1.0, 0.2, 0.1])).unwrap();
    world.step(1e-6);
    let [event] = world.cuts() else { unreachable!("{:?}", world.cuts()) };
    assert_eq!((event.body, event.cause), (Some(handle), Cause::Blade));
    let parted = event.result.as_ref().unwrap();
    assert_eq!(parted.version, world.body(handle).unwrap().version());
    assert!(parted.version > before.version());
    assert_eq!(parted.pieces.len(), 2);
    assert_eq!(parted.nodes.len(), before.nodes.positions.len());
    for (node, heirs) in parted.nodes.iter().enumerate() {
        let &[(piece, NodeId(now))] = heirs else { unreachable!("a lattice is not divided: {heirs:?}") };
        let body = world.body(parted.pieces[piece as usize]).unwrap();
        assert_eq!(body.rest().nodes.rest_positions[now as usize], before.rest().nodes.rest_positions[node]);
        assert_eq!(body.rest().nodes.masses[now as usize], before.rest().nodes.masses[node]);
        let moved = body.nodes.world_position(now as usize).distance(before.nodes.world_position(node));
        assert!(moved < 1e-4, "{moved}");
    }
    // The largest piece is the body itself.
    let [a, b] = [0, 1].map(|piece| world.body(parted.pieces[piece]).unwrap().rest().nodes.total_mass);
    assert!(a >= b);
}

#[test]
fn a_cut_that_leaves_nothing_to_simulate_is_refused_and_changes_nothing() {
    let mut world = space();
    let handle = world.add_body(lattice_cube(8));
    world.step(FRAME_SECS);
    let before = world.body(handle).unwrap().clone();
    // Just the tip of a corner.
    let corner = plane([0.48, 0.48, 0.48], [1.0, 1.0, 1.0]);
    world.cut(corner);
    world.step(FRAME_SECS);
    let after = world.body(handle).unwrap();
    assert_eq!(world.bodies().count(), 1);
    assert_eq!(after.rest().mesh.triangles.len(), before.rest().mesh.triangles.len());
    assert_eq!(after.edges().len(), before.edges().len());
    // Through the nearest nodes: one node would come off, which is too few.
    world.cut(plane([0.43, 0.43, 0.43], [1.0, 1.0, 1.0]));
    world.step(FRAME_SECS);
    assert_eq!(world.bodies().count(), 1);
    let [event] = world.cuts() else { unreachable!("{:?}", world.cuts()) };
    let refusal = event.result.as_ref().unwrap_err().to_string();
    assert!(refusal.contains(&format!("fewer than {LEAST_NODES} nodes")), "{refusal}");
    let after = world.body(handle).unwrap();
    assert_eq!(after.version(), before.version());
    assert_eq!(after.rest().mesh.triangles.len(), before.rest().mesh.triangles.len());
}

#[test]
fn bent_blades_are_refused_by_models_that_are_cut_whole() {
    let mut world = space();
    let handle = world.add_body(Body::builder(shapes::sphere(0.5, 3)).build().unwrap());
    world.cut(Blade::mesh(&shapes::sphere(0.3, 2), DVec3::X * 0.4).unwrap());
    world.step(FRAME_SECS);
    let [event] = world.cuts() else { unreachable!("{:?}", world.cuts()) };
    assert!(event.result.as_ref().unwrap_err().to_string().contains("clusters"), "{:?}", event.result);
    assert_eq!(world.bodies().count(), 1);
    assert!(world.body(handle).is_ok());
}

#[test]
fn a_snapshot_keeps_cut_bodies_and_cuts_that_are_still_to_be_made() {
    let mut world = space();
    world.add_body(octree_cube(8));
    world.cut(
        Blade::swept(&[
            [DVec3::new(-1.0, 0.0, -1.0), DVec3::new(-1.0, 0.0, 1.0)],
            [DVec3::new(0.1, 0.0, -1.0), DVec3::new(0.1, 0.0, 1.0)],
        ])
        .unwrap(),
    );
    world.step(FRAME_SECS);
    world.cut(plane([0.0, 0.0, 0.02], [0.1, 0.0, 1.0]));
    let snapshot = pliant::Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap();
    let mut other = World::new();
    other.restore(&snapshot);
    for _ in 0..5 {
        world.step(FRAME_SECS);
        other.step(FRAME_SECS);
    }
    assert!(world.bodies().count() >= 2);
    assert_eq!(world.state_hash(), other.state_hash());
    let skins =
        |world: &World| world.bodies().map(|(_, body)| body.skin().positions.clone()).collect::<Vec<_>>();
    assert_eq!(skins(&world), skins(&other));
}

#[test]
fn a_piece_can_be_refined_remodelled_and_placed_like_any_body() {
    let (mut world, handle) = cut_once(octree_cube(8), plane([0.02, 0.0, 0.0], [1.0, 0.1, 0.0]));
    let mut body = world.remove_body(handle).unwrap();
    let coarse: Vec<NodeId> = (0..body.nodes.positions.len() as u32).map(NodeId).collect();
    let mass = body.rest().nodes.total_mass;
    assert!(body.refine(&coarse).unwrap());
    assert!((body.rest().nodes.total_mass / mass - 1.0).abs() < 1e-5);
    assert_closed(&body, "after refining");
    body.place(DVec3::new(1.0, 2.0, 3.0), pliant::glam::Quat::IDENTITY).unwrap();
    assert!(body.center_of_mass().distance(DVec3::new(1.0, 2.0, 3.0)) < 1e-4);
    let settings = body.model_settings();
    body.remodel(&settings).unwrap();
    assert!(
        (body.rest().nodes.total_mass / mass - 1.0).abs() < 0.1,
        "{} → {}",
        mass,
        body.rest().nodes.total_mass
    );
}

#[test]
fn a_refused_cut_leaves_an_octree_as_coarse_as_it_was() {
    let mut world = space();
    let handle = world.add_body(octree_cube(8));
    let pin = world.pin(handle, &Selection::All).unwrap();
    world.step(FRAME_SECS);
    let (before, held) = (world.body(handle).unwrap().clone(), world.tool(pin).unwrap().clone());
    // One finest node would come off.
    world.cut(plane([0.43, 0.43, 0.43], [1.0, 1.0, 1.0]));
    world.step(FRAME_SECS);
    let [event] = world.cuts() else { unreachable!("{:?}", world.cuts()) };
    assert!(event.result.is_err());
    let after = world.body(handle).unwrap();
    assert_eq!(after.version(), before.version());
    assert_eq!(after.nodes.positions.len(), before.nodes.positions.len());
    assert_eq!(world.tool(pin).unwrap(), &held);
}

#[test]
fn an_event_tells_of_the_nodes_that_there_were_before_an_octree_was_refined_for_the_cut() {
    let mut world = space();
    let handle = world.add_body(octree_cube(8));
    world.step(FRAME_SECS);
    let before = world.body(handle).unwrap().clone();
    world.cut(plane([0.02, 0.0, 0.0], [1.0, 0.2, 0.1]));
    world.step(FRAME_SECS);
    let [event] = world.cuts() else { unreachable!("{:?}", world.cuts()) };
    let parted = event.result.as_ref().unwrap();
    assert_eq!(parted.nodes.len(), before.nodes.positions.len());
    let piece = |number: u32| world.body(parted.pieces[number as usize]).unwrap();
    let mut heirs: Vec<(u32, u32)> = Vec::new();
    for (node, now) in parted.nodes.iter().enumerate() {
        let mass: f32 = now.iter().map(|(at, heir)| piece(*at).rest().nodes.masses[heir.index()]).sum();
        let had = before.rest().nodes.masses[node];
        assert!((mass / had - 1.0).abs() < 1e-4, "node {node} had {had} kg and its heirs have {mass}");
        for (at, heir) in now {
            let off = piece(*at).rest().nodes.rest_positions[heir.index()]
                .distance(before.rest().nodes.rest_positions[node]);
            assert!(off < before.spacing(node), "node {node} has an heir {off} m away");
        }
        heirs.extend(now.iter().map(|(at, heir)| (*at, heir.0)));
    }
    let all: usize = (0..parted.pieces.len() as u32).map(|at| piece(at).nodes.positions.len()).sum();
    assert!(all > before.nodes.positions.len(), "it was not refined");
    heirs.sort_unstable();
    heirs.dedup();
    assert_eq!(heirs.len(), all, "every node now is the heir of one before");
}

#[test]
fn an_event_has_places_along_the_cut() {
    let lattice = lattice_cube(12);
    let clusters = Body::builder(shapes::sphere(0.5, 4)).build().unwrap();
    for (name, mut body) in [("lattice", lattice), ("octree", octree_cube(8)), ("clusters", clusters)] {
        let at = DVec3::new(3.0, -2.0, 1.0);
        body.place(at, pliant::glam::Quat::IDENTITY).unwrap();
        let (world, _) = cut_once(body, Blade::plane(at, Vec3::new(1.0, 0.3, 0.1)).unwrap());
        let [event] = world.cuts() else { unreachable!("{:?}", world.cuts()) };
        let parted = event.result.as_ref().unwrap();
        assert!(parted.closed, "{name}");
        let count = parted.places.len();
        assert!((16..=MOST_PLACES).contains(&count), "{name}: {count} places");
        let normal = DVec3::new(1.0, 0.3, 0.1).normalize();
        for place in &parted.places {
            let (off, away) = (normal.dot(*place - at), place.distance(at));
            assert!(off.abs() < 0.07 && away < 0.9, "{name}: {place} is {off} m off the plane");
        }
        let middle = parted.places.iter().sum::<DVec3>() / count as f64;
        assert!(middle.distance(at) < 0.15, "{name}: the places are all on one side, at {middle}");
    }
}
