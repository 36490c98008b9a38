//! The scenes, by category, with a small picture each.

use super::Studio;
use eframe::egui::{self, Color32, RichText, Sense, TextureHandle, Ui, vec2};
use pliant_scenes::{SCENES, SceneEntry};
use std::collections::BTreeMap;

/// Pictures of scenes, made when they are first seen.
#[derive(Default)]
pub struct Pictures(BTreeMap<&'static str, Option<TextureHandle>>);

/// Width and height of a picture in points.
const PICTURE: egui::Vec2 = vec2(80.0, 50.0);

impl Pictures {
    fn of(&mut self, ctx: &egui::Context, scene: &SceneEntry) -> Option<&TextureHandle> {
        let make = || {
            let picture = crate::Picture::from_png(crate::scene_picture(scene.name)?).ok()?;
            let image = egui::ColorImage::from_rgb([picture.width, picture.height], &picture.rgb);
            Some(ctx.load_texture(scene.name, image, egui::TextureOptions::LINEAR))
        };
        self.0.entry(scene.name).or_insert_with(make).as_ref()
    }
}

/// Shows the list; a click opens a scene.
pub fn show(studio: &mut Studio, ui: &mut Ui) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.heading("Scenes");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Open…").on_hover_text("A session, a scene file or a mesh (Ctrl+O)").clicked() {
                studio.inbox.ask(ui.ctx());
            }
        });
    });
    ui.label(RichText::new("Drop a mesh on the window to make it a body.").weak().small());
    ui.separator();
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let mut category = "";
        for scene in SCENES {
            if scene.category != category {
                category = scene.category;
                ui.add_space(6.0);
                ui.label(RichText::new(category).strong());
            }
            if row(studio, ui, scene) {
                studio.open_scene(scene.name);
            }
        }
    });
}

/// One scene; returns whether it was clicked.
fn row(studio: &mut Studio, ui: &mut Ui, scene: &SceneEntry) -> bool {
    let chosen = studio.settings.scene == scene.name;
    let size = vec2(ui.available_width(), PICTURE.y + 8.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, chosen, scene.name));
    if !ui.is_rect_visible(rect) {
        return response.clicked();
    }
    let visuals = ui.style().interact_selectable(&response, chosen);
    if chosen || response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4.0, visuals.weak_bg_fill);
    }
    let picture = egui::Rect::from_min_size(rect.min + vec2(4.0, 4.0), PICTURE);
    match studio.pictures.of(ui.ctx(), scene) {
        Some(texture) => {
            let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
            ui.painter().image(texture.id(), picture, whole, Color32::WHITE);
        }
        None => drop(ui.painter().rect_filled(picture, 3.0, ui.visuals().faint_bg_color)),
    }
    // Painted, not placed: for those who do not see it, the row is one thing with one name.
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let at = picture.right_top() + vec2(8.0, -1.0);
    let width = rect.max.x - 4.0 - at.x;
    let (body, small) =
        (egui::TextStyle::Body.resolve(ui.style()), egui::TextStyle::Small.resolve(ui.style()));
    let name = painter.layout(scene.name.into(), body, visuals.text_color(), width);
    let below = at + vec2(0.0, name.size().y + 1.0);
    painter.galley(at, name, visuals.text_color());
    let color = ui.visuals().weak_text_color();
    painter.galley(below, painter.layout(scene.description.into(), small, color, width), color);
    response.on_hover_text(scene.description).clicked()
}
