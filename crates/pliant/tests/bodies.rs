//! How a mesh becomes a body: bad input gets a clear error, odd input works.

mod common;

use common::{clusters, deformation};
use pliant::body::BodyError;
use pliant::geometry::{MeshError, TriMesh, shapes};
use pliant::glam::{DVec3, Vec3};
use pliant::model::clusters::ClusteringError;
use pliant::sampling::particles::SamplingError;
use pliant::*;

const H: f32 = 1.0 / 60.0;

fn cube() -> TriMesh {
    shapes::cuboid(Vec3::ONE, [2, 2, 2])
}

/// Every triangle with vertices of its own.
fn soup(mesh: &TriMesh) -> TriMesh {
    let positions = mesh.triangles.iter().flatten().map(|&v| mesh.positions[v as usize]).collect();
    let triangles = (0..mesh.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    TriMesh::new(positions, triangles)
}

/// Thrown at a floor for two seconds; what is left of its shape afterwards.
fn survives(body: Body) -> Body {
    let mut world = World::new();
    world.add_collider(Collider::floor(-2.0)).expect("a floor");
    let handle = world.add_body(body);
    common::run(&mut world, 120, H);
    world.remove_body(handle).expect("there")
}

fn total_mass(body: &Body) -> f64 {
    body.rest().nodes.masses.iter().map(|&m| f64::from(m)).sum()
}

#[test]
fn a_mesh_that_is_none_is_refused_and_named() {
    let error = |mesh: TriMesh| Body::builder(mesh).build().unwrap_err();
    assert!(matches!(error(TriMesh::default()), BodyError::Mesh(MeshError::Empty(_))));
    let no_triangles = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![]);
    assert!(matches!(error(no_triangles), BodyError::Mesh(MeshError::Empty("triangles"))));
    let mut mesh = cube();
    mesh.positions[3].y = f32::NAN;
    assert!(matches!(error(mesh), BodyError::Mesh(MeshError::NotFinite { vertex: 3, .. })));
    let mut mesh = cube();
    mesh.triangles[5][1] = 9999;
    assert!(matches!(
        error(mesh),
        BodyError::Mesh(MeshError::IndexOutOfRange { triangle: 5, vertex: 9999, .. })
    ));
    let point = TriMesh::new(vec![Vec3::ONE; 3], vec![[0, 1, 2]]);
    assert!(matches!(error(point), BodyError::Sampling(SamplingError::Point)));
}

#[test]
fn settings_that_make_no_sense_are_refused_and_named() {
    let build = |change: &dyn Fn(BodyBuilder) -> BodyBuilder| change(Body::builder(cube())).build();
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(
            matches!(build(&|b| b.scale(scale)), Err(BodyError::Placement { what: "scale", .. })),
            "{scale}"
        );
    }
    assert!(build(&|b| b.scale(1e38)).is_err());
    for density in [0.0, -5.0, f32::NAN] {
        let error = build(&|b| b.material(Material::default().with_density(density))).unwrap_err();
        assert!(error.to_string().contains("density"), "{error}");
    }
    for spacing in [0.0, -1.0, f32::NAN] {
        let particles = ParticleSettings { spacing: Some(spacing), ..ParticleSettings::default() };
        assert!(matches!(
            build(&|b| b.model_with(|of: &mut pliant::ClusterSettings| of.particles = particles)),
            Err(BodyError::Sampling(SamplingError::NotALength { name: "spacing", .. }))
        ));
    }
    assert!(build(&|b| b.at(DVec3::NAN)).is_err());
    assert!(build(&|b| b.velocity(Vec3::INFINITY)).is_err());
    assert!(build(&|b| b.turned(pliant::glam::Quat::from_xyzw(1.0, 1.0, 1.0, 1.0))).is_err());
}

#[test]
fn a_spacing_that_would_fill_the_memory_is_refused_at_once() {
    for spacing in [2e-3, 1e-9, f32::MIN_POSITIVE] {
        let particles = ParticleSettings { spacing: Some(spacing), ..ParticleSettings::default() };
        let error = Body::builder(cube())
            .model_with(|of: &mut pliant::ClusterSettings| of.particles = particles)
            .build()
            .unwrap_err();
        assert!(matches!(error, BodyError::Sampling(SamplingError::TooMany { .. })), "{spacing}: {error}");
    }
}

