//! How far a map is from being rigid.

use glam::Mat3;

/// ‖FᵀF − I‖ / 2: the size of the Green strain, 0 for rotations.
pub fn green_strain(map: Mat3) -> f32 {
    let green = (map.transpose() * map - Mat3::IDENTITY) * 0.5;
    let [x, y, z] = [green.x_axis, green.y_axis, green.z_axis].map(|axis| axis.length_squared());
    (x + y + z).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::quat_from_axis_angle;
    use glam::Vec3;

    #[test]
    fn turning_is_no_strain_and_stretching_is() {
        let turn = Mat3::from_quat(quat_from_axis_angle(Vec3::new(1.0, 2.0, 2.0) / 3.0, 0.7));
        assert!(green_strain(turn) < 1e-6);
        let stretch = turn * Mat3::from_diagonal(Vec3::new(1.2, 1.0, 1.0));
        assert!((green_strain(stretch) - 0.22).abs() < 1e-6);
    }
}
