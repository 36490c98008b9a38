//! The tree of a surface finds what a search through all its triangles finds.

mod common;

use common::Random;
use pliant::geometry::{SurfaceTree, TriMesh, shapes};
use pliant::glam::{DVec3, Vec3};

fn tree(mesh: &TriMesh) -> SurfaceTree {
    SurfaceTree::new(&mesh.positions, &mesh.triangles)
}

fn soup(seed: u64, count: u32) -> TriMesh {
    let mut random = Random::new(seed);
    let mut positions = Vec::new();
    for _ in 0..count {
        let (centre, size) = (random.vec3(), random.magnitude(0.01, 1.0));
        positions.extend((0..3).map(|_| centre + random.vec3() * size));
    }
    TriMesh::new(positions, (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect())
}

fn meshes() -> [TriMesh; 3] {
    [shapes::sphere(1.0, 3), shapes::torus_knot(2, 3, 1.0, 0.4, 0.15, 120, 10), soup(5, 300)]
}

/// How clearly a segment meets a triangle: above zero it does, below it does not; near zero it grazes an edge or ends on it.
fn clearness([a, b, c]: [DVec3; 3], from: DVec3, to: DVec3) -> f64 {
    let normal = (b - a).cross(c - a);
    let (start, end) = ((from - a).dot(normal), (to - a).dot(normal));
    if start == end {
        return -1.0;
    }
    let share = start / (start - end);
    let hit = from + (to - from) * share;
    let part = |p: DVec3, q: DVec3| (q - p).cross(hit - p).dot(normal) / normal.length_squared();
    [share, 1.0 - share, part(a, b), part(b, c), part(c, a)].into_iter().fold(f64::INFINITY, f64::min)
}

fn corners(mesh: &TriMesh) -> impl Iterator<Item = [DVec3; 3]> {
    (0..mesh.triangles.len()).map(|t| mesh.corners(t).map(|p| p.as_dvec3()))
}

#[test]
fn segments_cross_what_they_cross_by_brute_force() {
    for mesh in meshes() {
        let (tree, mut random) = (tree(&mesh), Random::new(2));
        let (mut hits, mut misses) = (0, 0);
        for i in 0..3000 {
            let a = random.vec3() * 1.5;
            let length = if i % 3 == 0 { 3.0 } else { 0.1 };
            let b = a + random.vec3() * length;
            let most = corners(&mesh)
                .map(|t| clearness(t, a.as_dvec3(), b.as_dvec3()))
                .fold(f64::NEG_INFINITY, f64::max);
            assert_eq!(tree.crosses(a, b), tree.crosses(b, a));
            if most.abs() > 1e-4 {
                assert_eq!(tree.crosses(a, b), most > 0.0, "{a} {b} {most}");
                hits += u32::from(most > 0.0);
                misses += u32::from(most < 0.0);
            }
        }
        assert!(hits > 100 && misses > 100, "{hits} {misses}");
    }
}

#[test]
fn nothing_slips_through_edges_and_corners() {
    let at_zero = shapes::sphere(1.0, 3);
    let far = Vec3::new(1000.0, -500.0, 700.0);
    let away = TriMesh::new(at_zero.positions.iter().map(|p| *p + far).collect(), at_zero.triangles.clone());
    for mesh in [at_zero, away] {
        let tree = tree(&mesh);
        let (low, high) = mesh.bounds().unwrap();
        let middle = (low + high) * 0.5;
        for [a, b, c] in (0..mesh.triangles.len()).map(|t| mesh.corners(t)) {
            for through in [a, (a + b) * 0.5, a + (c - a) * 0.3, (a + b + c) / 3.0] {
                let out = through - middle;
                assert!(tree.crosses(middle + out * 0.9, middle + out * 1.1), "{through}");
                assert!(tree.crosses(middle, middle + out * 2.0), "{through}");
            }
        }
    }
}

#[test]
fn segments_along_axes_cross_flat_faces() {
    let tree = tree(&shapes::cuboid(Vec3::ONE, [4; 3]));
    for i in -4..=4 {
        for j in -4..=4 {
            let (y, z) = (i as f32 * 0.125, j as f32 * 0.125);
            assert!(tree.crosses(Vec3::new(0.4, y, z), Vec3::new(0.6, y, z)), "{y} {z}");
            assert!(tree.crosses(Vec3::new(0.5, y, z), Vec3::new(0.6, y, z)), "an end on it: {y} {z}");
            assert!(!tree.crosses(Vec3::new(0.51, y, z), Vec3::new(0.6, y, z)));
        }
    }
}

#[test]
fn the_nearest_point_is_that_of_brute_force() {
    for mesh in meshes() {
        let (tree, mut random) = (tree(&mesh), Random::new(3));
        for _ in 0..1000 {
            let p = random.vec3() * 2.0;
            // Every triangle alone, so that the tree has nothing to leave out.
            let alone = |t: usize| SurfaceTree::new(&mesh.positions, &mesh.triangles[t..t + 1]).distance(p);
            let nearest = (0..mesh.triangles.len()).map(alone).fold(f32::INFINITY, f32::min);
            assert!((tree.distance(p) - nearest).abs() < 1e-5, "{p}");
            let (triangle, on) = tree.nearest(p).unwrap();
            assert!((on.distance(p) - nearest).abs() < 1e-5, "{p}");
            assert!((alone(triangle as usize) - nearest).abs() < 1e-5, "{p}");
        }
    }
}

#[test]
fn the_nearest_point_of_one_triangle_is_no_farther_than_any_other() {
    let mut random = Random::new(4);
    for _ in 0..200 {
        let [a, b, c, p] = [(); 4].map(|()| random.vec3());
        let tree = SurfaceTree::new(&[a, b, c], &[[0, 1, 2]]);
        let (_, on) = tree.nearest(p).unwrap();
        let mut least = f32::INFINITY;
        for i in 0..=60 {
            for j in 0..=60 - i {
                let (s, t) = (i as f32 / 60.0, j as f32 / 60.0);
                least = least.min((a + (b - a) * s + (c - a) * t).distance(p));
            }
        }
        assert!(on.distance(p) <= least + 1e-5 && on.distance(p) > least - 0.06, "{p}");
    }
}

#[test]
fn ties_go_to_the_lower_index() {
    let mesh = shapes::cuboid(Vec3::ONE, [1; 3]);
    let doubled: Vec<[u32; 3]> = mesh.triangles.iter().chain(&mesh.triangles).copied().collect();
    let tree = SurfaceTree::new(&mesh.positions, &doubled);
    for p in [Vec3::new(0.1, 0.2, 0.45), Vec3::splat(2.0), Vec3::new(-0.3, 0.9, 0.0)] {
        assert!((tree.nearest(p).unwrap().0 as usize) < mesh.triangles.len());
    }
}

#[test]
fn nothing_is_near_nothing() {
    let empty = SurfaceTree::new(&[], &[]);
    assert!(!empty.crosses(Vec3::NEG_ONE, Vec3::ONE));
    assert_eq!(empty.distance(Vec3::ONE), f32::INFINITY);
    assert_eq!(empty.nearest(Vec3::ONE), None);
    let broken = SurfaceTree::new(&[Vec3::NAN, Vec3::X, Vec3::Y], &[[0, 1, 2], [1, 2, 7]]);
    assert_eq!(broken.nearest(Vec3::ONE), None);
}

#[test]
fn triangles_without_area_are_not_crossed_but_have_a_place() {
    let line = SurfaceTree::new(&[Vec3::ZERO, Vec3::X, Vec3::X * 2.0], &[[0, 1, 2]]);
    assert!(!line.crosses(Vec3::new(0.5, -1.0, 0.0), Vec3::new(0.5, 1.0, 0.0)));
    assert!((line.distance(Vec3::new(1.5, 3.0, 0.0)) - 3.0).abs() < 1e-6);
    let point = SurfaceTree::new(&[Vec3::ONE; 3], &[[0, 1, 2]; 40]);
    assert!(!point.crosses(Vec3::ZERO, Vec3::ONE * 2.0));
    assert_eq!(point.nearest(Vec3::ZERO), Some((0, Vec3::ONE)));
}

#[test]
fn segments_that_are_not_finite_cross_nothing() {
    let tree = tree(&shapes::sphere(1.0, 2));
    assert!(!tree.crosses(Vec3::NAN, Vec3::ZERO));
    assert!(!tree.crosses(Vec3::INFINITY, Vec3::ZERO));
}
