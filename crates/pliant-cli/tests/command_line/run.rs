//! `pliant run`.

use super::*;

#[test]
fn the_report_has_every_field_and_the_glb_its_animation() {
    let folder = folder("run");
    let out = succeeds(
        &folder,
        &["run", "jelly-cubes", "--frames", "20", "--report", "r.json", "--export", "out.glb"],
    );
    assert!(out.contains("3 bodies") && out.contains("20 frames") && out.contains("out.glb"), "{out}");
    assert_eq!(names(&folder), ["out.glb", "r.json"]);
    check_report(&json(&folder.join("r.json")));

    let loaded = read_mesh(folder.join("out.glb")).unwrap();
    assert_eq!(loaded.format, pliant_io::Format::Glb);
    let gltf = gltf::Gltf::open(folder.join("out.glb")).unwrap();
    assert_eq!((gltf.meshes().count(), gltf.animations().count()), (3, 1));
    let blob = gltf.blob.as_deref().unwrap();
    for channel in gltf.animations().next().unwrap().channels() {
        let times: Vec<f32> = channel.reader(|_| Some(blob)).read_inputs().unwrap().collect();
        assert_eq!(times.len(), 21);
        assert!(times[0] == 0.0 && (times[20] - 20.0 / 60.0).abs() < 1e-3, "{times:?}");
    }
    let names: Vec<&str> = gltf.nodes().filter_map(|node| node.name()).collect();
    assert!(["rigid", "linear", "quadratic"].iter().all(|name| names.contains(name)), "{names:?}");
}

#[test]
fn what_comes_off_a_body_counts_with_it() {
    let folder = folder("run-cut");
    succeeds(&folder, &["run", "cylinder-out-of-cube", "--frames", "70", "--report", "r.json", "--quiet"]);
    let report = json(&folder.join("r.json"));
    let [cube] = report["bodies"].as_array().unwrap().as_slice() else { panic!("{}", report["bodies"]) };
    assert_eq!((&cube["pieces"], &report["cuts"]), (&Value::from(2), &Value::from(1)));
    assert!((cube["mass_last"].as_f64().unwrap() / cube["mass_first"].as_f64().unwrap() - 1.0).abs() < 1e-5);
    assert_eq!(cube["nodes_last"], cube["nodes_max"]);
    assert_eq!(
        (&report["surface"]["closed"], &report["surface"]["oriented"]),
        (&Value::from(true), &Value::from(true))
    );
}

#[test]
fn a_report_has_what_each_level_holds_of_bodies_that_have_levels() {
    let folder = folder("run-levels");
    let levels_of = |scene: &str, frames: &str| {
        succeeds(&folder, &["run", scene, "--frames", frames, "--report", "r.json", "--quiet"]);
        json(&folder.join("r.json"))["bodies"][0]["levels"].clone()
    };
    assert_eq!(levels_of("jelly-cubes", "1"), Value::Array(Vec::new()));
    let levels = levels_of("dinosaur-pulled", "20");
    let levels = levels.as_array().unwrap();
    let of = |key: &str| levels.iter().map(|level| level[key].as_f64().unwrap()).collect::<Vec<_>>();
    assert_eq!(levels.len(), 5);
    for key in ["regions", "energy"] {
        assert!(of(key).windows(2).all(|pair| pair[0] >= pair[1] && pair[1] > 0.0), "{key}: {:?}", of(key));
    }
    assert!(of("size").windows(2).all(|pair| (pair[1] / pair[0] - 2.0).abs() < 1e-5));
    assert!(of("matches")[0] >= of("regions")[0]);
    let densities = levels.iter().map(|level| &level["energy_density"]);
    assert!(densities.clone().all(|d| d["max"].as_f64() >= d["median"].as_f64() && d["p95"].is_f64()));
}
#[test]
fn a_report_has_what_it_takes_to_hold_bodies() {
    let folder = folder("run-reactions");
    let scene = r#"
[[body]]
name = "block"
shape = { box = { size = [1.0, 1.0, 1.0], cells = [4, 4, 4] } }

[[pin]]
body = "block"
members = { box = { min = [-9.0, 0.4, -9.0], max = [9.0, 9.0, 9.0] } }
"#;
    std::fs::write(folder.join("held.toml"), scene).unwrap();
    succeeds(&folder, &["run", "held.toml", "--frames", "300", "--report", "r.json", "--quiet"]);
    let report = json(&folder.join("r.json"));
    let [pin] = report["reactions"].as_array().unwrap().as_slice() else { panic!("{}", report["reactions"]) };
    assert_eq!((&pin["tool"], &pin["body"], &pin["other"]), (&"pin".into(), &"block".into(), &Value::Null));
    let weight = 9.81 * report["bodies"][0]["mass_last"].as_f64().unwrap();
    let up = pin["force_last"][1].as_f64().unwrap();
    assert!((up / weight - 1.0).abs() < 0.02, "{up} N hold {weight} N");
    assert!(pin["force_max"].as_f64().unwrap() >= up);
}

