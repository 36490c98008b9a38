//! Wind presses with ½ ρ u² on what it meets, as if it asked every triangle of the skin, which is what these tests do.

mod common;

use common::weightless;
use pliant::geometry::{TriMesh, shapes};
use pliant::glam::{DVec3, Mat3, Quat, Vec3};
use pliant::*;

/// So short that nothing moves much.
const H: f32 = 1e-4;

fn steady(velocity: Vec3) -> Wind {
    Wind { velocity, gustiness: 0.0, ..Wind::default() }
}

/// What the air does to a body, in N: the momentum that it gives in a step.
fn force(body: &Body, wind: Wind) -> DVec3 {
    let mut world = weightless();
    let before = momentum(body);
    let handle = world.add_body(body.clone());
    world.wind(wind).expect("sound");
    world.step(H);
    (momentum(world.body(handle).expect("its own")) - before) / f64::from(H)
}

fn momentum(body: &Body) -> DVec3 {
    body.rest().nodes.momentum(&body.nodes)
}

/// The same, summed over the triangles of the skin.
fn force_on_triangles(body: &Body, wind: Wind) -> DVec3 {
    let (rest, skin, nodes) = (body.rest(), body.skin(), &body.nodes);
    let air: Vec<Vec3> = (0..nodes.positions.len())
        .map(|n| wind.at(nodes.world_position(n), 0.0) - nodes.velocities[n])
        .collect();
    let mut force = DVec3::ZERO;
    for corners in &rest.mesh.triangles {
        let [a, b, c] = corners.map(|v| skin.positions[v as usize]);
        let doubled = (b - a).cross(c - a);
        let air = corners.map(|v| rest.binding.velocity(v as usize, &air)).iter().sum::<Vec3>() / 3.0;
        let relative = air.dot(doubled.normalize_or_zero());
        if relative < 0.0 {
            let pressure = 0.5 * wind.air_density * relative * relative;
            force -= f64::from(pressure) * (0.5 * doubled).as_dvec3();
        }
    }
    force
}

/// A mesh as a body of each kind.
fn bodies(mesh: &TriMesh, cell: f32) -> Vec<(&'static str, Body)> {
    let build = |settings: ModelSettings| Body::builder(mesh.clone()).model(settings).build().expect("sound");
    let octree = OctreeSettings { cell: Some(0.5 * cell), levels: Some(2), ..OctreeSettings::default() };
    let particles = ParticleSettings { spacing: Some(cell), ..ParticleSettings::default() };
    vec![
        ("lattice", build(LatticeSettings { cell: Some(cell), ..LatticeSettings::default() }.into())),
        ("octree", build(octree.into())),
        ("clusters", build(ClusterSettings { particles, ..ClusterSettings::default() }.into())),
    ]
}

/// Bends and twists a body about its own middle, as far as the maps of coarse regions follow, and lets it turn.
fn deform(body: &mut Body) {
    let rest = body.rest().clone();
    for (x, rest) in body.nodes.positions.iter_mut().zip(&rest.nodes.rest_positions) {
        let angle = 0.35 * rest.y;
        let bent = Quat::from_rotation_z(angle) * (*rest - Vec3::Y * rest.y) + Vec3::Y * (1.1 * rest.y);
        *x = Quat::from_rotation_y(0.4 * rest.y) * bent;
    }
    let spin = Vec3::new(0.5, -1.0, 0.3);
    body.nodes.velocities = body.nodes.positions.iter().map(|x| spin.cross(*x)).collect();
    body.refresh();
}

const WAYS: [Vec3; 4] = [
    Vec3::new(7.0, 0.0, 0.0),
    Vec3::new(3.0, -4.0, 5.0),
    Vec3::new(-2.0, 6.0, 1.0),
    Vec3::new(0.5, 1.0, -8.0),
];

#[test]
fn a_flat_plate_gets_the_pressure_of_the_air_that_it_stops() {
    let size = Vec3::new(0.1, 1.0, 0.8);
    for (word, body) in bodies(&shapes::cuboid(size, [1, 8, 6]), 0.1) {
        for velocity in WAYS {
            let sides = Vec3::new(size.y * size.z, size.z * size.x, size.x * size.y);
            let expected = 0.5 * 1.2 * sides * velocity * velocity.abs();
            let force = force(&body, steady(velocity)).as_vec3();
            assert!(force.abs_diff_eq(expected, 0.01 * expected.length()), "{word}: {force}, not {expected}");
        }
    }
}

#[test]
fn it_presses_as_if_it_asked_every_triangle_of_the_skin() {
    let meshes = [
        ("ball", shapes::sphere(0.5, 4)),
        ("bar", shapes::cuboid(Vec3::new(0.3, 1.2, 0.3), [6, 24, 6])),
        ("ring", shapes::torus(0.4, 0.15, 48, 24)),
    ];
    for (shape, mesh) in meshes {
        for (word, mut body) in bodies(&mesh, 0.1) {
            for moved in [false, true] {
                if moved {
                    deform(&mut body);
                }
                for velocity in WAYS {
                    let (ours, all) =
                        (force(&body, steady(velocity)), force_on_triangles(&body, steady(velocity)));
                    let off = ours.distance(all) / all.length();
                    assert!(off < 0.06, "{shape} of {word}, moved {moved}: {ours}, not {all}: {off}");
                }
            }
        }
    }
}

