//! What it costs to look: our share of a frame that the GPU draws, frames a second, and the software renderer beside it.

use super::frames::Frames;
use super::row::{Better, Row};
use super::{Threads, scene, seconds};
use crate::Failure;
use crate::say::say;
use pliant::geometry::shapes;
use pliant::glam::Vec3;
use pliant::{Body, Collider, LatticeSettings, World};
use pliant_io::scene::Scene;
use pliant_studio::WorldView;
use pliant_studio::gpu::Offscreen;
use std::time::Instant;

const SIZE: (usize, usize) = (1280, 720);
const FRAMES: usize = 40;

/// All rows; those of the GPU only where there is one, or a driver that stands in for it.
pub(super) fn rows(threads: Threads) -> Result<Vec<Row>, Failure> {
    threads.all()?.install(drawn)
}

fn drawn() -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    match Offscreen::new() {
        Ok(mut gpu) => {
            let kind = if gpu.is_software() { "a software driver" } else { "a GPU" };
            say(&format!(
                "studio: draw-100k-cpu-ms and hand-1280x720-fps are drawn by {}, {kind}",
                gpu.name()
            ))?;
            rows.push(row("draw-100k-cpu-ms", our_share(&mut gpu)?, "ms"));
            rows.push(row("hand-1280x720-fps", hand(&mut gpu)?, "fps").better(Better::Higher));
        }
        Err(error) => say(&format!("studio: draw-100k-cpu-ms and hand-1280x720-fps are left out: {error}"))?,
    }
    rows.push(row("cpu-picture-1280x720-ms", software()?, "ms"));
    Ok(rows)
}

fn row(name: &'static str, value: f64, unit: &'static str) -> Row {
    Row::number("studio", name, value, unit)
}

/// Five cubes that fall, with 100,860 triangles on their skins.
fn cubes() -> Result<World, Failure> {
    let mut world = World::new();
    for i in 0..5 {
        let mesh = shapes::cuboid(Vec3::ONE, [41; 3]);
        let settings = LatticeSettings { cell: Some(0.25), width: Some(0.5) };
        let body = Body::builder(mesh).at([1.5 * f64::from(i) - 3.0, 1.0, 0.0]).model(settings).build();
        world.add_body(body.map_err(Failure::ours)?);
    }
    world.add_collider(Collider::floor(0.0)).map_err(Failure::ours)?;
    Ok(world)
}

/// Milliseconds of the calling thread, from the world to work that is submitted. The driver's own work is waited for
/// outside, so that it does not hold up the next frame.
fn our_share(gpu: &mut Offscreen) -> Result<f64, Failure> {
    let mut world = cubes()?;
    let mut view = WorldView::new(&world, None);
    let mut sample = Frames::awake("draw-100k-cpu-ms");
    for _ in 0..FRAMES {
        world.step(1.0 / 60.0);
        let mut done = Ok(());
        let secs = seconds(|| done = gpu.draw(&view.drawing(&world), SIZE.0, SIZE.1));
        sample.push(&world, 1e3 * secs)?;
        done.map_err(Failure::ours)?;
        gpu.wait().map_err(Failure::ours)?;
    }
    Ok(sample.median())
}

fn hand_scene() -> Result<(Scene, WorldView), Failure> {
    let scene = scene("hand-adaptive")?;
    let from = scene.camera.map(|camera| (camera.eye, camera.target, camera.fov_y_radians));
    let view = WorldView::new(&scene.world, from);
    Ok((scene, view))
}

const HAND_SECS: f64 = 4.0;

/// Finished frames a second, while the hand moves as fast as in life.
fn hand(gpu: &mut Offscreen) -> Result<f64, Failure> {
    let (mut scene, mut view) = hand_scene()?;
    // The first frame makes buffers, and drivers make code for the shaders.
    for _ in 0..3 {
        gpu.draw(&view.drawing(&scene.world), SIZE.0, SIZE.1).map_err(Failure::ours)?;
        gpu.wait().map_err(Failure::ours)?;
    }
    let start = Instant::now();
    let (mut frames, mut steps) = (Frames::awake("hand-1280x720-fps"), 0.0);
    while start.elapsed().as_secs_f64() < HAND_SECS {
        while steps / 60.0 < start.elapsed().as_secs_f64() {
            scene.step();
            steps += 1.0;
        }
        gpu.draw(&view.drawing(&scene.world), SIZE.0, SIZE.1).map_err(Failure::ours)?;
        gpu.wait().map_err(Failure::ours)?;
        frames.push(&scene.world, 1e3 * start.elapsed().as_secs_f64())?;
    }
    Ok(frames.len() as f64 / start.elapsed().as_secs_f64())
}

/// Milliseconds of a picture of the hand by the software renderer.
fn software() -> Result<f64, Failure> {
    let (mut scene, mut view) = hand_scene()?;
    let mut sample = Frames::awake("cpu-picture-1280x720-ms");
    for _ in 0..FRAMES / 4 {
        scene.step();
        let mut done = Ok(());
        let secs = seconds(|| done = view.draw(&scene.world, SIZE.0, SIZE.1).map(|_| ()));
        sample.push(&scene.world, 1e3 * secs)?;
        done.map_err(Failure::ours)?;
    }
    Ok(sample.median())
}