#[test]
fn clusters_that_cannot_hold_a_body_are_refused_and_named() {
    let build = |clustering: Clustering| {
        Body::builder(cube())
            .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering)
            .build()
    };
    let boxed = |name: &str, min: f32, max: f32| NamedCluster {
        name: name.into(),
        members: Selection::Box { min: Vec3::new(min, -9.0, -9.0), max: Vec3::new(max, 9.0, 9.0) },
    };
    let clustering_error = |clustering| match build(clustering) {
        Err(BodyError::Clustering(error)) => error,
        other => panic!("{other:?}"),
    };
    let apart = Clustering::Given(vec![boxed("left", -9.0, -0.2), boxed("right", 0.2, 9.0)]);
    let error = clustering_error(apart);
    assert!(
        matches!(&error, ClusteringError::Detached { groups: 2, first, second } if first == "left" && second == "right")
    );
    let empty = Clustering::Given(vec![boxed("all", -9.0, 9.0), boxed("nowhere", 5.0, 6.0)]);
    assert!(matches!(clustering_error(empty), ClusteringError::Empty { index: 1, .. }));
    assert_eq!(clustering_error(Clustering::Given(vec![])), ClusteringError::None);
    assert_eq!(clustering_error(Clustering::Spread { count: 0, overlap: 0.5 }), ClusteringError::None);
    assert_eq!(clustering_error(Clustering::Grid { cells: [2, 0, 2], overlap: 0.5 }), ClusteringError::None);
    let many = Clustering::Spread { count: 1_000_000, overlap: 0.5 };
    assert!(matches!(clustering_error(many), ClusteringError::TooMany { .. }));
    for overlap in [0.0, -1.0, f32::NAN] {
        let error = clustering_error(Clustering::Spread { count: 2, overlap });
        assert!(matches!(error, ClusteringError::Setting { name: "overlap", .. }));
    }
}

#[test]
fn clusters_given_by_boxes_share_what_is_in_both() {
    let body = common::small_box()
        .model_with(|of: &mut pliant::ClusterSettings| of.clustering = common::clusterings()[3].clone())
        .build()
        .unwrap();
    let rest = &clusters(&body).rest;
    assert_eq!(rest.names, ["left", "right"]);
    for (node, x) in body.rest().nodes.rest_positions.iter().enumerate() {
        let x = x.x + body.rest().center.x;
        let shares = rest.shares_of(node);
        let expected = usize::from(x <= 0.2) + usize::from(x >= -0.2);
        assert_eq!(shares.len(), expected, "node {node} at {x}");
    }
}

#[test]
fn shares_add_up_to_one_and_clusters_hang_together() {
    let mut clusterings = common::clusterings().to_vec();
    clusterings.push(Clustering::Spread { count: 40, overlap: 0.01 });
    clusterings.push(Clustering::Grid { cells: [3, 3, 3], overlap: 0.01 });
    for clustering in clusterings {
        let body = common::small_box()
            .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering.clone())
            .build()
            .unwrap();
        let rest = &clusters(&body).rest;
        for node in 0..body.nodes.positions.len() {
            let sum: f32 = rest.shares_of(node).iter().map(|s| s.share).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{clustering:?} node {node}: {sum}");
        }
        let masses: f64 = rest.masses.iter().map(|&m| f64::from(m)).sum();
        assert!((masses / body.rest().nodes.total_mass - 1.0).abs() < 1e-5);
        assert!(deformation(&survives(body)) < 2.0, "{clustering:?} fell apart");
    }
}

#[test]
fn masses_add_up_to_density_times_volume() {
    let density = 700.0;
    let ball = shapes::sphere(0.5, 3);
    let volume = ball.signed_volume();
    for (mesh, volume) in [(cube(), 1.0), (ball, volume), (shapes::torus(1.0, 0.3, 40, 20), f64::NAN)] {
        let volume = if volume.is_nan() { mesh.signed_volume() } else { volume };
        for scale in [0.01_f32, 1.0, 100.0] {
            let material = Material::default().with_density(density);
            let body = Body::builder(mesh.clone()).material(material).scale(scale).build().unwrap();
            let expected = f64::from(density) * volume * f64::from(scale).powi(3);
            assert!((total_mass(&body) / expected - 1.0).abs() < 1e-4);
            assert!(body.rest().nodes.masses.iter().all(|&m| m > 0.0));
        }
    }
}

