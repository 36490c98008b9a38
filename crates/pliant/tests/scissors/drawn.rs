//! What is drawn: seams, texture coordinates, paints, the caps' points.

use crate::common::{Lcg, assert_manifold, at_rest, caps, color_at, soup, uv_at};
use glam::{DVec3, Vec3};
use pliant::cut::scissors::{Origin, Plane, clip};
use pliant::geometry::{Paint, shapes};
use std::f32::consts::PI;

#[test]
fn seams_stay_shut_and_what_is_drawn_is_interpolated() {
    let mesh = soup(&shapes::sphere(1.0, 2));
    let plane = Plane::through(Vec3::new(0.1, 0.05, -0.2), Vec3::new(1.0, 2.0, -0.7));
    for (side, half) in at_rest(&mesh, &plane, 0.2).expect("cut").iter().enumerate() {
        assert_manifold(half);
        let out = if side == 0 { plane.normal } else { -plane.normal };
        for (vertex, p) in half.mesh.positions.iter().enumerate() {
            if vertex < half.skin_vertices {
                assert!(half.mesh.uvs[vertex].distance(uv_at(*p)) < 1e-5);
                let color = half.mesh.colors[vertex];
                assert!(color.iter().zip(color_at(*p)).all(|(a, b)| (a - b).abs() < 1e-5));
                assert!((half.mesh.normals[vertex].length() - 1.0).abs() < 1e-5);
            } else {
                assert!(half.mesh.normals[vertex].distance(out) < 1e-6);
            }
        }
        for triangle in half.skin_triangles..half.mesh.triangles.len() {
            let [a, b, c] = half.mesh.corners(triangle).map(|p| p.as_dvec3());
            let area: DVec3 = (b - a).cross(c - a);
            assert!(area.dot(out.as_dvec3()) > -1e-9, "a cap's triangle faces the wrong way");
        }
    }
}

#[test]
fn nearly_shut_seams_are_shut() {
    let mut mesh = soup(&shapes::sphere(1.0, 2));
    let mut random = Lcg(9);
    mesh.positions.iter_mut().for_each(|p| *p += random.vector() * 1e-6);
    let halves =
        at_rest(&mesh, &Plane::through(Vec3::splat(0.07), Vec3::new(1.0, 0.3, 0.2)), 0.2).expect("cut");
    halves.iter().for_each(assert_manifold);
}

#[test]
fn caps_have_their_own_paint() {
    let settings = caps(0.3);
    let plain = shapes::sphere(1.0, 2);
    let plane = Plane { normal: Vec3::Y, offset: 0.1 };
    let [half, _] = clip(&plain, &plain.positions, &plane, &settings).expect("cut");
    assert_eq!(half.mesh.paints, [Paint::default(), settings.paint.clone()]);
    let caps = half.mesh.triangle_paints.iter().filter(|&&paint| paint == 1).count();
    assert_eq!(caps, half.mesh.triangles.len() - half.skin_triangles);
    // Cut again, the paint is the same.
    let across = Plane { normal: Vec3::X, offset: 0.1 };
    let [quarter, _] = clip(&half.mesh, &half.now, &across, &settings).expect("cut");
    assert_eq!(quarter.mesh.paints, half.mesh.paints);
    let mut painted = plain;
    painted.paints =
        vec![Paint { name: "a".into(), ..Paint::default() }, Paint { name: "b".into(), ..Paint::default() }];
    painted.triangle_paints = (0..painted.triangles.len() as u32).map(|t| t % 2).collect();
    let [half, _] = clip(&painted, &painted.positions, &plane, &settings).expect("cut");
    assert_eq!(half.mesh.paints.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["a", "b", "cut"]);
    assert!(half.mesh.triangle_paints[half.skin_triangles..].iter().all(|&p| p == 2));
    assert!(half.mesh.triangle_paints[..half.skin_triangles].iter().all(|&p| p < 2));
}

#[test]
fn caps_are_filled_with_points_about_the_spacing_apart() {
    let cylinder = shapes::cylinder(1.0, 2.0, 60, 10);
    let [half, _] = at_rest(&cylinder, &Plane { normal: Vec3::Y, offset: 0.03 }, 0.1).expect("cut");
    let inner: Vec<Vec3> =
        (0..half.now.len()).filter(|&v| half.origins[v] == Origin::Cap).map(|v| half.now[v]).collect();
    // One point for each pair of equilateral triangles.
    let expected = PI * 0.95 * 0.95 / (0.1 * 0.1 * 0.866);
    assert!((inner.len() as f32 - expected).abs() < 0.1 * expected, "{} points", inner.len());
    for (i, p) in inner.iter().enumerate() {
        assert!(inner[..i].iter().all(|q| q.distance(*p) > 0.09));
    }
}
