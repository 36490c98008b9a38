//! How long it takes to ask a shape how far away it is.

use criterion::{Criterion, criterion_group, criterion_main};
use pliant::Shape;
use pliant::geometry::shapes;
use pliant::glam::Vec3;
use std::hint::black_box;

fn distance(c: &mut Criterion) {
    let heights: Vec<Vec<f32>> =
        (0..72).map(|r| (0..72).map(|c| 0.1 * ((r * c) as f32 * 0.05).sin()).collect()).collect();
    let ball = shapes::sphere(0.7, 3).positions;
    let table = [
        ("plane", Shape::Plane),
        ("sphere", Shape::Sphere { radius: 0.7 }),
        ("box", Shape::Box { half: Vec3::splat(0.5) }),
        ("capsule", Shape::Capsule { radius: 0.3, half_height: 0.4 }),
        ("cylinder", Shape::Cylinder { radius: 0.6, half_height: 0.4 }),
        ("hull of a box", Shape::convex_hull(shapes::cuboid(Vec3::ONE, [1, 1, 1]).positions)),
        ("hull of 642 points", Shape::convex_hull(ball)),
        ("mesh of 10 080 triangles", Shape::mesh(&shapes::torus(0.6, 0.25, 120, 42))),
        ("ground of 10 082 triangles", Shape::heightfield(Vec3::new(2.0, 1.0, 2.0), heights)),
    ];
    for (name, shape) in table {
        shape.validate().expect("a shape");
        // A resting body's nodes: most of them are some way from the surface, on both sides of the bounds.
        let points: Vec<Vec3> = (0..1024)
            .map(|i| i as f32)
            .map(|t| Vec3::new((t * 0.37).sin(), (t * 0.73).cos(), (t * 1.31).sin()))
            .collect();
        let near: Vec<Vec3> = points
            .iter()
            .map(|&p| {
                let (distance, normal) = shape.distance(p);
                p - normal * (distance - 0.02 * p.x)
            })
            .collect();
        for (place, points) in [("around", points), ("near", near)] {
            let mut at = 0;
            c.bench_function(&format!("{name}, {place}"), |b| {
                b.iter(|| {
                    at = (at + 1) % points.len();
                    shape.distance(black_box(points[at]))
                });
            });
            c.bench_function(&format!("{name}, {place}, is it farther than 1 cm"), |b| {
                b.iter(|| {
                    at = (at + 1) % points.len();
                    shape.is_farther_than(black_box(points[at]), 0.01)
                });
            });
        }
    }
}

criterion_group!(benches, distance);
criterion_main!(benches);
