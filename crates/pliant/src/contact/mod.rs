//! Bodies against each other, themselves and the world.

mod broad;
mod collider;
mod events;
mod meeting;
mod pairs;
mod phase;
mod response;
mod shape;
mod sleep;
mod solve;
mod touching;

pub use collider::{Collider, ColliderError, Rigid};
pub use events::{ContactChange, ContactEvent, Other, Touch};
pub(crate) use pairs::Contacts;
pub(crate) use response::Pressed;
pub use shape::{ConvexHull, Heightfield, MeshShape, Shape};
pub use sleep::Sleep;
pub(crate) use sleep::{Marks, Rest};
pub use touching::{Contact, touching};
