//! How a body comes back to its shape.
//!
//! Shape matching pulls each node a part α of the way to its goal in each step, which is a spring of α/h² a kilogram. For regions
//! (and clusters) whose nodes are ⟨q²⟩ from its middle along an axis in the mean square, that is Hooke's law with
//!
//! ```text
//! E = (1 + ν) ρ ⟨q²⟩ α/h²
//! ```
//!
//! so a Young's modulus says what α must be at any step, width and size of cells. Poisson's ratio ν comes from goals that give way
//! to a change of volume: a strain ε makes them smaller by [`bulk`](Elasticity::bulk) · tr ε.

use crate::math::functions::{exp_m1, ln_1p, square};

/// How a body comes back to its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elasticity {
    /// How hard it pulls.
    pub stiffness: Stiffness,
    /// β in [0, 1]: how freely the body takes the linear (or quadratic) shape that fits it best; 0 resists all
    /// deformation, 1 lets a cluster stay stretched and sheared for ever. `None` is
    /// [`DEFAULT_BETA`](Self::DEFAULT_BETA) where there are clusters; a model without them refuses a β.
    pub beta: Option<f32>,
    /// How fast motion that is not rigid dies down, 0 or more, as part of what would stop it without a swing: 0 rings for
    /// ever, 0.1 bounces, 0.4 lands with a wobble, 1 with a thud. Flying and spinning are not damped.
    pub damping: f32,
}

/// How hard a body pulls back to its shape: tuned by eye, or as measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stiffness {
    /// α in [0, 1]: the part of the way to its goal that a node goes in 1/240 s, the substep of a world left as it is; 1 is as
    /// stiff as the step allows. Other steps use the part that gives the same stiffness (see
    /// [`Material::alpha_for`](super::Material::alpha_for)), but no more than all of the way: in longer ones a body is softer.
    Alpha(f32),
    /// Hooke's law: the same whatever the step, the cells and the regions are. A step in which α would have to be more than 1
    /// is made of several, as many as it takes (see [`Body::max_model_steps`](crate::Body::max_model_steps)).
    Young {
        /// E in Pa, above 0: jelly has 5 kPa, fat 10, muscle 30, rubber 1,000 and more.
        modulus: f32,
        /// ν in [0, 0.49]: how much thinner it becomes where it is stretched. Near 0.5, where volume does not change, many more
        /// steps are needed.
        poisson_ratio: f32,
    },
}

impl Default for Elasticity {
    fn default() -> Self {
        Self { stiffness: Stiffness::Alpha(0.3), beta: None, damping: 0.5 }
    }
}

/// The step for which α is stated, in seconds.
pub(super) const REFERENCE_STEP_SECS: f32 = 1.0 / 240.0;

impl Elasticity {
    /// β where none is given.
    pub const DEFAULT_BETA: f32 = 0.3;

    /// β, also where none is given.
    pub fn beta_or_default(&self) -> f32 {
        self.beta.unwrap_or(Self::DEFAULT_BETA)
    }

    /// α, if that is how the stiffness was stated.
    pub const fn alpha(&self) -> Option<f32> {
        match self.stiffness {
            Stiffness::Alpha(alpha) => Some(alpha),
            Stiffness::Young { .. } => None,
        }
    }

    /// ν/(1 − 2ν): how much smaller goals become by a strain, as part of its trace.
    pub fn bulk(&self) -> f32 {
        match self.stiffness {
            Stiffness::Alpha(_) => 0.0,
            Stiffness::Young { poisson_ratio, .. } => poisson_ratio / (1.0 - 2.0 * poisson_ratio),
        }
    }

    /// How many times harder a change of volume is resisted than a shear.
    pub fn dilation(&self) -> f32 {
        1.0 + 3.0 * self.bulk()
    }
}

/// α for a step of `h` seconds, where it is stated for 1/240 s.
///
/// A pull of α a step is a spring of frequency √α/h: the same α at a quarter of the step would be four times as
/// stiff. 1 − (1 − α)^((h/h₀)²) is α at the reference step, keeps that frequency when h is small, and stays in
/// [0, 1] for any h.
pub(super) fn alpha_at(alpha: f32, h: f32) -> f32 {
    let ratio = f64::from(h) / f64::from(REFERENCE_STEP_SECS);
    (-exp_m1(ln_1p(-f64::from(alpha)) * square(ratio))).clamp(0.0, 1.0) as f32
}

/// The α to state so that steps of `h` seconds pull by `alpha`: what [`alpha_at`] takes back.
pub(super) fn stated_alpha(alpha: f64, h: f32) -> f32 {
    let ratio = f64::from(REFERENCE_STEP_SECS) / f64::from(h);
    (-exp_m1(ln_1p(-alpha) * square(ratio))) as f32
}