#[test]
fn the_skin_at_rest_is_the_mesh() {
    for mesh in [cube(), shapes::sphere(0.5, 5), shapes::torus(1.0, 0.3, 90, 40)] {
        let place = DVec3::new(10.0, 20.0, 30.0);
        let body = Body::builder(mesh.clone()).scale(2.0).at(place).build().unwrap();
        let size = f64::from(body.rest().nodes.radius);
        for (v, p) in mesh.positions.iter().enumerate() {
            let off = body.vertex_position(v).distance(place + 2.0 * p.as_dvec3());
            assert!(off < 1e-6 * size, "vertex {v} of {}: {off:.1e} of {size}", mesh.positions.len());
        }
    }
}

#[test]
fn a_mesh_far_from_its_zero_keeps_its_shape() {
    let mut mesh = cube();
    mesh.origin = DVec3::new(1e7, -1e7, 3e6);
    let body = Body::builder(mesh.clone()).build().unwrap();
    let off = body.vertex_position(0).distance(mesh.origin + mesh.positions[0].as_dvec3());
    assert!(off < 1e-6 && survives(body).center_of_mass().x > 9e6);
}

#[test]
fn one_triangle_is_a_thin_shell() {
    let triangle = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Z], vec![[0, 1, 2]]);
    for matching in [Matching::Rigid, Matching::Linear, Matching::Quadratic] {
        let settings = GoalSettings { matching, ..GoalSettings::default() };
        let body = Body::builder(triangle.clone())
            .model_with(|of: &mut pliant::ClusterSettings| of.set_goals(settings))
            .spin(Vec3::ONE)
            .build()
            .unwrap();
        assert!(total_mass(&body) > 0.0);
        assert!(deformation(&survives(body)) < 0.2, "{matching:?}");
    }
}

#[test]
fn a_flat_sheet_simulates() {
    let mut sheet = shapes::cuboid(Vec3::new(1.0, 1.0, 1.0), [6, 1, 6]);
    sheet.triangles.retain(|t| t.iter().all(|&v| sheet.positions[v as usize].y > 0.0));
    for clustering in [Clustering::One, Clustering::Spread { count: 5, overlap: 0.5 }] {
        for matching in [Matching::Rigid, Matching::Linear, Matching::Quadratic] {
            let settings = GoalSettings { matching, ..GoalSettings::default() };
            let builder = Body::builder(sheet.clone())
                .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering.clone())
                .model_with(|of: &mut pliant::ClusterSettings| of.set_goals(settings));
            let body = survives(builder.spin(Vec3::X).build().unwrap());
            assert!(deformation(&body) < 0.7, "{clustering:?} {matching:?}: {}", deformation(&body));
        }
    }
}

#[test]
fn soup_simulates_as_one_piece() {
    let body = Body::builder(soup(&cube())).build().unwrap();
    let welded = Body::builder(cube()).build().unwrap();
    assert_eq!(body.nodes.positions.len(), welded.nodes.positions.len());
    let body = survives(body);
    let mesh = &body.rest().mesh;
    for (a, p) in mesh.positions.iter().enumerate() {
        for (b, q) in mesh.positions.iter().enumerate().skip(a + 1) {
            if p == q {
                assert_eq!(body.skin().positions[a], body.skin().positions[b], "the seam opened");
            }
        }
    }
    assert!((body.volume_ratio() - survives(welded).volume_ratio()).abs() < 0.02);
}

#[test]
fn coincident_and_unused_vertices_do_no_harm() {
    let mut mesh = cube();
    mesh.positions.extend([mesh.positions[0]; 5]);
    mesh.positions.push(Vec3::splat(0.3));
    mesh.triangles.push([0, mesh.positions.len() as u32 - 2, mesh.positions.len() as u32 - 3]);
    let body = survives(Body::builder(mesh).build().unwrap());
    assert!(deformation(&body) < 0.3);
}

#[test]
fn a_mesh_inside_out_or_open_simulates_like_a_sound_one() {
    let mass = total_mass(&Body::builder(cube()).build().unwrap());
    let mut inside_out = cube();
    inside_out.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let body = Body::builder(inside_out).build().unwrap();
    assert!((total_mass(&body) / mass - 1.0).abs() < 0.02, "{} kg of {mass}", total_mass(&body));
    survives(body);
    let mut open = shapes::cuboid(Vec3::ONE, [6, 6, 6]);
    open.triangles.drain(..2);
    let body = Body::builder(open).build().unwrap();
    assert!((total_mass(&body) / mass - 1.0).abs() < 0.1, "{} kg of {mass}", total_mass(&body));
    survives(body);
}

