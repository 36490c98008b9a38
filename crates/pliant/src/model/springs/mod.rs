//! Springs between neighboring particles: the simplest model there is, kept as the example of how to write one
//! (`docs/models.md`) and as something to compare others with.
//!
//! Based on \[MHTG05\] §3 for the one rotation of the whole body; the springs are those of every textbook.
//!
//! Symbols: `d` from one end of a spring to the other, `d⁰` the same at rest, `R` the rotation of the body, `k` N/m, `ω²` = α/h²
//! the stiffness a kilogram.
//!
//! A spring pulls its ends to `R d⁰` and not only to the length of d⁰: so a body that was turned inside out comes back. The
//! forces of a spring are equal and opposite, and with the R that fits Σ k d d⁰ᵀ best their torques cancel: linear and angular momentum
//! are conserved.
//!
//! Deviations: none. It is explicit, so it makes steps of its own inside each step, as many as its stiffest node needs; nodes that
//! are held stay where they are held in each of them.

mod rest;
mod seam;

pub use rest::{Rest, Spring};

use super::momentum;
use super::seam::{StepInput, StepOutput};
use crate::math::functions::exp_m1;
use crate::math::rotation;
use crate::nodes::{NodeRest, NodeState};
use crate::sampling::particles::ParticleSettings;
use glam::{Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a body becomes springs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpringSettings {
    /// How particles are placed.
    pub particles: ParticleSettings,
    /// Particles that each one is joined to at least, in [3, 64]: the nearest.
    pub neighbors: u32,
}

impl Default for SpringSettings {
    fn default() -> Self {
        Self { particles: ParticleSettings::default(), neighbors: 32 }
    }
}

/// The model `springs` of one body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Springs {
    /// The springs of the undeformed body; shared between bodies of the same shape.
    #[serde(skip)]
    pub rest: Arc<Rest>,
    /// R, from which the next step starts.
    pub rotation: Quat,
    /// What a step makes anew.
    #[serde(skip)]
    pub scratch: Scratch,
}

/// What a step makes anew.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Changes of velocity, or what is not rigid of the velocities.
    field: Vec<Vec3>,
    /// How the material around each node is deformed.
    maps: Vec<Mat3>,
    partials: Vec<momentum::Sums>,
}

impl Springs {
    /// A model at rest.
    pub fn new(rest: Arc<Rest>) -> Self {
        Self { rest, rotation: Quat::IDENTITY, scratch: Scratch::default() }
    }
}

/// A step, made of as many of its own as it takes.
///
/// For each of them: 1. loads   2. rotation   3. springs   4. damping   5. move   6. held nodes. Then the local maps.
pub fn step(model: &mut Springs, nodes: &mut NodeState, input: &StepInput, output: &mut StepOutput) {
    let part = input.h / input.steps as f32;
    let stiffness = input.material.spring_for(part, model.rest.extent) as f32;
    let count = (input.h / longest_step(&model.rest, stiffness)).ceil().max(1.0);
    let h = input.h / count;
    // Relative to how fast its stiffest node swings.
    let fastest = (0.5 * stiffness * model.rest.stiffest).sqrt();
    let damping = -exp_m1(-2.0 * input.material.elasticity.damping * fastest * h);
    for _ in 0..count as u32 {
        input.push(nodes, h);
        let before = input.rest.momentum(nodes);
        model.rotation = fitted(&model.rest, nodes, model.rotation);
        pull(model, input.rest, nodes, h * stiffness);
        damp(model, input.rest, nodes, damping);
        output.momentum_slip += input.rest.momentum(nodes) - before;
        super::integrate::advance(input.rest, nodes, h);
        input.held.put(nodes, &input.rest.masses, &mut output.given);
    }
    refresh(model, nodes);
}

/// The largest h ω that is used; above 2 a spring swings ever farther.
const STABLE: f32 = 1.0;

/// The longest step of its own, for springs of ω² = `stiffness`.
fn longest_step(rest: &Rest, stiffness: f32) -> f32 {
    let fastest = (stiffness * rest.stiffest).sqrt();
    if fastest > 0.0 { STABLE / fastest } else { f32::INFINITY }
}

/// R: the rotation of Σ k d d⁰ᵀ.
fn fitted(rest: &Rest, nodes: &NodeState, warm: Quat) -> Quat {
    let mut moment = Mat3::ZERO;
    for spring in &rest.springs {
        let d = spring.from_to(&nodes.positions) * (spring.mass / rest.scale);
        let d0 = spring.rest / rest.scale;
        moment += Mat3::from_cols(d * d0.x, d * d0.y, d * d0.z);
    }
    rotation(moment, warm)
}

/// v ← v + h k (d − R d⁰) / m
fn pull(model: &mut Springs, rest: &NodeRest, nodes: &mut NodeState, impulse: f32) {
    let Springs { rest: own, rotation, scratch } = model;
    let field = &mut scratch.field;
    field.clear();
    field.resize(nodes.positions.len(), Vec3::ZERO);
    for spring in &own.springs {
        let push = (impulse * spring.mass) * (spring.from_to(&nodes.positions) - *rotation * spring.rest);
        let [a, b] = spring.ends.map(|end| end as usize);
        field[a] += push / rest.masses[a];
        field[b] -= push / rest.masses[b];
    }
    momentum::remove_rigid_part(rest, nodes, field, &mut scratch.partials);
    nodes.velocities.iter_mut().zip(&*field).for_each(|(v, change)| *v += *change);
}

/// Takes part of what is not rigid motion away.
fn damp(model: &mut Springs, rest: &NodeRest, nodes: &mut NodeState, part: f32) {
    if part <= 0.0 {
        return;
    }
    let Scratch { field, partials, .. } = &mut model.scratch;
    field.clone_from(&nodes.velocities);
    momentum::remove_rigid_part(rest, nodes, field, partials);
    let part = part.min(1.0);
    nodes.velocities.iter_mut().zip(&*field).for_each(|(v, trembling)| *v -= part * *trembling);
}

/// ½ Σ k |d − R d⁰|² for ω² = 1.
fn potential(model: &Springs, nodes: &NodeState) -> f64 {
    let rotation = fitted(&model.rest, nodes, model.rotation);
    let of = |spring: &Spring| {
        let apart = spring.from_to(&nodes.positions) - rotation * spring.rest;
        f64::from(spring.mass) * apart.as_dvec3().length_squared()
    };
    0.5 * model.rest.springs.iter().map(of).sum::<f64>()
}

/// How the material around each node is deformed: the linear map that fits its springs best.
pub fn refresh(model: &mut Springs, nodes: &NodeState) {
    let Springs { rest, rotation, scratch } = model;
    let rigid = Mat3::from_quat(fitted(rest, nodes, *rotation));
    scratch.maps.clear();
    scratch.maps.resize(nodes.positions.len(), Mat3::ZERO);
    for spring in &rest.springs {
        let d = spring.from_to(&nodes.positions);
        for end in spring.ends {
            let weighted = rest.inverses[end as usize] * spring.rest;
            scratch.maps[end as usize] += Mat3::from_cols(d * weighted.x, d * weighted.y, d * weighted.z);
        }
    }
    // Across neighbors that are all in one plane or line, nothing is known but how the body is turned.
    for (map, unspanned) in scratch.maps.iter_mut().zip(&rest.unspanned) {
        *map += rigid * *unspanned;
    }
}
