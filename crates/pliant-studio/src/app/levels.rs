//! What each level of a body holds, as a table, and which level the overlay shows.

use super::inspector::legend;
use crate::overlay::{FULL_STRAIN, strain_color};
use eframe::egui::{Grid, RichText, Slider, Ui};
use pliant::model::Level;
use pliant::{BodyHandle, World};

/// The selected body, or the first one that has levels.
fn levels(world: &World, selected: Option<BodyHandle>) -> Vec<Level> {
    let handles = selected.into_iter().chain(world.bodies().map(|(handle, _)| handle));
    let all = handles.filter_map(|handle| world.levels(handle).ok());
    all.filter(|levels| !levels.is_empty()).take(1).flatten().collect()
}

/// Shows them, and lets `shown` be chosen.
pub fn show(shown: &mut u32, selected: Option<BodyHandle>, world: &World, ui: &mut Ui) {
    let levels = levels(world, selected);
    let Some(finest) = levels.first() else {
        ui.label(RichText::new("No body has levels.").small().weak());
        return;
    };
    let most = levels.len() as u32 - 1;
    let mut level = (*shown).min(most);
    if ui.add(Slider::new(&mut level, 0..=most).text("level (0 is the finest)")).changed() {
        *shown = level;
    }
    let steps = (0..25).map(|i| i as f32 / 24.0);
    let full = 0.5 * finest.young_modulus * FULL_STRAIN * FULL_STRAIN;
    legend(ui, "0", steps.map(|t| strain_color(t * FULL_STRAIN)), &format!("{full:.3e} J/m³"));
    Grid::new("levels").num_columns(5).spacing([10.0, 2.0]).show(ui, |ui| {
        for head in ["level", "regions", "J", "most J/m³", "matches"] {
            ui.label(RichText::new(head).small().weak());
        }
        ui.end_row();
        for (number, level) in levels.iter().enumerate() {
            let cells = [
                number.to_string(),
                level.regions.len().to_string(),
                format!("{:.3e}", level.energy()),
                format!("{:.3e}", level.max_density()),
                level.matches.to_string(),
            ];
            for cell in cells {
                ui.label(RichText::new(cell).small());
            }
            ui.end_row();
        }
    });
}
