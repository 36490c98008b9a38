//! What the studio has to say, for a few seconds.

use eframe::egui::{self, Align2, Color32, RichText, vec2};
use web_time::Instant;

/// What the studio has to say.
#[derive(Debug, Default)]
pub struct Notes(Vec<Note>);

#[derive(Debug)]
struct Note {
    text: String,
    error: bool,
    since: Instant,
}

/// Seconds that a note stays, and one about an error.
const STAYS: [f32; 2] = [5.0, 9.0];

impl Notes {
    /// Something worked.
    pub fn say(&mut self, text: impl Into<String>) {
        self.add(text.into(), false);
    }

    /// Something did not.
    pub fn error(&mut self, text: impl Into<String>) {
        self.add(text.into(), true);
    }

    fn add(&mut self, text: String, error: bool) {
        self.0.retain(|note| note.text != text);
        self.0.push(Note { text, error, since: Instant::now() });
        if self.0.len() > 6 {
            self.0.remove(0);
        }
    }

    /// Shows them above the lower left corner of a rectangle.
    pub fn show(&mut self, ctx: &egui::Context, corner: egui::Pos2) {
        self.0.retain(|note| note.since.elapsed().as_secs_f32() < STAYS[usize::from(note.error)]);
        if self.0.is_empty() {
            return;
        }
        ctx.request_repaint_after_secs(0.25);
        egui::Area::new(egui::Id::unique("notes"))
            .fixed_pos(corner + vec2(12.0, -12.0))
            .pivot(Align2::LEFT_BOTTOM)
            .order(egui::Order::Foreground)
            .interactable(false)
            .show(ctx, |ui| {
                for note in &self.0 {
                    let color = if note.error {
                        Color32::from_rgb(150, 30, 30)
                    } else {
                        Color32::from_rgb(40, 60, 50)
                    };
                    egui::Frame::new().fill(color).corner_radius(4.0).inner_margin(8.0).show(ui, |ui| {
                        ui.set_max_width(520.0);
                        ui.label(RichText::new(&note.text).color(Color32::WHITE));
                    });
                }
            });
    }
}
