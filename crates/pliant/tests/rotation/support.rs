//! What the tests of the mathematics share: random inputs that never change, and an f64 oracle.

use glam::{Mat3, Quat, Vec3, Vec4};
use nalgebra as na;
use proptest::test_runner::{Config, RngSeed};

/// The same cases on every run and every machine.
pub fn proptest_config() -> Config {
    Config { cases: 2000, rng_seed: RngSeed::Fixed(20), failure_persistence: None, ..Config::default() }
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    /// Uniform in `low..high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Uniform over the rotations.
    pub fn rotation(&mut self) -> Quat {
        loop {
            let q = Vec4::from_array(std::array::from_fn(|_| self.between(-1.0, 1.0)));
            if (0.01..1.0).contains(&q.length_squared()) {
                return Quat::from_vec4(q.normalize());
            }
        }
    }

    /// Uniform over the sphere.
    pub fn unit_vector(&mut self) -> Vec3 {
        (self.rotation() * Vec3::X).normalize()
    }

    /// A rotation times a stretch between `low` and `high` along random axes.
    pub fn stretched_rotation(&mut self, low: f32, high: f32) -> Mat3 {
        let axes = Mat3::from_quat(self.rotation());
        let stretch = Vec3::from_array(std::array::from_fn(|_| self.between(low, high)));
        Mat3::from_quat(self.rotation()) * axes * Mat3::from_diagonal(stretch) * axes.transpose()
    }
}

/// A matrix of `glam` in f64.
pub fn to_f64(m: Mat3) -> na::Matrix3<f64> {
    na::Matrix3::from_column_slice(&m.to_cols_array()).cast()
}

/// The rotation matrix of a quaternion in f64.
pub fn quat_to_f64(q: Quat) -> na::Matrix3<f64> {
    let [x, y, z, w] = q.to_array().map(f64::from);
    na::UnitQuaternion::from_quaternion(na::Quaternion::new(w, x, y, z)).to_rotation_matrix().into_inner()
}

/// The rotation part by nalgebra's singular values in f64, with the sign mended.
pub fn oracle(a: Mat3) -> na::Matrix3<f64> {
    let svd = to_f64(a).svd(true, true);
    let (Some(mut u), Some(v_t)) = (svd.u, svd.v_t) else { unreachable!("both were asked for") };
    if (u * v_t).determinant() < 0.0 {
        u.column_mut(2).neg_mut();
    }
    u * v_t
}

/// The largest difference of an entry.
pub fn rotation_error(q: Quat, r: na::Matrix3<f64>) -> f64 {
    (quat_to_f64(q) - r).abs().max()
}

/// tr(RᵀA) in f64: what the rotation part makes largest.
pub fn stretch_sum(q: Quat, a: Mat3) -> f64 {
    quat_to_f64(q).dot(&to_f64(a))
}
