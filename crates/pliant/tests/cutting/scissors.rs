//! Scissors keep the user's own mesh.

use super::*;
use pliant::Collider;

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
    let [event] = world.cuts() else { unreachable!("{:?}", world.cuts()) };
    assert_eq!(event.result, Err(Refusal::Nothing));
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

#[test]
fn pieces_of_clusters_that_are_cut_again_stay_where_they_are() {
    for mesh in [
        shapes::cylinder(0.01, 1.0, 8, 20),
        shapes::cuboid(Vec3::new(0.03, 0.8, 0.1), [1, 16, 2]),
        shapes::torus(0.4, 0.1, 24, 10),
    ] {
        let mut world = space();
        world.add_body(Body::builder(mesh).build().unwrap());
        for normal in [Vec3::Z, Vec3::new(1.0, 0.2, 0.0)] {
            world.scissors(None, DVec3::ZERO, normal).unwrap();
            world.step(FRAME_SECS);
        }
        assert!(world.bodies().count() >= 4);
        for _ in 0..30 {
            world.step(FRAME_SECS);
            for (_, piece) in world.bodies() {
                let fastest = piece.nodes.velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
                assert!(fastest < 1e-3, "{fastest} m/s");
                assert!((piece.volume_ratio() - 1.0).abs() < 1e-3, "{} of its volume", piece.volume_ratio());
            }
        }
    }
}

#[test]
fn pieces_of_clusters_that_are_cut_again_keep_the_momentum() {
    // About the world's zero.
    let momentum = |world: &World| {
        let mut sum = (DVec3::ZERO, DVec3::ZERO);
        for (_, body) in world.bodies() {
            let rest = &body.rest().nodes;
            let linear = rest.total_mass * body.velocity();
            let angular = rest.angular_momentum(&body.nodes) + body.center_of_mass().cross(linear);
            sum = (sum.0 + linear, sum.1 + angular);
        }
        sum
    };
    let mut world = space();
    let mut body = Body::builder(shapes::torus(0.4, 0.1, 24, 10)).build().unwrap();
    body.contacts.bodies = false;
    body.set_motion(Vec3::new(0.4, -0.3, 0.2), Vec3::new(0.5, 1.0, -0.3)).unwrap();
    world.add_body(body);
    let (linear, angular) = momentum(&world);
    for normal in [Vec3::Z, Vec3::new(1.0, 0.2, 0.0)] {
        world.scissors(None, DVec3::ZERO, normal).unwrap();
        world.step(FRAME_SECS);
        let now = momentum(&world);
        assert!((now.0 - linear).length() < 1e-5 * linear.length(), "{linear} kg m/s, then {}", now.0);
        assert!((now.1 - angular).length() < 1e-4 * angular.length(), "{angular} kg m²/s, then {}", now.1);
    }
    assert!(world.bodies().count() >= 4);
}
