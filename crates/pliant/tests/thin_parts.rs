//! Parts thinner than a cell, and bodies of one shell whose cells the surface cuts up: they stay one piece.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::geometry::{shapes, weld};
use pliant::glam::{Vec3, Vec3Swizzles};
use pliant::math::quat_from_scaled_axis;
use pliant::sampling::filling::Filling;
use pliant::{Body, Collider, LatticeSettings, ModelSettings, OctreeSettings, TriMesh, World};

/// Settings with cells of this size; regions are two cells wide.
fn models(cell: f32) -> [ModelSettings; 2] {
    let [cell, width] = [cell, 2.0 * cell].map(Some);
    [
        LatticeSettings { cell, width }.into(),
        OctreeSettings { cell, width, levels: Some(1), ..OctreeSettings::default() }.into(),
    ]
}

fn turned(mut mesh: TriMesh, by: Vec3) -> TriMesh {
    let rotation = quat_from_scaled_axis(by);
    mesh.positions.iter_mut().for_each(|p| *p = rotation * *p);
    mesh
}

/// A ball with a blade through it, as one shell: the points of a sphere near its equator are drawn out into a disc.
fn saturn(thickness: f32) -> TriMesh {
    let mut mesh = shapes::sphere(0.3, 4);
    for p in &mut mesh.positions {
        let around = p.xz().length();
        if p.y.abs() < 0.06 && around > 0.0 {
            let out = 1.0 - p.y.abs() / 0.06;
            let far = around + 0.4 * out;
            *p = Vec3::new(
                p.x / around * far,
                p.y.clamp(-0.5 * thickness, 0.5 * thickness),
                p.z / around * far,
            );
        }
    }
    mesh
}

#[test]
fn thick_bodies_have_just_the_samples_that_are_inside() {
    for mesh in [shapes::sphere(0.5, 4), shapes::cuboid(Vec3::new(0.93, 0.61, 0.77), [2; 3])] {
        for by in [Vec3::ZERO, Vec3::new(0.4, 0.3, -0.8)] {
            let mesh = weld(&turned(mesh.clone(), by), 0.0);
            let filling = Filling::new(&mesh.positions, &mesh.triangles, 0.05, 1).unwrap();
            assert!(filling.thin.is_empty(), "{} samples", filling.thin.len());
        }
    }
}

#[test]
fn samples_of_thin_parts_are_inside() {
    let plate = turned(shapes::cuboid(Vec3::new(0.9, 0.006, 0.5), [6, 1, 4]), Vec3::new(0.5, 0.2, 0.9));
    let mesh = weld(&plate, 0.0);
    let filling = Filling::new(&mesh.positions, &mesh.triangles, 0.05, 1).unwrap();
    assert!(filling.thin.len() > 400, "{}", filling.thin.len());
    for sample in &filling.thin {
        let place = filling.origin + sample.point * filling.cell;
        let around = pliant::geometry::winding_exact(&mesh.positions, &mesh.triangles, place);
        assert!((around - 1.0).abs() < 1e-3, "{place}: {around}");
    }
}

#[test]
fn a_plate_thinner_than_its_samples_is_one_piece_and_keeps_its_shape() {
    for (thickness, by) in
        [(0.006, Vec3::new(0.5, 0.2, 0.9)), (0.01, Vec3::new(0.1, 0.0, 0.05)), (0.03, Vec3::X)]
    {
        let plate = turned(shapes::cuboid(Vec3::new(0.9, thickness, 0.5), [18, 1, 10]), by);
        for model in models(0.05) {
            one_piece(&plate, model, 1.2);
        }
    }
}

#[test]
fn a_ball_with_a_blade_is_one_piece_and_keeps_its_shape() {
    for thickness in [0.02, 0.008] {
        for by in [Vec3::ZERO, Vec3::new(0.6, 0.1, -0.3)] {
            for model in models(0.06) {
                one_piece(&turned(saturn(thickness), by), model, 2.0);
            }
        }
    }
}

/// All nodes are joined, and after a fall from a hand's height onto a floor no edge of the skin is longer than `most` times what it was.
fn one_piece(mesh: &TriMesh, model: ModelSettings, most: f32) {
    let mut world = World::new();
    let low = mesh.positions.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
    world.add_collider(Collider::floor(f64::from(low) - 0.05)).unwrap();
    let said = format!("{model:?}");
    let body = Body::builder(mesh.clone()).model(model).build().unwrap();
    assert_eq!(body.parts().count, 1, "{said}");
    let id = world.add_body(body);
    for _ in 0..60 {
        assert_eq!(world.step(1.0 / 60.0).contained, 0);
    }
    let body = world.body(id).unwrap();
    let (rest, now) = (&body.rest().mesh, &body.skin().positions);
    for triangle in &rest.triangles {
        for k in 0..3 {
            let [a, b] = [triangle[k], triangle[(k + 1) % 3]].map(|v| v as usize);
            let stretch = now[a].distance(now[b]) / rest.positions[a].distance(rest.positions[b]);
            assert!(stretch < most, "{said}: {stretch} at {}", rest.positions[a]);
        }
    }
}
