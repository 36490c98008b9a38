//! Elements as a model of the list.

use super::embed::embed;
use super::law::{cauchy_stress, energy_density};
use super::rest::Meshed;
use super::{ElementSettings, ElementSolver, Elements, Lame, Rest, explicit, maps, plasticity};
use crate::geometry::TetMesh;
use crate::material::Material;
use crate::math::lanes::LANES;
use crate::math::rotation;
use crate::model::ModelSettings;
use crate::model::adapt::{Changes, PartedBefore, ResampleError, Resampled};
use crate::model::build::{BodyError, Build, Feature, Sampled, Source};
use crate::model::cells::{Carriers, CellGraph, Filled};
use crate::model::seam::{Cut, CutSupport, Outline, Part, Simulate, StepInput, StepOutput, Structure};
use crate::nodes::{NodeRest, NodeState};
use crate::sampling::BodySize;
use crate::sampling::grid::Grid;
use crate::sampling::painted::Brush;
use crate::skin::{Binding, Cells};
use glam::{DMat3, DVec3, Mat3, Quat, Vec3};
use std::sync::Arc;

impl Build for ElementSettings {
    type Model = Elements;
    const WORD: &'static str = "elements";
    const FEATURES: &'static [Feature] = &[
        Feature::PoissonRatio,
        Feature::Plasticity,
        Feature::Tearing,
        Feature::PaintedStiffness,
        Feature::Tetrahedra,
    ];

    fn for_size(size: f32) -> Self {
        Self { cell: Some(size / 12.0), ..Self::default() }
    }

    /// Where no size of cells is given.
    fn takes_tetrahedra(&self) -> bool {
        self.cell.is_none()
    }

    fn validate(&self) -> Result<(), BodyError> {
        let Self { iterations, tolerance, .. } = *self;
        let checks = [
            ("iterations", iterations as f32, "in [1, 10000]", (1..=10_000).contains(&iterations)),
            ("tolerance", tolerance, "in (0, 1)", tolerance > 0.0 && tolerance < 1.0),
        ];
        match checks.into_iter().find(|check| !check.3) {
            Some((name, value, range, _)) => Err(BodyError::Setting { name, value, range }),
            None => Ok(()),
        }
    }

    fn build(&self, from: &Source) -> Result<Sampled<Elements>, BodyError> {
        if let Some(tetrahedra) = from.tetrahedra {
            return self.of_tetrahedra(tetrahedra, from);
        }
        let cell = self.cell.unwrap_or_else(|| BodySize::of(from.welded).cell());
        let Filled { nodes, center, graph, binding } = CellGraph::fill(from, cell)?;
        let settings = Self { cell: Some(cell), ..*self };
        let times = |brush: &Brush| -> Vec<f32> {
            let at = |place: &Vec3| brush.at((*place + center) / from.scale, 1.0);
            let painted = nodes.rest_positions.iter().map(at);
            painted.map(|times| if times.is_nan() { 1.0 } else { times.clamp(SOFTEST, STIFFEST) }).collect()
        };
        let stiffness = from.stiffness.map(times).unwrap_or_default();
        let (nodes, rest) = embed(&nodes, graph, from.material.density, stiffness, settings);
        Ok(Sampled { nodes, center, binding, model: Elements::new(Arc::new(rest)) })
    }
}

impl ElementSettings {
    /// Makes a body of given tetrahedra.
    fn of_tetrahedra(&self, mesh: &TetMesh, from: &Source) -> Result<Sampled<Elements>, BodyError> {
        let not_of_cells = [
            ("elements.cell", self.cell.is_some()),
            ("stiffness", from.stiffness.is_some()),
            ("material.tear", from.material.tear.is_some()),
            ("toughness", from.toughness.is_some()),
        ];
        if let Some((what, _)) = not_of_cells.into_iter().find(|(_, given)| *given) {
            return Err(BodyError::Placement { what, why: ONLY_OF_CELLS });
        }
        if (0..mesh.tetrahedra.len()).any(|at| mesh.signed_volume_of(at) <= 0.0) {
            return Err(BodyError::Placement {
                what: "tetrahedra",
                why: "all must have volume: mend them first",
            });
        }
        let shares = vec![1.0; mesh.tetrahedra.len()];
        let Meshed { nodes, center, rest } = Rest::of_mesh(mesh, &shares, from.material.density, *self);
        let binding = Binding::new(&from.vertices_from(center), &nodes.rest_positions);
        Ok(Sampled { nodes, center, binding, model: Elements::new(Arc::new(rest)) })
    }
}

