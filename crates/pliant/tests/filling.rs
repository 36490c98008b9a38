//! What is inside a mesh, cell by cell.

mod common;

use common::Random;
use pliant::geometry::{SurfaceTree, TriMesh, shapes, winding_exact};
use pliant::glam::{DVec3, Vec3};
use pliant::sampling::filling::{Filling, FillingError, MOST_CELLS, MOST_NODES, Material};
use std::f64::consts::PI;

fn fill(mesh: &TriMesh, cell: f32, block: u32) -> Result<Filling, FillingError> {
    Filling::new(&mesh.positions, &mesh.triangles, cell, block)
}

fn moved(mesh: &TriMesh, by: Vec3) -> TriMesh {
    TriMesh::new(mesh.positions.iter().map(|p| *p + by).collect(), mesh.triangles.clone())
}

fn both(a: &TriMesh, b: &TriMesh) -> TriMesh {
    let first = a.positions.len() as u32;
    let mut all = a.clone();
    all.positions.extend(&b.positions);
    all.triangles.extend(b.triangles.iter().map(|t| t.map(|v| v + first)));
    all
}

fn count(filling: &Filling) -> u64 {
    filling.masks.iter().map(|m| u64::from(m.count_ones())).sum()
}

fn volume(filling: &Filling) -> f64 {
    count(filling) as f64 * (f64::from(filling.cell) * 0.25).powi(3)
}

/// Whether a sample is inside, by its place among all samples.
fn sample(filling: &Filling, at: [u32; 3]) -> bool {
    let bit = at[0] % 4 + 4 * (at[1] % 4) + 16 * (at[2] % 4);
    filling.masks[filling.index(at.map(|i| i / 4))] >> bit & 1 == 1
}

fn place(filling: &Filling, at: [u32; 3]) -> Vec3 {
    filling.origin + (Vec3::from_array(at.map(|i| i as f32)) + 0.5) * (0.25 * filling.cell)
}

/// A sphere with a round hole at its top.
fn holed_sphere() -> TriMesh {
    let mut mesh = shapes::sphere(1.0, 4);
    let top: Vec<bool> = (0..mesh.triangles.len()).map(|t| mesh.corners(t)[0].y > 0.97).collect();
    let mut t = 0;
    mesh.triangles.retain(|_| {
        t += 1;
        !top[t - 1]
    });
    mesh
}

