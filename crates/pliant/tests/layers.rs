//! The rooms of the engine stand in layers, and models are named in few places: what `ARCHITECTURE.md` draws, read from the sources.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the bottom up. A room uses those of the lines below it, and of its own line those before it.
const LAYERS: &[&[&str]] = &[
    &["par", "ids", "math"],
    &["geometry", "selection"],
    &["nodes", "material"],
    &["sampling"],
    &["skin"],
    &["model"],
    &["body"],
    &["cut", "adapt", "contact", "tool"],
    &["report", "world"],
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("tests.rs") {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
}

/// A file without its tests and comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// The rooms that a file of another room uses: what follows `crate::`.
fn rooms_used(code: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut used = Vec::new();
    for after in code.split("crate::").skip(1) {
        let Some(list) = after.strip_prefix('{') else {
            used.push(word(after));
            continue;
        };
        // One level of a list: what is in inner braces belongs to the word before them.
        let (mut depth, mut start) = (0, true);
        for (at, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                c if start && depth == 0 && (c.is_alphanumeric() || c == '_') => {
                    used.push(word(&list[at..]));
                    start = false;
                }
                _ => {}
            }
        }
    }
    used
}

#[test]
fn an_edge_between_rooms_goes_downward_only() {
    let src = root().join("crates/pliant/src");
    let order: BTreeMap<&str, usize> =
        LAYERS.iter().flat_map(|layer| layer.iter()).enumerate().map(|(at, room)| (*room, at)).collect();
    let mut files = Vec::new();
    sources(&src, &mut files);
    let mut wrong = Vec::new();
    let mut seen = Vec::new();
    for path in files {
        let inner = path.strip_prefix(&src).unwrap();
        let room = inner.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        if room == "lib" {
            continue;
        }
        let Some(own) = order.get(room) else { panic!("{room} is in no layer") };
        seen.push(room.to_owned());
        for used in rooms_used(&code(&path)) {
            if order.get(used.as_str()).is_some_and(|other| other > own) {
                wrong.push(format!("{} uses {used}", inner.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "edges that go upward:\n{}", wrong.join("\n"));
    for room in order.keys() {
        assert!(seen.iter().any(|known| known == room), "there is no room {room}");
    }
}

/// Where the word of a model may stand in code: its own folder, the list, its scenes, its settings panel, its benchmarks.
fn may_name(path: &str, word: &str) -> bool {
    let own = [
        format!("crates/pliant/src/model/{word}/"),
        format!("crates/pliant-studio/src/app/panels/{word}.rs"),
        format!("crates/pliant-cli/src/bench/{word}.rs"),
    ];
    let all = [
        // The list, the modules it is made of, and what users import.
        "crates/pliant/src/model/list.rs",
        "crates/pliant/src/model/mod.rs",
        "crates/pliant/src/lib.rs",
        "crates/pliant-studio/src/app/panels/mod.rs",
        "crates/pliant-scenes/",
        // Names of scenes, of benchmark suites, and the overlay of the sets that are matched together.
        "crates/pliant-studio/src/gallery.rs",
        "crates/pliant-studio/src/overlay/",
        "crates/pliant/src/sampling/clustering.rs",
        // Its paper has clusters as well: the word is that of a set of particles there, not of the model.
        "crates/pliant/src/model/hierarchy/",
        // Files of Gmsh and TetGen have elements.
        "crates/pliant-io/src/msh.rs",
        "crates/pliant-io/src/msh_write.rs",
        "crates/pliant-io/src/tetgen.rs",
        // Vertices and faces of a PLY file, entries of a glTF accessor: elements that have nothing to do with the model.
        "crates/pliant-io/src/ply",
        "crates/pliant-io/src/gltf",
        "crates/pliant-io/src/scene/error.rs",
        "crates/pliant-cli/src/bench/mod.rs",
        "crates/pliant-peers/",
        "crates/pliant-counts/",
    ];
    own.iter().any(|start| path.starts_with(start)) || all.iter().any(|start| path.starts_with(start))
}

/// Whether a line of code has a word: as it is written in scene files, or as the name of the type.
fn names(code: &str, word: &str) -> bool {
    let capital = word[..1].to_uppercase() + &word[1..];
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    [word, &capital].iter().any(|word| {
        code.match_indices(*word).any(|(at, _)| {
            !is_word(code[..at].chars().next_back()) && !is_word(code[at + word.len()..].chars().next())
        })
    })
}

#[test]
fn a_model_is_named_in_its_folder_and_in_one_list() {
    let root = root();
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let src = entry.unwrap().path().join("src");
        if src.is_dir() {
            sources(&src, &mut files);
        }
    }
    let mut wrong = Vec::new();
    for path in files {
        let inner = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        for (number, line) in code(&path).lines().enumerate() {
            for word in pliant::model::WORDS {
                if names(line, word) && !may_name(&inner, word) {
                    wrong.push(format!("{inner}:{}: {}", number + 1, line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "models are named outside of their folders:\n{}", wrong.join("\n"));
}
