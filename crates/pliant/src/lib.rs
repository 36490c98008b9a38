//! Pliant: a real-time engine for deformable bodies.

pub mod geometry;
pub mod math;

pub use geometry::TriMesh;

pub use glam;
