//! What keys and buttons do.

use super::Studio;
use crate::ToolKind;
use eframe::egui::{self, Key, Modifiers, Ui};

/// Something that a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Play or pause.
    Play,
    /// One step on.
    Step,
    /// One step back.
    Back,
    /// To the beginning.
    Reset,
    /// Slower or as fast again.
    SlowMotion,
    /// Another tool.
    Tool(ToolKind),
    /// Keep what is held where it is.
    Lock,
    /// Look at what is selected.
    Focus,
    /// Look as the scene was meant to be looked at.
    Home,
    /// Undo the last change of what bodies are made of.
    Undo,
    /// A picture.
    Picture,
    /// Begin or end a recording.
    Record,
    /// Save the session.
    Save,
    /// Open a file.
    Open,
    /// The list of scenes.
    Gallery,
    /// The parameters.
    Inspector,
    /// The plots.
    Plots,
    /// This list.
    Help,
}

/// All keys, with what they do in plain words.
pub const KEYS: &[(Modifiers, Key, Action, &str, &str)] = &[
    (Modifiers::NONE, Key::Space, Action::Play, "Space", "play or pause"),
    (Modifiers::NONE, Key::ArrowRight, Action::Step, "right", "one step on"),
    (Modifiers::NONE, Key::ArrowLeft, Action::Back, "left", "one step back"),
    (Modifiers::NONE, Key::R, Action::Reset, "R", "back to the beginning"),
    (Modifiers::NONE, Key::S, Action::SlowMotion, "S", "slow motion"),
    (Modifiers::NONE, Key::Num1, Action::Tool(ToolKind::Pick), "1", "pick"),
    (Modifiers::NONE, Key::Num2, Action::Tool(ToolKind::Push), "2", "push"),
    (Modifiers::NONE, Key::Num3, Action::Tool(ToolKind::Pin), "3", "pin"),
    (Modifiers::NONE, Key::Num4, Action::Tool(ToolKind::Wind), "4", "wind"),
    (Modifiers::NONE, Key::Num5, Action::Tool(ToolKind::Knife), "5", "knife"),
    (Modifiers::NONE, Key::Num6, Action::Tool(ToolKind::Scissors), "6", "scissors"),
    (Modifiers::NONE, Key::L, Action::Lock, "L", "lock what is held in place"),
    (Modifiers::NONE, Key::F, Action::Focus, "F", "look at the selected body"),
    (Modifiers::NONE, Key::Home, Action::Home, "Home", "the scene's own view"),
    (Modifiers::COMMAND, Key::Z, Action::Undo, "Ctrl+Z", "undo the last change of a body"),
    (Modifiers::NONE, Key::P, Action::Picture, "P", "save a picture"),
    (Modifiers::NONE, Key::C, Action::Record, "C", "begin or end a recording"),
    (Modifiers::COMMAND, Key::S, Action::Save, "Ctrl+S", "save the session"),
    (Modifiers::COMMAND, Key::O, Action::Open, "Ctrl+O", "open a session, a scene or a mesh"),
    (Modifiers::NONE, Key::G, Action::Gallery, "G", "show or hide the scenes"),
    (Modifiers::NONE, Key::I, Action::Inspector, "I", "show or hide the parameters"),
    (Modifiers::NONE, Key::T, Action::Plots, "T", "show or hide the plots"),
    (Modifiers::NONE, Key::H, Action::Help, "H", "this list"),
];

const MOUSE: &[(&str, &str)] = &[
    ("left button", "the tool; beside bodies, turn the view"),
    ("right button", "turn the view"),
    ("middle button, or Shift and right", "move the view"),
    ("wheel", "nearer or farther; while holding something, move it in depth; with the knife, cut deeper"),
    ("double click", "look at the body under the cursor"),
    ("two fingers", "move and zoom the view"),
];

/// What the keys pressed in this frame ask for.
pub fn actions(ctx: &egui::Context) -> Vec<Action> {
    if ctx.egui_wants_keyboard_input() {
        return Vec::new();
    }
    // Those with modifiers first: a plain key is pressed with any.
    let mut keys: Vec<_> = KEYS.iter().collect();
    keys.sort_by_key(|(modifiers, ..)| modifiers.is_none());
    let pressed = |input: &mut egui::InputState| {
        let mut found = Vec::new();
        for (modifiers, key, action, ..) in keys {
            if input.consume_key(*modifiers, *key) {
                found.push(*action);
            }
        }
        found
    };
    ctx.input_mut(pressed)
}

/// The window with the list.
pub fn show(studio: &mut Studio, ctx: &egui::Context) {
    let mut open = studio.help;
    egui::Window::new("Keys and buttons")
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .anchor(egui::Align2::CENTER_CENTER, egui::Vec2::ZERO)
        .show(ctx, |ui| {
            table(ui, "mouse", MOUSE.iter().map(|(key, does)| (*key, *does)));
            ui.separator();
            ui.columns(2, |columns| {
                let half = KEYS.len().div_ceil(2);
                for (column, keys) in columns.iter_mut().zip(KEYS.chunks(half)) {
                    let rows = keys.iter().map(|(_, _, _, key, does)| (*key, *does));
                    table(column, keys[0].3, rows);
                }
            });
        });
    studio.help = open;
}

fn table<'a>(ui: &mut Ui, id: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) {
    egui::Grid::new(id).num_columns(2).spacing([16.0, 4.0]).show(ui, |ui| {
        for (key, does) in rows {
            ui.strong(key);
            ui.label(does);
            ui.end_row();
        }
    });
}
