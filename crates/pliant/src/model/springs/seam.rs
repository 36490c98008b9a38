//! Springs as a model of the list.

use super::{Rest, SpringSettings, Springs};
use crate::material::Material;
use crate::model::ModelSettings;
use crate::model::build::{BodyError, Build, Feature, Sampled, Source, centered};
use crate::model::seam::{Cut, CutSupport, Part, Simulate, StepInput, StepOutput, Structure};
use crate::nodes::{NodeRest, NodeState};
use crate::sampling::particles;
use crate::skin::Binding;
use glam::{Mat3, Quat};
use std::sync::Arc;

impl Build for SpringSettings {
    type Model = Springs;
    const WORD: &'static str = "springs";
    const FEATURES: &'static [Feature] = &[];

    fn for_size(_: f32) -> Self {
        Self::default()
    }

    fn validate(&self) -> Result<(), BodyError> {
        if (3..=64).contains(&self.neighbors) {
            return Ok(());
        }
        let value = self.neighbors as f32;
        Err(BodyError::Setting { name: "neighbors", value, range: "in [3, 64]" })
    }

    fn build(&self, from: &Source) -> Result<Sampled<Springs>, BodyError> {
        let particles = particles::fill(from.welded, from.material.density, &self.particles)?;
        let (nodes, center) = centered(particles.positions, particles.masses);
        let binding = Binding::new(&from.vertices_from(center), &nodes.rest_positions);
        let model = Springs::new(Arc::new(Rest::new(&nodes, self.clone())));
        Ok(Sampled { nodes, center, binding, model })
    }
}

/// Nanoseconds that a spring takes in a step.
const WORK_PER_SPRING: f64 = 12.0;

impl Simulate for Springs {
    fn settings(&self) -> ModelSettings {
        self.rest.settings.clone().into()
    }

    fn step(&mut self, nodes: &mut NodeState, input: &StepInput, output: &mut StepOutput) {
        super::step(self, nodes, input, output);
    }

    fn longest_step(&self, _: &NodeRest, material: &Material) -> f32 {
        super::longest_step(&self.rest, material.spring_for(1.0 / 240.0, self.rest.extent) as f32)
    }

    fn extent(&self, _: &Material) -> f64 {
        self.rest.extent
    }

    fn work(&self) -> f64 {
        WORK_PER_SPRING * self.rest.springs.len() as f64
    }

    fn parts(&self) -> usize {
        self.rest.springs.len()
    }

    fn refresh(&mut self, _: &NodeRest, nodes: &NodeState, _: &Material) {
        super::refresh(self, nodes);
    }

    fn update_maps(&mut self, _: &NodeRest, nodes: &NodeState, _: &Material) {
        super::refresh(self, nodes);
    }

    fn reset(&mut self, rotation: Quat) {
        self.rotation = rotation;
    }

    fn rotation(&self) -> Quat {
        self.rotation
    }

    #[inline]
    fn node_map(&self, _: &NodeRest, node: usize) -> Mat3 {
        self.scratch.maps[node]
    }

    fn elastic_map(&self, _: &NodeRest, node: usize) -> Option<Mat3> {
        self.scratch.maps.get(node).copied()
    }

    fn energy(&self, _: &NodeRest, nodes: &NodeState, material: &Material, h: f32) -> f64 {
        material.spring_for(h, self.rest.extent) * super::potential(self, nodes)
    }
}

impl Structure for Springs {}

impl Cut for Springs {
    fn support(&self) -> CutSupport {
        CutSupport::Plane
    }

    fn part(&self, rest: &NodeRest, nodes: &[u32], _: &[(u32, u32)]) -> Part {
        let part = rest.only(nodes);
        let mut model = Self::new(Arc::new(Rest::new(&part, self.rest.settings.clone())));
        model.rotation = self.rotation;
        Part { rest: part, model: model.into(), nodes: nodes.to_vec() }
    }

    fn rebase(&mut self, rest: &NodeRest) {
        self.rest = Arc::new(Rest::new(rest, self.rest.settings.clone()));
    }
}
