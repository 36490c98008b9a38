//! Bodies that touch each other: what a body costs among many, in a heap, and asleep.

use super::frames::Frames;
use super::row::Row;
use super::{Threads, ball, crowds, keep_awake, queries, seconds};
use crate::Failure;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{Body, Collider, LatticeSettings, Material, Sleep, World};

const FRAME_SECS: f32 = 1.0 / 60.0;
/// Frames that bodies have to land.
const LANDING: usize = 120;
/// Frames that count.
const FRAMES: usize = 120;
/// Edge of a cube in metres.
const EDGE: f32 = 0.2;
/// Nodes along an edge.
const NODES: u32 = 4;
/// Cubes in a heap that stands apart.
const HEAP: usize = 5;

/// All rows, on one thread unless the user wants more.
pub(super) fn rows(threads: Threads) -> Result<Vec<Row>, Failure> {
    let one = threads.one()?;
    let mut rows = one.install(heaps)?;
    rows.push(one.install(pile)?);
    rows.extend(one.install(crowds::rows)?);
    rows.extend(one.install(ball::rows)?);
    rows.extend(one.install(queries::rows)?);
    Ok(rows)
}

fn failure(error: impl std::fmt::Display) -> Failure {
    Failure::ours(error.to_string())
}

fn cube(at: DVec3, turn: Quat) -> Result<Body, Failure> {
    Body::builder(shapes::cuboid(Vec3::splat(EDGE), [NODES; 3]))
        .material(Material::default().with_alpha(0.5).with_friction(0.5))
        .model(LatticeSettings { cell: Some(EDGE / NODES as f32), width: Some(0.1) })
        .turned(turn)
        .at(at)
        .build()
        .map_err(failure)
}

/// Cubes on a floor, none of which sleeps.
fn world(cubes: impl Iterator<Item = (DVec3, Quat)>) -> Result<World, Failure> {
    let mut world = World::new();
    keep_awake(&mut world);
    world.add_collider(Collider::floor(0.0)).map_err(failure)?;
    for (at, turn) in cubes {
        world.add_body(cube(at, turn)?);
    }
    Ok(world)
}

/// Heaps of five, four and one on top, that stand apart, so that a cube has as many contacts however many there are. Higher
/// columns of cubes as soft as these buckle, and those of 10 would not lie as those of 1,000 do.
fn heap_world(count: usize) -> Result<World, Failure> {
    let row = (count.div_ceil(HEAP) as f64).sqrt().ceil() as usize;
    let edge = f64::from(EDGE);
    world((0..count).map(|i| {
        let (heap, cube) = (i / HEAP, i % HEAP);
        let [x, z] = [heap % row, heap / row].map(|place| 4.0 * place as f64);
        let (aside, level) = match cube {
            4 => (DVec3::ZERO, 1.0),
            _ => (DVec3::new((cube % 2) as f64 - 0.5, 0.0, (cube / 2) as f64 - 0.5) * 1.01, 0.0),
        };
        ((DVec3::new(x, 0.52 + 1.05 * level, z) + aside) * edge, Quat::IDENTITY)
    }))
}

/// Times the next frame.
fn frame(world: &mut World, into: &mut Frames) -> Result<(), Failure> {
    let secs = seconds(|| {
        world.step(FRAME_SECS);
    });
    into.push(world, secs * 1e3)
}

/// Small frames for a large one, so that both have a chance to be disturbed.
const TURNS: usize = 10;

/// A body among 1,000 and among 10, by turns, each built for itself and all copies of one; then the 1,000 asleep.
fn heaps() -> Result<Vec<Row>, Failure> {
    let (mut many, mut few) = (heap_world(1000)?, heap_world(10)?);
    let built = body_cost("body-cost-1000-vs-10", &mut many, &mut few)?;
    let asleep = asleep(&mut many)?;
    let (mut many, mut few) = (copies(&many)?, copies(&few)?);
    Ok(vec![built, body_cost("copy-cost-1000-vs-10", &mut many, &mut few)?, asleep])
}

/// As many bodies at the same places, that share what they are at rest.
fn copies(of: &World) -> Result<World, Failure> {
    let one = cube(DVec3::ZERO, Quat::IDENTITY)?;
    let mut world = world(std::iter::empty())?;
    for (_, body) in of.bodies() {
        let mut copy = one.clone();
        copy.nodes.origin += body.center_of_mass();
        world.add_body(copy);
    }
    Ok(world)
}

fn body_cost(name: &'static str, many: &mut World, few: &mut World) -> Result<Row, Failure> {
    for _ in 0..LANDING {
        many.step(FRAME_SECS);
        few.step(FRAME_SECS);
    }
    let [mut of_many, mut of_few] = [(); 2].map(|()| Frames::awake(name));
    for _ in 0..FRAMES {
        frame(many, &mut of_many)?;
        (0..TURNS).try_for_each(|_| frame(few, &mut of_few))?;
    }
    let us = |frames: &Frames, world: &World| frames.mean() * 1e3 / world.bodies().count() as f64;
    Ok(Row::growth("contacts", name, [us(&of_few, few), us(&of_many, many)], "us"))
}

/// Frames in which all bodies must have fallen asleep.
const DROWSY: usize = 900;

/// A frame once all bodies sleep.
fn asleep(world: &mut World) -> Result<Row, Failure> {
    world.settings.sleep = Sleep::default();
    let count = world.bodies().count();
    let _ = (0..DROWSY).any(|_| world.step(FRAME_SECS).asleep == count);
    let mut frames = Frames::asleep("sleeping-frame-ms");
    (0..FRAMES).try_for_each(|_| frame(world, &mut frames))?;
    Ok(Row::number("contacts", "sleeping-frame-ms", frames.mean(), "ms"))
}

/// 100 cubes dropped on each other, in layers that are turned against each other.
fn pile() -> Result<Row, Failure> {
    let edge = f64::from(EDGE);
    let cubes = (0..100).map(|i| {
        let turn = 0.4 * (i / 16) as f64;
        let [x, z] = [i % 4, i / 4 % 4].map(|place| 1.1 * edge * (place as f64 - 1.5));
        let turn_by = Quat::from_rotation_y(turn as f32);
        (turn_by.as_dquat() * DVec3::new(x, edge * (0.6 + 1.2 * (i / 16) as f64), z), turn_by)
    });
    let mut world = world(cubes)?;
    for _ in 0..LANDING {
        world.step(FRAME_SECS);
    }
    let mut frames = Frames::awake("pile-frame-ms");
    (0..FRAMES).try_for_each(|_| frame(&mut world, &mut frames))?;
    Ok(Row::number("contacts", "pile-frame-ms", frames.mean(), "ms"))
}
