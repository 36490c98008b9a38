//! Real meshes, when they are there: all good ones load, nothing panics on the others.
//!
//! They are looked for in `PLIANT_MODELS`, or else in `../shared/models` beside the repository.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::geometry::TriMesh;
use pliant_io::{IoError, Loaded, read_mesh};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn models() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models");
    let folder = std::env::var_os("PLIANT_MODELS").map_or(beside, PathBuf::from);
    folder.join("INDEX.md").is_file().then_some(folder)
}

/// The rows of the index's table under a heading, as cells.
fn rows(models: &Path, heading: &str) -> Vec<Vec<String>> {
    let index = std::fs::read_to_string(models.join("INDEX.md")).unwrap();
    let start = index.find(&format!("## {heading}")).expect("the index has this table");
    let section = &index[start + 3..];
    let section = &section[..section.find("\n## ").unwrap_or(section.len())];
    let cells = |line: &str| line.split('|').map(|c| c.trim().to_owned()).collect::<Vec<_>>();
    section.lines().filter(|l| l.starts_with("| ")).skip(1).map(cells).collect()
}

fn is_mesh_format(file: &str) -> bool {
    [".obj", ".ply", ".stl", ".off", ".gltf", ".glb"].iter().any(|e| file.ends_with(e))
}

/// Positions used by faces, those with equal coordinates counted once.
fn distinct(mesh: &TriMesh) -> usize {
    let bits = |v: &u32| mesh.positions[*v as usize].to_array().map(|x| (x + 0.0).to_bits());
    mesh.triangles.iter().flatten().map(bits).collect::<BTreeSet<_>>().len()
}

fn load_all(folder: &Path, see: &mut impl FnMut(&Path, Result<Loaded, IoError>)) {
    let mut entries: Vec<PathBuf> = folder.read_dir().unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            load_all(&path, see);
        } else {
            see(&path, read_mesh(&path));
        }
    }
}

#[test]
fn good_and_hard_models_load_as_the_index_says() {
    let Some(models) = models() else { return };
    for (folder, heading) in [("good", "good"), ("hard", "hard")] {
        for row in rows(&models, heading) {
            let file = &row[1];
            if !is_mesh_format(file) {
                assert!(matches!(
                    read_mesh(models.join(folder).join(file)),
                    Err(IoError::UnknownFormat { .. })
                ));
                continue;
            }
            let loaded = read_mesh(models.join(folder).join(file)).unwrap_or_else(|e| panic!("{e}"));
            loaded.mesh.validate().unwrap();
            let (vertices, faces): (usize, usize) = (row[5].parse().unwrap(), row[6].parse().unwrap());
            assert_eq!(loaded.mesh.triangles.len(), faces, "{file}");
            let found = distinct(&loaded.mesh);
            // Coordinates that differ in f64 may agree in f32; two of the hard ones have such.
            let percent = if folder == "good" { 100 } else { 90 };
            assert!(found <= vertices && found * 100 >= vertices * percent, "{file}: {found} for {vertices}");
            if file.ends_with("offset-1e7.ply") {
                assert!((loaded.mesh.signed_volume() - 0.6797).abs() < 1e-3, "the shape is lost");
            }
            if folder == "good" {
                let volume: f64 = row[13].parse().unwrap();
                let ratio = loaded.mesh.signed_volume() / volume;
                assert!((ratio - 1.0).abs() < 2e-3, "{file}: volume {ratio} of what it should be");
            }
        }
    }
}

#[test]
fn scenes_load_as_the_index_says() {
    let Some(models) = models() else { return };
    for row in rows(&models, "scene") {
        let file = &row[1];
        let loaded = read_mesh(models.join("scene").join(file)).unwrap_or_else(|e| panic!("{e}"));
        loaded.mesh.validate().unwrap();
        // The index was made with a program that knows neither fans nor sparse accessors.
        if file.starts_with("MeshPrimitiveModes") {
            assert_eq!(loaded.mesh.triangles.len(), 16);
            continue;
        }
        if file.starts_with("SimpleSparseAccessor") {
            assert_eq!(loaded.mesh.bounds().unwrap().1.to_array(), [6.0, 4.0, 0.0]);
            continue;
        }
        let faces: usize = row[12].parse().unwrap();
        assert_eq!(loaded.mesh.triangles.len(), faces, "{file}: {:?}", loaded.warnings);
        // The volume of an open mesh says nothing.
        let volume: f64 = row[18].parse().unwrap();
        let close = (loaded.mesh.signed_volume() - volume).abs() <= 2e-3 * volume.abs() + 1e-9;
        let closed = row[13] == "yes";
        assert!(close || !closed, "{file}: volume {} instead of {volume}", loaded.mesh.signed_volume());
        let numbers: Vec<f32> = row[17]
            .split(|c: char| !c.is_ascii_digit() && !"+-.e".contains(c))
            .filter_map(|n| n.parse().ok())
            .collect();
        let (lo, hi) = loaded.mesh.bounds().unwrap();
        let found = [lo.to_array(), hi.to_array()].concat();
        let near = found.iter().zip(&numbers).all(|(a, b)| (a - b).abs() < 1e-3 * (hi - lo).max_element());
        assert!(near && numbers.len() == 6, "{file}: from {lo} to {hi}, not {numbers:?}");
    }
}

#[test]
fn malformed_models_load_or_say_what_is_wrong() {
    let Some(models) = models() else { return };
    load_all(&models.join("malformed"), &mut |path, result| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let shown = match &result {
            Ok(loaded) => format!("{name}: loads, {:?}", loaded.warnings),
            Err(error) => error.to_string().replace(&*path.to_string_lossy(), &name),
        };
        println!("{shown}");
        match result {
            Ok(loaded) => loaded.mesh.validate().unwrap(),
            Err(error) => assert_eq!(error.file(), path),
        }
        let legal =
            ["bin-solid-header.stl", "cr-only.obj", "bad-utf8.obj", "long-line.obj", "node-chain-20000.gltf"];
        if legal.iter().chain(&["obj-named.stl", "ngon-2000.obj"]).any(|l| name.ends_with(l)) {
            assert!(shown.contains(": loads"), "{shown}");
        }
        let wrong = ["nan", "truncated", "index", "count", "garbage", "gzip", "lfs", "png", "zero.stl"];
        // That a text is cut cannot always be seen.
        let is_wrong = wrong.iter().any(|w| name.contains(w)) && !name.ends_with("obj-truncated.obj");
        assert!(!is_wrong || !shown.contains(": loads"), "{shown}");
    });
}

#[test]
fn volume_meshes_are_refused_or_load() {
    let Some(models) = models() else { return };
    load_all(&models.join("tet"), &mut |path, result| match result {
        Ok(loaded) => loaded.mesh.validate().unwrap(),
        Err(error) => assert_eq!(error.file(), path),
    });
}
