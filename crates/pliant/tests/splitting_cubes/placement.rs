//! Where vertices lie, and how they are lit.

use crate::blocks::{CELL, ORIGIN, STEPS, assert_closed, block, cut, in_cells};
use crate::common::Random;
use pliant::glam::{IVec3, Vec3};
use pliant::skin::splitting_cubes::{Crossing, Cubes, Surface};

/// For each vertex whether it is on the first surface, and whether it is on a cut.
fn kinds(surface: &Surface) -> Vec<[bool; 2]> {
    let mut kinds = vec![[false; 2]; surface.vertices.len()];
    for quad in &surface.quads {
        for corner in quad.corners {
            kinds[corner as usize][usize::from(quad.cut)] = true;
        }
    }
    kinds
}

#[test]
fn a_box_has_its_edges_corners_and_volume() {
    let size = IVec3::new(4, 3, 5);
    let surface = block(size).surface();
    let (low, high) = (Vec3::splat(-0.5), size.as_vec3() - 0.5);
    for vertex in &surface.vertices {
        let at = in_cells(vertex.position);
        let off = (at - low).abs().min((high - at).abs()).min_element();
        assert!(off < 1e-3, "{vertex:?}");
    }
    let drawn = surface.to_mesh();
    assert_eq!(drawn.mesh.validate(), Ok(()));
    let volume = (4.0 * 3.0 * 5.0) * (CELL as f64).powi(3);
    let found = drawn.mesh.signed_volume();
    assert!((found / volume - 1.0).abs() < 1e-3, "{found} m³ instead of {volume}");
    // At the box's corners three drawn vertices meet, along its edges two; all are lit as the box's faces are.
    let corners = surface.vertices.iter().filter(|v| {
        let at = in_cells(v.position);
        (at - low).abs().min((high - at).abs()).max_element() < 1e-2
    });
    assert_eq!(corners.count(), 8);
    let along = surface.vertices.iter().filter(|v| {
        let at = in_cells(v.position);
        let near = (at - low).abs().min((high - at).abs()).cmplt(Vec3::splat(1e-2));
        near.bitmask().count_ones() == 2
    });
    assert_eq!(drawn.mesh.positions.len(), surface.vertices.len() + 2 * 8 + along.count());
    assert!(drawn.mesh.normals.iter().all(|n| n.abs().max_element() > 0.999));
}

/// The angle between two directions, in degrees.
fn degrees(a: Vec3, b: Vec3) -> f32 {
    a.angle_between(b).to_degrees()
}

#[test]
fn a_spherical_blade_leaves_a_sphere() {
    let size = IVec3::splat(16);
    let mut random = Random::new(7);
    for case in 0..12 {
        let radius = random.between(5.0, 6.5);
        let centre = Vec3::splat(7.5) + 0.5 * random.vec3();
        let mut cubes = block(size);
        cut(&mut cubes, size, |p| p.distance(centre) - radius, |p| (p - centre).normalize());
        let surface = cubes.surface();
        assert_closed(&surface, "sphere");

        let drawn = surface.to_mesh();
        let mut geometric = vec![Vec3::ZERO; drawn.mesh.positions.len()];
        for (at, triangle) in drawn.mesh.triangles.iter().enumerate() {
            let [a, b, c] = drawn.mesh.corners(at);
            for &v in triangle {
                geometric[v as usize] += (b - a).cross(c - a);
            }
        }
        let on_cut = kinds(&surface);
        let (mut count, mut worst, mut sum) = (0, 0.0_f32, 0.0);
        let (mut lit, mut built, mut lit_worst, mut built_worst) = (0, 0, 0.0_f32, 0.0_f32);
        for (v, &vertex) in drawn.vertex_of.iter().enumerate() {
            if !on_cut[vertex as usize][1] {
                continue;
            }
            let from = in_cells(drawn.mesh.positions[v]) - centre;
            let error = (from.length() - radius).abs();
            (count, worst, sum) = (count + 1, worst.max(error), sum + error);
            let normal = drawn.mesh.normals[v];
            // One sheet looks outward, the other inward.
            let radial = from * normal.dot(from).signum();
            let (of_light, of_shape) = (degrees(normal, radial), degrees(geometric[v], radial));
            (lit, built) = (lit + usize::from(of_light < 10.0), built + usize::from(of_shape < 10.0));
            (lit_worst, built_worst) = (lit_worst.max(of_light), built_worst.max(of_shape));
        }
        println!(
            "case {case}: {count} vertices, distance mean {:.4} worst {worst:.4} cells; normals lit {lit} built \
             {built} within 10°, worst {lit_worst:.1}° {built_worst:.1}°",
            sum / count as f32
        );
        assert!(count > 1_000);
        assert!(worst < 0.25, "case {case}: {worst} cells from the sphere");
        assert!(lit * 10 >= count * 9 && built * 10 >= count * 9, "case {case}: {lit}, {built} of {count}");
    }
}

