//! Play, pause, step, go back, slow motion; the time line; recording and saving.

use super::help::Action;
use super::{Recorded, Studio};
use crate::{Film, Running};
use eframe::egui::{self, Color32, RichText, Ui};

/// Speeds to choose from, as simulated seconds a second.
const SPEEDS: [(f32, &str); 6] =
    [(2.0, "2×"), (1.0, "1×"), (0.5, "1/2×"), (0.25, "1/4×"), (0.1, "1/10×"), (0.02, "1/50×")];

/// Shows the bar; what it asks for is done by the studio.
pub fn show(studio: &mut Studio, running: &mut Running, ui: &mut Ui) -> Vec<Action> {
    let mut asked = Vec::new();
    ui.horizontal(|ui| {
        let mut button = |ui: &mut Ui, text: &str, hover: &str, action: Action| {
            if ui.button(text).on_hover_text(hover).clicked() {
                asked.push(action);
            }
        };
        button(ui, "Reset", "Back to the beginning; forgets what was done (R)", Action::Reset);
        button(ui, "Back", "One step back (left arrow)", Action::Back);
        match running.playing {
            true => button(ui, "Pause", "Space", Action::Play),
            false => button(ui, "Play", "Space", Action::Play),
        }
        button(ui, "Step", "One step on (right arrow)", Action::Step);
        speed(studio, running, ui);
        ui.separator();
        let undo = running.session.undoable();
        let text = undo.map_or("Undo".to_owned(), |what| format!("Undo: {what}"));
        let hover = "Undo the last change of what bodies are made of (Ctrl+Z)";
        if ui.add_enabled(undo.is_some(), egui::Button::new(text)).on_hover_text(hover).clicked() {
            asked.push(Action::Undo);
        }
        ui.separator();
        record(studio, ui, &mut asked);
        if ui.button("PNG").on_hover_text("A picture of what is seen (P)").clicked() {
            asked.push(Action::Picture);
        }
        if ui.button("Save").on_hover_text("The session, which does it all again (Ctrl+S)").clicked() {
            asked.push(Action::Save);
        }
    });
    ui.horizontal(|ui| time_line(running, ui));
    asked
}

fn speed(studio: &mut Studio, running: &mut Running, ui: &mut Ui) {
    let named = SPEEDS.iter().find(|(speed, _)| *speed == running.speed).map_or("slow", |(_, name)| name);
    let combo = egui::ComboBox::from_id_salt("speed").width(64.0).selected_text(named);
    combo
        .show_ui(ui, |ui| {
            for (speed, name) in SPEEDS {
                ui.selectable_value(&mut running.speed, speed, name);
            }
        })
        .response
        .on_hover_text("Speed (S for slow motion)");
    studio.settings.speed = running.speed;
}

/// Slow motion, or as fast again.
pub fn toggle_slow_motion(studio: &mut Studio, running: &mut Running) {
    running.speed = if running.speed < 1.0 { 1.0 } else { 0.25 };
    studio.settings.speed = running.speed;
}

fn record(studio: &mut Studio, ui: &mut Ui, asked: &mut Vec<Action>) {
    match (&studio.recorded, &studio.filming) {
        (_, Some(filming)) => {
            ui.add(egui::ProgressBar::new(filming.progress()).desired_width(90.0).text("writing"));
            return;
        }
        (Recorded::No, None) => {
            if ui.button("Record").on_hover_text("Begin a recording (C)").clicked() {
                asked.push(Action::Record);
            }
        }
        (Recorded::Since(_), None) => {
            let stop = egui::Button::new(RichText::new("Stop").color(Color32::WHITE))
                .fill(Color32::from_rgb(190, 40, 40));
            if ui.add(stop).on_hover_text("End the recording and write it (C)").clicked() {
                asked.push(Action::Record);
            }
        }
    }
    egui::ComboBox::from_id_salt("film")
        .width(56.0)
        .selected_text(studio.film.ending().to_uppercase())
        .show_ui(ui, |ui| {
            ui.selectable_value(&mut studio.film, Film::Gif, "GIF: pictures");
            ui.selectable_value(&mut studio.film, Film::Glb, "GLB: moving meshes");
        });
}

fn time_line(running: &mut Running, ui: &mut Ui) {
    let session = &running.session;
    let dt = f64::from(session.scene().dt_secs);
    let (mut step, last) = (session.steps(), session.last_step());
    ui.monospace(format!("{:7.2} s", step as f64 * dt));
    ui.spacing_mut().slider_width = (ui.available_width() - 330.0).max(80.0);
    let slider = egui::Slider::new(&mut step, 0..=last.max(1)).show_value(false);
    let slider = ui.add_enabled(last > 0, slider).on_hover_text("Go to any moment of the session");
    if slider.changed() {
        running.playing = false;
        running.session.seek(step);
    }
    let session = &running.session;
    ui.label(format!("step {} of {last}", session.steps()));
    match (session.is_reproduced(), session.is_replaying()) {
        (Some(true), _) => drop(ui.colored_label(Color32::from_rgb(40, 160, 70), "reproduced exactly")),
        (Some(false), _) => drop(ui.colored_label(ui.visuals().error_fg_color, "differs from the file")),
        (None, true) => drop(ui.label(RichText::new("replaying").weak())),
        (None, false) if running.playing => {
            ui.label(RichText::new(format!("{:.0} % of real time", 100.0 * running.rate)).weak());
        }
        (None, false) => drop(ui.label(RichText::new("paused").weak())),
    }
}
