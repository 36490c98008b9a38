//! Bodies of elements that are cut: nodes part exactly where the surface does, and elements keep their mass, forces and energy.

mod common;

use common::{deform, run, weightless};
use pliant::cut::Blade;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, IVec3, Mat3, Vec3};
use pliant::model::elements::forces::{on_corners, on_node, pad};
use pliant::model::elements::law::Lame;
use pliant::model::elements::strain::Law;
use pliant::model::{Cut, CutSupport, Elements};
use pliant::skin::splitting_cubes::Place;
use pliant::*;
use std::collections::{BTreeMap, BTreeSet};

const H: f32 = 1.0 / 60.0;
const PER_CELL: usize = 8;

fn settings(cell: f32) -> ElementSettings {
    ElementSettings { cell: Some(cell), ..ElementSettings::default() }
}

fn rubber() -> Material {
    Material::default().with_young_modulus(5e4, 0.3)
}

/// A block of 10 × 6 × 4 cells.
fn block() -> Body {
    let mesh = shapes::cuboid(Vec3::new(1.0, 0.6, 0.4), [5, 3, 2]);
    Body::builder(mesh).material(rubber()).model(settings(0.1)).build().expect("a body")
}

fn elements(body: &Body) -> &Elements {
    body.model.get().expect("elements")
}

/// What an edge sweeps that goes along x from far away to `end`, a little slanted.
fn half_way(end: f64) -> Blade {
    let edge = |x: f64| [DVec3::new(x, 0.02 + 0.02 * x, -1.0), DVec3::new(x, 0.03 - 0.01 * x, 1.0)];
    Blade::swept(&[edge(-1.0), edge(end)]).expect("a blade")
}

fn plane(point: [f64; 3], normal: [f32; 3]) -> Blade {
    Blade::plane(DVec3::from(point), Vec3::from(normal)).expect("a blade")
}

/// A world of one body that is cut by one blade after another, one in a step.
fn cut(body: Body, blades: &[Blade]) -> World {
    let mut world = weightless();
    world.add_body(body);
    for blade in blades {
        world.cut(blade.clone());
        world.step(H);
    }
    world
}

/// The corners of each cell as nodes, by where they are in cells.
fn corners(body: &Body) -> Vec<BTreeMap<[i32; 3], u32>> {
    let rest = &elements(body).rest;
    let places = &body.rest().nodes.rest_positions;
    let of_cell = |(cell, low): (usize, &pliant::glam::UVec3)| {
        let mut corners = BTreeMap::new();
        for tetrahedron in &rest.tetrahedra[PER_CELL * cell..PER_CELL * (cell + 1)] {
            for &corner in tetrahedron.iter().filter(|&&node| node as usize != cell) {
                assert!(corner as usize >= rest.graph.cells.len(), "the middle of another cell");
                let way = (places[corner as usize] - places[cell]) / rest.spacing + 0.5;
                let at = low.as_ivec3() + way.round().as_ivec3();
                assert_eq!(*corners.entry(at.to_array()).or_insert(corner), corner);
            }
        }
        assert_eq!(corners.len(), 8);
        corners
    };
    rest.graph.cells.iter().enumerate().map(of_cell).collect()
}

/// Cuts that end inside, cross each other and go through.
fn blades() -> [Blade; 4] {
    [
        half_way(0.1),
        plane([0.33, 0.0, 0.0], [1.0, 0.3, 0.1]),
        Blade::mesh(&shapes::sphere(0.22, 3), DVec3::new(-0.5, 0.3, 0.2)).expect("a blade"),
        half_way(0.15),
    ]
}

#[test]
fn cells_share_a_corner_exactly_if_joined_cells_around_it_lead_from_one_to_the_other() {
    let world = cut(block(), &blades());
    let mut copies = 0;
    for (_, body) in world.bodies() {
        let (graph, corners) = (&elements(body).rest.graph, corners(body));
        let mut around: BTreeMap<[i32; 3], Vec<usize>> = BTreeMap::new();
        for (cell, corners) in corners.iter().enumerate() {
            corners.keys().for_each(|at| around.entry(*at).or_default().push(cell));
        }
        for (at, cells) in around {
            // Flooded from each cell, by links between cells that have the corner.
            let linked = |a: usize, b: usize| {
                let way = graph.cells[b].as_ivec3() - graph.cells[a].as_ivec3();
                (0..3).any(|axis| way == IVec3::AXES[axis] && graph.links[a][axis])
            };
            for &start in &cells {
                let mut reached = BTreeSet::from([start]);
                let mut open = vec![start];
                while let Some(cell) = open.pop() {
                    for &next in cells.iter().filter(|&&next| linked(cell, next) || linked(next, cell)) {
                        if reached.insert(next) {
                            open.push(next);
                        }
                    }
                }
                for &other in &cells {
                    let same = corners[start][&at] == corners[other][&at];
                    assert_eq!(same, reached.contains(&other), "cells {start} and {other} at {at:?}");
                }
            }
            copies += cells.iter().map(|&cell| corners[cell][&at]).collect::<BTreeSet<_>>().len() - 1;
        }
    }
    assert!(copies > 10, "{copies} corners are there more than once: nothing hangs open");
}

