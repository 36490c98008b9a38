//! The octree as a model of the list.

use super::distance::Search;
use super::regions::members;
use super::{Layout, Octree, OctreeSettings, Rest};
use crate::material::Material;
use crate::math::functions::cube;
use crate::model::ModelSettings;
use crate::model::adapt::{Adapt, Changes, PartedBefore, ResampleError, Resampled};
use crate::model::build::{BodyError, Build, Feature, Sampled, Source, above_zero};
use crate::model::regions::energy;
use crate::model::regions::rest::Summation;
use crate::model::seam::{Cut, CutSupport, Outline, Part, Simulate, StepInput, StepOutput, Structure};
use crate::nodes::{NodeRest, NodeState};
use crate::sampling::criteria::{Criterion, Rule};
use crate::sampling::grid::Grid;
use crate::sampling::painted::Painted;
use crate::sampling::{BodySize, CellKey, first_leaves};
use crate::skin::{Binding, Cells};
use glam::{IVec3, Mat3, Quat};
use std::sync::Arc;

impl Build for OctreeSettings {
    type Model = Octree;
    const WORD: &'static str = "octree";
    const FEATURES: &'static [Feature] =
        &[Feature::Rules, Feature::Widths, Feature::PoissonRatio, Feature::Plasticity, Feature::Tearing];

    fn for_size(size: f32) -> Self {
        let cell = size / 16.0;
        Self { cell: Some(0.5 * cell), levels: Some(2), width: Some(2.5 * cell), ..Self::default() }
    }

    fn rules_for_size(&self, size: f32) -> Vec<Rule> {
        let cell = size / 16.0;
        vec![Rule::Features { size: 0.5 * cell }, Rule::Surface { size: cell }]
    }

    fn validate(&self) -> Result<(), BodyError> {
        self.width.map_or(Ok(()), |width| above_zero("width", width))?;
        if !(self.slack >= 0.0 && self.slack <= 4.0) {
            return Err(BodyError::Setting { name: "slack", value: self.slack, range: "in [0, 4]" });
        }
        if let Some(levels) = self.levels.filter(|levels| *levels > 8) {
            return Err(BodyError::Setting { name: "levels", value: levels as f32, range: "at most 8" });
        }
        Ok(())
    }

    fn build(&self, from: &Source) -> Result<Sampled<Octree>, BodyError> {
        for rule in from.rules {
            rule.validate().map_err(|(name, value, range)| BodyError::Setting { name, value, range })?;
        }
        let layout = self.layout(from);
        let Layout { cell, levels, width, .. } = layout;
        let grid = Arc::new(Grid::new(from.welded, cell, 1 << levels, from.material.density)?);
        let rules: Vec<&dyn Criterion> = from.rules.iter().map(|rule| rule as &dyn Criterion).collect();
        let leaves = first_leaves(&grid, levels, from.scale, &rules);
        let uniform = Painted::Uniform(width);
        let widths = from.widths.map_or(uniform, |brush| brush.on(&grid, from.scale, width));
        check_regions(&leaves, &grid, &widths, &layout)?;
        let rest = Rest::new(layout, grid.clone(), Arc::new(widths), &leaves);
        let (nodes, center) = (rest.node_rest(), grid.centre);
        let binding = Binding::to_cells(&from.vertices_from(center), &rest);
        Ok(Sampled { nodes, center, binding, model: Octree::new(Arc::new(rest)) })
    }
}

impl OctreeSettings {
    /// With every size that was not given taken from the mesh and the material.
    fn layout(&self, from: &Source) -> Layout {
        let Self { cell, levels, width, slack } = *self;
        if let (Some(cell), Some(width)) = (cell, width) {
            return Layout { cell, levels: levels.unwrap_or(2), width, slack };
        }
        let size = BodySize::of(from.welded);
        let levels = levels.unwrap_or_else(|| if cell.is_some() { 2 } else { size.levels(size.cell()) });
        let largest = cell.map_or(size.cell(), |cell| cell * (1_u32 << levels) as f32);
        let cell = cell.unwrap_or(largest / (1_u32 << levels) as f32);
        // To the border of the cells and not to their middles: then the largest have as many neighbours as without that half, and
        // finer ones are as stiff as they are.
        let width =
            width.unwrap_or_else(|| size.width(largest, from.material.stated_spring()) + 0.5 * largest);
        Layout { cell, levels, width, slack }
    }
}

/// Edges that all searches for regions together may go along: a minute or so.
const MOST_WORK: f64 = 3e10;

/// Refuses regions that hold so many nodes each that finding them would take for ever.
fn check_regions(
    leaves: &[CellKey],
    grid: &Grid,
    widths: &Painted,
    settings: &Layout,
) -> Result<(), BodyError> {
    let widest = widths.largest();
    let reach = f64::from(2.0 * (1.0 + settings.slack) * widest / grid.filling.cell);
    let volume: f64 = leaves.iter().map(|leaf| cube(f64::from(leaf.edge()))).sum();
    let nodes = leaves.len() as f64;
    let members = nodes.min(nodes * cube(reach) / volume);
    if nodes * members * 26.0 <= MOST_WORK {
        return Ok(());
    }
    let range = "smaller for so many nodes: finding the regions would take minutes; make it coarser, or use a model whose regions \
                 all have one width";
    Err(BodyError::Setting { name: "width", value: widest, range })
}

