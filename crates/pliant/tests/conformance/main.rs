//! What every model must do: the same contracts over all of them, from one list ([`models`]).

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod bits;
mod colliders;
#[path = "../common/mod.rs"]
mod common;
mod cuts;
mod energy;
mod models;
mod momentum;
mod pairs;
mod places;
mod remodel;
mod resample;
mod rigid_motion;
mod settings;
mod starts;
#[path = "../common/surface.rs"]
mod surface;
mod tools;

use common::{Random, deformation, is_finite, momentum, run, weightless};
use models::{Entry, MODELS, Wanted};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Mat3, Quat, Vec3};
use pliant::*;
use surface::{assert_closed, depth_in, totals};

/// A frame in seconds.
const H: f32 = 1.0 / 60.0;

/// Distance in metres between the nodes of [`block`], about.
const SPACING: f32 = 0.25;

/// A box of few nodes that is nowhere symmetric.
fn block() -> TriMesh {
    shapes::cuboid(Vec3::new(1.0, 0.75, 0.5), [4, 3, 2])
}

/// A world as users have it, but without gravity, and without sleep.
fn space() -> World {
    let mut world = World::with_settings(WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() });
    world.settings.sleep.speed = 0.0;
    world
}

/// A world as users have it, with a floor.
fn floor() -> World {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).unwrap();
    world
}

/// A block that is stretched, sheared and dented, trembles, flies and spins; `scale` is its size in metres.
fn thrown(model: &Entry, material: Material, scale: f32, seed: u64) -> Body {
    thrown_of((model.at)(SPACING * scale), material, scale, seed)
}

/// The same with settings of its own.
fn thrown_of(settings: Wanted, material: Material, scale: f32, seed: u64) -> Body {
    let mut body = settings
        .builder(block())
        .scale(scale)
        .material(material)
        .velocity(scale * Vec3::new(3.0, -1.0, 2.0))
        .spin(Vec3::new(1.0, 4.0, -2.0))
        .build()
        .unwrap();
    let mut random = Random::new(seed);
    let map = Mat3::from_cols(Vec3::new(1.3, 0.1, 0.0), Vec3::new(0.2, 0.8, 0.1), Vec3::new(0.0, -0.1, 1.1));
    for (x, v) in body.nodes.positions.iter_mut().zip(&mut body.nodes.velocities) {
        *x = map * *x + 0.02 * scale * random.vec3();
        *v += 0.5 * scale * random.vec3();
    }
    body
}

#[test]
fn a_body_has_the_model_that_was_asked_for() {
    for (i, model) in MODELS.iter().enumerate() {
        for settings in model.settings(SPACING) {
            let body = settings.builder(block()).build().unwrap();
            assert_eq!(body.model.name(), model.word);
            assert_eq!(Wanted::of(&body), settings, "{}", model.word);
            let mass = f64::from(body.material.density) * 0.375;
            let found = body.rest().nodes.total_mass;
            assert!((found / mass - 1.0).abs() < 0.05, "{}: {found} kg of {mass} kg", model.word);
        }
        assert_eq!(model.word, pliant::model::WORDS[i], "the engine's list and this one");
        assert!(MODELS[..i].iter().all(|other| other.word != model.word), "{} is there twice", model.word);
    }
    assert_eq!(MODELS.len(), pliant::model::WORDS.len());
}
