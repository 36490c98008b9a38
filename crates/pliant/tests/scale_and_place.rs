//! The same scene at another size or in another place gives the same shapes.

mod common;

use common::small_box;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{Body, Clustering, Collider, GoalSettings, Matching, Material, Shape, World, WorldSettings};

/// A box dropped on a floor with a bump in it; shapes relative to the size after each 30 frames.
fn drop(scale: f32, place: DVec3, matching: Matching, clustering: Clustering) -> Vec<Vec<Vec3>> {
    let gravity = Vec3::new(0.0, -9.81 * scale, 0.0);
    let mut world = World::with_settings(WorldSettings { gravity, ..WorldSettings::default() });
    // When a body rests is a speed that the user chose.
    world.settings.sleep.speed = 0.0;
    let at = |x: f64, y: f64, z: f64| place + DVec3::new(x, y, z) * f64::from(scale);
    world.add_collider(Collider::floor(place.y)).expect("a floor");
    let ball = Collider::new(Shape::Sphere { radius: 0.3 * scale }).at(at(0.2, -0.22, 0.1));
    world.add_collider(ball).expect("a ball");
    let particles = pliant::ParticleSettings { spacing: Some(0.25 * scale), ..Default::default() };
    let body = small_box()
        .model_with(|of: &mut pliant::ClusterSettings| of.particles = particles)
        .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering)
        .model_with(|of: &mut pliant::ClusterSettings| {
            of.set_goals(GoalSettings { matching, ..GoalSettings::default() })
        })
        // Soft: a stiff body that lands on an edge is chaotic, and rounding decides to which side it falls.
        .material(Material::default().with_alpha(0.04))
        .scale(scale)
        .at(at(0.0, 1.2, 0.0))
        .turned(Quat::from_rotation_z(0.3))
        .build()
        .expect("a body");
    let handle = world.add_body(body);
    (0..4)
        .map(|_| {
            common::run(&mut world, 30, 1.0 / 60.0);
            let body = world.body(handle).expect("there");
            let here = |i: usize| ((body.nodes.world_position(i) - place) / f64::from(scale)).as_vec3();
            (0..body.nodes.positions.len()).map(here).collect()
        })
        .collect()
}

/// Largest distance between the same node of two runs.
fn difference(a: &[Vec<Vec3>], b: &[Vec<Vec3>]) -> f32 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// The same when both are laid over each other: a box that rolls off a ball goes another way when its first bit differs, but
/// its shape must not.
fn difference_of_shapes(a: &[Vec<Vec3>], b: &[Vec<Vec3>]) -> f64 {
    let fit = |(a, b): (&Vec<Vec3>, &Vec<Vec3>)| common::rigid_fit(a, b, &vec![1.0; a.len()]).1;
    a.iter().zip(b).map(fit).fold(0.0, f64::max)
}

fn kinds() -> Vec<(Matching, Clustering)> {
    let mut kinds = Vec::new();
    for matching in [Matching::Rigid, Matching::Linear, Matching::Quadratic] {
        for clustering in common::clusterings().into_iter().take(3) {
            kinds.push((matching, clustering));
        }
    }
    kinds
}

#[test]
fn no_length_is_built_in() {
    // Powers of two change no digit of any number, so the runs differ only if something is measured against a fixed length.
    for (matching, clustering) in kinds() {
        let metre = drop(1.0, DVec3::ZERO, matching, clustering.clone());
        for scale in [1.0 / 1024.0, 1024.0] {
            let other = drop(scale, DVec3::ZERO, matching, clustering.clone());
            let off = difference(&metre, &other);
            assert!(off < 1e-6, "{matching:?} {clustering:?} at {scale} m: {off:.1e} of the size");
        }
    }
}

#[test]
fn a_millimetre_and_a_kilometre_take_the_same_shapes_as_a_metre() {
    for (matching, clustering) in kinds() {
        let metre = drop(1.0, DVec3::ZERO, matching, clustering.clone());
        for scale in [1e-3, 1e3] {
            let other = drop(scale, DVec3::ZERO, matching, clustering.clone());
            let off = difference_of_shapes(&metre, &other);
            println!("{matching:?} {clustering:?} at {scale} m: {off:.1e}");
            assert!(off < 1e-3, "{matching:?} {clustering:?} at {scale} m: {off:.1e} of the size");
        }
    }
}

#[test]
fn a_thousand_kilometres_from_the_origin_shapes_are_the_same() {
    for (matching, clustering) in kinds() {
        let here = drop(1.0, DVec3::ZERO, matching, clustering.clone());
        for far in [1e3, 1e6] {
            let place = DVec3::new(far, 0.5 * far, -0.7 * far);
            let there = drop(1.0, place, matching, clustering.clone());
            let off = difference_of_shapes(&here, &there);
            println!("{matching:?} {clustering:?} {far} m away: {off:.1e}");
            // A cell is 0.25 m.
            assert!(off < 1e-3 * 0.25, "{matching:?} {clustering:?} {far} m away: {off:.1e} m");
        }
    }
}

#[test]
fn a_body_that_flies_away_keeps_its_shape() {
    let mut world = common::weightless();
    let body = Body::builder(shapes::sphere(0.5, 1)).velocity(Vec3::new(1e3, 200.0, -300.0)).build();
    let handle = world.add_body(body.expect("a ball"));
    common::run(&mut world, 6_000, 1.0 / 60.0);
    let body = world.body(handle).expect("there");
    assert!(body.center_of_mass().length() > 1e5);
    let deformed = common::deformation(body);
    assert!(deformed < 1e-4, "100 km away its shape is off by {deformed:.1e}");
}
