//! The settings of a lattice.

use super::{Panel, length};
use eframe::egui::Ui;
use pliant::LatticeSettings;

impl Panel for LatticeSettings {
    fn show(&mut self, ui: &mut Ui, size: f32) -> bool {
        // A body's own settings have every size.
        let (Some(cell), Some(width)) = (&mut self.cell, &mut self.width) else { return false };
        length(ui, cell, size, [0.015, 0.3], "cell, m") | length(ui, width, size, [0.015, 1.0], "w width, m")
    }
}
