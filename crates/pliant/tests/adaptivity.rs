//! Bodies whose nodes change while they live: nothing is lost, nothing jumps, tools hold on, budgets are kept.

mod common;
#[path = "common/blocks.rs"]
mod made_of_blocks;

use common::{Random, momentum, weightless};
use pliant::adapt::Place;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Mat3, Vec3};
use pliant::material::Material;
use pliant::model::Changes;
use pliant::model::Model;
use pliant::{
    Body, BodyBuilder, Budget, Collider, Criterion, LatticeSettings, NodeId, OctreeSettings, PickSettings,
    Push, ResampleError, Rule, Selection, World, WorldSettings,
};
use std::collections::BTreeSet;

const CELL: f32 = 0.05;

/// A bar of base cells that can be halved twice.
fn bar() -> BodyBuilder {
    let settings = OctreeSettings { cell: Some(CELL), levels: Some(2), width: Some(0.2), slack: 0.5 };
    Body::builder(shapes::cuboid(Vec3::new(1.6, 0.4, 0.4), [32, 8, 8])).model(settings)
}

fn octree(body: &Body) -> &pliant::model::Octree {
    match &body.model {
        Model::Octree(octree) => octree,
        other => panic!("this body's model is {}", other.name()),
    }
}

fn all(body: &Body) -> Vec<NodeId> {
    (0..body.nodes.positions.len() as u32).map(NodeId).collect()
}

fn count(body: &Body) -> usize {
    body.nodes.positions.len()
}

fn mass(body: &Body) -> f64 {
    body.rest().nodes.masses.iter().map(|&m| f64::from(m)).sum()
}

/// Bent, twisted, stretched and in motion, smoothly.
fn deformed(body: &mut Body) {
    let rest = body.rest().clone();
    for (i, x0) in rest.nodes.rest_positions.iter().enumerate() {
        let angle = 0.9 * x0.x;
        let twist = Mat3::from_rotation_x(0.8 * x0.x) * Vec3::new(0.0, x0.y, x0.z);
        let (sin, cos) = angle.sin_cos();
        let radius = 1.0 / 0.9 - twist.y;
        body.nodes.positions[i] = Vec3::new(1.2 * radius * sin, 1.0 / 0.9 - radius * cos, twist.z);
        body.nodes.velocities[i] = Vec3::new(0.3 * x0.y, 1.0 + 2.0 * x0.x * x0.x, 0.5 * x0.x);
    }
    body.refresh();
}

/// How far any vertex jumps, in finest cells.
fn jump(body: &mut Body, change: impl FnOnce(&mut Body)) -> f32 {
    let before: Vec<DVec3> = (0..body.skin().positions.len()).map(|v| body.vertex_position(v)).collect();
    change(body);
    let moved = before.iter().enumerate().map(|(v, at)| at.distance(body.vertex_position(v)) as f32);
    moved.fold(0.0, f32::max) / CELL
}

#[test]
fn the_skin_of_a_body_at_rest_stays_when_it_is_refined_and_coarsened() {
    let mut body = bar().build().unwrap();
    let (first, mut most, mut random) = (count(&body), 0, Random::new(3));
    for round in 0..6 {
        let chosen: Vec<NodeId> = all(&body).into_iter().filter(|_| random.unit() < 0.3).collect();
        let by = jump(&mut body, |body| {
            let done = if round < 3 { body.refine(&chosen) } else { body.coarsen(&chosen) };
            assert_eq!(done, Ok(true));
        });
        assert!(by < 0.01, "round {round}: {by} of a finest cell");
        most = most.max(count(&body));
    }
    assert!(most > 3 * first && count(&body) < most);
}

#[test]
fn the_skin_of_a_deformed_body_hardly_jumps_when_it_is_refined() {
    let mut body = bar().build().unwrap();
    deformed(&mut body);
    for (level, limit) in [(1, 0.2), (2, 0.2)] {
        let chosen: Vec<NodeId> =
            all(&body).into_iter().filter(|n| octree(&body).rest.places[n.0 as usize].x > 0.0).collect();
        let by = jump(&mut body, |body| assert_eq!(body.refine(&chosen), Ok(true)));
        assert!(by < limit, "level {level}: {by} of a finest cell");
    }
}

