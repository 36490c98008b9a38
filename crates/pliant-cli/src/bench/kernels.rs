//! The inner loop of the engine: rotations.

use super::row::Row;
use super::seconds;
use nalgebra::Matrix3;
use pliant::glam::{Mat3, Quat, Vec3};
use pliant::math::{Mat3x8, Quatx8, rotations_cold_x8, rotations_warm_x8};
use std::hint::black_box;

/// Matrices a measurement goes over: they fit the second-level cache.
const COUNT: usize = 2048;
/// Rounds of which the fastest counts; theirs and ours take turns, so that both meet the same machine.
const ROUNDS: usize = 60;

/// Rotations against nalgebra's singular value decomposition.
pub(super) fn rows() -> Vec<Row> {
    let turns: Vec<Quat> = (0..COUNT).map(|i| turn(i as f32)).collect();
    let matrices: Vec<Mat3> = turns.iter().enumerate().map(|(i, q)| stretched(*q, i as f32)).collect();
    let theirs: Vec<Matrix3<f32>> =
        matrices.iter().map(|m| Matrix3::from_column_slice(&m.to_cols_array())).collect();
    let packed: Vec<Mat3x8> = matrices.chunks(8).map(Mat3x8::pack).collect();
    // The step before: turned by 0.07 rad about some axis.
    let before: Vec<Quat> = turns
        .iter()
        .enumerate()
        .map(|(i, q)| *q * Quat::from_axis_angle(axis(i as f32 * 0.9), 0.07))
        .collect();
    let warm: Vec<Quatx8> = before.chunks(8).map(Quatx8::pack).collect();
    let mut found = warm.clone();
    let (mut peer, mut warm_ours, mut cold_ours) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        peer = peer.min(seconds(|| {
            for m in &theirs {
                black_box(svd_rotation(black_box(m)));
            }
        }));
        found.copy_from_slice(&warm);
        warm_ours = warm_ours.min(seconds(|| {
            black_box(rotations_warm_x8(black_box(&packed), &mut found));
        }));
        cold_ours = cold_ours.min(seconds(|| {
            black_box(rotations_cold_x8(black_box(&packed), &mut found));
        }));
    }
    let nanoseconds = |secs: f64| secs / COUNT as f64 * 1e9;
    let row = |name, ours| Row::speedup("kernels", name, [peer, ours].map(nanoseconds), "ns");
    vec![row("rotation-warm-vs-nalgebra", warm_ours), row("rotation-cold-vs-nalgebra", cold_ours)]
}

/// The rotation part by nalgebra's singular value decomposition, proper in every case.
fn svd_rotation(m: &Matrix3<f32>) -> Matrix3<f32> {
    let svd = m.svd(true, true);
    let (Some(u), Some(v_t)) = (svd.u, svd.v_t) else { return Matrix3::identity() };
    if (u * v_t).determinant() >= 0.0 {
        return u * v_t;
    }
    // The axis of the smallest singular value is flipped.
    let mut flip = Matrix3::identity();
    flip[(svd.singular_values.imin(), svd.singular_values.imin())] = -1.0;
    u * flip * v_t
}

fn axis(t: f32) -> Vec3 {
    Vec3::new((1.7 * t).sin(), (2.3 * t + 1.0).sin(), (3.1 * t + 2.0).sin()).normalize_or(Vec3::Y)
}

fn turn(t: f32) -> Quat {
    Quat::from_axis_angle(axis(t), 3.1 * (0.37 * t).sin())
}

/// A rotation after a stretch of 0.7 to 1.4 along tilted axes.
fn stretched(q: Quat, t: f32) -> Mat3 {
    let frame = Mat3::from_quat(turn(t + 0.5));
    let stretch = Vec3::new((0.9 * t).sin(), (1.1 * t).sin(), (1.3 * t).sin()) * 0.35 + 1.05;
    Mat3::from_quat(q) * frame * Mat3::from_diagonal(stretch) * frame.transpose()
}
