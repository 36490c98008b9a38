//! The skin after cuts: smooth, sharp at the rim, and carried by nodes of its own side.

use super::*;
use pliant::geometry::{Paint, weld};

#[test]
fn nothing_stretches_between_two_sides_that_are_pulled_apart() {
    for mut body in [lattice_cube(8), octree_cube(8)] {
        // Fresh faces hold on to each other a little.
        body.contacts.bodies = false;
        let (mut world, _) = cut_once(body, plane([0.02, 0.0, 0.0], [1.0, 0.2, 0.1]));
        assert_eq!(world.bodies().count(), 2);
        for body in world.bodies_mut() {
            let way = if body.center_of_mass().x < 0.0 { -1.0 } else { 1.0 };
            body.set_motion(Vec3::X * way, Vec3::ZERO).unwrap();
        }
        run(&mut world, 0..60);
        for (_, body) in world.bodies() {
            assert!(body.center_of_mass().x.abs() > 1.0);
            assert!(longest_stretch(body) < 1.01, "{}", longest_stretch(body));
        }
    }
}

#[test]
fn nothing_stretches_across_the_open_part_of_a_partial_cut() {
    for body in [lattice_cube(10), octree_cube(10)] {
        let blade = Blade::swept(&[
            [DVec3::new(-1.0, 0.02, -1.0), DVec3::new(-1.0, 0.02, 1.0)],
            [DVec3::new(0.25, 0.03, -1.0), DVec3::new(0.25, 0.03, 1.0)],
        ])
        .unwrap();
        let (mut world, handle) = cut_once(body, blade);
        let lip = |y: f32| pliant::Selection::Box {
            min: Vec3::new(-0.6, y - 0.2, -0.6),
            max: Vec3::new(-0.3, y + 0.2, 0.6),
        };
        let pins = [0.45, -0.45].map(|y| world.pin(handle, &lip(y)).unwrap());
        for frame in 0..60 {
            let open = 0.25 * f64::from(frame) / 60.0;
            for (pin, way) in pins.into_iter().zip([1.0, -1.0]) {
                world.move_tool(pin, DVec3::Y * open * way).unwrap();
            }
            world.step(FRAME_SECS);
        }
        let body = world.body(handle).unwrap();
        assert_closed(body, "open");
        // The lips are apart by half a metre; a triangle between them would be stretched tenfold.
        assert!(longest_stretch(body) < 2.5, "{}", longest_stretch(body));
        let gap = body
            .skin()
            .positions
            .iter()
            .zip(&body.rest().mesh.positions)
            .filter(|(_, rest)| rest.x < -0.4 && rest.y.abs() < 0.06);
        let (low, high) = gap.fold((0.0_f32, 0.0_f32), |(low, high), (now, rest)| {
            let moved = now.y - rest.y;
            (low.min(moved), high.max(moved))
        });
        assert!(high - low > 0.3, "the lips are {} m apart", high - low);
    }
}

/// The most that a side of a triangle is longer than at rest, as part of it; sides shorter than a tenth of a cell do not count.
fn longest_stretch(body: &Body) -> f32 {
    let (rest, now) = (&body.rest().mesh, &body.skin().positions);
    let least = 0.1 * body.spacing(0).min(0.125);
    let sides = rest.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let stretch = |[a, b]: [u32; 2]| {
        let length = rest.positions[a as usize].distance(rest.positions[b as usize]);
        (length > least).then(|| now[a as usize].distance(now[b as usize]) / length)
    };
    sides.filter_map(stretch).fold(0.0, f32::max)
}

#[test]
fn no_vertex_is_carried_from_across_a_cut() {
    for body in [lattice_cube(10), octree_cube(10)] {
        let normal = Vec3::new(0.1, 1.0, 0.2).normalize();
        let edge = |x: f64| {
            // In the plane through zero.
            let on = |z: f64| {
                DVec3::new(x, -(f64::from(normal.x) * x + f64::from(normal.z) * z) / f64::from(normal.y), z)
            };
            [on(-1.0), on(1.0)]
        };
        let (world, handle) = cut_once(body, Blade::swept(&[edge(-1.0), edge(0.2)]).unwrap());
        let body = world.body(handle).unwrap();
        let rest = body.rest();
        let cell = 0.1;
        let mut checked = 0;
        for (vertex, place) in rest.mesh.positions.iter().enumerate() {
            let paint_free = rest.cut.as_ref().unwrap().sides[vertex].outward.dot(normal);
            // Vertices of the sheets, away from the front.
            if normal.dot(*place).abs() > 1e-3 || place.x > 0.2 - 1.5 * cell || paint_free.abs() < 0.5 {
                continue;
            }
            checked += 1;
            for bond in rest.binding.bonds_of(vertex) {
                let side = normal.dot(rest.nodes.rest_positions[bond.node as usize]);
                assert!(
                    side * paint_free < 0.0,
                    "vertex {vertex} at {place} is carried by a node at {side} m of the cut"
                );
            }
        }
        assert!(checked > 200, "{checked}");
    }
}

