//! Real models, when they are there: tetrahedral files load as the index says, surfaces can be filled with tetrahedra.
//!
//! They are looked for in `PLIANT_MODELS`, or else in `../shared/models` beside the repository.

use pliant::geometry::{is_closed, weld_as_needed};
use pliant::sampling::stuffing::{StuffingSettings, stuff};
use pliant::{Body, Collider, ElementSettings, Material, World};
use pliant_io::{IoError, is_volume, read_mesh, read_volume};
use std::path::{Path, PathBuf};

fn models() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models");
    let folder = std::env::var_os("PLIANT_MODELS").map_or(beside, PathBuf::from);
    folder.join("INDEX.md").is_file().then_some(folder)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn tetrahedral_files_load_as_the_index_says() {
    let Some(models) = models() else { return };
    let index = std::fs::read_to_string(models.join("INDEX.md")).unwrap();
    let (mut seen, mut inverted) = (0, 0);
    for path in files(&models.join("tet")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let loaded = read_volume(&path).unwrap_or_else(|error| panic!("{error}"));
        loaded.mesh.validate().unwrap();
        inverted += loaded.mended.reoriented;
        println!("{name}: {} tetrahedra, {:?}", loaded.mesh.tetrahedra.len(), loaded.warnings);
        let Some(row) = index.lines().find(|line| line.starts_with(&format!("| {name} |"))) else { continue };
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let words: Vec<&str> = cells[5].split(' ').collect();
        let kind = words.iter().position(|word| word.starts_with("tet")).unwrap();
        let dropped = loaded.mended.degenerate + loaded.mended.duplicates;
        assert_eq!((loaded.mesh.tetrahedra.len() + dropped).to_string(), words[kind - 1], "{name}");
        // Inverted ones count as negative in the index.
        if loaded.mended.reoriented == 0 {
            let volume: f64 = cells[15].parse().unwrap();
            assert!((loaded.mesh.signed_volume() / volume - 1.0).abs() < 2e-3, "{name}: {volume}");
        }
        seen += 1;
    }
    assert!(seen > 10 && inverted > 0, "{seen} seen, {inverted} turned around");
}

#[test]
fn malformed_tetrahedral_files_say_what_is_wrong() {
    let Some(models) = models() else { return };
    for path in files(&models.join("malformed")).into_iter().filter(|path| is_volume(path)) {
        let error = read_volume(&path).map(|_| ()).unwrap_err();
        println!("{error}");
        // TetGen's two files are named by either.
        assert_eq!(error.file().with_extension(""), path.with_extension(""));
    }
    for path in files(&models.join("good")).into_iter().filter(|path| is_volume(path)) {
        let error = read_volume(&path).map(|_| ()).unwrap_err();
        assert!(matches!(error, IoError::NoTetrahedra { .. }), "{error}");
    }
}

/// Fills each good model at a number of cells along its longest side.
fn good_models_are_filled(along: &[f32], some: usize) {
    let Some(models) = models() else { return };
    let mut worst = [180.0_f64, 0.0, 0.0];
    for path in files(&models.join("good")).into_iter().filter(|path| !is_volume(path)).step_by(some) {
        let mesh = read_mesh(&path).unwrap_or_else(|error| panic!("{error}")).mesh;
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let welded = weld_as_needed(&mesh, 1e-6);
        let (low, high) = mesh.bounds().unwrap();
        for &along in along {
            let size = (high - low).max_element() / along;
            let found = stuff(&welded, &StuffingSettings { size, levels: 0 }).unwrap();
            let quality = found.mesh.quality().unwrap();
            let angles = [quality.min_dihedral, quality.max_dihedral].map(f64::to_degrees);
            let enclosed = found.enclosed.unwrap();
            let off = (found.volume / enclosed - 1.0).abs();
            println!(
                "{name} / {along}: {} tetrahedra, {angles:.2?}°, volume off {:.2} %",
                found.mesh.tetrahedra.len(),
                100.0 * off
            );
            worst = [worst[0].min(angles[0]), worst[1].max(angles[1]), worst[2].max(off)];
            assert_eq!((quality.inverted, quality.degenerate), (0, 0), "{name}");
            assert!(angles[0] > 10.7 && angles[1] < 164.8, "{name}: {angles:?}");
            let (surface, _) = found.mesh.boundary();
            assert!(
                is_closed(surface.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])),
                "{name}"
            );
            // Legs of a scorpion need the finest.
            assert!(off < if along < 80.0 { 0.05 } else { 0.02 } || along < 50.0, "{name}: {off}");
        }
    }
    println!("worst: {worst:?}");
}

#[test]
fn some_good_models_are_filled_with_tetrahedra() {
    good_models_are_filled(&[80.0], 4);
}

#[test]
#[ignore = "long: minutes"]
fn all_good_models_are_filled_with_tetrahedra() {
    good_models_are_filled(&[15.0, 30.0, 60.0, 80.0], 1);
}

/// The longest extent that bodies of files are scaled to, in meters: a step of theirs is made in a cell of that size.
const EXTENT: f32 = 1.0;

fn tetrahedral_files_fall_and_lie(frames: usize) {
    let Some(models) = models() else { return };
    for path in files(&models.join("tet")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mesh = read_volume(&path).unwrap_or_else(|error| panic!("{error}")).mesh;
        let (surface, _) = mesh.boundary();
        let material = Material::default().with_young_modulus(1e5, 0.3);
        let builder = Body::builder(surface).model(ElementSettings::default()).tetrahedra(mesh);
        let body =
            builder.material(material).fit(EXTENT).build().unwrap_or_else(|error| panic!("{name}: {error}"));
        let lowest = body.skin().positions.iter().map(|x| x.y).fold(f32::INFINITY, f32::min);
        let floor = body.nodes.origin.y + f64::from(lowest) - 0.1;
        let mut world = World::new();
        world.add_collider(Collider::floor(floor)).unwrap();
        let body = world.add_body(body);
        for frame in 0..frames {
            let report = world.step(1.0 / 60.0);
            assert_eq!(report.contained, 0, "{name}, frame {frame}");
        }
        let body = world.body(body).unwrap();
        println!("{name}: {} elements, volume {:.3}", body.model.parts(), body.volume_ratio());
        assert!((0.5..1.2).contains(&body.volume_ratio()), "{name}: {}", body.volume_ratio());
    }
}

#[test]
fn bodies_of_tetrahedral_files_fall_and_lie() {
    tetrahedral_files_fall_and_lie(30);
}

#[test]
#[ignore = "long: 300 frames of every file"]
fn bodies_of_tetrahedral_files_lie_for_300_frames() {
    tetrahedral_files_fall_and_lie(300);
}
