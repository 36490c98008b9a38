//! How a mesh becomes nodes.

mod extent;
pub mod filling;
pub mod grid;
pub mod lattice;
mod overlap;
pub mod painted;
pub mod particles;
mod scan;
mod soup;
