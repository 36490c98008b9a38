//! What the studio begins with, and what is brought into it.
#![cfg(feature = "window")]

use crate::window::{Window, change, hold, look, open, wait};
use eframe::egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use pliant::Body;
use pliant_studio::app::Studio;
use pliant_studio::app::files::Brought;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The studio as `pliant studio WHAT` opens it.
fn begin_with(what: &str) -> Window {
    let what = what.to_owned();
    Harness::builder()
        .with_size(vec2(1280.0, 720.0))
        .build_eframe(move |context| Studio::opening(context, &what))
}

/// A tetrahedron, as an OBJ file of the given edge.
fn tetrahedron(edge: f32) -> String {
    format!("v 0 0 0\nv {edge} 0 0\nv 0 {edge} 0\nv 0 0 {edge}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
}

/// A file of the user's.
fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("opening");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(name), text).expect("a file");
    folder.join(name).to_str().expect("a path").to_owned()
}

/// Waits for steps that nobody asked for.
fn runs(window: &mut Window) {
    let start = Instant::now();
    while look(window, |running| running.session.steps()) == 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing runs");
        window.step();
        std::thread::yield_now();
    }
}

fn lowest(body: &Body) -> f64 {
    body.skin().positions.iter().map(|p| body.nodes.origin.y + f64::from(p.y)).fold(f64::MAX, f64::min)
}

#[test]
fn a_mesh_to_begin_with_falls_and_lands_on_a_floor() {
    // In metres and in millimetres.
    for (name, edge) in [("one.obj", 1.0), ("thousand.obj", 1000.0)] {
        let mut window = begin_with(&file(name, &tetrahedron(edge)));
        wait(&mut window, |studio| studio.is_opening());
        runs(&mut window);
        hold(&mut window);
        let bodies = |window: &Window| look(window, |running| running.session.world().bodies().count());
        let low = |window: &Window| {
            look(window, |running| lowest(running.session.world().bodies().next().expect("a body").1))
        };
        // The mesh is the scene: going back to the beginning does not take it away.
        assert_eq!(bodies(&window), 1);
        assert_eq!(look(&window, |running| running.session.world().colliders().count()), 1);
        let first = low(&window);
        assert!(first > 0.2, "it begins above the floor, not at {first}");
        change(&window, |running| {
            for _ in 0..180 {
                running.session.step();
            }
        });
        window.run_steps(2);
        let last = low(&window);
        assert!(last.abs() < 0.02, "it lies on the floor, not at {last}");
        assert!(look(&window, |running| running.session.contained() == 0));
        // It is seen, and so is the floor.
        let (_, view) = window.state().picture().expect("a picture");
        assert!(view.view.floor.is_some());
        assert_eq!(look(&window, |running| format!("{}.obj", running.session.scene().name)), name);
    }
}

#[test]
fn a_scene_or_a_scene_file_to_begin_with_runs() {
    let scenes = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    for (what, name) in [("jelly-cubes", "jelly-cubes"), (&format!("{scenes}/drop.toml"), "drop")] {
        let mut window = begin_with(what);
        wait(&mut window, |studio| studio.is_opening());
        assert_eq!(look(&window, |running| running.session.scene().name.clone()), name);
        runs(&mut window);
    }
}

#[test]
fn what_cannot_be_opened_at_the_beginning_is_told_of_and_a_mesh_can_follow() {
    let mut window = begin_with(&file("nonsense.obj", "f 1 2 3\n"));
    wait(&mut window, |studio| studio.is_opening());
    assert!(window.query_by_label_contains("nonsense.obj").is_some());
    let file = Brought { path: "thing.obj".into(), bytes: Ok(tetrahedron(1.0).into()) };
    window.state_mut().open_file(file);
    hold(&mut window);
    assert_eq!(look(&window, |running| running.session.world().bodies().count()), 1);
}

#[test]
fn files_that_come_together_or_too_early_are_all_opened() {
    let mut window = open("duck-drop");
    let before = look(&window, |running| running.session.world().bodies().count());
    // The scene is still being opened when they come.
    window.state_mut().open_scene("duck-drop");
    for name in ["a.obj", "b.obj"] {
        let file = Brought { path: name.into(), bytes: Ok(tetrahedron(1.0).into()) };
        window.state_mut().open_file(file);
    }
    wait(&mut window, |studio| studio.is_opening());
    assert_eq!(look(&window, |running| running.session.world().bodies().count()), before + 2);
}
