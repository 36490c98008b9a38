//! Cutting, \[PGCS06\] and \[SOG08\] §8: what a cut costs, the frame after it, and how smooth it is.

use super::frames::Frames;
use super::row::{Better, Row};
use super::{Threads, scene};
use crate::Failure;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{Blade, Body, OctreeSettings, Rule, World};

const FRAME_SECS: f32 = 1.0 / 60.0;

/// All rows, on one thread unless the user wants more.
pub(super) fn rows(threads: Threads) -> Result<Vec<Row>, Failure> {
    let one = threads.one()?;
    let mut rows = one.install(cube)?;
    rows.extend(one.install(liver)?);
    rows.extend(one.install(ball)?);
    Ok(rows)
}

fn number(name: &'static str, value: f64, unit: &'static str) -> Row {
    Row::number("cut", name, value, unit)
}

fn blade(made: Result<Blade, pliant::cut::BladeError>) -> Result<Blade, Failure> {
    made.map_err(|error| Failure::ours(error.to_string()))
}

/// A cube of 1 m as an octree whose cells are all as fine as can be.
fn octree_cube(n: u32) -> Result<Body, Failure> {
    let cell = 1.0 / n as f32;
    Body::builder(shapes::cuboid(Vec3::ONE, [n; 3]))
        .model(OctreeSettings { cell: Some(cell), levels: Some(2), width: Some(2.0 * cell), slack: 0.5 })
        .refine([Rule::Everywhere { size: cell }])
        .build()
        .map_err(|error| Failure::ours(error.to_string()))
}

/// A full cut through 20×20×20 nodes, and the frames around it. A frame is what is simulated and drawn after it: the cut's own
/// is not among them.
fn cube() -> Result<Vec<Row>, Failure> {
    let body = octree_cube(20)?;
    let mut cuts = Frames::awake("cut20-ms");
    let mut before = Frames::awake("frame-before-cut-ms");
    let mut after = Frames::awake("frame-after-cut-ms");
    for _ in 0..7 {
        let mut world = World::new();
        world.add_body(body.clone());
        frames(&mut world, &mut before)?;
        let middle = world.bodies().next().map_or(DVec3::ZERO, |(_, body)| body.center_of_mass());
        world.cut(blade(Blade::plane(middle, Vec3::new(1.0, 0.3, 0.2)))?);
        let report = world.step(FRAME_SECS);
        cuts.push(&world, report.ms.cuts)?;
        frames(&mut world, &mut after)?;
    }
    let (before, after) = (before.median(), after.median());
    Ok(vec![
        number("cut20-ms", cuts.median(), "ms"),
        number("frame-before-cut-ms", before, "ms"),
        number("frame-after-cut-ms", after, "ms"),
        number("cut-frame-after-vs-before", after / before, ""),
    ])
}

/// Ten frames after three that make what later ones reuse.
fn frames(world: &mut World, into: &mut Frames) -> Result<(), Failure> {
    for _ in 0..3 {
        world.step(FRAME_SECS);
    }
    for _ in 0..10 {
        let report = world.step(FRAME_SECS);
        into.push(world, report.ms.total())?;
    }
    Ok(())
}

/// The liver that is cut while it hangs: whole frames in which something was cut.
fn liver() -> Result<Vec<Row>, Failure> {
    let mut scene = scene("liver-cut")?;
    let nodes = |scene: &pliant_io::scene::Scene| -> usize {
        scene.world.bodies().map(|(_, body)| body.nodes.positions.len()).sum()
    };
    let first = nodes(&scene);
    let mut cutting = Frames::awake("liver-cut-p95-ms");
    for _ in 0..scene.frames {
        let report = scene.step();
        if report.cuts > 0 {
            cutting.push(&scene.world, report.ms.total())?;
        }
    }
    let last = nodes(&scene);
    Ok(vec![
        number("liver-nodes-first", first as f64, "").better(Better::Same).paper(500.0),
        number("liver-nodes-last", last as f64, "").better(Better::Same).paper(1550.0),
        number("liver-cutting-frames", cutting.len() as f64, "").better(Better::Same),
        number("liver-cut-median-ms", cutting.percentile(0.5), "ms"),
        number("liver-cut-p95-ms", cutting.percentile(0.95), "ms").paper(62.0),
    ])
}

/// How far the cut of a spherical blade is from the sphere.
fn ball() -> Result<Vec<Row>, Failure> {
    let (center, radius, cell) = (DVec3::new(0.03, -0.02, 0.05), 0.32, 0.05);
    let mut world = World::with_settings(pliant::WorldSettings { gravity: Vec3::ZERO, ..Default::default() });
    world.add_body(octree_cube(20)?);
    world.cut(blade(Blade::mesh(&shapes::sphere(radius, 5), center))?);
    world.step(FRAME_SECS);
    let (mut angles, mut farthest) = (Vec::new(), 0.0_f32);
    for (_, body) in world.bodies() {
        let mesh = &body.rest().mesh;
        let mut cut = vec![false; mesh.positions.len()];
        let triangles = mesh.triangles.iter().zip(&mesh.triangle_paints);
        for (triangle, _) in triangles.filter(|(_, paint)| mesh.paints[**paint as usize].name == "cut") {
            triangle.iter().for_each(|&v| cut[v as usize] = true);
        }
        for vertex in (0..cut.len()).filter(|&vertex| cut[vertex]) {
            let away = mesh.positions[vertex] - center.as_vec3();
            let cosine = mesh.normals[vertex].dot(away.normalize_or_zero()).abs().min(1.0);
            angles.push(f64::from(cosine.acos().to_degrees()));
            farthest = farthest.max((away.length() - radius).abs());
        }
    }
    angles.sort_by(f64::total_cmp);
    let p90 = angles.get(angles.len() * 9 / 10).copied().unwrap_or(f64::NAN);
    Ok(vec![
        number("sphere-cut-normal-p90-deg", p90, "°"),
        number("sphere-cut-farthest-cells", f64::from(farthest / cell), ""),
    ])
}
