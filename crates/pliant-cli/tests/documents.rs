//! What the documents say of the tree is true.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What stands between backticks in the first column of the tables below a heading.
fn first_column(text: &str, heading: &str) -> Vec<String> {
    let section = text.split_once(heading).unwrap_or_else(|| panic!("no {heading:?}")).1;
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    rows.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn every_folder_of_the_readme_is_there() {
    let folders = first_column(&read("README.md"), "## Where things are");
    assert!(folders.len() > 5);
    for folder in folders {
        assert!(root().join(&folder).is_dir(), "README.md names {folder}");
    }
}

#[test]
fn every_room_of_the_engine_is_in_the_architecture_and_no_other() {
    let mut named = first_column(&read("ARCHITECTURE.md"), "## The rooms of `crates/pliant/src`");
    named.sort();
    let entries = fs::read_dir(root().join("crates/pliant/src")).expect("the engine");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut rooms: Vec<String> = names.filter(|name| name != "lib.rs").collect();
    rooms.sort();
    assert_eq!(named, rooms);
}

#[test]
fn links_of_the_documents_lead_somewhere() {
    for document in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/scenes.md",
        "docs/studio.md",
        "docs/render.md",
        "docs/benchmarks.md",
        "docs/models.md",
    ] {
        let text = read(document);
        let folder = root().join(document).parent().expect("a folder").to_owned();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let local = !target.starts_with("http") && !target.starts_with('#');
            let file = target.split('#').next().unwrap_or_default();
            assert!(!local || folder.join(file).exists(), "{document} links to {target}");
        }
    }
}

#[test]
fn every_key_of_a_paper_is_resolved() {
    let papers = read("docs/papers.md");
    let mut seen = 0;
    for file in rust_files(&root().join("crates")) {
        let text = fs::read_to_string(&file).expect("a source file");
        for key in text.split("\\[").skip(1).filter_map(|rest| rest.split("\\]").next()) {
            let shaped = key.ends_with(|c: char| c.is_ascii_digit())
                && key.starts_with(|c: char| c.is_ascii_uppercase());
            if shaped && key.len() <= 9 && key.chars().all(char::is_alphanumeric) {
                seen += 1;
                assert!(
                    papers.contains(&format!("| [{key}] |")),
                    "{}: [{key}] is not in docs/papers.md",
                    file.display()
                );
            }
        }
    }
    assert!(seen > 20, "only {seen} keys found");
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            files.extend(rust_files(&entry));
        } else if entry.extension().is_some_and(|ending| ending == "rs") {
            files.push(entry);
        }
    }
    files
}
