//! What every shape must answer, whatever it is made of.

use super::*;
use crate::geometry::{shapes, winding_exact};
use crate::math::functions::{cos, hypot, sin};

/// The same points on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }

    /// Each coordinate in [−1, 1).
    fn point(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    fn points(count: usize, size: f32) -> Vec<Vec3> {
        let mut random = Self(7);
        (0..count).map(|_| random.point() * size).collect()
    }
}

fn waves(rows: usize, columns: usize) -> Shape {
    let height = |r: usize, c: usize| sin(r as f32 * 0.9) + cos(c as f32 * 0.7);
    let heights: Vec<Vec<f32>> = (0..rows).map(|r| (0..columns).map(|c| height(r, c)).collect()).collect();
    Shape::heightfield(Vec3::new(2.0, 0.2, 1.6), heights)
}

fn sheet() -> Shape {
    let positions = [[-1.0, 0.0, -1.0], [1.0, 0.2, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.2, 1.0]].map(Vec3::from);
    Shape::Mesh(MeshShape::new(positions, [[0, 2, 1], [0, 3, 2]]).thickness(0.06))
}

fn all() -> Vec<Shape> {
    vec![
        Shape::Plane,
        Shape::Sphere { radius: 0.7 },
        Shape::Box { half: Vec3::new(0.5, 1.0, 0.25) },
        Shape::Capsule { radius: 0.3, half_height: 0.6 },
        Shape::Cylinder { radius: 0.6, half_height: 0.4 },
        Shape::convex_hull(Random::points(60, 0.8)),
        Shape::convex_hull(shapes::cuboid(Vec3::new(1.0, 0.6, 1.4), [3, 3, 3]).positions),
        Shape::mesh(&shapes::torus(0.6, 0.25, 24, 12)),
        Shape::mesh(&shapes::cuboid(Vec3::new(1.0, 0.6, 1.4), [3, 3, 3])),
        Shape::mesh(&shapes::l_bar(1.2, 0.4, 0.5, 0.2)),
        sheet(),
        waves(9, 12),
    ]
}

#[test]
fn distance_is_zero_on_the_surface_and_its_gradient_is_the_normal() {
    for shape in all() {
        assert_eq!(shape.validate(), Ok(()), "{shape:?}");
        for p in Random::points(1000, 1.5) {
            let (distance, normal) = shape.distance(p);
            assert!((normal.length() - 1.0).abs() < 1e-5, "{shape:?} {p}");
            let (on_surface, _) = shape.distance(p - normal * distance);
            assert!(on_surface.abs() < 1e-5, "{shape:?} {p} {on_surface}");
            // On the way to the surface nothing else comes nearer.
            let step = -1e-3_f32.copysign(distance).min(distance.abs());
            let (ahead, _) = shape.distance(p + normal * step);
            assert!((ahead - distance - step).abs() < 1e-5, "{shape:?} {p} {distance} {ahead}");
        }
    }
}

#[test]
fn distance_never_changes_faster_than_the_point_moves() {
    let mut random = Random(3);
    for shape in all() {
        for size in [0.01, 0.3, 30.0] {
            for p in Random::points(400, 1.2) {
                let q = p + random.point() * size;
                let change = (shape.distance(p).0 - shape.distance(q).0).abs();
                assert!(change <= p.distance(q) * (1.0 + 1e-5) + 1e-5, "{shape:?} {p} {q}: {change}");
            }
        }
    }
}

#[test]
fn what_is_in_the_bounds_is_all_there_is() {
    for shape in all() {
        let Some((low, high)) = shape.bounds() else { continue };
        for p in Random::points(1000, 1.5) {
            let inside = p.cmpge(low - 1e-5).all() && p.cmple(high + 1e-5).all();
            assert!(inside || shape.distance(p).0 > 0.0, "{shape:?} {p}");
            let beyond = (low - p).max(p - high).max(Vec3::ZERO).length();
            assert!(beyond == 0.0 || shape.distance(p).0 >= beyond - 1e-4, "{shape:?} {p}");
        }
    }
}