/// Why some things cannot be given together with tetrahedra.
const ONLY_OF_CELLS: &str = "it is for bodies that are filled with cells; leave it out, or the tetrahedra";

/// How soft and how stiff a body can be painted, in what its material is: much more than that is not solved for in a step.
const SOFTEST: f32 = 1e-3;
const STIFFEST: f32 = 1e3;

/// Nanoseconds that an element takes: in an explicit step of its own, and in an implicit step with the iterations that it usually has.
const WORK_EXPLICIT: f64 = 60.0;
const WORK_IMPLICIT: f64 = 600.0;

impl Simulate for Elements {
    fn settings(&self) -> ModelSettings {
        self.rest.settings.into()
    }

    fn with_cells_halved(&self, times: u32) -> Option<ModelSettings> {
        if !self.rest.stiffness.is_empty() {
            return None;
        }
        let cell = Some(self.rest.spacing / (1_u32 << times) as f32);
        Some(ElementSettings { cell, ..self.rest.settings }.into())
    }

    fn step(&mut self, nodes: &mut NodeState, input: &StepInput, output: &mut StepOutput) {
        super::step(self, nodes, input);
        output.given.clone_from(&self.scratch.given);
    }

    fn longest_step(&self, _: &NodeRest, material: &Material) -> f32 {
        match self.rest.settings.solver {
            ElementSolver::Implicit => f32::INFINITY,
            solver @ (ElementSolver::Explicit | ElementSolver::SemiImplicit) => {
                let lame = Lame::of(material, 1.0 / 240.0, self.rest.extent());
                explicit::Pace::new(solver, self.stiffest(), &lame, material.density, 0.0).longest
            }
        }
    }

    /// Also explicit ones are as stiff as any modulus asks: they make the steps that it takes.
    fn is_implicit(&self) -> bool {
        true
    }

    fn holds_up(&self) -> bool {
        true
    }

    fn reactions(&self) -> &[Vec3] {
        self.scratch.work.supports.reactions()
    }

    fn extent(&self, _: &Material) -> f64 {
        self.rest.extent()
    }

    fn work(&self) -> f64 {
        let each = match self.rest.settings.solver {
            ElementSolver::Explicit | ElementSolver::SemiImplicit => WORK_EXPLICIT,
            ElementSolver::Implicit => WORK_IMPLICIT,
        };
        each * self.rest.tetrahedra.len() as f64
    }

    fn parts(&self) -> usize {
        self.rest.tetrahedra.len()
    }

    fn refresh(&mut self, _: &NodeRest, nodes: &NodeState, _: &Material) {
        plasticity::give(self);
        maps::refresh(self, nodes);
        plasticity::refresh(self);
    }

    fn update_maps(&mut self, _: &NodeRest, nodes: &NodeState, _: &Material) {
        maps::refresh(self, nodes);
        plasticity::refresh(self);
    }

    fn reset(&mut self, rotation: Quat) {
        self.plastic.clear();
        (self.given, self.scratch.elastic) = (None, Vec::new());
        self.scratch.maps.clear();
        self.scratch.maps.resize(self.rest.volumes.len(), Mat3::from_quat(rotation));
    }

    fn rotation(&self) -> Quat {
        let maps = self.scratch.maps.iter().zip(&self.rest.volumes).filter(|(map, _)| map.is_finite());
        let sum = maps.fold(Mat3::ZERO, |sum, (map, volume)| sum + *map * *volume);
        rotation(sum, Quat::IDENTITY)
    }

