//! Octree shape matching, \[SOG08\]: what adaptivity is worth, how cost grows, how long a change of cells takes.

use super::{Row, median, number, pool, scene, seconds};
use crate::Failure;
use pliant::geometry::shapes;
use pliant::glam::Vec3;
use pliant::model::Model;
use pliant::model::octree::resample::Changes;
use pliant::sampling::CellKey;
use pliant::{Body, Collider, LatticeSettings, OctreeSettings, Rule, StepReport, World};
use pliant_io::scene::Scene;

/// All rows; each compares two things that take turns, so that both meet the same machine.
pub(super) fn rows() -> Result<Vec<Row>, Failure> {
    let (one, all) = (pool(1)?, pool(0)?);
    let mut rows = one.install(hands)?;
    rows.push(one.install(node_cost)?);
    rows.push(two_threads(&one)?);
    rows.push(Row { threads: all.current_num_threads(), ..all.install(refining)? });
    rows.push(one.install(skin)?);
    Ok(rows)
}

/// A row that is about a ratio of times in ms.
fn ratio(name: &'static str, peer: f64, ours: f64) -> Row {
    Row {
        suite: "octree",
        name,
        value: peer / ours,
        unit: "ms",
        paper: None,
        peer: Some(peer),
        ours: Some(ours),
        ratio: Some(peer / ours),
        threads: 1,
    }
}

/// What a step costs without the skin, which is the same for both: the paper's times leave it out as well.
fn simulation(report: &StepReport) -> f64 {
    report.ms.total() - report.ms.skins
}

const HAND_FRAMES: usize = 90;

/// The hand with five fingers, uniform and adaptive, at the same finest spacing.
fn hands() -> Result<Vec<Row>, Failure> {
    let (mut uniform, mut adaptive) = (scene("hand-uniform")?, scene("hand-adaptive")?);
    let mut ms = [const { Vec::new() }; 4];
    for _ in 0..HAND_FRAMES {
        let (u, a) = (uniform.step(), adaptive.step());
        for (sample, value) in ms.iter_mut().zip([simulation(&u), simulation(&a), u.ms.total(), a.ms.total()])
        {
            sample.push(value);
        }
    }
    let [u, a, u_all, a_all] = ms.map(median);
    let nodes =
        |scene: &Scene| scene.world.bodies().map(|(_, body)| body.nodes.positions.len()).sum::<usize>();
    let cells = adaptive.world.bodies().find_map(|(_, body)| match &body.model {
        Model::Octree(octree) => {
            Some(octree.rest.regions.items.len() as f64 / octree.rest.regions.len() as f64)
        }
        _ => None,
    });
    Ok(vec![
        Row { paper: Some(88.0), ..ratio("hand-adaptive-vs-uniform", u, a) },
        ratio("hand-with-skin-vs-uniform", u_all, a_all),
        number("octree", "hand-uniform-nodes", nodes(&uniform) as f64, "nodes", Some(35_000.0)),
        number("octree", "hand-adaptive-nodes", nodes(&adaptive) as f64, "nodes", Some(661.0)),
        number("octree", "hand-summation-cells", cells.unwrap_or(f64::NAN), "a region", Some(6.0)),
    ])
}

/// A cube of n³ nodes that falls and lands.
fn cube(n: u32) -> Result<World, Failure> {
    let mesh = shapes::cuboid(Vec3::ONE, [n; 3]);
    let settings = LatticeSettings { cell: 1.0 / n as f32, width: 0.3 };
    let body = Body::builder(mesh).at([0.0, 0.6, 0.0]).lattice(settings).build();
    let mut world = World::new();
    world.add_body(body.map_err(|error| Failure::ours(error.to_string()))?);
    world.add_collider(Collider::floor(0.0)).map_err(|error| Failure::ours(error.to_string()))?;
    Ok(world)
}

const CUBE_FRAMES: usize = 40;

/// Cost of a node in a large body and in a small one.
fn node_cost() -> Result<Row, Failure> {
    let (mut large, mut small) = (cube(40)?, cube(20)?);
    let (mut of_large, mut of_small) = (Vec::new(), Vec::new());
    for _ in 0..CUBE_FRAMES {
        of_large.push(simulation(&large.step(1.0 / 60.0)) / 64_000.0 * 1e6);
        // As much work, so that both have the same chance to be disturbed.
        let steps = (0..8).map(|_| simulation(&small.step(1.0 / 60.0)) / 8000.0 * 1e6);
        of_small.push(steps.sum::<f64>() / 8.0);
    }
    let (large, small) = (median(of_large), median(of_small));
    Ok(Row { unit: "ns", value: large / small, ..ratio("node-cost-64k-vs-8k", small, large) })
}

/// One body on one thread and on two.
fn two_threads(one: &rayon::ThreadPool) -> Result<Row, Failure> {
    let two = pool(2)?;
    let (mut first, mut second) = (cube(40)?, cube(40)?);
    let (mut of_one, mut of_two) = (Vec::new(), Vec::new());
    for _ in 0..CUBE_FRAMES {
        of_one.push(one.install(|| simulation(&first.step(1.0 / 60.0))));
        of_two.push(two.install(|| simulation(&second.step(1.0 / 60.0))));
    }
    Ok(Row { threads: 2, ..ratio("two-threads-vs-one", median(of_one), median(of_two)) })
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
    Ok(number("octree", "refine-352-ms", median(sample), "ms", Some(121.0)))
}

/// Cells to divide for about `more` nodes more: the nearer to the highest node, the finer.
fn around_the_top(body: &Body, more: usize) -> Vec<CellKey> {
    let Model::Octree(octree) = &body.model else { return Vec::new() };
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
    let settings = OctreeSettings { cell, levels: 2, width: 2.0 * cell, slack: 0.5 };
    let body = Body::builder(shapes::sphere(0.48, 7))
        .octree(settings)
        .refine([Rule::Everywhere { size: cell }])
        .build();
    let mut world = World::new();
    let handle = world.add_body(body.map_err(|error| Failure::ours(error.to_string()))?);
    let (mut simulating, mut skinning) = (Vec::new(), Vec::new());
    for _ in 0..CUBE_FRAMES {
        let report = world.step(1.0 / 60.0);
        simulating.push(simulation(&report));
        skinning.push(report.ms.skins);
    }
    let vertices = world.body(handle).map_or(0, |body| body.skin().positions.len());
    let scale = 100_000.0 / vertices.max(1) as f64;
    Ok(ratio("skin-100k-vs-simulation-5k", median(simulating), median(skinning) * scale))
}
