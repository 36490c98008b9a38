//! The view of the world: camera, tools, picture.

use super::Studio;
use crate::Drawing;
use crate::gpu::Renderer;
use crate::{Input, Marker, Orbit, Running, bounds};
use eframe::egui::{self, PointerButton, Pos2, Rect, Response, Sense, TextureHandle, Ui};
use eframe::egui_wgpu::RenderState;
use pliant::Rule;
use pliant::glam::{DVec3, Vec2, Vec3};

/// What the picture is drawn into.
#[derive(Default)]
pub struct Canvas {
    /// Draws with the GPU, into a texture that the interface shows.
    gpu: Option<Gpu>,
    /// The software renderer's picture, where there is no GPU.
    texture: Option<TextureHandle>,
    /// The eye that the world was last told of.
    told: Option<DVec3>,
    /// Where the picture is on the screen.
    pub rect: Option<Rect>,
}

struct Gpu {
    renderer: Renderer,
    texture: egui::TextureId,
    version: u64,
}

/// Pixels of the software renderer's picture: it should not keep anybody waiting.
const SOFT_PIXELS: f32 = 160_000.0;

/// Shows the world and lets it be touched.
pub fn show(studio: &mut Studio, running: &mut Running, ui: &mut Ui, frame: &mut eframe::Frame) {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "view"));
    studio.canvas.rect = Some(rect);
    if rect.width() < 1.0 || rect.height() < 1.0 {
        return;
    }
    move_camera(studio, running, ui, &response, rect);
    use_tool(studio, running, ui, &response, rect);
    tell_eye(studio, running);
    studio.view.overlays = studio.settings.overlays;
    studio.view.focus = response.hover_pos().and_then(|at| {
        let (point, size) = local(rect, at);
        let ray = studio.view.ray(point, size);
        running.session.world().cast_ray(ray.from, ray.direction).map(|hit| hit.position)
    });
    studio.view.cursor = cursor(studio, running, &response, rect);
    draw(studio, running, ui, frame, rect);
}

fn local(rect: Rect, at: Pos2) -> (Vec2, Vec2) {
    (Vec2::new(at.x - rect.min.x, at.y - rect.min.y), Vec2::new(rect.width(), rect.height()))
}

fn move_camera(studio: &mut Studio, running: &Running, ui: &Ui, response: &Response, rect: Rect) {
    let per_height = 1.0 / rect.height();
    let by = Vec2::new(response.drag_delta().x, response.drag_delta().y) * per_height;
    let shift = ui.input(|input| input.modifiers.shift);
    let turning = response.dragged_by(PointerButton::Primary) && studio.turning;
    if response.dragged_by(PointerButton::Middle) || (response.dragged_by(PointerButton::Secondary) && shift)
    {
        studio.orbit.pan(by);
    } else if response.dragged_by(PointerButton::Secondary) || turning {
        studio.orbit.turn(by);
    }
    if let Some(touch) = ui.input(|input| input.multi_touch()) {
        studio.orbit.pan(Vec2::new(touch.translation_delta.x, touch.translation_delta.y) * per_height);
    }
    if response.hovered() {
        let (scroll, zoom) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        if !studio.hand.is_busy() {
            studio.orbit.zoom(zoom * (scroll * 0.004).exp());
        }
    }
    if response.double_clicked() {
        let under = response.interact_pointer_pos().and_then(|at| {
            let (point, size) = local(rect, at);
            let ray = studio.view.ray(point, size);
            running.session.world().cast_ray(ray.from, ray.direction)
        });
        if let Some((lo, hi)) = under.and_then(|hit| bounds(running.session.world(), hit.body)) {
            studio.orbit.focus(lo, hi);
        }
    }
    studio.orbit.show(&mut studio.view);
}

fn use_tool(studio: &mut Studio, running: &mut Running, ui: &Ui, response: &Response, rect: Rect) {
    let Studio { hand, view, .. } = studio;
    let mut said = Ok(());
    hand.cuts_all = ui.input(|input| input.modifiers.shift);
    let at = response.interact_pointer_pos().or(response.hover_pos());
    let (pressed, released, down) = ui.input(|input| {
        let pointer = &input.pointer;
        let pressed = pointer.button_pressed(PointerButton::Primary) && response.contains_pointer();
        (pressed, pointer.button_released(PointerButton::Primary), pointer.primary_down())
    });
    if let Some(at) = at {
        let ray_at = |at| {
            let (point, size) = local(rect, at);
            view.ray(point, size)
        };
        let mut ray = ray_at(at);
        if pressed && !hand.is_busy() {
            // On a slow machine the cursor is elsewhere already.
            ray = ui.input(|input| input.pointer.press_origin()).map_or(ray, ray_at);
            studio.selected = running
                .session
                .world()
                .cast_ray(ray.from, ray.direction)
                .map(|hit| hit.body)
                .or(studio.selected);
            match hand.press(&mut running.session, view, ray) {
                Ok(found) => studio.turning = !found,
                Err(error) => said = Err(error),
            }
        } else if hand.is_busy() && down {
            let notches = ui.input(|input| input.smooth_scroll_delta().y) * 0.03;
            said = match notches {
                0.0 => hand.drag(&mut running.session, view, ray),
                _ => hand.wheel(&mut running.session, view, ray, notches),
            };
        }
    }
    if hand.is_busy() && (released || !down) && !pressed {
        said = said.and(hand.release(&mut running.session));
    }
    if released {
        studio.turning = false;
    }
    if let Err(error) = said {
        studio.notes.error(error.to_string());
    }
}

