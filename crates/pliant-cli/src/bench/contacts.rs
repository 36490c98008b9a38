//! Bodies that touch each other: what a body costs among many, in a heap, and asleep.

use super::{Row, number, pool, seconds};
use crate::Failure;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{Body, Collider, LatticeSettings, Material, Sleep, World, WorldSettings};

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

/// All rows, on one thread.
pub(super) fn rows() -> Result<Vec<Row>, Failure> {
    let one = pool(1)?;
    let mut rows = one.install(heaps)?;
    rows.push(one.install(pile)?);
    Ok(rows)
}

fn failure(error: impl std::fmt::Display) -> Failure {
    Failure::ours(error.to_string())
}

fn cube(at: DVec3, turn: Quat) -> Result<Body, Failure> {
    Body::builder(shapes::cuboid(Vec3::splat(EDGE), [NODES; 3]))
        .material(Material { alpha: 0.5, friction: 0.5, ..Material::default() })
        .lattice(LatticeSettings { cell: EDGE / NODES as f32, width: 0.1 })
        .turned(turn)
        .at(at)
        .build()
        .map_err(failure)
}

/// Cubes on a floor, none of which sleeps.
fn world(cubes: impl Iterator<Item = (DVec3, Quat)>) -> Result<World, Failure> {
    let sleep = Sleep { speed: 0.0, ..Sleep::default() };
    let mut world = World::with_settings(WorldSettings { sleep, ..WorldSettings::default() });
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

/// ms of the next frame.
fn frame(world: &mut World) -> f64 {
    let step = || {
        world.step(FRAME_SECS);
    };
    seconds(step) * 1e3
}

fn mean(sample: &[f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len() as f64
}

/// Small frames for a large one, so that both have a chance to be disturbed.
const TURNS: usize = 10;

/// A body among 1,000 and among 10, by turns, each built for itself and all copies of one; then the 1,000 asleep.
fn heaps() -> Result<Vec<Row>, Failure> {
    let (mut many, mut few) = (heap_world(1000)?, heap_world(10)?);
    let built = body_cost("body-cost-1000-vs-10", &mut many, &mut few);
    let asleep = number("contacts", "sleeping-frame-ms", asleep(&mut many), "ms", None);
    let (mut many, mut few) = (copies(&many)?, copies(&few)?);
    Ok(vec![built, body_cost("copy-cost-1000-vs-10", &mut many, &mut few), asleep])
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

fn body_cost(name: &'static str, many: &mut World, few: &mut World) -> Row {
    for _ in 0..LANDING {
        many.step(FRAME_SECS);
        few.step(FRAME_SECS);
    }
    let (mut of_many, mut of_few) = (Vec::new(), Vec::new());
    for _ in 0..FRAMES {
        of_many.push(frame(many));
        of_few.extend((0..TURNS).map(|_| frame(few)));
    }
    let us = |sample: &[f64], world: &World| mean(sample) * 1e3 / world.bodies().count() as f64;
    let (many, few) = (us(&of_many, many), us(&of_few, few));
    Row {
        peer: Some(few),
        ours: Some(many),
        ratio: Some(few / many),
        ..number("contacts", name, many / few, "us", None)
    }
}

/// Frames in which all bodies must have fallen asleep.
const DROWSY: usize = 900;

/// ms of a frame once all bodies sleep; NaN if they do not.
fn asleep(world: &mut World) -> f64 {
    world.settings.sleep = Sleep::default();
    let count = world.bodies().count();
    if !(0..DROWSY).any(|_| world.step(FRAME_SECS).asleep == count) {
        return f64::NAN;
    }
    mean(&(0..FRAMES).map(|_| frame(world)).collect::<Vec<_>>())
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
    let ms: Vec<f64> = (0..FRAMES).map(|_| frame(&mut world)).collect();
    Ok(number("contacts", "pile-frame-ms", mean(&ms), "ms", None))
}