#[test]
fn mass_and_momentum_are_what_they_were() {
    let mut body = bar().build().unwrap();
    deformed(&mut body);
    let mut random = Random::new(5);
    let (mass_first, (linear, angular)) = (mass(&body), momentum(&body));
    let scale = body.rest().nodes.total_mass;
    for round in 0..20 {
        let chosen: Vec<u32> = all(&body).into_iter().filter(|_| random.unit() < 0.2).map(|n| n.0).collect();
        let changes = if round % 2 == 0 {
            Changes { refine: chosen, ..Changes::default() }
        } else {
            Changes { coarsen: chosen, ..Changes::default() }
        };
        body.resample(&changes).unwrap();
        assert!((mass(&body) / mass_first - 1.0).abs() < 1e-6);
        let (l, a) = momentum(&body);
        assert!(l.distance(linear) < 2e-6 * scale, "round {round}: {l} {linear}");
        assert!(a.distance(angular) < 2e-6 * scale, "round {round}: {a} {angular}");
    }
}

#[test]
fn a_changed_body_goes_on_without_a_kick() {
    let mut world = weightless();
    let handle = world.add_body(bar().spin([0.0, 0.0, 4.0]).build().unwrap());
    common::run(&mut world, 30, 1.0 / 240.0);
    let energy = common::kinetic_energy(world.body(handle).unwrap());
    let nodes = all(world.body(handle).unwrap());
    world.body_mut(handle).unwrap().refine(&nodes).unwrap();
    common::run(&mut world, 60, 1.0 / 240.0);
    let after = common::kinetic_energy(world.body(handle).unwrap());
    assert!((after / energy - 1.0).abs() < 0.05, "{energy} {after}");
    assert!(common::deformation(world.body(handle).unwrap()) < 0.02);
}

#[test]
fn pinned_nodes_stay_pinned_when_their_cells_change() {
    let mut world = World::new();
    // Stiff: its end stays where it is held however it swings.
    let stiff = Material::default().with_alpha(1.0).with_damping(5.0);
    let handle = world.add_body(bar().material(stiff).build().unwrap());
    let end = Selection::Box { min: Vec3::new(-0.81, -1.0, -1.0), max: Vec3::new(-0.55, 1.0, 1.0) };
    world.pin(handle, &end).unwrap();
    let held_at = world.body(handle).unwrap().vertex_position(0);
    for round in 0..4 {
        let nodes = all(world.body(handle).unwrap());
        let body = world.body_mut(handle).unwrap();
        assert_eq!(if round < 2 { body.refine(&nodes) } else { body.coarsen(&nodes) }, Ok(true));
        common::run(&mut world, 60, 1.0 / 60.0);
        let body = world.body(handle).unwrap();
        // Vertex 0 is a corner of the pinned end.
        let away = held_at.distance(body.vertex_position(0));
        assert!(away < 0.02, "round {round}: {away}");
        assert!(body.center_of_mass().y > -0.6, "it hangs and does not fall");
    }
}

#[test]
fn a_pick_holds_on_to_a_body_whose_cells_change() {
    let mut world = World::new();
    let handle = world.add_body(bar().build().unwrap());
    world.pick(handle, 0, PickSettings { frequency_hz: 4.0, ..PickSettings::default() }).unwrap();
    for _ in 0..2 {
        let nodes = all(world.body(handle).unwrap());
        world.body_mut(handle).unwrap().refine(&nodes).unwrap();
        common::run(&mut world, 120, 1.0 / 60.0);
    }
    let body = world.body(handle).unwrap();
    assert!(body.center_of_mass().length() < 1.5, "it hangs on the pick: {}", body.center_of_mass());
}

