//! The settings of a lattice.

use super::{Panel, length};
use eframe::egui::Ui;
use pliant::LatticeSettings;

impl Panel for LatticeSettings {
    fn show(&mut self, ui: &mut Ui, size: f32) -> bool {
        length(ui, &mut self.cell, size, [0.015, 0.3], "cell, m")
            | length(ui, &mut self.width, size, [0.015, 1.0], "w width, m")
    }
}
