//! Rapier's side.
//!
//! Settings are its defaults but for what is said here:
//! - Sleep is off. A cube that sleeps costs nothing, and ours does not sleep: the work is that of bodies awake.
//! - The mass is set, as its default is 1 kg a particle.

use crate::engine::{Engine, Layers};
use crate::{DENSITY, DROP, EDGE, FRAME_SECS};
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, SoftBody, SoftBodyBuilder, SoftBodyHandle,
    SpringCoefficients, Vector,
};

/// What holds the cube's shape.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Tetrahedra that keep their volume, with springs along their edges: the default.
    Volume,
    /// `Volume`, with stiffer springs; see [`STIFFER_HZ`].
    StifferVolume,
    /// `Volume`, and the cube as a whole matched to its rest shape.
    Matching,
    /// The cube as a whole matched to its rest shape and nothing else: its cheapest body, without any local elasticity.
    MatchingAlone,
}

/// Natural frequency of edges and cells in the cube of 32: twice the default of 30 Hz, with which it comes to rest at 0.86 of
/// its height. With this it stands at 0.95, and a step costs the same.
const STIFFER_HZ: f32 = 60.0;

/// A world with one soft body on a floor.
pub struct Rapier {
    world: PhysicsWorld,
    handle: SoftBodyHandle,
    layers: Layers,
}

/// A cube of `n` particles along an edge, above the floor.
pub fn cube(n: u32, kind: Kind) -> Rapier {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = FRAME_SECS;
    world.insert(
        RigidBodyBuilder::fixed(),
        ColliderBuilder::cuboid(50.0, 0.5, 50.0).translation(Vector::new(0.0, -0.5, 0.0)),
    );
    let center = Vector::new(0.0, DROP + 0.5 * EDGE, 0.0);
    let n = n as usize;
    let whole = SoftBodyBuilder::cuboid(center, Vector::splat(0.5 * EDGE), n, n, n)
        .mass(DENSITY * EDGE.powi(3))
        .can_sleep(false);
    let handle = world.insert_soft_body(match kind {
        Kind::Volume => whole,
        Kind::StifferVolume => whole.softness(SpringCoefficients::new(STIFFER_HZ, 1.0)),
        Kind::Matching => whole.shape_matching(true),
        Kind::MatchingAlone => {
            // Cells also make the surface that collides: it is taken over before they go.
            let surface = SoftBody::from(whole.clone()).boundary().to_vec();
            whole.cells(Vec::new()).surface(surface).shape_matching(true)
        }
    });
    let heights: Vec<f64> = world.soft_bodies[handle].particle_positions().map(|p| f64::from(p.y)).collect();
    Rapier { world, handle, layers: Layers::new(&heights) }
}

impl Engine for Rapier {
    fn step(&mut self) {
        self.world.step();
    }

    fn height_ratio(&self) -> f64 {
        let body = &self.world.soft_bodies[self.handle];
        self.layers.ratio(|i| f64::from(body.particle_position(i).y))
    }

    fn nodes(&self) -> usize {
        self.world.soft_bodies[self.handle].particles().len()
    }
}
