//! `pliant bench`, help and version.

use super::*;

#[test]
fn the_kernels_have_their_rows() {
    let folder = folder("bench");
    let out = succeeds(&folder, &["bench", "kernels", "--json", "b.json"]);
    let rows = json(&folder.join("b.json"));
    let rows = rows.as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["rotation-warm-vs-nalgebra", "rotation-cold-vs-nalgebra"]);
    for row in rows {
        let keys: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        let expected = ["name", "ours", "paper", "peer", "ratio", "suite", "threads", "unit", "value"];
        assert_eq!(keys, expected);
        let number = |key: &str| row[key].as_f64().unwrap();
        assert!((number("peer") / number("ours") - number("ratio")).abs() < 1e-6);
        assert!(number("value") > 0.0 && row["suite"] == "kernels");
        assert!(out.contains(row["name"].as_str().unwrap()));
    }
}

#[test]
fn help_and_version_are_output_not_errors() {
    let folder = folder("help");
    let help = succeeds(&folder, &["--help"]);
    for word in ["scenes", "run", "render", "mesh", "bench", "docs/scenes.md"] {
        assert!(help.contains(word), "{word}");
    }
    for command in ["scenes", "run", "render", "mesh", "bench"] {
        assert!(succeeds(&folder, &[command, "--help"]).contains("Usage: pliant"), "{command}");
    }
    assert!(succeeds(&folder, &["--version"]).starts_with("pliant 0."));
}
