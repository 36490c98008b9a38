//! Every scene has the states it had: its hashes are compared with those in `golden-hashes.txt`, on every platform.
//!
//! A table that should change is written anew by
//! `PLIANT_RENEW=1 cargo test -p pliant-scenes --test golden_hashes`; CONTRIBUTING.md says what else belongs to it.

use pliant::Body;
use pliant::geometry::{EdgeTable, weld};
use pliant_io::scene::Scene;
use pliant_scenes::{SCENES, SceneEntry};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden-hashes.txt");
const HEADING: &str = "\
# World::state_hash of every scene, compared by golden_hashes.rs, which says how to renew it.
# scene                frame 0          frame 60         frame 240
";
/// Frames of the table's columns. In a second, what falls lands; in four, most has come to rest.
const COLUMNS: [usize; 3] = [0, 60, 240];
/// The frame at which bodies are looked at.
const SECOND: usize = 60;

/// What came of one scene.
struct Run {
    name: &'static str,
    /// As the table has them.
    hashes: String,
    /// What should not have happened.
    complaints: Vec<String>,
}

/// Every scene, run once for all the tests here.
static RUNS: LazyLock<Vec<Run>> = LazyLock::new(|| SCENES.par_iter().with_max_len(1).map(run).collect());

fn run(entry: &SceneEntry) -> Run {
    let mut run = Run { name: entry.name, hashes: String::new(), complaints: Vec::new() };
    let mut scene = match entry.build_with(&[]) {
        Ok(scene) => scene,
        Err(error) => {
            run.complaints.push(format!("{}: {error}", entry.name));
            return run;
        }
    };
    let mut frames = 0;
    let hashes = COLUMNS.map(|column| {
        while frames < column {
            frames += 1;
            step(&mut scene, &format!("{}, frame {frames}", entry.name), &mut run.complaints);
        }
        if column == SECOND {
            let bodies = scene.world.bodies();
            run.complaints.extend(bodies.flat_map(|(_, body)| wrong_with(entry, body)));
        }
        format!("{:016x}", scene.world.state_hash())
    });
    run.hashes = hashes.join(" ");
    run
}

fn step(scene: &mut Scene, what: &str, complaints: &mut Vec<String>) {
    let report = scene.step();
    if report.nodes == 0 || report.refused || report.contained > 0 {
        let (nodes, contained) = (report.nodes, report.contained);
        complaints.push(format!("{what}: {nodes} nodes, {contained} contained, refused: {}", report.refused));
    }
}

fn wrong_with(entry: &SceneEntry, body: &Body) -> Vec<String> {
    let vectors =
        [&body.nodes.positions, &body.nodes.velocities, &body.skin().positions, &body.skin().normals];
    let finite = vectors.into_iter().flatten().all(|v| v.is_finite());
    let mesh = &body.rest().mesh;
    let edges = EdgeTable::new(&weld(mesh, 1e-6).triangles);
    let volume = body.volume_ratio();
    let holds = [
        (finite, "is not finite".to_owned()),
        (body.skin().positions.len() == mesh.positions.len(), "has lost vertices of its skin".to_owned()),
        (edges.is_closed() && edges.is_oriented(), "has an open skin".to_owned()),
        ((0.1..10.0).contains(&volume), format!("has {volume} of its volume")),
    ];
    let wrong = holds.into_iter().filter(|(holds, _)| !holds);
    wrong.map(|(_, what)| format!("{}, {}, {what}", entry.name, body.name)).collect()
}

/// Rows by name: hashes as text, in the order of the columns.
fn rows(table: &str) -> BTreeMap<&str, &str> {
    let rows = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|row| row.split_once(' ').unwrap_or((row, "")))
        .map(|(name, hashes)| (name, hashes.trim_start()))
        .collect()
}

/// One line for every row that is not the same in both: those that changed, are new, or have no scene any more.
fn changes(old: &BTreeMap<&str, &str>, new: &BTreeMap<&str, &str>) -> Vec<String> {
    let mut names: Vec<&str> = old.keys().chain(new.keys()).copied().collect();
    names.sort_unstable();
    names.dedup();
    let changed = names.into_iter().filter(|name| old.get(name) != new.get(name));
    let text = |rows: &BTreeMap<&str, &str>, name, none| rows.get(name).map_or(none, |row| *row).to_owned();
    changed
        .map(|name| {
            let (was, is) = (text(old, name, "no row"), text(new, name, "no such scene"));
            format!("{name}\n  was {was}\n  is  {is}")
        })
        .collect()
}

#[test]
fn every_scene_has_the_states_of_the_table() {
    if std::env::var_os("PLIANT_RENEW").is_some() {
        let rows = RUNS.iter().map(|run| format!("{:<22} {}\n", run.name, run.hashes));
        std::fs::write(TABLE, HEADING.to_owned() + &rows.collect::<String>()).unwrap();
    }
    let table = std::fs::read_to_string(TABLE).unwrap();
    let now = RUNS.iter().map(|run| (run.name, run.hashes.as_str())).collect();
    let changed = changes(&rows(&table), &now);
    assert!(
        changed.is_empty(),
        "\n{}\n{} of {} rows changed (frames {COLUMNS:?}). If that is meant, renew the table with\n  \
        PLIANT_RENEW=1 cargo test -p pliant-scenes --test golden_hashes\n\
        and say in CHANGELOG.md which rows changed and why.",
        changed.join("\n"),
        changed.len(),
        SCENES.len()
    );
}

#[test]
fn every_scene_runs_with_nothing_contained_and_whole_bodies() {
    let complaints: Vec<&str> = RUNS.iter().flat_map(|run| &run.complaints).map(String::as_str).collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn a_changed_row_a_new_scene_and_a_row_without_a_scene_are_all_told() {
    let old = rows("# heading\nsame 0 1 2\nchanged 0 1 2\ngone 0 1 2\n");
    let new = rows("same   0 1 2\nchanged 0 1 3\nnew 0 1 2\n");
    let told = [
        "changed\n  was 0 1 2\n  is  0 1 3",
        "gone\n  was 0 1 2\n  is  no such scene",
        "new\n  was no row\n  is  0 1 2",
    ];
    assert_eq!(changes(&old, &new), told);
    assert!(changes(&new, &new).is_empty());
}
