//! The three solvers of \[TYGP15\] on the same steps: how many matches each takes to come to the same energy (Table 1), and how the
//! energy falls on the way (Figure 3).
//!
//! All three start every step from the same state, the first from rest. The energy to reach is that of a step that is all but finished,
//! and 1 % of what the step takes out. Counts are the same on every machine.

use crate::figures::{dinosaur, elephant, willow};
use pliant::glam::Vec3;
use pliant::model::hierarchy::levels::{Particle, Work};
use pliant::model::hierarchy::{Hierarchy, Rest, step};
use pliant::model::{Model, StepInput};
use pliant::nodes::{HeldNode, HeldNodes, Hold, Loads, NodeState};
use pliant::{Body, BodyError, HierarchySettings, Material, Solver, TriMesh};
use std::sync::Arc;
use std::time::Instant;

/// A body, what holds it, and what moves it.
#[derive(Clone, Debug)]
pub struct Case {
    body: Body,
    held: HeldNodes,
    /// Nodes, and the acceleration of each in m/s².
    pushed: Vec<(u32, Vec3)>,
    step_secs: f32,
}

/// How the energy of a step fell.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Matches so far and energy in J, each time the finest level was matched.
    pub points: Vec<(u64, f64)>,
    /// Seconds that the step takes.
    pub seconds: f64,
    /// Whether it came to the energy it was to reach.
    pub reached: bool,
}

impl Trace {
    /// All matches.
    pub fn matches(&self) -> u64 {
        self.points.last().map_or(0, |point| point.0)
    }
}

/// What a solver took in several steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Total {
    /// Matches on all levels.
    pub matches: u64,
    /// Seconds.
    pub seconds: f64,
    /// Whether it came to the energy it was to reach in every step.
    pub reached: bool,
}

impl Default for Total {
    fn default() -> Self {
        Self { matches: 0, seconds: 0.0, reached: true }
    }
}

impl Total {
    fn add(&mut self, step: &Trace) {
        self.matches += step.matches();
        self.seconds += step.seconds;
        self.reached &= step.reached;
    }
}

/// Part of the energy that a step takes out which may be left.
const LEFT: f64 = 0.01;
/// Seconds of a step.
const STEP_SECS: f32 = 1.0 / 60.0;
/// Steps in which a body comes to hang by its own weight, and how long each is: so long that inertia is next to nothing.
const SETTLING: usize = 6;
const SETTLING_SECS: f32 = 2.0;
/// Cycles that a solver with levels may take to the energy it is to reach.
const CYCLES: usize = 1000;
/// A step is all but finished when so many cycles in a row take out less than this part of what it has taken out; and the most cycles.
const STALLED: (usize, f64) = (20, 1e-4);
const FINISHED: usize = 2000;

/// Whether a step is all but finished that had these energies on the way.
fn is_finished(energies: &[f64]) -> bool {
    let (Some(first), Some(last)) = (energies.first(), energies.last()) else { return false };
    let before = energies.len().checked_sub(STALLED.0 + 1).map(|cycle| energies[cycle]);
    energies.len() > FINISHED || before.is_some_and(|before| before - last <= STALLED.1 * (first - last))
}

impl Case {
    /// A figure that stands on its feet.
    ///
    /// # Errors
    /// If there are no such cells.
    fn new(mesh: TriMesh, cell: f32, material: Material) -> Result<Self, BodyError> {
        let settings = HierarchySettings { cell: Some(cell), ..HierarchySettings::default() };
        let body = Body::builder(mesh).material(material.with_damping(0.0)).model(settings).build()?;
        let (rest, center) = (&body.rest().nodes, body.rest().center);
        let low = |node: &u32| rest.rest_positions[*node as usize].y + center.y < 0.05;
        let hold = |node: u32| {
            let hold = Hold::At { place: body.nodes.world_position(node as usize), velocity: Vec3::ZERO };
            HeldNode { node, hold, rigid: None }
        };
        let nodes = (0..rest.masses.len() as u32).filter(low).map(hold).collect();
        let held = HeldNodes { nodes, ..HeldNodes::default() };
        Ok(Self { body, held, pushed: Vec::new(), step_secs: STEP_SECS })
    }