fn check_report(report: &Value) {
    let is = |key: &str, test: fn(&Value) -> bool| assert!(test(&report[key]), "{key}: {}", report[key]);
    assert_eq!((report["scene"].as_str(), report["model"].as_str()), (Some("jelly-cubes"), Some("clusters")));
    assert_eq!(report["frames"], 20);
    assert!((report["dt_secs"].as_f64().unwrap() - 1.0 / 60.0).abs() < 1e-6);
    for key in ["threads", "seed", "contained", "cuts"] {
        is(key, Value::is_u64);
    }
    assert_eq!((&report["contained"], &report["cuts"]), (&Value::from(0), &Value::from(0)));
    let bodies = report["bodies"].as_array().unwrap();
    assert_eq!(bodies.len(), 3);
    for body in bodies {
        assert!(body["name"].is_string());
        for key in ["nodes_first", "nodes_last", "nodes_max", "pieces"] {
            assert!(body[key].as_u64().unwrap() > 0, "{key}");
        }
        for key in ["mass_first", "mass_last"] {
            assert!((body[key].as_f64().unwrap() / 1000.0 - 1.0).abs() < 1e-3, "{key}: {}", body[key]);
        }
    }
    let times = |of: &Value| ["median", "p95", "max"].map(|key| of[key].as_f64().unwrap());
    let [median, p95, max] = times(&report["ms_per_frame"]);
    assert!(median > 0.0 && median <= p95 && p95 <= max);
    for phase in ["tools", "models", "contacts", "cuts", "adapt", "skins"] {
        assert!(times(&report["ms_per_frame"]["phases"][phase]).iter().all(|ms| *ms >= 0.0));
    }
    let hash = report["state_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{hash}");
    let surface = &report["surface"];
    assert_eq!((&surface["closed"], &surface["oriented"]), (&Value::from(true), &Value::from(true)));
    assert!(surface["vertices"].as_u64().unwrap() > 0 && surface["triangles"].as_u64().unwrap() > 0);
    for part in ["kinetic", "potential", "elastic"] {
        assert!(
            report["energy"]["first"][part].is_f64() && report["energy"]["last"][part].is_f64(),
            "{part}"
        );
    }
    assert!(report["momentum_drift"].as_f64().unwrap() < 1e-3);
    assert!((report["volume_ratio"].as_f64().unwrap() - 1.0).abs() < 0.5);
}

#[test]
fn the_state_does_not_depend_on_the_number_of_threads() {
    let folder = folder("threads");
    let hash = |threads: &str| {
        let arguments = ["run", "jelly-cubes", "--frames", "20", "--threads", threads, "--report", "r.json"];
        succeeds(&folder, &arguments);
        let report = json(&folder.join("r.json"));
        assert_eq!(report["threads"].to_string(), threads);
        report["state_hash"].clone()
    };
    let one = hash("1");
    assert_eq!([hash("2"), hash("7")], [one.clone(), one]);
}

#[test]
fn obj_and_ply_have_the_skins_as_they_are_at_the_end() {
    let folder = folder("export");
    for file in ["x.obj", "x.ply", "X.GLB"] {
        succeeds(&folder, &["run", "plastic-bear", "--frames", "3", "--quiet", "--export", file]);
        let report = pliant::geometry::inspect(&read_mesh(folder.join(file)).unwrap().mesh);
        assert_eq!((report.components, report.closed_components), (2, 2), "{file}");
    }
}

#[test]
fn a_scene_file_runs_with_its_mesh_and_its_settings() {
    let folder = folder("file");
    write_mesh(folder.join("ball.obj"), &shapes::sphere(0.3, 2)).unwrap();
    let scene = "[[collider]]\nshape = \"plane\"\n[[body]]\nname = \"ball\"\nmesh = \"ball.obj\"\nposition = [0, 1, 0]\n";
    std::fs::write(folder.join("mine.toml"), scene).unwrap();
    let run = |settings: &[&str]| {
        let mut arguments = vec!["run", "mine.toml", "--frames", "10", "--quiet", "--report", "r.json"];
        settings.iter().for_each(|setting| arguments.extend(["--set", setting]));
        succeeds(&folder, &arguments);
        json(&folder.join("r.json"))
    };
    let report = run(&[]);
    assert_eq!((report["scene"].as_str(), report["frames"].as_u64()), (Some("mine"), Some(10)));
    let changed = run(&["world.gravity=[0,0,0]", "body[*].velocity=[1,0,0]", "name=flying"]);
    assert_eq!(changed["scene"], "flying");
    assert_ne!(changed["state_hash"], report["state_hash"]);
    let potential = |report: &Value| report["energy"]["last"]["potential"].as_f64().unwrap();
    assert!(potential(&changed) == 0.0 && potential(&report) > 0.0);
}

