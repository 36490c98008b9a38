//! Cutting: blades, and the surfaces they leave.

pub mod scissors;
pub mod splitting_cubes;