#[test]
fn cells_near_a_tool_are_fine_while_it_is_there() {
    let mut world = weightless();
    let handle = world.add_body(bar().refine([Rule::Tools { margin: 0.05, size: CELL }]).build().unwrap());
    let coarse = count(world.body(handle).unwrap());
    let push =
        world.push(Push { center: DVec3::new(0.6, 0.35, 0.0), radius: 0.1, frequency_hz: 0.0 }).unwrap();
    common::run(&mut world, 5, 1.0 / 60.0);
    let body = world.body(handle).unwrap();
    let fine = |node: usize| octree(body).rest.tree.key_of(node).level() == 0;
    assert!((0..count(body)).any(fine), "touched cells are of the finest level");
    assert!(
        (0..count(body)).filter(|&n| octree(body).rest.places[n].x < 0.0).all(|n| !fine(n)),
        "others are not"
    );
    world.move_tool(push, DVec3::new(0.0, 9.0, 0.0)).unwrap();
    common::run(&mut world, 5, 1.0 / 60.0);
    assert_eq!(count(world.body(handle).unwrap()), coarse, "all is as before when it has gone");
}

#[test]
fn a_tool_that_trembles_at_the_limit_changes_nothing_each_time() {
    let mut world = weightless();
    let handle = world.add_body(bar().refine([Rule::Tools { margin: 0.05, size: CELL }]).build().unwrap());
    let push =
        world.push(Push { center: DVec3::new(0.6, 0.35, 0.0), radius: 0.1, frequency_hz: 0.0 }).unwrap();
    common::run(&mut world, 10, 1.0 / 60.0);
    let version = world.body(handle).unwrap().version();
    for i in 0..40 {
        let wobble = if i % 2 == 0 { 0.004 } else { -0.004 };
        world.move_tool(push, DVec3::new(0.6 + wobble, 0.35, 0.0)).unwrap();
        common::run(&mut world, 1, 1.0 / 60.0);
    }
    let changes = world.body(handle).unwrap().version() - version;
    assert!(changes <= 4, "{changes} changes in 40 steps");
}

#[test]
fn a_tool_that_passes_changes_many_cells_at_a_time() {
    let mut world = weightless();
    let handle = world.add_body(bar().refine([Rule::Tools { margin: 0.05, size: CELL }]).build().unwrap());
    let coarse = count(world.body(handle).unwrap());
    let at = |x: f64| DVec3::new(x, 0.35, 0.0);
    let push = world.push(Push { center: at(-2.0), radius: 0.25, frequency_hz: 0.0 }).unwrap();
    let (mut passing, mut finest) = (0_u64, coarse);
    for step in 0..180 {
        world.move_tool(push, at(-2.0 + f64::from(step) * 0.0225)).unwrap();
        common::run(&mut world, 1, 1.0 / 60.0);
        let body = world.body(handle).unwrap();
        passing += u64::from(count(body) != coarse);
        finest = finest.max(count(body));
    }
    let body = world.body(handle).unwrap();
    assert!(finest > 2 * coarse, "{finest} of {coarse}");
    assert_eq!(count(body), coarse, "all is as before when it has gone");
    assert!(2 * body.version() < passing, "{} changes in {passing} steps", body.version());
}

#[test]
fn strained_cells_are_fine() {
    let mut world = weightless();
    let rule = Rule::Strain { from: 0.05, size: CELL };
    let handle = world.add_body(bar().refine([rule]).build().unwrap());
    let coarse = count(world.body(handle).unwrap());
    common::run(&mut world, 3, 1.0 / 60.0);
    assert_eq!(count(world.body(handle).unwrap()), coarse, "at rest nothing changes");
    let body = world.body_mut(handle).unwrap();
    deformed(body);
    common::run(&mut world, 1, 1.0 / 600.0);
    assert!(count(world.body(handle).unwrap()) > coarse);
}

/// Eight bars in a row away from the viewer.
fn row_of_bars(budget: Option<Budget>) -> World {
    let mut world = World::with_settings(WorldSettings {
        gravity: Vec3::ZERO,
        substeps: 1,
        budget,
        ..WorldSettings::default()
    });
    for i in 0..8 {
        let body = bar().refine([Rule::Viewer { angle: 0.02 }]).at([0.0, 0.0, -f64::from(i)]);
        world.add_body(body.build().expect("a body"));
    }
    world.look_from(Some(DVec3::new(0.0, 0.0, 1.5)));
    world
}

fn nodes(world: &World) -> usize {
    world.bodies().map(|(_, body)| count(body)).sum()
}

