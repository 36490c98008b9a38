//! Shape matching of overlapping clusters of particles.
//!
//! Based on \[HW08\] (§3 limits of deformation, §6 clusters), which improves on \[MHTG05\].
//!
//! Symbols: `q` rest offset from the cluster's rest centre c⁰, `p` current offset from its centre c, `A_pq` = Σ m̃ p qᵀ,
//! `R` its rotation, `A` = A_pq A_qq the best linear map, `S` plastic deformation, `F` the map that gives the goals.
//!
//! Deviations:
//! - A particle in several clusters gives each a *share* of its mass (the shares add up to 1), and its goal is the
//!   average of its clusters' goals with the same shares. With equal shares this is the papers' plain average; with
//!   shares that fade out towards a cluster's rim, as in \[JMLSB15\], the visible lines between clusters of \[HW08\] Fig. 8 are gone. Either
//!   way linear and angular momentum are conserved (`tests/momentum.rs`).
//! - Quadratic coordinates are centred, for otherwise quadratic goals shift the centre of mass: see [`rest`].
//! - A is never a reflection, which \[HW08\] §3.2 leaves to future work: see [`inversion`].
//! - The cheap area cap of \[HW08\] §3.1 overshoots its limit; ours does not: see [`area`].
//! - The limits are not the gradient of an energy and would pump it up: see [`passivity`].
//! - α means the same stiffness at any step: see [`Material::alpha_for`]. With a Young's modulus larger clusters pull less than small
//!   ones, and Poisson's ratio says how volume is kept.

pub mod area;
mod cut;
pub mod damping;
mod energy;
pub mod fit;
pub mod goal;
pub mod inversion;
pub mod passivity;
pub mod plasticity;
pub mod rest;
mod seam;

pub use crate::sampling::clustering::{ClusterId, Clustering, ClusteringError, NamedCluster};
pub use area::{AreaCap, CapMethod};
pub use rest::Rest;
pub use seam::ClusterSettings;

use crate::material::{Elasticity, Material};
use crate::model::regions::Pull;
use crate::model::seam::Simulate;
use crate::model::{integrate, momentum};
use crate::nodes::{NodeRest, NodeState};
use glam::{DVec3, Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What shapes a cluster may take for its goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matching {
    /// The rest shape, moved and turned.
    Rigid,
    /// Also stretched and sheared, as far as β lets it.
    #[default]
    Linear,
    /// Also bent and twisted.
    Quadratic,
}

/// How the goals of clusters are made; may be changed between steps, but for `matching` to quadratic.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoalSettings {
    /// What shapes a cluster may take.
    pub matching: Matching,
    /// Scale A so that the goal has the rest volume.
    pub preserve_volume: bool,
    /// Limit to stretch and shear; in scene files `"none"` takes it away. Without it `preserve_volume` turns a body that is hit
    /// hard into a pancake.
    #[serde(with = "area::cap_or_none")]
    pub area_cap: Option<AreaCap>,
    /// The least factor in (0, 1] by which a cluster's goal may be squashed in any direction; what is squashed further,
    /// or turned inside out, is pulled back to it.
    pub min_stretch: f32,
}

impl Default for GoalSettings {
    fn default() -> Self {
        Self {
            matching: Matching::default(),
            preserve_volume: true,
            area_cap: Some(AreaCap::default()),
            min_stretch: 0.1,
        }
    }
}

impl GoalSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// What is outside, and what it may be.
    pub fn validate(&self) -> Result<(), ClusteringError> {
        if !(self.min_stretch > 0.0 && self.min_stretch <= 1.0) {
            return Err(ClusteringError::Setting {
                name: "min_stretch",
                value: self.min_stretch,
                range: "above 0 and at most 1",
            });
        }
        self.area_cap.map_or(Ok(()), |cap| cap.validate())
    }
}

