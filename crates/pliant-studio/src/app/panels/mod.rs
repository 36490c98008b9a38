//! The settings of each model, one file a model.

mod clusters;
mod elements;
mod hierarchy;
mod lattice;
mod octree;
mod springs;

use super::numbers::{factor_slider, slid};
use eframe::egui::Ui;
use pliant::ModelSettings;

/// Settings of a model that can be shown and changed.
pub trait Panel {
    /// Shows them for a body of a size in meters; returns whether the user has let go of one.
    fn show(&mut self, ui: &mut Ui, size: f32) -> bool;
}

macro_rules! panels {
    ($($(#[$about:meta])* $folder:ident: $Model:ident, $Settings:ident { $($field:ident: $Type:ident),* };)*) => {
        impl Panel for ModelSettings {
            fn show(&mut self, ui: &mut Ui, size: f32) -> bool {
                match self {
                    $(Self::$Model(settings) => settings.show(ui, size),)*
                }
            }
        }
    };
}
pliant::for_each_model!(panels);

/// A length, from and to parts of the body's size.
fn length(ui: &mut Ui, value: &mut f32, size: f32, range: [f32; 2], text: &str) -> bool {
    slid(&factor_slider(ui, value, size * range[0]..=size * range[1], text))
}
