//! Meshes and settings that make no body of cells: a clear word, at once, and no memory taken for it.

mod common;
#[path = "../../pliant-io/tests/common/counting.rs"]
mod counting;
#[path = "common/blocks.rs"]
mod made_of_blocks;

use counting::{Counting, peak_during};
use made_of_blocks::{blocks, two_boxes};
use pliant::geometry::{TriMesh, shapes};
use pliant::glam::Vec3;
use pliant::*;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Gives a body one of the models, with cells of a size and regions of a width.
type Make = fn(TriMesh, f32, f32) -> Result<Body, BodyError>;

const MODELS: [(&str, Make); 2] = [
    ("lattice", |mesh, cell, width| {
        Body::builder(mesh).model(LatticeSettings { cell: Some(cell), width: Some(width) }).build()
    }),
    ("octree", |mesh, cell, width| {
        Body::builder(mesh)
            .model(OctreeSettings { cell: Some(cell), levels: Some(2), width: Some(width), slack: 0.5 })
            .build()
    }),
];

fn cube() -> TriMesh {
    shapes::cuboid(Vec3::ONE, [2; 3])
}

/// What is said about it, and the most memory held meanwhile.
fn refusal(make: Make, mesh: TriMesh, cell: f32, width: f32) -> (String, usize) {
    let (result, peak) = peak_during(|| make(mesh, cell, width));
    match result {
        Err(error) => (error.to_string(), peak),
        Ok(body) => panic!("a body of {} nodes was made", body.nodes.positions.len()),
    }
}

#[test]
fn a_hundred_million_nodes_are_refused_with_a_size_that_fits() {
    for (name, make) in MODELS {
        for cell in [1.0 / 465.0, 1e-4, 1e-7, 1e-30] {
            let (said, peak) = refusal(make, cube(), cell, 0.1);
            assert!(said.contains("use a cell size of"), "{name}, {cell} m: {said}");
            assert!(peak < 1 << 20, "{name}, {cell} m: {peak} bytes");
        }
    }
}

#[test]
fn a_mesh_thinner_than_its_cells_makes_a_body_or_is_refused_with_a_size_that_fits() {
    for (name, make) in MODELS {
        for thickness in [0.04, 0.02, 0.011, 1e-3, 1e-6] {
            let sheet = shapes::cuboid(Vec3::new(1.0, thickness, 1.0), [4, 1, 4]);
            match make(sheet, 0.05, 0.1) {
                Ok(body) => {
                    let mut world = World::new();
                    let volume = f64::from(thickness) * 1000.0;
                    let mass = body.rest().nodes.total_mass;
                    assert!((mass / volume - 1.0).abs() < 0.01, "{name}, {thickness} m thick: {mass} kg");
                    let handle = world.add_body(body);
                    common::run(&mut world, 60, 1.0 / 60.0);
                    assert!(common::is_finite(world.body(handle).expect("there")), "{name}, {thickness}");
                }
                Err(error) => {
                    let said = error.to_string();
                    assert!(thickness < 0.02, "{name}, {thickness} m thick: {said}");
                    assert!(said.contains("cell size") || said.contains("`clusters`"), "{name}: {said}");
                }
            }
        }
    }
}

#[test]
fn a_point_a_line_and_a_flat_mesh_are_refused() {
    for (name, make) in MODELS {
        for size in [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 0.0, 1.0)] {
            let mut mesh = cube();
            mesh.positions.iter_mut().for_each(|p| *p *= size);
            let (said, peak) = refusal(make, mesh, 0.05, 0.1);
            assert!(said.len() > 20 && peak < 1 << 20, "{name}, {size}: {said}, {peak} bytes");
        }
        let (said, _) = refusal(make, TriMesh::new(Vec::new(), Vec::new()), 0.05, 0.1);
        assert!(!said.is_empty(), "{name}");
    }
}

#[test]
fn settings_that_make_no_sense_are_named() {
    for (name, make) in MODELS {
        for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let (said, _) = refusal(make, cube(), bad, 0.1);
            assert!(said.contains("cell"), "{name}, cells of {bad} m: {said}");
            let (said, _) = refusal(make, cube(), 0.1, bad);
            assert!(said.contains("width"), "{name}, {bad} m wide: {said}");
        }
    }
    let with =
        |settings: OctreeSettings| Body::builder(cube()).model(settings).build().unwrap_err().to_string();
    assert!(with(OctreeSettings { levels: Some(9), ..OctreeSettings::default() }).contains("levels"));
    assert!(with(OctreeSettings { levels: Some(u32::MAX), ..OctreeSettings::default() }).contains("levels"));
    assert!(with(OctreeSettings { slack: -0.1, ..OctreeSettings::default() }).contains("slack"));
    assert!(with(OctreeSettings { slack: f32::NAN, ..OctreeSettings::default() }).contains("slack"));
}

#[test]
fn several_pieces_are_one_body_whose_pieces_move_on_their_own() {
    for (name, make) in MODELS {
        let mut body = make(two_boxes(0.2), 0.1, 0.2).expect("a body");
        let right: Vec<bool> = body.rest().nodes.rest_positions.iter().map(|x| x.x > 0.0).collect();
        let nodes = body.nodes.velocities.iter_mut().zip(&right);
        nodes.for_each(|(v, &right)| *v = if right { Vec3::X } else { -Vec3::X });
        let mut world = common::weightless();
        let handle = world.add_body(body);
        common::run(&mut world, 60, 1.0 / 60.0);
        let body = world.body(handle).expect("there");
        for (v, &right) in body.nodes.velocities.iter().zip(&right) {
            assert!(v.distance(if right { Vec3::X } else { -Vec3::X }) < 1e-2, "{name}: {v}");
        }
    }
}

#[test]
fn an_open_mesh_is_filled_where_it_is_mostly_closed() {
    let mut mesh = blocks([&[0.0, 0.5, 1.0], &[0.0, 0.5, 1.0], &[0.0, 0.5, 1.0]], |_| true);
    mesh.triangles.pop();
    for (name, make) in MODELS {
        let body = make(mesh.clone(), 0.1, 0.2).expect("a body");
        let mass = body.rest().nodes.total_mass;
        assert!((mass / 1000.0 - 1.0).abs() < 0.15, "{name}: {mass} kg");
    }
    // One triangle alone encloses nothing.
    let sheet = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::new(0.3, 0.8, 0.5)], vec![[0, 1, 2]]);
    for (name, make) in MODELS {
        let (said, peak) = refusal(make, sheet.clone(), 0.1, 0.2);
        assert!(said.contains("inside") || said.contains("volume"), "{name}: {said}");
        assert!(peak < 8 << 20, "{name}: {peak} bytes");
    }
}

#[test]
fn a_width_of_a_kilometre_is_one_region_for_all() {
    for (name, make) in MODELS {
        let mut body = make(cube(), 0.2, 1e3).expect("a body");
        common::deform(&mut body, pliant::glam::Mat3::from_diagonal(Vec3::new(1.3, 0.8, 1.0)));
        let mut world = common::weightless();
        let handle = world.add_body(body);
        common::run(&mut world, 300, 1.0 / 60.0);
        assert!(common::deformation(world.body(handle).expect("there")) < 1e-4, "{name}");
    }
}
