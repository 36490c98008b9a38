//! Finite elements: tetrahedra of an elastic material, with Young's modulus and Poisson's ratio as they are measured.
//!
//! Based on \[DDCB01\] §2.1 and §3.1: linear tetrahedra, Green strain, internal damping that leaves rigid motion alone, masses lumped at
//! the nodes; \[ITF04\] for elements that are turned inside out; \[BW98\] for implicit steps.
//!
//! Symbols: those of [`strain`]; `τ` seconds for which the rate of strain counts as strain.
//!
//! ```text
//! F = D_s D_m⁻¹    ε = ½ (FᵀF − I)    S = λ tr(ε) I + 2 μ ε        f = −V F S ∇N
//! Ḟ = V_s D_m⁻¹    ν = ½ (ḞᵀF + FᵀḞ)  S += τ (λ tr(ν) I + 2 μ ν)
//! ```
//!
//! A body is [embedded](embed) in tetrahedra: those of the cells that it fills, each counting as much as it has of material. Any mesh of
//! tetrahedra will do as well ([`Rest::of_mesh`]), but only a body of cells is cut freely.
//!
//! Deviations:
//! - Strain is Green's within [`law::LIMITS`] and continued linearly beyond, so that elements which are pressed flat or inside out
//!   come back.
//! - Steps are implicit by default: an explicit one of 1 MPa and cells of 2 cm is 0.08 ms long at most. Explicit ones are a setting, and make
//!   as many steps of their own as they need.
//! - What semi-implicit steps take out of a change of velocity is a node's stiffness as it is when the model's step begins, not at rest: so it holds
//!   for bodies that have turned, and where they are pressed.
//! - Damping is stated as a ratio, that of the longest wave in the body, as for other models. Implicit steps damp by themselves,
//!   as a ratio of ω h/2, which counts as part of it.

pub mod conjugate;
mod cut;
pub mod embed;
pub mod explicit;
pub mod forces;
pub mod implicit;
pub mod law;
pub mod maps;
pub mod plasticity;
pub mod rest;
mod seam;
pub mod strain;
pub mod tangent;

pub use law::Lame;
pub use rest::Rest;

use super::momentum;
use super::seam::StepInput;
use crate::math::Mat3x8;
use crate::nodes::NodeState;
use glam::{Mat3, Vec3, Vec4};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a body becomes elements.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ElementSettings {
    /// Edge in meters of the cells that are divided into tetrahedra, above 0. `None` chooses one that gives the body about 600 cells,
    /// or more if it is thin.
    pub cell: Option<f32>,
    /// How steps are made.
    pub solver: ElementSolver,
    /// Iterations of an implicit step at most, in [1, 10000].
    pub iterations: u32,
    /// The part of the unbalanced forces that an implicit step may leave, in (0, 1).
    pub tolerance: f32,
}

impl Default for ElementSettings {
    fn default() -> Self {
        Self { cell: None, solver: ElementSolver::default(), iterations: 100, tolerance: 0.01 }
    }
}

/// How steps are made. Both have the same energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ElementSolver {
    /// Stable at any length of a step, for any stiffness; damps fast swings.
    #[default]
    Implicit,
    /// As many short steps as it takes; swings are as free as the material is.
    Explicit,
    /// Half as many, of which each node's own stiffness is taken out, \[DDCB01\] §3.3: damps fast swings a little.
    SemiImplicit,
}

/// The model `elements` of one body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Elements {
    /// The elements of the undeformed body; shared between bodies of the same shape.
    #[serde(skip)]
    pub rest: Arc<Rest>,
    /// λ and μ of the latest step, for the stresses.
    pub lame: Lame,
    /// S of each element, by eights: how its rest shape has given way. Empty as long as none has.
    pub plastic: Vec<Mat3x8>,
    /// The elements that follow from it.
    #[serde(skip)]
    pub given: Option<plasticity::Given>,
    /// What a step makes anew.
    #[serde(skip)]
    pub scratch: Box<Scratch>,
}

/// What a step makes anew.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Positions and velocities of the nodes, for kernels.
    places: Vec<Vec4>,
    speeds: Vec<Vec4>,
    /// What elements do to their corners.
    corners: Vec<forces::CornerForces>,
    /// Changes of velocity.
    field: Vec<Vec3>,
    partials: Vec<momentum::Sums>,
    /// Velocities before loads.
    before: Vec<Vec3>,
    /// kg m/s that held nodes were given in the latest step, in the order of its list.
    given: Vec<Vec3>,
    /// Of implicit steps.
    pub work: implicit::Work,
    /// F of each element, and around each node.
    gradients: Vec<Mat3x8>,
    maps: Vec<Mat3>,
    /// The elastic part of the maps, where it is another.
    elastic: Vec<Mat3>,
}

impl Elements {
    /// A model at rest.
    pub fn new(rest: Arc<Rest>) -> Self {
        Self { rest, ..Self::default() }
    }

    /// Memory in bytes that the elements and their steps take, without the nodes themselves.
    pub fn bytes(&self) -> usize {
        self.rest.bytes() + self.scratch.bytes() + plasticity::bytes(self)
    }

    /// The elements as their rest shapes have given way.
    pub fn packs(&self) -> &[rest::Pack] {
        self.given.as_ref().map_or(&self.rest.packs, |given| &given.packs)
    }

    /// ω² of the stiffest element, as in [`Rest::stiffest`].
    pub fn stiffest(&self) -> f32 {
        self.rest.stiffest * self.given.as_ref().map_or(1.0, |given| given.stiffer)
    }
}

impl Scratch {
    fn bytes(&self) -> usize {
        let Self { places, speeds, corners, field, partials, before, work, gradients, maps, .. } = self;
        let of_nodes = [field, before].map(Vec::as_slice).map(size_of_val).iter().sum::<usize>();
        let padded = [places, speeds].map(Vec::as_slice).map(size_of_val).iter().sum::<usize>();
        let maps = size_of_val(&gradients[..]) + size_of_val(&maps[..]);
        size_of_val(&corners[..]) + of_nodes + padded + size_of_val(&partials[..]) + work.bytes() + maps
    }
}

/// One step: explicit or implicit; then the local maps, and what gives way.
pub fn step(model: &mut Elements, nodes: &mut NodeState, input: &StepInput) {
    if model.given.is_none() {
        plasticity::give(model);
    }
    let lame = Lame::of(input.material, input.h / input.steps as f32, model.rest.extent());
    model.lame = lame;
    let viscosity = viscosity(&lame, input);
    match model.rest.settings.solver {
        ElementSolver::Explicit | ElementSolver::SemiImplicit => {
            explicit::step(model, nodes, input, &strain::Law { lame, viscosity });
        }
        ElementSolver::Implicit => {
            let viscosity = (viscosity - input.h).max(0.0);
            implicit::step(model, nodes, input, &strain::Law { lame, viscosity });
        }
    }
    maps::refresh(model, nodes);
    if let Some(plasticity) = &input.material.plasticity {
        plasticity::creep(model, plasticity, input.h);
    }
    plasticity::refresh(model);
}

/// τ = 2 ζ/ω with ω of the longest wave in the body, as in `Material::damping_for`.
fn viscosity(lame: &Lame, input: &StepInput) -> f32 {
    let speed = (lame.young_modulus() / input.material.density).sqrt();
    let slowest = speed * std::f32::consts::FRAC_PI_2 / input.rest.radius;
    if slowest > 0.0 { 2.0 * input.material.elasticity.damping / slowest } else { 0.0 }
}
