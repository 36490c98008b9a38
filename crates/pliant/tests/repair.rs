//! Repair mends what can be mended, says what cannot, and leaves clean meshes alone.

use glam::{IVec3, Vec2, Vec3};
use pliant::geometry::{MeshReport, Paint, RepairLog, RepairSettings, TriMesh, inspect, repair, shapes};
use pliant::glam;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Small deterministic numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

#[track_caller]
fn mend(mesh: &TriMesh) -> (TriMesh, RepairLog) {
    let (mended, log) = repair(mesh, &RepairSettings::default()).expect("something is left");
    mended.validate().expect("the result is valid");
    let (again, second) = repair(&mended, &RepairSettings::default()).expect("something is left");
    assert_eq!(again, mended, "second repair: {second}");
    assert!(!second.changed(), "second repair: {second}");
    (mended, log)
}

#[track_caller]
fn assert_solid(report: &MeshReport, volume: f64, relative: f64) {
    assert!(report.closed && report.oriented && !report.inside_out, "{report:?}");
    assert_eq!(report.non_manifold_edges, 0);
    assert!((report.volume - volume).abs() <= relative * volume, "{} for {volume}", report.volume);
}

fn soup(mesh: &TriMesh) -> TriMesh {
    let positions = mesh.triangles.iter().flatten().map(|&v| mesh.positions[v as usize]).collect();
    let triangles = (0..mesh.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    TriMesh::new(positions, triangles)
}

fn together(meshes: &[&TriMesh]) -> TriMesh {
    let mut all = TriMesh::default();
    for mesh in meshes {
        let base = all.positions.len() as u32;
        all.positions.extend(&mesh.positions);
        all.triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + base)));
    }
    all
}

fn inside_out(mesh: &TriMesh) -> TriMesh {
    let mut mesh = mesh.clone();
    mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    mesh
}

fn moved(mesh: &TriMesh, by: Vec3) -> TriMesh {
    TriMesh::new(mesh.positions.iter().map(|p| *p + by).collect(), mesh.triangles.clone())
}

fn all_shapes() -> Vec<TriMesh> {
    vec![
        shapes::cuboid(Vec3::new(1.0, 2.0, 3.0), [3, 4, 5]),
        shapes::sphere(1.0, 3),
        shapes::cylinder(1.0, 2.0, 24, 8),
        shapes::capsule(0.5, 1.0, 20, 6),
        shapes::torus(1.0, 0.3, 32, 16),
        shapes::torus_knot(2, 3, 1.0, 0.4, 0.12, 120, 10),
        shapes::l_bar(1.0, 0.3, 0.2, 0.1),
    ]
}

#[test]
fn clean_meshes_are_left_alone() {
    for mesh in all_shapes() {
        let (mended, log) = mend(&mesh);
        assert_eq!(mended, mesh);
        assert!(!log.changed());
        assert_eq!(log.to_string(), "nothing to mend\n");
        assert_eq!(log.passes, 1);
    }
}

#[test]
fn soup_with_random_windings_doubles_and_holes_becomes_the_solid_it_was() {
    for (seed, mesh) in all_shapes().into_iter().enumerate() {
        for scale in [1e-9, 1.0, 1e9] {
            let mut damaged = mesh.clone();
            damaged.positions.iter_mut().for_each(|p| *p *= scale);
            let volume = damaged.signed_volume();
            let mut chance = Chance(seed as u64 + 1);
            for _ in 0..mesh.triangles.len() / 3 {
                let t = chance.below(damaged.triangles.len());
                damaged.triangles[t].swap(0, 1);
            }
            for _ in 0..10 {
                let t = chance.below(damaged.triangles.len());
                damaged.triangles.push(damaged.triangles[t]);
                let t = chance.below(damaged.triangles.len());
                let [a, b, c] = damaged.triangles[t];
                damaged.triangles.push([c, b, a]);
                damaged.triangles.push([a, a, b]);
            }
            let mut damaged = soup(&damaged);
            let removed = 5;
            for _ in 0..removed {
                damaged.triangles.remove(chance.below(mesh.triangles.len()));
            }
            damaged.positions.push(Vec3::ZERO);
            let (_, log) = mend(&damaged);
            assert_solid(&log.result, volume, 0.02);
            assert_eq!(log.result.euler_characteristic, inspect(&mesh).euler_characteristic);
            assert!(log.duplicate_triangles > 0 && log.flipped_triangles > 0 && log.collapsed_triangles > 0);
        }
    }
}

