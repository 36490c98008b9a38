//! The studio in a browser: what the page `web/index.html` calls.
//!
//! The studio itself is `pliant-studio`; here it gets a canvas, and the page learns what it does. A crate of its own, because only
//! browsers need the dynamic library, and linking one would slow every other build down.
#![cfg(target_arch = "wasm32")]

mod failure;
mod report;

use eframe::{WebOptions, WebRunner, egui_wgpu::WgpuSetup, wgpu};
use js_sys::Function;
use pliant_studio::app::Studio;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

thread_local! {
    /// The running studio, for [`state`].
    static RUNNER: RefCell<Option<WebRunner>> = const { RefCell::new(None) };
}

/// Runs the studio in a canvas. Should it ever fail, `on_failure` is called with the reason.
///
/// # Errors
/// If the browser has no WebGL2, or the studio could not be made.
#[wasm_bindgen]
pub async fn start(canvas: HtmlCanvasElement, on_failure: Function) -> Result<(), JsValue> {
    failure::tell(on_failure);
    let runner = WebRunner::new();
    RUNNER.with_borrow_mut(|running| *running = Some(runner.clone()));
    runner.start(canvas, options(), Box::new(|context| Ok(Box::new(Studio::new(context))))).await
}

/// WebGL2 alone: every browser has it, and one way to draw is one way to test.
fn options() -> WebOptions {
    let mut options = WebOptions::default();
    if let WgpuSetup::CreateNew(setup) = &mut options.wgpu_options.wgpu_setup {
        setup.instance_descriptor.backends = wgpu::Backends::GL;
    }
    options
}

/// What the studio shows now: `scene`, `time_secs`, `nodes`, `triangles`, `hash` of the state, `centre` and `size` of all bodies,
/// `step_ms` of the last step, and `at`, where on the page their centre is; nothing while there is no scene yet.
#[wasm_bindgen]
pub fn state() -> Option<js_sys::Object> {
    let runner = RUNNER.with_borrow(Clone::clone)?;
    let studio = runner.app_mut::<Studio>()?;
    if studio.is_opening() {
        return None;
    }
    let running = studio.stage().lock();
    let state = report::state(running.session.scene(), &running.session.report());
    report::show_place(&state, running.session.world(), studio.picture()?);
    Some(state)
}

/// Runs a scene without drawing it: the same as [`state`] after `frames` frames, with `build_ms` and the median `step_ms`.
///
/// # Errors
/// If there is no such scene.
#[wasm_bindgen]
pub fn run(scene: &str, frames: u32) -> Result<js_sys::Object, JsError> {
    report::run(scene, frames)
}

/// The names of all scenes.
#[wasm_bindgen]
pub fn scenes() -> Vec<String> {
    pliant_scenes::SCENES.iter().map(|entry| entry.name.to_owned()).collect()
}

/// Fails on purpose, to see what users see then.
#[wasm_bindgen]
pub fn fail(message: &str) {
    panic!("{message}");
}
