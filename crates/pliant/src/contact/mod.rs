//! Bodies against the world.

mod collider;
mod response;
mod touching;

pub use collider::{Collider, ColliderError, Shape};
pub(crate) use response::{Surroundings, collide};
pub use touching::{Contact, touching};
