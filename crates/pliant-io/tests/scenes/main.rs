//! Scene files: what is wrong is said with file, line and key, and in words that help.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod colliders;
#[path = "../common/mod.rs"]
mod common;
mod cuts;
mod files;
mod ranges;
mod rigids;
mod settings;
mod words;
mod worlds;

use common::folder;
use pliant::TriMesh;
use pliant::geometry::shapes;
use pliant_io::scene::{Scene, SceneError, SceneFile, set};
use std::path::Path;

/// One body, on lines 1 to 3.
const CUBE: &str = "[[body]]\nname = \"cube\"\nshape = { box = { size = [1, 1, 1], cells = [2, 2, 2] } }\n";

fn figures(name: &str) -> Option<TriMesh> {
    (name == "ball").then(|| shapes::sphere(0.5, 2))
}

fn build(text: &str) -> Result<Scene, SceneError> {
    SceneFile::parse(text)?.build(Path::new(""), &figures)
}

/// Loads a scene from a file with these bytes.
fn load(test: &str, bytes: &[u8], settings: &[&str]) -> Result<Scene, String> {
    let path = folder(&format!("scenes/{test}")).join("my.toml");
    std::fs::write(&path, bytes).unwrap();
    let settings: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    SceneFile::load(&path, &settings, &figures).map_err(|error| error.to_string())
}

/// Expects that a scene of these lines fails with `my.toml:line: key: ` and all the words.
fn fails(test: &str, text: &str, place: &str, words: &[&str]) {
    let error = load(test, text.as_bytes(), &[]).map(|scene| scene.name).unwrap_err();
    assert!(error.contains(&format!("my.toml:{place}: ")), "{place}: expected in {error:?}");
    for word in words {
        assert!(error.contains(word), "{word:?} expected in {error:?}");
    }
    for jargon in ["f32", "f64", "u32", "variant", "field `", "data did not match", "i128", "panicked"] {
        assert!(!error.contains(jargon), "{jargon:?} helps nobody: {error:?}");
    }
}

/// As [`fails`], for lines added to the cube: they begin at line 4.
fn cube_fails(test: &str, more: &str, place: &str, words: &[&str]) {
    fails(test, &format!("{CUBE}{more}"), place, words);
}
