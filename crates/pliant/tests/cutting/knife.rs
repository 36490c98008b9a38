//! A knife cuts as it moves, and its strokes join.

use super::*;
use pliant::{Budget, Tool};

/// Moves a knife through a body that flies and spins, over `frames` frames.
fn stroke(body: Body, velocity: Vec3, spin: Vec3, frames: u32, to: f64) -> World {
    let mut world = space();
    let mut body = body;
    body.set_motion(velocity, spin).unwrap();
    world.add_body(body);
    let edge = |x: f64| [DVec3::new(x, 0.03, -1.5), DVec3::new(x, 0.05, 1.5)];
    let knife = world.knife(edge(-1.0)).unwrap();
    for frame in 1..=frames {
        let share = f64::from(frame) / f64::from(frames);
        world.move_knife(knife, edge(-1.0 + share * (1.0 + to))).unwrap();
        world.step(FRAME_SECS);
        for (_, body) in world.bodies() {
            assert_closed(body, &format!("frame {frame}"));
        }
    }
    world
}

#[test]
fn a_stroke_through_a_body_leaves_two_however_slow_it_is() {
    for frames in [1, 7, 40] {
        for body in [lattice_cube(8), octree_cube(8)] {
            let world = stroke(body, Vec3::ZERO, Vec3::ZERO, frames, 1.0);
            assert_eq!(world.bodies().count(), 2, "{frames} frames");
        }
    }
}

#[test]
fn a_stroke_parts_a_ball_of_cells_of_all_sizes() {
    for frames in [1, 12, 60] {
        let settings = OctreeSettings { cell: Some(0.04), levels: Some(2), width: Some(0.12), slack: 0.5 };
        let body = Body::builder(shapes::sphere(0.5, 4)).model(settings).build().unwrap();
        let world = stroke(body, Vec3::ZERO, Vec3::ZERO, frames, 1.0);
        assert_eq!(world.bodies().count(), 2, "{frames} frames");
    }
}

#[test]
fn any_plane_through_the_middle_parts_any_convex_body() {
    let mut random = Random::new(3);
    let bodies = [octree_of(shapes::sphere(0.5, 3), 0.08), octree_cube(12), lattice_cube(9)];
    for (at, body) in bodies.iter().enumerate() {
        for case in 0..12 {
            let normal = random.vector();
            let point = 0.2 * random.vector().as_dvec3();
            let (world, _) = cut_once(body.clone(), Blade::plane(point, normal).unwrap());
            assert_eq!(world.bodies().count(), 2, "body {at}, case {case}: {normal} at {point}");
        }
    }
}

#[test]
fn a_knife_cuts_particles_once_a_stroke_along_its_plane() {
    let body = Body::builder(shapes::sphere(0.5, 3)).build().unwrap();
    let world = stroke(body, Vec3::ZERO, Vec3::ZERO, 20, 1.0);
    assert_eq!(world.bodies().count(), 2);
    for (_, body) in world.bodies() {
        // The stroke was level, a little above the middle.
        assert!(body.center_of_mass().y.abs() > 0.1, "{}", body.center_of_mass());
    }
}

#[test]
fn strokes_join_in_a_body_that_moves() {
    for (velocity, spin) in
        [(Vec3::new(0.0, 0.3, 0.0), Vec3::ZERO), (Vec3::new(0.0, -0.2, 0.1), Vec3::new(0.0, 0.3, 0.5))]
    {
        let world = stroke(lattice_cube(8), velocity, spin, 30, 1.0);
        assert_eq!(world.bodies().count(), 2, "{velocity} {spin}");
    }
}

#[test]
fn a_stroke_that_ends_inside_leaves_one_body_that_hangs_open() {
    for body in [lattice_cube(8), octree_cube(8)] {
        let world = stroke(body, Vec3::ZERO, Vec3::ZERO, 10, 0.1);
        assert_eq!(world.bodies().count(), 1);
        let (_, body) = world.bodies().next().unwrap();
        let mesh = &body.rest().mesh;
        let cut =
            mesh.triangle_paints.iter().filter(|&&paint| mesh.paints[paint as usize].name == "cut").count();
        assert!(cut > 100, "{cut} triangles are cut faces");
        // Both sheets together have about twice the area of the stroke.
        let area: f32 = (0..mesh.triangles.len())
            .filter(|&t| mesh.paints[mesh.triangle_paints[t] as usize].name == "cut")
            .map(|t| {
                let [a, b, c] = mesh.corners(t);
                0.5 * (b - a).cross(c - a).length()
            })
            .sum();
        assert!((1.0..1.5).contains(&area), "{area} m²");
    }
}

#[test]
fn a_knife_that_is_taken_out_or_does_not_move_cuts_nothing() {
    let mut world = space();
    world.add_body(lattice_cube(6));
    let knife = world.knife([DVec3::new(0.0, 0.0, -1.0), DVec3::new(0.0, 0.0, 1.0)]).unwrap();
    (0..5).for_each(|_| assert_eq!(world.step(FRAME_SECS).cuts, 0));
    let Tool::Knife(_) = world.remove_tool(knife).unwrap() else { unreachable!() };
    assert_eq!(world.step(FRAME_SECS).cuts, 0);
    assert!(world.bodies().all(|(_, body)| body.rest().cut.is_none()));
}

#[test]
fn an_edge_that_is_not_finite_is_refused() {
    let mut world = space();
    assert!(world.knife([DVec3::NAN, DVec3::ZERO]).is_err());
    let knife = world.knife([DVec3::ZERO, DVec3::X]).unwrap();
    assert!(world.move_knife(knife, [DVec3::INFINITY, DVec3::ZERO]).is_err());
    assert!(Blade::plane(DVec3::ZERO, Vec3::ZERO).is_err());
    assert!(Blade::swept(&[[DVec3::ZERO, DVec3::X]]).is_err());
    assert!(Blade::swept(&[[DVec3::ZERO, DVec3::NAN], [DVec3::Y, DVec3::X]]).is_err());
}

#[test]
fn a_cut_refines_within_the_budget_and_still_parts_the_body() {
    let free = cut_once(octree_cube(16), plane([0.02, 0.01, 0.0], [1.0, 0.2, 0.1])).0;
    let nodes = |world: &World| world.bodies().map(|(_, body)| body.nodes.positions.len()).sum::<usize>();
    let before = octree_cube(16).nodes.positions.len();
    let budget = before + (nodes(&free) - before) / 3;
    let mut world = space();
    world.set_budget(Some(Budget::Nodes(budget as u32)));
    world.add_body(octree_cube(16));
    world.cut(plane([0.02, 0.01, 0.0], [1.0, 0.2, 0.1]));
    world.step(FRAME_SECS);
    assert!(nodes(&world) <= budget && nodes(&world) > before, "{before} {} {budget}", nodes(&world));
    // Where it could not become finer, it is cut around its large cells.
    assert_eq!(world.bodies().count(), 2);
    world.bodies().for_each(|(_, body)| assert_closed(body, "within a budget"));
    assert!((totals(&world).0 / totals(&free).0 - 1.0).abs() < 1e-5);
}
