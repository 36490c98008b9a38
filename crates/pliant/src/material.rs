//! What a body is made of.

use crate::math::functions::{exp_m1, ln_1p, square};
use serde::{Deserialize, Serialize};

/// What a body is made of; may be changed between steps. Scene files write it flat: `material = { alpha = 0.1, friction = 0.8 }`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Flat", into = "Flat")]
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
}

/// How a body comes back to its shape, in the constants of shape matching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elasticity {
    /// α in [0, 1]: the part of the way to its goal that a node goes in 1/240 s, the substep of a world left as it is; 1 is as
    /// stiff as the step allows.
    ///
    /// Other steps use the part that gives the same stiffness (see [`Material::alpha_for`]).
    pub alpha: f32,
    /// β in [0, 1]: how freely the body takes the linear (or quadratic) shape that fits it best; 0 resists all
    /// deformation, 1 lets a cluster stay stretched and sheared for ever. `None` is
    /// [`DEFAULT_BETA`](Self::DEFAULT_BETA) where there are clusters; a model without them refuses a β.
    pub beta: Option<f32>,
    /// How fast motion that is not rigid dies down, 0 or more, as part of what would stop it without a swing: 0 rings for
    /// ever, 0.1 bounces, 0.4 lands with a wobble, 1 with a thud. Flying and spinning are not damped.
    pub damping: f32,
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
        Self { friction: 0.5, restitution: 0.0 }
    }
}

impl Surface {
    /// Friction and restitution where this surface and another touch.
    pub fn with(self, other: Self) -> Self {
        Self {
            friction: (self.friction * other.friction).sqrt(),
            restitution: self.restitution.max(other.restitution),
        }
    }
}

impl Default for Elasticity {
    fn default() -> Self {
        Self { alpha: 0.3, beta: None, damping: 0.5 }
    }
}

impl Elasticity {
    /// β where none is given.
    pub const DEFAULT_BETA: f32 = 0.3;