#[test]
fn detail_finer_than_the_tolerance_survives_in_closed_meshes() {
    let speck = moved(&shapes::sphere(2e-6, 1), Vec3::X * 5.0);
    let mesh = together(&[&shapes::sphere(1.0, 3), &speck]);
    assert_eq!(mend(&mesh).0, mesh);
}

#[test]
fn jittered_doubles_are_joined() {
    let mesh = shapes::sphere(1.0, 3);
    let mut damaged = soup(&mesh);
    let mut chance = Chance(5);
    for p in &mut damaged.positions {
        *p += Vec3::from_array([0; 3].map(|_| (chance.below(1000) as f32 - 500.0) * 1e-8));
    }
    let (mended, log) = mend(&damaged);
    assert_eq!(mended.positions.len(), mesh.positions.len());
    assert_solid(&log.result, mesh.signed_volume(), 1e-3);
}

#[test]
fn inside_out_solids_are_turned() {
    let mesh = shapes::torus(1.0, 0.3, 20, 10);
    assert!(inspect(&inside_out(&mesh)).inside_out);
    let (_, log) = mend(&inside_out(&mesh));
    assert_eq!((log.turned_parts, log.flipped_triangles), (1, mesh.triangles.len()));
    assert_solid(&log.result, mesh.signed_volume(), 1e-6);
}

#[test]
fn hollow_shells_stay_hollow_even_when_all_is_inside_out() {
    let outer = shapes::sphere(1.0, 3);
    let inner = inside_out(&shapes::sphere(0.5, 2));
    let core = shapes::cuboid(Vec3::splat(0.2), [1, 1, 1]);
    let hollow = together(&[&inner, &core, &outer]);
    let volume = hollow.signed_volume();
    assert!(volume < outer.signed_volume());
    let (mended, log) = mend(&hollow);
    assert_eq!(mended, hollow);
    assert!(!log.changed());
    let (mended, _) = mend(&inside_out(&hollow));
    assert!((mended.signed_volume() - volume).abs() < 1e-6 * volume);
}

#[test]
fn large_holes_are_left_and_said() {
    let mut mesh = shapes::cylinder(1.0, 4.0, 80, 40);
    mesh.triangles.retain(|t| !t.iter().all(|&v| mesh.positions[v as usize].y > 1.99));
    let settings = RepairSettings { max_hole_edges: 10, max_hole_perimeter: 0.1, ..Default::default() };
    let (_, log) = repair(&mesh, &settings).unwrap();
    assert_eq!(log.result.open_edges, 80);
    assert!(log.to_string().contains("still there: 80 open edges"));
    let settings = RepairSettings { max_hole_edges: 100, ..Default::default() };
    let (_, log) = repair(&mesh, &settings).unwrap();
    assert_solid(&log.result, std::f64::consts::PI * 4.0, 0.01);
    assert_eq!((log.filled_holes, log.fill_triangles), (1, 78));
}

#[test]
fn holes_too_long_to_weigh_get_a_fan() {
    let mut mesh = shapes::cylinder(1.0, 2.0, 1000, 2);
    mesh.triangles.retain(|t| !t.iter().all(|&v| mesh.positions[v as usize].y > 0.99));
    let settings = RepairSettings { max_hole_edges: 1000, ..Default::default() };
    let (_, log) = repair(&mesh, &settings).unwrap();
    assert_solid(&log.result, std::f64::consts::PI * 2.0, 0.01);
    assert_eq!(log.fill_triangles, 1000);
}

#[test]
fn sheets_are_not_closed_into_pillows() {
    let mut sheet = shapes::cuboid(Vec3::new(1.0, 0.1, 1.0), [8, 1, 8]);
    sheet.triangles.retain(|t| t.iter().all(|&v| sheet.positions[v as usize].y > 0.0));
    let (mended, log) = mend(&sheet);
    assert_eq!(mended.triangles, {
        let (again, _) = mend(&mended);
        again.triangles
    });
    assert_eq!((log.filled_holes, log.result.open_edges), (0, 32));
    let (mended, _) = mend(&TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]));
    assert_eq!(mended.triangles.len(), 1);
}

