//! The contract that scripts rely on: what `pliant` writes, where, and how it ends.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

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

mod scenes {
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
        let rows: Value =
            serde_json::from_str(&succeeds(&folder("scenes-json"), &["scenes", "--json"])).unwrap();
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
}

mod run {
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

    fn check_report(report: &Value) {
        let is = |key: &str, test: fn(&Value) -> bool| assert!(test(&report[key]), "{key}: {}", report[key]);
        assert_eq!(
            (report["scene"].as_str(), report["model"].as_str()),
            (Some("jelly-cubes"), Some("clusters"))
        );
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
            let arguments =
                ["run", "jelly-cubes", "--frames", "20", "--threads", threads, "--report", "r.json"];
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
            (
                "figure.toml",
                b"[[body]]\nfigure = \"dog\"\n",
                &["figure.toml:2: body[0].figure", "duck, hand"],
            ),
            ("mesh.toml", b"[[body]]\nmesh = \"none.obj\"\n", &["mesh.toml:2: body[0].mesh", "none.obj"]),
            ("bytes.toml", b"\xff\xfe\x00", &["bytes.toml", "UTF-8"]),
            ("empty.toml", b"", &["empty.toml", "empty"]),
            ("scene.txt", b"not a scene", &["scene.txt:1"]),
        ] {
            std::fs::write(folder.join(file), bytes).unwrap();
            refuses(&folder, &["run", file, "--frames", "1"], words);
        }
        write_mesh(folder.join("cube.obj"), &shapes::cuboid(Vec3::ONE, [1, 1, 1])).unwrap();
        refuses(
            &folder,
            &["run", "cube.obj"],
            &["cube.obj: this is a mesh", "pliant mesh", "docs/scenes.md"],
        );
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
}

mod mesh {
    use super::*;

    fn cube() -> TriMesh {
        shapes::cuboid(Vec3::ONE, [2, 2, 2])
    }

    /// A cube with a hole, two flipped triangles and one twice.
    fn damaged() -> TriMesh {
        let mut cube = cube();
        cube.triangles.pop();
        cube.triangles[5].swap(0, 1);
        cube.triangles[9].swap(0, 1);
        cube.triangles.push(cube.triangles[0]);
        cube
    }

