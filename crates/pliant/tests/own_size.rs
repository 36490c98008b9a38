//! Bodies of meshes as they come, in whatever unit: sizes that are not given follow from the mesh.
//!
//! Meshes are looked for in `PLIANT_MODELS`, or else in `../shared/models` beside the repository.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::geometry::{LengthUnit, inspect, shapes};
use pliant::glam::Vec3;
use pliant::{Body, LatticeSettings, ModelSettings, OctreeSettings, TriMesh};
use std::path::{Path, PathBuf};

fn nodes(mesh: &TriMesh, fit: Option<f32>, model: impl Into<ModelSettings>) -> Result<usize, String> {
    let builder = Body::builder(mesh.clone()).model(model);
    let builder = if let Some(fit) = fit { builder.fit(fit) } else { builder };
    builder.build().map(|body| body.nodes.positions.len()).map_err(|error| error.to_string())
}

/// The closed meshes of the folders `good` and `real`.
fn closed_meshes() -> Vec<(PathBuf, TriMesh)> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models");
    let models = std::env::var_os("PLIANT_MODELS").map_or(beside, PathBuf::from);
    let mut found = Vec::new();
    for folder in ["good", "real"] {
        let Ok(entries) = std::fs::read_dir(models.join(folder)) else { continue };
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let Ok(loaded) = pliant_io::read_mesh(&path) else { continue };
            let report = inspect(&loaded.mesh);
            if report.open_edges == 0 && report.volume.abs() > 0.0 {
                found.push((path, loaded.mesh));
            }
        }
    }
    found
}

#[test]
fn a_closed_mesh_of_any_size_is_a_body_of_some_hundred_nodes() {
    let mut refused = Vec::new();
    for (path, mesh) in closed_meshes() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for fit in [None, Some(1.0)] {
            let models: [ModelSettings; 2] =
                [LatticeSettings::default().into(), OctreeSettings::default().into()];
            for model in models {
                let count = nodes(&mesh, fit, model);
                if !count.as_ref().is_ok_and(|count| (100..=3000).contains(count)) {
                    refused.push(format!("{name}: {count:?}"));
                }
            }
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn the_number_of_nodes_does_not_depend_on_the_unit() {
    for mesh in [shapes::sphere(0.5, 3), shapes::cuboid(Vec3::new(1.0, 0.05, 0.6), [8, 1, 6])] {
        let count = |extent: f32| {
            let octree = nodes(&mesh, Some(extent), OctreeSettings::default()).unwrap();
            (octree, nodes(&mesh, Some(extent), LatticeSettings::default()).unwrap())
        };
        let (octree, lattice) = count(1.0);
        assert!((300..2500).contains(&octree) && (300..2500).contains(&lattice), "{octree}, {lattice}");
        for extent in [1e-3, 0.0254, 0.25, 128.0, 500.0] {
            let (o, l) = count(extent);
            // Rounding moves a sample in or out.
            assert!(
                o.abs_diff(octree) * 20 <= octree && l.abs_diff(lattice) * 20 <= lattice,
                "{extent} m: {o}, {l}"
            );
        }
    }
}

#[test]
fn what_is_given_is_taken_as_it_is() {
    let ball = Body::builder(shapes::sphere(0.5, 3));
    let octree =
        |settings: OctreeSettings| match ball.clone().model(settings).build().unwrap().model_settings() {
            ModelSettings::Octree(settings) => settings,
            other => panic!("{other:?}"),
        };
    let cell = octree(OctreeSettings { cell: Some(0.04), ..Default::default() });
    assert_eq!((cell.cell, cell.levels), (Some(0.04), Some(2)));
    assert!((cell.width.unwrap() - 0.4).abs() < 1e-6, "{:?}", cell.width);
    let width = octree(OctreeSettings { width: Some(0.3), levels: Some(1), ..Default::default() });
    assert_eq!((width.levels, width.width), (Some(1), Some(0.3)));
    let all = octree(OctreeSettings::default());
    assert_eq!(octree(all), all);
}

#[test]
fn units_and_fit_scale_a_mesh_to_metres() {
    let extent = |body: &Body| inspect(&body.rest().mesh).extent.x;
    let ball = || Body::builder(shapes::sphere(50.0, 3));
    assert!((extent(&ball().units(LengthUnit::Millimeters).build().unwrap()) - 0.1).abs() < 1e-4);
    assert!((extent(&ball().units(LengthUnit::Inches).scale(0.5).build().unwrap()) - 1.27).abs() < 1e-3);
    assert!((extent(&ball().fit(0.3).build().unwrap()) - 0.3).abs() < 1e-4);
    let words = |builder: pliant::BodyBuilder| builder.build().unwrap_err().to_string();
    for fit in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(words(ball().fit(fit)).contains("fit is not valid: it is the largest extent"));
    }
    assert!(words(ball().fit(1.0).scale(2.0)).contains("leave out scale and units"));
    assert!(words(ball().fit(1.0).units(LengthUnit::Feet)).contains("leave out scale and units"));
}
