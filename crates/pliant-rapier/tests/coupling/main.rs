//! Soft and rigid bodies feel each other.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    clippy::allow_attributes,
    reason = "tests say what is wrong by panicking"
)]

mod attachments;
mod bookkeeping;
mod hits;
mod resting;
mod trouble;

use pliant::glam::{DVec3, Vec3};
use pliant::{Body, BodyHandle, LatticeSettings, Material, World, WorldSettings};
use pliant_rapier::Coupling;
use pliant_rapier::rapier3d::prelude::*;

pub const DT: f32 = 1.0 / 60.0;

/// Both worlds.
#[derive(Default)]
pub struct Both {
    pub world: World,
    pub physics: PhysicsWorld,
    pub coupling: Coupling,
}

impl Both {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn weightless() -> Self {
        let settings = WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() };
        let mut both = Self { world: World::with_settings(settings), ..Self::new() };
        both.physics.gravity = Vector::ZERO;
        both
    }

    /// A block of jelly with its middle at a place.
    pub fn jelly(&mut self, size: [f32; 3], at: [f64; 3]) -> BodyHandle {
        self.jelly_of(Material::default(), size, at)
    }

    pub fn jelly_of(&mut self, material: Material, size: [f32; 3], at: [f64; 3]) -> BodyHandle {
        let cells = size.map(|edge| (edge / 0.1).round().max(1.0) as u32);
        let mesh = pliant::geometry::shapes::cuboid(size.into(), cells);
        let body = Body::builder(mesh)
            .material(material)
            .model(LatticeSettings { cell: Some(0.1), width: Some(0.2) })
            .at(DVec3::ZERO)
            .build();
        let mut body = body.unwrap();
        body.place(at, pliant::glam::Quat::IDENTITY).unwrap();
        self.world.add_body(body)
    }

    /// A ball of a mass in kg.
    pub fn ball(&mut self, radius: f32, mass: f32, at: [f32; 3], velocity: [f32; 3]) -> RigidBodyHandle {
        let body = RigidBodyBuilder::dynamic().translation(at.into()).linvel(velocity.into());
        self.physics.insert(body, ColliderBuilder::ball(radius).mass(mass)).0
    }

    /// A box of a mass in kg.
    pub fn cuboid(&mut self, half: [f32; 3], mass: f32, at: [f32; 3]) -> RigidBodyHandle {
        let body = RigidBodyBuilder::dynamic().translation(at.into());
        self.physics.insert(body, ColliderBuilder::cuboid(half[0], half[1], half[2]).mass(mass)).0
    }

    /// A floor of rapier at height 0.
    pub fn floor(&mut self) {
        let floor = ColliderBuilder::cuboid(20.0, 0.5, 20.0).translation(Vector::new(0.0, -0.5, 0.0));
        self.physics.insert(RigidBodyBuilder::fixed(), floor);
    }

    pub fn step(&mut self) -> pliant::StepReport {
        self.coupling.step(&mut self.world, &mut self.physics, DT)
    }

    pub fn run(&mut self, frames: usize) {
        for _ in 0..frames {
            self.step();
        }
    }

    pub fn at(&self, body: RigidBodyHandle) -> DVec3 {
        DVec3::from_array(self.physics.bodies[body].translation().to_array().map(f64::from))
    }

    pub fn speed(&self, body: RigidBodyHandle) -> DVec3 {
        DVec3::from_array(self.physics.bodies[body].linvel().to_array().map(f64::from))
    }

    pub fn soft(&self, body: BodyHandle) -> &Body {
        self.world.body(body).unwrap()
    }

    /// Momentum of soft and rigid bodies.
    pub fn momentum(&self) -> DVec3 {
        let soft: DVec3 = self.world.bodies().map(|(_, b)| b.rest().nodes.momentum(&b.nodes)).sum();
        let rigid: DVec3 = self
            .physics
            .bodies
            .iter()
            .map(|(_, b)| f64::from(b.mass()) * DVec3::from_array(b.linvel().to_array().map(f64::from)))
            .sum();
        soft + rigid
    }
}

/// What moves about in the last frames: mean, largest deviation.
pub fn watch(both: &mut Both, frames: usize, value: impl Fn(&Both) -> f64) -> (f64, f64) {
    let mut values = Vec::new();
    for _ in 0..frames {
        both.step();
        values.push(value(both));
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (mean, values.iter().map(|v| (v - mean).abs()).fold(0.0, f64::max))
}
