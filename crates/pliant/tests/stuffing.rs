//! Solids filled with tetrahedra.

#[path = "common/blocks.rs"]
mod blocks;
mod common;

use blocks::{l_bar, rough_hand, two_boxes};
use common::Random;
use pliant::geometry::{TetMesh, TriMesh, is_closed, shapes, weld, winding_exact};
use pliant::glam::Vec3;
use pliant::sampling::solid::DistanceField;
use pliant::sampling::stuffing::{Stuffed, StuffingError, StuffingSettings, stuff, stuff_solid};

/// The bounds of dihedral angles in degrees that the method promises.
const ANGLES: [f64; 2] = [10.7, 164.8];

fn fill(mesh: &TriMesh, size: f32, levels: u32) -> Result<Stuffed, StuffingError> {
    stuff(&weld(mesh, 0.0), &StuffingSettings { size, levels })
}

/// Checks what every mesh of tetrahedra promises, and returns its extreme angles in degrees.
fn check(mesh: &TetMesh, what: &str) -> [f64; 2] {
    mesh.validate().expect("a sound mesh");
    let quality = mesh.quality().expect("a mesh of tetrahedra");
    assert_eq!((quality.inverted, quality.degenerate), (0, 0), "{what}");
    let angles = [quality.min_dihedral, quality.max_dihedral].map(f64::to_degrees);
    assert!(angles[0] > ANGLES[0] && angles[1] < ANGLES[1], "{what}: {angles:?}");
    let (surface, _) = mesh.boundary();
    assert!(is_closed(surface.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])), "{what}");
    let volume = mesh.signed_volume();
    assert!(
        (surface.signed_volume() / volume - 1.0).abs() < 1e-4,
        "{what}: the surface encloses something else"
    );
    let mut used = vec![false; mesh.positions.len()];
    mesh.tetrahedra.iter().flatten().for_each(|&v| used[v as usize] = true);
    assert!(used.iter().all(|used| *used), "{what}: vertices that nothing uses");
    angles
}

#[test]
fn shapes_are_filled_with_good_tetrahedra() {
    let shapes: [(&str, TriMesh, f32); 7] = [
        ("cuboid", shapes::cuboid(Vec3::new(1.0, 0.7, 0.5), [2, 2, 2]), 0.05),
        ("sphere", shapes::sphere(0.5, 4), 0.05),
        ("cylinder", shapes::cylinder(0.3, 1.0, 48, 4), 0.05),
        ("capsule", shapes::capsule(0.2, 0.6, 48, 4), 0.04),
        ("torus", shapes::torus(0.5, 0.2, 64, 32), 0.04),
        ("L", l_bar(), 0.04),
        ("hand", rough_hand(), 0.02),
    ];
    for (what, mesh, size) in shapes {
        for levels in [0, 3] {
            let found = fill(&mesh, size, levels).unwrap();
            let angles = check(&found.mesh, what);
            let volume = mesh.signed_volume();
            assert!((found.enclosed.unwrap() / volume - 1.0).abs() < 1e-5);
            println!(
                "{what} {levels}: {} tetrahedra, {angles:?}°, volume {:+.4}",
                found.mesh.tetrahedra.len(),
                found.volume / volume - 1.0
            );
            assert!((found.volume / volume - 1.0).abs() < 0.02, "{what}: {} of {volume}", found.volume);
        }
    }
}

/// Balls, boxes and gaps of random size, joined or cut out, each rounded: some are thinner than a cell.
fn random_solid(random: &mut Random) -> impl Fn(Vec3) -> f32 + Sync + use<> {
    let mut parts = Vec::new();
    for _ in 0..1 + (random.unit() * 6.0) as usize {
        let [center, half] =
            [0.7, 0.4].map(|scale| Vec3::from_array([(); 3].map(|()| random.between(-scale, scale))));
        parts.push((center, half.abs() + 0.02, 0.3 * random.unit(), random.unit()));
    }
    move |p| {
        let mut inside = f32::NEG_INFINITY;
        for &(center, half, radius, kind) in &parts {
            let outside = (p - center).abs() - half;
            let depth = if kind < 0.4 {
                radius + 0.1 - p.distance(center)
            } else {
                radius * 0.3 - outside.max(Vec3::ZERO).length() - outside.max_element().min(0.0)
            };
            inside = if kind > 0.85 { inside.min(-depth) } else { inside.max(depth) };
        }
        inside
    }
}

