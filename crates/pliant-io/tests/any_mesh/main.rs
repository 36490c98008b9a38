//! What holds on our own figures holds on everybody's: bodies and cuts of meshes that nobody made for us.
//!
//! Real meshes are looked for in `PLIANT_MODELS`, or else in `../shared/models` beside the repository.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

#[path = "../../../pliant/tests/common/joined.rs"]
mod joined;
mod shapes;
#[path = "../../../pliant/tests/common/surface.rs"]
mod surface;
mod thin;
mod tried;

use pliant::glam::{DVec3, Vec3};
use pliant::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tried::{Cutting, fitted, tried};

/// A model, and where its cells are to be fine.
struct Sampling {
    word: &'static str,
    model: ModelSettings,
    rules: &'static [Rule],
}

/// The models, with one size of cells, with several, and with cells that change. The first takes longest.
fn models() -> Vec<Sampling> {
    let of_one_size = OctreeSettings { levels: Some(0), ..OctreeSettings::default() };
    let plain = |word, model| Sampling { word, model, rules: &[] };
    vec![
        plain("octree of one size", of_one_size.into()),
        // Fine along the blade for the cut, and coarse again after it.
        Sampling {
            word: "octree that adapts",
            model: OctreeSettings::default().into(),
            rules: &[Rule::Strain { from: 0.2, size: 0.02 }],
        },
        plain("octree", OctreeSettings::default().into()),
        plain("lattice", LatticeSettings::default().into()),
        plain("clusters", ClusterSettings::default().into()),
    ]
}

/// Real meshes that are closed, by name.
fn real(wanted: impl Fn(&str) -> bool) -> Vec<(String, TriMesh)> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models");
    let folder = std::env::var_os("PLIANT_MODELS").map_or(beside, PathBuf::from);
    let mut files: Vec<PathBuf> = ["real", "good"]
        .iter()
        .filter_map(|part| folder.join(part).read_dir().ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let load = |path: &PathBuf| {
        let name = path.file_name().unwrap().display().to_string();
        let mesh = wanted(&name).then(|| pliant_io::read_mesh(path).ok())??.mesh;
        (mesh.signed_volume().abs() > 0.0).then(|| (name, fitted(mesh)))
    };
    files.iter().filter_map(load).collect()
}

/// Tries every cut on a mesh with every model, and returns what is wrong: nothing may be contained, every surface is closed, no
/// mass is lost, nothing has spikes or sinks into the floor, and pieces are neither flung nor crushed.
fn faults(name: &str, mesh: &TriMesh, models: &[Sampling]) -> Vec<String> {
    let mut found = Vec::new();
    for sampling in models {
        let word = sampling.word;
        for cutting in Cutting::ALL {
            let tried = match tried(mesh, sampling, cutting) {
                Ok(tried) => tried,
                // Too thin for the cells that were asked for.
                Err(BodyError::Filling(_)) => break,
                Err(error) => {
                    found.push(format!("{name}, {word}: {error}"));
                    break;
                }
            };
            let mut faults = tried.faults();
            let never: &[&str] = if cutting == Cutting::Nothing { &AT_REST } else { &CUT };
            faults.retain(|fault| never.contains(fault) && !(*fault == "volume" && FOLDS.contains(&name)));
            if !faults.is_empty() || (tried.mass - 1.0).abs() > 1e-4 {
                found.push(format!("{name}, {word}, {cutting:?}: {faults:?} {tried:?}"));
            }
        }
    }
    found
}

/// What no mesh does after any cut.
const CUT: [&str; 6] = ["contained", "open", "volume", "spikes", "flung", "crushed"];

/// What no mesh does that is not cut and falls on a floor.
const AT_REST: [&str; 5] = ["contained", "open", "volume", "spikes", "below"];

/// A soft plate that folds when it falls over, of triangles as long as itself: they cut across the fold.
const FOLDS: [&str; 1] = ["plate_holes.STL"];

/// Every other of the nasty shapes: two tests, for two threads.
fn every_other(first: usize) {
    let shapes = shapes::nasty().into_iter().skip(first).step_by(2);
    let faults: Vec<String> =
        shapes.flat_map(|(name, mesh)| faults(name, &fitted(mesh), &models()[1..])).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn cuts_of_nasty_shapes_are_closed_and_calm() {
    every_other(0);
}

#[test]
fn cuts_of_more_nasty_shapes_are_closed_and_calm() {
    every_other(1);
}

#[test]
fn cuts_of_some_real_meshes_are_closed_and_calm() {
    let some = |name: &str| ["boot", "hammer", "rabbit", "octocat"].iter().any(|part| name.contains(part));
    let meshes = real(some);
    let models = &models()[1..4];
    let faults: Vec<String> = meshes.iter().flat_map(|(name, mesh)| faults(name, mesh, models)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
#[ignore = "ten minutes: every mesh and every model"]
fn cuts_of_all_meshes_are_closed_and_calm() {
    let nasty = shapes::nasty().into_iter().map(|(name, mesh)| (name.to_owned(), fitted(mesh)));
    let meshes: Vec<(String, TriMesh)> = real(|_| true).into_iter().chain(nasty).collect();
    let faults: Vec<String> = meshes.iter().flat_map(|(name, mesh)| faults(name, mesh, &models())).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
#[ignore = "prints everything that is wrong, over all meshes or those that PLIANT_SURVEY names, and how often"]
fn survey() {
    let only = std::env::var("PLIANT_SURVEY").unwrap_or_default();
    let wanted = |case: &str| only.split_whitespace().all(|word| case.contains(word));
    let nasty = shapes::nasty().into_iter().map(|(name, mesh)| (name.to_owned(), fitted(mesh)));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (name, mesh) in real(|_| true).into_iter().chain(nasty) {
        for sampling in models() {
            let word = sampling.word;
            for cutting in Cutting::ALL {
                if !wanted(&format!("{name}, {word}, {cutting:?}")) {
                    continue;
                }
                let Ok(tried) = tried(&mesh, &sampling, cutting) else {
                    *counts.entry(format!("{word} refused")).or_default() += 1;
                    break;
                };
                for fault in tried.faults() {
                    *counts.entry(format!("{word} {cutting:?} {fault}")).or_default() += 1;
                    println!("{name}, {word}, {cutting:?}: {fault} {tried:?}");
                }
            }
        }
    }
    counts.iter().for_each(|(what, count)| println!("{what}: {count}"));
}
