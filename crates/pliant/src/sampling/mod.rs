//! How a mesh becomes nodes.

pub mod particles;
