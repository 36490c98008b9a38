//! The figures of \[SOG08\], by the models `lattice` and `octree`.

pub mod crowd;
pub mod flowers;
pub mod hand;
pub mod plastic;
