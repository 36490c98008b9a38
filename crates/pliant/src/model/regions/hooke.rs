//! Hooke's law for regions: Young's modulus and Poisson's ratio.
//!
//! Shape matching stores Σ m̃ |x − R q|², which is what a region's strain stores, tr(ε Q ε), and what is left when its best linear map
//! F = R (I + ε) is taken away, Σ m̃ |x − F q|². Hooke's law wants the first to be the same in all directions and all
//! regions, and a change of volume to count:
//!
//! ```text
//! q̂ (tr ε² + b tr² ε) + γ Σ m̃ |x − F q|²        b = ν/(1 − 2ν),  2μ = ρ α/h² ⟨q²⟩,  λ = 2μ b
//! ```
//!
//! with q̂ = M̃ ⟨q²⟩ that of a region which is as wide as it was asked to be. At a surface, where a region ends, Q is smaller than
//! that, and elsewhere in octrees larger. The gradient is a pull by γ to goals L q with
//!
//! ```text
//! L = F + (R (1 − b tr ε) − F) G        G = q̂ Q⁻¹ / γ
//! ```
//!
//! and R the rotation of F, for which no torque is left. What is not linear resists bending and twisting over the width of a region, as
//! no elastic material does; γ = 1 would count it in full.

use crate::math::symmetric_eigen;
use glam::DMat3;

/// γ: how much of what is not linear counts.
pub const NOT_LINEAR: f32 = 0.7;
/// The most that q̂ may be, as part of the least of Q: thin parts would need shorter steps than others. Swings of the surface stay
/// below the limit of 4 at which steps of α = 1 gain energy.
const STIFFEST: f64 = 3.0;
/// The least and the most that b tr ε may be. Linear elasticity would turn a body inside out that is stretched to three times its
/// length.
pub const LEAST: f32 = -2.0;
/// See [`LEAST`].
pub const MOST: f32 = 0.5;

/// q̂ of a region that should have `asked`, with this Q⁻¹.
pub(super) fn modulus(asked: f64, inverse: DMat3) -> f64 {
    let most = symmetric_eigen(inverse.transpose().to_cols_array_2d()).values[0];
    asked.min(STIFFEST / most.max(f64::MIN_POSITIVE))
}

/// b tr ε within its limits.
pub fn yielding(strain: f32, bulk: f32) -> f32 {
    (bulk * strain).clamp(LEAST, MOST)
}

/// What a change of volume stores twice over, for q̂ = 1.
pub fn stored(strain: f64, bulk: f64) -> f64 {
    let pressure = (bulk * strain).clamp(LEAST.into(), MOST.into());
    if bulk > 0.0 { 2.0 * pressure * strain - pressure * pressure / bulk } else { 0.0 }
}
