//! The settings of clusters.

use super::super::numbers::{factor_slider, slid};
use super::Panel;
use eframe::egui::{self, Ui};
use pliant::{ClusterSettings, Clustering, Matching};

impl Panel for ClusterSettings {
    fn show(&mut self, ui: &mut Ui, _: f32) -> bool {
        let Self { clustering, matching, preserve_volume, .. } = self;
        let mut count = match clustering {
            Clustering::One => 1,
            Clustering::Spread { count, .. } => *count,
            Clustering::Grid { cells, .. } => cells.iter().product(),
            Clustering::Given(given) => given.len() as u32,
        };
        let mut done = false;
        let before = count;
        done |= slid(&factor_slider(ui, &mut count, 1..=64, "clusters"));
        if count != before {
            *clustering =
                if count == 1 { Clustering::One } else { Clustering::Spread { count, overlap: 0.5 } };
        }
        let before = *matching;
        let shown = format!("{matching:?}").to_lowercase();
        egui::ComboBox::from_label("matching").selected_text(shown).show_ui(ui, |ui| {
            for (kind, name) in
                [(Matching::Rigid, "rigid"), (Matching::Linear, "linear"), (Matching::Quadratic, "quadratic")]
            {
                ui.selectable_value(matching, kind, name);
            }
        });
        done |= *matching != before;
        done | ui.checkbox(preserve_volume, "keep the volume").changed()
    }
}
