//! Scissors keep the user's own mesh.

use super::*;
use pliant::{Clustering, Collider};

#[test]
fn each_model_falls_into_closed_halves_with_all_the_mass() {
    let spread = Clustering::Spread { count: 6, overlap: 0.5 };
    let knot = shapes::torus(0.4, 0.15, 40, 20);
    let bodies = [
        Body::builder(knot.clone())
            .model_with(|of: &mut pliant::ClusterSettings| of.clustering = spread)
            .build()
            .unwrap(),
        Body::builder(knot.clone()).model(LatticeSettings { cell: 0.06, width: 0.12 }).build().unwrap(),
        octree_of(knot, 0.05),
    ];
    for mut body in bodies {
        body.set_motion(Vec3::new(0.3, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.4)).unwrap();
        let name = body.model.name();
        let mut world = space();
        world.add_body(body);
        run(&mut world, 0..3);
        let (mass, momentum, angular) = totals(&world);
        let middle = world.bodies().next().unwrap().1.center_of_mass();
        // Across the ring: two pieces that are each half a ring.
        world.scissors(None, middle, Vec3::new(1.0, 0.05, 0.1)).unwrap();
        world.step(FRAME_SECS);
        assert!(world.cuts().iter().all(|event| event.result.is_ok()), "{name}: {:?}", world.cuts());
        assert_eq!(world.bodies().count(), 2, "{name}");
        for (_, body) in world.bodies() {
            assert_closed(body, name);
            assert!(body.rest().cut.is_none(), "{name} keeps the user's mesh");
            assert!(body.rest().mesh.paints.iter().any(|paint| paint.name == "cut"));
        }
        let now = totals(&world);
        assert!((now.0 / mass - 1.0).abs() < 1e-5, "{name}");
        assert!((now.1 - momentum).length() < 1e-5 * mass, "{name}: {momentum} {}", now.1);
        assert!((now.2 - angular).length() < 2e-5 * mass, "{name}: {angular} {}", now.2);
        // Both halves of the ring along its plane, again and again.
        for cut in 0..4 {
            let (_, body) = world.bodies().next().unwrap();
            let at = body.center_of_mass();
            world.scissors(None, at, Vec3::new(0.1, 0.2, 1.0 + cut as f32)).unwrap();
            world.step(FRAME_SECS);
            world.bodies().for_each(|(_, body)| assert_closed(body, name));
        }
        assert!(world.bodies().count() >= 4, "{name}: {}", world.bodies().count());
        assert!((totals(&world).0 / mass - 1.0).abs() < 1e-5, "{name}");
    }
}

#[test]
fn halves_lie_on_the_floor_and_stay_in_shape() {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).unwrap();
    world.add_body(Body::builder(shapes::sphere(0.5, 3)).at(DVec3::Y * 0.6).build().unwrap());
    run(&mut world, 0..30);
    world.scissors(None, DVec3::new(0.0, 0.5, 0.0), Vec3::new(1.0, 0.2, 0.0)).unwrap();
    run(&mut world, 0..180);
    assert_eq!(world.bodies().count(), 2);
    for (_, body) in world.bodies() {
        assert!((0.8..1.2).contains(&body.volume_ratio()), "{}", body.volume_ratio());
        let lowest =
            (0..body.skin().positions.len()).map(|v| body.vertex_position(v).y).fold(f64::INFINITY, f64::min);
        assert!(lowest > -0.05, "{lowest}");
    }
}

#[test]
fn scissors_that_miss_do_nothing_and_open_meshes_are_refused() {
    let mut world = space();
    let mut open = shapes::sphere(0.5, 3);
    open.triangles.truncate(open.triangles.len() / 2);
    let handle = world.add_body(Body::builder(open).build().unwrap());
    world.scissors(Some(handle), DVec3::X * 5.0, Vec3::X).unwrap();
    world.step(FRAME_SECS);
    assert!(world.cuts().is_empty());
    let vertices = world.body(handle).unwrap().skin().positions.len();
    world.scissors(Some(handle), DVec3::ZERO, Vec3::new(0.3, 1.0, 0.1)).unwrap();
    world.step(FRAME_SECS);
    let [event] = world.cuts() else { unreachable!("{:?}", world.cuts()) };
    assert!(event.result.as_ref().unwrap_err().to_string().contains("open"), "{:?}", event.result);
    assert_eq!(world.body(handle).unwrap().skin().positions.len(), vertices);
    assert!(world.scissors(None, DVec3::NAN, Vec3::X).is_err());
    world.remove_body(handle).unwrap();
    assert!(world.scissors(Some(handle), DVec3::ZERO, Vec3::X).is_err());
}

#[test]
fn a_knife_cuts_what_scissors_left() {
    let (mut world, _) = {
        let mut world = space();
        let handle = world.add_body(octree_cube(8));
        world.scissors(None, DVec3::new(0.03, 0.0, 0.0), Vec3::new(1.0, 0.3, 0.0)).unwrap();
        world.step(FRAME_SECS);
        (world, handle)
    };
    assert_eq!(world.bodies().count(), 2);
    world.cut(plane([0.0, 0.02, 0.0], [0.1, 1.0, 0.1]));
    world.step(FRAME_SECS);
    assert_eq!(world.bodies().count(), 4);
    for (_, body) in world.bodies() {
        assert_closed(body, "cut after scissors");
    }
    let volume: f64 = world.bodies().map(|(_, body)| body.rest().volume).sum();
    assert!((volume - 1.0).abs() < 0.03, "{volume}");
}