fn random_solids_are_filled(first: u64, count: u64) {
    let mut worst = [180.0_f64, 0.0];
    let mut filled = 0;
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let distance = random_solid(&mut random);
        let size = 0.05 + 0.2 * random.unit();
        let solid = DistanceField { low: Vec3::splat(-1.7), high: Vec3::splat(1.7), distance };
        match stuff_solid(&solid, &StuffingSettings { size, levels: (seed % 3) as u32 }) {
            Ok(found) => {
                let angles = check(&found.mesh, &format!("seed {seed}"));
                worst = [worst[0].min(angles[0]), worst[1].max(angles[1])];
                filled += 1;
            }
            Err(error) => assert_eq!(error, StuffingError::Empty { size }, "seed {seed}"),
        }
    }
    println!("{filled} of {count} filled, worst angles {worst:?}");
    assert!(filled * 10 > count * 8);
}

#[test]
fn random_solids_are_filled_with_good_tetrahedra() {
    random_solids_are_filled(1, 60);
}

#[test]
#[ignore = "long: a minute"]
fn random_solids_are_filled_with_good_tetrahedra_long() {
    random_solids_are_filled(1000, 3000);
}

#[test]
fn graded_meshes_are_coarser_inside_and_fine_at_the_surface() {
    let ball = shapes::sphere(1.0, 4);
    let uniform = fill(&ball, 0.05, 0).unwrap();
    let graded = fill(&ball, 0.05, 4).unwrap();
    check(&graded.mesh, "graded");
    let (few, many) = (graded.mesh.tetrahedra.len(), uniform.mesh.tetrahedra.len());
    assert!(few * 4 < many * 3, "{few} instead of {many}");
    assert_eq!(graded.mesh.boundary().0.triangles.len(), uniform.mesh.boundary().0.triangles.len());
    assert!((graded.volume / uniform.volume - 1.0).abs() < 1e-5);
    let longest = |mesh: &TetMesh| {
        let edge = |t: &[u32; 4]| mesh.positions[t[0] as usize].distance(mesh.positions[t[1] as usize]);
        mesh.tetrahedra.iter().map(edge).fold(0.0, f32::max)
    };
    assert!(longest(&graded.mesh) > 3.0 * longest(&uniform.mesh), "levels are not used");
    let one = fill(&ball, 0.05, 1).unwrap();
    assert!(one.mesh.tetrahedra.len() > few && one.mesh.tetrahedra.len() < many);
}

#[test]
fn holes_overlaps_and_inside_out_meshes_are_filled() {
    let ball = shapes::sphere(1.0, 4);
    let whole = fill(&ball, 0.1, 0).unwrap().volume;
    let mut holed = ball.clone();
    holed.triangles.retain(|t| ball.positions[t[0] as usize].y < 0.97);
    let found = fill(&holed, 0.1, 0).unwrap();
    check(&found.mesh, "holed");
    assert!(
        (found.volume / whole - 1.0).abs() < 0.02 && found.enclosed.is_none() && found.missed().is_none()
    );
    let mut turned = ball.clone();
    turned.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert_eq!(
        fill(&turned, 0.1, 0).unwrap().mesh.tetrahedra.len(),
        fill(&ball, 0.1, 0).unwrap().mesh.tetrahedra.len()
    );
    // Two balls that overlap are one solid, without walls in it.
    let mut both = ball.clone();
    both.positions.extend(ball.positions.iter().map(|p| *p + Vec3::X));
    both.triangles.extend(ball.triangles.iter().map(|t| t.map(|v| v + ball.positions.len() as u32)));
    let found = fill(&both, 0.1, 0).unwrap();
    check(&found.mesh, "overlapping");
    // Two caps of height ½ in common: 2 π h² (1 − h / 3).
    let union = std::f64::consts::PI * (8.0 / 3.0 - 2.0 * 0.25 * (1.0 - 0.5 / 3.0));
    assert!((found.volume / union - 1.0).abs() < 0.02, "{} of {union}", found.volume);
    let (surface, _) = found.mesh.boundary();
    let doubly = |p: &&Vec3| winding_exact(&both.positions, &both.triangles, **p) > 1.5;
    assert_eq!(surface.positions.iter().filter(doubly).count(), 0, "a wall inside the material");
}