#[test]
fn what_is_said_to_be_far_is_far() {
    for shape in all() {
        let (low, high) = shape.bounds().unwrap_or((Vec3::MIN, Vec3::MAX));
        for p in Random::points(2000, 1.5) {
            let (distance, _) = shape.distance(p);
            let inside = p.cmpge(low).all() && p.cmple(high).all();
            for limit in [-0.1, 0.0, 0.02, 0.3, 1.0] {
                let far = shape.is_farther_than(p, limit);
                assert!(!far || distance > limit - 1e-5, "{shape:?} {p}: {distance} {limit}");
                // And what is far enough is said to be.
                assert!(far || !inside || distance < limit + 0.3, "{shape:?} {p}: {distance} {limit}");
            }
        }
        assert!(!shape.is_farther_than(Vec3::splat(f32::NAN), 1.0));
    }
}

#[test]
fn inside_is_where_the_shape_is() {
    let torus = shapes::torus(0.6, 0.25, 24, 12);
    let bar = shapes::l_bar(1.2, 0.4, 0.5, 0.2);
    for mesh in [&torus, &bar] {
        let shape = Shape::mesh(mesh);
        let around = |p| winding_exact(&mesh.positions, &mesh.triangles, p);
        for p in Random::points(1000, 1.2) {
            assert_eq!(shape.distance(p).0 < 0.0, around(p) > 0.5, "{p}");
        }
    }
    let cylinder = Shape::Cylinder { radius: 0.6, half_height: 0.4 };
    for p in Random::points(1000, 1.0) {
        assert_eq!(cylinder.distance(p).0 < 0.0, hypot(p.x, p.z) < 0.6 && p.y.abs() < 0.4, "{p}");
    }
    // A plane of heights, cut off at its rim.
    let ramp = Shape::heightfield(Vec3::new(2.0, 1.0, 1.0), vec![vec![0.0, 0.25, 0.5]; 3]);
    for p in Random::points(1000, 2.0) {
        let inside = p.x.abs() < 1.0 && p.z.abs() < 0.5 && p.y < 0.25 + 0.25 * p.x;
        assert_eq!(ramp.distance(p).0 < 0.0, inside, "{p}");
    }
    for depth in [10.0, 1e3, 1e6] {
        let (distance, normal) = ramp.distance(Vec3::new(0.25, -depth, 0.45));
        assert!((distance + 0.05).abs() < 1e-5 && normal == Vec3::Z, "{distance} {normal}");
    }
}

#[test]
fn a_hull_is_the_box_that_its_points_fill() {
    let half = Vec3::new(0.5, 0.3, 0.7);
    // Points on faces and edges, points inside, and each twice.
    let mut points = shapes::cuboid(half * 2.0, [4, 3, 5]).positions;
    points.extend(Random::points(200, 0.3));
    points.extend(points.clone());
    let (hull, cuboid) = (Shape::convex_hull(points), Shape::Box { half });
    assert_eq!(hull.triangles().map(|mesh| mesh.signed_volume() as f32), Some(8.0 * half.element_product()));
    for p in Random::points(2000, 1.5) {
        let ((a, n), (b, m)) = (hull.distance(p), cuboid.distance(p));
        assert!((a - b).abs() < 1e-6, "{p}: {a} {b}");
        // Deep inside two sides may be equally near.
        assert!(n.distance(m) < 1e-5 || b < 0.0, "{p}: {n} {m}");
    }
}

#[test]
fn a_hull_of_a_round_cloud_has_every_point_inside_or_on_it() {
    let on_sphere: Vec<Vec3> =
        Random::points(500, 1.0).iter().filter_map(|p| p.try_normalize()).map(|p| p * 3.0 + 1e3).collect();
    let shape = Shape::convex_hull(&on_sphere[..]);
    assert_eq!(shape.validate(), Ok(()));
    for &p in &on_sphere {
        assert!(shape.distance(p).0 <= 1e-4, "{p}");
    }
    assert!(shape.distance(Vec3::splat(1e3)).0 < -2.5);
}

