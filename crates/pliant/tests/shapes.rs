//! Procedural shapes are closed, oriented solids with the right volume and topology.

use glam::{IVec3, Vec3};
use pliant::geometry::{EdgeTable, TriMesh, shapes, weld};
use pliant::glam;
use std::f32::consts::{PI, TAU};

/// Closed, oriented, welded, without slivers, with this Euler characteristic and about this volume.
#[track_caller]
fn assert_solid(mesh: &TriMesh, euler: i64, volume: f32, relative: f32) {
    mesh.validate().expect("a mesh");
    let edges = EdgeTable::new(&mesh.triangles);
    assert!(edges.is_closed(), "open");
    assert!(edges.is_oriented(), "not oriented");
    assert_eq!(edges.non_manifold().count(), 0);
    let found = mesh.positions.len() as i64 - edges.edges.len() as i64 + mesh.triangles.len() as i64;
    assert_eq!(found, euler, "Euler characteristic");
    let error = (mesh.signed_volume() as f32 - volume).abs() / volume;
    assert!(error < relative, "volume {} instead of {volume}", mesh.signed_volume());
    assert_eq!(weld(mesh, 1e-6).positions.len(), mesh.positions.len(), "doubled vertices");
    let mut used = vec![false; mesh.positions.len()];
    mesh.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    assert!(used.iter().all(|&u| u), "unused vertices");
    let worst = (0..mesh.triangles.len()).map(|t| shape(mesh, t)).fold(1.0, f32::min);
    assert!(worst > 0.15, "worst triangle {worst}");
}

/// 1 for an equilateral triangle, 0 for a line.
fn shape(mesh: &TriMesh, triangle: usize) -> f32 {
    let [a, b, c] = mesh.corners(triangle);
    let squares = a.distance_squared(b) + b.distance_squared(c) + c.distance_squared(a);
    2.0 * 3.0_f32.sqrt() * (b - a).cross(c - a).length() / squares
}

#[test]
fn cuboid_is_a_solid() {
    assert_solid(&shapes::cuboid(Vec3::new(1.0, 2.0, 3.0), [1, 2, 3]), 2, 6.0, 1e-6);
    assert_solid(&shapes::cuboid(Vec3::ONE, [0, 0, 0]), 2, 1.0, 1e-6);
    assert_solid(&shapes::cuboid(Vec3::new(2.0, 0.25, 2.0), [16, 2, 17]), 2, 1.0, 1e-6);
    assert_eq!(shapes::cuboid(Vec3::ONE, [4, 4, 4]).triangles.len(), 6 * 16 * 2);
}

#[test]
fn cuboid_is_its_own_mirror_image() {
    let mesh = shapes::cuboid(Vec3::new(0.3, 0.7, 1.1), [3, 7, 11]);
    for p in &mesh.positions {
        assert!(mesh.positions.contains(&-*p));
    }
}

#[test]
fn sphere_is_a_solid() {
    for subdivisions in 0..=5 {
        let mesh = shapes::sphere(2.0, subdivisions);
        assert_eq!(mesh.triangles.len(), 20 << (2 * subdivisions));
        let tolerance = [0.4, 0.13, 0.035, 0.01, 0.003, 0.001][subdivisions as usize];
        assert_solid(&mesh, 2, 4.0 / 3.0 * PI * 8.0, tolerance);
        assert!(mesh.positions.iter().all(|p| (p.length() - 2.0).abs() < 1e-5));
    }
}

#[test]
fn cylinder_is_a_solid() {
    for around in [3, 4, 6, 7, 12, 32, 61] {
        let section = 0.5 * around as f32 * (TAU / around as f32).sin();
        let along = (around as f32 * 2.0 / TAU).ceil() as u32;
        assert_solid(&shapes::cylinder(1.0, 2.0, around, along), 2, 2.0 * section, 1e-4);
    }
}

#[test]
fn capsule_is_a_solid() {
    for around in [8, 12, 32, 61] {
        let along = (around as f32 * 2.0 / TAU).ceil() as u32;
        let volume = PI * 2.0 + 4.0 / 3.0 * PI;
        assert_solid(&shapes::capsule(1.0, 2.0, around, along), 2, volume, 14.0 / (around * around) as f32);
    }
}

#[test]
fn torus_is_a_solid_of_genus_one() {
    let mesh = shapes::torus(1.0, 0.3, 64, 24);
    assert_solid(&mesh, 0, 2.0 * PI * PI * 0.09, 0.02);
}

