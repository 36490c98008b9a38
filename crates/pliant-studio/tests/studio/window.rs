//! The studio's interface without a window, for tests that click and drag in it.
#![cfg(feature = "window")]

use eframe::egui::{Key, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use pliant::glam::Vec2;
use pliant_studio::Running;
use pliant_studio::app::{Settings, Studio};

/// The studio, without a window.
pub type Window = Harness<'static, Studio>;

pub fn window(settings: Settings) -> Window {
    window_of_density(settings, 1.0)
}

pub fn window_of_density(settings: Settings, pixels_per_point: f32) -> Window {
    let mut window = Harness::builder()
        .with_size(vec2(1280.0, 720.0))
        .with_pixels_per_point(pixels_per_point)
        .build_eframe(|context| Studio::with_settings(&context.egui_ctx, settings));
    hold(&mut window);
    window
}

/// Waits for what is being opened, and goes to its beginning: nothing moves but what a test moves.
pub fn hold(window: &mut Window) {
    wait(window, |studio| studio.is_opening());
    change(window, |running| running.playing = false);
    window.run_steps(2);
    change(window, |running| running.session.reset());
    window.run_steps(2);
}

pub fn open(scene: &str) -> Window {
    window(Settings { scene: scene.into(), ..Settings::default() })
}

/// Lets frames pass while something is being done on another thread.
pub fn wait(window: &mut Window, busy: impl Fn(&Studio) -> bool) {
    while busy(window.state()) {
        window.step();
        std::thread::yield_now();
    }
    window.step();
}

pub fn look<T>(window: &Window, at: impl FnOnce(&Running) -> T) -> T {
    at(&window.state().stage().lock())
}

pub fn change(window: &Window, what: impl FnOnce(&mut Running)) {
    what(&mut window.state().stage().lock());
}

pub fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(3);
}

pub fn press(window: &mut Window, key: Key) {
    window.key_press(key);
    window.run_steps(2);
}

/// Where the first body is seen on the screen.
pub fn body_on_screen(window: &Window) -> Pos2 {
    let (rect, view) = window.state().picture().expect("a picture");
    let place =
        look(window, |running| running.session.world().bodies().next().expect("a body").1.center_of_mass());
    let at = view.project(place, Vec2::new(rect.width(), rect.height())).expect("in front of the eye");
    rect.min + vec2(at.x, at.y)
}