#[test]
fn separate_parts_of_a_mesh_hang_together() {
    let mut two = cube();
    let count = two.positions.len() as u32;
    two.positions.extend(cube().positions.iter().map(|p| *p + Vec3::X * 3.0));
    two.triangles.extend(cube().triangles.iter().map(|t| t.map(|v| v + count)));
    let clusterings = [
        Clustering::One,
        Clustering::Spread { count: 2, overlap: 0.1 },
        Clustering::Grid { cells: [4, 1, 1], overlap: 0.1 },
    ];
    for clustering in clusterings {
        let mut body = Body::builder(two.clone())
            .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering.clone())
            .build()
            .unwrap();
        // One is pushed away from the other.
        for (x, v) in body.rest().nodes.rest_positions.clone().iter().zip(&mut body.nodes.velocities) {
            v.x = if x.x > 0.0 { 1.0 } else { -1.0 };
        }
        let mut world = common::weightless();
        let handle = world.add_body(body);
        common::run(&mut world, 600, H);
        let body = world.body(handle).unwrap();
        assert!(deformation(body) < 0.5, "{clustering:?}: {}", deformation(body));
    }
}

#[test]
fn a_large_mesh_is_thinned_and_its_skin_follows() {
    let mesh = shapes::torus(1.0, 0.4, 200, 100);
    assert!(mesh.positions.len() >= 20_000);
    let mut world = common::weightless();
    let material = Material::default().with_alpha(1.0).with_beta(0.0);
    let body = Body::builder(mesh).material(material).spin(Vec3::new(0.0, 20.0, 0.0)).build().unwrap();
    assert!(body.nodes.positions.len() < 3000);
    let handle = world.add_body(body);
    common::run(&mut world, 40, 1.0 / 240.0);
    let body = world.body(handle).unwrap();
    let masses = vec![1.0; body.rest().mesh.positions.len()];
    let nodes = deformation(body) * f64::from(body.rest().nodes.radius);
    let (_, skin) = common::rigid_fit(&body.rest().mesh.positions, &body.skin().positions, &masses);
    assert!(skin < 2.0 * nodes + 1e-3, "the skin of a spinning body is {skin} m off, its nodes {nodes} m");
}

#[test]
fn normals_keep_hard_edges_and_close_seams() {
    // Each corner three times, once a face: hard edges.
    let mut hard = soup(&shapes::cuboid(Vec3::ONE, [1, 1, 1]));
    hard.normals = hard
        .triangles
        .iter()
        .flat_map(|&t| {
            let [a, b, c] = t.map(|v| hard.positions[v as usize]);
            [(b - a).cross(c - a).normalize(); 3]
        })
        .collect();
    let body = Body::builder(hard.clone()).build().unwrap();
    for (found, given) in body.skin().normals.iter().zip(&hard.normals) {
        assert!(found.distance(*given) < 1e-5, "{found} {given}");
    }
    // The same corners with one normal each are a seam of texture coordinates only.
    let mut soft = hard.clone();
    soft.normals = soft.positions.iter().map(|p| p.normalize()).collect();
    let body = Body::builder(soft.clone()).build().unwrap();
    for (a, p) in soft.positions.iter().enumerate() {
        for (b, q) in soft.positions.iter().enumerate() {
            if p == q {
                assert_eq!(body.skin().normals[a], body.skin().normals[b]);
            }
        }
        assert!(body.skin().normals[a].dot(p.normalize()) > 0.7);
    }
    // A welded cube has one normal a corner too.
    let welded = Body::builder(shapes::cuboid(Vec3::ONE, [1, 1, 1])).build().unwrap();
    assert!(welded.skin().normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-5));
    // And they turn with the body.
    let turned = pliant::glam::Quat::from_rotation_z(1.0);
    let body = Body::builder(hard.clone()).turned(turned).build().unwrap();
    for (found, given) in body.skin().normals.iter().zip(&hard.normals) {
        assert!(found.distance(turned * *given) < 1e-5);
    }
}

#[test]
fn a_grid_of_more_clusters_than_anybody_has_is_refused() {
    for cells in [[1_000, 1_000, 2], [u32::MAX; 3]] {
        let clustering = Clustering::Grid { cells, overlap: 0.5 };
        let error = common::small_box()
            .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering)
            .build()
            .unwrap_err();
        assert!(error.to_string().contains("grid.cells"), "{error}");
    }
}
