//! What a body is made of.

mod elasticity;
mod flat;

pub use elasticity::{Elasticity, Stiffness};

use crate::math::functions::{exp_m1, ln_1p, square};
use elasticity::{REFERENCE_STEP_SECS, alpha_at};
use flat::Flat;
use serde::{Deserialize, Serialize};

/// What a body is made of; may be changed between steps. Scene files write it flat: `material = { alpha = 0.1, friction = 0.8 }` or
/// `material = { young_modulus = 2e4, poisson_ratio = 0.4 }`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Flat", into = "Flat")]
pub struct Material {
    /// kg/m³, above 0. Taken when the body is built.
    pub density: f32,
    /// What others touch.
    pub surface: Surface,
    /// How it comes back.
    pub elasticity: Elasticity,
    /// Lasting deformation, if any.
    pub plasticity: Option<Plasticity>,
    /// How far connections between nodes can be stretched, as part of their length, before they tear; above 0, `None` never.
    /// Only for models whose nodes are connected one by one.
    pub tear: Option<f32>,
}

/// How a body's surface meets another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// Coulomb friction, 0 or more; of two surfaces the geometric mean counts.
    pub friction: f32,
    /// Restitution in [0, 1]: the speed at which two part over the speed at which they met, as wholes; the larger of two counts. A soft
    /// body also bounces by its own elasticity, if that is more; at α = 1 it does not.
    pub restitution: f32,
    /// Coefficient of rolling friction in meters, 0 or more: where it is pressed with N newtons, a moment of up to that many times N holds back
    /// rolling. The larger of two counts.
    pub rolling_friction: f32,
    /// The same for spinning about the normal.
    pub spinning_friction: f32,
}

/// Deformation that stays, \[MHTG05\] §4.4.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plasticity {
    /// Strain (Frobenius norm of S − I) above which the rest shape gives way, 0 or more.
    pub yield_strain: f32,
    /// Rate in 1/s at which the rest shape follows, 0 or more.
    pub creep_per_sec: f32,
    /// The largest lasting strain, 0 or more.
    pub max_strain: f32,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            density: 1000.0,
            surface: Surface::default(),
            elasticity: Elasticity::default(),
            plasticity: None,
            tear: None,
        }
    }
}

impl Default for Surface {
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.0, rolling_friction: 0.0, spinning_friction: 0.0 }
    }
}

impl Surface {
    /// All of it where this surface and another touch.
    pub fn with(self, other: Self) -> Self {
        Self {
            friction: (self.friction * other.friction).sqrt(),
            restitution: self.restitution.max(other.restitution),
            rolling_friction: self.rolling_friction.max(other.rolling_friction),
            spinning_friction: self.spinning_friction.max(other.spinning_friction),
        }
    }
}

impl Default for Plasticity {
    fn default() -> Self {
        Self { yield_strain: 0.1, creep_per_sec: 5.0, max_strain: 1.0 }
    }
}

/// A material property outside its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}; it must be {range}")]
pub struct MaterialError {
    /// The field.
    pub name: &'static str,
    /// What it was.
    pub value: f32,
    /// What it may be.
    pub range: &'static str,
}

/// Each makes a new material and changes none in place: a closure that hands on a `Copy` argument which is then changed is compiled
/// wrongly, rust-lang/rust#155241.
impl Material {
    /// Of this density in kg/m³.
    pub const fn with_density(self, density: f32) -> Self {
        Self { density, ..self }
    }

    /// With this Coulomb friction.
    pub const fn with_friction(self, friction: f32) -> Self {
        Self { surface: Surface { friction, ..self.surface }, ..self }
    }

    /// With this restitution.
    pub const fn with_restitution(self, restitution: f32) -> Self {
        Self { surface: Surface { restitution, ..self.surface }, ..self }
    }

    /// With these coefficients of rolling and spinning friction, in meters.
    pub const fn with_rolling_friction(self, rolling_friction: f32, spinning_friction: f32) -> Self {
        Self { surface: Surface { rolling_friction, spinning_friction, ..self.surface }, ..self }
    }

    /// With this α: see [`Stiffness::Alpha`].
    pub const fn with_alpha(self, alpha: f32) -> Self {
        self.with_stiffness(Stiffness::Alpha(alpha))
    }

    /// With this Young's modulus in Pa and this Poisson's ratio: see [`Stiffness::Young`].
    pub const fn with_young_modulus(self, modulus: f32, poisson_ratio: f32) -> Self {
        self.with_stiffness(Stiffness::Young { modulus, poisson_ratio })
    }

