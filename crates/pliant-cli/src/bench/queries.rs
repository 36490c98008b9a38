//! Rays into a crowd: what one costs that meets a body and one that misses all, against going through every triangle.

use super::row::Row;
use super::seconds;
use crate::Failure;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{Body, Collider, LatticeSettings, World};
use std::hint::black_box;

const FRAME_SECS: f32 = 1.0 / 60.0;
/// Bodies in a row.
const ROW: usize = 10;
/// Bodies in all.
const BODIES: usize = 50;
/// Frames in which rays are cast.
const FRAMES: usize = 30;
/// Rays in a frame, after the first.
const RAYS: usize = 1000;

/// A hit and a miss against brute force, and the first ray after a step, for which a skin is made ready.
pub(super) fn rows() -> Result<Vec<Row>, Failure> {
    let mut world = crowd()?;
    let rays = [
        ("cast-ray-us", DVec3::new(0.0, 50.0, 0.0), Vec3::NEG_Y),
        ("cast-ray-miss-us", DVec3::new(0.0, 50.0, 0.0), Vec3::Y),
    ];
    let mut times = [[0.0; 3]; 2];
    for _ in 0..FRAMES {
        world.step(FRAME_SECS);
        for ((_, from, direction), [first, ours, brute]) in rays.iter().zip(&mut times) {
            *first += seconds(|| {
                black_box(world.cast_ray(*from, *direction));
            });
            *ours += seconds(|| {
                for _ in 0..RAYS {
                    black_box(world.cast_ray(black_box(*from), *direction));
                }
            }) / RAYS as f64;
            *brute += seconds(|| {
                black_box(through_all(&world, *from, *direction));
            });
            let (fast, slow) = (world.cast_ray(*from, *direction), through_all(&world, *from, *direction));
            if fast.is_some() != slow.is_some() {
                return Err(Failure::ours("a ray and going through all triangles disagree"));
            }
        }
    }
    let us = |secs: f64| secs / FRAMES as f64 * 1e6;
    let mut rows = Vec::new();
    for (&(name, ..), [_, ours, brute]) in rays.iter().zip(times) {
        let row = Row::number("contacts", name, us(ours), "us");
        rows.push(Row { peer: Some(us(brute)), ours: Some(us(ours)), ratio: Some(brute / ours), ..row });
    }
    rows.push(Row::number("contacts", "cast-ray-first-us", us(times[0][0]), "us"));
    Ok(rows)
}

/// Balls of 5,120 triangles on a floor, awake.
fn crowd() -> Result<World, Failure> {
    let failure = |error: &dyn std::fmt::Display| Failure::ours(error.to_string());
    let one = Body::builder(shapes::sphere(0.4, 4))
        .model(LatticeSettings { cell: Some(0.2), width: Some(0.4) })
        .build()
        .map_err(|error| failure(&error))?;
    let mut world = World::new();
    super::keep_awake(&mut world);
    world.add_collider(Collider::floor(0.0)).map_err(|error| failure(&error))?;
    for i in 0..BODIES {
        let mut body = one.clone();
        body.nodes.origin += DVec3::new((i % ROW) as f64, 0.5, (i / ROW) as f64);
        world.add_body(body);
    }
    Ok(world)
}

/// How far along a ray the first triangle of all is.
fn through_all(world: &World, from: DVec3, direction: Vec3) -> Option<f32> {
    let mut best: Option<f32> = None;
    for (_, body) in world.bodies() {
        let (positions, start) = (&body.skin().positions, (from - body.nodes.origin).as_vec3());
        for corners in &body.rest().mesh.triangles {
            let [a, b, c] = corners.map(|v| positions[v as usize]);
            let (ab, ac, to_start) = (b - a, c - a, start - a);
            let p = direction.cross(ac);
            let scale = 1.0 / ab.dot(p);
            let q = to_start.cross(ab);
            let (u, v, t) = (to_start.dot(p) * scale, direction.dot(q) * scale, ac.dot(q) * scale);
            if u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0 && best.is_none_or(|least| t < least) {
                best = Some(t);
            }
        }
    }
    best
}
