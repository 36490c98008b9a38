//! What the studio remembers from one time to the next.

use crate::{Overlays, ToolKind};
use serde::{Deserialize, Serialize};

/// What the studio remembers from one time to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The scene that was open.
    pub scene: String,
    /// Light, dark, or as the system has it.
    pub theme: eframe::egui::ThemePreference,
    /// Which panels are shown.
    pub gallery: bool,
    /// The panel with parameters.
    pub inspector: bool,
    /// The plots.
    pub plots: bool,
    /// What is drawn of the inside of bodies.
    pub overlays: Overlays,
    /// The tool on the left button.
    pub tool: ToolKind,
    /// Size of ball and patch.
    pub tool_size: f32,
    /// Simulated seconds a second.
    pub speed: f32,
    /// How large the interface is.
    pub zoom: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            scene: pliant_scenes::SCENES[0].name.into(),
            theme: eframe::egui::ThemePreference::System,
            gallery: true,
            inspector: true,
            plots: true,
            overlays: Overlays::default(),
            tool: ToolKind::Pick,
            tool_size: 0.06,
            speed: 1.0,
            zoom: 1.0,
        }
    }
}

const KEY: &str = "studio";

impl Settings {
    /// What was remembered, or what a newcomer gets.
    pub fn kept_in(storage: &dyn eframe::Storage) -> Self {
        eframe::get_value(storage, KEY).unwrap_or_default()
    }

    /// Remembers them.
    pub fn keep_in(&self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, KEY, self);
    }
}
