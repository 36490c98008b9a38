//! Explicit steps, \[DDCB01\] §2.2: as many as the Courant condition asks for.
//!
//! A wave must not cross an element within a step. The frequency of the stiffest element bounds that of all modes, and its
//! stiffness is bounded by the limits of Green strain, so the length of a step depends on the rest shape and the material only.

use super::forces::{on_corners, on_node};
use super::law::{Lame, STIFFEST};
use super::rest::Rest;
use super::strain::Law;
use super::{Elements, Scratch};
use crate::math::functions::square;
use crate::model::seam::StepInput;
use crate::model::{integrate, momentum};
use crate::nodes::NodeState;
use crate::par;
use glam::Vec3;

/// h ω of the stiffest element; 2 is where it swings ever farther.
const STABLE: f32 = 1.4;
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
    pub fn new(rest: &Rest, lame: &Lame, density: f32, viscosity: f32) -> Self {
        let fastest = (STIFFEST * rest.stiffest * lame.stiffest() / density).sqrt();
        if fastest <= 0.0 {
            return Self { longest: f32::INFINITY, viscosity: 0.0 };
        }
        let damped = (0.5 * viscosity * fastest).min(MOST_DAMPED);
        let longest = STABLE / fastest * ((1.0 + square(damped)).sqrt() - damped);
        Self { longest, viscosity: 2.0 * damped / fastest }
    }
}

/// A step, made of as many of its own as it takes.
///
/// For each of them: 1. loads   2. stresses of elements   3. forces on nodes   4. move   5. held nodes.
pub fn step(model: &mut Elements, nodes: &mut NodeState, input: &StepInput, law: &Law) {
    let Elements { rest, scratch, .. } = model;
    let mut law = *law;
    let mut pace = Pace::new(rest, &law.lame, input.material.density, law.viscosity);
    let needed = input.h / pace.longest;
    if needed > MOST_STEPS {
        law.lame = law.lame.scaled(square(MOST_STEPS / needed));
        pace = Pace::new(rest, &law.lame, input.material.density, law.viscosity);
    }
    law.viscosity = pace.viscosity;
    let count = (input.h / pace.longest).ceil().clamp(1.0, MOST_STEPS);
    let h = input.h / count;
    for _ in 0..count as u32 {
        input.push(nodes, h);
        accelerate(rest, nodes, input, &law, h, scratch);
        integrate::advance(input.rest, nodes, h);
        input.held.apply(nodes);
    }
}

/// v ← v + h f/m
fn accelerate(
    rest: &Rest,
    nodes: &mut NodeState,
    input: &StepInput,
    law: &Law,
    h: f32,
    scratch: &mut Scratch,
) {
    let Scratch { corners, field, partials, .. } = scratch;
    on_corners(rest, &nodes.positions, &nodes.velocities, law, corners);
    field.resize(nodes.positions.len(), Vec3::ZERO);
    let (corners, masses) = (&*corners, &input.rest.masses);
    par::for_each_indexed(field, par::CHUNK, |node, change| {
        *change = on_node(rest, corners, node) * (h / masses[node]);
    });
    momentum::remove_rigid_part(input.rest, nodes, field, partials);
    let field = &*field;
    par::for_each_indexed(&mut nodes.velocities, par::CHUNK, |node, v| *v += field[node]);
}
