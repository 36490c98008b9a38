//! The scene files that come with Pliant, and what `docs/scenes.md` says of them.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant_io::scene::{Scene, SceneFile};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn docs() -> String {
    std::fs::read_to_string(root().join("docs/scenes.md")).unwrap()
}

fn scene_files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("scenes")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    files
}

fn check_runs(mut scene: Scene, what: &str) {
    let mass =
        |scene: &Scene| scene.world.bodies().map(|(_, body)| body.rest().nodes.total_mass).sum::<f64>();
    let before = mass(&scene);
    for frame in 0..scene.frames {
        let report = scene.step();
        assert!(report.nodes > 0 && report.contained == 0 && !report.refused, "{what}, frame {frame}");
        let now = mass(&scene);
        assert!((now - before).abs() < 1e-5 * before, "{what}, frame {frame}: {before} kg became {now} kg");
        let cuts = scene.world.cuts().iter().filter_map(|event| event.result.as_ref().ok());
        cuts.for_each(|parted| assert!(parted.closed, "{what}, frame {frame}: a surface is open"));
    }
}

#[test]
fn every_scene_file_loads_and_runs() {
    let files = scene_files();
    assert!(files.len() >= 3);
    for path in files {
        let scene = pliant_scenes::load(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(Some(scene.name.as_ref()), path.file_stem(), "a scene is called as its file");
        assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
        check_runs(scene, &path.to_string_lossy());
    }
}

#[test]
fn the_mesh_beside_the_scene_files_is_small_and_closed() {
    let path = root().join("scenes/cup.obj");
    assert!(std::fs::metadata(&path).unwrap().len() < 30_000);
    let report = pliant::geometry::inspect(&pliant_io::read_mesh(path).unwrap().mesh);
    assert_eq!((report.components, report.closed_components, report.flipped_triangles), (1, 1, 0));
}

#[test]
fn the_tetrahedra_beside_the_scene_files_are_few_and_sound() {
    let path = root().join("scenes/ring.msh");
    assert!(std::fs::metadata(&path).unwrap().len() < 60_000);
    let loaded = pliant_io::read_volume(path).unwrap();
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    let scene = pliant_scenes::load(&root().join("scenes/own-tetrahedra.toml"), &[]).unwrap();
    let parts: Vec<usize> = scene.world.bodies().map(|(_, body)| body.model.parts()).collect();
    assert_eq!(parts, [loaded.mesh.tetrahedra.len(); 3]);
}

/// The text of the fenced blocks of a language.
fn blocks(markdown: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    markdown.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn the_examples_of_the_documentation_build_and_run() {
    let examples = blocks(&docs(), "toml");
    assert!(examples.len() >= 2);
    for text in examples {
        let scene = SceneFile::parse(&text).and_then(|scene| scene.build(&root(), &pliant_scenes::figure));
        check_runs(scene.unwrap_or_else(|error| panic!("{error}\n{text}")), &text);
    }
}

#[test]
fn the_shapes_selections_and_colliders_of_the_documentation_are_read() {
    let docs = docs();
    let code = docs.split('|').flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let choices: Vec<&str> =
        code.filter(|c| c.starts_with("{ ") && c.contains(" = { ") && !c.contains('…')).collect();
    assert!(choices.len() >= 14, "{choices:?}");
    for choice in choices {
        let reads = |text: String| SceneFile::parse(&text).is_ok();
        let ok = reads(format!("[[collider]]\nshape = {choice}"))
            || reads(format!("[[body]]\nshape = {choice}"))
            || reads(format!("[[body]]\nclustering = {choice}"))
            || reads(format!("[[body]]\nclusters = {{ area_cap = {choice} }}"))
            || reads(format!("[[pin]]\nbody = \"b\"\nmembers = {choice}"))
            || reads(format!("[[body]]\nrefine = [{choice}]"));
        assert!(ok, "{choice}");
    }
}

/// A place in a scene file: text that ends just where a key of that table is to be written, and how the table ends.
const TABLES: &[(&str, &str)] = &[
    ("", " = 0"),
    ("[world]\n", " = 0"),
    ("[world]\nbudget = { ", " = 0 }"),
    ("[camera]\n", " = 0"),
    ("[[collider]]\n", " = 0"),
    ("[[collider]]\nshape = \"", "\""),
    ("[[collider]]\nshape = { sphere = { ", " = 0 } }"),
    ("[[collider]]\nshape = { box = { ", " = 0 } }"),
    ("[[collider]]\nshape = { capsule = { ", " = 0 } }"),
    ("[[collider]]\nshape = { cylinder = { ", " = 0 } }"),
    ("[[collider]]\nshape = { convex-hull = { ", " = 0 } }"),
    ("[[collider]]\nshape = { mesh = { ", " = 0 } }"),
    ("[[collider]]\nshape = { heightfield = { ", " = 0 } }"),
    ("[[collider]]\nmotion = { ", " = 0 }"),
    ("[[collider]]\nrotation = { ", " = 0 }"),
    ("[[body]]\n", " = 0"),
    ("[[body]]\nshape = \"", "\""),
    ("[[body]]\nshape = { box = { ", " = 0 } }"),
    ("[[body]]\nshape = { sphere = { ", " = 0 } }"),
    ("[[body]]\nshape = { cylinder = { ", " = 0 } }"),
    ("[[body]]\nshape = { capsule = { ", " = 0 } }"),
    ("[[body]]\nshape = { torus = { ", " = 0 } }"),
    ("[[body]]\nshape = { torus-knot = { ", " = 0 } }"),
    ("[[body]]\nshape = { l-bar = { ", " = 0 } }"),
    ("[[body]]\nmaterial = { ", " = 0 }"),
    ("[[body]]\nmaterial = { plasticity = { ", " = 0 } }"),
    ("[[body]]\nclusters = { ", " = 0 }"),
    ("[[body]]\nclusters = { matching = \"", "\" }"),
    ("[[body]]\nclustering = \"", "\""),
    ("[[body]]\nclustering = { spread = { ", " = 0 } }"),
    ("[[body]]\nclustering = { grid = { ", " = 0 } }"),
    ("[[body]]\nclustering = { given = [{ ", " = 0 }] }"),
    ("[[body]]\nparticles = { ", " = 0 }"),
    ("[[body]]\nlattice = { ", " = 0 }"),
    ("[[body]]\noctree = { ", " = 0 }"),
    ("[[body]]\nrefine = [\"", "\"]"),
    ("[[body]]\nrefine = [{ everywhere = { ", " = 0 } }]"),
    ("[[body]]\nrefine = [{ surface = { ", " = 0 } }]"),
    ("[[body]]\nrefine = [{ features = { ", " = 0 } }]"),
    ("[[body]]\nrefine = [{ region = { ", " = 0 } }]"),
    ("[[body]]\nrefine = [{ viewer = { ", " = 0 } }]"),
    ("[[body]]\nrefine = [{ strain = { ", " = 0 } }]"),
    ("[[body]]\nrefine = [{ tools = { ", " = 0 } }]"),
    ("[[body]]\nwidths = [{ ", " = 0 }]"),
    ("[[body]]\nstiffness = [{ ", " = 0 }]"),
    ("[[body]]\ntoughness = [{ ", " = 0 }]"),
    ("[[body]]\ncopies = { ", " = 0 }"),
    ("[[rigid]]\n", " = 0"),
    ("[[rigid]]\nattach = { ", " = 0 }"),
    ("[[attachment]]\n", " = 0"),
    ("[[pick]]\n", " = 0"),
    ("[[pick]]\nspring = { ", " = 0 }"),
    ("[[pick]]\nmotion = { ", " = 0 }"),
    ("[[pick]]\nmotion = { path = [{ ", " = 0 }] }"),
    ("[[pin]]\n", " = 0"),
    ("[[pin]]\nmembers = \"", "\""),
    ("[[pin]]\nmembers = { box = { ", " = 0 } }"),
    ("[[pin]]\nmembers = { sphere = { ", " = 0 } }"),
    ("[[push]]\n", " = 0"),
    ("[[wind]]\n", " = 0"),
    ("[[knife]]\n", " = 0"),
    ("[[knife]]\npath = [{ ", " = 0 }]"),
    ("[[cut]]\n", " = 0"),
    ("[[cut]]\nplane = { ", " = 0 }"),
    ("[[cut]]\nscissors = { ", " = 0 }"),
    ("[[cut]]\ncylinder = { ", " = 0 }"),
    ("[[cut]]\nsphere = { ", " = 0 }"),
];

/// What stands in a cap's table; its own error does not list it.
const AREA_CAP: [&str; 6] = ["method", "limit", "soft_from", "rows", "blend", "cheap"];

/// All keys and choices that scene files may have: what the reader says it would have expected.
fn known_words() -> BTreeSet<String> {
    let mut words: BTreeSet<String> = AREA_CAP.map(str::to_owned).into();
    for (before, after) in TABLES {
        let message = SceneFile::parse(&format!("{before}no-such-word{after}")).unwrap_err().message;
        let (_, expected) = message.rsplit_once("expected ").unwrap_or_else(|| panic!("{before}: {message}"));
        // Quoted with words between, or a plain list.
        let expected: Vec<&str> = match expected.contains('`') {
            true => expected.split('`').skip(1).step_by(2).collect(),
            false => expected.split(", ").collect(),
        };
        assert!(!expected.is_empty(), "{before}: {message}");
        words.extend(expected.into_iter().map(str::to_owned));
    }
    words
}

#[test]
fn the_documentation_mentions_every_key() {
    let docs = docs();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mentioned: BTreeSet<&str> = docs.split(|c| !is_part(c)).collect();
    let missing: Vec<String> =
        known_words().into_iter().filter(|w| !mentioned.contains(w.as_str())).collect();
    assert!(missing.is_empty(), "docs/scenes.md does not say what {missing:?} are");
}

fn words_of(value: &toml::Value, words: &mut BTreeSet<String>) {
    match value {
        toml::Value::Table(table) => table.iter().for_each(|(key, value)| {
            words.insert(key.clone());
            words_of(value, words);
        }),
        toml::Value::Array(items) => items.iter().for_each(|item| words_of(item, words)),
        toml::Value::String(text) => drop(words.insert(text.clone())),
        _ => {}
    }
}

#[test]
fn the_scene_of_everything_uses_every_key() {
    let text = std::fs::read_to_string(root().join("scenes/everything.toml")).unwrap();
    let mut used = BTreeSet::new();
    words_of(&toml::from_str(&text).unwrap(), &mut used);
    let missing: Vec<String> = known_words().into_iter().filter(|word| !used.contains(word)).collect();
    // Pinning all of a body would leave nothing to simulate; a budget of time would make runs differ.
    assert_eq!(missing, ["all", "millis"], "scenes/everything.toml");
}

const BODY: &str = "[[body]]\nname = \"star\"\nfigure = \"star\"\n";

/// The smallest scene with a table of the documentation: what comes before a key of it, and what after.
fn around(table: &str) -> [String; 2] {
    let body_first = |text: &str| [format!("{BODY}{text}"), String::new()];
    let body_last = |text: &str| [text.to_owned(), BODY.to_owned()];
    match table {
        "[camera]" => body_last("[camera]\neye = [0, 1, 4]\ntarget = [0, 0, 0]\n"),
        "[[collider]]" => body_last("[[collider]]\nfigure = \"star\"\n"),
        "[[body]]" => body_first(""),
        "[body.copies]" => body_first("[body.copies]\ncounts = [2, 1, 1]\nspacing = [2, 0, 0]\n"),
        "[[rigid]]" => body_last("[[rigid]]\nshape = { sphere = { radius = 0.2 } }\n"),
        "[[pick]]" => body_last("[[pick]]\nbody = \"star\"\nvertex = 3\n"),
        "[pick.spring]" => body_last("[[pick]]\nbody = \"star\"\nvertex = 3\n[pick.spring]\n"),
        "[[push]]" => body_last("[[push]]\ncenter = [0, 1, 0]\nradius = 0.3\n"),
        "motion" => body_last("[[push]]\ncenter = [0, 1, 0]\nradius = 0.3\n[push.motion]\n"),
        "[[cut]]" => body_last("[[cut]]\nplane = { point = [0, 0.5, 0], normal = [0, 1, 0] }\n"),
        "" => body_last(""),
        table if table.starts_with("[body.") => body_first(&format!("{table}\n")),
        table => body_last(&format!("{table}\n")),
    }
}

/// Each key of a table with what is said of its default: the table, the key, the default.
fn documented_defaults(docs: &str) -> Vec<[String; 3]> {
    let in_backticks = |text: &str| text.split('`').nth(1).unwrap_or_default().to_owned();
    let (mut table, mut has_defaults) = (String::new(), false);
    let mut found = Vec::new();
    for line in docs.lines() {
        match line.strip_prefix("| ") {
            Some(row) if row.starts_with("key | unit, range | default |") => has_defaults = true,
            Some(row) if has_defaults => {
                let cells: Vec<&str> = row.split('|').map(str::trim).collect();
                found.push([table.clone(), in_backticks(cells[0]), cells[2].to_owned()]);
            }
            None if line.starts_with('#') || line.starts_with("`[") => table = in_backticks(line),
            _ => has_defaults &= line.starts_with('|'),
        }
    }
    found
}

#[test]
fn the_defaults_that_the_documentation_states_are_the_true_ones() {
    let mut checked = 0;
    for [table, key, default] in documented_defaults(&docs()) {
        let value = match default.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) {
            Some(value) => value.to_owned(),
            None if default == "1/60" => (1.0_f32 / 60.0).to_string(),
            None if default.parse::<f32>().is_ok() => default,
            None => {
                // Said in words: without a value, or with one that depends on the mesh.
                assert!(!default.contains('`'), "{table} {key}: {default:?} is neither a value nor words");
                continue;
            }
        };
        let [before, after] = around(&table);
        let parse = |text: String| SceneFile::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let (stated, left_out) =
            (parse(format!("{before}{key} = {value}\n{after}")), parse(format!("{before}{after}")));
        // What is filled in only when the world is built shows in the world.
        let outcome = |scene: &SceneFile| {
            let mut scene = scene.build(Path::new(""), &pliant_scenes::figure).unwrap();
            for _ in 0..5 {
                scene.step();
            }
            (scene.frames, scene.dt_secs, scene.world.state_hash())
        };
        let same = stated == left_out || outcome(&stated) == outcome(&left_out);
        assert!(same, "docs/scenes.md says that {key} of {table:?} is {value} unless given");
        checked += 1;
    }
    assert!(checked > 50, "only {checked} defaults were found");
    for clustering in ["spread = { count = 8", "grid = { cells = [5, 1, 5]"] {
        let body =
            |rest| SceneFile::parse(&format!("{BODY}clustering = {{ {clustering}{rest} }} }}")).unwrap();
        assert_eq!(body(""), body(", overlap = 0.5"));
    }
}
