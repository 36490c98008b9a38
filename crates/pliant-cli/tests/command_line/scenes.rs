//! `pliant scenes`.

use super::*;

#[test]
fn the_list_has_every_scene_with_its_description() {
    let list = succeeds(&folder("scenes"), &["scenes"]);
    for scene in pliant_scenes::SCENES {
        let line = list.lines().find(|line| line.split_whitespace().next() == Some(scene.name));
        assert!(line.is_some_and(|line| line.ends_with(scene.description)), "{}", scene.name);
    }
}

#[test]
fn the_list_as_json_is_the_list() {
    let rows: Value = serde_json::from_str(&succeeds(&folder("scenes-json"), &["scenes", "--json"])).unwrap();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let listed: Vec<[String; 3]> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| ["category", "name", "description"].map(|key| text(row, key)))
        .collect();
    let scenes: Vec<[String; 3]> = pliant_scenes::SCENES
        .iter()
        .map(|s| [s.category, s.name, s.description].map(str::to_owned))
        .collect();
    assert_eq!(listed, scenes);
}

#[test]
fn a_scene_printed_as_a_file_is_the_same_scene() {
    let folder = folder("scenes-print");
    std::fs::write(folder.join("mine.toml"), succeeds(&folder, &["scenes", "plastic-bear"])).unwrap();
    let hash = |scene: &str| {
        succeeds(&folder, &["run", scene, "--frames", "5", "--quiet", "--report", "r.json"]);
        json(&folder.join("r.json"))["state_hash"].clone()
    };
    assert_eq!(hash("mine.toml"), hash("plastic-bear"));
    refuses(&folder, &["scenes", "plastic-beer"], &["did you mean plastic-bear?"]);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    let mut child =
        command.args(["scenes", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}
