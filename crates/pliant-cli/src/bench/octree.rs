//! Octree shape matching, \[SOG08\]: what adaptivity is worth, how cost grows, how long a change of cells takes.

use super::frames::Frames;
use super::row::{Better, Row};
use super::{Threads, keep_awake, median, pool, scene, seconds};
use crate::Failure;
use pliant::geometry::shapes;
use pliant::glam::Vec3;
use pliant::model::Changes;
use pliant::model::Octree;
use pliant::sampling::CellKey;
use pliant::{Body, Collider, LatticeSettings, OctreeSettings, Rule, StepReport, World};
use pliant_io::scene::Scene;

/// All rows; each compares two things that take turns, so that both meet the same machine.
pub(super) fn rows(threads: Threads) -> Result<Vec<Row>, Failure> {
    let one = threads.one()?;
    let mut rows = one.install(hands)?;
    rows.push(one.install(node_cost)?);
    rows.push(two_threads()?);
    rows.push(threads.all()?.install(refining)?);
    rows.push(one.install(skin)?);
    Ok(rows)
}

/// A row that is about a ratio of times in ms.
fn speedup(name: &'static str, peer: &Frames, ours: &Frames) -> Row {
    Row::speedup("octree", name, [peer.median(), ours.median()], "ms")
}

fn number(name: &'static str, value: f64, unit: &'static str) -> Row {
    Row::number("octree", name, value, unit)
}

/// What a step costs without the skin, which is the same for both: the paper's times leave it out as well.
fn simulation(report: &StepReport) -> f64 {
    report.ms.total() - report.ms.skins
}

const HAND_FRAMES: usize = 90;

/// The hand with five fingers, uniform and adaptive, at the same finest spacing.
fn hands() -> Result<Vec<Row>, Failure> {
    let (mut uniform, mut adaptive) = (scene("hand-uniform")?, scene("hand-adaptive")?);
    let (simulated, skinned) = ("hand-adaptive-vs-uniform", "hand-with-skin-vs-uniform");
    let [mut u, mut a] = [(); 2].map(|()| Frames::awake(simulated));
    let [mut u_all, mut a_all] = [(); 2].map(|()| Frames::awake(skinned));
    for _ in 0..HAND_FRAMES {
        let (of_uniform, of_adaptive) = (uniform.step(), adaptive.step());
        u.push(&uniform.world, simulation(&of_uniform))?;
        a.push(&adaptive.world, simulation(&of_adaptive))?;
        u_all.push(&uniform.world, of_uniform.ms.total())?;
        a_all.push(&adaptive.world, of_adaptive.ms.total())?;
    }
    let nodes =
        |scene: &Scene| scene.world.bodies().map(|(_, body)| body.nodes.positions.len()).sum::<usize>();
    let resolution = adaptive.world.bodies().find_map(|(_, body)| {
        let octree = body.model.get::<Octree>()?;
        Some(octree.rest.resolution())
    });
    let resolution = resolution.ok_or_else(|| Failure::ours("the adaptive hand is no octree"))?;
    let [_, stiffness, _] = resolution.stiffness;
    Ok(vec![
        speedup(simulated, &u, &a).paper(88.0),
        speedup(skinned, &u_all, &a_all),
        number("hand-uniform-nodes", nodes(&uniform) as f64, "nodes").better(Better::Same).paper(35_000.0),
        number("hand-adaptive-nodes", nodes(&adaptive) as f64, "nodes").better(Better::Same).paper(661.0),
        number("hand-summation-cells", resolution.sums, "a region").paper(6.0),
        number(
            "hand-independent-nodes",
            100.0 * resolution.independent as f64 / resolution.nodes as f64,
            "%",
        )
        .better(Better::Higher),
        number("hand-median-stiffness", stiffness, "of what was asked").better(Better::Higher),
    ])
}

/// A cube of n³ nodes that falls and lands, and does not sleep then.
fn cube(n: u32) -> Result<World, Failure> {
    let mesh = shapes::cuboid(Vec3::ONE, [n; 3]);
    let settings = LatticeSettings { cell: Some(1.0 / n as f32), width: Some(0.3) };
    let body = Body::builder(mesh).at([0.0, 0.6, 0.0]).model(settings).build();
    let mut world = World::new();
    keep_awake(&mut world);
    world.add_body(body.map_err(|error| Failure::ours(error.to_string()))?);
    world.add_collider(Collider::floor(0.0)).map_err(|error| Failure::ours(error.to_string()))?;
    Ok(world)
}

const CUBE_FRAMES: usize = 40;
/// Frames after which a cube stands on the floor.
const CUBE_LANDING: usize = 60;

