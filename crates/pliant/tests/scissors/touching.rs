//! Planes through vertices, edges and faces, and what is refused.

use crate::common::{
    assert_closed, assert_manifold, assert_sound, assert_volumes_add_up, at_rest, c_shape, cap_area, caps,
    soup, star,
};
use glam::Vec3;
use pliant::cut::scissors::{Plane, ScissorsError, clip};
use pliant::geometry::{EdgeTable, TriMesh, shapes, weld};

#[test]
fn planes_through_vertices_edges_and_faces_leave_closed_halves() {
    let grid = shapes::cuboid(Vec3::splat(1.0), [4, 4, 4]);
    let l_bar = shapes::l_bar(1.0, 0.5, 0.5, 0.25);
    let mut meshes =
        vec![grid, l_bar, c_shape(), star(), shapes::sphere(1.0, 2), shapes::torus(1.0, 0.25, 16, 8)];
    meshes.push(soup(&meshes[0]));
    let directions = [
        Vec3::X,
        Vec3::Y,
        Vec3::Z,
        Vec3::new(1.0, 1.0, 0.0),
        Vec3::new(1.0, 1.0, 1.0),
        Vec3::new(1.0, -1.0, 2.0),
    ];
    for mesh in &meshes {
        let mut cuts = 0;
        for direction in directions {
            for sign in [1.0, -1.0] {
                for &through in mesh.positions.iter().step_by(3) {
                    let plane = Plane::through(through, direction * sign);
                    match at_rest(mesh, &plane, 0.13) {
                        Ok(halves) => {
                            cuts += 1;
                            halves.iter().for_each(assert_closed);
                            assert_volumes_add_up(mesh, &halves);
                            assert!(
                                halves.iter().all(|h| h.mesh.signed_volume() > 0.0),
                                "a half without volume"
                            );
                        }
                        Err(error) => assert_eq!(error, ScissorsError::Misses),
                    }
                }
            }
        }
        assert!(cuts > 20);
    }
}

#[test]
fn a_cut_along_a_step_leaves_no_fin() {
    let c = c_shape();
    // The lower arm of the C ends at z = 0.25: faces lie in this plane, facing both ways on either side.
    for offset in [0.25, -0.25] {
        let halves = at_rest(&c, &Plane { normal: Vec3::Z, offset }, 0.0).expect("cut");
        for half in &halves {
            assert_manifold(half);
        }
        assert_volumes_add_up(&c, &halves);
        let areas: Vec<f64> = halves.iter().map(cap_area).collect();
        assert!(areas.iter().all(|area| (area - 0.5).abs() < 1e-6), "caps of {areas:?}");
    }
}

#[test]
fn planes_that_only_touch_miss() {
    let cube = shapes::cuboid(Vec3::ONE, [2, 2, 2]);
    for plane in [
        Plane { normal: Vec3::Y, offset: 0.5 },
        Plane { normal: Vec3::Y, offset: -0.5 },
        Plane { normal: Vec3::NEG_Y, offset: 0.5 },
        Plane { normal: Vec3::Y, offset: 7.0 },
        Plane::through(Vec3::splat(0.5), Vec3::ONE),
        Plane::through(Vec3::splat(0.5), Vec3::new(1.0, 1.0, 0.0)),
    ] {
        assert_eq!(at_rest(&cube, &plane, 0.1), Err(ScissorsError::Misses), "{plane:?}");
    }
}

#[test]
fn what_is_not_finite_is_refused() {
    let cube = shapes::cuboid(Vec3::ONE, [2, 2, 2]);
    let good = Plane { normal: Vec3::X, offset: 0.1 };
    for bad in [
        Plane { normal: Vec3::ZERO, ..good },
        Plane { normal: Vec3::NAN, ..good },
        Plane { normal: Vec3::splat(2.0), ..good },
        Plane { offset: f32::INFINITY, ..good },
        Plane { offset: f32::NAN, ..good },
        Plane::through(Vec3::ZERO, Vec3::ZERO),
        Plane::through(Vec3::NAN, Vec3::X),
    ] {
        assert!(matches!(at_rest(&cube, &bad, 0.0), Err(ScissorsError::BadPlane(_))), "{bad:?}");
    }
    let mut now = cube.positions.clone();
    now[3].y = f32::NAN;
    assert!(matches!(clip(&cube, &now, &good, &caps(0.0)), Err(ScissorsError::NotFinite { vertex: 3, .. })));
    assert!(matches!(clip(&cube, &now[1..], &good, &caps(0.0)), Err(ScissorsError::WrongLength { .. })));
    let mut broken = cube.clone();
    broken.positions[0].x = f32::INFINITY;
    assert!(matches!(clip(&broken, &cube.positions, &good, &caps(0.0)), Err(ScissorsError::Mesh(_))));
    for spacing in [f32::NAN, -1.0, f32::INFINITY, f32::MIN_POSITIVE] {
        at_rest(&cube, &good, spacing).expect("any spacing will do").iter().for_each(assert_manifold);
    }
}

#[test]
fn open_sections_are_refused_and_holes_elsewhere_stay() {
    let mut sphere = shapes::sphere(1.0, 3);
    let at = |mesh: &TriMesh, t: &[u32; 3]| t.iter().map(|&v| mesh.positions[v as usize]).sum::<Vec3>() / 3.0;
    let holed = sphere.clone();
    sphere.triangles.retain(|t| at(&holed, t).distance(Vec3::X) > 0.3);
    let through = Plane { normal: Vec3::Y, offset: 0.013 };
    let error = at_rest(&sphere, &through, 0.1).expect_err("open");
    assert!(matches!(error, ScissorsError::Open { ends: 2, .. }), "{error}");
    assert!(error.to_string().contains("repair"));
    let beside = Plane { normal: Vec3::X, offset: 0.013 };
    let [behind, front] = at_rest(&sphere, &beside, 0.1).expect("the hole is elsewhere");
    assert_manifold(&behind);
    assert_sound(&front);
    let table = EdgeTable::new(&weld(&front.mesh, 0.0).triangles);
    assert_eq!(table.open().count(), EdgeTable::new(&sphere.triangles).open().count());
    let mut flipped = holed;
    flipped.triangles[100].swap(0, 1);
    let through = Plane::through(at(&flipped, &flipped.triangles[100]), Vec3::new(0.3, 1.0, 0.2));
    assert!(matches!(at_rest(&flipped, &through, 0.0), Err(ScissorsError::Open { .. })));
}
