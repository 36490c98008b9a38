//! Pliant's soft bodies and rapier's rigid bodies in one world.
//!
//! A ball of rapier falls on a jelly of Pliant and comes to rest on it:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use pliant::{Body, Collider, LatticeSettings, World};
//! use pliant_rapier::Coupling;
//! use pliant_rapier::rapier3d::prelude::*;
//!
//! let mut world = World::new();
//! world.add_collider(Collider::floor(0.0))?;
//! let mesh = pliant::geometry::shapes::cuboid([1.0, 0.5, 1.0].into(), [4, 2, 4]);
//! world.add_body(Body::builder(mesh).model(LatticeSettings::default()).at([0.0, 0.3, 0.0]).build()?);
//!
//! let mut physics = PhysicsWorld::new();
//! let ball = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 1.2, 0.0));
//! let (ball, _) = physics.insert(ball, ColliderBuilder::ball(0.2).density(500.0));
//!
//! let mut coupling = Coupling::new();
//! for _ in 0..240 {
//!     coupling.step(&mut world, &mut physics, 1.0 / 60.0);
//! }
//! println!("the ball rests at {}", physics.bodies[ball].translation());
//! # assert!(physics.bodies[ball].translation().y > 0.5);
//! # Ok(())
//! # }
//! ```
//!
//! Dynamic bodies of rapier and bodies of Pliant push each other; fixed and kinematic ones push and carry, and nothing stops them.
//! Rigid bodies feel a collider that Pliant has of its own if it is mirrored ([`Coupling::mirror`]).
//! [`Coupling::attach`] holds nodes of a soft body to a rigid one. [`Rigids`] has both parts of the rigid side in one, to be
//! kept beside a [`Snapshot`](pliant::Snapshot).
//!
//! # How a frame goes
//!
//! Pliant steps first, with rapier's bodies as colliders that have speed, mass and weight: contacts change their speeds inside
//! the step, several times a frame. Then rapier gets what they received as impulses and forces, and steps. Rapier has the last
//! word: what its own floors and joints do against it counts in the next frame.
//!
//! What rapier's floors and joints do to a body is expected to go on as it was in the latest two frames, so a rigid body that
//! stands on a floor of rapier bears a soft one without giving way. A soft body that is more than about four times as heavy as the
//! rigid one under it presses it into its floor for a frame at a time: it sinks in and trembles. Make what bears heavier.
//!
//! The same calls give the same bits, as long as rapier is built without its `parallel` feature; with its `enhanced-determinism`,
//! which is on here, they are the same natively and in a browser.

// States are the same on every machine.
#![warn(clippy::disallowed_methods)]

mod convert;
mod coupling;
mod exchange;
mod mirror;
mod motion;
mod rigids;
mod shape;

pub use coupling::{AttachError, Coupling};
pub use rapier3d;
pub use rigids::Rigids;
pub use shape::{Unmapped, rapier_shape};
