//! The material's law: Green strain, St. Venant–Kirchhoff, and what it becomes where that is not stable.
//!
//! In the principal directions of F, with stretches σ (the last one negative in an inverted element),
//!
//! ```text
//! ψ = λ/2 (Σ e)² + μ Σ e²        e(σ) = (σ² − 1)/2   for σ in LIMITS
//!                                e(σ) continued by its tangent beyond
//! ```
//!
//! Green strain alone gives way below a stretch of 1/√3: an element that is pressed flatter pushes back less, one that is inside out stays
//! so. The tangent pushes back the harder the flatter an element is, also through itself; and it bounds how stiff a stretched one
//! can become, so that an explicit step has a length that is always short enough. Within the limits nothing differs from Green strain.

use crate::material::{Material, Stiffness};
use crate::math::functions::square;
use crate::math::svd3;
use glam::{DMat3, DVec3, Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// Stretches within which strain is Green's. Below 1/√3 it would be unstable, and near it nearly so.
pub const LIMITS: [f32; 2] = [0.7, 1.5];

/// The stiffest that an element can become, as part of its stiffness at rest: that of Green strain at the upper limit.
pub const STIFFEST: f32 = 0.5 * (3.0 * LIMITS[1] * LIMITS[1] - 1.0);

/// Lamé parameters in Pa.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lame {
    /// λ: what a change of volume is resisted with.
    pub lambda: f32,
    /// μ: what a shear is resisted with.
    pub mu: f32,
}

impl Lame {
    /// Of a material in steps of `h` seconds. A stiffness that is stated as α is the Young's modulus that shape matching with an
    /// `extent` of ⟨q²⟩ would have, with ν = 0.
    pub fn of(material: &Material, h: f32, extent: f64) -> Self {
        let modulus = material.young_modulus_for(h, extent);
        let ratio = match material.elasticity.stiffness {
            Stiffness::Alpha(_) => 0.0,
            Stiffness::Young { poisson_ratio, .. } => f64::from(poisson_ratio),
        };
        let lambda = modulus * ratio / ((1.0 + ratio) * (1.0 - 2.0 * ratio));
        Self { lambda: lambda as f32, mu: (0.5 * modulus / (1.0 + ratio)) as f32 }
    }

    /// E
    pub fn young_modulus(&self) -> f32 {
        let Self { lambda, mu } = *self;
        if mu > 0.0 { mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu) } else { 0.0 }
    }

    /// So many times as stiff.
    pub fn scaled(&self, times: f32) -> Self {
        Self { lambda: times * self.lambda, mu: times * self.mu }
    }

    /// The largest ratio of stress to strain: that of a change of volume.
    pub fn stiffest(&self) -> f32 {
        3.0 * self.lambda + 2.0 * self.mu
    }
}

/// A deformation gradient in its principal directions, F = U diag(σ) Vᵀ.
#[derive(Clone, Copy, Debug)]
pub struct Principal {
    u: Mat3,
    /// σ
    pub stretches: Vec3,
    v: Mat3,
}

impl Principal {
    /// Of F.
    pub fn new(f: Mat3) -> Self {
        let (u, stretches, v) = svd3(f);
        Self { u, stretches, v }
    }

    /// σ within the limits.
    fn limited(&self) -> Vec3 {
        self.stretches.clamp(Vec3::splat(LIMITS[0]), Vec3::splat(LIMITS[1]))
    }

    /// e
    fn strains(&self) -> Vec3 {
        let at = self.limited();
        0.5 * (at * at - 1.0) + at * (self.stretches - at)
    }

    /// λ Σ e + 2μ e
    fn stresses(&self, lame: &Lame) -> Vec3 {
        let strains = self.strains();
        Vec3::splat(lame.lambda * strains.element_sum()) + 2.0 * lame.mu * strains
    }

    /// P = ∂ψ/∂F
    pub fn first_piola(&self, lame: &Lame) -> Mat3 {
        let along = self.stresses(lame) * self.limited();
        self.u * Mat3::from_diagonal(along) * self.v.transpose()
    }

    /// F with its stretches within the limits.
    pub fn within_limits(&self) -> Mat3 {
        self.u * Mat3::from_diagonal(self.limited()) * self.v.transpose()
    }

    /// What stress adds to the stiffness, without what would take from it: V diag(s) Vᵀ.
    pub fn tension(&self, lame: &Lame) -> Mat3 {
        let (at, stresses) = (self.limited(), self.stresses(lame));
        let of = |k: usize| {
            let along = if self.stretches[k] > at[k] { at[k] / self.stretches[k] } else { 1.0 };
            (stresses[k] * along).max(0.0)
        };
        self.v * Mat3::from_diagonal(Vec3::new(of(0), of(1), of(2))) * self.v.transpose()
    }
}

/// ψ of a deformation gradient, in J/m³.
pub fn energy_density(f: DMat3, lame: &Lame) -> f64 {
    let (lambda, mu) = (f64::from(lame.lambda), f64::from(lame.mu));
    let c = f.transpose() * f;
    let strain = (c - DMat3::IDENTITY) * 0.5;
    let [low, high] = eigenvalue_bounds(c);
    let [least, most] = LIMITS.map(|limit| square(f64::from(limit)));
    if f.determinant() > 0.0 && low >= least && high <= most {
        let squares: f64 = strain.to_cols_array().iter().map(|e| e * e).sum();
        return 0.5 * lambda * square(trace(strain)) + mu * squares;
    }
    let strains = Principal::new(f.as_mat3()).strains().as_dvec3();
    0.5 * lambda * square(strains.element_sum()) + mu * strains.length_squared()
}

/// Cauchy stress in Pa of a deformation gradient: P Fᵀ / det F.
pub fn cauchy_stress(f: Mat3, lame: &Lame) -> Mat3 {
    let principal = Principal::new(f);
    let volume = principal.stretches.element_product().abs().max(square(LIMITS[0]) * LIMITS[0]);
    let stress = principal.first_piola(lame) * f.transpose() * (1.0 / volume);
    // Symmetric but for rounding.
    (stress + stress.transpose()) * 0.5
}

fn trace(m: DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

/// What the eigenvalues of a symmetric matrix lie between.
pub(super) fn eigenvalue_bounds(m: DMat3) -> [f64; 2] {
    let mean = trace(m) / 3.0;
    let deviation = m - DMat3::from_diagonal(DVec3::splat(mean));
    let spread = (deviation.to_cols_array().iter().map(|d| d * d).sum::<f64>() * (2.0 / 3.0)).sqrt();
    [mean - spread, mean + spread]
}