    #[inline]
    fn node_map(&self, _: &NodeRest, node: usize) -> Mat3 {
        self.scratch.maps.get(node).copied().unwrap_or(Mat3::IDENTITY)
    }

    fn elastic_map(&self, _: &NodeRest, node: usize) -> Option<Mat3> {
        self.scratch.elastic.get(node).or(self.scratch.maps.get(node)).copied()
    }

    fn stress(&self, rest: &NodeRest, node: usize) -> Option<Mat3> {
        let lame = self.lame.scaled(self.rest.stiffness_at(node));
        Some(cauchy_stress(self.elastic_map(rest, node)?, &lame))
    }

    fn energy(&self, _: &NodeRest, nodes: &NodeState, material: &Material, h: f32) -> f64 {
        let lame = Lame::of(material, h, self.rest.extent());
        let of = |(element, corners): (usize, &[u32; 4])| {
            let [a, b, c, d] = corners.map(|corner| nodes.positions[corner as usize].as_dvec3());
            let (pack, lane) = (&self.packs()[element / LANES], element % LANES);
            let [gb, gc, gd] = pack.gradients.each_ref().map(|gradient| gradient.get(lane).as_dvec3());
            let outer = |d: DVec3, g: DVec3| DMat3::from_cols(d * g.x, d * g.y, d * g.z);
            let f = outer(b - a, gb) + outer(c - a, gc) + outer(d - a, gd);
            f64::from(pack.volumes.0[lane]) * energy_density(f, &lame)
        };
        self.rest.tetrahedra.iter().enumerate().map(of).sum()
    }

    fn resample(
        &mut self,
        rest: &NodeRest,
        nodes: &NodeState,
        changes: &Changes,
        _: PartedBefore,
    ) -> Result<Option<Resampled>, ResampleError> {
        if changes.change_nodes() {
            return Err(ResampleError::FixedNodes { model: ElementSettings::WORD });
        }
        // Corners have no connections of their own.
        let cells = self.rest.graph.cells.len() as u32;
        let pairs = changes.disconnect.iter().copied().filter(|&(a, b)| a < cells && b < cells);
        let graph = self.rest.graph.disconnected(&pairs.collect::<Vec<_>>());
        Ok(graph.map(|graph| self.rejoined(rest, nodes, graph)))
    }
}

impl Structure for Elements {
    fn cells<'a>(&'a self, rest: &'a NodeRest) -> Option<Box<dyn Cells + Sync + 'a>> {
        let carriers = Carriers::new(&self.rest.graph, &rest.rest_positions)?;
        Some(Box::new(carriers))
    }

    fn grid(&self) -> Option<&Arc<Grid>> {
        self.rest.graph.material.as_ref().map(|material| &material.grid)
    }

    fn edges(&self) -> Vec<[u32; 2]> {
        if self.rest.graph.material.is_some() {
            return self.rest.graph.edges().collect();
        }
        let of = |corners: &[u32; 4]| {
            let [a, b, c, d] = *corners;
            [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]].map(|[a, b]| [a.min(b), a.max(b)])
        };
        let mut edges: Vec<_> = self.rest.tetrahedra.iter().flat_map(of).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    fn beside(&self, node: u32, found: &mut Vec<u32>) {
        self.beside(node, found);
    }

    fn spacing(&self, _: usize) -> Option<f32> {
        Some(self.rest.node_spacing())
    }

    fn outline(&self, rest: &NodeRest, node: usize) -> Option<Outline> {
        self.rest.graph.outline(rest, node)
    }
}

impl Cut for Elements {
    /// A mesh of tetrahedra that are no cells' has nothing that a blade could be taken around.
    fn support(&self) -> CutSupport {
        if self.rest.graph.material.is_some() { CutSupport::Free } else { CutSupport::Plane }
    }

    fn part(&self, rest: &NodeRest, nodes: &[u32], pairs: &[(u32, u32)]) -> Part {
        let (_, graph) = self.rest.graph.part(rest, nodes, pairs);
        self.part_of(rest, nodes, graph)
    }
}
