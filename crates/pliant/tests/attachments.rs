//! Bodies that are attached to each other stay so, whatever their masses and steps are, until they are pulled apart too hard.

mod common;

use common::{is_finite, run, weightless};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::tool::ToolError;
use pliant::*;

const H: f32 = 1.0 / 60.0;

/// A cube of 1 m with its middle at a place, of 4³ cells.
fn cube(at: DVec3, density: f32) -> BodyBuilder {
    let material = Material::default().with_density(density).with_alpha(0.8);
    Body::builder(shapes::cuboid(Vec3::ONE, [4; 3]))
        .model(LatticeSettings { cell: Some(0.25), ..LatticeSettings::default() })
        .material(material)
        .at(at)
}

/// All nodes with x below or above a place of the mesh.
fn below(x: f32) -> Selection {
    Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(x, 9.0, 9.0) }
}

fn above(x: f32) -> Selection {
    Selection::Box { min: Vec3::new(x, -9.0, -9.0), max: Vec3::splat(9.0) }
}

/// Two cubes side by side along x, the right face of the first attached to the left face of the second.
fn joined(world: &mut World, densities: [f32; 2]) -> ([BodyHandle; 2], ToolHandle) {
    let a = world.add_body(cube(DVec3::ZERO, densities[0]).build().expect("sound"));
    let b = world.add_body(cube(DVec3::X, densities[1]).build().expect("sound"));
    let tool = world.attach_nodes([a, b], [&above(0.25), &below(-0.25)], None).expect("both are there");
    ([a, b], tool)
}

/// The farthest that two places which are kept together are from each other, in metres.
fn widest(world: &World, tool: ToolHandle) -> f64 {
    let attachment = world.tool(tool).expect("there").attachment().expect("an attachment");
    let [a, b] = attachment.bodies.map(|body| world.body(body).expect("there"));
    attachment.places([a, b]).map(|[a, b]| a.distance(b)).fold(0.0, f64::max)
}

/// Linear momentum, and angular momentum about zero, of all bodies.
fn momentum(world: &World) -> (DVec3, DVec3) {
    let mut sum = (DVec3::ZERO, DVec3::ZERO);
    for (_, body) in world.bodies() {
        for (node, (&m, v)) in body.rest().nodes.masses.iter().zip(&body.nodes.velocities).enumerate() {
            let p = f64::from(m) * v.as_dvec3();
            sum = (sum.0 + p, sum.1 + body.nodes.world_position(node).cross(p));
        }
    }
    sum
}

#[test]
fn attached_bodies_keep_linear_and_angular_momentum() {
    for densities in [[1000.0, 1000.0], [1000.0, 10.0]] {
        let mut world = weightless();
        let ([a, b], tool) = joined(&mut world, densities);
        world.body_mut(a).unwrap().set_motion(Vec3::new(0.5, 1.0, 0.0), Vec3::new(0.0, 0.7, 2.0)).unwrap();
        world.body_mut(b).unwrap().set_motion(Vec3::new(-0.5, -1.0, 0.4), Vec3::new(1.0, 0.0, -1.0)).unwrap();
        let (linear, angular) = momentum(&world);
        let size = world.bodies().map(|(_, body)| body.rest().nodes.total_mass).sum::<f64>();
        for _ in 0..240 {
            run(&mut world, 1, H);
            let (now_linear, now_angular) = momentum(&world);
            let off =
                [(now_linear - linear).length(), (now_angular - angular).length()].map(|off| off / size);
            assert!(off[0] < 1e-5 && off[1] < 5e-5, "{densities:?}: {off:?} of {linear} and {angular}");
        }
        let apart = widest(&world, tool);
        assert!(apart < 0.02, "{densities:?}: {apart} m apart");
    }
}