#[test]
fn it_follows_nodes_that_change_and_bodies_that_are_cut() {
    let mesh = shapes::cuboid(Vec3::new(0.4, 1.2, 0.4), [8, 24, 8]);
    let settings = OctreeSettings { cell: Some(0.05), levels: Some(2), ..OctreeSettings::default() };
    let mut body = Body::builder(mesh).model(settings).refine([Rule::Surface { size: 0.2 }]).build().unwrap();
    let check = |body: &Body, what: &str| {
        for velocity in WAYS {
            let (ours, all) = (force(body, steady(velocity)), force_on_triangles(body, steady(velocity)));
            assert!(ours.distance(all) < 0.08 * all.length(), "{what}: {ours}, not {all}");
        }
    };
    deform(&mut body);
    check(&body, "coarse");
    let count = body.nodes.positions.len();
    body.refine(&[NodeId(0), NodeId(count as u32 / 2), NodeId(count as u32 - 1)]).unwrap();
    assert!(body.nodes.positions.len() > count);
    check(&body, "finer");
    let mut world = weightless();
    world.add_body(body);
    world.cut(Blade::plane(DVec3::ZERO, Vec3::new(0.3, 1.0, 0.2)).unwrap());
    world.step(H);
    assert_eq!(world.bodies().count(), 2);
    for (_, piece) in world.bodies() {
        check(piece, "a piece");
    }
}

#[test]
fn air_that_moves_with_a_body_does_nothing() {
    for (word, mut body) in bodies(&shapes::sphere(0.5, 3), 0.15) {
        let velocity = Vec3::new(4.0, -1.0, 2.0);
        body.nodes.velocities.fill(velocity);
        let force = force(&body, steady(velocity));
        // What rounding makes of a momentum in one step.
        let rounding = 1e-7 * momentum(&body).length() / f64::from(H);
        assert!(force.length() < rounding, "{word}: {force}");
    }
}

#[test]
fn a_closed_body_has_as_much_surface_on_each_side() {
    for (word, body) in bodies(&shapes::torus(0.4, 0.15, 48, 24), 0.1) {
        let border = body.border();
        let areas = || (0..body.nodes.positions.len()).flat_map(|node| border.areas(node as u32));
        let (sum, all) =
            areas().fold((Vec3::ZERO, 0.0), |(sum, all), area| (sum + *area, all + area.length()));
        let whole: f32 = (0..body.rest().mesh.triangles.len())
            .map(|t| {
                let [a, b, c] = body.rest().mesh.corners(t);
                0.5 * (b - a).cross(c - a).length()
            })
            .sum();
        assert!(sum.length() < 1e-4 * whole, "{word}: {sum}");
        assert!(all > 0.95 * whole && all < 1.001 * whole, "{word}: {all} of {whole} m²");
        // Nothing here grows with the mesh.
        assert!(border.outer.iter().all(|&node| border.areas(node).len() <= 26), "{word}");
    }
}

/// A square of 1 m² in the plane of x and y, of eight by eight quads.
fn sheet() -> TriMesh {
    let at = |i: u32, j: u32| Vec3::new(i as f32, j as f32, 0.0) / 8.0 - Vec3::new(0.5, 0.5, 0.0);
    let positions = (0..81).map(|v| at(v % 9, v / 9)).collect();
    let quads = (0..64).map(|quad| quad % 8 + 9 * (quad / 8));
    TriMesh::new(positions, quads.flat_map(|v| [[v, v + 1, v + 10], [v, v + 10, v + 9]]).collect())
}

#[test]
fn a_sheet_is_blown_at_from_both_sides() {
    let body = Body::builder(sheet()).model(ClusterSettings::default()).build().unwrap();
    let [there, back] = [5.0, -5.0].map(|z| force(&body, steady(Vec3::Z * z)));
    assert!((there.z - 0.5 * 1.2 * 25.0).abs() < 0.2, "{there}");
    assert!((there + back).length() < 1e-3 * there.length(), "{there} {back}");
}

#[test]
fn wind_on_a_turned_body_is_the_same_wind_turned() {
    let turn = Quat::from_scaled_axis(Vec3::new(0.4, 1.1, -0.7));
    for (word, mut body) in bodies(&shapes::torus(0.4, 0.15, 48, 24), 0.1) {
        let straight = force(&body, steady(WAYS[1]));
        body.place(DVec3::ZERO, turn).unwrap();
        let turned = force(&body, steady(turn * WAYS[1]));
        let expected = (Mat3::from_quat(turn) * straight.as_vec3()).as_dvec3();
        assert!(turned.distance(expected) < 1e-3 * expected.length(), "{word}: {turned}, not {expected}");
    }
}