#[test]
fn hulls_of_clouds_with_many_points_in_planes_and_on_lines_are_closed() {
    let lattice = (0..216).map(|i| Vec3::new((i % 6) as f32, (i / 6 % 6) as f32, (i / 36) as f32));
    let ring = (0..64).map(|i| i as f32 * 0.098_174_77).map(|angle| Vec3::new(cos(angle), 0.0, sin(angle)));
    let lines = (0..20).flat_map(|i| [Vec3::X * i as f32, Vec3::new(0.0, 1.0, i as f32)]);
    let thin = Random::points(300, 1.0).into_iter().map(|p| p * Vec3::new(1.0, 1e-5, 1.0));
    let clouds: [Vec<Vec3>; 5] = [
        lattice.collect(),
        ring.clone().chain([Vec3::Y]).collect(),
        ring.clone().chain(ring.map(|p| p + Vec3::Y * 2.0)).collect(),
        lines.collect(),
        thin.collect(),
    ];
    for cloud in clouds {
        let shape = Shape::convex_hull(&cloud[..]);
        assert_eq!(shape.validate(), Ok(()));
        let mesh = shape.triangles().unwrap();
        let edges = crate::geometry::EdgeTable::new(&mesh.triangles);
        assert!(edges.is_closed() && edges.is_oriented() && edges.non_manifold().next().is_none());
        assert!(mesh.signed_volume() > 0.0);
        assert!(cloud.iter().all(|&p| shape.distance(p).0 <= 1e-6));
    }
}

#[test]
fn normals_of_a_flat_face_are_those_of_the_face() {
    // Also where triangles meet.
    let mesh = Shape::mesh(&shapes::cuboid(Vec3::splat(2.0), [6, 6, 6]));
    let ground = Shape::heightfield(Vec3::new(2.0, 1.0, 2.0), vec![vec![1.0; 7]; 7]);
    for shape in [mesh, ground] {
        for i in 0..200 {
            let (x, z) = ((i % 14) as f32 / 7.0 - 0.95, (i / 14) as f32 / 7.5 - 0.95);
            for gap in [0.3, 1e-3, 1e-6, 0.0, -1e-6, -1e-3] {
                let (distance, normal) = shape.distance(Vec3::new(x, 1.0 + gap, z));
                assert!((distance - gap).abs() < 2e-7, "{x} {z} {gap}: {distance}");
                assert!(normal.distance(Vec3::Y) < 1e-6, "{x} {z} {gap}: {normal}");
            }
        }
    }
}

#[test]
fn a_broken_mesh_is_mended_or_refused() {
    let cuboid = shapes::cuboid(Vec3::ONE, [2, 2, 2]);
    let deep = |mesh: &TriMesh| {
        let shape = Shape::mesh(mesh);
        (shape.validate(), shape.distance(Vec3::ZERO).0)
    };
    let clean = (Ok(()), -0.5);
    assert_eq!(deep(&cuboid), clean);
    // Each triangle with its own corners.
    let mut soup = TriMesh::default();
    for t in 0..cuboid.triangles.len() {
        let first = soup.positions.len() as u32;
        soup.positions.extend(cuboid.corners(t));
        soup.triangles.push([first, first + 1, first + 2]);
    }
    assert_eq!(deep(&soup), clean);
    // Wound in all ways.
    let mut tangled = cuboid.clone();
    tangled.triangles.iter_mut().step_by(3).for_each(|t| t.swap(0, 1));
    assert_eq!(deep(&tangled), clean);
    let mut inside_out = cuboid.clone();
    inside_out.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert_eq!(deep(&inside_out), clean);
    // With triangles without area, some twice, and a vertex that nothing names.
    let mut littered = cuboid.clone();
    littered.positions.push(Vec3::splat(50.0));
    littered.triangles.extend([[0, 0, 1], [2, 2, 2], cuboid.triangles[0]]);
    assert_eq!(deep(&littered), clean);
    assert_eq!(Shape::mesh(&littered).bounds(), Some((Vec3::splat(-0.5), Vec3::splat(0.5))));
    // One triangle, from both sides or from one.
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
    for triangles in [vec![[0, 1, 2]], vec![[0, 1, 2], [0, 2, 1]]] {
        let shape = Shape::Mesh(MeshShape::new(corners, triangles).thickness(0.1));
        for z in [0.2, -0.2] {
            let (distance, normal) = shape.distance(Vec3::new(0.25, 0.25, z));
            assert!((distance - 0.15).abs() < 1e-6 && normal.z == z.signum(), "{distance} {normal}");
        }
        assert!((shape.distance(Vec3::new(0.25, 0.25, 0.0)).0 + 0.05).abs() < 1e-6);
    }
}

