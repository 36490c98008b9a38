//! Rapier's side.
//!
//! Settings are its defaults but for what is said here:
//! - Sleep is off, as on our side: the work is that of bodies awake.
//! - The mass is set, as its default is 1 kg a particle.
//! - The pile is that of its own benchmark, with the material it has there and the solver it has there and by default: constraints.

use crate::cut::Cut;
use crate::engine::{Engine, Layers};
use crate::pile::{self, Pile};
use crate::{DENSITY, DROP, EDGE, FRAME_SECS};
use anyhow::{Context, Result};
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, SoftBody, SoftBodyBuilder, SoftBodyCellModel,
    SoftBodyHandle, SoftBodyMaterial, SpringCoefficients, Vector,
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

/// A world with a floor.
fn world() -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = FRAME_SECS;
    world.insert(
        RigidBodyBuilder::fixed(),
        ColliderBuilder::cuboid(50.0, 0.5, 50.0).translation(Vector::new(0.0, -0.5, 0.0)),
    );
    world
}

/// A cube of `n` particles along an edge, above the floor.
pub fn cube(n: u32, kind: Kind) -> Rapier {
    let mut world = world();
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

/// A world with a pile of soft cubes on a floor.
pub struct RapierPile {
    world: PhysicsWorld,
    handles: Vec<SoftBodyHandle>,
    pile: Pile,
}

/// Nine cubes above the floor.
pub fn pile() -> RapierPile {
    let mut world = world();
    let (half, n) = (Vector::splat(0.5 * EDGE), pile::POINTS);
    let cube = |cube: usize| {
        SoftBodyBuilder::cuboid(Vector::from_array(pile::place(cube)), half, n, n, n)
            .cell_model(SoftBodyCellModel::Corotational)
            .material(SoftBodyMaterial {
                young_modulus: 3.0e4,
                poisson_ratio: 0.4,
                elastic_damping_ratio: 0.5,
                ..SoftBodyMaterial::default()
            })
            .can_sleep(false)
            .mass(pile::MASS)
    };
    let handles: Vec<SoftBodyHandle> = (0..pile::CUBES).map(|i| world.insert_soft_body(cube(i))).collect();
    let pile = Pile::new(&cubes_of(&world, &handles));
    RapierPile { world, handles, pile }
}

fn cubes_of(world: &PhysicsWorld, handles: &[SoftBodyHandle]) -> Vec<Vec<[f64; 3]>> {
    let points = |&handle: &SoftBodyHandle| {
        world.soft_bodies[handle].particle_positions().map(|p| p.to_array().map(f64::from)).collect()
    };
    handles.iter().map(points).collect()
}

impl Engine for RapierPile {
    fn step(&mut self) {
        self.world.step();
    }

    fn height_ratio(&self) -> f64 {
        self.pile.height_ratio(&cubes_of(&self.world, &self.handles))
    }

    fn nodes(&self) -> usize {
        self.handles.iter().map(|&handle| self.world.soft_bodies[handle].particles().len()).sum()
    }

    fn apart(&self) -> f64 {
        pile::apart(&cubes_of(&self.world, &self.handles))
    }
}

/// How far the corners of the blade are from the middle, in metres: far enough that the cube is within it.
const BLADE: f32 = 10.0;

/// Only for the kinds with tetrahedra: of the others it cuts the surface alone.
impl Cut for Rapier {
    fn middle(&self) -> [f64; 3] {
        let body = &self.world.soft_bodies[self.handle];
        let sum: Vector = body.particle_positions().sum();
        (sum / body.particles().len() as f32).to_array().map(f64::from)
    }

    fn cut(&mut self, point: [f64; 3], normal: [f64; 3]) -> Result<()> {
        let vector = |v: [f64; 3]| Vector::from_array(v.map(|x| x as f32));
        let (point, normal) = (vector(point), vector(normal).normalize());
        let (u, v) = normal.any_orthonormal_pair();
        let blade = [0.0, 1.0, 2.0].map(|third| {
            let (sin, cos) = (third * std::f32::consts::TAU / 3.0).sin_cos();
            point + BLADE * (cos * u + sin * v)
        });
        // It rebuilds colliders and colours at once: nothing else has to be called before the next step.
        self.world.cut_soft_body(self.handle, &blade).context("the blade met nothing")?;
        Ok(())
    }

    fn pieces(&self) -> Vec<usize> {
        self.world.soft_bodies.iter().map(|(_, body)| body.particles().len()).collect()
    }
}
