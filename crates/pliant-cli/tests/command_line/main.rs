//! The contract that scripts rely on: what `pliant` writes, where, and how it ends.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod bench_and_help;
mod mesh;
mod render;
mod run;
mod scenes;
mod sessions;

use pliant::TriMesh;
use pliant::geometry::shapes;
use pliant::glam::Vec3;
use pliant_io::{read_mesh, write_mesh};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of its own for a test; cleaned when the test begins, kept for a look when it has ended.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("command_line").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn pliant(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    // On a desktop, too, no window shall open.
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Runs a command that must succeed; gives its stdout.
fn succeeds(folder: &Path, arguments: &[&str]) -> String {
    let output = pliant(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// Runs a command that must refuse its arguments or input, say why with these words on stderr, and nothing on stdout.
fn refuses(folder: &Path, arguments: &[&str], words: &[&str]) {
    let output = pliant(folder, arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(!error.contains("panicked") && !error.contains("RUST_BACKTRACE"), "{arguments:?}: {error}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    for word in words {
        assert!(error.contains(word), "{arguments:?}: {word:?} expected in {error:?}");
    }
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The names of what is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