/// The model `clusters` of one body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Clusters {
    /// How goals are made.
    pub settings: GoalSettings,
    /// The clusters of the undeformed body; shared between bodies of the same shape.
    #[serde(skip)]
    pub rest: Arc<Rest>,
    /// What a cluster remembers from step to step.
    pub state: State,
    /// What a step makes anew.
    #[serde(skip)]
    pub scratch: Scratch,
}

/// What a cluster remembers from step to step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// R of each cluster, from which the next step starts.
    pub rotations: Vec<Quat>,
    /// S of each cluster; empty until something yields.
    pub plastic: Vec<Mat3>,
    /// What the limits of each cluster did; empty until one acts.
    pub ledgers: Vec<passivity::Ledger>,
}

/// What a step makes anew.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// c and A_pq of each cluster, and its quadratic moments if it has any.
    pub fits: Vec<fit::Fit>,
    /// A_pq Sᵀ, of which R is the rotation.
    pub moments: Vec<Mat3>,
    /// The map from rest offsets to goals of each cluster.
    pub maps: Vec<goal::Map>,
    /// v and ω of each cluster.
    pub motions: Vec<damping::Motion>,
    /// g − x of each node.
    pub displacements: Vec<Vec3>,
    /// The rotations to go back to after a refresh.
    rotations: Vec<Quat>,
    partials: Vec<momentum::Sums>,
}

impl Clusters {
    /// A model at rest.
    pub fn new(rest: Arc<Rest>, settings: GoalSettings) -> Self {
        let state = State { rotations: vec![Quat::IDENTITY; rest.len()], ..State::default() };
        Self { settings, rest, state, scratch: Scratch::default() }
    }

    /// 1 − β, the part of the pull that is toward the rest shape and not toward a stretched one.
    fn rigid_part(&self, elasticity: &Elasticity) -> f32 {
        match self.settings.matching {
            Matching::Rigid => 1.0,
            Matching::Linear | Matching::Quadratic => 1.0 - elasticity.beta_or_default(),
        }
    }
}

/// One step of cluster shape matching, \[MHTG05\] §3.3 and §4 with the limits of \[HW08\] §3.
///
/// 1. fit centres and moments   2. rotations   3. creep   4. maps to goals, limited   5. goals   6. damp   7. integrate
pub fn step(
    model: &mut Clusters,
    rest: &NodeRest,
    nodes: &mut NodeState,
    material: &Material,
    h: f32,
) -> DVec3 {
    let before = rest.momentum(nodes);
    find_goals(model, rest, nodes, material, h);
    passivity::book(model, material.elasticity.beta_or_default());
    let pull = Pull::new(material, h, model.extent(material), rest.radius);
    momentum::remove_rigid_part(rest, nodes, &mut model.scratch.displacements, &mut model.scratch.partials);
    damping::toward_rigid_motion(model, nodes, &pull); // [RJ07] §4
    integrate::pull_to_goals(nodes, &model.scratch.displacements, pull.alpha, h);
    integrate::advance(rest, nodes, h);
    rest.momentum(nodes) - before
}

/// What a step derives from the nodes, without moving them or remembering anything: the next step starts as it would have.
pub fn refresh(model: &mut Clusters, rest: &NodeRest, nodes: &NodeState, material: &Material) {
    model.scratch.rotations.clone_from(&model.state.rotations);
    find_goals(model, rest, nodes, &(*material).with_plasticity(None), 0.0);
    std::mem::swap(&mut model.scratch.rotations, &mut model.state.rotations);
}

fn find_goals(model: &mut Clusters, rest: &NodeRest, nodes: &NodeState, material: &Material, h: f32) {
    fit::gather(model, nodes); // Σ m̃ x, Σ m̃ p qᵀ
    fit::rotations(model); // R
    if let Some(plasticity) = &material.plasticity {
        plasticity::creep(model, plasticity, h); // [MHTG05] §4.4
    }
    goal::maps(model, &material.elasticity); // F = β A + (1 − β) R, [HW08] §3
    goal::scatter(model, rest, nodes, &material.elasticity); // g
}