    /// With an acceleration of the nodes at some places of the figure.
    fn pushed(mut self, at: impl Fn(Vec3) -> Option<Vec3>) -> Self {
        let (rest, center) = (&self.body.rest().nodes, self.body.rest().center);
        let of = |(x, node): (&Vec3, u32)| Some((node, at(*x + center)?));
        self.pushed = rest.rest_positions.iter().zip(0_u32..).filter_map(of).collect();
        self
    }

    /// An elephant whose trunk is shaken: 5,000 clusters.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn elephant() -> Result<Self, BodyError> {
        let tip = Vec3::new(0.5, 0.1, 0.0);
        let material = Material::default().with_young_modulus(2e6, 0.0);
        let case = Self::new(elephant(60), 0.0265, material)?;
        Ok(case.pushed(|x| (x.distance(tip) < 0.08).then_some(Vec3::new(60.0, 40.0, 160.0))))
    }

    /// A willow in the wind: 10,000 clusters.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn willow(acceleration: f32) -> Result<Self, BodyError> {
        let material = Material::default().with_density(500.0).with_young_modulus(1e7, 0.0);
        let case = Self::new(willow(84), 0.0195, material)?;
        let out = |x: Vec3| Vec3::new(x.x, 0.0, x.z).length() > 0.2;
        Ok(case.pushed(|x| out(x).then_some(acceleration * Vec3::new(0.95, 0.0, 0.3))))
    }

    /// A dinosaur that two tools pull; 42,000 clusters with cells of 0.0091 m.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn dinosaur(cell: f32) -> Result<Self, BodyError> {
        let (head, tail) = (Vec3::new(0.45, 0.6, 0.0), Vec3::new(-0.5, 0.09, 0.0));
        let material = Material::default().with_young_modulus(2e6, 0.0);
        let case = Self::new(dinosaur(72), cell, material)?;
        Ok(case.pushed(|x| {
            let of_head = (x.distance(head) < 0.08).then_some(Vec3::new(60.0, 20.0, 60.0));
            of_head.or_else(|| (x.distance(tail) < 0.08).then_some(Vec3::new(-80.0, 120.0, -80.0)))
        }))
    }

    /// Clusters of each level, the coarsest first.
    pub fn levels(&self) -> Vec<usize> {
        let levels = self.body.model.get::<Hierarchy>().map(|model| &model.rest.levels);
        levels.into_iter().flatten().rev().map(|level| level.corners.len()).collect()
    }

    fn input<'a>(&'a self, loads: &'a Loads) -> StepInput<'a> {
        StepInput {
            rest: &self.body.rest().nodes,
            material: &self.body.material,
            held: &self.held,
            supports: &[],
            loads,
            gravity: Vec3::new(0.0, -9.81, 0.0),
            h: self.step_secs,
            steps: 1,
        }
    }

    fn loads(&self) -> Loads {
        let masses = &self.body.rest().nodes.masses;
        let mut loads = Loads::default();
        loads.clear(masses.len());
        self.pushed.iter().for_each(|&(node, a)| loads.push(node as usize, masses[node as usize] * a));
        loads
    }

    /// A step by a solver until the energy is down to `target`, or `most` cycles.
    pub fn trace(&self, solver: Solver, target: f64, most: usize) -> Trace {
        let mut trace = Trace::default();
        let (start, mut asked) = (Instant::now(), 0.0);
        let mut watch = |work: &Work, matches: u64| {
            let from = Instant::now();
            let energy = self.energy(work);
            trace.points.push((matches, energy));
            trace.reached = energy <= target;
            asked += from.elapsed().as_secs_f64();
            trace.reached || trace.points.len() > most
        };
        self.stepped(solver, &mut watch);
        // What asking for energies takes is not the solver's.
        trace.seconds = start.elapsed().as_secs_f64() - asked;
        trace
    }

    /// Ψ: of inertia, and what clusters store, all of them matched anew where nodes are now: a solver that leaves some alone is
    /// measured by what it leaves.
    fn energy(&self, work: &Work) -> f64 {
        let Body { model, nodes, material, .. } = &self.body;
        let placed = NodeState { positions: work.places.clone(), ..nodes.clone() };
        let stored = model.energy(&self.body.rest().nodes, &placed, material, self.step_secs);
        let moved = work.particles.iter().zip(&work.places).filter(|(particle, _)| !particle.held);
        let inertia = |(particle, x): (&Particle, &Vec3)| {
            0.5 * f64::from(particle.anchor) * (*x - particle.target).as_dvec3().length_squared()
        };
        stored + moved.map(inertia).sum::<f64>()
    }

    /// The body after a step.
    fn stepped(&self, solver: Solver, watch: pliant::model::hierarchy::Watch) -> Body {
        let mut body = self.with(solver);
        let loads = self.loads();
        if let Model::Hierarchy(model) = &mut body.model {
            step(model, &mut body.nodes, &self.input(&loads), Some(watch));
        }
        body
    }

    /// The body with another solver.
    fn with(&self, solver: Solver) -> Body {
        let mut body = self.body.clone();
        if let Model::Hierarchy(model) = &mut body.model {
            let settings = HierarchySettings { solver, ..model.rest.settings };
            model.rest = Arc::new(Rest { settings, ..Rest::clone(&model.rest) });
        }
        body
    }

    /// What the naive, the hierarchical and the adaptive solver take in the first `steps` steps, each from the same state to the same
    /// energy. In each, the naive one is stopped when it has matched `enough` times as often as the adaptive one: then its count is a
    /// lower bound.
    pub fn race(mut self, steps: usize, enough: f64) -> [Total; 3] {
        let mut totals = [(); 3].map(|()| Total::default());
        let finest = self.levels().last().copied().unwrap_or(1);
        for _ in 0..steps {
            let target = self.target();
            let adaptive = self.trace(Solver::Adaptive, target, CYCLES);
            let hierarchical = self.trace(Solver::Hierarchical, target, CYCLES);
            let most = enough * adaptive.matches() as f64 / finest as f64;
            let naive = self.trace(Solver::Naive, target, most as usize);
            for (total, step) in totals.iter_mut().zip([naive, hierarchical, adaptive]) {
                total.add(&step);
            }
            self.go_on();
        }
        totals
    }

    /// The energy at which a step is finished but for 1 % of what it takes out.
    pub fn target(&self) -> f64 {
        let energies = self.finished().1;
        let ends = energies.first().zip(energies.last());
        ends.map_or(0.0, |(first, last)| last + LEFT * (first - last))
    }

    /// Goes on by a finished step.
    pub fn go_on(&mut self) {
        self.body = self.finished().0;
    }

    /// The body after a step that is all but finished, and the energies on the way.
    fn finished(&self) -> (Body, Vec<f64>) {
        let mut energies = Vec::new();
        let body = self.stepped(Solver::Hierarchical, &mut |work, _| {
            energies.push(self.energy(work));
            is_finished(&energies)
        });
        (body, energies)
    }

    /// Hung by its own weight, at rest.
    pub fn settle(&mut self) {
        let pushed = std::mem::take(&mut self.pushed);
        let step_secs = std::mem::replace(&mut self.step_secs, SETTLING_SECS);
        for _ in 0..SETTLING {
            self.go_on();
            self.body.nodes.velocities.fill(Vec3::ZERO);
        }
        (self.pushed, self.step_secs) = (pushed, step_secs);
    }

    /// Matches of `steps` steps as users have them, the first of them from rest, and the seconds that each takes.
    pub fn by_default(&self, steps: usize) -> (u64, Vec<f64>) {
        let (mut body, loads) = (self.with(Solver::default()), self.loads());
        let (mut matches, mut times) = (0, Vec::new());
        for _ in 0..steps {
            if let Model::Hierarchy(model) = &mut body.model {
                let start = Instant::now();
                step(model, &mut body.nodes, &self.input(&loads), None);
                times.push(start.elapsed().as_secs_f64());
                matches += model.scratch.effort.total();
            }
        }
        (matches, times)
    }
}