#[test]
fn a_budget_of_nodes_is_kept_and_spent_where_it_is_most_useful() {
    let free = {
        let mut world = row_of_bars(None);
        common::run(&mut world, 20, 1.0 / 60.0);
        nodes(&world)
    };
    for limit in [600, 1200, 2400] {
        assert!(limit < free, "{free} nodes without a budget");
        let mut world = row_of_bars(Some(Budget::Nodes(limit as u32)));
        for _ in 0..40 {
            common::run(&mut world, 1, 1.0 / 60.0);
            assert!(nodes(&world) <= limit, "{} of {limit}", nodes(&world));
        }
        assert!(nodes(&world) > limit * 8 / 10, "{} of {limit} are used", nodes(&world));
        let counts: Vec<usize> = world.bodies().map(|(_, body)| count(body)).collect();
        assert!(
            counts[0] >= counts[3] && counts[3] >= counts[7] && counts[0] > counts[7],
            "near ones first: {counts:?}"
        );
    }
}

#[test]
fn a_budget_that_shrinks_frees_room_and_one_that_grows_is_used() {
    let mut world = row_of_bars(Some(Budget::Nodes(2000)));
    common::run(&mut world, 30, 1.0 / 60.0);
    let many = nodes(&world);
    world.set_budget(Some(Budget::Nodes(700)));
    common::run(&mut world, 2, 1.0 / 60.0);
    assert!(nodes(&world) <= 700 && many > 1500, "{many} {}", nodes(&world));
    world.set_budget(Some(Budget::Nodes(2000)));
    common::run(&mut world, 30, 1.0 / 60.0);
    assert_eq!(nodes(&world), many, "the same again");
}

#[test]
fn a_budget_of_time_is_met_by_fewer_nodes() {
    let mut world = row_of_bars(None);
    common::run(&mut world, 20, 1.0 / 60.0);
    let free = nodes(&world);
    // No machine moves a node in a picosecond: all that can go goes, in as many frames as it takes to pay for the changes.
    world.set_budget(Some(Budget::Millis(1e-9)));
    common::run(&mut world, 400, 1.0 / 60.0);
    assert!(nodes(&world) < free / 4, "{} of {free}", nodes(&world));
}

#[test]
fn a_settled_budget_is_left_alone() {
    let mut world = row_of_bars(Some(Budget::Nodes(1500)));
    common::run(&mut world, 40, 1.0 / 60.0);
    let versions: Vec<u64> = world.bodies().map(|(_, body)| body.version()).collect();
    common::run(&mut world, 20, 1.0 / 60.0);
    let later: Vec<u64> = world.bodies().map(|(_, body)| body.version()).collect();
    assert_eq!(versions, later);
}

#[test]
fn a_disconnected_body_falls_apart() {
    let lattice = Body::builder(shapes::cuboid(Vec3::new(1.6, 0.4, 0.4), [16, 4, 4]))
        .model(LatticeSettings { cell: Some(0.1), width: Some(0.3) });
    for (name, builder) in [("octree", bar()), ("lattice", lattice)] {
        let mut body = builder.build().unwrap();
        let x = |node: usize| body.rest().nodes.rest_positions[node].x;
        let mut pairs = Vec::new();
        for a in 0..count(&body) {
            for b in 0..count(&body) {
                if x(a) < 0.0 && x(b) > 0.0 {
                    pairs.push((NodeId(a as u32), NodeId(b as u32)));
                }
            }
        }
        assert_eq!(body.disconnect(&pairs), Ok(true), "{name}");
        assert_eq!(body.disconnect(&pairs), Ok(false), "{name}: once is enough");
        let rest = body.rest().clone();
        for (v, x0) in body.nodes.velocities.iter_mut().zip(&rest.nodes.rest_positions) {
            *v = Vec3::X * x0.x.signum();
        }
        let mut world = weightless();
        let handle = world.add_body(body);
        common::run(&mut world, 60, 1.0 / 60.0);
        let body = world.body(handle).unwrap();
        for (x, x0) in body.nodes.positions.iter().zip(&rest.nodes.rest_positions) {
            assert!((x.x - x0.x - x0.x.signum()).abs() < 1e-3, "{name}: {x0} came to {x}");
        }
        for (p, p0) in body.skin().positions.iter().zip(&rest.mesh.positions) {
            // Vertices in the plane of the cut go with one side or the other.
            assert!(((p.x - p0.x).abs() - 1.0).abs() < 1e-2, "{name}: the skin at {p0} came to {p}");
        }
    }
}

