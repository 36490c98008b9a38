//! Pliant: a real-time engine for deformable bodies that adapt and can be cut.
//!
//! Your own mesh falls on a floor, wobbles and comes to rest:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # std::env::set_current_dir(std::env::temp_dir())?;
//! # pliant_io::write_mesh("duck.obj", &pliant::geometry::shapes::cuboid([0.6, 0.4, 0.5].into(), [6, 4, 5]))?;
//! use pliant::{Body, Collider, World};
//!
//! let mesh = pliant_io::read_mesh("duck.obj")?.mesh;
//! let mut world = World::new();
//! world.add_collider(Collider::floor(0.0))?;
//! let duck = world.add_body(Body::builder(mesh).at([0.0, 1.5, 0.0]).build()?);
//! for _ in 0..300 {
//!     world.step(1.0 / 60.0);
//! }
//! let body = world.body(duck)?;
//! println!("at {} after {} s", body.center_of_mass(), world.time_secs());
//! # assert!(body.center_of_mass().y > 0.15 && body.center_of_mass().y < 0.35);
//! # assert!(body.velocity().length() < 0.05);
//! # Ok(())
//! # }
//! ```
//!
//! To draw a body, take its [`skin`](Body::skin) after each step: positions and normals for the vertices of your mesh, relative
//! to the body's origin. To change it, hold it ([`World::pin`]), grab it ([`World::pick`]), push it ([`World::push`]) or let
//! the wind blow ([`World::wind`]); attach it to another ([`World::attach_nodes`]), or drive it yourself ([`World::drive`]). To ask
//! what is where, cast a ray ([`World::cast_ray`]) or a ball ([`World::cast_sphere`]), or look for what is near
//! ([`World::closest_point`], [`World::overlaps_sphere`]).
//!
//! # Words
//!
//! | word | meaning |
//! |---|---|
//! | rest / now | the undeformed shape / the current one |
//! | [`Body`] | one deformable object: rest shape, state, model, skin, material |
//! | node | a point that is simulated |
//! | [`Model`](model::Model) | what moves the nodes |
//! | region | the overlapping neighbourhood that one shape match uses |
//! | cluster | a set of particles matched together |
//! | [`Skin`](skin::Skin) | the surface that people see, carried by the nodes |
//! | [`Tool`] | what a user or a program moves the world with |
//! | [`Budget`] | the time or the number of nodes that a frame may cost |
//!
//! # Promises
//!
//! - [`World::step`] never panics and never fails: what is not finite is contained and reported in the [`StepReport`].
//! - The same calls give the same bits on any number of threads, natively and in a browser ([`World::state_hash`]), as long as
//!   sines in what they are given are those of [`math::functions`].
//! - A [`Snapshot`] has all that the next step depends on: a restored world goes on bit for bit.
//! - Units are SI, y is up, angles are radians. A body's size may be a millimetre or a kilometre, and it may be 1,000 km away
//!   from zero: its nodes are kept relative to an origin that travels with it.

// States are the same on every machine.
#![warn(clippy::disallowed_methods)]

pub mod adapt;
pub mod body;
pub mod contact;
pub mod cut;
pub mod geometry;
pub mod ids;
pub mod material;
pub mod math;
pub mod model;
pub mod nodes;
mod par;
pub mod report;
pub mod sampling;
pub mod selection;
pub mod skin;
pub mod tool;
pub mod world;

pub use adapt::{Budget, Criterion, Rule};
pub use body::{
    Body, BodyBuilder, BodyError, BodyWarning, CollisionGroups, ContactSettings, ModelSettings,
    ResampleError, SkinPose, Stepping,
};
pub use contact::{
    Collider, Contact, ContactChange, ContactEvent, ContactFilter, ConvexHull, Heightfield, MeshShape, Other,
    Rigid, Shape, Sleep, Touch,
};
pub use cut::Blade;
pub use geometry::TriMesh;
pub use ids::NodeId;
pub use material::{Elasticity, Material, Plasticity, Stiffness, Surface};
pub use model::clusters::{
    AreaCap, CapMethod, ClusterId, ClusterSettings, Clustering, GoalSettings, Matching, NamedCluster,
};
pub use model::elements::{ElementSettings, ElementSolver};
pub use model::hierarchy::{HierarchySettings, Solver, Thresholds};
pub use model::lattice::LatticeSettings;
pub use model::octree::OctreeSettings;
pub use model::springs::SpringSettings;
pub use report::StepReport;
pub use sampling::particles::ParticleSettings;
pub use selection::Selection;
pub use tool::{Attachment, BrokenAttachment, Carrier, PickSettings, Push, Reaction, Tool, Wind};
pub use world::snapshot::{self, Snapshot};
pub use world::{
    BodyHandle, Cause, ColliderHandle, CutError, CutEvent, DriveError, Force, ForceAt, Parted, QueryFilter,
    QueryHit, QueryTarget, RayHit, ToolHandle, World, WorldSettings,
};

pub use glam;
