//! The settings of springs.

use super::super::numbers::{slid, slider};
use super::Panel;
use eframe::egui::Ui;
use pliant::SpringSettings;

impl Panel for SpringSettings {
    fn show(&mut self, ui: &mut Ui, _: f32) -> bool {
        slid(&slider(ui, &mut self.neighbors, 3..=64, "neighbors"))
    }
}
