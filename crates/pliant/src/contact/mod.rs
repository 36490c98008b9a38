//! Bodies against each other, themselves and the world.

mod alone;
mod attached;
mod broad;
mod collider;
mod constraints;
mod events;
mod filter;
mod motion;
mod narrow;
mod nearby;
mod pair;
mod pairs;
mod phase;
mod query;
mod response;
mod rigid;
mod scratch;
mod self_contact;
mod shape;
mod sleep;
mod solve;
mod touching;
mod turning;

pub(crate) use attached::AttachedNodes;
pub use collider::{Collider, ColliderError, ColliderHandle};
pub use events::{ContactChange, ContactEvent, Other, Touch};
pub use filter::ContactFilter;
pub(crate) use filter::{Filter, Pair};
pub(crate) use pairs::{Contacts, Participants};
pub(crate) use response::ContactStep;
pub use rigid::Rigid;
pub(crate) use rigid::RigidMotion;
pub use shape::{ConvexHull, Heightfield, MeshShape, Shape};
pub use sleep::Sleep;
pub(crate) use sleep::{Disturbance, Marks};
pub use touching::{Contact, touching};
