//! The settings of an octree.

use super::super::numbers::{slid, slider};
use super::{Panel, length};
use eframe::egui::Ui;
use pliant::OctreeSettings;

impl Panel for OctreeSettings {
    fn show(&mut self, ui: &mut Ui, size: f32) -> bool {
        // A body's own settings have every size.
        let (Some(cell), Some(levels), Some(width)) = (&mut self.cell, &mut self.levels, &mut self.width)
        else {
            return false;
        };
        let slack = &mut self.slack;
        let mut done = length(ui, cell, size, [0.008, 0.3], "finest cell, m");
        done |= slid(&slider(ui, levels, 0..=5, "levels"));
        done |= length(ui, width, size, [0.015, 1.0], "w width, m");
        done | slid(&slider(ui, slack, 0.0..=2.0, "ε slack"))
    }
}
