//! The interface, clicked and dragged without a window.
#![cfg(feature = "window")]

use crate::window::{Window, body_on_screen, change, click, look, open, press, wait, window_of_density};
use eframe::egui::{self, Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use pliant::glam::Vec2;
use pliant_studio::app::Settings;
use pliant_studio::app::files::{Brought, Room, body_of};
use pliant_studio::{Input, Session};
use std::path::PathBuf;

#[test]
fn a_scene_is_chosen_from_the_gallery() {
    let mut window = open("duck-drop");
    assert_eq!(look(&window, |running| running.session.scene().name.clone()), "duck-drop");
    window.get_by_label("jelly-cubes").click();
    window.run_steps(2);
    wait(&mut window, |studio| studio.is_opening());
    assert_eq!(look(&window, |running| running.session.scene().name.clone()), "jelly-cubes");
    assert_eq!(window.state().settings().scene, "jelly-cubes");
}

#[test]
fn steps_are_made_and_taken_back_and_all_is_reset() {
    let mut window = open("duck-drop");
    let first = look(&window, |running| running.session.world().state_hash());
    for _ in 0..3 {
        click(&mut window, "Step");
    }
    assert_eq!(look(&window, |running| running.session.steps()), 3);
    press(&mut window, Key::ArrowLeft);
    assert_eq!(look(&window, |running| running.session.steps()), 2);
    press(&mut window, Key::ArrowRight);
    click(&mut window, "Reset");
    let now = look(&window, |running| (running.session.steps(), running.session.world().state_hash()));
    assert_eq!(now, (0, first));
    click(&mut window, "Play");
    assert!(look(&window, |running| running.playing));
    click(&mut window, "Pause");
    assert!(!look(&window, |running| running.playing));
    press(&mut window, Key::S);
    assert_eq!(look(&window, |running| running.speed), 0.25);
}

#[test]
fn a_drag_on_a_body_moves_it_and_a_drag_beside_turns_the_view() {
    let mut window = open("duck-drop");
    let at = body_on_screen(&window);
    window.hover_at(at);
    window.step();
    window.drag_at(at);
    window.step();
    assert_eq!(look(&window, |running| running.session.world().tools().count()), 1);
    let before = look(&window, |running| running.session.world().bodies().next().unwrap().1.center_of_mass());
    for i in 1..=30 {
        window.hover_at(at + vec2(3.0 * i as f32, -2.0 * i as f32));
        window.step();
        change(&window, |running| {
            running.session.step();
        });
    }
    let after = look(&window, |running| running.session.world().bodies().next().unwrap().1.center_of_mass());
    assert!(after.distance(before) > 0.1, "{before} {after}");
    window.drop_at(at + vec2(90.0, -60.0));
    window.run_steps(2);
    assert_eq!(look(&window, |running| running.session.world().tools().count()), 0);

    let (rect, view) = window.state().picture().unwrap();
    let (beside, eye) = (rect.left_top() + vec2(30.0, 30.0), view.view.camera.eye);
    window.hover_at(beside);
    window.step();
    window.drag_at(beside);
    window.step();
    window.hover_at(beside + vec2(80.0, 0.0));
    window.run_steps(2);
    window.drop_at(beside + vec2(80.0, 0.0));
    window.run_steps(2);
    let turned = window.state().picture().unwrap().1.view.camera.eye;
    assert!(turned.distance(eye) > 0.1 * eye.length(), "{eye} {turned}");
}

#[test]
fn the_material_of_the_selected_body_is_changed_live() {
    let mut window = open("duck-drop");
    let alpha = look(&window, |running| {
        running.session.world().bodies().next().unwrap().1.material.elasticity.alpha().unwrap_or_default()
    });
    let slider = window.get_by_role_and_label(egui::Role::SpinButton, "α stiffness");
    slider.set_value_accesskit(0.85);
    window.run_steps(3);
    let now = look(&window, |running| {
        running.session.world().bodies().next().unwrap().1.material.elasticity.alpha().unwrap_or_default()
    });
    assert!((now - 0.85).abs() < 1e-3 && alpha != now, "{alpha} {now}");
    assert!(look(&window, |running| !running.session.inputs().is_empty()));
}

#[test]
fn the_model_is_changed_and_undone() {
    let mut window = open("duck-drop");
    let name = |window: &Window| {
        look(window, |running| running.session.world().bodies().next().unwrap().1.model.name())
    };
    let hash = look(&window, |running| running.session.world().state_hash());
    assert_eq!(name(&window), "clusters");
    window.get_by_label("model").click();
    window.run_steps(3);
    window.get_by_role_and_label(egui::Role::Button, "octree").click();
    window.run_steps(3);
    assert_eq!(name(&window), "octree");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    assert_eq!(name(&window), "clusters");
    assert_eq!(look(&window, |running| running.session.world().state_hash()), hash);
}

#[test]
fn tools_and_panels_have_keys() {
    let mut window = open("duck-drop");
    press(&mut window, Key::Num2);
    assert_eq!(window.state().settings().tool.name(), "push");
    press(&mut window, Key::G);
    assert!(!window.state().settings().gallery);
    assert!(window.query_by_label("jelly-cubes").is_none());
    press(&mut window, Key::H);
    assert!(window.query_by_label("one step back").is_some());
    press(&mut window, Key::H);
    assert!(window.query_by_label("one step back").is_none());
}

/// A session with a cube that floats around (0, 1, 0).
fn floating_cube() -> Brought {
    let mut world = pliant::World::new();
    world.settings.gravity = pliant::glam::Vec3::ZERO;
    let mesh = pliant::geometry::shapes::cuboid(pliant::glam::Vec3::ONE, [4, 4, 4]);
    let settings = pliant::LatticeSettings { cell: Some(0.1), width: Some(0.2) };
    let builder = pliant::Body::builder(mesh).name("cube").model(pliant::ModelSettings::Lattice(settings));
    world.add_body(builder.at(pliant::glam::DVec3::Y).build().expect("a body"));
    let scene = pliant_io::scene::Scene::resumed(pliant_io::scene::Script::default(), world);
    Brought { path: PathBuf::from("cube.pliant"), bytes: Ok(Session::new(scene).to_bytes()) }
}

#[test]
fn knife_and_scissors_cut_and_a_cut_is_undone() {
    let mut window = open("duck-drop");
    window.state_mut().open_file(floating_cube());
    wait(&mut window, |studio| studio.is_opening());
    change(&window, |running| running.playing = false);
    window.run_steps(2);
    let bodies = |window: &Window| look(window, |running| running.session.world().bodies().count());
    let on_screen = |window: &Window, place: [f64; 3]| {
        let (rect, view) = window.state().picture().unwrap();
        let at = view.project(place.into(), Vec2::new(rect.width(), rect.height())).unwrap();
        rect.min + vec2(at.x, at.y)
    };
    let stroke = |window: &mut Window, from: Pos2, to: Pos2| {
        window.hover_at(from);
        window.step();
        window.drag_at(from);
        window.step();
        for i in 1..=12 {
            window.hover_at(from + (to - from) * (i as f32 / 12.0));
            window.step();
            change(window, |running| {
                running.session.step();
            });
        }
        window.drop_at(to);
        window.run_steps(2);
        change(window, |running| {
            running.session.step();
        });
        window.run_steps(2);
    };
    press(&mut window, Key::Num5);
    assert_eq!(window.state().settings().tool.name(), "knife");
    let eye = window.state().picture().unwrap().1.view.camera.eye;
    let (above, below) = (on_screen(&window, [0.05, 1.9, 0.0]), on_screen(&window, [0.0, 0.05, 0.0]));
    stroke(&mut window, above, below);
    assert_eq!(bodies(&window), 2);
    assert_eq!(window.state().picture().unwrap().1.view.camera.eye, eye, "the view stays");
    assert!(window.query_by_label("Undo: cut with a knife").is_some());
    click(&mut window, "scissors");
    let (left, right) = (on_screen(&window, [-1.0, 1.05, 0.0]), on_screen(&window, [1.0, 1.0, 0.0]));
    stroke(&mut window, left, right);
    assert_eq!(bodies(&window), 4);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    assert_eq!(bodies(&window), 2);
    click(&mut window, "Undo: cut with a knife");
    assert_eq!(bodies(&window), 1);

    // What cannot be cut is told of.
    change(&window, |running| {
        let (point, normal) = ([0.49, 1.49, 0.49].into(), pliant::glam::Vec3::ONE);
        let shave = Input::Scissors { bodies: Vec::new(), point, normal };
        running.session.apply(shave).unwrap();
        running.session.step();
    });
    window.run_steps(2);
    assert!(window.query_by_label_contains("not cut").is_some());
}

#[test]
fn a_session_file_is_opened_and_plays_again() {
    let mut made = Session::new(pliant_scenes::build("jelly-cubes").unwrap());
    for _ in 0..10 {
        made.step();
    }
    let mut window = open("duck-drop");
    let file = Brought { path: PathBuf::from("report.pliant"), bytes: Ok(made.to_bytes()) };
    window.state_mut().open_file(file);
    wait(&mut window, |studio| studio.is_opening());
    change(&window, |running| {
        running.playing = false;
        running.session.seek(0);
        for _ in 0..10 {
            running.session.step();
        }
    });
    window.run_steps(2);
    assert!(window.query_by_label("reproduced exactly").is_some());
}

#[test]
fn a_dropped_mesh_becomes_a_body_and_nonsense_a_message() {
    let mut window = open("duck-drop");
    let bodies = |window: &Window| look(window, |running| running.session.world().bodies().count());
    let before = bodies(&window);
    let tetrahedron = "v 0 0 0\nv 200 0 0\nv 0 200 0\nv 0 0 200\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let file = Brought { path: PathBuf::from("thing.obj"), bytes: Ok(tetrahedron.into()) };
    window.state_mut().open_file(file);
    wait(&mut window, |studio| studio.is_opening());
    assert_eq!(bodies(&window), before + 1);
    let size =
        look(&window, |running| 2.0 * running.session.world().bodies().last().unwrap().1.rest().nodes.radius);
    assert!(size < 5.0, "200 m are brought down to the size of the scene, not {size}");
    let file = Brought { path: PathBuf::from("photo.jpg"), bytes: Ok(b"\xff\xd8\xff\xe0".to_vec()) };
    window.state_mut().open_file(file);
    wait(&mut window, |studio| studio.is_opening());
    assert_eq!(bodies(&window), before + 1);
    assert!(window.query_by_label_contains("JPEG").is_some());
}

#[test]
fn meshes_of_any_size_come_into_the_room_above_the_floor() {
    let room = Room { target: [1.0, 0.5, 0.0].into(), floor: Some(0.0), size: 0.8 };
    for size in [0.001, 0.5, 1.0, 3000.0] {
        let mesh = pliant::geometry::shapes::cuboid(pliant::glam::Vec3::splat(size), [2, 2, 2]);
        let (_, body, note) = body_of(mesh, "cube".into(), room).unwrap();
        assert_eq!(note, None);
        let low = body
            .skin()
            .positions
            .iter()
            .map(|p| body.nodes.origin.y + f64::from(p.y))
            .fold(f64::MAX, f64::min);
        assert!(low > 0.0 && low < 2.0, "{size}: {low}");
        assert!((body.center_of_mass().x - 1.0).abs() < 0.01);
        assert!(body.nodes.positions.len() > 8);
    }
}

/// What a desktop or a browser keeps.
#[derive(Default)]
struct Kept(std::collections::BTreeMap<String, String>);

impl eframe::Storage for Kept {
    fn get_string(&self, key: &str) -> Option<String> {
        self.0.get(key).cloned()
    }

    fn set_string(&mut self, key: &str, value: String) {
        self.0.insert(key.into(), value);
    }

    fn remove_string(&mut self, key: &str) {
        self.0.remove(key);
    }

    fn flush(&mut self) {}
}

#[test]
fn settings_are_remembered() {
    let mut window = open("jelly-cubes");
    press(&mut window, Key::Num3);
    press(&mut window, Key::T);
    window.get_by_label("strain").click();
    window.run_steps(2);
    let mut kept = Kept::default();
    eframe::App::save(window.state_mut(), &mut kept);
    let settings = pliant_studio::app::Settings::kept_in(&kept);
    assert_eq!(settings, *window.state().settings());
    assert!(!settings.plots && settings.overlays.strain && settings.scene == "jelly-cubes");
    assert_eq!(pliant_studio::app::Settings::kept_in(&Kept::default()), Settings::default());
}

#[test]
fn a_dense_screen_is_touched_in_the_same_places() {
    let mut window = window_of_density(Settings::default(), 2.0);
    let at = body_on_screen(&window);
    window.hover_at(at);
    window.step();
    window.drag_at(at);
    window.step();
    assert_eq!(look(&window, |running| running.session.world().tools().count()), 1);
}

#[test]
fn the_guide_has_every_key() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/studio.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    for (_, _, _, key, does) in pliant_studio::app::help::KEYS {
        assert!(guide.contains(&format!("| {key} | {does} |")), "{key}: {does}");
    }
}
