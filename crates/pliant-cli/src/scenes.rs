//! `pliant scenes`, and finding a scene by name or file.

use crate::say::say;
use crate::{Failure, SceneArguments};
use pliant_io::Format;
use pliant_io::scene::Scene;
use pliant_scenes::SCENES;
use serde_json::json;
use std::path::Path;

/// Lists the scenes on stdout.
pub fn list(as_json: bool) -> Result<(), Failure> {
    if as_json {
        let rows: Vec<_> = SCENES
            .iter()
            .map(|s| json!({"category": s.category, "name": s.name, "description": s.description}))
            .collect();
        return say(&format!("{:#}", serde_json::Value::Array(rows)));
    }
    let width = SCENES.iter().map(|s| s.name.len()).max().unwrap_or(0);
    let (mut text, mut category) = (String::new(), "");
    for scene in SCENES {
        if scene.category != category {
            category = scene.category;
            text += &format!("{category}\n");
        }
        text += &format!("  {:width$}  {}\n", scene.name, scene.description);
    }
    say(&text)
}

/// Prints a scene as a scene file on stdout.
pub fn print(name: &str) -> Result<(), Failure> {
    let entry = pliant_scenes::find(name).ok_or_else(|| unknown(name))?;
    say(&entry.file().to_text().map_err(|error| Failure::Ours(error.to_string()))?)
}

/// The scene of that name, or in that file.
pub fn find(arguments: &SceneArguments) -> Result<Scene, Failure> {
    let name = arguments.scene.as_str();
    if let Some(entry) = pliant_scenes::find(name) {
        let scene = entry.build_with(&arguments.settings).map_err(Failure::input)?;
        warn(name, &scene);
        return Ok(scene);
    }
    let path = Path::new(name);
    if Format::from_path(path).is_some() {
        return Err(Failure::input(format!(
            "{name}: this is a mesh, not a scene; `pliant mesh` looks at it, and a scene file can name it (see docs/scenes.md)"
        )));
    }
    if path.extension().is_some_and(|e| e == "toml") || path.exists() {
        let scene = pliant_scenes::load(path, &arguments.settings).map_err(Failure::input)?;
        warn(name, &scene);
        return Ok(scene);
    }
    Err(unknown(name))
}

fn warn(name: &str, scene: &Scene) {
    scene.warnings.iter().for_each(|warning| eprintln!("pliant: {name}: {warning}"));
}

fn unknown(name: &str) -> Failure {
    let hint = suggestion(name).map(|known| format!("did you mean {known}? ")).unwrap_or_default();
    Failure::input(format!("there is no scene {name:?} and no such file; {hint}`pliant scenes` lists all"))
}

/// The scene whose name is most like a word, if any is.
fn suggestion(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let begins = |name: &&str| !word.is_empty() && name.starts_with(word.as_str());
    let names = || SCENES.iter().map(|scene| scene.name);
    let near = || names().min_by_key(|name| distance(name, &word));
    names().find(begins).or_else(|| near().filter(|name| 2 * distance(name, &word) <= name.chars().count()))
}

/// How many letters must change to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let here = (diagonal + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], here);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_understood_and_nonsense_is_not() {
        let words = ["jelly-cube", "duckdrop", "skin", "DUCK-DROP", "xyzzy", ""];
        let expected =
            [Some("jelly-cubes"), Some("duck-drop"), Some("skin-patch-1"), Some("duck-drop"), None, None];
        assert_eq!(words.map(suggestion), expected);
    }

    #[test]
    fn the_distance_of_words_counts_their_changes() {
        assert_eq!([distance("", "abc"), distance("duck", "dock"), distance("kitten", "sitting")], [3, 1, 3]);
    }
}
