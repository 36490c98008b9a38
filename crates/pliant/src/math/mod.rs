//! Rotations, singular values and the lanes they run on.
//!
//! One matrix at a time: [`rotation()`], [`svd3`], [`symmetric_eigen3`], [`pseudo_inverse()`]; they work for
//! every finite input. Many matrices: [`rotations_warm`] with last step's rotations, [`rotations_cold`] without.

mod eigen;
pub mod lanes;
mod largest;
mod packs;
mod pseudo_inverse;
mod quat_lanes;
mod rotation;
mod rotation_lanes;
mod strain;
mod svd;

pub use eigen::{Eigen, symmetric_eigen, symmetric_eigen3};
pub use largest::largest_coordinate;
pub use packs::{Mat3x8, Quatx8, Vec3x8};
pub use pseudo_inverse::{PseudoInverse, pseudo_inverse};
pub use rotation::rotation;
pub use rotation_lanes::{rotations_cold, rotations_cold_x8, rotations_warm, rotations_warm_x8};
pub use strain::green_strain;
pub use svd::svd3;