#[test]
fn attached_bodies_hold_and_gain_no_energy_at_any_step_substeps_and_masses() {
    for (dt, substeps) in [(H, 1), (H, 4), (H, 16), (0.1, 1), (0.1, 4), (1e-3, 1)] {
        for densities in [[1000.0, 1000.0], [1000.0, 10.0], [10.0, 1000.0]] {
            let mut world = World::with_settings(WorldSettings { substeps, ..WorldSettings::default() });
            let ([a, b], tool) = joined(&mut world, densities);
            world.pin(a, &below(-0.25)).unwrap();
            let case = format!("{densities:?}, {substeps} substeps of {dt} s");
            let h = f64::from(dt) / f64::from(substeps);
            let start = world.energy().total();
            let weight: f64 = world.bodies().map(|(_, body)| 9.81 * body.rest().nodes.total_mass).sum();
            let mut most = f64::NEG_INFINITY;
            for step in 0..(3.0 / dt) as usize {
                run(&mut world, 1, dt);
                most = most.max(world.energy().total());
                let apart = widest(&world, tool);
                assert!(apart < 0.005 + 9.81 * h * h, "{case}, step {step}: {apart} m apart");
            }
            let gained = (most - start) / weight;
            assert!(gained < 1e-4, "{case}: energy for {gained} m of height came of nothing");
            assert!(is_finite(world.body(b).unwrap()), "{case}");
        }
    }
}

#[test]
fn what_hangs_on_an_attachment_pulls_it_with_its_weight() {
    let mut world = World::new();
    let a = world.add_body(cube(DVec3::ZERO, 100.0).build().unwrap());
    let b = world.add_body(cube(-DVec3::Y, 50.0).build().unwrap());
    let [low, high] = [
        Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(9.0, -0.25, 9.0) },
        Selection::Box { min: Vec3::new(-9.0, 0.25, -9.0), max: Vec3::splat(9.0) },
    ];
    world.pin(a, &high).unwrap();
    let tool = world.attach_nodes([a, b], [&low, &high], None).unwrap();
    run(&mut world, 300, H);
    let weight = 9.81 * world.body(b).unwrap().rest().nodes.total_mass as f32;
    let force = world.tool(tool).unwrap().attachment().unwrap().force();
    // On the first body, which is above: down.
    assert!((force + Vec3::Y * weight).length() < 0.02 * weight, "{force} N for {weight} N");
}

#[test]
fn an_attachment_lets_go_above_its_force_and_says_so() {
    for (part, holds) in [(1.3, true), (0.7, false)] {
        let mut world = World::new();
        let a = world.add_body(cube(DVec3::ZERO, 100.0).build().unwrap());
        let b = world.add_body(cube(DVec3::X, 100.0).build().unwrap());
        world.pin(a, &Selection::All).unwrap();
        let weight = 9.81 * world.body(b).unwrap().rest().nodes.total_mass as f32;
        let tool = world.attach_nodes([a, b], [&above(0.25), &below(-0.25)], None).unwrap();
        run(&mut world, 240, H);
        let Tool::Attachment(attachment) = world.remove_tool(tool).unwrap() else { unreachable!() };
        assert!(attachment.force().length() < 1.2 * weight);
        let tool = world.add_tool(attachment.with_max_force(Some(part * weight))).unwrap();
        let mut broken = Vec::new();
        for _ in 0..120 {
            run(&mut world, 1, H);
            broken.extend(world.broken_attachments().to_vec());
        }
        assert_eq!(world.tool(tool).is_ok(), holds);
        assert_eq!(broken.len(), usize::from(!holds));
        let fell = world.body(b).unwrap().center_of_mass().y < -1.0;
        assert_eq!(fell, !holds);
        if let Some(event) = broken.first() {
            assert_eq!((event.attachment, event.bodies), (tool, [a, b]));
            assert!(event.force.length() > part * weight);
            assert!(event.place.distance(DVec3::X * 0.4) < 0.3, "{}", event.place);
        }
    }
}

#[test]
fn nodes_are_held_to_a_point_of_a_surface_and_turn_about_it() {
    let mut world = World::new();
    let ball = Body::builder(shapes::sphere(0.5, 2))
        .model(LatticeSettings { cell: Some(0.2), ..LatticeSettings::default() });
    let ball = world.add_body(ball.at([0.0, 2.0, 0.0]).build().unwrap());
    world.pin(ball, &Selection::All).unwrap();
    let hung = world.add_body(cube(DVec3::new(0.0, 0.8, 0.0), 200.0).scale(0.5).build().unwrap());
    let top = Selection::Box { min: Vec3::new(-9.0, 0.25, -9.0), max: Vec3::splat(9.0) };
    let tool = world.attach_to_surface([hung, ball], &top, [0.0, 1.2, 0.0], None).unwrap();
    let before = world.body(hung).unwrap().center_of_mass();
    world.body_mut(hung).unwrap().set_motion(Vec3::X * 0.5, Vec3::ZERO).unwrap();
    run(&mut world, 600, H);
    let attachment = world.tool(tool).unwrap().attachment().unwrap();
    let [a, b] = attachment.bodies.map(|body| world.body(body).unwrap());
    for [_, on] in attachment.places([a, b]) {
        assert!(on.distance(DVec3::new(0.0, 1.5, 0.0)) < 0.02, "held at {on}");
    }
    let off = world.body(hung).unwrap().center_of_mass().distance(before);
    assert!(off < 0.1, "it hangs {off} m from where it did");
}

