//! Bodies whose elements are tetrahedra of the caller's own.

mod common;

use pliant::geometry::{TetMesh, TriMesh, shapes, weld};
use pliant::glam::{DVec3, Vec3};
use pliant::sampling::stuffing::{self, StuffingSettings};
use pliant::*;

/// A ball of 0.3 m radius as tetrahedra.
fn ball() -> (TriMesh, TetMesh) {
    let sphere = weld(&shapes::sphere(0.3, 3), 1e-6);
    let settings = StuffingSettings { size: 0.09, levels: 0 };
    let mesh = stuffing::stuff(&sphere, &settings).expect("a ball").mesh;
    (mesh.boundary().0, mesh)
}

fn builder() -> BodyBuilder {
    let (surface, tetrahedra) = ball();
    Body::builder(surface)
        .model(ElementSettings::default())
        .tetrahedra(tetrahedra)
        .material(Material::default().with_young_modulus(1e5, 0.3))
}

#[test]
fn they_are_its_elements_and_their_corners_its_nodes() {
    let (_, tetrahedra) = ball();
    let body = builder().build().expect("a body");
    assert_eq!(body.model.parts(), tetrahedra.tetrahedra.len());
    assert_eq!(body.nodes.positions.len(), tetrahedra.positions.len());
    let volume = tetrahedra.signed_volume();
    assert!((body.rest().nodes.total_mass / (1000.0 * volume) - 1.0).abs() < 1e-5);
    assert!((body.rest().volume / volume - 1.0).abs() < 1e-5);
    // Vertices of the skin are nodes, wherever those go.
    for (vertex, at) in body.skin().positions.iter().enumerate() {
        let nearest = body.nodes.positions.iter().map(|x| x.distance(*at)).fold(f32::INFINITY, f32::min);
        assert!(nearest < 1e-5, "vertex {vertex}");
    }
}

#[test]
fn they_fall_lie_on_the_floor_and_on_each_other() {
    for substeps in [1, 4] {
        let mut world = World::new();
        world.settings.substeps = substeps;
        world.add_collider(Collider::floor(0.0)).expect("a floor");
        let [low, high] =
            [0.35, 1.0].map(|y| world.add_body(builder().at(DVec3::Y * y).build().expect("a body")));
        let mut contained = 0;
        for _ in 0..300 {
            contained += world.step(1.0 / 60.0).contained;
        }
        assert_eq!(contained, 0);
        for ball in [low, high] {
            let body = world.body(ball).expect("there");
            let (ratio, lowest) = (
                body.volume_ratio(),
                (0..body.skin().positions.len())
                    .map(|v| body.vertex_position(v).y)
                    .fold(f64::INFINITY, f64::min),
            );
            assert!((0.9..1.02).contains(&ratio), "{substeps} substeps: {ratio}");
            assert!(lowest > -0.01, "{substeps} substeps: {lowest} m");
        }
    }
}

#[test]
fn a_plane_cuts_them_and_a_snapshot_keeps_them() {
    let mut world = World::new();
    let ball = world.add_body(builder().build().expect("a body"));
    let before = world.body(ball).expect("there").rest().nodes.total_mass;
    let kept = world.snapshot();
    world.cut(Blade::plane(DVec3::ZERO, Vec3::X).expect("a blade"));
    world.step(1.0 / 60.0);
    let masses: Vec<f64> = world.bodies().map(|(_, body)| body.rest().nodes.total_mass).collect();
    assert_eq!(masses.len(), 2);
    assert!((masses.iter().sum::<f64>() / before - 1.0).abs() < 0.01, "{masses:?} of {before} kg");
    world.restore(&kept);
    let bytes = world.snapshot().to_bytes();
    let mut again = World::new();
    again.restore(&Snapshot::from_bytes(&bytes).expect("a snapshot"));
    for world in [&mut world, &mut again] {
        common::run(world, 20, 1.0 / 60.0);
    }
    assert_eq!(world.state_hash(), again.state_hash());
}

#[test]
fn what_makes_no_sense_of_them_is_refused_by_name() {
    let (surface, mut inverted) = ball();
    inverted.tetrahedra[0].swap(0, 1);
    let refused = [
        ("tetrahedra", Body::builder(surface).model(ElementSettings::default()).tetrahedra(inverted)),
        ("material.tear", builder().material(Material::default().with_tear(0.5))),
        ("stiffness", builder().stiffness(|_| 2.0)),
        ("elements.cell", builder().model_with(|of: &mut ElementSettings| of.cell = Some(0.1))),
        ("tetrahedra", builder().model(LatticeSettings::default())),
    ];
    for (what, builder) in refused {
        let error = builder.build().expect_err(what);
        assert!(error.to_string().contains(what), "{what}: {error}");
    }
    let mut body = builder().build().expect("a body");
    body.remodel(&LatticeSettings::default().into()).expect("a lattice");
    assert_eq!(body.model.name(), "lattice");
}
