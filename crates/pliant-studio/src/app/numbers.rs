//! Numbers that are shown and can be changed. Showing one never changes it: what lies beyond the usual values stays as it is, and
//! is written neither clamped nor rounded unless the user changes it.

use eframe::egui::emath::Numeric;
use eframe::egui::{DragValue, Event, Key, Response, Slider, SliderClamping, Ui};
use std::ops::RangeInclusive;

/// A slider over the usual values of a number.
pub fn slider<N: Numeric>(ui: &mut Ui, value: &mut N, usual: RangeInclusive<N>, text: &str) -> Response {
    edit(ui, value, |ui, value| ui.add(Slider::new(value, usual).clamping(SliderClamping::Edits).text(text)))
}

/// A slider on which a factor is as wide everywhere.
pub fn factor_slider<N: Numeric>(
    ui: &mut Ui,
    value: &mut N,
    usual: RangeInclusive<N>,
    text: &str,
) -> Response {
    edit(ui, value, |ui, value| {
        ui.add(Slider::new(value, usual).clamping(SliderClamping::Edits).logarithmic(true).text(text))
    })
}

/// A number alone, dragged at a speed, with its unit.
pub fn number(ui: &mut Ui, value: &mut f32, usual: RangeInclusive<f32>, speed: f32, unit: &str) -> Response {
    edit(ui, value, |ui, value| {
        ui.add(DragValue::new(value).range(usual).clamp_existing_to_range(false).speed(speed).suffix(unit))
    })
}

/// Whether a value was changed and let go.
pub fn slid(response: &Response) -> bool {
    response.drag_stopped() || (response.changed() && !response.dragged()) || response.lost_focus()
}

/// Lets a widget change a copy of a number, and takes over what the user changed.
fn edit<N: Numeric>(ui: &mut Ui, value: &mut N, show: impl FnOnce(&mut Ui, &mut N) -> Response) -> Response {
    let mut edited = *value;
    let response = show(ui, &mut edited);
    // A field that is left writes what stands in it, which is rounded, even if nobody typed anything.
    let is_only_left = response.lost_focus() && !ui.input(|input| input.events.iter().any(is_typing));
    if !is_only_left {
        *value = edited;
    }
    response
}

fn is_typing(event: &Event) -> bool {
    match event {
        Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Ime(_) => true,
        Event::Key { key, pressed, .. } => *pressed && !matches!(key, Key::Tab | Key::Enter | Key::Escape),
        _ => false,
    }
}