#[test]
fn shapes_that_make_no_sense_are_refused_and_very_far_away() {
    let (nan, up) = (f32::NAN, Vec3::Y);
    let mesh = |positions: &[Vec3], triangles: &[[u32; 3]]| Shape::Mesh(MeshShape::new(positions, triangles));
    let corners = [Vec3::ZERO, Vec3::X, up];
    let ground = |heights: &[&[f32]]| {
        Shape::heightfield(Vec3::ONE, heights.iter().map(|row| row.to_vec()).collect::<Vec<_>>())
    };
    let flat: Vec<Vec3> = Random::points(50, 1.0).iter().map(|p| p.with_y(0.25)).collect();
    let table = [
        Shape::convex_hull([]),
        Shape::convex_hull(corners),
        Shape::convex_hull([Vec3::ONE; 9]),
        Shape::convex_hull(flat),
        Shape::convex_hull([Vec3::ZERO, Vec3::X, up, Vec3::Z * nan]),
        Shape::convex_hull([Vec3::ZERO, Vec3::X, up, Vec3::Z * f32::INFINITY]),
        Shape::convex_hull([Vec3::ZERO, Vec3::X, up, Vec3::Z * 1e30]),
        mesh(&[], &[]),
        mesh(&corners, &[]),
        mesh(&[], &[[0, 1, 2]]),
        mesh(&corners, &[[0, 1, 3]]),
        mesh(&corners, &[[0, 1, u32::MAX]]),
        mesh(&[Vec3::ZERO, Vec3::X, up * nan], &[[0, 1, 2]]),
        mesh(&corners, &[[0, 1, 1]]),
        mesh(&[up, up, up], &[[0, 1, 2]]),
        mesh(&[Vec3::ZERO, Vec3::X, Vec3::X * 2.0], &[[0, 1, 2]]),
        Shape::Mesh(MeshShape::new(corners, [[0, 1, 2]]).thickness(0.0)),
        Shape::Mesh(MeshShape::new(corners, [[0, 1, 2]]).thickness(nan)),
        ground(&[]),
        ground(&[&[], &[]]),
        ground(&[&[0.0, 1.0]]),
        ground(&[&[0.0], &[1.0]]),
        ground(&[&[0.0, 1.0], &[1.0]]),
        ground(&[&[0.0, 1.0], &[1.0, nan]]),
        Shape::heightfield(Vec3::new(1.0, 0.0, 1.0), vec![vec![0.0; 2]; 2]),
        Shape::heightfield(Vec3::new(-1.0, 1.0, 1.0), vec![vec![0.0; 2]; 2]),
        Shape::heightfield(Vec3::splat(f32::INFINITY), vec![vec![0.0; 2]; 2]),
        Shape::Cylinder { radius: 0.0, half_height: 1.0 },
        Shape::Cylinder { radius: 1.0, half_height: nan },
    ];
    for shape in table {
        assert!(shape.validate().is_err(), "{shape:?}");
        assert!(shape.triangles().is_none_or(|_| shape.distance(Vec3::ONE) == NOWHERE), "{shape:?}");
    }
    for shape in all() {
        for p in [Vec3::splat(nan), Vec3::X * f32::INFINITY] {
            let near = shape.distance(p).0 <= 1.0;
            assert!(!near || shape == Shape::Plane, "{shape:?}");
        }
    }
}

#[test]
fn what_is_derived_is_neither_compared_nor_stored() {
    for shape in all() {
        let fresh: Shape = postcard::from_bytes(&postcard::to_stdvec(&shape).unwrap()).unwrap();
        let used = shape.clone();
        let far = used.distance(Vec3::ONE);
        assert_eq!(fresh, used);
        assert_eq!(fresh.distance(Vec3::ONE), far);
        assert_eq!(postcard::to_stdvec(&used).unwrap(), postcard::to_stdvec(&fresh).unwrap());
    }
    assert_ne!(waves(9, 12), waves(9, 13));
}