#[test]
fn a_cuboid_of_whole_cells_is_filled_exactly() {
    for (cells, block) in [([4, 8, 12], 4), ([10, 2, 6], 2), ([3, 5, 7], 1), ([16, 8, 8], 8)] {
        for cell in [0.1, 1.0, 0.037, 3e-4] {
            for by in [Vec3::ZERO, Vec3::new(0.31, -0.77, 0.123) * cell * 10.0] {
                let size = Vec3::from_array(cells.map(|n| n as f32)) * cell;
                let filling = fill(&moved(&shapes::cuboid(size, [3, 4, 5]), by), cell, block).unwrap();
                assert_eq!(filling.counts, cells);
                assert!(filling.masks.iter().all(|m| *m == u64::MAX), "{cells:?} {cell} {by}");
                for z in 0..cells[2] {
                    for y in 0..cells[1] {
                        for x in 0..cells[0] {
                            let border = [x, y, z].iter().zip(cells).any(|(i, n)| *i == 0 || i + 1 == n);
                            assert_eq!(filling.surface[filling.index([x, y, z])], border);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn grids_are_whole_blocks_around_the_middle() {
    let filling = fill(&shapes::cuboid(Vec3::new(1.0, 0.5, 0.3), [1; 3]), 0.1, 4).unwrap();
    assert_eq!(filling.counts, [12, 8, 4]);
    assert!((filling.origin - Vec3::new(-0.6, -0.4, -0.2)).abs().max_element() < 1e-6);
    assert_eq!(count(&filling), 40 * 20 * 12);
}

#[test]
fn a_sphere_has_its_volume() {
    let mesh = shapes::sphere(1.0, 5);
    let filling = fill(&mesh, 0.1, 4).unwrap();
    assert!((volume(&filling) / mesh.signed_volume() - 1.0).abs() < 0.01);
    assert!((volume(&filling) / (4.0 / 3.0 * PI) - 1.0).abs() < 0.01);
}

#[test]
fn samples_agree_with_the_winding_number() {
    let shapes = [
        shapes::sphere(1.0, 3),
        shapes::torus_knot(2, 3, 1.0, 0.4, 0.15, 200, 12),
        shapes::l_bar(1.0, 0.3, 0.2, 0.05),
        shapes::capsule(0.3, 1.0, 16, 5),
    ];
    for (mesh, cell) in shapes.into_iter().zip([0.11, 0.07, 0.05, 0.06]) {
        let filling = fill(&mesh, cell, 2).unwrap();
        let tree = SurfaceTree::new(&mesh.positions, &mesh.triangles);
        let mut random = Random::new(7);
        let mut inside = 0;
        for _ in 0..2000 {
            let at = filling.counts.map(|n| random.below(4 * n as usize) as u32);
            let p = place(&filling, at);
            if tree.distance(p) > 1e-5 {
                let winding = winding_exact(&mesh.positions, &mesh.triangles, p);
                assert_eq!(sample(&filling, at), winding.abs() > 0.5, "{p} {winding}");
                inside += u32::from(winding > 0.5);
            }
        }
        assert!(inside > 50, "{inside}");
    }
}

#[test]
fn cells_with_surface_are_marked() {
    let mesh = shapes::torus_knot(2, 3, 1.0, 0.4, 0.15, 60, 7);
    let filling = fill(&mesh, 0.08, 2).unwrap();
    let tree = SurfaceTree::new(&mesh.positions, &mesh.triangles);
    let mut marked = 0;
    for z in 0..filling.counts[2] {
        for y in 0..filling.counts[1] {
            for x in 0..filling.counts[0] {
                let index = filling.index([x, y, z]);
                let low = filling.origin + Vec3::new(x as f32, y as f32, z as f32) * filling.cell;
                let distance = tree.distance(low + 0.5 * filling.cell);
                if distance < 0.499 * filling.cell {
                    assert!(filling.surface[index]);
                } else if distance > 0.88 * filling.cell {
                    assert!(!filling.surface[index]);
                }
                if !filling.surface[index] {
                    assert!(filling.masks[index] == 0 || filling.masks[index] == u64::MAX);
                }
                marked += u32::from(filling.surface[index]);
            }
        }
    }
    assert!(marked > 500);
}

#[test]
fn a_large_triangle_marks_the_cells_along_its_plane() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let tetrahedron = TriMesh::new(corners.into(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]);
    let filling = fill(&tetrahedron, 1.0 / 16.0, 1).unwrap();
    assert_eq!(filling.counts, [16; 3]);
    for (index, &surface) in filling.surface.iter().enumerate() {
        let [x, y, z] = [index % 16, index / 16 % 16, index / 256];
        let side = [x, y, z].contains(&0) && x + y + z <= 16;
        assert_eq!(surface, side || (13..=16).contains(&(x + y + z)), "{x} {y} {z}");
    }
    assert!((volume(&filling) * 6.0 - 1.0).abs() < 0.05);
}

#[test]
fn inside_out_meshes_are_filled_alike() {
    let mesh = shapes::torus_knot(2, 3, 1.0, 0.4, 0.15, 100, 10);
    let mut flipped = mesh.clone();
    flipped.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert_eq!(fill(&mesh, 0.1, 4), fill(&flipped, 0.1, 4));
}

#[test]
fn holes_are_forgiven() {
    let whole = fill(&shapes::sphere(1.0, 4), 0.125, 4).unwrap();
    let holed = fill(&holed_sphere(), 0.125, 4).unwrap();
    assert!((volume(&holed) / volume(&whole) - 1.0).abs() < 0.03);
    // Doubled vertices make holes of all edges, which are none.
    let mesh = shapes::sphere(1.0, 3);
    let apart = TriMesh::new(
        mesh.triangles.iter().flatten().map(|&v| mesh.positions[v as usize]).collect(),
        (0..mesh.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(),
    );
    let (whole, apart) = (fill(&mesh, 0.2, 4).unwrap(), fill(&apart, 0.2, 4).unwrap());
    let different: u32 = whole.masks.iter().zip(&apart.masks).map(|(a, b)| (a ^ b).count_ones()).sum();
    assert!(different < 10, "{different}");
    assert_eq!(whole.surface, apart.surface);
}

#[test]
fn open_meshes_are_filled_as_their_winding_number_says() {
    let mut cup = shapes::sphere(1.0, 3);
    let positions = cup.positions.clone();
    cup.triangles.retain(|t| t.iter().any(|&v| positions[v as usize].y < 0.3));
    let mut torn = shapes::torus_knot(2, 3, 1.0, 0.4, 0.15, 200, 12);
    let mut t = 0;
    torn.triangles.retain(|_| {
        t += 1;
        t % 50 > 1
    });
    let aligned = {
        // Faces on planes of samples, and one of them missing.
        let mut mesh = shapes::cuboid(Vec3::splat(1.0625), [4; 3]);
        let positions = mesh.positions.clone();
        mesh.triangles.retain(|t| t.iter().any(|&v| positions[v as usize].y < 0.5));
        mesh
    };
    for (mesh, cell) in [(cup, 0.1), (torn, 0.07), (aligned, 0.125)] {
        let filling = fill(&mesh, cell, 8).unwrap();
        let mut random = Random::new(9);
        for _ in 0..3000 {
            let at = filling.counts.map(|n| random.below(4 * n as usize) as u32);
            let place = place(&filling, at);
            let winding = winding_exact(&mesh.positions, &mesh.triangles, place).abs();
            if (winding - 0.5).abs() > 0.1 {
                assert_eq!(sample(&filling, at), winding > 0.5, "{place} {winding}");
            }
        }
    }
}

#[test]
fn overlaps_are_inside_and_cavities_are_not() {
    let sphere = shapes::sphere(1.0, 4);
    let pair = both(&moved(&sphere, Vec3::X * 0.5), &moved(&sphere, Vec3::X * -0.5));
    // Two unit spheres, their centres one apart, share 5 π / 12.
    let union = 2.0 * 4.0 / 3.0 * PI - 5.0 / 12.0 * PI;
    assert!((volume(&fill(&pair, 0.1, 2).unwrap()) / union - 1.0).abs() < 0.01);
    let mut cavity = shapes::sphere(0.5, 4);
    cavity.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let hollow = fill(&both(&sphere, &cavity), 0.1, 2).unwrap();
    assert!((volume(&hollow) / (7.0 / 6.0 * PI) - 1.0).abs() < 0.01);
}

#[test]
fn a_thin_gap_stays_open() {
    let cell = 0.1;
    for axis in 0..3 {
        for shift in [0.0, 0.37, 0.5, 0.81] {
            let mut size = Vec3::new(0.5, 0.6, 0.7);
            size[axis] = 0.4;
            let unit = Vec3::AXES[axis];
            let below = moved(&shapes::cuboid(size, [2; 3]), unit * -(0.2 + 0.15 * cell));
            size[axis] += shift * cell;
            let above = moved(&shapes::cuboid(size, [2; 3]), unit * (0.5 * size[axis] + 0.15 * cell));
            let filling = fill(&both(&below, &above), cell, 2).unwrap();
            let line: Vec<bool> = (0..4 * filling.counts[axis])
                .map(|i| {
                    let mut at = filling.counts.map(|n| 2 * n);
                    at[axis] = i;
                    sample(&filling, at)
                })
                .collect();
            let runs = line.windows(2).filter(|w| !w[0] && w[1]).count() + usize::from(line[0]);
            assert_eq!(runs, 2, "{axis} {shift} {line:?}");
        }
    }
}

#[test]
fn material_is_what_its_samples_are() {
    let filling = fill(&shapes::torus(1.0, 0.4, 30, 15), 0.13, 4).unwrap();
    let mut random = Random::new(11);
    for edge in [1_u32, 2, 4, 4, 4, 8] {
        let low = filling.counts.map(|n| random.below(n as usize) as u32);
        let mut expected = Material::default();
        for index in 0..(4 * edge).pow(3) {
            let inner = [index % (4 * edge), index / (4 * edge) % (4 * edge), index / (16 * edge * edge)];
            let at: [u32; 3] = std::array::from_fn(|a| 4 * low[a] + inner[a]);
            if (0..3).all(|a| at[a] < 4 * filling.counts[a]) && sample(&filling, at) {
                expected.count += 1;
                expected.moment +=
                    DVec3::from_array(inner.map(f64::from)) + 0.5 - DVec3::splat(2.0 * f64::from(edge));
            }
        }
        assert_eq!(filling.material(low, edge), expected);
    }
    let full = Filling { masks: vec![u64::MAX; filling.masks.len()], ..filling };
    assert_eq!(full.material([1, 2, 0], 2), Material { count: 512, moment: DVec3::ZERO });
}

#[test]
fn place_does_not_matter_and_twice_is_the_same() {
    let far = Vec3::new(1000.0, -1000.0, 1000.0);
    let size = Vec3::new(0.4, 0.8, 0.2);
    let cuboid = fill(&moved(&shapes::cuboid(size, [1; 3]), far), 0.05, 4).unwrap();
    assert_eq!(cuboid.counts, [8, 16, 4]);
    assert!(cuboid.masks.iter().all(|m| *m == u64::MAX));
    for mesh in [shapes::sphere(1.0, 4), holed_sphere()] {
        let (near, away) = (fill(&mesh, 0.1, 4).unwrap(), fill(&moved(&mesh, far), 0.1, 4).unwrap());
        assert!((volume(&near) / volume(&away) - 1.0).abs() < 0.005);
        assert_eq!(near.counts, away.counts);
        assert_eq!(near, fill(&mesh, 0.1, 4).unwrap());
    }
}

#[test]
fn sizes_that_are_none_are_refused() {
    let mesh = shapes::sphere(1.0, 2);
    for cell in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(fill(&mesh, cell, 1), Err(FillingError::NotALength { .. })), "{cell}");
    }
    assert!(matches!(fill(&mesh, 0.1, 1024), Err(FillingError::BlockTooLarge { block: 1024 })));
    assert!(fill(&mesh, 0.1, 0).is_ok());
}

#[test]
fn meshes_without_extent_are_refused() {
    let point = TriMesh::new(vec![Vec3::ONE; 3], vec![[0, 1, 2]]);
    let line = TriMesh::new(vec![Vec3::ZERO, Vec3::ONE, Vec3::ONE * 2.0], vec![]);
    let flat = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2], [0, 2, 1]]);
    let broken = TriMesh::new(vec![Vec3::NAN, Vec3::X, Vec3::Y], vec![[0, 1, 2], [1, 2, 9]]);
    for mesh in [TriMesh::default(), point, line, flat, broken] {
        assert_eq!(fill(&mesh, 0.1, 4), Err(FillingError::NoExtent));
    }
}

#[test]
fn too_many_cells_are_refused_before_they_are_made() {
    let bar = shapes::cuboid(Vec3::new(1000.0, 0.01, 0.01), [1; 3]);
    let shell = {
        let mut inner = shapes::sphere(0.9999, 4);
        inner.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        both(&shapes::sphere(1.0, 4), &inner)
    };
    for (mesh, cell, block) in [
        (shapes::sphere(1.0, 3), 1e-30, 8),
        (shapes::sphere(1.0, 3), f32::from_bits(1), 1),
        (shapes::sphere(1.0, 3), 0.005, 8),
        (shapes::sphere(1e9, 3), 1.0, 4),
        (bar, 0.01, 256),
        (shell, 1e-3, 4),
    ] {
        let error = fill(&mesh, cell, block).unwrap_err();
        let FillingError::TooMany { cells, most, suggested, .. } = error else { panic!("{error}") };
        assert!(cells > f64::from(most) && suggested > cell);
        assert!(most == MOST_NODES || most == MOST_CELLS);
        assert!(error.to_string().contains(&suggested.to_string()));
        let followed = fill(&mesh, suggested * 1.5, block);
        assert!(!matches!(followed, Err(FillingError::TooMany { .. })), "{error}");
    }
}

#[test]
fn meshes_with_nothing_inside_are_refused() {
    let thin = shapes::cuboid(Vec3::new(1.0, 0.01, 1.0), [4, 1, 4]);
    let error = fill(&thin, 0.1, 4).unwrap_err();
    let FillingError::TooThin { suggested, .. } = error else { panic!("{error}") };
    assert!((0.005..0.02).contains(&suggested));
    assert!(fill(&thin, suggested, 4).is_ok());
    let corners = [Vec3::ZERO, Vec3::X, Vec3::new(0.3, 1.0, 0.2)];
    let sheet = TriMesh::new(corners.into(), vec![[0, 1, 2]]);
    let error = fill(&sheet, 0.1, 4).unwrap_err();
    assert_eq!(error, FillingError::Empty { cell: 0.1 });
    assert!(error.to_string().contains("--repair") && error.to_string().contains("a model of particles"));
    let two_sided = TriMesh::new(corners.into(), vec![[0, 1, 2], [0, 2, 1]]);
    assert_eq!(fill(&two_sided, 0.1, 4), Err(FillingError::Empty { cell: 0.1 }));
}
