//! How a mesh becomes nodes.

mod cell_key;
pub mod criteria;
mod extent;
pub mod filling;
pub mod grid;
pub mod lattice;
mod leaves;
mod overlap;
pub mod painted;
pub mod particles;
mod scan;
mod soup;

pub use cell_key::CellKey;
pub use leaves::first_leaves;
