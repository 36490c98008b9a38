//! Things that should not be: they come apart or are contained, are reported, and nothing explodes.

use super::{EDGE, H, cube, depth_in, floor, middle, run};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{Body, LatticeSettings, Material, TriMesh, World};

/// What gravity can have given a body in the time and from the height it was in.
fn bound(secs: f32, height: f32) -> f64 {
    f64::from(9.81 * secs).min(f64::from((2.0 * 9.81 * height).sqrt())) + 0.5
}

fn fastest(world: &World) -> f64 {
    world.bodies().map(|(_, body)| body.velocity().length()).fold(0.0, f64::max)
}

#[test]
fn bodies_in_the_same_place_come_apart_without_haste() {
    for (turn, offset) in [(0.0, DVec3::ZERO), (0.3, DVec3::ZERO), (0.0, DVec3::new(0.02, 0.01, 0.0))] {
        let mut world = floor();
        let body = cube(Material::default().with_alpha(0.5)).build().expect("a cube");
        let handles = [0.0, 1.0].map(|which: f32| {
            let mut body = body.clone();
            let place = DVec3::Y * 0.1 + offset * f64::from(which);
            body.place(place, Quat::from_rotation_y(turn * which)).expect("a place");
            world.add_body(body)
        });
        let mut most = 0.0_f64;
        for _ in 0..300 {
            let report = world.step(H);
            assert_eq!(report.contained, 0);
            most = most.max(fastest(&world));
        }
        let [a, b] = handles.map(|handle| world.body(handle).expect("there"));
        let deep = depth_in(a, b).max(depth_in(b, a)) / f64::from(EDGE);
        assert!(deep < 0.1, "turned by {turn}, {offset} apart: still {deep} of an edge in each other");
        assert!(most < bound(5.0, EDGE), "turned by {turn}, {offset} apart: {most} m/s");
    }
}

#[test]
fn a_small_body_in_a_large_one_comes_out() {
    let mut world = floor();
    let large = Body::builder(shapes::cuboid(Vec3::splat(0.8), [4; 3]))
        .model(LatticeSettings { cell: Some(0.1), width: Some(0.3) })
        .at(DVec3::Y * 0.4);
    let large = world.add_body(large.build().expect("a cube"));
    let small =
        world.add_body(cube(Material::default()).at(DVec3::new(0.1, 0.5, 0.0)).build().expect("a cube"));
    let mut most = 0.0_f64;
    for _ in 0..400 {
        world.step(H);
        most = most.max(fastest(&world));
    }
    let [small, large] = [small, large].map(|handle| world.body(handle).expect("there"));
    assert!(depth_in(small, large) < 0.1 * f64::from(EDGE), "{} m deep", depth_in(small, large));
    assert!(most < bound(7.0, 0.8), "{most} m/s");
}

#[test]
fn a_body_under_the_floor_rises_and_is_not_shot_out() {
    let mut world = floor();
    let body = world.add_body(cube(Material::default()).at(DVec3::Y * -0.3).build().expect("a cube"));
    let mut most = 0.0_f64;
    for _ in 0..600 {
        world.step(H);
        most = most.max(fastest(&world));
    }
    assert!(middle(&world, body).y > 0.08, "{}", middle(&world, body));
    assert!(most < bound(10.0, EDGE), "{most} m/s");
}

#[test]
fn triangles_without_area_touch_nothing_and_break_nothing() {
    let mut mesh = shapes::cuboid(Vec3::splat(EDGE), [4; 3]);
    let extra = mesh.triangles[0];
    mesh.triangles.extend([[extra[0]; 3], [extra[0], extra[1], extra[1]]]);
    let mesh = TriMesh::new(mesh.positions, mesh.triangles);
    let mut world = floor();
    let lower = Body::builder(mesh.clone()).model(LatticeSettings { cell: Some(0.05), width: Some(0.1) });
    let lower = world.add_body(lower.at(DVec3::Y * 0.101).build().expect("a lattice"));
    let upper = world.add_body(Body::builder(mesh).at(DVec3::Y * 0.32).build().expect("clusters"));
    run(&mut world, 240);
    let gap = middle(&world, upper).y - middle(&world, lower).y;
    assert!((0.15..0.21).contains(&gap), "{gap}");
}

#[test]
fn what_a_force_of_the_user_makes_of_a_body_is_contained_and_others_do_not_notice() {
    let both = |bad: f32| {
        let mut world = floor();
        let body = cube(Material::default());
        let a = world.add_body(body.clone().at(DVec3::Y * 0.1).build().expect("a cube"));
        let b = world.add_body(body.at(DVec3::new(2.0, 0.1, 0.0)).build().expect("a cube"));
        let mut contained = 0;
        for _ in 0..60 {
            let force = |at: &pliant::ForceAt| {
                if at.body == a && at.node.0 == 3 { Vec3::splat(bad) } else { Vec3::ZERO }
            };
            contained += world.step_with(H, &force).contained;
        }
        let body = world.body(a).expect("there");
        assert!(body.nodes.positions.iter().chain(&body.nodes.velocities).all(|v| v.is_finite()));
        (contained, common_positions(&world, b), body.velocity().length())
    };
    let (none, untouched, _) = both(0.0);
    assert_eq!(none, 0);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let (contained, other, speed) = both(bad);
        assert!(contained > 0, "{bad}");
        assert_eq!(other, untouched, "{bad}");
        assert!(speed < 10.0, "{bad}: {speed} m/s");
    }
}

fn common_positions(world: &World, body: pliant::BodyHandle) -> Vec<DVec3> {
    crate::common::world_positions(world.body(body).expect("there"))
}
