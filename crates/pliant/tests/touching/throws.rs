//! Nothing passes through what stands in its way, however fast it is.

use super::H;
use crate::common::{Random, weightless};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{Body, Collider, LatticeSettings, Material, Shape};

/// Metres behind the middle of a wall that are more than rounding.
const PASSED: f64 = 1e-5;

/// Throws bodies at up to 100 m/s at walls that they must not pass.
///
/// All that pass are told of together: one alone says little about why.
fn throws(first: u64, last: u64) {
    let bodies = [
        Body::builder(shapes::cuboid(Vec3::splat(0.3), [3; 3]))
            .model(LatticeSettings { cell: Some(0.1), width: Some(0.2) })
            .build()
            .expect("a lattice"),
        Body::builder(shapes::sphere(0.2, 1)).build().expect("a ball"),
    ];
    let sheet = shapes::cuboid(Vec3::new(0.02, 40.0, 40.0), [1, 6, 6]);
    let walls = [
        Collider::plane(DVec3::ZERO, -Vec3::X),
        Collider::new(Shape::Box { half: Vec3::new(0.01, 20.0, 20.0) }),
        Collider::new(Shape::mesh(&sheet)),
    ];
    let passed: Vec<String> = (first..last).filter_map(|seed| throw(&bodies, &walls, seed).err()).collect();
    assert!(passed.is_empty(), "{} of {}:\n{}", passed.len(), last - first, passed.join("\n"));
}

/// Throws one of some bodies at one of some walls.
///
/// # Errors
/// How it passed.
fn throw(bodies: &[Body], walls: &[Collider], seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut world = weightless();
    world.settings.substeps = 4;
    let wall = random.below(walls.len());
    world.add_collider(walls[wall].clone()).expect("a wall");
    let kind = random.below(bodies.len());
    let mut body = bodies[kind].clone();
    body.material = Material::default()
        .with_alpha(random.between(0.05, 1.0))
        .with_friction(random.between(0.0, 1.0))
        .with_restitution(if random.unit() < 0.5 { 0.0 } else { random.unit() });
    let start = DVec3::new(-random.between(0.6, 3.0) as f64, 0.0, 0.0);
    body.place(start, random.rotation()).expect("a place");
    let across = 0.5 * random.vec3();
    let speed = random.magnitude(1.0, 100.0);
    let way = Vec3::new(1.0, across.y, across.z).normalize();
    body.set_motion(way * speed, random.vec3() * 10.0).expect("a motion");
    let handle = world.add_body(body);
    let frames = (2.0 * start.x.abs() / f64::from(way.x * speed * H)) as usize;
    for frame in 0..frames.clamp(12, 200) {
        let report = world.step(H);
        let body = world.body(handle).expect("there");
        let farthest = (0..body.nodes.positions.len()).map(|i| body.nodes.world_position(i).x);
        let farthest = farthest.fold(f64::NEG_INFINITY, f64::max);
        let what = format!("seed {seed}, body {kind}, wall {wall}, {speed} m/s, frame {frame}");
        if farthest >= PASSED {
            return Err(format!("{what}: {farthest} m behind"));
        }
        if report.contained > 0 {
            return Err(format!("{what}: {} nodes contained", report.contained));
        }
    }
    Ok(())
}

#[test]
fn nothing_passes_a_plane_a_thin_box_or_a_mesh() {
    throws(0, 1_000);
}

#[test]
#[ignore = "minutes: the long version of the one above"]
fn nothing_passes_in_ten_thousand_throws() {
    throws(0, 10_000);
}
