//! Vectors, matrices and quaternions by eights, laid out for [`Lanes`](super::lanes::Lanes).
//!
//! A pack is a structure of arrays of eight; a slice of packs feeds a kernel with aligned loads.

use glam::{Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::lanes::{F32x8, LANES};

/// Eight vectors, one a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct Vec3x8 {
    /// The x of each vector.
    pub x: F32x8,
    /// The y of each vector.
    pub y: F32x8,
    /// The z of each vector.
    pub z: F32x8,
}

/// Eight 3×3 matrices, one a lane, by columns as in `glam`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct Mat3x8 {
    /// The first column of each matrix.
    pub x_axis: Vec3x8,
    /// The second column of each matrix.
    pub y_axis: Vec3x8,
    /// The third column of each matrix.
    pub z_axis: Vec3x8,
}

/// Eight quaternions, one a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct Quatx8 {
    /// The x of each quaternion.
    pub x: F32x8,
    /// The y of each quaternion.
    pub y: F32x8,
    /// The z of each quaternion.
    pub z: F32x8,
    /// The real part of each quaternion.
    pub w: F32x8,
}

impl Vec3x8 {
    /// The same vector in every lane.
    pub const fn splat(v: Vec3) -> Self {
        Self { x: F32x8::splat(v.x), y: F32x8::splat(v.y), z: F32x8::splat(v.z) }
    }

    /// The vector in one lane.
    #[inline]
    pub fn get(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x.0[lane], self.y.0[lane], self.z.0[lane])
    }

    /// Replaces the vector in one lane.
    #[inline]
    pub fn set(&mut self, lane: usize, v: Vec3) {
        (self.x.0[lane], self.y.0[lane], self.z.0[lane]) = (v.x, v.y, v.z);
    }
}

impl Mat3x8 {
    /// The same matrix in every lane.
    pub const fn splat(m: Mat3) -> Self {
        Self {
            x_axis: Vec3x8::splat(m.x_axis),
            y_axis: Vec3x8::splat(m.y_axis),
            z_axis: Vec3x8::splat(m.z_axis),
        }
    }

    /// The matrix in one lane.
    #[inline]
    pub fn get(&self, lane: usize) -> Mat3 {
        Mat3::from_cols(self.x_axis.get(lane), self.y_axis.get(lane), self.z_axis.get(lane))
    }

    /// Replaces the matrix in one lane.
    #[inline]
    pub fn set(&mut self, lane: usize, m: Mat3) {
        self.x_axis.set(lane, m.x_axis);
        self.y_axis.set(lane, m.y_axis);
        self.z_axis.set(lane, m.z_axis);
    }

    /// Packs up to eight matrices; lanes without one hold the identity, which every kernel can digest.
    #[inline]
    pub fn pack(matrices: &[Mat3]) -> Self {
        if let Some(eight) = matrices.first_chunk::<LANES>() {
            let column = |c: usize| Vec3x8 {
                x: F32x8(std::array::from_fn(|lane| eight[lane].col(c).x)),
                y: F32x8(std::array::from_fn(|lane| eight[lane].col(c).y)),
                z: F32x8(std::array::from_fn(|lane| eight[lane].col(c).z)),
            };
            return Self { x_axis: column(0), y_axis: column(1), z_axis: column(2) };
        }
        let mut packed = Self::splat(Mat3::IDENTITY);
        for (lane, &m) in matrices.iter().enumerate() {
            packed.set(lane, m);
        }
        packed
    }
}

impl Quatx8 {
    /// The same quaternion in every lane.
    pub fn splat(q: Quat) -> Self {
        Self { x: F32x8::splat(q.x), y: F32x8::splat(q.y), z: F32x8::splat(q.z), w: F32x8::splat(q.w) }
    }

    /// The quaternion in one lane.
    #[inline]
    pub fn get(&self, lane: usize) -> Quat {
        Quat::from_xyzw(self.x.0[lane], self.y.0[lane], self.z.0[lane], self.w.0[lane])
    }

    /// Replaces the quaternion in one lane.
    #[inline]
    pub fn set(&mut self, lane: usize, q: Quat) {
        (self.x.0[lane], self.y.0[lane], self.z.0[lane], self.w.0[lane]) = (q.x, q.y, q.z, q.w);
    }

    /// Packs up to eight quaternions; lanes without one hold the identity.
    #[inline]
    pub fn pack(quats: &[Quat]) -> Self {
        if let Some(eight) = quats.first_chunk::<LANES>() {
            return Self {
                x: F32x8(std::array::from_fn(|lane| eight[lane].x)),
                y: F32x8(std::array::from_fn(|lane| eight[lane].y)),
                z: F32x8(std::array::from_fn(|lane| eight[lane].z)),
                w: F32x8(std::array::from_fn(|lane| eight[lane].w)),
            };
        }
        let mut packed = Self::splat(Quat::IDENTITY);
        for (lane, &q) in quats.iter().enumerate() {
            packed.set(lane, q);
        }
        packed
    }

    /// Writes the first lanes to `quats`, as many as it has room for.
    #[inline]
    pub fn unpack(&self, quats: &mut [Quat]) {
        for (lane, q) in quats.iter_mut().take(LANES).enumerate() {
            *q = self.get(lane);
        }
    }
}