#[test]
fn tube_with_caps_is_a_solid() {
    let path: Vec<Vec3> = (0..=40).map(|i| Vec3::new(0.0, 0.0, i as f32 * 0.05)).collect();
    assert_solid(&shapes::tube(&path, false, |_| 0.3, 24), 2, PI * 0.09 * 2.0, 0.02);
    // The path bends and turns upwards.
    let path: Vec<Vec3> = (0..=80)
        .map(|i| {
            let t = i as f32 * 0.1;
            Vec3::new(t.cos(), 0.2 * t, t.sin())
        })
        .collect();
    let length: f32 = path.windows(2).map(|w| w[0].distance(w[1])).sum();
    assert_solid(&shapes::tube(&path, false, |_| 0.2, 16), 2, PI * 0.04 * length, 0.04);
}

#[test]
fn tube_with_pointed_ends_is_a_solid() {
    let path: Vec<Vec3> = (0..=20).map(|i| Vec3::new(i as f32 * 0.1 - 1.0, 0.0, 0.0)).collect();
    let spindle = shapes::tube(&path, false, |t| 0.5 * (1.0 - (2.0 * t - 1.0).powi(2)), 16);
    assert_solid(&spindle, 2, PI * 0.25 * 16.0 / 15.0, 0.04);
}

#[test]
fn closed_tubes_close_without_a_twist() {
    for (p, q) in [(2, 3), (3, 2), (2, 5), (1, 0), (3, 7)] {
        let length = knot_length(p, q);
        let mesh = shapes::torus_knot(p, q, 1.0, 0.4, 0.1, 400, 12);
        assert_solid(&mesh, 0, PI * 0.01 * length, 0.06);
        // Sections follow each other by the turn of the path alone: no edge along the tube is much longer than the step.
        let ring = |i: usize, j: usize| mesh.positions[(i % 400) * 12 + j];
        let longest = (0..400)
            .flat_map(|i| (0..12).map(move |j| (i, j)))
            .map(|(i, j)| ring(i, j).distance(ring(i + 1, j)))
            .fold(0.0, f32::max);
        assert!(longest < 2.0 * length / 400.0, "{p} {q}: {longest} against {}", length / 400.0);
    }
}

fn knot_length(p: u32, q: u32) -> f32 {
    let n = 4000;
    let at = |i: u32| {
        let t = TAU * i as f32 / n as f32;
        let out = 1.0 + 0.4 * (q as f32 * t).cos();
        Vec3::new(out * (p as f32 * t).cos(), 0.4 * (q as f32 * t).sin(), -out * (p as f32 * t).sin())
    };
    (0..n).map(|i| at(i).distance(at(i + 1))).sum()
}

#[test]
fn tube_of_nothing_is_empty() {
    assert!(shapes::tube(&[], false, |_| 1.0, 8).triangles.is_empty());
    assert!(shapes::tube(&[Vec3::ONE; 5], false, |_| 1.0, 8).triangles.is_empty());
    assert!(shapes::tube(&[Vec3::ZERO, Vec3::X], true, |_| 1.0, 8).triangles.is_empty());
}

#[test]
fn l_bar_is_a_solid_of_the_given_size() {
    let mesh = shapes::l_bar(3.0, 1.0, 0.5, 0.25);
    assert_solid(&mesh, 2, (3.0 + 2.0) * 0.5, 1e-5);
    let (low, high) = mesh.bounds().unwrap();
    assert_eq!((low, high), (Vec3::new(0.0, 0.0, -0.25), Vec3::new(3.0, 3.0, 0.25)));
    assert_solid(&shapes::l_bar(1.0, 0.3, 0.2, 0.1), 2, (1.0 + 0.7) * 0.3 * 0.2, 1e-5);
    assert_solid(&shapes::l_bar(1.0, 2.0, 1.0, 0.5), 2, 1.0, 1e-5);
}

#[test]
fn lattice_surface_of_a_frame_has_genus_one() {
    let frame = |c: IVec3| c.x != 1 || c.y != 1;
    let mesh = shapes::lattice_surface(IVec3::ZERO, IVec3::new(3, 3, 1), 0.5, frame);
    assert_solid(&mesh, 0, 8.0 * 0.125, 1e-6);
    let negative = shapes::lattice_surface(IVec3::splat(-3), IVec3::splat(-1), 1.0, |_| true);
    assert_solid(&negative, 2, 8.0, 1e-6);
    assert_eq!(negative.bounds().unwrap(), (Vec3::splat(-3.0), Vec3::splat(-1.0)));
}

#[test]
fn lattice_surface_is_closed_and_oriented_even_where_cells_touch_at_an_edge() {
    let diagonal = |c: IVec3| (c.x + c.y + c.z) % 2 == 0;
    let mesh = shapes::lattice_surface(IVec3::ZERO, IVec3::splat(4), 1.0, diagonal);
    let edges = EdgeTable::new(&mesh.triangles);
    assert!(edges.is_closed() && edges.is_oriented());
    assert!(edges.non_manifold().count() > 0);
    assert!((mesh.signed_volume() - 32.0).abs() < 1e-6);
}