#[test]
fn sheets_of_the_surface_have_a_corner_node_each() {
    let world = cut(block(), &blades());
    let mut parted = 0;
    for (_, body) in world.bodies() {
        let (corners, cells) = (corners(body), &elements(body).rest.graph.cells);
        let number: BTreeMap<[i32; 3], usize> =
            cells.iter().enumerate().map(|(cell, at)| (at.as_ivec3().to_array(), cell)).collect();
        let surface = body.rest().cut.as_ref().expect("a cut surface").cubes.surface();
        // The cube of eight middles is the box around a corner. What is in its middle moves with one of its sheets.
        let mut sheets: BTreeMap<[i32; 3], BTreeSet<u32>> = BTreeMap::new();
        let mut counts: BTreeMap<[i32; 3], BTreeSet<Vec<[i32; 3]>>> = BTreeMap::new();
        for vertex in surface.vertices.iter().filter(|vertex| vertex.place == Place::Centre) {
            let at = (vertex.cube + IVec3::ONE).to_array();
            let component: Vec<[i32; 3]> = vertex.component().map(|cell| cell.to_array()).collect();
            let nodes: BTreeSet<u32> = component
                .iter()
                .filter_map(|cell| number.get(cell))
                .map(|&cell| corners[cell][&at])
                .collect();
            assert!(nodes.len() <= 1, "a sheet at {at:?} hangs on {nodes:?}");
            if !nodes.is_empty() {
                sheets.entry(at).or_default().extend(nodes);
                counts.entry(at).or_default().insert(component);
            }
        }
        for (at, nodes) in sheets {
            assert_eq!(nodes.len(), counts[&at].len(), "sheets at {at:?} share a node");
            parted += nodes.len() - 1;
        }
    }
    assert!(parted > 10, "{parted} corners have several sheets");
}

/// Forces on the nodes of a body that a map of its rest shape has deformed, with the masses of the nodes, by where nodes are at rest.
fn forces(body: &Body, map: impl Fn(Vec3) -> Vec3) -> BTreeMap<[u32; 3], Vec<[u32; 4]>> {
    let (model, rest) = (elements(body), &body.rest().nodes);
    let positions: Vec<Vec3> = rest.rest_positions.iter().map(|x| map(*x)).collect();
    let law = Law { lame: Lame::of(&body.material, H, model.rest.extent()), viscosity: 0.0 };
    let (mut places, mut corners) = (Vec::new(), Vec::new());
    pad(&positions, &mut places);
    on_corners(model.packs(), &places, &[], &law, &mut corners);
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (node, place) in rest.rest_positions.iter().enumerate() {
        let force = on_node(&model.rest, &corners, node).truncate();
        let bits = [force.x, force.y, force.z, rest.masses[node]].map(f32::to_bits);
        found.entry(place.to_array().map(f32::to_bits)).or_default().push(bits);
    }
    found
}

fn bent(x: Vec3) -> Vec3 {
    x + Vec3::new(0.2 * x.x * x.y, 0.3 * x.x * x.x, 0.1 * x.y)
}