#[test]
fn two_parts_stay_apart_and_a_thin_one_is_missed() {
    let found = fill(&two_boxes(0.1), 0.05, 0).unwrap();
    check(&found.mesh, "two boxes");
    let (surface, _) = found.mesh.boundary();
    assert_eq!(pliant::geometry::components_by_vertex(&surface.triangles).count, 2);
    let mut with_sheet = shapes::cuboid(Vec3::ONE, [1, 1, 1]);
    let sheet = shapes::cuboid(Vec3::new(1.0, 0.03, 1.0), [1, 1, 1]);
    let first = with_sheet.positions.len() as u32;
    with_sheet.positions.extend(sheet.positions.iter().map(|p| *p + Vec3::new(0.0, 0.865, 0.0)));
    with_sheet.triangles.extend(sheet.triangles.iter().map(|t| t.map(|v| v + first)));
    let found = fill(&with_sheet, 0.1, 0).unwrap();
    // Corners of the cube are a little of it.
    assert!((found.missed().unwrap() - 0.03 / 1.03).abs() < 0.015, "{:?}", found.missed());
    let error = fill(&sheet, 0.1, 0).map(|_| ()).unwrap_err();
    assert!(matches!(error, StuffingError::Empty { .. }) || error.to_string().contains("thinner"), "{error}");
}

#[test]
fn any_size_and_place_has_the_same_tetrahedra() {
    let torus = shapes::torus(0.5, 0.2, 48, 24);
    let first = fill(&torus, 0.08, 0).unwrap();
    for scale in [1e-6_f32, 1024.0, 1e9] {
        let scaled =
            TriMesh::new(torus.positions.iter().map(|p| *p * scale).collect(), torus.triangles.clone());
        let found = fill(&scaled, 0.08 * scale, 0).unwrap();
        check(&found.mesh, &format!("{scale} times as large"));
        let ratio = found.volume / (first.volume * f64::from(scale).powi(3));
        assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
    }
    let moved = TriMesh::new(torus.positions.iter().map(|p| *p + 100.0).collect(), torus.triangles.clone());
    check(&fill(&moved, 0.08, 0).unwrap().mesh, "moved");
    let far = TriMesh::new(torus.positions.iter().map(|p| *p + 1e5).collect(), torus.triangles.clone());
    let error = fill(&far, 0.08, 0).unwrap_err();
    assert!(matches!(error, StuffingError::TooFine { .. }), "{error}");
}

#[test]
fn threads_change_nothing() {
    let mesh = rough_hand();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fill(&mesh, 0.04, 2).unwrap())
    };
    let first = on(1);
    assert_eq!(on(2), first);
    assert_eq!(on(7), first);
}

#[test]
fn what_cannot_be_filled_is_refused_soon() {
    let ball = shapes::sphere(1.0, 3);
    for size in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(fill(&ball, size, 0), Err(StuffingError::NotALength { .. })));
    }
    for (size, levels) in [(1e-3, 0), (5e-4, 20), (3e-4, 0)] {
        let Err(StuffingError::TooMany { suggested, .. }) = fill(&ball, size, levels) else {
            panic!("{size} m should be too small")
        };
        assert!(suggested > size && suggested < 0.1, "{suggested}");
    }
    assert_eq!(fill(&TriMesh::default(), 0.1, 0), Err(StuffingError::NoExtent));
    assert!(matches!(fill(&ball, 100.0, 0), Err(StuffingError::Empty { .. })));
    let open = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
    assert!(matches!(fill(&open, 0.1, 0), Err(StuffingError::Empty { .. })));
    // A lie about distances is found out, or does no harm.
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let waves = Vec3::from_array([(); 3].map(|()| random.between(1.0, 9.0)));
        let distance = |p: Vec3| 3.0 * (0.5 - p.length()) + 0.9 * ((p * waves).floor().element_sum() % 2.0);
        let solid = DistanceField { low: Vec3::splat(-1.0), high: Vec3::splat(1.0), distance };
        match stuff_solid(&solid, &StuffingSettings { size: 0.05, levels: 3 }) {
            Ok(found) => {
                check(&found.mesh, "a lie");
            }
            Err(error) => {
                assert!(matches!(error, StuffingError::NotADistance | StuffingError::Empty { .. }), "{error}")
            }
        }
    }
}