#[test]
fn sheets_drawn_from_both_sides_keep_one() {
    let mut sheet = shapes::cuboid(Vec3::new(1.0, 0.1, 1.0), [8, 1, 8]);
    sheet.triangles.retain(|t| t.iter().all(|&v| sheet.positions[v as usize].y > 0.0));
    let both = together(&[&sheet, &inside_out(&sheet)]);
    let (mended, log) = mend(&both);
    assert_eq!(mended.triangles.len(), sheet.triangles.len());
    assert_eq!((log.duplicate_triangles, log.wall_triangles), (128, 0));
}

#[test]
fn walls_between_solids_go() {
    let cube = shapes::cuboid(Vec3::ONE, [2, 2, 2]);
    let two = together(&[&cube, &moved(&cube, Vec3::X)]);
    let (_, log) = mend(&two);
    assert_solid(&log.result, 2.0, 1e-6);
    assert_eq!((log.wall_triangles, log.result.components), (16, 1));
}

#[test]
fn solids_that_touch_along_an_edge_come_apart() {
    let diagonal = |c: IVec3| c.x == c.y;
    let mesh = shapes::lattice_surface(IVec3::ZERO, IVec3::new(2, 2, 1), 1.0, diagonal);
    assert_eq!(inspect(&mesh).non_manifold_edges, 1);
    for damaged in [mesh.clone(), inside_out(&mesh)] {
        let (_, log) = mend(&damaged);
        assert_solid(&log.result, 2.0, 1e-4);
        assert_eq!((log.split_vertices, log.result.components), (2, 2));
    }
    let checkers = |c: IVec3| (c.x + c.y + c.z) % 2 == 0;
    let mesh = shapes::lattice_surface(IVec3::ZERO, IVec3::splat(3), 1.0, checkers);
    let (_, log) = mend(&mesh);
    assert_solid(&log.result, 14.0, 1e-3);
    assert_eq!(log.result.components, 14);
}

#[test]
fn a_third_sheet_on_an_edge_comes_off() {
    let fan = TriMesh::new(
        vec![Vec3::ZERO, Vec3::Z, Vec3::X, -Vec3::X, Vec3::Y],
        vec![[0, 1, 2], [0, 1, 4], [1, 0, 3]],
    );
    let (mended, log) = mend(&fan);
    assert_eq!(log.result.non_manifold_edges, 0);
    assert_eq!((mended.triangles.len(), log.result.components, log.split_vertices), (3, 2, 2));
    // A wall inside a box is a sheet of its own afterwards.
    let cube = shapes::cuboid(Vec3::new(2.0, 1.0, 1.0), [2, 1, 1]);
    let wall = TriMesh::new(
        [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(y, z)| Vec3::new(0.0, y, z)).to_vec(),
        vec![[0, 1, 2], [0, 2, 3]],
    );
    let (_, log) = mend(&together(&[&cube, &wall]));
    assert_eq!((log.result.non_manifold_edges, log.result.components), (0, 2));
    assert!((log.result.volume - 2.0).abs() < 1e-4);
}

fn moebius(sections: u32) -> TriMesh {
    let mut positions = Vec::new();
    for i in 0..sections {
        let angle = std::f32::consts::TAU * i as f32 / sections as f32;
        let (sin, cos) = angle.sin_cos();
        let (tilt_sin, tilt_cos) = (angle * 0.5).sin_cos();
        let across = Vec3::new(cos * tilt_cos, tilt_sin, sin * tilt_cos) * 0.3;
        positions.extend([Vec3::new(cos, 0.0, sin) - across, Vec3::new(cos, 0.0, sin) + across]);
    }
    let n = 2 * sections;
    let triangles = (0..sections)
        .flat_map(|i| {
            let (a, b) = (2 * i, 2 * i + 1);
            let (c, d) = if i + 1 == sections { (1, 0) } else { (2 * i + 2, 2 * i + 3) };
            assert!(c < n && d < n);
            [[a, b, c], [b, d, c]]
        })
        .collect();
    TriMesh::new(positions, triangles)
}

#[test]
fn a_moebius_strip_is_called_one_sided() {
    let strip = moebius(24);
    let report = inspect(&strip);
    assert!(!report.orientable && !report.oriented && !report.closed);
    assert_eq!((report.boundary_loops, report.euler_characteristic), (1, 0));
    let (_, log) = mend(&strip);
    assert!(log.to_string().contains("no winding fits"));
}