#[test]
fn far_from_a_cut_forces_and_masses_have_the_same_bits() {
    let (whole, world) = (block(), cut(block(), &[half_way(-0.2)]));
    let (_, flapped) = world.bodies().next().expect("one piece");
    let (before, after) = (forces(&whole, bent), forces(flapped, bent));
    assert_eq!(before.len(), after.len(), "no place came or went");
    let (mut same, mut parted) = (0, 0);
    for (place, was) in &before {
        let is = &after[place];
        match is.len() {
            1 => same += usize::from(is == was),
            _ => parted += 1,
        }
        let mass = |of: &[[u32; 4]]| of.iter().map(|bits| f64::from(f32::from_bits(bits[3]))).sum::<f64>();
        assert!((mass(is) / mass(was) - 1.0).abs() < 1e-6, "the mass of a node was lost");
        let force = |of: &[[u32; 4]]| -> Vec3 {
            of.iter()
                .map(|f| Vec3::new(f32::from_bits(f[0]), f32::from_bits(f[1]), f32::from_bits(f[2])))
                .sum()
        };
        assert!(force(is).abs_diff_eq(force(was), 1e-3), "what copies get is not what the node got");
    }
    assert!(parted > 5, "{parted} corners were parted");
    assert_eq!(same + parted, before.len(), "a force changed where nothing was cut");
}

#[test]
fn pieces_have_the_energy_the_mass_and_the_momenta_of_the_whole() {
    for solver in [ElementSolver::Implicit, ElementSolver::Explicit] {
        let material =
            rubber().with_plasticity(Plasticity { yield_strain: 0.08, creep_per_sec: 20.0, max_strain: 0.4 });
        let mut body = block();
        body.remodel(&ElementSettings { solver, ..settings(0.1) }.into()).expect("settings");
        body.material = material;
        body.set_motion(Vec3::new(0.3, -0.1, 0.2), Vec3::new(0.4, 0.2, -0.3)).expect("a motion");
        deform(&mut body, Mat3::from_diagonal(Vec3::new(1.3, 0.9, 0.95)));
        // A cut is made at the end of a step: until then both worlds are the same.
        let (mut whole, mut parted) = (weightless(), weightless());
        for world in [&mut whole, &mut parted] {
            world.add_body(body.clone());
            world.step(H);
        }
        parted.cut(plane([0.03, 0.0, 0.0], [1.0, 0.4, 0.1]));
        whole.step(H);
        parted.step(H);
        assert_eq!(parted.bodies().count(), 2);
        let sums = |world: &World| {
            let mut sums = (0.0, 0.0, DVec3::ZERO, DVec3::ZERO);
            for (_, body) in world.bodies() {
                sums.0 += body.elastic_energy(H, H);
                for (node, &m) in body.rest().nodes.masses.iter().enumerate() {
                    let (m, v) = (f64::from(m), body.nodes.velocities[node].as_dvec3());
                    sums.1 += m;
                    sums.2 += m * v;
                    sums.3 += m * body.nodes.world_position(node).cross(v);
                }
            }
            sums
        };
        let (before, after) = (sums(&whole), sums(&parted));
        assert!(before.0 > 0.1, "{solver:?}: {} J", before.0);
        assert!((after.0 / before.0 - 1.0).abs() < 1e-12, "{solver:?}: {} J became {} J", before.0, after.0);
        assert!((after.1 / before.1 - 1.0).abs() < 1e-6, "{solver:?}: {} kg, {} kg", before.1, after.1);
        assert!((after.2 - before.2).length() < 1e-6 * before.1, "{solver:?}: {}, {}", before.2, after.2);
        assert!((after.3 - before.3).length() < 1e-6 * before.1, "{solver:?}: {}, {}", before.3, after.3);
        given_alike(&whole, &parted);
    }
}

/// Checks that each element of the pieces has given way as it had in the whole.
fn given_alike(whole: &World, parted: &World) {
    let all = |world: &World| -> BTreeMap<[u32; 3], Vec<Mat3>> {
        let mut found = BTreeMap::new();
        for (_, body) in world.bodies() {
            let model = elements(body);
            for (cell, at) in model.rest.graph.cells.iter().enumerate() {
                let elements = PER_CELL * cell..PER_CELL * (cell + 1);
                found.insert(at.to_array(), elements.map(|at| model.plastic[at / 8].get(at % 8)).collect());
            }
        }
        found
    };
    let (before, after) = (all(whole), all(parted));
    assert!(before.values().flatten().any(|s| !s.abs_diff_eq(Mat3::IDENTITY, 0.01)), "nothing gave way");
    assert_eq!(before, after);
}

