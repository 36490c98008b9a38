//! What a body tells of its inside is what its model says.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{run, small_box};
use pliant::geometry::shapes;
use pliant::glam::{Mat3, Quat, Vec3};
use pliant::model::Model;
use pliant::{Body, BodyBuilder, Collider, LatticeSettings, OctreeSettings, Rule, World};

fn bar() -> BodyBuilder {
    Body::builder(shapes::cuboid(Vec3::new(0.8, 0.4, 0.4), [8, 4, 4]))
}

fn lattice() -> Body {
    bar().model(LatticeSettings { cell: Some(0.1), width: Some(0.2) }).build().unwrap()
}

fn octree() -> Body {
    let fine = Rule::Region {
        within: pliant::Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(0.0, 9.0, 9.0) },
        size: 0.05,
    };
    bar()
        .model(OctreeSettings {
            cell: Some(0.05),
            levels: Some(2),
            width: Some(0.2),
            ..OctreeSettings::default()
        })
        .refine([fine])
        .build()
        .unwrap()
}

fn bodies() -> [Body; 3] {
    [lattice(), octree(), small_box().build().unwrap()]
}

/// Stretches a body along x and makes its maps and skin anew.
fn stretch(body: &mut Body, by: f32) {
    body.nodes.positions.iter_mut().for_each(|x| x.x *= by);
    body.refresh();
}

#[test]
fn moving_and_turning_is_no_strain_and_stretching_is_the_green_strain() {
    for mut body in bodies() {
        body.place([3.0, -2.0, 5.0], Quat::from_rotation_z(0.7) * Quat::from_rotation_x(1.1)).unwrap();
        let most = body.strains().into_iter().fold(0.0, f32::max);
        assert!(most < 2e-5, "{}: {most}", body.model.name());
        body.place([0.0; 3], Quat::IDENTITY).unwrap();
        stretch(&mut body, 1.2);
        let strains = body.strains();
        assert_eq!(strains.len(), body.skin().positions.len());
        // (1.2² − 1) / 2, and on sides across x nothing.
        assert!(strains.iter().all(|&strain| strain < 0.2201), "{}", body.model.name());
        assert!(strains.iter().any(|&strain| strain > 0.2199), "{}", body.model.name());
    }
}

#[test]
fn cells_fill_the_body_and_go_with_it() {
    for mut body in [lattice(), octree()] {
        let volume = |body: &Body| -> f32 {
            (0..body.nodes.positions.len())
                .map(|i| 8.0 * body.cell(i).unwrap().half_edges.determinant())
                .sum()
        };
        assert!((volume(&body) - 0.8 * 0.4 * 0.4).abs() < 1e-3, "{}", volume(&body));
        let before: Vec<_> = (0..body.nodes.positions.len()).map(|i| body.cell(i).unwrap()).collect();
        stretch(&mut body, 1.5);
        for (i, was) in before.iter().enumerate() {
            let now = body.cell(i).unwrap();
            assert_eq!((now.size, now.level), (was.size, was.level));
            assert!((now.middle - was.middle * Vec3::new(1.5, 1.0, 1.0)).length() < 1e-4);
            let map = Mat3::from_diagonal(Vec3::new(1.5, 1.0, 1.0));
            assert!(now.half_edges.abs_diff_eq(map * was.half_edges, 1e-4));
            assert!((was.size - 2.0 * was.half_edges.x_axis.length()).abs() < 1e-5);
        }
        assert!(body.cell(before.len()).is_none());
    }
    let levels: Vec<u32> =
        (0..octree().nodes.positions.len()).map(|i| octree().cell(i).unwrap().level).collect();
    assert!(levels.contains(&0) && levels.iter().any(|&level| level > 0));
    assert!(small_box().build().unwrap().cell(0).is_none());
    // 6 × 2 × 2 of 8 × 4 × 4 are inside.
    let body = lattice();
    let inside = (0..body.nodes.positions.len()).filter(|&i| body.cell(i).unwrap().enclosed).count();
    assert_eq!(inside, 6 * 2 * 2);
}

#[test]
fn a_region_begins_at_its_node_and_reaches_as_far_as_it_is_wide() {
    let body = lattice();
    let Model::Lattice(model) = &body.model else { panic!() };
    // A convex bar: the region is all nodes in a box around the node.
    for node in [0, 17, body.nodes.positions.len() - 1] {
        let region = body.region(node);
        assert_eq!(region[0], (node as u32, 0.0));
        let near = |&i: &u32| {
            let d = model.rest.cells[i as usize].as_ivec3() - model.rest.cells[node].as_ivec3();
            d.abs().max_element() <= 2
        };
        let mut members: Vec<u32> = region.iter().map(|m| m.0).collect();
        members.sort_unstable();
        assert_eq!(members, (0..body.nodes.positions.len() as u32).filter(near).collect::<Vec<_>>());
        assert!(region.is_sorted_by_key(|m| m.1) && region.iter().all(|m| m.1 < 0.2001));
    }
    let body = octree();
    let Model::Octree(model) = &body.model else { panic!() };
    for node in 0..body.nodes.positions.len() {
        let region = body.region(node);
        assert_eq!(region[0], (node as u32, 0.0));
        let mut members: Vec<u32> = region.iter().map(|m| m.0).collect();
        members.sort_unstable();
        let rest = &model.rest;
        let mut expected = pliant::model::octree::regions::members(&rest.tree, rest.region(node));
        expected.sort_unstable();
        assert_eq!(members, expected);
        assert!(region.is_sorted_by_key(|m| m.1));
    }
    assert!(small_box().build().unwrap().region(0).is_empty() && body.region(99_999).is_empty());
}

#[test]
fn edges_join_each_pair_once() {
    let body = lattice();
    // 8 × 4 × 4 nodes in a box.
    assert_eq!(body.edges().len(), 7 * 4 * 4 + 8 * 3 * 4 + 8 * 4 * 3);
    for body in [lattice(), octree()] {
        let mut edges = body.edges();
        assert!(edges.iter().all(|[a, b]| a < b));
        edges.sort_unstable();
        let count = edges.len();
        edges.dedup();
        assert_eq!(edges.len(), count);
    }
}

#[test]
fn spacing_is_that_of_the_cells_or_of_the_volume() {
    assert_eq!(lattice().spacing(3), 0.1);
    let body = small_box().build().unwrap();
    let volume: f32 = (0..body.nodes.positions.len()).map(|i| body.spacing(i).powi(3)).sum();
    assert!(volume > 0.9 * 0.48, "{volume}");
}

#[test]
fn contacts_are_those_that_the_step_counted() {
    for body in bodies() {
        let name = body.model.name();
        let mut world = World::new();
        world.settings.sleep.speed = 0.0;
        world.add_collider(Collider::floor(0.0)).unwrap();
        let handle = world.add_body(body);
        world.body_mut(handle).unwrap().place([0.0, 2.0, 0.0], Quat::IDENTITY).unwrap();
        assert!(world.contacts(handle).unwrap().is_empty());
        run(&mut world, 240, 1.0 / 60.0);
        let counted = world.step(1.0 / 60.0).contacts;
        let contacts = world.contacts(handle).unwrap();
        assert!(counted > 0 && contacts.len() >= counted, "{name}: {} for {counted}", contacts.len());
        for contact in contacts {
            assert_eq!(contact.normal, Vec3::Y);
            let body = world.body(handle).unwrap();
            assert!((body.nodes.origin.y as f32 + contact.point.y).abs() < 1e-4, "{name}");
        }
    }
}
