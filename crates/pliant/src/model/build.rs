//! From a mesh to the nodes of a model.

use super::{Model, Simulate};
use crate::geometry::{MeshError, TetMesh, TriMesh, Welded};
use crate::material::{Material, MaterialError};
use crate::nodes::NodeRest;
use crate::sampling::clustering::ClusteringError;
use crate::sampling::criteria::Rule;
use crate::sampling::filling::FillingError;
use crate::sampling::painted::Brush;
use crate::sampling::particles::SamplingError;
use crate::skin::Binding;
use glam::{DVec3, Vec3};

/// The settings of a model, from which it is built.
pub trait Build: Clone + PartialEq + Default {
    /// What they are the settings of.
    type Model: Simulate + Into<Model>;
    /// The model's word in scene files, reports and menus.
    const WORD: &'static str;
    /// What it can use of that which not every model can. The rest is refused.
    const FEATURES: &'static [Feature];

    /// Settings that suit a body of a size in meters.
    fn for_size(size: f32) -> Self;

    /// Rules for where it is fine that suit a body of a size in meters; none if it does not adapt.
    fn rules_for_size(&self, _size: f32) -> Vec<Rule> {
        Vec::new()
    }

    /// Settings for a part of a body, `share` of it, that is filled anew: as dense.
    fn for_part(&self, _share: f32) -> Self {
        self.clone()
    }

    /// Whether it can be made of given tetrahedra ([`Feature::Tetrahedra`]), as these settings are.
    fn takes_tetrahedra(&self) -> bool {
        false
    }

    /// Checks what can be checked without a mesh.
    ///
    /// # Errors
    /// The first setting that makes no sense.
    fn validate(&self) -> Result<(), BodyError>;

    /// Turns a mesh into nodes and what moves them.
    ///
    /// # Errors
    /// If the mesh cannot be sampled so, or something was given that the model cannot use.
    fn build(&self, from: &Source) -> Result<Sampled<Self::Model>, BodyError>;
}

/// What a body can be given that not every model can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Rules for where it is fine: its nodes can change.
    Rules,
    /// Painted widths of regions.
    Widths,
    /// Stiffness painted over what the material says.
    PaintedStiffness,
    /// The tetrahedra that it is made of.
    Tetrahedra,
    /// β.
    Beta,
    /// Poisson's ratio.
    PoissonRatio,
    /// Deformation that stays.
    Plasticity,
    /// Connections that tear, everywhere alike or as painted.
    Tearing,
}

impl Feature {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Rules,
        Self::Widths,
        Self::PaintedStiffness,
        Self::Tetrahedra,
        Self::Beta,
        Self::PoissonRatio,
        Self::Plasticity,
        Self::Tearing,
    ];

    /// The setting by which a body is given it, if it is.
    fn given(self, from: &Source) -> Option<&'static str> {
        let Source { material, rules, widths, stiffness, toughness, tetrahedra, .. } = from;
        match self {
            Self::Rules => (!rules.is_empty()).then_some("refine"),
            Self::Widths => widths.map(|_| "widths"),
            Self::PaintedStiffness => stiffness.map(|_| "stiffness"),
            Self::Tetrahedra => tetrahedra.map(|_| "tetrahedra"),
            Self::Beta => material.elasticity.beta.map(|_| "material.beta"),
            Self::PoissonRatio => (material.elasticity.bulk() != 0.0).then_some("material.poisson_ratio"),
            Self::Plasticity => material.plasticity.map(|_| "material.plasticity"),
            Self::Tearing => material.tear.map(|_| "material.tear").or(toughness.map(|_| "toughness")),
        }
    }
}

