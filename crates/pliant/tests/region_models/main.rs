//! The laws that hold for every model of regions: `lattice` and `octree`.

mod behaviour;
mod bits;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/blocks.rs"]
mod made_of_blocks;
mod momentum;
mod places;
mod stability;

use common::{Random, deform, deformation, is_finite, momentum, spoil, weightless};
use made_of_blocks::l_bar;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Mat3, Quat, Vec3};
use pliant::math::{Mat3x8, Quatx8};
use pliant::model::regions::rest::Summation;
use pliant::model::regions::{Constants, Pull, Shares, fit};
use pliant::model::{Model, regions};
use pliant::*;

const H: f32 = 1.0 / 60.0;

/// Gives a body one of the models.
type Make = fn(BodyBuilder, f32) -> BodyBuilder;

/// Each for cells of a given size.
const MODELS: [(&str, Make); 4] = [
    ("lattice, narrow", |b, cell| b.model(LatticeSettings { cell: Some(cell), width: Some(cell) })),
    ("lattice, wide", |b, cell| b.model(LatticeSettings { cell: Some(cell), width: Some(3.0 * cell) })),
    ("octree, uniform", |b, cell| {
        b.model(OctreeSettings { cell: Some(cell), levels: Some(0), width: Some(2.0 * cell), slack: 0.0 })
    }),
    ("octree, painted", |b, cell| {
        let near = Selection::Sphere { center: Vec3::ZERO, radius: 4.0 * cell };
        b.model(OctreeSettings { cell: Some(cell), levels: Some(2), width: Some(cell), slack: 0.5 })
            .refine([Rule::Region { within: near, size: cell }])
            .widths(move |p| cell * (2.0 + 2.0 * (3.0 * p.x / cell).sin() + 2.0 * (2.0 * p.y / cell).cos()))
    }),
];

/// Cells of [`bar`].
const CELL: f32 = 0.1;

fn bar() -> BodyBuilder {
    Body::builder(l_bar())
}

/// A box of few nodes.
fn small() -> BodyBuilder {
    Body::builder(shapes::cuboid(Vec3::new(1.0, 0.75, 0.5), [4, 3, 2]))
}

fn undamped() -> Material {
    Material::default().with_damping(0.0)
}

/// Stretched, sheared, dented, trembling, flying and spinning.
fn thrown(make: Make, material: Material, seed: u64) -> Body {
    let mut body = make(bar(), CELL)
        .material(material)
        .velocity(Vec3::new(3.0, -1.0, 2.0))
        .spin(Vec3::new(1.0, 4.0, -2.0))
        .build()
        .expect("a body");
    let mut random = Random::new(seed);
    let map = Mat3::from_cols(Vec3::new(1.3, 0.1, 0.0), Vec3::new(0.2, 0.8, 0.1), Vec3::new(0.0, -0.1, 1.1));
    for (x, v) in body.nodes.positions.iter_mut().zip(&mut body.nodes.velocities) {
        *x = map * *x + 0.02 * random.vec3();
        *v += 0.5 * random.vec3();
    }
    body
}

/// The parts of a model of regions that a step works with.
fn parts(body: &Body) -> (&dyn Summation, &[Constants], &Shares, &regions::State) {
    match &body.model {
        Model::Lattice(l) => (&*l.rest, &l.rest.constants, &l.rest.shares, &l.state),
        Model::Octree(o) => (&*o.rest, &o.rest.constants, &o.rest.shares, &o.state),
        other => panic!("this body's model is {}", other.name()),
    }
}

/// Lasting strain of the region that has most.
fn plastic_strain(body: &Body) -> f32 {
    let strain = |s: &Mat3| (*s - Mat3::IDENTITY).to_cols_array().iter().map(|v| v * v).sum::<f32>().sqrt();
    parts(body).3.plastic.iter().map(strain).fold(0.0, f32::max)
}