#[test]
fn a_cut_is_kept_when_cells_change() {
    let mut body = bar().build().unwrap();
    let x = |node: u32| body.rest().nodes.rest_positions[node as usize].x;
    let ids = 0..count(&body) as u32;
    let pairs: Vec<(NodeId, NodeId)> = ids
        .clone()
        .flat_map(|a| ids.clone().map(move |b| (a, b)))
        .filter(|&(a, b)| x(a) < 0.0 && x(b) > 0.0)
        .map(|(a, b)| (NodeId(a), NodeId(b)))
        .collect();
    body.disconnect(&pairs).unwrap();
    for _ in 0..2 {
        let nodes = all(&body);
        body.refine(&nodes).unwrap();
        let rest = &octree(&body).rest;
        for node in 0..rest.places.len() {
            for edge in rest.graph.of(node) {
                assert_eq!(rest.places[node].x < 0.0, rest.places[edge.node as usize].x < 0.0);
            }
        }
    }
}

#[test]
fn the_skin_of_a_finger_is_carried_by_that_finger_alone() {
    // Fingers 0.02 m apart, from 0.30 to 0.32 m: far less than a cell.
    let mesh = made_of_blocks::two_fingers(0.02);
    let settings = OctreeSettings { cell: Some(0.05), levels: Some(1), width: Some(0.2), slack: 0.5 };
    let lattice = LatticeSettings { cell: Some(0.05), width: Some(0.2) };
    for builder in [Body::builder(mesh.clone()).model(settings), Body::builder(mesh.clone()).model(lattice)] {
        let body = builder.build().unwrap();
        let (rest, highest) = (body.rest(), mesh.positions.iter().map(|p| p.y).fold(f32::MIN, f32::max));
        let carriers = |right: bool| {
            let tip =
                |&v: &usize| mesh.positions[v].y > highest - 1e-3 && (mesh.positions[v].x > 0.31) == right;
            let vertices = (0..mesh.positions.len()).filter(tip);
            vertices.flat_map(|v| rest.binding.bonds_of(v).map(|bond| bond.node)).collect::<BTreeSet<u32>>()
        };
        let (left, right) = (carriers(false), carriers(true));
        assert!(!left.is_empty() && !right.is_empty());
        assert!(left.is_disjoint(&right), "{} carries both", body.model.name());
    }
}

/// Fine where the mesh's x is large.
#[derive(Debug)]
struct Eastern;

impl Criterion for Eastern {
    fn largest(&self, place: &Place, _: f32) -> f32 {
        if place.rest.x > 0.2 { CELL } else { f32::INFINITY }
    }
}

#[test]
fn rules_and_criteria_can_be_given_at_any_time() {
    let mut world = weightless();
    let handle = world.add_body(bar().build().unwrap());
    let coarse = count(world.body(handle).unwrap());
    world.body_mut(handle).unwrap().adaptivity.criteria.push(std::sync::Arc::new(Eastern));
    common::run(&mut world, 4, 1.0 / 60.0);
    let body = world.body(handle).unwrap();
    let levels = |east: bool| {
        let rest = &octree(body).rest;
        let side = (0..rest.places.len()).filter(move |&n| (rest.places[n].x > 0.2) == east);
        side.map(|n| rest.tree.key_of(n).level()).collect::<Vec<_>>()
    };
    assert!(levels(true).iter().all(|&level| level == 0) && levels(false).contains(&2));
    let body = world.body_mut(handle).unwrap();
    body.adaptivity.criteria.clear();
    body.adaptivity.set_rules(Vec::new());
    common::run(&mut world, 4, 1.0 / 60.0);
    assert_eq!(count(world.body(handle).unwrap()), coarse, "nobody wants it fine any more");
}

