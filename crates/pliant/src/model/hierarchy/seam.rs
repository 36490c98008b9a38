//! The hierarchy as a model of the list.

use super::{Hierarchy, HierarchySettings, Rest, State, energy};
use crate::material::Material;
use crate::model::adapt::{Changes, PartedBefore, ResampleError, Resampled, all_kept};
use crate::model::build::{BodyError, Build, Feature, Sampled, Source};
use crate::model::cells::{Carriers, CellGraph, Filled};
use crate::model::seam::{Cut, CutSupport, Outline, Part, Simulate, StepInput, StepOutput, Structure};
use crate::model::{Level, ModelSettings};
use crate::nodes::{NodeRest, NodeState};
use crate::sampling::BodySize;
use crate::sampling::grid::Grid;
use crate::skin::Cells;
use glam::{Mat3, Quat, Vec3};
use std::sync::Arc;

impl Build for HierarchySettings {
    type Model = Hierarchy;
    const WORD: &'static str = "hierarchy";
    const FEATURES: &'static [Feature] = &[Feature::PoissonRatio, Feature::Tearing];

    fn for_size(size: f32) -> Self {
        Self { cell: Some(size / 24.0), levels: Some(4), ..Self::default() }
    }

    fn validate(&self) -> Result<(), BodyError> {
        let super::Thresholds { reduction, subdivision, origination } = self.thresholds;
        let unit = |v: f32| (0.0..1.0).contains(&v);
        let levels = self.levels.unwrap_or(1);
        let checks = [
            ("levels", levels as f32, "in [1, 12]", (1..=12).contains(&levels)),
            ("cycles", self.cycles as f32, "in [1, 10000]", (1..=10_000).contains(&self.cycles)),
            ("reduction", reduction, "in [0, 1)", unit(reduction)),
            ("subdivision", subdivision, "0 or more", subdivision >= 0.0 && subdivision.is_finite()),
            ("origination", origination, "in [0, 1)", unit(origination)),
        ];
        match checks.into_iter().find(|check| !check.3) {
            Some((name, value, range, _)) => Err(BodyError::Setting { name, value, range }),
            None => Ok(()),
        }
    }

    fn build(&self, from: &Source) -> Result<Sampled<Hierarchy>, BodyError> {
        let cell = self.cell.unwrap_or_else(|| BodySize::of(from.welded).cell());
        let Filled { nodes, center, graph, binding } = CellGraph::fill(from, cell)?;
        let rest = Rest::new(graph, &nodes, *self);
        Ok(Sampled { nodes, center, binding, model: Hierarchy::new(Arc::new(rest)) })
    }
}

/// Nanoseconds that a match takes, with what is done with it; and how often a cluster is matched in a step in which all moves.
const WORK_PER_MATCH: f64 = 100.0;
const MATCHES: f64 = 4.0;

impl Simulate for Hierarchy {
    fn settings(&self) -> ModelSettings {
        let rest = &self.rest;
        let levels = Some(rest.settings.levels.unwrap_or(rest.levels.len() as u32));
        HierarchySettings { cell: Some(rest.graph.cell), levels, ..rest.settings }.into()
    }

    fn with_cells_halved(&self, times: u32) -> Option<ModelSettings> {
        let finer = self.rest.graph.cell / (1_u32 << times) as f32;
        let levels = self.rest.settings.levels.map(|levels| (levels + times).min(12));
        Some(HierarchySettings { cell: Some(finer), levels, ..self.rest.settings }.into())
    }

    fn step(&mut self, nodes: &mut NodeState, input: &StepInput, output: &mut StepOutput) {
        super::step(self, nodes, input, None);
        output.given.clone_from(&self.scratch.given);
    }

    fn holds_up(&self) -> bool {
        true
    }

    fn reactions(&self) -> &[Vec3] {
        self.scratch.works.first().map_or(&[], |finest| finest.supports.reactions())
    }

    fn is_implicit(&self) -> bool {
        true
    }

    fn extent(&self, _: &Material) -> f64 {
        self.rest.extent()
    }

    fn work(&self) -> f64 {
        WORK_PER_MATCH * MATCHES * self.rest.graph.cells.len() as f64
    }

    fn parts(&self) -> usize {
        self.rest.levels.iter().map(|level| level.corners.len()).sum()
    }

    fn refresh(&mut self, _: &NodeRest, nodes: &NodeState, _: &Material) {
        super::refresh(self, nodes);
    }

    fn reset(&mut self, rotation: Quat) {
        self.reset_to(rotation);
    }