    const fn with_stiffness(self, stiffness: Stiffness) -> Self {
        Self { elasticity: Elasticity { stiffness, ..self.elasticity }, ..self }
    }

    /// With this β: see [`Elasticity::beta`].
    pub const fn with_beta(self, beta: f32) -> Self {
        Self { elasticity: Elasticity { beta: Some(beta), ..self.elasticity }, ..self }
    }

    /// With this damping: see [`Elasticity::damping`].
    pub const fn with_damping(self, damping: f32) -> Self {
        Self { elasticity: Elasticity { damping, ..self.elasticity }, ..self }
    }

    /// With this plasticity, or with none.
    pub fn with_plasticity(self, plasticity: impl Into<Option<Plasticity>>) -> Self {
        Self { plasticity: plasticity.into(), ..self }
    }

    /// Tearing where connections are stretched by more than this part of their length.
    pub const fn with_tear(self, tear: f32) -> Self {
        Self { tear: Some(tear), ..self }
    }
}

impl Material {
    /// Checks every property against its range.
    ///
    /// # Errors
    /// The first one outside.
    pub fn validate(&self) -> Result<(), MaterialError> {
        let Self { density, surface, elasticity, plasticity, tear } = *self;
        let Surface { friction, restitution, rolling_friction, spinning_friction } = surface;
        let Elasticity { stiffness, damping, .. } = elasticity;
        let (alpha, [modulus, poisson_ratio]) = match stiffness {
            Stiffness::Alpha(alpha) => (alpha, [1.0, 0.0]),
            Stiffness::Young { modulus, poisson_ratio } => (1.0, [modulus, poisson_ratio]),
        };
        let (beta, plasticity) = (elasticity.beta_or_default(), plasticity.unwrap_or_default());
        let not_negative = |v: f32| v >= 0.0 && v.is_finite();
        let unit = |v: f32| (0.0..=1.0).contains(&v);
        let checks = [
            ("density", density, "above 0 and finite", density > 0.0 && density.is_finite()),
            ("alpha", alpha, "in [0, 1]", unit(alpha)),
            ("young_modulus", modulus, "above 0 and finite", modulus > 0.0 && modulus.is_finite()),
            ("poisson_ratio", poisson_ratio, "in [0, 0.49]", (0.0..=0.49).contains(&poisson_ratio)),
            ("beta", beta, "in [0, 1]", unit(beta)),
            ("damping", damping, "0 or more", not_negative(damping)),
            ("friction", friction, "0 or more", not_negative(friction)),
            ("restitution", restitution, "in [0, 1]", unit(restitution)),
            ("rolling_friction", rolling_friction, "0 or more", not_negative(rolling_friction)),
            ("spinning_friction", spinning_friction, "0 or more", not_negative(spinning_friction)),
            ("tear", tear.unwrap_or(1.0), "above 0", tear.is_none_or(|most| most > 0.0)),
            (
                "plasticity.yield_strain",
                plasticity.yield_strain,
                "0 or more",
                not_negative(plasticity.yield_strain),
            ),
            (
                "plasticity.creep_per_sec",
                plasticity.creep_per_sec,
                "0 or more",
                not_negative(plasticity.creep_per_sec),
            ),
            (
                "plasticity.max_strain",
                plasticity.max_strain,
                "0 or more",
                not_negative(plasticity.max_strain),
            ),
        ];
        match checks.into_iter().find(|check| !check.3) {
            Some((name, value, range, _)) => Err(MaterialError { name, value, range }),
            None => Ok(()),
        }
    }

    /// α for a step of `h` seconds, where the nodes of a region are `extent` m² from its middle along an axis, in the mean square:
    /// ⟨q²⟩.
    pub fn alpha_for(&self, h: f32, extent: f64) -> f32 {
        match self.elasticity.stiffness {
            Stiffness::Alpha(alpha) => alpha_at(alpha, h),
            Stiffness::Young { .. } => (self.hooke_spring(extent) * square(f64::from(h))) as f32,
        }
    }

    /// α/h² for a step of `h` seconds: the spring of a goal, in N/m a kg.
    pub fn spring_for(&self, h: f32, extent: f64) -> f64 {
        match self.elasticity.stiffness {
            Stiffness::Alpha(alpha) => f64::from(alpha_at(alpha, h)) / square(f64::from(h)),
            Stiffness::Young { .. } => self.hooke_spring(extent),
        }
    }

