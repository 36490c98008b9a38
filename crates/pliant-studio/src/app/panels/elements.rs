//! The settings of finite elements.

use super::super::numbers::{slid, slider};
use super::{Panel, length};
use eframe::egui::{ComboBox, Ui};
use pliant::{ElementSettings, ElementSolver};

impl Panel for ElementSettings {
    fn show(&mut self, ui: &mut Ui, size: f32) -> bool {
        // A body's own settings have every size.
        let Some(cell) = &mut self.cell else { return false };
        let mut changed = length(ui, cell, size, [0.03, 0.3], "cell, m");
        let names = [
            (ElementSolver::Implicit, "implicit"),
            (ElementSolver::Explicit, "explicit"),
            (ElementSolver::SemiImplicit, "semi-implicit"),
        ];
        let name = names.iter().find(|(solver, _)| *solver == self.solver).map_or("", |(_, name)| name);
        ComboBox::from_label("solver").selected_text(name).show_ui(ui, |ui| {
            for (solver, name) in names {
                changed |= ui.selectable_value(&mut self.solver, solver, name).changed();
            }
        });
        if self.solver == ElementSolver::Implicit {
            changed |= slid(&slider(ui, &mut self.iterations, 1..=200, "iterations"));
        }
        changed
    }
}