#[test]
fn quiet_prints_nothing_and_no_frames_are_no_failure() {
    let folder = folder("quiet");
    for arguments in [
        &["run", "duck-drop", "--frames", "2", "--quiet"][..],
        &["run", "duck-drop", "--frames", "0", "--quiet", "--report", "r.json", "--export", "x.glb"],
        &["render", "duck-drop", "--frames", "1", "--size", "32x20", "--quiet", "--out", "x.png"],
    ] {
        let output = pliant(&folder, arguments);
        let streams = (text(&output.stdout), text(&output.stderr));
        assert_eq!((output.status.code(), streams), (Some(0), ("", "")), "{arguments:?}");
    }
    let report = json(&folder.join("r.json"));
    assert_eq!(report["frames"], 0);
    assert!((report["volume_ratio"].as_f64().unwrap() - 1.0).abs() < 1e-6);
    let body = &report["bodies"][0];
    assert_eq!((&body["nodes_last"], &body["mass_last"]), (&body["nodes_first"], &body["mass_first"]));
    assert!(read_mesh(folder.join("x.glb")).is_ok());
}

#[test]
fn progress_goes_to_stderr_as_plain_lines() {
    let output = pliant(&folder("progress"), &["run", "duck-drop", "--frames", "10"]);
    let lines: Vec<&str> = text(&output.stderr).lines().collect();
    assert_eq!((lines.len(), lines[0], lines[9]), (10, "1/10 frames", "10/10 frames"));
    assert!(!text(&output.stdout).contains("/10 frames"));
}

#[test]
fn a_run_that_had_to_contain_nodes_fails_unless_that_is_allowed() {
    let folder = folder("contained");
    let scene =
        "[[body]]\nshape = { sphere = { radius = 0.5, subdivisions = 1 } }\nvelocity = [1e20, 0, 0]\n";
    std::fs::write(folder.join("fast.toml"), scene).unwrap();
    let arguments = ["run", "fast.toml", "--frames", "2", "--quiet", "--report", "r.json"];
    let output = pliant(&folder, &arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("fast: contained") && error.contains("--allow-contained"), "{error}");
    let contained = |report: Value| report["contained"].as_u64().unwrap();
    assert!(contained(json(&folder.join("r.json"))) > 0);
    succeeds(&folder, &[&arguments[..], &["--allow-contained"]].concat());
    assert!(contained(json(&folder.join("r.json"))) > 0);
}

#[test]
fn the_summary_tells_bodies_and_their_pieces() {
    let folder = folder("pieces");
    let out = succeeds(&folder, &["run", "cylinder-out-of-cube", "--frames", "70"]);
    assert!(out.contains("1 body in 2 pieces"), "{out}");
}

#[test]
fn a_scene_without_bodies_has_a_report_without_gaps() {
    let folder = folder("no-bodies");
    std::fs::write(folder.join("empty.toml"), "name = \"empty\"\n").unwrap();
    succeeds(&folder, &["run", "empty.toml", "--frames", "2", "--report", "r.json"]);
    let report = json(&folder.join("r.json"));
    assert!(report.as_object().unwrap().values().all(|value| !value.is_null()), "{report}");
}

