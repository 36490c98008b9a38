//! Cutting: any blade, any model, always a closed surface.
//!
//! A [`Blade`] is a surface in the world. One event drives everything: *a connection is crossed*. The connections of a model
//! that fills the body with cells are those of a regular grid (`crossings`), whose
//! [splitting cubes](crate::skin::splitting_cubes) are the surface of the body from its first cut on; what the crossed edges no
//! longer join is disconnected in the model, and what then hangs together is a body of its own (`pieces`). Scissors
//! ([`scissors`]) go through a whole body along a plane and keep the user's own mesh, clipped and capped. A model without cells
//! has no connections, so every cut of it is a whole one: see [`CutSupport`](crate::model::CutSupport).
//!
//! Cuts are made at the end of a step. [`World::cuts`](crate::World::cuts) tells what came of them.

mod blade;
pub(crate) mod crossings;
mod fineness;
mod halves;
mod pieces;
pub mod scissors;
mod sever;
mod tearing;

pub use crate::skin::{CutSurface, Outside, Side};
pub use blade::{Blade, BladeError, Hit};
pub(crate) use fineness::Trial;
pub use pieces::LEAST_NODES;
pub(crate) use pieces::{Parting, Pieces, part};
pub(crate) use sever::Severed;
pub use sever::{MOST_PLACES, Refusal};