/// Nanoseconds that a summation cell of a region takes in a step, a region besides, and a node.
const WORK_PER_SUM: f64 = 8.0;
const WORK_PER_REGION: f64 = 50.0;
const WORK_PER_NODE: f64 = 30.0;

impl Simulate for Octree {
    fn settings(&self) -> ModelSettings {
        OctreeSettings::from(self.rest.settings).into()
    }

    fn with_cells_halved(&self, times: u32) -> Option<ModelSettings> {
        let Layout { cell, levels, .. } = self.rest.settings;
        let finer =
            Layout { cell: cell / (1_u32 << times) as f32, levels: levels + times, ..self.rest.settings };
        let settings = OctreeSettings::from(finer);
        let is_plain = matches!(*self.rest.widths, Painted::Uniform(_)) && settings.validate().is_ok();
        is_plain.then(|| settings.into())
    }

    fn step(&mut self, nodes: &mut NodeState, input: &StepInput, output: &mut StepOutput) {
        input.in_steps(nodes, output, |nodes, h| super::step(self, input.rest, nodes, input.material, h));
    }

    fn extent(&self, _: &Material) -> f64 {
        self.rest.reference()
    }

    fn work(&self) -> f64 {
        let Rest { regions, places, .. } = &*self.rest;
        let of_regions = WORK_PER_REGION * regions.len() as f64 + WORK_PER_SUM * regions.items.len() as f64;
        of_regions + WORK_PER_NODE * places.len() as f64
    }

    fn parts(&self) -> usize {
        self.rest.regions.len()
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
        self.map(node)
    }

    fn elastic_map(&self, _: &NodeRest, node: usize) -> Option<Mat3> {
        self.state.elastic_map(*self.rest.region_of.get(node)? as usize)
    }

    fn energy(&self, rest: &NodeRest, nodes: &NodeState, material: &Material, h: f32) -> f64 {
        let Rest { constants, shares, region_of, .. } = &*self.rest;
        let regions = energy::Regions { state: &self.state, constants, shares, slots: region_of };
        material.spring_for(h, self.rest.reference())
            * energy::potential(&*self.rest, &regions, rest, nodes, &material.elasticity)
    }

    fn resample(
        &mut self,
        rest: &NodeRest,
        nodes: &NodeState,
        changes: &Changes,
        parted: PartedBefore,
    ) -> Result<Option<Resampled>, ResampleError> {
        Ok(self.changed(rest, nodes, changes, parted))
    }

    fn adapt(&self) -> Option<&dyn Adapt> {
        Some(self)
    }
}

impl Structure for Octree {
    fn cells<'a>(&'a self, _: &'a NodeRest) -> Option<Box<dyn Cells + Sync + 'a>> {
        Some(Box::new(&*self.rest))
    }

    fn grid(&self) -> Option<&Arc<Grid>> {
        Some(&self.rest.grid)
    }

    fn edges(&self) -> Vec<[u32; 2]> {
        let graph = &self.rest.graph;
        let of = |node: usize| graph.of(node).iter().map(move |edge| [node as u32, edge.node]);
        (0..graph.len()).flat_map(of).filter(|[a, b]| a < b).collect()
    }

    fn spacing(&self, node: usize) -> Option<f32> {
        let known = node < self.rest.places.len();
        Some(if known { self.rest.size(node as u32) } else { 0.0 })
    }

    fn outline(&self, _: &NodeRest, node: usize) -> Option<Outline> {
        let tree = &self.rest.tree;
        let key = tree.key_of(node);
        let is_leaf = |low: IVec3| {
            let cell = (low.min_element() >= 0)
                .then(|| tree.find(CellKey::new(low.as_uvec3(), key.level())))
                .flatten();
            cell.is_some_and(|cell| tree.nodes[cell as usize].is_some())
        };
        let at = key.low().as_ivec3();
        let sides = IVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let enclosed = sides.map(|side| at + side * key.edge() as i32).all(is_leaf);
        let middle = self.rest.middles[tree.cells[node] as usize];
        Some(Outline { middle, size: self.rest.size(node as u32), level: key.level(), enclosed })
    }

    fn region(&self, node: usize) -> Vec<(u32, f32)> {
        let rest = &self.rest;
        let mut search = Search::default();
        search.run(&rest.graph, &[node as u32], rest.width_of(node).limit);
        let mut found = members(&rest.tree, rest.region(node));
        found.sort_unstable();
        let half_cell = 0.5 * rest.grid.filling.cell;
        let inside = search.reached.iter().filter(|(other, _)| found.binary_search(other).is_ok());
        inside.map(|&(other, length)| (other, length as f32 * half_cell)).collect()
    }

    fn strength(&self, node: usize) -> f32 {
        self.rest.strength(node)
    }
}

impl Cut for Octree {
    fn support(&self) -> CutSupport {
        CutSupport::Free
    }

    fn part(&self, _: &NodeRest, nodes: &[u32], pairs: &[(u32, u32)]) -> Part {
        let (node_rest, part) = self.rest.part(nodes, pairs);
        let state = self.state.picked(nodes.iter().map(|&node| self.slot(node as usize)), &part.nodes);
        let model = Self { state, ..Self::new(Arc::new(part)) }.into();
        Part { rest: node_rest, model, nodes: nodes.to_vec() }
    }
}
