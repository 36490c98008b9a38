//! What a body warns of: parts that its cells miss, and too little stiffness for its size.

#[path = "common/joined.rs"]
mod joined;

use joined::joined;
use pliant::geometry::shapes;
use pliant::glam::Vec3;
use pliant::{Body, BodyWarning, LatticeSettings, Material, OctreeSettings, TriMesh};

const GRAVITY: f32 = 9.81;
const SUBSTEP: f32 = 1.0 / 240.0;

/// A handle of 20 cm with a blade of 4 mm through it, 60 cm long.
fn sword() -> TriMesh {
    let handle = shapes::cuboid(Vec3::splat(0.2), [4, 4, 4]);
    let blade = shapes::cuboid(Vec3::new(1.2, 0.004, 0.1), [24, 1, 2]);
    joined(&[(handle, Vec3::ZERO), (blade, Vec3::ZERO)])
}

#[test]
fn a_blade_that_the_cells_miss_is_told_of() {
    let warnings = |cell: f32| {
        let settings = LatticeSettings { cell: Some(cell), width: Some(2.0 * cell) };
        Body::builder(sword()).model(settings).build().unwrap().warnings(GRAVITY, SUBSTEP)
    };
    let found = warnings(0.05);
    let [BodyWarning::ThinnerThanCells { vertices, of, cell }] = found[..] else { panic!("{found:?}") };
    assert!(vertices > 50 && vertices < of && cell == 0.05, "{found:?}");
    let words = found[0].to_string();
    assert!(words.contains(&format!("{vertices} of {of} vertices are not sampled")), "{words}");
    assert_eq!(warnings(0.01), []);
}

#[test]
fn solid_bodies_of_a_metre_warn_of_nothing() {
    for mesh in
        [shapes::sphere(0.5, 3), shapes::torus(0.4, 0.1, 32, 12), shapes::cuboid(Vec3::ONE, [3, 3, 3])]
    {
        let build = |builder: pliant::BodyBuilder| builder.build().unwrap().warnings(GRAVITY, SUBSTEP);
        assert_eq!(build(Body::builder(mesh.clone()).model(LatticeSettings::default())), []);
        assert_eq!(build(Body::builder(mesh.clone()).model(OctreeSettings::default())), []);
        assert_eq!(build(Body::builder(mesh)), []);
    }
}

#[test]
fn a_small_body_that_goes_flat_is_told_of_with_a_remedy_that_helps() {
    for (size, width) in [(0.1, 0.01), (0.01, 0.002), (0.001, 0.0002)] {
        let settings = LatticeSettings { cell: Some(0.1 * size), width: Some(width) };
        let ball = |material: Material| {
            Body::builder(shapes::sphere(0.5, 3))
                .fit(size)
                .model(settings)
                .material(material)
                .build()
                .unwrap()
        };
        let found = ball(Material::default()).warnings(GRAVITY, SUBSTEP);
        let [BodyWarning::TooSoft { sag, alpha, substeps }] = found[..] else {
            panic!("{size} m: {found:?}")
        };
        assert!(sag > 0.15, "{size} m: {found:?}");
        let (alpha, substep) = match alpha {
            Some(alpha) => (1.01 * alpha, SUBSTEP),
            None => (1.0, SUBSTEP / substeps as f32),
        };
        assert_eq!(
            ball(Material::default().with_alpha(alpha.min(1.0))).warnings(GRAVITY, substep),
            [],
            "{found:?}"
        );
        assert!(found[0].to_string().contains("use alpha = "), "{}", found[0]);
    }
}

#[test]
fn small_clusters_that_go_flat_are_told_of_with_a_remedy_that_helps() {
    let warnings = |size: f32, material: Material, step: f32| {
        let body = Body::builder(shapes::sphere(0.5, 3)).fit(size).material(material).build().unwrap();
        body.warnings(GRAVITY, step)
    };
    assert_eq!(warnings(1.0, Material::default(), SUBSTEP), []);
    for size in [0.01, 0.001] {
        let found = warnings(size, Material::default(), SUBSTEP);
        let [BodyWarning::TooSoft { sag, alpha, substeps }] = found[..] else {
            panic!("{size} m: {found:?}")
        };
        assert!(sag > 0.15, "{size} m: {found:?}");
        let (alpha, step) = alpha.map_or((1.0, SUBSTEP / substeps as f32), |alpha| (1.01 * alpha, SUBSTEP));
        assert_eq!(warnings(size, Material::default().with_alpha(alpha.min(1.0)), step), [], "{found:?}");
    }
}

#[test]
fn large_cells_in_narrow_regions_are_told_of() {
    let warnings = |width: f32| {
        let settings = OctreeSettings { cell: Some(0.02), levels: Some(2), width: Some(width), slack: 0.25 };
        Body::builder(shapes::sphere(0.5, 3)).model(settings).build().unwrap().warnings(GRAVITY, SUBSTEP)
    };
    let found = warnings(0.03);
    let [BodyWarning::TooSoft { sag, .. }] = found[..] else { panic!("{found:?}") };
    assert!(sag > 0.15 && found[0].to_string().contains("wider regions"), "{found:?}");
    assert_eq!(warnings(0.1), []);
}
