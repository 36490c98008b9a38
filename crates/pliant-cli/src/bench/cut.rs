//! Cutting, \[PGCS06\] and \[SOG08\] §8: what a cut costs, the frame after it, and how smooth it is.

use super::{Row, median, number, pool, scene};
use crate::Failure;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{Blade, Body, OctreeSettings, Rule, World};

const FRAME_SECS: f32 = 1.0 / 60.0;

/// All rows, on one thread.
pub(super) fn rows() -> Result<Vec<Row>, Failure> {
    let one = pool(1)?;
    let mut rows = one.install(cube)?;
    rows.extend(one.install(liver)?);
    rows.extend(one.install(ball)?);
    Ok(rows)
}

fn blade(made: Result<Blade, pliant::cut::BladeError>) -> Result<Blade, Failure> {
    made.map_err(|error| Failure::ours(error.to_string()))
}

/// A cube of 1 m as an octree whose cells are all as fine as can be.
fn octree_cube(n: u32) -> Result<Body, Failure> {
    let cell = 1.0 / n as f32;
    Body::builder(shapes::cuboid(Vec3::ONE, [n; 3]))
        .octree(OctreeSettings { cell, levels: 2, width: 2.0 * cell, slack: 0.5 })
        .refine([Rule::Everywhere { size: cell }])
        .build()
        .map_err(|error| Failure::ours(error.to_string()))
}

/// A full cut through 20×20×20 nodes, and the frames around it. A frame is what is simulated and drawn after it: the cut's own
/// is not among them.
fn cube() -> Result<Vec<Row>, Failure> {
    let body = octree_cube(20)?;
    let (mut cuts, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..7 {
        let mut world = World::new();
        world.add_body(body.clone());
        let frames = |world: &mut World, into: &mut Vec<f64>| {
            // The first ones make what later ones reuse.
            into.extend((0..13).map(|_| world.step(FRAME_SECS).ms.total()).skip(3));
        };
        frames(&mut world, &mut before);
        let middle = world.bodies().next().map_or(DVec3::ZERO, |(_, body)| body.center_of_mass());
        world.cut(blade(Blade::plane(middle, Vec3::new(1.0, 0.3, 0.2)))?);
        cuts.push(world.step(FRAME_SECS).ms.cuts);
        frames(&mut world, &mut after);
    }
    let (before, after) = (median(before), median(after));
    Ok(vec![
        number("cut", "cut20-ms", median(cuts), "ms", None),
        number("cut", "frame-before-cut-ms", before, "ms", None),
        number("cut", "frame-after-cut-ms", after, "ms", None),
        number("cut", "cut-frame-after-vs-before", after / before, "", None),
    ])
}

/// The liver that is cut while it hangs: whole frames in which something was cut.
fn liver() -> Result<Vec<Row>, Failure> {
    let mut scene = scene("liver-cut")?;
    let nodes = |scene: &pliant_io::scene::Scene| -> usize {
        scene.world.bodies().map(|(_, body)| body.nodes.positions.len()).sum()
    };
    let first = nodes(&scene);
    let mut cutting = Vec::new();
    for _ in 0..scene.frames {
        let report = scene.step();
        if report.cuts > 0 {
            cutting.push(report.ms.total());
        }
    }
    let last = nodes(&scene);
    cutting.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = ((cutting.len() as f64 * share).ceil() as usize).clamp(1, cutting.len().max(1)) - 1;
        cutting.get(index).copied().unwrap_or(f64::NAN)
    };
    Ok(vec![
        number("cut", "liver-nodes-first", first as f64, "", Some(500.0)),
        number("cut", "liver-nodes-last", last as f64, "", Some(1550.0)),
        number("cut", "liver-cutting-frames", cutting.len() as f64, "", None),
        number("cut", "liver-cut-median-ms", at(0.5), "ms", None),
        number("cut", "liver-cut-p95-ms", at(0.95), "ms", Some(62.0)),
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
        number("cut", "sphere-cut-normal-p90-deg", p90, "°", None),
        number("cut", "sphere-cut-farthest-cells", f64::from(farthest / cell), "", None),
    ])
}
