//! Numbers from one engine to the other: both use glam, each in its own version.

use pliant::glam::{DVec3, Mat3, Quat, Vec3};
use rapier3d::math::{AngularInertia, Pose, Rotation, Vector};

pub fn vector(v: Vector) -> Vec3 {
    Vec3::from_array(v.to_array())
}

pub fn place(v: Vector) -> DVec3 {
    vector(v).as_dvec3()
}

pub fn turn(rotation: Rotation) -> Quat {
    Quat::from_array(rotation.to_array()).normalize()
}

pub fn back(v: Vec3) -> Vector {
    Vector::from_array(v.to_array())
}

pub fn pose_back(position: DVec3, rotation: Quat) -> Pose {
    Pose::from_parts(back(position.as_vec3()), Rotation::from_array(rotation.to_array()))
}

pub fn matrix(m: AngularInertia) -> Mat3 {
    Mat3::from_cols_array(&[m.m11, m.m12, m.m13, m.m12, m.m22, m.m23, m.m13, m.m23, m.m33])
}

/// Whether a pose is one.
pub fn is_pose(pose: &Pose) -> bool {
    let length = Quat::from_array(pose.rotation.to_array()).length();
    pose.translation.is_finite() && (0.9..1.1).contains(&length)
}
