//! Clusters as a model of the list.

use super::{AreaCap, Clusters, GoalSettings, Matching, Rest, goal};
use crate::geometry::TriMesh;
use crate::material::Material;
use crate::model::ModelSettings;
use crate::model::build::{BodyError, Build, Feature, Sampled, Source, centered};
use crate::model::seam::{Cut, CutSupport, Part, Simulate, StepInput, StepOutput, Structure};
use crate::nodes::{NodeRest, NodeState};
use crate::sampling::clustering::Clustering;
use crate::sampling::particles::{self, ParticleSettings};
use crate::skin::Binding;
use glam::{Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a body becomes clusters of particles, and how their goals are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClusterSettings {
    /// How particles are placed.
    pub particles: ParticleSettings,
    /// How they are divided.
    pub clustering: Clustering,
    /// As [`GoalSettings::matching`].
    pub matching: Matching,
    /// As [`GoalSettings::preserve_volume`].
    pub preserve_volume: bool,
    /// As [`GoalSettings::area_cap`].
    #[serde(with = "super::area::cap_or_none")]
    pub area_cap: Option<AreaCap>,
    /// As [`GoalSettings::min_stretch`].
    pub min_stretch: f32,
}

impl Default for ClusterSettings {
    fn default() -> Self {
        Self::new(ParticleSettings::default(), Clustering::One, GoalSettings::default())
    }
}

impl ClusterSettings {
    /// All of them.
    pub fn new(particles: ParticleSettings, clustering: Clustering, goals: GoalSettings) -> Self {
        let GoalSettings { matching, preserve_volume, area_cap, min_stretch } = goals;
        Self { particles, clustering, matching, preserve_volume, area_cap, min_stretch }
    }

    /// How goals are made.
    pub fn goals(&self) -> GoalSettings {
        let Self { matching, preserve_volume, area_cap, min_stretch, .. } = *self;
        GoalSettings { matching, preserve_volume, area_cap, min_stretch }
    }

    /// Changes how goals are made.
    pub fn set_goals(&mut self, goals: GoalSettings) {
        let Self { particles, clustering, .. } = std::mem::take(self);
        *self = Self::new(particles, clustering, goals);
    }
}

impl Build for ClusterSettings {
    type Model = Clusters;
    const WORD: &'static str = "clusters";
    const FEATURES: &'static [Feature] = &[Feature::Beta, Feature::PoissonRatio, Feature::Plasticity];

    fn for_size(_: f32) -> Self {
        Self::default()
    }

    /// Clusters as large as they were.
    fn for_part(&self, share: f32) -> Self {
        let part = |count: u32| ((count as f32 * share).round() as u32).max(1);
        let spread = |count: u32| Clustering::Spread { count: part(count), overlap: 0.5 };
        let clustering = match &self.clustering {
            Clustering::One => Clustering::One,
            Clustering::Spread { count, overlap } => {
                Clustering::Spread { count: part(*count), overlap: *overlap }
            }
            Clustering::Grid { cells, .. } => spread(cells.iter().product()),
            Clustering::Given(names) => spread(names.len() as u32),
        };
        Self { clustering, ..self.clone() }
    }

    fn validate(&self) -> Result<(), BodyError> {
        Ok(self.goals().validate()?)
    }

    fn build(&self, from: &Source) -> Result<Sampled<Clusters>, BodyError> {
        let particles = particles::fill(from.welded, from.material.density, &self.particles)?;
        let (nodes, center) = centered(particles.positions, particles.masses);
        let to_mesh = |x: &Vec3| (*x + center) / from.scale;
        let places: Vec<Vec3> = nodes.rest_positions.iter().map(to_mesh).collect();
        let plain = TriMesh::new(from.mesh.positions.iter().map(|p| *p / from.scale).collect(), Vec::new());
        let memberships = self.clustering.divide(&nodes.rest_positions, |s| s.find(&plain, &places))?;
        let quadratic = self.matching == Matching::Quadratic;
        let recipe = Some((self.particles, self.clustering.clone()));
        let rest = Arc::new(Rest { recipe, ..Rest::new(&nodes, &memberships, quadratic) });
        let binding = Binding::new(&from.vertices_from(center), &nodes.rest_positions);
        Ok(Sampled { nodes, center, binding, model: Clusters::new(rest, self.goals()) })
    }
}

/// A body whose β is 1 resists nothing, whatever its modulus; this close to it, it counts as stiff as it can be.
const LEAST_RIGID: f32 = 0.01;
/// 1 − α (1 − β) from which on a cluster is not rigid at all: it comes back by its own elasticity, as restitution has it.
const NEARLY_RIGID: f32 = 0.05;
/// Nanoseconds that a member of a cluster takes in a step, and a cluster besides.
const WORK_PER_MEMBER: f64 = 25.0;
const WORK_PER_CLUSTER: f64 = 300.0;

impl Simulate for Clusters {
    fn settings(&self) -> ModelSettings {
        let (particles, clustering) = match (&self.rest.recipe, self.rest.len() as u32) {
            (Some(recipe), _) => recipe.clone(),
            (None, 0 | 1) => (ParticleSettings::default(), Clustering::One),
            (None, count) => (ParticleSettings::default(), Clustering::Spread { count, overlap: 0.5 }),
        };
        ClusterSettings::new(particles, clustering, self.settings).into()
    }

    fn step(&mut self, nodes: &mut NodeState, input: &StepInput, output: &mut StepOutput) {
        input.in_steps(nodes, output, |nodes, h| super::step(self, input.rest, nodes, input.material, h));
    }

    fn extent(&self, material: &Material) -> f64 {
        let rigid = self.rigid_part(&material.elasticity);
        self.rest.extent * f64::from(rigid.max(LEAST_RIGID))
    }

    fn rigidity(&self, material: &Material) -> f32 {
        let alpha = material.elasticity.alpha().filter(|_| self.rest.len() == 1).unwrap_or(0.0);
        let gives_way = 1.0 - alpha * self.rigid_part(&material.elasticity);
        (1.0 - gives_way / NEARLY_RIGID).max(0.0)
    }

    fn work(&self) -> f64 {
        WORK_PER_CLUSTER * self.rest.len() as f64 + WORK_PER_MEMBER * self.rest.members.items.len() as f64
    }

    fn parts(&self) -> usize {
        self.rest.len()
    }

    fn refresh(&mut self, rest: &NodeRest, nodes: &NodeState, material: &Material) {
        super::refresh(self, rest, nodes, material);
    }

    fn update_maps(&mut self, rest: &NodeRest, nodes: &NodeState, material: &Material) {
        super::refresh(self, rest, nodes, material);
    }

    fn reset(&mut self, rotation: Quat) {
        self.state.rotations.fill(rotation);
        self.state.plastic.clear();
        self.state.ledgers.clear();
    }

    fn rotation(&self) -> Quat {
        self.state.rotations.first().copied().unwrap_or(Quat::IDENTITY)
    }

    #[inline]
    fn node_map(&self, rest: &NodeRest, node: usize) -> Mat3 {
        goal::node_map(self, rest, node)
    }

    fn elastic_map(&self, _: &NodeRest, _: usize) -> Option<Mat3> {
        None
    }

    fn energy(&self, rest: &NodeRest, nodes: &NodeState, material: &Material, h: f32) -> f64 {
        material.spring_for(h, self.extent(material)) * super::energy::potential(self, rest, nodes, material)
    }
}

impl Structure for Clusters {
    fn sets_of(&self, node: usize) -> Vec<(u32, f32)> {
        self.rest.shares_of(node).iter().map(|share| (share.cluster.0, share.share)).collect()
    }
}

impl Cut for Clusters {
    fn support(&self) -> CutSupport {
        CutSupport::Plane
    }

    fn part(&self, rest: &NodeRest, nodes: &[u32], _: &[(u32, u32)]) -> Part {
        let (node_rest, part) = self.rest.part(rest, nodes);
        let mut model = Self::new(Arc::new(part), self.settings);
        model.reset(self.rotation());
        Part { rest: node_rest, model: model.into(), nodes: nodes.to_vec() }
    }

    fn rebase(&mut self, rest: &NodeRest) {
        let memberships = self.rest.memberships();
        let quadratic = self.rest.quadratic.is_some();
        let recipe = self.rest.recipe.clone();
        self.rest = Arc::new(Rest { recipe, ..Rest::new(rest, &memberships, quadratic) });
    }
}
