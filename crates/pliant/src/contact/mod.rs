//! Bodies against the world.

mod collider;
mod response;

pub use collider::{Collider, ColliderError, Shape};
pub(crate) use response::{Surroundings, collide};
