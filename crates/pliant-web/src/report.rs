//! What scenes do, as objects for the page.

use eframe::egui;
use js_sys::{Object, Reflect};
use pliant::glam::{DVec3, Vec2};
use pliant::{StepReport, World};
use pliant_io::scene::Scene;
use pliant_studio::WorldView;
use wasm_bindgen::{JsError, JsValue};
use web_time::Instant;

/// A scene as it is now.
pub fn state(scene: &Scene, report: &StepReport) -> Object {
    let world = &scene.world;
    let (lo, hi, centre) = place(world);
    let triangles: usize = world.bodies().map(|(_, body)| body.rest().mesh.triangles.len()).sum();
    object(&[
        ("scene", scene.name.as_str().into()),
        ("time_secs", world.time_secs().into()),
        ("nodes", (report.nodes as u32).into()),
        ("triangles", (triangles as u32).into()),
        // Text, because numbers of the page have only 53 bits.
        ("hash", format!("{:016x}", world.state_hash()).into()),
        ("step_ms", report.ms.total().into()),
        ("centre", centre.to_array().map(JsValue::from).to_vec().into()),
        ("size", (hi - lo).length().into()),
        ("contained", (report.contained as u32).into()),
    ])
}

/// Adds where on the page the middle of the bodies is, in pixels of the page.
pub fn show_place(state: &Object, world: &World, (rect, view): (egui::Rect, &WorldView)) {
    let (_, _, centre) = place(world);
    if let Some(at) = view.project(centre, Vec2::new(rect.width(), rect.height())) {
        let at = [rect.min.x + at.x, rect.min.y + at.y];
        set(state, "at", at.map(JsValue::from).to_vec().into());
    }
}

/// A scene after some frames, and what they took.
pub fn run(name: &str, frames: u32) -> Result<Object, JsError> {
    let start = Instant::now();
    let entry =
        pliant_scenes::find(name).ok_or_else(|| JsError::new(&format!("there is no scene {name}")))?;
    let mut scene = entry.build_with(&[])?;
    let build_ms = start.elapsed().as_secs_f64() * 1e3;
    let mut report = StepReport::default();
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..frames {
        let start = Instant::now();
        report = scene.step();
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let step_ms = times.get(times.len() / 2).copied().unwrap_or(0.0);
    let result = state(&scene, &report);
    set(&result, "build_ms", build_ms.into());
    set(&result, "step_ms", step_ms.into());
    Ok(result)
}

/// Two corners of the box around all skins, and the mean of their vertices.
fn place(world: &World) -> (DVec3, DVec3, DVec3) {
    let vertices = || {
        world.bodies().flat_map(|(_, body)| (0..body.skin().positions.len()).map(|v| body.vertex_position(v)))
    };
    let lo = vertices().reduce(DVec3::min).unwrap_or_default();
    let hi = vertices().reduce(DVec3::max).unwrap_or_default();
    (lo, hi, vertices().sum::<DVec3>() / vertices().count().max(1) as f64)
}

fn object(entries: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    entries.iter().for_each(|(name, value)| set(&object, name, value.clone()));
    object
}

fn set(object: &Object, name: &str, value: JsValue) {
    // Fails for frozen objects and proxies alone, and ours is neither.
    let _ = Reflect::set(object, &name.into(), &value);
}
