//! A stiff ball on a plane, against what mechanics says of a rigid one.

use super::keep_awake;
use super::row::{Better, Row};
use crate::Failure;
use pliant::geometry::shapes;
use pliant::glam::DVec3;
use pliant::{Body, BodyHandle, Clustering, Collider, Matching, Material, World};

const FRAME_SECS: f32 = 1.0 / 60.0;
/// Radius in metres.
const RADIUS: f64 = 0.2;
/// m/s²
const GRAVITY: f64 = 9.81;

/// All rows.
pub(super) fn rows() -> Result<Vec<Row>, Failure> {
    let row = |name, value| Row::number("contacts", name, value, "").better(Better::One);
    Ok(vec![row("roll-10-degrees", roll()?), row("restitution-slope", restitution_slope()?)])
}

/// A ball as stiff as can be that touches a plane through zero with this normal, after it fell from `height` above it.
fn world(normal: DVec3, height: f64, restitution: f32) -> Result<(World, BodyHandle), Failure> {
    let mut world = World::new();
    keep_awake(&mut world);
    world
        .add_collider(Collider::plane(DVec3::ZERO, normal.as_vec3()).friction(1.0))
        .map_err(Failure::ours)?;
    let body = Body::builder(shapes::sphere(RADIUS as f32, 4))
        .material(
            Material::default()
                .with_alpha(1.0)
                .with_beta(0.0)
                .with_friction(1.0)
                .with_restitution(restitution),
        )
        .model_with(|of: &mut pliant::ClusterSettings| of.matching = Matching::Rigid)
        .model_with(|of: &mut pliant::ClusterSettings| of.clustering = Clustering::One)
        .at(normal * (RADIUS + height))
        .build()
        .map_err(Failure::ours)?;
    let body = world.add_body(body);
    Ok((world, body))
}

fn ball(world: &World, handle: BodyHandle) -> Result<&Body, Failure> {
    world.body(handle).map_err(Failure::ours)
}

/// Acceleration down a slope of 10°, friction 1, as part of 5/7 g sin 10°: that of a solid ball that rolls and does not slide.
fn roll() -> Result<f64, Failure> {
    let slope = 10_f64.to_radians();
    let (normal, down) =
        (DVec3::new(slope.sin(), slope.cos(), 0.0), DVec3::new(slope.cos(), -slope.sin(), 0.0));
    let (mut world, handle) = world(normal, 0.0, 0.0)?;
    // It has half a second to lie, and rolls a second.
    let mut speed_after = |frames: usize| {
        for _ in 0..frames {
            world.step(FRAME_SECS);
        }
        ball(&world, handle).map(|ball| ball.velocity().dot(down))
    };
    let acceleration = -speed_after(30)? + speed_after(60)?;
    Ok(acceleration / (5.0 / 7.0 * GRAVITY * slope.sin()))
}

/// Slope of the line through the speeds after a bounce, as parts of those before it, over the restitution that was set.
fn restitution_slope() -> Result<f64, Failure> {
    let set = [0.0, 0.5, 1.0];
    let mut found = [0.0; 3];
    for (found, set) in found.iter_mut().zip(set) {
        *found = bounce(set as f32)?;
    }
    let middle = |values: [f64; 3]| values.iter().sum::<f64>() / 3.0;
    let (mean_set, mean_found) = (middle(set), middle(found));
    let both = set.iter().zip(found);
    let (covariance, variance) = both.fold((0.0, 0.0), |(covariance, variance), (set, found)| {
        let away = set - mean_set;
        (covariance + away * (found - mean_found), variance + away * away)
    });
    Ok(covariance / variance)
}

/// √ of the height it comes back to as part of that it fell from: the speed after a bounce as part of that before it.
fn bounce(restitution: f32) -> Result<f64, Failure> {
    let height = 0.5;
    let (mut world, handle) = world(DVec3::Y, height, restitution)?;
    let (mut rises, mut highest) = (false, 0.0_f64);
    // Down and up again takes 0.64 s.
    for _ in 0..60 {
        world.step(FRAME_SECS);
        let ball = ball(&world, handle)?;
        rises |= ball.velocity().y > 0.0;
        if rises {
            highest = highest.max(ball.center_of_mass().y - RADIUS);
        }
    }
    Ok((highest / height).sqrt())
}
