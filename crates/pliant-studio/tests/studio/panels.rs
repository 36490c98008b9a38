//! Panels show what is there. Showing it changes nothing.
#![cfg(feature = "window")]
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use crate::window::{Window, change, hold, look, press, window};
use eframe::egui::{self, Key};
use egui_kittest::kittest::Queryable;
use pliant::{Material, ModelSettings, WorldSettings};
use pliant_studio::app::Settings;
use pliant_studio::app::files::Brought;
use pliant_studio::{Input, Session};
use std::path::{Path, PathBuf};

/// All that the panels could change, and what it does in a few steps.
#[derive(Debug, PartialEq)]
struct State {
    inputs: Vec<(u64, Input)>,
    world: WorldSettings,
    budget_ms: Option<f32>,
    bodies: Vec<(Material, ModelSettings)>,
    hash: u64,
}

impl State {
    fn of(session: &Session) -> Self {
        let world = session.world();
        Self {
            inputs: session.inputs().to_vec(),
            world: world.settings,
            budget_ms: session.budget_ms(),
            bodies: world.bodies().map(|(_, body)| (body.material, body.model_settings())).collect(),
            hash: world.state_hash(),
        }
    }
}

/// Steps that are made in between: few, as every scene is shown.
const STEPS: usize = 3;

/// A window with every part of the panel with parameters open.
fn all_panels() -> Window {
    let mut window = window(Settings { gallery: false, ..Settings::default() });
    for section in ["World", "Window"] {
        // It may be below the edge of the window.
        window.get_by_label(section).click_accesskit();
        window.run_steps(2);
    }
    let shown = |name| window.query_by_role_and_label(egui::Role::SpinButton, name).is_some();
    assert!(shown("substeps") && shown("size of the interface"));
    window
}

/// Shows what has been opened from its beginning, and makes steps.
fn show(window: &mut Window, steps: usize) -> State {
    hold(window);
    for _ in 0..steps {
        change(window, |running| {
            running.session.step();
        });
        window.step();
    }
    look(window, |running| State::of(&running.session))
}

fn untouched(mut session: Session, steps: usize) -> State {
    for _ in 0..steps {
        session.step();
    }
    State::of(&session)
}

#[test]
fn no_scene_is_changed_by_being_shown() {
    let mut window = all_panels();
    for scene in pliant_scenes::SCENES {
        window.state_mut().open_scene(scene.name);
        let expected = untouched(Session::new(pliant_scenes::build(scene.name).unwrap()), STEPS);
        assert!(expected.inputs.is_empty());
        assert_eq!(show(&mut window, STEPS), expected, "{}", scene.name);
    }
}

#[test]
fn no_scene_file_is_changed_by_being_shown() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    assert!(files.len() > 2);
    let mut window = all_panels();
    let tools = [Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num1];
    for (path, tool) in files.into_iter().zip(tools.into_iter().cycle()) {
        press(&mut window, tool);
        let expected = untouched(Session::new(pliant_scenes::load(&path, &[]).unwrap()), STEPS);
        let bytes = std::fs::read(&path).map_err(|error| error.to_string());
        window.state_mut().open_file(Brought { path: path.clone(), bytes });
        assert_eq!(show(&mut window, STEPS), expected, "{}", path.display());
    }
}

/// Scenes with values beyond what sliders reach, and with more digits than are shown.
const BEYOND: [&str; 3] = [
    "[world]\ngravity = [0, -250.123456, 0.0123456]\nsubsteps = 40\nbudget = { nodes = 70123 }\n\
     [[body]]\nshape = { sphere = { radius = 0.5, subdivisions = 2 } }\n\
     clustering = { spread = { count = 70, overlap = 0.81234 } }\n\
     [body.material]\nalpha = 0.123456\nbeta = 0.654321\ndamping = 20.1234\nfriction = 5.4321\n\
     plasticity = { yield_strain = 2.1234, creep_per_sec = 80.1234, max_strain = 7.1234 }\n",
    "[[body]]\nshape = { box = { size = [1, 1, 1], cells = [4, 4, 4] } }\n\
     lattice = { cell = 0.6123456, width = 2.1234567 }\n",
    "[[body]]\nshape = { box = { size = [1, 1, 1], cells = [4, 4, 4] } }\n\
     octree = { cell = 0.0123456, levels = 6, width = 2.1234567, slack = 3.1234567 }\n\
     refine = [{ strain = { from = 0, size = 20000 } }, { tools = { margin = 0, size = 0.3123456 } }]\n",
];

fn bring(window: &mut Window, text: &str) -> Session {
    window.state_mut().open_file(Brought { path: "beyond.toml".into(), bytes: Ok(text.into()) });
    Session::new(pliant_scenes::read(text, Path::new("")).unwrap())
}

#[test]
fn what_is_beyond_the_sliders_is_shown_and_stays_as_it_is() {
    let mut window = all_panels();
    for text in BEYOND {
        let expected = untouched(bring(&mut window, text), STEPS);
        assert_eq!(show(&mut window, STEPS), expected, "{text}");
    }
    bring(&mut window, BEYOND[0]);
    hold(&mut window);
    for (name, value) in [("friction", 5.43), ("creep, 1/s", 80.1), ("substeps", 40.0), ("clusters", 70.0)] {
        let shown = window.get_by_role_and_label(egui::Role::SpinButton, name).value().unwrap();
        assert!((shown.parse::<f64>().unwrap() - value).abs() < 0.05, "{name}: {shown}");
    }
}

#[test]
fn going_through_the_fields_with_the_keyboard_changes_nothing() {
    let mut window = all_panels();
    for text in BEYOND {
        let expected = untouched(bring(&mut window, text), 0);
        hold(&mut window);
        window.get_by_role_and_label(egui::Role::SpinButton, "α stiffness").focus();
        window.run_steps(2);
        let mut fields = 0;
        for _ in 0..70 {
            let in_a_field = window.query_all_by_role(egui::Role::SpinButton).any(|field| field.is_focused());
            fields += usize::from(in_a_field);
            window.key_press(Key::Tab);
            window.step();
        }
        assert!(fields > 10, "only {fields} fields were visited");
        assert_eq!(look(&window, |running| State::of(&running.session)), expected, "{text}");
    }
}

#[test]
fn a_field_that_is_typed_in_is_taken_over() {
    let mut window = all_panels();
    bring(&mut window, BEYOND[0]);
    hold(&mut window);
    let friction = |window: &Window| {
        look(window, |running| running.session.world().bodies().next().unwrap().1.material.surface.friction)
    };
    let field = window.get_by_role_and_label(egui::Role::SpinButton, "friction");
    field.focus();
    window.run_steps(2);
    // Typed and left within one frame, as on a slow machine.
    let (key, modifiers) = (Key::Enter, egui::Modifiers::NONE);
    let enter = egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
    window.input_mut().events.extend([egui::Event::Text("1".into()), enter]);
    window.run_steps(3);
    assert_eq!(friction(&window), 1.0);
}

#[test]
fn a_budget_of_milliseconds_stays_as_it_is() {
    let mut window = all_panels();
    let expected = untouched(
        bring(&mut window, "[world]\nbudget = { millis = 50.5 }\n[[body]]\nfigure = \"star\"\n"),
        0,
    );
    assert_eq!(expected.budget_ms, Some(50.5));
    // Steps measure themselves and say how many nodes there may be: none are made.
    assert_eq!(show(&mut window, 0), expected);
}
