//! Time and energy of the latest steps.

use crate::Session;
use crate::session::{PLOTTED, Sample};
use eframe::egui::{Color32, RichText, TextStyle, Ui, Vec2b};
use egui_plot::{Corner, Legend, Line, Plot, PlotPoints};
use pliant::world::Energy;

/// Colours of the phases of a step, in their order.
const PHASES: [Color32; 6] = [
    Color32::from_rgb(150, 98, 204),
    Color32::from_rgb(58, 146, 214),
    Color32::from_rgb(226, 78, 66),
    Color32::from_rgb(120, 120, 120),
    Color32::from_rgb(244, 172, 54),
    Color32::from_rgb(70, 178, 112),
];

/// Shows both plots side by side.
pub fn show(session: &Session, ui: &mut Ui) {
    const HEIGHT: f32 = 86.0;
    ui.columns(2, |columns| {
        columns[0].label(RichText::new("milliseconds a step").small());
        plot("time", session, HEIGHT).show(&mut columns[0], |plot| {
            // Stacked: the uppermost line is the whole step.
            let mut below = vec![0.0; session.samples().len()];
            let names = session.report().ms.named();
            for (phase, (name, _)) in names.iter().enumerate() {
                for (sum, sample) in below.iter_mut().zip(session.samples()) {
                    *sum += sample.report.ms.named()[phase].1;
                }
                let points = session.samples().iter().zip(&below).map(|(s, ms)| [s.step as f64, *ms]);
                plot.line(Line::new(*name, PlotPoints::from_iter(points)).color(PHASES[phase]));
            }
        });
        columns[1].label(RichText::new("energy in J").small());
        plot("energy", session, HEIGHT).show(&mut columns[1], |plot| {
            let mut line = |name: &str, color, of: &dyn Fn(&Energy) -> f64| {
                let point = |sample: &Sample| Some([sample.step as f64, of(sample.energy.as_ref()?)]);
                let points = session.samples().iter().filter_map(point);
                plot.line(Line::new(name, PlotPoints::from_iter(points)).color(color));
            };
            line("kinetic", PHASES[1], &|energy| energy.kinetic);
            line("elastic", PHASES[5], &|energy| energy.elastic);
            line("gravity", PHASES[4], &|energy| energy.potential);
            line("all", PHASES[2], &|energy| energy.total());
        });
    });
}

fn plot<'a>(id: &'static str, session: &Session, height: f32) -> Plot<'a> {
    let now = session.steps() as f64;
    Plot::new(id)
        .height(height.max(40.0))
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show_axes(Vec2b::new(false, true))
        .include_y(0.0)
        .include_x(now)
        .include_x((now - PLOTTED as f64).max(0.0))
        .legend(
            Legend::default().position(Corner::LeftTop).background_alpha(0.5).text_style(TextStyle::Small),
        )
}
