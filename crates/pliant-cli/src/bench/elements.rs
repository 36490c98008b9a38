//! Finite elements: how many tetrahedra explicit steps update in a second, on one thread and on two, what a frame of an implicit body
//! costs, how much memory a tetrahedron takes, and how far equilibria are from those of an independent solver.

use super::frames::Frames;
use super::row::{Better, Row};
use super::{Threads, keep_awake, pool, seconds};
use crate::Failure;
use pliant::geometry::shapes;
use pliant::glam::Vec3;
use pliant::model::Elements;
use pliant::tool::Pin;
use pliant::{Body, BodyHandle, ElementSettings, ElementSolver, Material, Selection, World};
use pliant_scenes::equilibria::CASES;

/// Edge of the cells in metres, of a cube of 1 m and of a beam: 39,304 and 17,136 tetrahedra.
const CELL: f32 = 1.0 / 17.0;
const DT_SECS: f32 = 1.0 / 60.0;
/// Frames of which the fastest counts.
const ROUNDS: usize = 8;
const FRAMES: usize = 48;

/// All rows.
pub(super) fn rows(threads: Threads) -> Result<Vec<Row>, Failure> {
    let explicit = |threads| pool(threads)?.install(|| own_steps_seconds(ElementSolver::Explicit));
    let ([one, updates], [two, _]) = (explicit(1)?, explicit(2)?);
    let mut rows = threads.one()?.install(|| {
        let speed = Row::number("elements", "tets-per-sec-millions", 1e-6 * updates / one, "M/s");
        let mut rows = vec![speed.better(Better::Higher)];
        let [filtered, _] = own_steps_seconds(ElementSolver::SemiImplicit)?;
        let both = [one, filtered].map(|secs| 1e3 * secs);
        rows.push(Row::speedup("elements", "semi-implicit-vs-explicit", both, "ms"));
        rows.extend(implicit()?);
        Ok::<_, Failure>(rows)
    })?;
    let both = pool(2)?;
    let speedup = || Row::speedup("elements", "two-threads-vs-one", [one, two].map(|secs| 1e3 * secs), "ms");
    rows.push(both.install(speedup));
    // What is not a number stays the worst.
    let worse = |worst: f64, error: f64| if worst.is_nan() || worst >= error { worst } else { error };
    let worst = CASES.iter().map(|case| case.error()).fold(0.0, worse);
    rows.push(threads.one()?.install(|| Row::number("elements", "oracle-worst-error", 100.0 * worst, "%")));
    Ok(rows)
}

/// The fastest frame of a cube that swings freely, in seconds, and the tetrahedra that are updated in it.
fn own_steps_seconds(solver: ElementSolver) -> Result<[f64; 2], Failure> {
    let settings = ElementSettings { solver, ..settings() };
    let material = Material::default().with_young_modulus(1e6, 0.3).with_damping(0.0);
    let cube = Body::builder(shapes::cuboid(Vec3::ONE, [2; 3])).model(settings).material(material);
    let (mut world, body) = world(cube.build().map_err(Failure::ours)?);
    world.settings.gravity = Vec3::ZERO;
    (world.settings.substeps, world.settings.max_substeps) = (1, 1);
    let (own_steps, tetrahedra) = {
        let body = world.body(body).map_err(Failure::ours)?;
        let longest = body.model.longest_step(&body.rest().nodes, &material);
        ((DT_SECS / longest).ceil(), body.model.parts())
    };
    let mut least = f64::INFINITY;
    let mut frames = Frames::awake("tets-per-sec-millions");
    for _ in 0..ROUNDS {
        let secs = seconds(|| {
            world.step(DT_SECS);
        });
        frames.push(&world, 1e3 * secs)?;
        least = least.min(secs);
    }
    Ok([least, f64::from(own_steps) * tetrahedra as f64])
}

/// A beam of a few thousand nodes that falls from its clamp and swings.
fn implicit() -> Result<Vec<Row>, Failure> {
    let material = Material::default().with_young_modulus(1e5, 0.3);
    let beam = shapes::cuboid(Vec3::new(2.0, 0.5, 0.4), [2; 3]);
    let beam = Body::builder(beam).model(settings()).material(material).build().map_err(Failure::ours)?;
    let (mut world, body) = world(beam);
    let clamp = Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(-0.95, 9.0, 9.0) };
    let pin = Pin::new(body, world.body(body).map_err(Failure::ours)?, &clamp).map_err(Failure::ours)?;
    world.add_tool(pin).map_err(Failure::ours)?;
    let mut frames = Frames::awake("implicit-frame-ms");
    let (mut iterations, mut bytes) = (0, 0.0);
    for _ in 0..FRAMES {
        let secs = seconds(|| {
            world.step(DT_SECS);
        });
        frames.push(&world, 1e3 * secs)?;
        let model: Option<&Elements> = world.body(body).ok().and_then(|body| body.model.get());
        if let Some(model) = model {
            iterations += model.scratch.work.iterations;
            bytes = model.bytes() as f64 / model.rest.tetrahedra.len() as f64;
        }
    }
    Ok(vec![
        Row::number("elements", "implicit-frame-ms", frames.median(), "ms"),
        Row::number("elements", "implicit-iterations", f64::from(iterations) / FRAMES as f64, "a step"),
        Row::number("elements", "memory-per-tetrahedron", bytes, "bytes"),
    ])
}

fn settings() -> ElementSettings {
    ElementSettings { cell: Some(CELL), ..ElementSettings::default() }
}

fn world(body: Body) -> (World, BodyHandle) {
    let mut world = World::new();
    keep_awake(&mut world);
    let handle = world.add_body(body);
    (world, handle)
}