    /// Young's modulus in Pa that it has in steps of `h` seconds.
    pub fn young_modulus_for(&self, h: f32, extent: f64) -> f64 {
        match self.elasticity.stiffness {
            Stiffness::Alpha(_) => f64::from(self.density) * extent * self.spring_for(h, extent),
            Stiffness::Young { modulus, .. } => modulus.into(),
        }
    }

    /// E / ((1 + ν) ρ ⟨q²⟩)
    fn hooke_spring(&self, extent: f64) -> f64 {
        let Stiffness::Young { modulus, poisson_ratio } = self.elasticity.stiffness else { return 0.0 };
        f64::from(modulus) / ((1.0 + f64::from(poisson_ratio)) * f64::from(self.density) * extent)
    }

    /// Young's modulus in Pa of the stiffest that steps of `h` seconds can hold: α times what a change of volume counts more is
    /// [`MOST_ALPHA`].
    pub(crate) fn stiffest(&self, h: f32, extent: f64) -> f64 {
        let Stiffness::Young { modulus, .. } = self.elasticity.stiffness else { return f64::INFINITY };
        let dilation = f64::from(self.elasticity.dilation());
        MOST_ALPHA * f64::from(modulus) / (self.hooke_spring(extent) * square(f64::from(h)) * dilation)
    }

    /// α/h² for the step that α is stated for; `None` where a modulus is given, which does not depend on a step.
    pub(crate) fn stated_spring(&self) -> Option<f64> {
        self.elasticity.alpha().map(|_| self.spring_for(REFERENCE_STEP_SECS, 1.0))
    }

    /// The α to state so that steps of `h` seconds pull by `alpha`.
    pub(crate) fn stated_alpha(alpha: f64, h: f32) -> f32 {
        elasticity::stated_alpha(alpha, h)
    }

    /// How many steps one of `h` seconds has to be made of for α to be what a step can hold; one where α is given.
    pub(crate) fn steps_needed(&self, h: f32, extent: f64) -> u32 {
        match self.elasticity.stiffness {
            Stiffness::Alpha(_) => 1,
            Stiffness::Young { modulus, .. } => {
                // What is a little more by rounding alone is not worth another one.
                ((f64::from(modulus) / self.stiffest(h, extent)).sqrt() - 1e-4).ceil().max(1.0) as u32
            }
        }
    }

    /// How a model goes through a part `h` of a step of `whole` seconds: how many steps it makes, `most` at most, and the material for
    /// each of them.
    ///
    /// With α it is one step, and a part of a step pulls with the spring that the whole has: [`alpha_for`](Self::alpha_for) a shorter one
    /// would be stiffer where α is near 1, and a body that is suddenly stiffer gains energy. With a modulus, α is at most what a
    /// step can hold; a body that would need more steps than it may make is as stiff as it can be.
    pub(crate) fn in_steps(&self, whole: f32, h: f32, extent: f64, most: u32) -> (u32, Self) {
        match self.elasticity.stiffness {
            Stiffness::Alpha(alpha) if h < whole => (1, self.with_alpha(in_part(alpha, whole, h))),
            Stiffness::Alpha(_) => (1, *self),
            Stiffness::Young { modulus, poisson_ratio } => {
                let steps = self.steps_needed(h, extent).min(most.max(1));
                let modulus = f64::from(modulus).min(self.stiffest(h / steps as f32, extent)) as f32;
                (steps, self.with_young_modulus(modulus, poisson_ratio))
            }
        }
    }

    /// The part of non-rigid motion of a region that a step of `h` seconds takes away, in a body of this radius in metres.
    ///
    /// With α, 2 ζ ω h, where the pull to the goals is a spring of ω h = √α a step: stiff bodies are damped at a higher rate than soft
    /// ones and bounce no more, and the ratio means the same at any step. With a modulus it must not depend on the regions either:
    /// ζ is that of the longest wave in the body, of 2 π l, and regions lose √⟨q²⟩/l less of it than of their own swings.
    pub(crate) fn damping_for(&self, h: f32, extent: f64, radius: f32) -> f32 {
        let alpha = self.alpha_for(h, extent).sqrt();
        let times = match self.elasticity.stiffness {
            Stiffness::Alpha(_) => 1.0,
            Stiffness::Young { .. } => 2.0 * radius / (std::f32::consts::PI * (extent as f32).sqrt()),
        };
        -exp_m1(-2.0 * self.elasticity.damping * times * alpha)
    }
}