    /// β, also where none is given.
    pub fn beta_or_default(&self) -> f32 {
        self.beta.unwrap_or(Self::DEFAULT_BETA)
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

/// The step for which α is stated, in seconds.
const REFERENCE_STEP_SECS: f32 = 1.0 / 240.0;

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

    /// With this α: see [`Elasticity::alpha`].
    pub const fn with_alpha(self, alpha: f32) -> Self {
        Self { elasticity: Elasticity { alpha, ..self.elasticity }, ..self }
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
        let Self { density, surface: Surface { friction, restitution }, elasticity, plasticity, tear } =
            *self;
        let Elasticity { alpha, damping, .. } = elasticity;
        let (beta, plasticity) = (elasticity.beta_or_default(), plasticity.unwrap_or_default());
        let not_negative = |v: f32| v >= 0.0 && v.is_finite();
        let unit = |v: f32| (0.0..=1.0).contains(&v);
        let checks = [
            ("density", density, "above 0 and finite", density > 0.0 && density.is_finite()),
            ("alpha", alpha, "in [0, 1]", unit(alpha)),
            ("beta", beta, "in [0, 1]", unit(beta)),
            ("damping", damping, "0 or more", not_negative(damping)),
            ("friction", friction, "0 or more", not_negative(friction)),
            ("restitution", restitution, "in [0, 1]", unit(restitution)),
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

    /// α for a step of `h` seconds.
    ///
    /// A pull of α a step is a spring of frequency √α/h: the same α at a quarter of the step would be four times as
    /// stiff. 1 − (1 − α)^((h/h₀)²) is α at the reference step, keeps that frequency when h is small, and stays in
    /// [0, 1] for any h.
    pub fn alpha_for(&self, h: f32) -> f32 {
        let ratio = f64::from(h) / f64::from(REFERENCE_STEP_SECS);
        (-exp_m1(ln_1p(-f64::from(self.elasticity.alpha)) * ratio * ratio)).clamp(0.0, 1.0) as f32
    }

    /// α/h² for a step of `h` seconds: the spring of a goal, in N/m a kg.
    pub fn spring_for(&self, h: f32) -> f64 {
        f64::from(self.alpha_for(h)) / (f64::from(h) * f64::from(h))
    }

    /// The α to state so that steps of `h` seconds pull by `alpha`: what [`alpha_for`](Self::alpha_for) takes back.
    pub(crate) fn stated_alpha(alpha: f64, h: f32) -> f32 {
        let ratio = f64::from(REFERENCE_STEP_SECS) / f64::from(h);
        (-exp_m1(ln_1p(-alpha) * square(ratio))) as f32
    }

    /// α/h² for the step that α is stated for.
    pub(crate) fn stated_spring(&self) -> f64 {
        self.spring_for(REFERENCE_STEP_SECS)
    }

    /// The material for steps of `h` seconds that are parts of one of `whole` seconds: its pull is the spring that it is in the
    /// whole step. [`alpha_for`](Self::alpha_for) a shorter one would be stiffer where α is near 1, and a body that
    /// is suddenly stiffer gains energy.
    pub(crate) fn in_parts(&self, whole: f32, h: f32) -> Self {
        if h >= whole {
            return *self;
        }
        let [part, reference] = [h / whole, REFERENCE_STEP_SECS / h].map(|ratio| square(f64::from(ratio)));
        let wanted = f64::from(self.alpha_for(whole)) * part;
        let alpha = -exp_m1(ln_1p(-wanted) * reference);
        self.with_alpha((alpha as f32).min(1.0 - 0.5 * f32::EPSILON))
    }

    /// The part of non-rigid motion that a step of `h` seconds takes away.
    ///
    /// 2 ζ ω h, where the pull to the goals is a spring of ω h = √α a step: stiff bodies are damped at a higher rate than soft
    /// ones and bounce no more, and the ratio means the same at any step.
    pub(crate) fn damping_for(&self, h: f32) -> f32 {
        -exp_m1(-2.0 * self.elasticity.damping * self.alpha_for(h).sqrt())
    }
}

/// A material as files have it: one table.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Material", default, deny_unknown_fields)]
struct Flat {
    density: f32,
    alpha: f32,
    beta: Option<f32>,
    damping: f32,
    friction: f32,
    restitution: f32,
    plasticity: Option<Plasticity>,
    tear: Option<f32>,
}

impl Default for Flat {
    fn default() -> Self {
        Material::default().into()
    }
}

impl From<Flat> for Material {
    fn from(flat: Flat) -> Self {
        let Flat { density, alpha, beta, damping, friction, restitution, plasticity, tear } = flat;
        let surface = Surface { friction, restitution };
        Self { density, surface, elasticity: Elasticity { alpha, beta, damping }, plasticity, tear }
    }
}

impl From<Material> for Flat {
    fn from(material: Material) -> Self {
        let Material { density, surface, elasticity, plasticity, tear } = material;
        let (Surface { friction, restitution }, Elasticity { alpha, beta, damping }) = (surface, elasticity);
        Self { density, alpha, beta, damping, friction, restitution, plasticity, tear }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_means_the_same_stiffness_at_any_step() {
        let material = Material::default().with_alpha(0.4);
        assert!((material.alpha_for(1.0 / 240.0) - 0.4).abs() < 1e-6);
        let frequency = |h: f32| material.alpha_for(h).sqrt() / h;
        assert!((frequency(1e-4) / frequency(1e-6) - 1.0).abs() < 1e-3);
        assert_eq!(material.alpha_for(1.0), 1.0);
        for (alpha, h) in [(0.0, 1.0), (1.0, 1e-6)] {
            assert_eq!(material.with_alpha(alpha).alpha_for(h), alpha);
        }
    }

    #[test]
    fn parts_of_a_step_pull_with_the_spring_of_the_whole() {
        for alpha in [0.0, 0.3, 0.9, 1.0] {
            let material = Material::default().with_alpha(alpha);
            for (substeps, parts) in [(1_u8, 64_u8), (4, 5), (4, 64), (16, 64)] {
                let [whole, h] = [substeps, parts].map(|steps| 1.0 / 60.0 / f32::from(steps));
                let spring = material.alpha_for(whole) / (whole * whole);
                let found = material.in_parts(whole, h).alpha_for(h) / (h * h);
                assert!((found - spring).abs() <= 0.05 * spring, "{alpha}, {parts}: {found}, not {spring}");
            }
            assert_eq!(material.in_parts(0.01, 0.01), material);
        }
    }

    #[test]
    fn a_property_outside_its_range_is_named() {
        let error = Material::default().with_beta(1.5).validate().unwrap_err();
        assert_eq!(error.to_string(), "beta is 1.5; it must be in [0, 1]");
        assert!(Material::default().with_alpha(f32::NAN).validate().is_err());
    }
}
