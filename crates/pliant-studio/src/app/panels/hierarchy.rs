//! The settings of a hierarchy.

use super::super::numbers::{slid, slider};
use super::{Panel, length};
use eframe::egui::{ComboBox, Ui};
use pliant::{HierarchySettings, Solver};

impl Panel for HierarchySettings {
    fn show(&mut self, ui: &mut Ui, size: f32) -> bool {
        // A body's own settings have every size.
        let (Some(cell), Some(levels)) = (&mut self.cell, &mut self.levels) else { return false };
        let mut changed = length(ui, cell, size, [0.015, 0.3], "cell, m");
        changed |= slid(&slider(ui, levels, 1..=8, "levels"));
        changed |= slid(&slider(ui, &mut self.cycles, 1..=20, "cycles"));
        let names = [
            (Solver::Adaptive, "adaptive"),
            (Solver::Hierarchical, "hierarchical"),
            (Solver::Naive, "naive"),
        ];
        let name = names.iter().find(|(solver, _)| *solver == self.solver).map_or("", |(_, name)| name);
        ComboBox::from_label("solver").selected_text(name).show_ui(ui, |ui| {
            for (solver, name) in names {
                changed |= ui.selectable_value(&mut self.solver, solver, name).changed();
            }
        });
        changed
    }
}
