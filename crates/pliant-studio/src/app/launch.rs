//! The window on a desktop.

use super::Studio;
use eframe::egui;

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum NoWindow {
    /// Nothing to show one on.
    #[error("no display was found (neither DISPLAY nor WAYLAND_DISPLAY is set)")]
    NoDisplay,
    /// The system refused.
    #[error("no window could be opened: {0}")]
    Refused(String),
}

/// Opens the studio's window and returns when it is closed. `what` is a scene's name or a file to begin with.
///
/// # Errors
/// If there is no display, or no way to draw on it.
pub fn run(what: Option<&str>) -> Result<(), NoWindow> {
    if !has_display() {
        return Err(NoWindow::NoDisplay);
    }
    let viewport = egui::ViewportBuilder::default()
        .with_title("Pliant")
        .with_app_id("pliant")
        .with_inner_size([1280.0, 720.0])
        .with_min_inner_size([640.0, 400.0])
        .with_drag_and_drop(true);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    let what = what.map(str::to_owned);
    eframe::run_native(
        "pliant",
        options,
        Box::new(move |context| {
            Ok(Box::new(match &what {
                Some(what) => Studio::opening(context, what),
                None => Studio::new(context),
            }))
        }),
    )
    .map_err(|error| NoWindow::Refused(error.to_string()))
}

/// Other systems always have one, or say so themselves.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
