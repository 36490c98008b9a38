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
        let expected =
            ["better", "name", "ours", "paper", "peer", "ratio", "suite", "threads", "unit", "value"];
        assert_eq!(keys, expected);
        assert!(row["better"] == "higher" && row["threads"] == 1);
        let number = |key: &str| row[key].as_f64().unwrap();
        assert!((number("peer") / number("ours") - number("ratio")).abs() < 1e-6);
        assert!(number("value") > 0.0 && row["suite"] == "kernels");
        assert!(out.contains(row["name"].as_str().unwrap()));
    }
}

#[test]
fn rows_are_compared_with_a_baseline() {
    let folder = folder("bench_against");
    let file = folder.join("baseline.json");
    succeeds(&folder, &["bench", "kernels", "--save", "baseline.json"]);
    let saved = json(&file);
    assert!(saved["machine"].as_str().unwrap().contains(std::env::consts::ARCH), "{saved}");
    let date: Vec<usize> = saved["date"].as_str().unwrap().split('-').map(str::len).collect();
    assert_eq!(date, [4, 2, 2], "{saved}");

    // Far better than what was kept, so that no machine's mood turns it; other suites are not missing.
    let mut rows = saved["rows"].as_array().unwrap().clone();
    let scale = |row: &mut Value, by: f64| row["value"] = (by * row["value"].as_f64().unwrap()).into();
    rows.iter_mut().for_each(|row| scale(row, 0.1));
    let other = |suite: &str, name: &str| {
        let mut row = rows[0].clone();
        (row["suite"], row["name"]) = (suite.into(), name.into());
        row
    };
    let (cut, gone) = (other("cut", "cut20-ms"), other("kernels", "long-gone"));
    rows.push(cut);
    std::fs::write(&file, Value::from(rows.clone()).to_string()).unwrap();
    let against = ["bench", "kernels", "--against", "baseline.json"];
    let out = succeeds(&folder, &against);
    assert!(out.ends_with("2 rows compared: 0 worse, 0 missing, 0 new\n"), "{out}");

    // One that cannot be reached, one that is gone and one that is new.
    scale(&mut rows[0], 1e4);
    rows[1] = gone;
    std::fs::write(&file, Value::from(rows).to_string()).unwrap();
    let output = pliant(&folder, &against);
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert!(text(&output.stderr).contains("a row became worse"));
    assert!(out.contains("worse: rotation-warm-vs-nalgebra") && out.contains("missing: long-gone"), "{out}");
    assert!(out.contains("new: rotation-cold-vs-nalgebra"), "{out}");
    assert!(out.ends_with("1 row compared: 1 worse, 1 missing, 1 new\n"), "{out}");
}

#[test]
fn a_baseline_that_is_none_is_refused_before_anything_is_measured() {
    let folder = folder("bench_bad_baseline");
    std::fs::write(folder.join("text.json"), "{\"rows\": 3}").unwrap();
    refuses(&folder, &["bench", "--against", "text.json"], &["text.json", "--save"]);
    refuses(&folder, &["bench", "--against", "none.json"], &["none.json", "cannot read"]);
    refuses(&folder, &["bench", "--save", "nowhere/b.json"], &["nowhere"]);
    refuses(&folder, &["bench", "--threads", "0"], &["--threads"]);
    refuses(&folder, &["bench", "nothing"], &["nothing", "kernels"]);
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