#[test]
fn attached_bodies_do_not_push_each_other_where_they_are_attached() {
    let mut world = weightless();
    let (bodies, _) = joined(&mut world, [1000.0; 2]);
    run(&mut world, 60, H);
    assert!(world.touches().is_empty(), "{:?}", world.touches());
    // One inside another is not pushed out either.
    let inner = world.add_body(cube(DVec3::ZERO, 1000.0).scale(0.4).build().unwrap());
    world.attach_nodes([inner, bodies[0]], [&Selection::All, &Selection::All], None).unwrap();
    let before = world.body(inner).unwrap().center_of_mass();
    run(&mut world, 60, H);
    assert!(world.body(inner).unwrap().center_of_mass().distance(before) < 1e-3);
}

#[test]
fn an_attachment_follows_bodies_whose_nodes_change() {
    let octree = |at: DVec3| {
        Body::builder(shapes::cuboid(Vec3::ONE, [4; 3]))
            .model(OctreeSettings { cell: Some(0.125), ..OctreeSettings::default() })
            .material(Material::default().with_alpha(0.8))
            .at(at)
    };
    let mut world = World::new();
    let a = world.add_body(octree(DVec3::ZERO).build().unwrap());
    let b = world.add_body(octree(DVec3::X).build().unwrap());
    world.pin(a, &below(-0.25)).unwrap();
    let tool = world.attach_nodes([a, b], [&above(0.25), &below(-0.25)], None).unwrap();
    let held = |world: &World| world.tool(tool).unwrap().attachment().unwrap().len();
    let before = held(&world);
    run(&mut world, 30, H);
    for size in [0.25, 0.125, 0.5, 0.125] {
        for body in [a, b] {
            let body = world.body_mut(body).unwrap();
            body.adaptivity.set_rules(vec![Rule::Everywhere { size }]);
        }
        run(&mut world, 60, H);
        assert!(widest(&world, tool) < 0.05, "at {size}: {} m apart", widest(&world, tool));
    }
    assert_eq!(held(&world), before);
}

#[test]
fn pieces_of_a_body_that_is_cut_stay_attached_to_what_they_were() {
    let mut world = World::new();
    let ([a, b], _) = joined(&mut world, [1000.0; 2]);
    world.pin(a, &below(0.0)).unwrap();
    world.cut_body(b, Blade::plane([1.0, 0.0, 0.0], Vec3::Y).unwrap()).unwrap();
    run(&mut world, 120, H);
    assert_eq!(world.bodies().count(), 3);
    let tools: Vec<ToolHandle> =
        world.tools().filter(|(_, tool)| tool.attachment().is_some()).map(|(handle, _)| handle).collect();
    assert_eq!(tools.len(), 2);
    let held: Vec<BodyHandle> =
        tools.iter().map(|&tool| world.tool(tool).unwrap().attachment().unwrap().bodies[1]).collect();
    assert_ne!(held[0], held[1]);
    for tool in tools {
        assert!(widest(&world, tool) < 0.05);
    }
    // A cut across takes the far half off, and the near one stays.
    let mut world = World::new();
    let ([a, b], tool) = joined(&mut world, [1000.0; 2]);
    world.pin(a, &below(0.0)).unwrap();
    world.cut_body(b, Blade::plane([1.0, 0.0, 0.0], Vec3::X).unwrap()).unwrap();
    run(&mut world, 60, H);
    assert_eq!(world.tools().filter(|(_, tool)| tool.attachment().is_some()).count(), 1);
    assert!(widest(&world, tool) < 0.05);
    let lowest = world.bodies().map(|(_, body)| body.center_of_mass().y).fold(0.0, f64::min);
    assert!(lowest < -2.0, "what was cut off fell to {lowest}");
}

