//! What a body warns of: parts that its cells miss, too little stiffness for its size, and a modulus that it does not reach.

#[path = "common/joined.rs"]
mod joined;

use joined::joined;
use pliant::geometry::shapes;
use pliant::glam::Vec3;
use pliant::{Body, BodyWarning, LatticeSettings, Material, OctreeSettings, TriMesh, WorldSettings};

/// In a world left as it is, at 60 frames per second, whose substeps are so many times as short.
fn warnings_of(body: &Body, times: u32) -> Vec<BodyWarning> {
    let default = WorldSettings::default();
    body.warnings(&WorldSettings { substeps: times * default.substeps, ..default }.stepping(1.0 / 60.0))
}

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
        warnings_of(&Body::builder(sword()).model(settings).build().unwrap(), 1)
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
        let build = |builder: pliant::BodyBuilder| warnings_of(&builder.build().unwrap(), 1);
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
        let found = warnings_of(&ball(Material::default()), 1);
        let [BodyWarning::TooSoft { sag, alpha, substeps }] = found[..] else {
            panic!("{size} m: {found:?}")
        };
        assert!(sag > 0.15, "{size} m: {found:?}");
        let (alpha, times) = alpha.map_or((1.0, substeps), |alpha| (1.01 * alpha, 1));
        let mended = ball(Material::default().with_alpha(alpha.min(1.0)));
        assert_eq!(warnings_of(&mended, times), [], "{found:?}");
        assert!(found[0].to_string().contains("use alpha = "), "{}", found[0]);
    }
}

#[test]
fn small_clusters_that_go_flat_are_told_of_with_a_remedy_that_helps() {
    let warnings = |size: f32, material: Material, times: u32| {
        let body = Body::builder(shapes::sphere(0.5, 3)).fit(size).material(material).build().unwrap();
        warnings_of(&body, times)
    };
    assert_eq!(warnings(1.0, Material::default(), 1), []);
    for size in [0.01, 0.001] {
        let found = warnings(size, Material::default(), 1);
        let [BodyWarning::TooSoft { sag, alpha, substeps }] = found[..] else {
            panic!("{size} m: {found:?}")
        };
        assert!(sag > 0.15, "{size} m: {found:?}");
        let (alpha, times) = alpha.map_or((1.0, substeps), |alpha| (1.01 * alpha, 1));
        assert_eq!(warnings(size, Material::default().with_alpha(alpha.min(1.0)), times), [], "{found:?}");
    }
}

#[test]
fn large_cells_in_narrow_regions_are_told_of() {
    let warnings = |width: f32| {
        let settings = OctreeSettings { cell: Some(0.02), levels: Some(2), width: Some(width), slack: 0.25 };
        warnings_of(&Body::builder(shapes::sphere(0.5, 3)).model(settings).build().unwrap(), 1)
    };
    let found = warnings(0.03);
    let [BodyWarning::TooSoft { sag, .. }] = found[..] else { panic!("{found:?}") };
    assert!(sag > 0.15 && found[0].to_string().contains("wider regions"), "{found:?}");
    assert_eq!(warnings(0.1), []);
}

#[test]
fn a_modulus_out_of_reach_is_told_of_with_a_remedy_that_helps() {
    let settings = LatticeSettings { cell: Some(0.05), width: Some(0.05) };
    let warnings = |modulus: f32, ratio: f32, max_substeps: u32| {
        let material = Material::default().with_young_modulus(modulus, ratio);
        let body = Body::builder(shapes::cuboid(Vec3::splat(0.4), [8; 3])).model(settings).material(material);
        let settings = WorldSettings { max_substeps, ..WorldSettings::default() };
        body.build().unwrap().warnings(&settings.stepping(1.0 / 60.0))
    };
    for (modulus, ratio) in [(1e5, 0.0), (1e5, 0.3), (1e4, 0.45)] {
        assert_eq!(warnings(modulus, ratio, 8), []);
    }
    for (modulus, ratio) in [(1e7, 0.0), (1e6, 0.45)] {
        let found = warnings(modulus, ratio, 8);
        let [BodyWarning::TooStiff { wanted, reached, needed, most }] = found[..] else {
            panic!("{found:?}")
        };
        assert!(wanted == modulus && needed > most && reached < modulus, "{found:?}");
        assert_eq!(warnings(modulus, ratio, needed), []);
        assert_eq!(warnings(0.99 * reached, ratio, 8), [], "what it says is reached is");
        assert!(found[0].to_string().contains(&format!("max_substeps = {needed}")), "{}", found[0]);
    }
}

#[test]
fn plates_thinner_than_their_regions_are_told_of() {
    let warnings = |width: f32| {
        let settings = LatticeSettings { cell: Some(0.025), width: Some(width) };
        let body = Body::builder(shapes::cuboid(Vec3::new(0.8, 0.1, 0.8), [32, 4, 32])).model(settings);
        let material = Material::default().with_young_modulus(2e4, 0.3);
        warnings_of(&body.material(material).build().unwrap(), 1)
    };
    assert_eq!(warnings(0.025), []);
    let found = warnings(0.1);
    let [BodyWarning::ThinForItsRegions { factor, thickness, .. }] = found[..] else { panic!("{found:?}") };
    assert!(factor > 1.5 && (thickness - 0.1).abs() < 0.01, "{found:?}");
}
