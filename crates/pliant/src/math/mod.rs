//! Rotations, singular values and the lanes they run on.
//!
//! One matrix at a time: [`rotation()`], [`svd3`], [`symmetric_eigen3`], [`pseudo_inverse()`]; they work for
//! every finite input. Many matrices: [`rotations_warm`] with last step's rotations, [`rotations_cold`] without.
//!
//! Sines and the like that have the same bits on every machine: [`functions`], and quaternions made with them.

mod eigen;
pub mod functions;
pub mod lanes;
mod largest;
mod packs;
mod pseudo_inverse;
mod quat_lanes;
mod quaternions;
mod rotation;
mod rotation_lanes;
mod strain;
mod svd;

pub use eigen::{Eigen, symmetric_eigen, symmetric_eigen3};
pub use largest::largest_coordinate;
pub use packs::{Mat3x8, Quatx8, Vec3x8};
pub use pseudo_inverse::{PseudoInverse, pseudo_inverse};
pub use quaternions::{
    quat_from_axis_angle, quat_from_rotation_arc, quat_from_rotation_x, quat_from_rotation_y,
    quat_from_rotation_z, quat_from_scaled_axis, quat_to_scaled_axis, turn_between,
};
pub use rotation::rotation;
pub use rotation_lanes::{rotations_cold, rotations_cold_x8, rotations_warm, rotations_warm_x8};
pub use strain::green_strain;
pub use svd::svd3;