#[test]
fn a_region_of_interest_is_where_it_is_at_any_scale() {
    let within = Selection::Box { min: Vec3::new(0.45, -1.0, -1.0), max: Vec3::new(1.0, 1.0, 1.0) };
    let fine = |scale: f32| {
        let settings = OctreeSettings {
            cell: Some(CELL * scale),
            levels: Some(2),
            width: Some(0.2 * scale),
            slack: 0.5,
        };
        let rule = Rule::Region { within: within.clone(), size: CELL * scale };
        let mesh = shapes::cuboid(Vec3::new(1.6, 0.4, 0.4), [32, 8, 8]);
        count(&Body::builder(mesh).model(settings).refine([rule]).scale(scale).build().unwrap())
    };
    assert_eq!(fine(1.0), fine(8.0));
    assert_eq!(fine(1.0), fine(0.125));
}

#[test]
fn several_levels_are_made_at_once() {
    let (mut at_once, mut in_turn) = (bar().build().unwrap(), bar().build().unwrap());
    let first = octree(&at_once).rest.tree.key_of(0);
    let divide = std::iter::once(first).chain(first.children()).collect();
    assert_eq!(at_once.resample(&Changes { divide, ..Changes::default() }), Ok(true));
    in_turn.refine(&[NodeId(0)]).unwrap();
    in_turn.refine(&(0..8).map(NodeId).collect::<Vec<_>>()).unwrap();
    let leaves = |body: &Body| octree(body).rest.tree.leaf_keys().collect::<Vec<_>>();
    assert_eq!(leaves(&at_once), leaves(&in_turn));
    assert!(count(&at_once) == bar().build().unwrap().nodes.positions.len() + 63);
}

#[test]
fn what_cannot_be_done_is_refused_and_nothing_changes() {
    let mut solid = Body::builder(shapes::cuboid(Vec3::ONE, [4; 3])).build().unwrap();
    assert_eq!(solid.refine(&[NodeId(0)]), Err(ResampleError::FixedNodes { model: "clusters" }));
    assert_eq!(
        solid.disconnect(&[(NodeId(0), NodeId(1))]),
        Err(ResampleError::NoConnections { model: "clusters" })
    );
    let settings = LatticeSettings { cell: Some(0.25), width: Some(0.5) };
    let mut lattice = Body::builder(shapes::cuboid(Vec3::ONE, [4; 3])).model(settings).build().unwrap();
    assert_eq!(lattice.coarsen(&[NodeId(0)]), Err(ResampleError::FixedNodes { model: "lattice" }));
    let mut body = bar().build().unwrap();
    let there = count(&body);
    let error = body.refine(&[NodeId(0), NodeId(9999)]).unwrap_err();
    assert_eq!(error, ResampleError::NoSuchNode { node: 9999, count: there });
    assert_eq!((count(&body), body.version()), (there, 0));
    assert_eq!(body.coarsen(&[NodeId(0)]), Ok(false), "base cells are the coarsest");
    assert!(body.coarsen(&[]) == Ok(false) && body.version() == 0);
}

#[test]
fn adaptive_worlds_are_the_same_on_any_number_of_threads_and_from_snapshots() {
    let run = |threads: usize, restore: bool| {
        let pool = rayon_pool(threads);
        pool(Box::new(move || {
            let mut world = row_of_bars(Some(Budget::Nodes(1500)));
            world.settings.gravity = Vec3::new(0.0, -9.81, 0.0);
            world.add_collider(Collider::floor(-0.5)).unwrap();
            common::run(&mut world, 10, 1.0 / 60.0);
            if restore {
                let bytes = world.snapshot().to_bytes();
                world = World::new();
                world.restore(&pliant::Snapshot::from_bytes(&bytes).unwrap());
            }
            common::run(&mut world, 15, 1.0 / 60.0);
            world.state_hash()
        }))
    };
    let first = run(1, false);
    assert_eq!(first, run(2, false));
    assert_eq!(first, run(7, false));
    assert_eq!(first, run(1, true), "through a snapshot");
}

type Work = Box<dyn FnOnce() -> u64 + Send>;

fn rayon_pool(threads: usize) -> impl Fn(Work) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    move |work| pool.install(work)
}
