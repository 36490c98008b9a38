//! Explicit steps, \[DDCB01\] §2.2: as many as the Courant condition asks for.
//!
//! Semi-implicit ones are twice as long: a change of velocity is divided by 1 + h²/m K, with the stiffness K of the node alone. That is at least a
//! quarter of what any mode has at its nodes, so what is near to rest swings at no length of a step ever farther; what is strained needs a limit.
//!
//! A wave must not cross an element within a step. The frequency of the stiffest element bounds that of all modes, and its
//! stiffness is bounded by the limits of Green strain, so the length of a step depends on the rest shape and the material only.

use super::forces::{on_corners, on_node, pad};
use super::law::{Lame, STIFFEST};
use super::rest::{Pack, Rest};
use super::strain::Law;
use super::{ElementSolver, Elements, Scratch};
use crate::math::functions::square;
use crate::model::integrate::Drift;
use crate::model::momentum;
use crate::model::seam::StepInput;
use crate::nodes::NodeState;
use crate::par;
use glam::Vec3;

/// h ω of the stiffest element; 2 is where it swings ever farther.
const STABLE: f32 = 1.4;
/// How many times as long semi-implicit steps are.
const FILTERED: f32 = 2.0;
/// The damping ratio of the stiffest element at most: more would need steps that are a quarter as long as without.
const MOST_DAMPED: f32 = 1.875;

/// Own steps at most: a body that would need more is softer. 1 MPa in cells of 1 mm takes 4,000 in a sixtieth of a second.
const MOST_STEPS: f32 = 10_000.0;

/// What own steps are like.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The longest step in seconds.
    pub longest: f32,
    /// τ, as far as steps of that length can have it.
    pub viscosity: f32,
}

impl Pace {
    /// For elements of a density in kg/m³ that would be damped by τ = `viscosity`.
    pub fn new(solver: ElementSolver, stiffest: f32, lame: &Lame, density: f32, viscosity: f32) -> Self {
        let fastest = (STIFFEST * stiffest * lame.stiffest() / density).sqrt();
        if fastest <= 0.0 {
            return Self { longest: f32::INFINITY, viscosity: 0.0 };
        }
        let damped = (0.5 * viscosity * fastest).min(MOST_DAMPED);
        let longer = if solver == ElementSolver::SemiImplicit { FILTERED } else { 1.0 };
        let longest = longer * STABLE / fastest * ((1.0 + square(damped)).sqrt() - damped);
        Self { longest, viscosity: 2.0 * damped / fastest }
    }
}

/// A step, made of as many of its own as it takes.
///
/// For each of them: 1. loads   2. stresses of elements   3. forces on nodes   4. move   5. held nodes. The origin follows the body's
/// motion at the beginning of the first: it is there for precision only.
pub fn step(model: &mut Elements, nodes: &mut NodeState, input: &StepInput, law: &Law) {
    let stiffest = model.stiffest();
    let Elements { rest, given, scratch, .. } = model;
    let packs = given.as_ref().map_or(&rest.packs, |given| &given.packs);
    let (mut law, solver) = (*law, rest.settings.solver);
    let mut pace = Pace::new(solver, stiffest, &law.lame, input.material.density, law.viscosity);
    let needed = input.h / pace.longest;
    if needed > MOST_STEPS {
        law.lame = law.lame.scaled(square(MOST_STEPS / needed));
        pace = Pace::new(solver, stiffest, &law.lame, input.material.density, law.viscosity);
    }
    law.viscosity = pace.viscosity;
    let count = (input.h / pace.longest).ceil().clamp(1.0, MOST_STEPS);
    let h = input.h / count;
    let (centre, velocity) = input.rest.mean_motion(nodes);
    scratch.given.clear();
    let mut drift = Drift::new(input.rest, centre, velocity);
    scratch.work.supports.begin(input);
    if solver == ElementSolver::SemiImplicit {
        filter(rest, packs, nodes, input, &law, h, scratch);
    }
    for _ in 0..count as u32 {
        input.push(nodes, h);
        accelerate(rest, packs, nodes, input, &law, h, scratch);
        advance(&drift, nodes, input, h, scratch);
        scratch.work.supports.stop(input.supports, nodes, &input.rest.masses, h);
        drift.behind = Vec3::ZERO;
        input.held.put(nodes, &input.rest.masses, &mut scratch.given);
    }
}

/// h f/m
fn accelerate(
    rest: &Rest,
    packs: &[Pack],
    nodes: &mut NodeState,
    input: &StepInput,
    law: &Law,
    h: f32,
    scratch: &mut Scratch,
) {
    let Scratch { places, speeds, corners, field, work, .. } = scratch;
    pad(&nodes.positions, places);
    if law.viscosity > 0.0 {
        pad(&nodes.velocities, speeds);
    }
    on_corners(packs, places, speeds, law, corners);
    field.resize(nodes.positions.len(), Vec3::ZERO);
    let (corners, masses) = (&*corners, &input.rest.masses);
    if rest.settings.solver == ElementSolver::SemiImplicit {
        let filters = work.inverse();
        par::for_each_indexed(field, par::CHUNK, |node, change| {
            *change = filters[node].times(on_node(rest, corners, node)).truncate() * (1.0 / h);
        });
        return;
    }
    par::for_each_indexed(field, par::CHUNK, |node, change| {
        *change = on_node(rest, corners, node).truncate() * (h / masses[node]);
    });
}

/// What makes of a force on a node how far it moves it: (m/h² + K)⁻¹, with the stiffness K that its elements have now if nothing else moves.
fn filter(
    rest: &Rest,
    packs: &[Pack],
    nodes: &NodeState,
    input: &StepInput,
    law: &Law,
    h: f32,
    scratch: &mut Scratch,
) {
    let Scratch { work, places, speeds, corners, .. } = scratch;
    pad(&nodes.positions, places);
    pad(&nodes.velocities, speeds);
    let resisting = law.lame.scaled(1.0 + law.viscosity / h);
    work.respond(packs, [places, speeds], corners, law, &resisting);
    work.find_inverse(rest, &input.rest.masses, h);
}

/// v ← v + h f/m, x ← x + h v. Elastic forces give a body no momentum: what rounding would is left out.
fn advance(drift: &Drift, nodes: &mut NodeState, input: &StepInput, h: f32, scratch: &mut Scratch) {
    let Scratch { field, partials, .. } = scratch;
    let rigid = momentum::rigid_part_of(input.rest, nodes, field, partials);
    let field = &*field;
    par::for_each_pair(&mut nodes.positions, &mut nodes.velocities, par::CHUNK, |node, x, v| {
        *v += field[node] - rigid.at(*x);
        *x = drift.moved(*x, *v, h);
    });
    nodes.origin += f64::from(h) * drift.mean.as_dvec3();
    nodes.origin += drift.behind.as_dvec3();
}
