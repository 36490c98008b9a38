//! Quaternions of angles, and back: as glam has them, with the same bits on every machine.
//!
//! glam takes sines from the platform. Its feature `libm` would mend that for a user's whole program, and with it replace square
//! roots and rounding, which are exact anyway, by what the compiler cannot vectorize.

use super::functions::{atan2, sin_cos};
use glam::{Quat, Vec3};

/// About a unit `axis` by an angle in radians.
pub fn quat_from_axis_angle(axis: Vec3, angle: f32) -> Quat {
    let (sin, cos) = sin_cos(0.5 * angle);
    Quat::from_vec4((axis * sin).extend(cos))
}

/// About an axis by its length in radians.
pub fn quat_from_scaled_axis(scaled: Vec3) -> Quat {
    let angle = scaled.length();
    if angle == 0.0 { Quat::IDENTITY } else { quat_from_axis_angle(scaled / angle, angle) }
}

/// About the x axis by an angle in radians.
pub fn quat_from_rotation_x(angle: f32) -> Quat {
    let (sin, cos) = sin_cos(0.5 * angle);
    Quat::from_xyzw(sin, 0.0, 0.0, cos)
}

/// About the y axis by an angle in radians.
pub fn quat_from_rotation_y(angle: f32) -> Quat {
    let (sin, cos) = sin_cos(0.5 * angle);
    Quat::from_xyzw(0.0, sin, 0.0, cos)
}

/// About the z axis by an angle in radians.
pub fn quat_from_rotation_z(angle: f32) -> Quat {
    let (sin, cos) = sin_cos(0.5 * angle);
    Quat::from_xyzw(0.0, 0.0, sin, cos)
}

/// The shortest way from one unit vector to another.
pub fn quat_from_rotation_arc(from: Vec3, to: Vec3) -> Quat {
    const NEARLY_ONE: f32 = 1.0 - 2.0 * f32::EPSILON;
    let dot = from.dot(to);
    if dot > NEARLY_ONE {
        Quat::IDENTITY
    } else if dot < -NEARLY_ONE {
        // Half a turn; any axis across will do.
        quat_from_axis_angle(from.any_orthonormal_vector(), std::f32::consts::PI)
    } else {
        Quat::from_vec4(from.cross(to).extend(1.0 + dot)).normalize()
    }
}

/// The axis of a rotation, as long as its angle in radians.
pub fn quat_to_scaled_axis(rotation: Quat) -> Vec3 {
    let across = rotation.xyz();
    let length = across.length();
    // Below, it is no rotation, and the axis is any.
    if length < 1e-8 { Vec3::ZERO } else { across / length * (2.0 * atan2(length, rotation.w)) }
}

/// The shortest turn from one rotation to another: its axis, as long as its angle in radians.
pub fn turn_between(from: Quat, to: Quat) -> Vec3 {
    let turn = to * from.inverse();
    quat_to_scaled_axis(if turn.w < 0.0 { -turn } else { turn })
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "they are compared with glam's own")]
mod tests {
    use super::*;

    /// Angles over two turns, each with a unit vector.
    fn turns() -> impl Iterator<Item = (f32, Vec3)> {
        (-200_i16..=200).map(|i| {
            let t = f32::from(i);
            (t * 0.06, Vec3::new((t * 1.3).sin(), (t * 0.7 + 1.0).sin(), (t * 2.1 + 2.0).sin()).normalize())
        })
    }

    #[test]
    fn rotations_are_those_of_glam() {
        let same = |a: Quat, b: Quat| assert!((a - b).length() < 1e-6, "{a}, not {b}");
        for (angle, axis) in turns() {
            same(quat_from_axis_angle(axis, angle), Quat::from_axis_angle(axis, angle));
            same(quat_from_scaled_axis(axis * angle), Quat::from_scaled_axis(axis * angle));
            same(quat_from_rotation_x(angle), Quat::from_rotation_x(angle));
            same(quat_from_rotation_y(angle), Quat::from_rotation_y(angle));
            same(quat_from_rotation_z(angle), Quat::from_rotation_z(angle));
            for to in [Vec3::Y, axis, -axis, (axis + 0.5 * Vec3::Z).normalize()] {
                same(quat_from_rotation_arc(axis, to), Quat::from_rotation_arc(axis, to));
            }
        }
    }

    #[test]
    fn the_scaled_axis_is_the_one_of_glam() {
        assert_eq!(quat_to_scaled_axis(Quat::IDENTITY), Vec3::ZERO);
        for (angle, axis) in turns() {
            let turn = Quat::from_axis_angle(axis, angle);
            let (ours, theirs) = (quat_to_scaled_axis(turn), turn.to_scaled_axis());
            assert!(ours.distance(theirs) < 1e-5, "{ours}, not {theirs}");
        }
    }
}