/// What a body is made from.
pub struct Source<'a> {
    /// The mesh at the body's scale.
    pub mesh: &'a TriMesh,
    /// The same with vertices in one place made one.
    pub welded: &'a Welded,
    /// What the user's mesh was scaled by.
    pub scale: f32,
    /// What the body is made of.
    pub material: &'a Material,
    /// Where it is to be fine.
    pub rules: &'a [Rule],
    /// How wide regions are, in meters, where that is painted.
    pub widths: Option<&'a Brush>,
    /// How many times as stiff as the material it is, where that is painted.
    pub stiffness: Option<&'a Brush>,
    /// How far connections can be stretched, where that is painted.
    pub toughness: Option<&'a Brush>,
    /// The tetrahedra that it is to be made of, at the body's scale, if they are given.
    pub tetrahedra: Option<&'a TetMesh>,
}

/// A body's nodes, and what carries its skin and moves it.
pub struct Sampled<M> {
    /// The nodes, relative to their center of mass.
    pub nodes: NodeRest,
    /// Where that is in the scaled mesh's coordinates.
    pub center: Vec3,
    /// Which nodes carry each vertex of the mesh.
    pub binding: Binding,
    /// What moves them.
    pub model: M,
}

impl<M: Into<Model>> Sampled<M> {
    /// As any model.
    pub(super) fn into_any(self) -> Sampled<Model> {
        let Self { nodes, center, binding, model } = self;
        Sampled { nodes, center, binding, model: model.into() }
    }
}

impl Source<'_> {
    /// Refuses what a model has no use for: what was asked for must not be lost in silence.
    ///
    /// # Errors
    /// The first such thing that was given.
    pub fn only(&self, features: &[Feature], model: &'static str) -> Result<(), BodyError> {
        let unused = Feature::ALL.iter().filter(|feature| !features.contains(feature));
        match unused.filter_map(|feature| feature.given(self)).next() {
            Some(setting) => Err(BodyError::NotForModel { setting, model }),
            None => Ok(()),
        }
    }

    /// The vertices of the mesh relative to a place.
    pub fn vertices_from(&self, center: Vec3) -> Vec<Vec3> {
        self.mesh.positions.iter().map(|p| *p - center).collect()
    }
}

/// Nodes relative to their center of mass, and where that was.
pub fn centered(mut positions: Vec<Vec3>, masses: Vec<f32>) -> (NodeRest, Vec3) {
    let total_mass: f64 = masses.iter().map(|&m| f64::from(m)).sum();
    let moment: DVec3 = positions.iter().zip(&masses).map(|(x, &m)| f64::from(m) * x.as_dvec3()).sum();
    let center = (moment / total_mass).as_vec3();
    positions.iter_mut().for_each(|x| *x -= center);
    let radius = positions.iter().map(|x| x.length()).fold(0.0, f32::max);
    (NodeRest { rest_positions: positions, middle: Vec3::ZERO, masses, total_mass, radius }, center)
}

/// Why a body cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BodyError {
    /// The mesh is not a mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The mesh cannot be filled with particles.
    #[error(transparent)]
    Sampling(#[from] SamplingError),
    /// The body cannot be divided as asked.
    #[error(transparent)]
    Clustering(#[from] ClusteringError),
    /// The mesh cannot be filled with cells.
    #[error(transparent)]
    Filling(#[from] FillingError),
    /// A setting of the model is out of range.
    #[error("{name} is {value}; it must be {range}")]
    Setting {
        /// The field.
        name: &'static str,
        /// What it was.
        value: f32,
        /// What it may be.
        range: &'static str,
    },
    /// Something was asked for that the model cannot do.
    #[error(
        "{setting} was given, and the model {model} has no use for it; leave it out or choose another model"
    )]
    NotForModel {
        /// What was given.
        setting: &'static str,
        /// The model's word.
        model: &'static str,
    },
    /// The material makes no sense.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// Position, rotation, scale or velocity makes no sense.
    #[error("the body's {what} is not valid: {why}")]
    Placement {
        /// Which.
        what: &'static str,
        /// What it must be.
        why: &'static str,
    },
}

/// Checks that a length among a model's settings is above 0 and finite.
///
/// # Errors
/// If it is not.
pub fn above_zero(name: &'static str, value: f32) -> Result<(), BodyError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(BodyError::Setting { name, value, range: "above 0" })
}