#[test]
fn cracks_along_an_edge_close() {
    // One face of a cube has a vertex in the middle of a side, its neighbour has not.
    let mut cube = shapes::cuboid(Vec3::ONE, [1, 1, 1]);
    let [a, b, c] = cube.triangles[0];
    let middle = cube.positions.len() as u32;
    let (pa, pb) = (cube.positions[a as usize], cube.positions[b as usize]);
    cube.positions.push((pa + pb) * 0.5);
    cube.triangles[0] = [a, middle, c];
    cube.triangles.push([middle, b, c]);
    assert!(!inspect(&cube).closed);
    let (mended, log) = mend(&cube);
    assert_solid(&log.result, 1.0, 1e-6);
    assert_eq!((log.result.degenerate_triangles, mended.triangles.len()), (0, 14));
}

#[test]
fn debris_goes_only_when_asked() {
    let crumb = moved(&shapes::sphere(0.01, 1), Vec3::splat(3.0));
    let mesh = together(&[&shapes::sphere(1.0, 2), &crumb]);
    assert_eq!(mend(&mesh).1.result.components, 2);
    let settings = RepairSettings { min_component: 0.05, ..Default::default() };
    let (_, log) = repair(&mesh, &settings).unwrap();
    assert_eq!((log.removed_parts, log.result.components), (1, 1));
}

#[test]
fn seams_keep_their_look_and_get_equal_positions() {
    let mut mesh = soup(&shapes::cuboid(Vec3::ONE, [2, 2, 2]));
    mesh.normals = (0..mesh.triangles.len())
        .flat_map(|t| {
            let [a, b, c] = mesh.corners(t);
            [(b - a).cross(c - a).normalize(); 3]
        })
        .collect();
    mesh.uvs = mesh.positions.iter().map(|p| Vec2::new(p.x, p.y)).collect();
    mesh.colors = vec![[1.0, 0.5, 0.0, 1.0]; mesh.positions.len()];
    mesh.paints = vec![Paint::default(), Paint { name: "other".into(), ..Paint::default() }];
    mesh.triangle_paints = (0..mesh.triangles.len() as u32).map(|t| t % 2).collect();
    for p in mesh.positions.iter_mut().step_by(3) {
        p.x += 1e-7;
    }
    let (mended, log) = mend(&mesh);
    // Nine vertices a face.
    assert_eq!(mended.positions.len(), 54);
    assert_eq!(mended.triangle_paints, mesh.triangle_paints);
    let places: std::collections::BTreeSet<_> =
        mended.positions.iter().map(|p| p.to_array().map(f32::to_bits)).collect();
    assert_eq!(places.len(), 26);
    assert_eq!(log.result.duplicate_vertices, 54 - 26);
    assert!(
        log.result
            .verdict()
            .iter()
            .any(|l| l == "seams: 26 of 54 vertices after welding; simulation uses the welded ones")
    );
    // Turning the box inside out turns its normals, too.
    let mut turned = mesh.clone();
    turned.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    turned.normals.iter_mut().for_each(|n| *n = -*n);
    let (turned, _) = mend(&turned);
    assert_eq!(turned.normals, mended.normals);
}

#[test]
fn vertices_that_are_not_finite_go_with_their_triangles() {
    let mut mesh = shapes::sphere(1.0, 3);
    mesh.positions[40] = Vec3::new(f32::NAN, 0.0, 0.0);
    assert_eq!(inspect(&mesh).non_finite_vertices, 1);
    let (_, log) = mend(&mesh);
    assert!(log.non_finite_triangles >= 5);
    assert_solid(&log.result, 4.1, 0.05);
    let nothing = TriMesh::new(vec![Vec3::NAN; 3], vec![[0, 1, 2]]);
    assert!(repair(&nothing, &RepairSettings::default()).is_err());
    assert!(repair(&TriMesh::default(), &RepairSettings::default()).is_err());
    assert!(repair(&TriMesh::new(vec![Vec3::ONE; 3], vec![[0, 1, 7]]), &RepairSettings::default()).is_err());
    assert!(repair(&TriMesh::new(vec![Vec3::ONE; 3], vec![[0, 1, 2]]), &RepairSettings::default()).is_err());
}