    fn rotation(&self) -> Quat {
        let clusters = &self.state.clusters;
        clusters.get(clusters.len() / 2).map_or(Quat::IDENTITY, |cluster| cluster.rotation)
    }

    #[inline]
    fn node_map(&self, _: &NodeRest, node: usize) -> Mat3 {
        self.map_at(node).unwrap_or_else(|| Mat3::from_quat(self.rotation()))
    }

    fn elastic_map(&self, rest: &NodeRest, node: usize) -> Option<Mat3> {
        (node < rest.masses.len()).then(|| self.node_map(rest, node))
    }

    fn energy(&self, _: &NodeRest, nodes: &NodeState, material: &Material, h: f32) -> f64 {
        let extent = self.rest.extent();
        material.spring_for(h, extent) * extent * energy::stored(self, nodes, material)
    }

    fn levels(&self, nodes: &NodeState, material: &Material, h: f32) -> Vec<Level> {
        energy::levels(self, nodes, material, h)
    }

    fn resample(
        &mut self,
        rest: &NodeRest,
        nodes: &NodeState,
        changes: &Changes,
        _: PartedBefore,
    ) -> Result<Option<Resampled>, ResampleError> {
        if changes.change_nodes() {
            return Err(ResampleError::FixedNodes { model: HierarchySettings::WORD });
        }
        let Some(graph) = self.rest.graph.disconnected(&changes.disconnect) else { return Ok(None) };
        let all: Vec<u32> = (0..rest.masses.len() as u32).collect();
        let model = self.part_of(graph, rest, &all).into();
        let renumbering = all_kept(all.len());
        Ok(Some(Resampled { rest: rest.clone(), nodes: nodes.clone(), model, renumbering }))
    }
}

impl Hierarchy {
    /// The model of some of the nodes, ascending, with other connections.
    fn part_of(&self, graph: CellGraph, rest: &NodeRest, nodes: &[u32]) -> Self {
        let mut part = Self::new(Arc::new(Rest::new(graph, rest, self.rest.settings)));
        let level = &part.rest.levels[0];
        let State { clusters, .. } = &mut part.state;
        for (cluster, corners) in clusters.iter_mut().zip(&level.corners) {
            let node = nodes[corners[0] as usize] as usize;
            if let Some(place) = self.rest.levels[0].places.of(node).first() {
                let before = &self.state.clusters[*place as usize / super::rest::CORNERS];
                (cluster.rotation, cluster.map) = (before.rotation, before.map);
            }
        }
        part
    }
}

impl Structure for Hierarchy {
    fn cells<'a>(&'a self, rest: &'a NodeRest) -> Option<Box<dyn Cells + Sync + 'a>> {
        let carriers = Carriers::new(&self.rest.graph, &rest.rest_positions)?;
        Some(Box::new(carriers))
    }

    fn grid(&self) -> Option<&Arc<Grid>> {
        self.rest.graph.material.as_ref().map(|material| &material.grid)
    }

    fn edges(&self) -> Vec<[u32; 2]> {
        self.rest.graph.edges().collect()
    }

    fn spacing(&self, _: usize) -> Option<f32> {
        Some(self.rest.graph.cell)
    }

    fn outline(&self, rest: &NodeRest, node: usize) -> Option<Outline> {
        self.rest.graph.outline(rest, node)
    }

    fn region(&self, node: usize) -> Vec<(u32, f32)> {
        let (level, cells) = (&self.rest.levels[0], &self.rest.graph.cells);
        let own = cells[node].as_vec3();
        let clusters = level.places.of(node).iter().map(|place| *place as usize / super::rest::CORNERS);
        let mut members: Vec<u32> = clusters.flat_map(|cluster| level.corners[cluster]).collect();
        members.push(node as u32);
        members.sort_unstable();
        members.dedup();
        let away =
            |other: u32| (cells[other as usize].as_vec3() - own).abs().max_element() * self.rest.graph.cell;
        let mut found: Vec<(u32, f32)> = members.into_iter().map(|other| (other, away(other))).collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        found
    }
}

impl Cut for Hierarchy {
    fn support(&self) -> CutSupport {
        CutSupport::Free
    }

    fn part(&self, rest: &NodeRest, nodes: &[u32], pairs: &[(u32, u32)]) -> Part {
        let (node_rest, graph) = self.rest.graph.part(rest, nodes, pairs);
        let model = self.part_of(graph, &node_rest, nodes).into();
        Part { rest: node_rest, model, nodes: nodes.to_vec() }
    }
}
