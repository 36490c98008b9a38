//! How a mesh becomes nodes.

mod body_size;
mod cell_key;
pub mod clustering;
pub mod criteria;
mod extent;
pub mod filling;
pub mod grid;
mod leaves;
mod links;
mod overlap;
pub mod painted;
pub mod particles;
mod scan;
pub mod solid;
mod soup;
pub mod stuffing;
pub mod thin;
pub mod uniform;
pub mod ways;

pub use body_size::BodySize;
pub use cell_key::CellKey;
pub use leaves::first_leaves;
