//! Picks a ball up by a vertex, swings it and lets go; a second pick stays locked in place.
//!
//! `cargo run --release --example pick_and_throw`

use pliant::geometry::shapes;
use pliant::{Body, Collider, PickSettings, World};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0).friction(0.8))?;
    let ball = Body::builder(shapes::sphere(0.3, 3)).at([0.0, 0.3, 0.0]).build()?;
    let mut hung = ball.clone();
    hung.place([2.0, 1.5, 0.0], pliant::glam::Quat::IDENTITY)?;
    let (ball, hung) = (world.add_body(ball), world.add_body(hung));

    // A locked pick holds on while others come and go.
    let hook = world.pick(hung, top_vertex(&world, hung)?, PickSettings::default())?;
    world.lock(hook, true)?;

    // A pick pulls its vertex to wherever it is moved, as a mouse would.
    let pick = world.pick(
        ball,
        top_vertex(&world, ball)?,
        PickSettings { frequency_hz: 5.0, ..Default::default() },
    )?;
    for frame in 0..90 {
        let t = f64::from(frame) / 60.0;
        world.move_tool(pick, [2.0 * (t - 0.7).max(0.0).powi(2), 0.6 + 0.8 * t, 0.0])?;
        world.step(1.0 / 60.0);
    }
    world.release_picks();
    println!("let go at {:.2} m/s", world.body(ball)?.velocity().length());
    assert!(world.move_tool(pick, [0.0; 3]).is_err(), "a released pick's handle is stale");

    for _ in 0..180 {
        world.step(1.0 / 60.0);
    }
    println!("the thrown ball lies at {:.2}", world.body(ball)?.center_of_mass());
    println!("the hung ball hangs at {:.2}", world.body(hung)?.center_of_mass());
    Ok(())
}

fn top_vertex(world: &World, body: pliant::BodyHandle) -> Result<u32, Box<dyn Error>> {
    let skin = world.body(body)?.skin();
    let top = skin.positions.iter().enumerate().max_by(|a, b| a.1.y.total_cmp(&b.1.y));
    Ok(top.map_or(0, |(vertex, _)| vertex as u32))
}
