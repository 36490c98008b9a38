//! How a mesh becomes nodes.

mod extent;
pub mod filling;
mod overlap;
pub mod particles;
mod scan;
mod soup;