#[test]
fn bad_arguments_are_refused_before_anything_is_written() {
    let folder = folder("refused");
    let refuses = |arguments: &[&str], words: &[&str]| super::refuses(&folder, arguments, words);
    refuses(&["run"], &["<SCENE>"]);
    refuses(&["walk"], &["walk"]);
    refuses(&["run", "jely-cubes"], &["jely-cubes", "did you mean jelly-cubes?", "pliant scenes"]);
    refuses(&["run", "xyzzy"], &["xyzzy", "`pliant scenes` lists all"]);
    refuses(&["run", ""], &["no scene"]);
    refuses(&["run", "no-such.toml"], &["no-such.toml", "no such file"]);
    refuses(&["run", "."], &["directory"]);
    refuses(&["run", "duck-drop", "--threads", "0"], &["--threads", "1..=1024"]);
    refuses(&["run", "duck-drop", "--threads", "99999999"], &["--threads"]);
    refuses(&["run", "duck-drop", "--frames", "-1"], &["-1"]);
    for ms in ["0", "-3", "nan", "inf"] {
        refuses(&["run", "duck-drop", &format!("--budget-ms={ms}")], &["--budget-ms", "above 0"]);
    }
    refuses(&["run", "duck-drop", "--budget-ms", "few"], &["--budget-ms", "a number is needed"]);
    refuses(&["run", "duck-drop", "--frames", "many"], &["--frames", "many"]);
    refuses(&["run", "duck-drop", "--export", "x.foo"], &["x.foo", ".glb", ".obj", ".ply"]);
    refuses(&["run", "duck-drop", "--export", "x"], &["x:", ".glb"]);
    refuses(&["run", "duck-drop", "--export", "no/x.glb"], &["no/x.glb", "there is no folder no"]);
    refuses(&["run", "duck-drop", "--report", "no/r.json"], &["no/r.json", "there is no folder no"]);
    refuses(&["run", "duck-drop", "--report", "."], &["directory"]);
    refuses(&["run", "duck-drop", "--set", "frames"], &["frames", "key=value"]);
    refuses(&["run", "duck-drop", "--set", "colour=red"], &["colour", "unknown key"]);
    refuses(
        &["run", "duck-drop", "--set", "body[0].material.alpha=2"],
        &["body[0].material.alpha", "[0, 1]"],
    );
    refuses(&["run", "duck-drop", "--set", "body[0].figure=dog"], &["dog", "duck, hand"]);
    refuses(&["bench", "speed"], &["speed", "kernels"]);
    refuses(&["bench", "--json", "no/b.json"], &["no/b.json", "no folder"]);
    assert!(names(&folder).is_empty());
}

#[test]
fn bad_scene_files_are_refused_with_file_and_line() {
    let folder = folder("bad-scenes");
    for (file, bytes, words) in [
        ("syntax.toml", &b"name = \"x\n"[..], &["syntax.toml:1"][..]),
        ("key.toml", b"\n\nnmae = \"x\"\n", &["key.toml:3: nmae: unknown key"]),
        ("range.toml", b"[[body]]\nfigure = \"duck\"\nscale = -1\n", &["range.toml:3: body[0].scale"]),
        ("figure.toml", b"[[body]]\nfigure = \"dog\"\n", &["figure.toml:2: body[0].figure", "duck, hand"]),
        ("mesh.toml", b"[[body]]\nmesh = \"none.obj\"\n", &["mesh.toml:2: body[0].mesh", "none.obj"]),
        ("bytes.toml", b"\xff\xfe\x00", &["bytes.toml", "UTF-8"]),
        ("empty.toml", b"", &["empty.toml", "empty"]),
        ("scene.txt", b"not a scene", &["scene.txt:1"]),
    ] {
        std::fs::write(folder.join(file), bytes).unwrap();
        refuses(&folder, &["run", file, "--frames", "1"], words);
    }
    write_mesh(folder.join("cube.obj"), &shapes::cuboid(Vec3::ONE, [1, 1, 1])).unwrap();
    refuses(&folder, &["run", "cube.obj"], &["cube.obj: this is a mesh", "pliant mesh", "docs/scenes.md"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("read-only");
    let locked = folder.join("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(locked.join("probe"), "").is_ok() {
        // This user may write anywhere.
        return;
    }
    let output =
        pliant(&folder, &["run", "duck-drop", "--frames", "1", "--quiet", "--report", "locked/r.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("locked/r.json"), "{}", text(&output.stderr));
}

#[test]
fn a_run_becomes_a_series_for_paraview() {
    let folder = folder("run-series");
    succeeds(&folder, &["run", "jelly-cubes", "--frames", "3", "--quiet", "--export", "cubes.vtu"]);
    let files: Vec<String> = (0..4).map(|frame| format!("cubes-0000{frame}.vtu")).collect();
    let mut expected = files.clone();
    expected.push("cubes.pvd".into());
    assert_eq!(names(&folder), expected);
    let list = std::fs::read_to_string(folder.join("cubes.pvd")).unwrap();
    assert!(files.iter().all(|file| list.contains(&format!("file=\"{file}\""))), "{list}");
    let bytes = std::fs::read(folder.join(&files[3])).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    for array in ["displacement", "velocity", "strain", "body"] {
        assert!(text.contains(&format!("Name=\"{array}\"")), "{array}");
    }
}