#[test]
fn a_clean_report_says_so() {
    let report = inspect(&shapes::torus(1.0, 0.3, 24, 12));
    assert_eq!(report.genus, Some(1));
    assert_eq!((report.components, report.degenerate_triangles, report.duplicate_vertices), (1, 0, 0));
    assert_eq!(
        report.verdict(),
        ["closed: mass and volume come from the solid", "handles: 1, as a torus has one"]
    );
    assert!((report.extent - Vec3::new(2.6, 0.6, 2.6)).length() < 1e-3);
}

#[test]
fn any_mesh_can_be_inspected() {
    let broken =
        TriMesh::new(vec![Vec3::NAN, Vec3::X, Vec3::INFINITY], vec![[0, 1, 2], [1, 1, 1], [7, 8, 9]]);
    let report = inspect(&broken);
    assert_eq!(
        (report.non_finite_vertices, report.impossible_triangles, report.degenerate_triangles),
        (2, 1, 1)
    );
    assert!(!report.verdict().is_empty());
    assert_eq!(inspect(&TriMesh::default()).verdict(), ["empty: there are no triangles to simulate"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: RngSeed::Fixed(23), failure_persistence: None, ..Default::default() })]

    /// Triangles between random lattice points: every kind of fault at once.
    #[test]
    fn repair_of_anything_ends_and_is_sound(
        places in prop::collection::vec(prop::array::uniform3(0_i8..4), 3..20),
        corners in prop::collection::vec(prop::array::uniform3(0_usize..20), 1..80),
    ) {
        let positions: Vec<Vec3> = places.iter().map(|p| Vec3::from_array(p.map(f32::from))).collect();
        let triangles = corners.iter().map(|t| t.map(|v| (v % positions.len()) as u32)).collect();
        let mesh = TriMesh::new(positions, triangles);
        let _ = inspect(&mesh).verdict();
        if let Ok((mended, log)) = repair(&mesh, &RepairSettings::default()) {
            prop_assert!(mended.validate().is_ok());
            prop_assert_eq!(log.result.duplicate_triangles, 0);
            prop_assert!(log.passes < 10, "{}", log);
            let (again, second) = repair(&mended, &RepairSettings::default()).unwrap();
            prop_assert_eq!(&again, &mended, "{}", second);
        }
    }

    /// Any floats at all: nothing panics, nothing hangs.
    #[test]
    fn wild_numbers_do_no_harm(
        bits in prop::collection::vec(prop::array::uniform3(any::<u32>()), 3..12),
        corners in prop::collection::vec(prop::array::uniform3(0_u32..14), 1..30),
    ) {
        let mut mesh = TriMesh::new(
            bits.into_iter().map(|b| Vec3::from_array(b.map(f32::from_bits))).collect(),
            corners,
        );
        let _ = inspect(&mesh).verdict();
        let count = mesh.positions.len() as u32;
        mesh.triangles.iter_mut().flatten().for_each(|v| *v %= count);
        let _ = inspect(&mesh).verdict();
        if let Ok((mended, _)) = repair(&mesh, &RepairSettings::default()) {
            prop_assert!(mended.validate().is_ok());
        }
    }

    /// A shape whose triangles were removed, flipped and doubled at random comes back closed or says why not.
    #[test]
    fn damaged_shapes_are_mended_or_said_to_be_open(
        shape in 0_usize..7, seed in any::<u64>(), removed in 0_usize..60, flipped in 0_usize..200,
    ) {
        let mut mesh = all_shapes().swap_remove(shape);
        let mut chance = Chance(seed);
        for _ in 0..flipped {
            let t = chance.below(mesh.triangles.len());
            mesh.triangles[t].swap(1, 2);
        }
        for _ in 0..removed {
            mesh.triangles.remove(chance.below(mesh.triangles.len()));
        }
        let (_, log) = mend(&mesh);
        let report = &log.result;
        prop_assert!(report.oriented && report.non_manifold_edges == 0);
        prop_assert!(report.closed || log.to_string().contains("open edges"));
        // Up to a tenth of the surface missing is always filled.
        if removed * 10 < mesh.triangles.len() {
            prop_assert!(report.closed && !report.inside_out, "{}", log);
        }
    }
}