#[test]
fn a_snapshot_keeps_attachments_bit_for_bit() {
    let mut world = World::new();
    let ([a, _], _) = joined(&mut world, [1000.0, 30.0]);
    world.pin(a, &below(-0.25)).unwrap();
    run(&mut world, 20, H);
    let bytes = world.snapshot().to_bytes();
    let mut other = World::new();
    other.restore(&Snapshot::from_bytes(&bytes).unwrap());
    for world in [&mut world, &mut other] {
        run(world, 40, H);
    }
    assert_eq!(world.state_hash(), other.state_hash());
}

#[test]
fn attached_bodies_sleep_and_wake_together() {
    let mut world = World::new();
    world.add_collider(Collider::floor(-0.5)).unwrap();
    let ([a, b], tool) = joined(&mut world, [1000.0; 2]);
    run(&mut world, 300, H);
    assert!([a, b].iter().all(|&body| world.body(body).unwrap().is_asleep()));
    world.body_mut(a).unwrap().set_motion(Vec3::new(0.0, 2.0, 0.0), Vec3::ZERO).unwrap();
    run(&mut world, 10, H);
    assert!(!world.body(b).unwrap().is_asleep());
    run(&mut world, 400, H);
    assert!([a, b].iter().all(|&body| world.body(body).unwrap().is_asleep()));
    world.remove_tool(tool).unwrap();
    assert!([a, b].iter().all(|&body| !world.body(body).unwrap().is_asleep()));
}

#[test]
fn a_sheet_is_attached_by_rods() {
    let mut world = World::new();
    let sheet = Body::builder(shapes::cuboid(Vec3::new(1.0, 0.1, 1.0), [8, 1, 8]))
        .model(LatticeSettings { cell: Some(0.125), ..LatticeSettings::default() })
        .material(Material::default().with_alpha(0.8));
    let a = world.add_body(sheet.build().unwrap());
    let b = world.add_body(cube(DVec3::Y * 0.6, 100.0).build().unwrap());
    world.pin(b, &Selection::All).unwrap();
    let low = Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(9.0, -0.25, 9.0) };
    let tool = world.attach_nodes([b, a], [&low, &Selection::All], None).unwrap();
    let before = world.body(a).unwrap().center_of_mass();
    run(&mut world, 240, H);
    let off = world.body(a).unwrap().center_of_mass().distance(before);
    assert!(off < 0.05, "the sheet has moved by {off} m");
    assert!(world.tool(tool).unwrap().attachment().unwrap().force().y.abs() > 1.0);
}

#[test]
fn what_cannot_be_attached_is_refused_with_a_reason() {
    let mut world = World::new();
    let a = world.add_body(cube(DVec3::ZERO, 1000.0).build().unwrap());
    let b = world.add_body(cube(DVec3::X, 1000.0).turned(Quat::IDENTITY).build().unwrap());
    let (all, none) = (Selection::All, Selection::Nodes(Vec::new()));
    let refused = |result: Result<ToolHandle, ToolError>| result.expect_err("refused").to_string();
    assert!(refused(world.attach_nodes([a, a], [&all, &all], None)).contains("attached to itself"));
    assert!(refused(world.attach_nodes([a, b], [&all, &none], None)).contains("selection"));
    assert!(refused(world.attach_nodes([a, b], [&all, &all], Some(0.0))).contains("max_force"));
    assert!(refused(world.attach_nodes([a, b], [&all, &all], Some(f32::NAN))).contains("max_force"));
    assert!(refused(world.attach_to_surface([a, b], &all, DVec3::NAN, None)).contains("point"));
    world.remove_body(b).unwrap();
    assert!(refused(world.attach_nodes([a, b], [&all, &all], None)).contains("not in this world"));
    assert_eq!(world.tools().count(), 0);
}

#[test]
fn an_attachment_goes_with_a_body_that_is_removed() {
    let mut world = World::new();
    let ([_, b], tool) = joined(&mut world, [1000.0; 2]);
    world.remove_body(b).unwrap();
    assert!(world.tool(tool).is_err());
    run(&mut world, 10, H);
}