#[test]
fn a_flap_hangs_open() {
    let lips = |blade: Option<Blade>| {
        let mut world = weightless();
        let handle = world.add_body(block());
        if let Some(blade) = blade {
            world.cut(blade);
        }
        world.step(H);
        assert_eq!(world.bodies().count(), 1, "it hangs on");
        let held = Selection::Box { min: Vec3::new(-1.0, 0.15, -1.0), max: Vec3::ONE };
        world.pin(handle, &held).expect("a pin");
        world.settings.gravity = Vec3::NEG_Y * 9.81;
        run(&mut world, 240, H);
        let body = world.body(handle).expect("there");
        // The middles of cells on both sides, at the end from which the blade came.
        let lip = |y: f32| {
            let places = &body.rest().nodes.rest_positions;
            let near = |node: &usize| places[*node].distance(Vec3::new(-0.45, y, 0.05)) < 0.02;
            let node = (0..elements(body).rest.graph.cells.len()).find(near).expect("a cell");
            body.nodes.world_position(node)
        };
        lip(0.05).distance(lip(-0.05))
    };
    let (joined, open) = (lips(None), lips(Some(half_way(0.2))));
    assert!(joined < 0.11, "{joined} m between joined cells of 0.1 m");
    assert!(open > 0.13, "the lips are {open} m apart");
}

#[test]
fn the_same_cut_again_changes_nothing() {
    let mut world = cut(block(), &[half_way(0.1)]);
    let count = |world: &World| {
        let (_, body) = world.bodies().next().expect("one piece");
        (body.nodes.positions.len(), body.rest().mesh.triangles.len(), body.version())
    };
    let before = count(&world);
    for _ in 0..50 {
        world.cut(half_way(0.1));
        world.step(H);
    }
    assert_eq!(count(&world), before);
}

#[test]
fn a_cut_body_goes_on_bit_for_bit_after_a_snapshot_and_on_any_number_of_threads() {
    let on_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut body = block();
            body.set_motion(Vec3::ZERO, Vec3::new(1.0, 0.3, 2.0)).expect("a motion");
            let mut world = cut(body, &blades());
            let kept = Snapshot::from_bytes(&world.snapshot().to_bytes()).expect("a snapshot");
            let on = |world: &mut World| {
                world.cut(plane([0.0, 0.1, 0.0], [0.1, 1.0, 0.0]));
                run(world, 10, H);
                world.state_hash()
            };
            let hash = on(&mut world);
            world.restore(&kept);
            assert_eq!(on(&mut world), hash, "it went on differently");
            hash
        })
    };
    let hash = on_threads(1);
    assert_eq!([on_threads(2), on_threads(7)], [hash; 2]);
}

#[test]
fn nodes_of_the_whole_are_found_in_the_pieces() {
    let mut world = weightless();
    let handle = world.add_body(block());
    let before = world.body(handle).expect("there").rest().nodes.rest_positions.clone();
    world.cut(plane([0.03, 0.0, 0.0], [1.0, 0.2, 0.0]));
    world.step(H);
    let parted = world.cuts()[0].result.clone().expect("a cut");
    assert_eq!(parted.nodes.len(), before.len());
    for (node, place) in before.iter().enumerate() {
        let [(piece, number)] = parted.nodes.of(node) else { panic!("node {node} is in one place") };
        let body = world.body(parted.pieces[*piece as usize]).expect("there");
        assert_eq!(body.rest().nodes.rest_positions[number.0 as usize], *place);
    }
}

#[test]
fn disconnecting_cells_parts_their_corners_and_corners_have_no_connections() {
    let mut body = block();
    let count = body.nodes.positions.len();
    let cells = elements(&body).rest.graph.cells.len() as u32;
    let corner = NodeId(cells + 3);
    assert_eq!(body.disconnect(&[(corner, NodeId(0)), (corner, NodeId(count as u32 - 1))]), Ok(false));
    assert_eq!(body.parts().count, 1);
    // All connections of the first cell.
    let own = body.edges().into_iter().filter(|edge| edge.contains(&0));
    let pairs: Vec<(NodeId, NodeId)> = own.map(|[a, b]| (NodeId(a), NodeId(b))).collect();
    assert_eq!(pairs.len(), 3);
    assert_eq!(body.disconnect(&pairs), Ok(true));
    // A cell at a corner of the block shared seven of its corners.
    assert_eq!(body.nodes.positions.len(), count + 7);
    assert_eq!(body.parts().count, 2);
    assert_eq!(body.disconnect(&pairs), Ok(false), "they are not joined any more");
}

#[test]
fn a_mesh_of_other_tetrahedra_is_cut_whole_only() {
    let model = Elements::default();
    assert_eq!(model.support(), CutSupport::Plane);
    assert_eq!(elements(&block()).support(), CutSupport::Free);
}
