//! The lattice as a model of the list.

use super::{Lattice, LatticeSettings, Rest};
use crate::material::Material;
use crate::model::ModelSettings;
use crate::model::adapt::{Changes, PartedBefore, ResampleError, Resampled, all_kept};
use crate::model::build::{BodyError, Build, Feature, Sampled, Source, above_zero};
use crate::model::cells::{Carriers, CellGraph, Filled};
use crate::model::regions::rest::Summation;
use crate::model::regions::{State, energy};
use crate::model::seam::{Cut, CutSupport, Outline, Part, Simulate, StepInput, StepOutput, Structure};
use crate::nodes::{NodeRest, NodeState};
use crate::sampling::BodySize;
use crate::sampling::grid::Grid;
use crate::skin::Cells;
use glam::{Mat3, Quat};
use std::sync::Arc;

impl Build for LatticeSettings {
    type Model = Lattice;
    const WORD: &'static str = "lattice";
    const FEATURES: &'static [Feature] = &[Feature::PoissonRatio, Feature::Plasticity, Feature::Tearing];

    fn for_size(size: f32) -> Self {
        let cell = size / 16.0;
        Self { cell: Some(cell), width: Some(2.0 * cell) }
    }

    fn validate(&self) -> Result<(), BodyError> {
        self.width.map_or(Ok(()), |width| above_zero("width", width))
    }

    fn build(&self, from: &Source) -> Result<Sampled<Lattice>, BodyError> {
        let (cell, width) = self.sizes(from);
        let Filled { nodes, center, graph, binding } = CellGraph::fill(from, cell)?;
        let width = (width / cell).round() as u32;
        let rest = Rest::of(graph, width, &nodes.masses, &nodes.rest_positions);
        Ok(Sampled { nodes, center, binding, model: Lattice::new(Arc::new(rest)) })
    }
}

impl LatticeSettings {
    /// Cell and width, taken from the mesh and the material where they are not given.
    fn sizes(&self, from: &Source) -> (f32, f32) {
        if let (Some(cell), Some(width)) = (self.cell, self.width) {
            return (cell, width);
        }
        let size = BodySize::of(from.welded);
        let cell = self.cell.unwrap_or_else(|| size.cell());
        (cell, self.width.unwrap_or_else(|| size.width(cell, from.material.stated_spring())))
    }
}

impl Simulate for Lattice {
    fn settings(&self) -> ModelSettings {
        let (cell, width) = (self.rest.cell, self.rest.width);
        LatticeSettings { cell: Some(cell), width: Some(width as f32 * cell) }.into()
    }

    fn with_cells_halved(&self, times: u32) -> Option<ModelSettings> {
        let (cell, width) = (self.rest.cell, self.rest.width);
        let finer = cell / (1_u32 << times) as f32;
        Some(LatticeSettings { cell: Some(finer), width: Some(width as f32 * cell) }.into())
    }

    fn step(&mut self, nodes: &mut NodeState, input: &StepInput, output: &mut StepOutput) {
        input.in_steps(nodes, output, |nodes, h| super::step(self, input.rest, nodes, input.material, h));
    }

    fn extent(&self, _: &Material) -> f64 {
        self.rest.reference()
    }

    fn work(&self) -> f64 {
        WORK_PER_REGION * self.rest.cells.len() as f64
    }

    fn parts(&self) -> usize {
        self.rest.cells.len()
    }

    fn refresh(&mut self, rest: &NodeRest, nodes: &NodeState, _: &Material) {
        super::refresh(self, rest, nodes);
    }

    fn reset(&mut self, rotation: Quat) {
        self.state.reset(rotation);
    }

    fn rotation(&self) -> Quat {
        self.state.middle_rotation()
    }

    #[inline]
    fn node_map(&self, _: &NodeRest, node: usize) -> Mat3 {
        self.state.map(self.rest.slots[node] as usize)
    }

    fn elastic_map(&self, _: &NodeRest, node: usize) -> Option<Mat3> {
        self.state.elastic_map(*self.rest.slots.get(node)? as usize)
    }

    fn energy(&self, rest: &NodeRest, nodes: &NodeState, material: &Material, h: f32) -> f64 {
        let Rest { constants, shares, slots, .. } = &*self.rest;
        let regions = energy::Regions { state: &self.state, constants, shares, slots };
        material.spring_for(h, self.rest.reference())
            * energy::potential(&*self.rest, &regions, rest, nodes, &material.elasticity)
    }

    fn resample(
        &mut self,
        rest: &NodeRest,
        nodes: &NodeState,
        changes: &Changes,
        _: PartedBefore,
    ) -> Result<Option<Resampled>, ResampleError> {
        if changes.change_nodes() {
            return Err(ResampleError::FixedNodes { model: LatticeSettings::WORD });
        }
        let mut now = Rest::clone(&self.rest);
        if !now.disconnect(&changes.disconnect, &rest.masses, &rest.rest_positions) {
            return Ok(None);
        }
        let all: Vec<u32> = (0..rest.masses.len() as u32).collect();
        let state = self.state_of(&all, &now);
        let model = Self { state, ..Self::new(Arc::new(now)) }.into();
        let renumbering = all_kept(all.len());
        Ok(Some(Resampled { rest: rest.clone(), nodes: nodes.clone(), model, renumbering }))
    }
}

/// Nanoseconds that a region takes in a step, gathered, fitted and scattered; about the same at any width.
const WORK_PER_REGION: f64 = 150.0;

impl Lattice {
    /// What some of the nodes remember, in the slots that they have in another lattice, where they are numbered in this order.
    fn state_of(&self, nodes: &[u32], now: &Rest) -> State {
        let slot = |&node: &u32| self.rest.slots[node as usize] as usize;
        self.state.picked(nodes.iter().map(slot), &now.nodes)
    }
}

impl Structure for Lattice {
    fn cells<'a>(&'a self, rest: &'a NodeRest) -> Option<Box<dyn Cells + Sync + 'a>> {
        let carriers = Carriers::new(&self.rest, &rest.rest_positions)?;
        Some(Box::new(carriers))
    }

    fn grid(&self) -> Option<&Arc<Grid>> {
        self.rest.material.as_ref().map(|material| &material.grid)
    }

    fn edges(&self) -> Vec<[u32; 2]> {
        self.rest.edges().collect()
    }

    fn spacing(&self, _: usize) -> Option<f32> {
        Some(self.rest.cell)
    }

    fn outline(&self, rest: &NodeRest, node: usize) -> Option<Outline> {
        self.rest.outline(rest, node)
    }

    fn region(&self, node: usize) -> Vec<(u32, f32)> {
        let middle = self.rest.cells[node].as_ivec3();
        let away = |other: u32| {
            let cell = self.rest.cells[other as usize].as_ivec3();
            (cell - middle).abs().max_element() as f32 * self.rest.cell
        };
        let region = self.rest.region(node as u32).into_iter();
        let mut found: Vec<(u32, f32)> = region.map(|other| (other, away(other))).collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        found
    }
}

impl Cut for Lattice {
    fn support(&self) -> CutSupport {
        CutSupport::Free
    }

    fn part(&self, rest: &NodeRest, nodes: &[u32], pairs: &[(u32, u32)]) -> Part {
        let (node_rest, graph) = self.rest.part(rest, nodes, pairs);
        let part = Rest::of(graph, self.rest.width, &node_rest.masses, &node_rest.rest_positions);
        let state = self.state_of(nodes, &part);
        let model = Self { state, ..Self::new(Arc::new(part)) }.into();
        Part { rest: node_rest, model, nodes: nodes.to_vec() }
    }
}
