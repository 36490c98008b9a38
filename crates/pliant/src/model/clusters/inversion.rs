//! A linear part that never turns a cluster inside out.
//!
//! Based on \[HW08\] §3.2, which makes R proper by \[Ume91\] and leaves a proper A to future work. Here A's singular values,
//! the smallest one signed, are clamped to a positive minimum: the nearest map that is the right way round.
//!
//! The clamped A is no longer the least-squares fit, so it would turn the body: see [`without_torque`].

use super::fit::{Fit, outer};
use super::goal::Map;
use crate::math;
use glam::{Mat3, Quat, Vec3};

/// A with all singular values at least `min_stretch`; `None` when it is so already.
pub fn right_way_round(a: Mat3, min_stretch: f32) -> Option<Mat3> {
    // σ₁σ₂ ≤ ‖A‖²/2, so σ₃ ≥ 2 det A / ‖A‖²: most clusters are known to be well without a decomposition.
    if 2.0 * a.determinant() >= min_stretch * super::area::norm_squared(a) {
        return None;
    }
    let (u, sigma, v) = math::svd3(a);
    let clamped = sigma.max(Vec3::splat(min_stretch));
    (clamped != sigma).then(|| u * Mat3::from_diagonal(clamped) * v.transpose())
}

/// What to turn a map F by so that its goals F q pull without torque.
///
/// The torque of the goals is the antisymmetric part of M = Σ m̃ p (F q)ᵀ = A_pq Fᵀ. With M = P Q (P symmetric), M Qᵀ has
/// none, and that is what Q F gives.
pub fn without_torque(fit: &Fit, map: &Map) -> Mat3 {
    let mut moment = fit.moment * map.linear.transpose();
    for (p, f) in fit.quadratic.iter().zip(map.quadratic) {
        moment += outer(*p, f);
    }
    Mat3::from_quat(math::rotation(moment, Quat::IDENTITY))
}