#[test]
fn a_plane_blade_leaves_a_plane() {
    let size = IVec3::splat(10);
    let mut random = Random::new(11);
    for case in 0..40 {
        let normal = random.rotation() * Vec3::X;
        let through = Vec3::splat(4.5) + random.vec3();
        let mut cubes = block(size);
        cut(&mut cubes, size, |p| normal.dot(p - through), |_| normal);
        let surface = cubes.surface();
        assert_closed(&surface, "plane");
        for (vertex, kind) in surface.vertices.iter().zip(kinds(&surface)) {
            let off = normal.dot(in_cells(vertex.position) - through).abs();
            if kind == [false, true] {
                assert!(off < 1e-4, "case {case}: {off} cells off, {vertex:?}");
            }
        }
    }
}

/// Moves the edge vertices that a plane has cut off from their nodes to where it meets the first surface.
fn slide_to_rim(cubes: &mut Cubes, normal: Vec3, through: Vec3) {
    let first: Vec<(IVec3, usize, Crossing)> = cubes.iter().map(|(n, a, c)| (n, a, *c)).collect();
    for (node, axis, crossing) in first.into_iter().filter(|(.., crossing)| !crossing.cut) {
        let inner = if crossing.inside[0] { node } else { node + STEPS[axis] };
        let side = |p: Vec3| normal.dot(p - through);
        let off = side(in_cells(crossing.point));
        if off * side(inner.as_vec3()) < 0.0 {
            let along = normal.reject_from(crossing.normal);
            let moved = crossing.point - CELL * along * (off / along.length_squared());
            assert!(cubes.slide(node, axis, moved));
        }
    }
}

#[test]
fn a_rim_lies_where_the_cut_meets_the_first_surface() {
    let size = IVec3::splat(10);
    let mut random = Random::new(13);
    for case in 0..40 {
        let normal = (Vec3::Z + 0.5 * random.vec3()).normalize();
        let through = Vec3::splat(4.5) + random.vec3();
        let mut cubes = block(size);
        cut(&mut cubes, size, |p| normal.dot(p - through), |_| normal);
        let off = |cubes: &Cubes| {
            let surface = cubes.surface();
            assert_closed(&surface, "rim");
            let mut all = Vec::new();
            for (vertex, kind) in surface.vertices.iter().zip(kinds(&surface)) {
                if kind == [true, true] {
                    let at = in_cells(vertex.position);
                    let wall = (at + 0.5).abs().min((Vec3::splat(9.5) - at).abs()).min_element();
                    all.push(normal.dot(at - through).abs().max(wall));
                }
            }
            all.sort_by(f32::total_cmp);
            all
        };
        let steps = off(&cubes);
        slide_to_rim(&mut cubes, normal, through);
        let smooth = off(&cubes);
        // What nine of ten do not exceed, and the worst.
        let [step, worst_step] = [steps[steps.len() * 9 / 10], steps[steps.len() - 1]];
        let [off, worst] = [smooth[smooth.len() * 9 / 10], smooth[smooth.len() - 1]];
        println!(
            "case {case}: {off:.3} … {worst:.3} cells off the rim, not slid {step:.3} … {worst_step:.3}"
        );
        assert!(steps.len() > 100 && worst_step < 0.5, "case {case}: {worst_step} cells");
        assert!(off < 0.1 && worst < 0.3, "case {case}: {off}, {worst} cells");
    }
}

#[test]
fn cut_and_uncut_quads_share_no_drawn_vertex() {
    let size = IVec3::splat(6);
    let mut cubes = block(size);
    let normal = Vec3::new(0.2, 0.3, 1.0).normalize();
    cut(&mut cubes, size, |p| normal.dot(p - Vec3::splat(2.4)), |_| normal);
    let surface = cubes.surface();
    let drawn = surface.to_mesh();
    assert_eq!(drawn.mesh.validate(), Ok(()));
    assert_eq!(drawn.mesh.triangles.len(), 2 * surface.quads.len());
    let mut paint_of = vec![None; drawn.mesh.positions.len()];
    for (triangle, &paint) in drawn.mesh.triangles.iter().zip(&drawn.mesh.triangle_paints) {
        for &v in triangle {
            assert_eq!(*paint_of[v as usize].get_or_insert(paint), paint);
        }
    }
    // Through the map back the triangles are those of the surface.
    let back = |t: &[u32; 3]| t.map(|v| drawn.vertex_of[v as usize]);
    assert_eq!(drawn.mesh.triangles.iter().map(back).collect::<Vec<_>>(), surface.triangles());
    let positions = drawn.vertex_of.iter().map(|&v| surface.vertices[v as usize].position);
    assert_eq!(positions.collect::<Vec<_>>(), drawn.mesh.positions);
    assert!(drawn.mesh.positions.iter().all(|p| p.distance(ORIGIN) < 12.0 * CELL));
}