#[test]
fn the_cut_of_a_spherical_blade_is_smooth() {
    let (center, radius, cell) = (DVec3::new(0.03, -0.02, 0.05), 0.32, 1.0 / 20.0);
    for body in [lattice_cube(20), octree_cube(20)] {
        let ball = shapes::sphere(radius, 5);
        let (world, _) = cut_once(body, Blade::mesh(&ball, center).unwrap());
        assert_eq!(world.bodies().count(), 2);
        for (_, body) in world.bodies() {
            let mesh = &body.rest().mesh;
            let (mut off, mut all, mut farthest) = (0, 0, 0.0_f32);
            let mut seen = vec![false; mesh.positions.len()];
            let cut = mesh
                .triangles
                .iter()
                .zip(&mesh.triangle_paints)
                .filter(|&(_, &paint)| mesh.paints[paint as usize].name == "cut");
            cut.for_each(|(t, _)| t.iter().for_each(|&v| seen[v as usize] = true));
            for vertex in (0..seen.len()).filter(|&v| seen[v]) {
                let away = mesh.positions[vertex] - center.as_vec3();
                let angle = mesh.normals[vertex].dot(away.normalize()).abs().min(1.0).acos().to_degrees();
                farthest = farthest.max((away.length() - radius).abs());
                all += 1;
                off += usize::from(angle >= 10.0);
            }
            assert!(all > 500, "{all}");
            assert!(off * 10 <= all, "{off} of {all} normals are off by more than 10°");
            assert!(farthest < 0.25 * cell, "{farthest} m off");
        }
    }
}

#[test]
fn normals_are_sharp_at_the_rim() {
    let (world, _) = cut_once(lattice_cube(8), plane([0.02, 0.0, 0.0], [1.0, 0.1, 0.0]));
    for (_, body) in world.bodies() {
        let mesh = &body.rest().mesh;
        let welded = weld(mesh, 0.0);
        // At the rim there is a vertex with the outside's normal and one with the cut's.
        let mut sharp = 0;
        for a in 0..mesh.positions.len() {
            for b in a + 1..mesh.positions.len() {
                sharp += usize::from(
                    welded.vertex_of[a] == welded.vertex_of[b] && mesh.normals[a].dot(mesh.normals[b]) < 0.3,
                );
            }
        }
        assert!(sharp > 40, "{sharp}");
    }
}

#[test]
fn a_free_cut_keeps_the_paints_of_the_mesh() {
    let paint = |name: &str| Paint { name: name.into(), ..Paint::default() };
    let mut mesh = shapes::cuboid(Vec3::ONE, [8; 3]);
    mesh.paints = ["lower", "upper", "unused"].map(paint).to_vec();
    let height = |mesh: &TriMesh, t: usize| mesh.corners(t).iter().map(|p| p.y).sum::<f32>() / 3.0;
    mesh.triangle_paints = (0..mesh.triangles.len()).map(|t| u32::from(height(&mesh, t) > 0.0)).collect();
    let settings = LatticeSettings { cell: Some(0.1), width: Some(0.2) };
    let body = Body::builder(mesh).model(settings).build().unwrap();
    let (mut world, _) = cut_once(body, plane([0.02, 0.0, 0.0], [1.0, 0.2, 0.1]));
    for cut in 1..=2 {
        for (_, body) in world.bodies() {
            let mesh = &body.rest().mesh;
            let names: Vec<&str> = mesh.paints.iter().map(|paint| paint.name.as_str()).collect();
            assert_eq!(names, ["lower", "upper", "unused", "cut"]);
            let mut counts = [0; 4];
            for (t, &paint) in mesh.triangle_paints.iter().enumerate() {
                counts[paint as usize] += 1;
                let y = height(mesh, t);
                // The surface of the cells is only nearly that of the mesh.
                let right = paint == 3 || y.abs() < 0.05 || (paint == 1) == (y > 0.0);
                assert!(right, "cut {cut}: a triangle at a height of {y} has paint {paint}");
            }
            assert!(counts[0] > 20 && counts[1] > 20 && counts[2] == 0 && counts[3] > 20, "{counts:?}");
        }
        world.cut(plane([0.0, 0.0, 0.03], [0.1, 0.0, 1.0]));
        world.step(FRAME_SECS);
    }
    assert_eq!(world.bodies().count(), 4);
}