/// The largest α that follows from a modulus. Regions at surfaces are up to three times as stiff, and at 1 they would swing from step
/// to step: contacts, which see one moment of each, cannot hold that.
const MOST_ALPHA: f64 = 0.5;

/// The α to state for steps of `h` seconds that are parts of one of `whole` seconds.
fn in_part(alpha: f32, whole: f32, h: f32) -> f32 {
    let [part, reference] = [h / whole, REFERENCE_STEP_SECS / h].map(|ratio| square(f64::from(ratio)));
    let wanted = f64::from(alpha_at(alpha, whole)) * part;
    let alpha = -exp_m1(ln_1p(-wanted) * reference);
    (alpha as f32).min(1.0 - 0.5 * f32::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ⟨q²⟩ of some regions, in m².
    const EXTENT: f64 = 0.002;

    #[test]
    fn alpha_means_the_same_stiffness_at_any_step() {
        let material = Material::default().with_alpha(0.4);
        assert!((material.alpha_for(1.0 / 240.0, EXTENT) - 0.4).abs() < 1e-6);
        let frequency = |h: f32| material.alpha_for(h, EXTENT).sqrt() / h;
        assert!((frequency(1e-4) / frequency(1e-6) - 1.0).abs() < 1e-3);
        assert_eq!(material.alpha_for(1.0, EXTENT), 1.0);
        for (alpha, h) in [(0.0, 1.0), (1.0, 1e-6)] {
            assert_eq!(material.with_alpha(alpha).alpha_for(h, EXTENT), alpha);
        }
    }

    /// The spring of a part `h` of a step of `whole` seconds.
    fn spring(material: &Material, whole: f32, h: f32) -> f64 {
        let (steps, material) = material.in_steps(whole, h, EXTENT, 64);
        material.spring_for(h / steps as f32, EXTENT)
    }

    #[test]
    fn parts_of_a_step_pull_with_the_spring_of_the_whole() {
        for alpha in [0.0, 0.3, 0.9, 1.0] {
            let material = Material::default().with_alpha(alpha);
            for (substeps, parts) in [(1_u8, 64_u8), (4, 5), (4, 64), (16, 64)] {
                let [whole, h] = [substeps, parts].map(|steps| 1.0 / 60.0 / f32::from(steps));
                let (wanted, found) = (spring(&material, whole, whole), spring(&material, whole, h));
                assert!((found - wanted).abs() <= 0.05 * wanted, "{alpha}, {parts}: {found}, not {wanted}");
            }
            assert_eq!(material.in_steps(0.004, 0.004, EXTENT, 16), (1, material));
        }
    }

    #[test]
    fn with_a_modulus_a_body_does_not_go_soft_in_long_steps() {
        let material = Material::default().with_young_modulus(3e4, 0.4);
        let [short, long] = [240.0, 15.0].map(|rate| spring(&material, 1.0 / rate, 1.0 / rate));
        assert!((long / short - 1.0).abs() < 1e-6, "{short}, {long}");
    }

    #[test]
    fn a_modulus_is_reached_within_the_steps_allowed_or_as_far_as_they_go() {
        let h = 1.0 / 240.0;
        for (modulus, ratio) in [(1e3, 0.0), (1e6, 0.0), (1e5, 0.3), (1e5, 0.49)] {
            let material = Material::default().with_young_modulus(modulus, ratio);
            let (steps, found) = material.in_steps(h, h, EXTENT, 1000);
            assert_eq!(found, material);
            let alpha =
                |steps: u32| material.alpha_for(h / steps as f32, EXTENT) * material.elasticity.dilation();
            let most = MOST_ALPHA as f32;
            assert!(alpha(steps) <= 1.001 * most && (steps == 1 || alpha(steps - 1) > most), "{steps}");
            let (few, softer) = material.in_steps(h, h, EXTENT, 2);
            let least = softer.alpha_for(h / few as f32, EXTENT) * softer.elasticity.dilation();
            assert!(
                few == steps.min(2) && least <= 1.001 * most && (steps <= 2 || least > 0.999 * most),
                "{few}, {least}"
            );
        }
    }

    #[test]
    fn a_property_outside_its_range_is_named() {
        let error = Material::default().with_beta(1.5).validate().unwrap_err();
        assert_eq!(error.to_string(), "beta is 1.5; it must be in [0, 1]");
        assert!(Material::default().with_alpha(f32::NAN).validate().is_err());
    }
}