/// Tells the world where the eye is, if any body looks at it.
fn tell_eye(studio: &mut Studio, running: &mut Running) {
    let eye = studio.orbit.eye();
    let moved =
        studio.canvas.told.is_none_or(|told| told.distance(eye) > 0.02 * f64::from(studio.orbit.distance));
    if !moved || !running.playing || running.session.is_replaying() {
        return;
    }
    let looks = |rule: &Rule| matches!(rule, Rule::Viewer { .. });
    if running.session.world().bodies().any(|(_, body)| body.adaptivity.rules().iter().any(looks)) {
        let _ = running.session.apply(Input::Look(eye));
    }
    studio.canvas.told = Some(eye);
}

/// What shows the tool, and which body is selected.
fn cursor(studio: &Studio, running: &Running, response: &Response, rect: Rect) -> Vec<Marker> {
    let mut markers = Vec::new();
    if let Some(at) = response.hover_pos() {
        let (point, size) = local(rect, at);
        markers = studio.hand.cursor(&running.session, &studio.view, studio.view.ray(point, size));
    }
    let selected = studio.selected.filter(|_| running.session.world().bodies().nth(1).is_some());
    if let Some((lo, hi)) = selected.and_then(|body| bounds(running.session.world(), body)) {
        markers.extend(corners(studio, lo, hi));
    }
    markers
}

/// The corners of a box.
fn corners(studio: &Studio, lo: DVec3, hi: DVec3) -> Vec<Marker> {
    const COLOR: [f32; 3] = [1.0, 0.75, 0.1];
    let size = (hi - lo).as_vec3();
    let radius = 0.0016 * studio.orbit.distance;
    let mut markers = Vec::new();
    for corner in 0..8 {
        let side = Vec3::new((corner & 1) as f32, (corner >> 1 & 1) as f32, (corner >> 2 & 1) as f32);
        let at = (lo - studio.view.origin).as_vec3() + size * side;
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let inward = axis * (1.0 - 2.0 * side.dot(axis));
            let to = at + inward * (0.18 * size.dot(axis));
            markers.push(Marker::Line { from: at, to, radius, color: COLOR });
        }
    }
    markers
}

fn draw(studio: &mut Studio, running: &Running, ui: &Ui, frame: &mut eframe::Frame, rect: Rect) {
    let whole = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
    if let Some(state) = frame.wgpu_render_state() {
        let Studio { canvas, view, .. } = studio;
        let pixels = rect.size() * ui.ctx().pixels_per_point();
        let drawing = view.drawing(running.session.world());
        let texture = canvas.draw(state, &drawing, [pixels.x.round() as u32, pixels.y.round() as u32]);
        ui.painter().image(texture, rect, whole, egui::Color32::WHITE);
        return;
    }
    let scale = (SOFT_PIXELS / (rect.width() * rect.height())).sqrt().min(1.0);
    let size = [rect.width() * scale, rect.height() * scale].map(|side| (side as usize).max(1));
    let picture = match studio.view.draw(running.session.world(), size[0], size[1]) {
        Ok(picture) => picture,
        Err(error) => return studio.notes.error(error.to_string()),
    };
    let image = egui::ColorImage::from_rgb(size, &picture.rgb);
    let options = egui::TextureOptions::LINEAR;
    let texture = match &mut studio.canvas.texture {
        Some(texture) => {
            texture.set(image, options);
            texture
        }
        none => none.insert(ui.ctx().load_texture("world", image, options)),
    };
    ui.painter().image(texture.id(), rect, whole, egui::Color32::WHITE);
}

impl Canvas {
    /// Draws with the GPU; returns the texture to show.
    fn draw(&mut self, state: &RenderState, drawing: &Drawing<'_>, size: [u32; 2]) -> egui::TextureId {
        let RenderState { device, queue, renderer: shown, .. } = state;
        let linear = wgpu::FilterMode::Linear;
        let Gpu { renderer, texture, version } = self.gpu.get_or_insert_with(|| {
            let mut renderer = Renderer::new(device, queue);
            let view = renderer.draw(device, queue, drawing, size);
            let texture = shown.write().register_native_texture(device, view, linear);
            Gpu { version: renderer.version(), renderer, texture }
        });
        renderer.draw(device, queue, drawing, size);
        if *version != renderer.version() {
            *version = renderer.version();
            let view = renderer.view();
            shown.write().update_egui_texture_from_wgpu_texture(device, view, linear, *texture);
        }
        *texture
    }
}

/// Forgets what belongs to another scene.
pub fn reset(studio: &mut Studio) {
    studio.canvas.told = None;
    studio.orbit = Orbit::of(&studio.view);
}