    /// The cube with three vertices of its own for each triangle.
    fn soup() -> TriMesh {
        let cube = cube();
        let corners = (0..cube.triangles.len()).flat_map(|t| cube.corners(t)).collect();
        let triangles = (0..cube.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        TriMesh::new(corners, triangles)
    }

    fn found(folder: &Path, arguments: &[&str]) -> Value {
        let mut all = vec!["mesh", "--json"];
        all.extend(arguments);
        serde_json::from_str(&succeeds(folder, &all)).unwrap()
    }

    #[test]
    fn a_good_cube_is_told_to_be_one() {
        let folder = folder("mesh-good");
        write_mesh(folder.join("cube.obj"), &cube()).unwrap();
        let out = succeeds(&folder, &["mesh", "cube.obj"]);
        assert!(out.starts_with("cube.obj (OBJ)") && out.contains("1 (1 closed)"), "{out}");
        assert!(out.contains("1.000000 m³") && out.contains("1 × 1 × 1 m"), "{out}");
        let found = found(&folder, &["cube.obj"]);
        assert_eq!((found["file"].as_str(), found["format"].as_str()), (Some("cube.obj"), Some("OBJ")));
        assert_eq!(found["mesh"]["open_edges"], 0);
        assert!(found["verdict"].is_array() && found["repair"].is_null());
    }

    #[test]
    fn a_damaged_one_is_described_and_mended() {
        let folder = folder("mesh-damaged");
        write_mesh(folder.join("bad.obj"), &damaged()).unwrap();
        let report = found(&folder, &["bad.obj"])["mesh"].clone();
        let count = |key: &str| report[key].as_u64().unwrap();
        assert!(
            count("open_edges") > 0 && count("flipped_triangles") > 0 && count("duplicate_triangles") == 1,
            "{report}"
        );
        let out = succeeds(&folder, &["mesh", "bad.obj", "--repair"]);
        assert!(out.contains("repair") && out.contains("--out"), "{out}");
        assert_eq!(names(&folder), ["bad.obj"]);
        for file in ["mended.obj", "mended.ply", "mended.glb"] {
            let out = succeeds(&folder, &["mesh", "bad.obj", "--repair", "--out", file]);
            assert!(out.contains(&format!("written {file}")), "{out}");
            let mended = found(&folder, &[file])["mesh"].clone();
            let clean = ["open_edges", "flipped_triangles", "duplicate_triangles", "non_manifold_edges"];
            assert!(clean.iter().all(|key| mended[key] == 0), "{file}: {mended}");
            assert!((mended["volume"].as_f64().unwrap() - 1.0).abs() < 1e-3, "{file}: {mended}");
        }
        let log = found(&folder, &["bad.obj", "--repair", "--out", "quiet.obj"])["repair"].clone();
        assert!(log.is_object() && folder.join("quiet.obj").exists(), "{log}");
    }

    #[test]
    fn a_soup_of_triangles_is_welded() {
        let folder = folder("mesh-soup");
        write_mesh(folder.join("soup.ply"), &soup()).unwrap();
        let before = found(&folder, &["soup.ply", "--repair", "--out", "welded.ply"]);
        assert_eq!(before["mesh"]["vertices"], 144);
        let after = found(&folder, &["welded.ply"])["mesh"].clone();
        assert_eq!((&after["vertices"], &after["open_edges"]), (&Value::from(26), &Value::from(0)));
    }

    #[test]
    fn a_mesh_changes_its_format() {
        let folder = folder("mesh-convert");
        write_mesh(folder.join("cube.obj"), &cube()).unwrap();
        succeeds(&folder, &["mesh", "cube.obj", "--out", "cube.glb"]);
        assert_eq!(read_mesh(folder.join("cube.glb")).unwrap().mesh.triangles, cube().triangles);
    }

    #[test]
    fn whatever_is_no_mesh_is_refused_and_nothing_is_written() {
        let folder = folder("mesh-bad");
        for (file, bytes) in [
            ("empty.obj", &b""[..]),
            ("words.obj", b"this is not a mesh at all\n"),
            ("index.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"),
            ("zero.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n"),
            ("number.obj", b"v 0 0 zero\nf 1 1 1\n"),
            ("nan.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
            ("points.obj", b"v 0 0 0\nv 1 0 0\n"),
            ("header.ply", b"ply\nformat ascii 1.0\nelement vertex 99999999999\n"),
            ("counts.ply", b"ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\nelement face 0\nproperty list uchar int vertex_indices\nend_header\n"),
            ("short.stl", b"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0"),
            ("binary.stl", &[0xff; 90]),
            ("counts.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n"),
            ("index.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n"),
            ("empty.gltf", b"{}"),
            ("broken.gltf", b"{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{"),
            ("length.glb", b"glTF\x02\0\0\0\xff\xff\xff\xff"),
            ("zeros.glb", &[0; 64]),
            ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ] {
            std::fs::write(folder.join(file), bytes).unwrap();
            refuses(&folder, &["mesh", file], &[file]);
            refuses(&folder, &["mesh", file, "--repair", "--json", "--out", "x.obj"], &[file]);
        }
        assert!(!folder.join("x.obj").exists());
        refuses(&folder, &["mesh", "no-such.obj"], &["no-such.obj", "no such file"]);
        refuses(&folder, &["mesh", "."], &["directory"]);
        write_mesh(folder.join("cube.obj"), &cube()).unwrap();
        refuses(&folder, &["mesh", "cube.obj", "--out", "cube.stl"], &["cube.stl", ".obj, .ply and .glb"]);
        refuses(&folder, &["mesh", "cube.obj", "--out", "no/cube.obj"], &["no/cube.obj", "no folder"]);
    }

    #[test]
    fn a_wrong_ending_is_a_warning_on_stderr() {
        let folder = folder("mesh-ending");
        write_mesh(folder.join("cube.obj"), &cube()).unwrap();
        std::fs::rename(folder.join("cube.obj"), folder.join("cube.ply")).unwrap();
        let output = pliant(&folder, &["mesh", "cube.ply", "--json"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stderr).contains("cube.ply: the name says PLY, the content is OBJ"));
        assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
    }
}

mod render {
    use super::*;

    /// Width and height that a PNG says it has.
    fn png_size(path: &Path) -> (u32, u32) {
        let bytes = std::fs::read(path).unwrap();
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{} is no PNG", path.display());
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        (number(16), number(20))
    }

    #[test]
    fn a_folder_gets_a_picture_a_frame() {
        let folder = folder("render-folder");
        let arguments =
            ["render", "duck-drop", "--frames", "4", "--every", "2", "--size", "64x40", "--out", "a/b"];
        assert_eq!(succeeds(&folder, &arguments), "written a/b\n");
        assert_eq!(names(&folder.join("a/b")), ["00000.png", "00002.png", "00004.png"]);
        assert_eq!(png_size(&folder.join("a/b/00004.png")), (64, 40));
        // A folder whose name looks like a file's is a folder.
        std::fs::create_dir(folder.join("take.2")).unwrap();
        succeeds(&folder, &["render", "duck-drop", "--frames", "0", "--size", "32x20", "--out", "take.2"]);
        assert_eq!(names(&folder.join("take.2")), ["00000.png"]);
    }

    #[test]
    fn one_picture_or_a_gif() {
        let folder = folder("render-files");
        let size = ["--frames", "6", "--size", "80x50", "--quiet", "--out"];
        succeeds(&folder, &[&["render", "jelly-spheres"], &size[..], &["x.png"]].concat());
        assert_eq!(png_size(&folder.join("x.png")), (80, 50));
        succeeds(&folder, &[&["render", "jelly-spheres"], &size[..], &["x.gif"]].concat());
        let gif = std::fs::read(folder.join("x.gif")).unwrap();
        assert!(gif.starts_with(b"GIF89a\x50\x00\x32\x00") && gif.ends_with(b";"));
    }

    #[test]
    fn bad_arguments_are_refused_before_anything_is_written() {
        let folder = folder("render-refused");
        std::fs::write(folder.join("file"), "").unwrap();
        let with = |more: &[&'static str], words: &[&str]| {
            refuses(&folder, &[&["render", "duck-drop"], more].concat(), words);
        };
        with(&["--size", "0x0", "--out", "x"], &["--size", "0x0", "1 to 16384"]);
        with(&["--size", "99999999x2", "--out", "x.png"], &["--size", "1 to 16384"]);
        with(&["--size", "abc", "--out", "x"], &["--size", "abc", "1280x720"]);
        with(&["--size", "640", "--out", "x"], &["--size", "640"]);
        with(&["--every", "0", "--out", "x"], &["--every"]);
        with(&[], &["--out"]);
        with(&["--out", "x.bmp"], &["x.bmp", ".png", ".gif", ".mp4"]);
        with(&["--out", "no/x.mp4"], &["no/x.mp4", "there is no folder no"]);
        with(
            &["--overlay", "cells,knots", "--out", "x"],
            &["--overlay", "knots", "regions, graph, clusters"],
        );
        with(&["--renderer", "pen", "--out", "x"], &["--renderer", "pen", "auto, gpu, cpu"]);
        with(&["--out", "no/x.gif"], &["no/x.gif", "there is no folder no"]);
        with(&["--out", "file"], &["file", "this is a file"]);
        refuses(&folder, &["render", "duk-drop", "--out", "x"], &["did you mean duck-drop?"]);
        assert_eq!(names(&folder), ["file"]);
    }

    #[test]
    fn overlays_change_the_picture() {
        let folder = folder("render-overlays");
        let size =
            ["render", "hand-adaptive", "--frames", "2", "--size", "96x60", "--quiet", "--renderer", "cpu"];
        let mut pictures = Vec::new();
        for overlay in ["", "cells", "cells,strain"] {
            succeeds(&folder, &[&size[..], &["--overlay", overlay, "--out", "x.png"]].concat());
            let bytes = std::fs::read(folder.join("x.png")).unwrap();
            assert!(!pictures.contains(&bytes), "{overlay}");
            pictures.push(bytes);
        }
    }

    fn has_ffmpeg() -> bool {
        Command::new("ffmpeg").arg("-version").output().is_ok_and(|output| output.status.success())
    }

    #[test]
    fn a_film_of_odd_size_plays_in_full() {
        if !has_ffmpeg() {
            return;
        }
        let folder = folder("render-film");
        let arguments = ["render", "jelly-cubes", "--frames", "6", "--size", "95x61", "--out", "x.mp4"];
        assert_eq!(succeeds(&folder, &arguments), "written x.mp4\n");
        let film = std::fs::read(folder.join("x.mp4")).unwrap();
        assert_eq!(&film[4..8], b"ftyp");
        // Raw frames come back out: seven, with even sides.
        let decode = ["-v", "error", "-i", "x.mp4", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"];
        let decoded = Command::new("ffmpeg").args(decode).current_dir(&folder).output().unwrap();
        assert!(decoded.status.success(), "{}", text(&decoded.stderr));
        assert_eq!(decoded.stdout.len(), 7 * 96 * 62 * 3);
    }

    /// A folder with something called `ffmpeg` in it, to be found before the real one.
    #[cfg(unix)]
    fn with_ffmpeg(folder: &Path, script: Option<&str>) -> Output {
        use std::os::unix::fs::PermissionsExt;
        let programs = folder.join("programs");
        std::fs::create_dir_all(&programs).unwrap();
        if let Some(script) = script {
            std::fs::write(programs.join("ffmpeg"), script).unwrap();
            let executable = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(programs.join("ffmpeg"), executable).unwrap();
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.args(["render", "duck-drop", "--frames", "400", "--size", "320x200", "--out", "x.mp4"]);
        command.current_dir(folder).env("PATH", programs).stdin(Stdio::null()).output().unwrap()
    }

    #[test]
    #[cfg(unix)]
    fn without_ffmpeg_a_film_is_refused_at_once_and_the_remedy_named() {
        let folder = folder("render-no-ffmpeg");
        let output = with_ffmpeg(&folder, None);
        assert_eq!(output.status.code(), Some(2));
        let error = text(&output.stderr);
        for word in ["ffmpeg", "install", ".gif", "PNG"] {
            assert!(error.contains(word), "{word:?} expected in {error:?}");
        }
        assert!(!error.contains("frame 1"), "nothing is simulated: {error}");
    }

    #[test]
    #[cfg(unix)]
    fn when_ffmpeg_fails_its_last_words_are_told() {
        let folder = folder("render-bad-ffmpeg");
        let script =
            "#!/bin/sh\ncase \"$1\" in -version) exit 0;; esac\necho 'no such encoder' >&2\nexit 3\n";
        let output = with_ffmpeg(&folder, Some(script));
        assert_eq!(output.status.code(), Some(2));
        let error = text(&output.stderr);
        assert!(error.contains("x.mp4") && error.contains("no such encoder"), "{error}");
    }

    #[test]
    fn plain_pliant_writes_what_it_says() {
        let folder = folder("plain");
        let out = succeeds(&folder, &[]);
        let path = PathBuf::from("out").join(format!("{}.gif", pliant_scenes::SCENES[0].name));
        assert!(out.contains(&path.display().to_string()) && out.contains("pliant --help"), "{out}");
        assert!(out.contains("no display") && out.contains(&format!("written {}", path.display())), "{out}");
        assert!(std::fs::read(folder.join(path)).unwrap().starts_with(b"GIF89a"));
    }
}

mod sessions {
    use super::*;
    use pliant::glam::DVec3;
    use pliant_studio::{Input, Session};

    #[test]
    fn a_session_is_done_again_and_says_that_the_same_came_of_it() {
        let folder = folder("session");
        let mut session = Session::new(pliant_scenes::build("duck-drop").unwrap());
        let body = session.world().bodies().next().unwrap().0;
        session.apply(Input::Pick { body, vertex: 7, settings: Default::default() }).unwrap();
        for step in 0..20 {
            session.apply(Input::Move(DVec3::new(0.0, 1.0 + 0.02 * f64::from(step), 0.0))).unwrap();
            session.step();
        }
        std::fs::write(folder.join("bug.pliant"), session.to_bytes()).unwrap();
        let out = succeeds(&folder, &["run", "bug.pliant", "--threads", "2", "--report", "report.json"]);
        assert!(out.contains("reproduced exactly") && out.contains("20 frames"), "{out}");
        let report = std::fs::read_to_string(folder.join("report.json")).unwrap();
        assert!(report.contains(&format!("{:016x}", session.world().state_hash())), "{report}");
        let output = pliant(&folder, &["run", "bug.pliant", "--set", "world.substeps=2"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("--set"));
        std::fs::write(folder.join("other.pliant"), b"something else").unwrap();
        let output = pliant(&folder, &["run", "other.pliant"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("not a session"), "{}", text(&output.stderr));
    }

    #[test]
    fn without_a_display_a_window_is_refused_with_a_reason() {
        let folder = folder("no-window");
        let output = pliant(&folder, &["studio", "duck-drop"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("no display"), "{}", text(&output.stderr));
        let output = pliant(&folder, &["studio", "no-such-thing"]);
        assert_eq!(output.status.code(), Some(2));
    }
}

mod bench_and_help {
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
}