/// Cost of a node in a large body and in a small one, both standing: the small one makes eight times as many frames, which must
/// not be others than those of the large one.
fn node_cost() -> Result<Row, Failure> {
    let (mut large, mut small) = (cube(40)?, cube(20)?);
    for _ in 0..CUBE_LANDING {
        large.step(1.0 / 60.0);
        small.step(1.0 / 60.0);
    }
    let name = "node-cost-64k-vs-8k";
    let [mut of_large, mut of_small] = [(); 2].map(|()| Frames::awake(name));
    for _ in 0..CUBE_FRAMES {
        let ms = simulation(&large.step(1.0 / 60.0));
        of_large.push(&large, ms)?;
        // As much work, so that both have the same chance to be disturbed.
        let ms: f64 = (0..8).map(|_| simulation(&small.step(1.0 / 60.0))).sum();
        of_small.push(&small, ms / 8.0)?;
    }
    let nanoseconds = [of_small.median() / 8000.0, of_large.median() / 64_000.0].map(|ms| ms * 1e6);
    Ok(Row::growth("octree", name, nanoseconds, "ns"))
}

/// One body on one thread and on two.
fn two_threads() -> Result<Row, Failure> {
    let (one, two) = (pool(1)?, pool(2)?);
    let (mut first, mut second) = (cube(40)?, cube(40)?);
    let name = "two-threads-vs-one";
    let [mut of_one, mut of_two] = [(); 2].map(|()| Frames::awake(name));
    for _ in 0..CUBE_FRAMES {
        let ms = one.install(|| simulation(&first.step(1.0 / 60.0)));
        of_one.push(&first, ms)?;
        let ms = two.install(|| simulation(&second.step(1.0 / 60.0)));
        of_two.push(&second, ms)?;
    }
    Ok(Row { threads: 2, ..speedup(name, &of_one, &of_two) })
}

/// 352 nodes more, in three levels at once, around the highest place of one of the flowers.
fn refining() -> Result<Row, Failure> {
    let mut scene = scene("flowers-in-wind")?;
    for _ in 0..30 {
        scene.step();
    }
    let mut sample = Vec::new();
    for (_, flower) in scene.world.bodies().take(20) {
        let mut flower = flower.clone();
        let first = flower.nodes.positions.len();
        let changes = Changes { divide: around_the_top(&flower, 352), ..Changes::default() };
        let mut done = Ok(false);
        let ms = seconds(|| done = flower.resample(&changes)) * 1e3;
        done.map_err(|error| Failure::ours(error.to_string()))?;
        sample.push(ms * 352.0 / (flower.nodes.positions.len() - first).max(1) as f64);
    }
    Ok(number("refine-352-ms", median(sample), "ms").paper(121.0))
}

/// Cells to divide for about `more` nodes more: the nearer to the highest node, the finer.
fn around_the_top(body: &Body, more: usize) -> Vec<CellKey> {
    let Some(octree) = body.model.get::<Octree>() else { return Vec::new() };
    let rest = &*octree.rest;
    let Some(top) = rest.places.iter().copied().max_by(|a, b| a.y.total_cmp(&b.y)) else { return Vec::new() };
    let holds = |key: &CellKey| rest.grid.filling.material(key.low().to_array(), key.edge()).count > 0;
    let within = |radius: f32| {
        let (mut divided, mut gain) = (Vec::new(), 0);
        let mut cells: Vec<CellKey> = rest.tree.leaf_keys().collect();
        while let Some(key) = cells.pop() {
            let size = key.edge() as f32 * rest.grid.filling.cell;
            let away = (rest.grid.middle(key.low(), key.edge()) - rest.grid.centre).distance(top);
            if key.level() > 0 && away < radius + 2.0 * size {
                let children: Vec<CellKey> = key.children().into_iter().filter(holds).collect();
                gain += children.len() - 1;
                cells.extend(children);
                divided.push(key);
            }
        }
        (divided, gain)
    };
    let (mut low, mut high) = (0.0, 2.0);
    for _ in 0..20 {
        let middle = 0.5 * (low + high);
        if within(middle).1 < more { low = middle } else { high = middle }
    }
    within(high).0
}

/// A skin of 100,000 vertices against the simulation of the 5,000 nodes that carry it.
fn skin() -> Result<Row, Failure> {
    let cell = 0.0457;
    let settings = OctreeSettings { cell: Some(cell), levels: Some(2), width: Some(2.0 * cell), slack: 0.5 };
    let body = Body::builder(shapes::sphere(0.48, 7))
        .model(settings)
        .refine([Rule::Everywhere { size: cell }])
        .build();
    let mut world = World::new();
    let handle = world.add_body(body.map_err(|error| Failure::ours(error.to_string()))?);
    let name = "skin-100k-vs-simulation-5k";
    let [mut simulating, mut skinning] = [(); 2].map(|()| Frames::awake(name));
    for _ in 0..CUBE_FRAMES {
        let report = world.step(1.0 / 60.0);
        simulating.push(&world, simulation(&report))?;
        skinning.push(&world, report.ms.skins)?;
    }
    let vertices = world.body(handle).map_or(0, |body| body.skin().positions.len());
    let scale = 100_000.0 / vertices.max(1) as f64;
    Ok(Row::speedup("octree", name, [simulating.median(), skinning.median() * scale], "ms"))
}
