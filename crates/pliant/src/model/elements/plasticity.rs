//! Elements whose rest shape gives way, \[ITF04\] §5: F = Fₑ S, and only Fₑ is strained. S is as in [`creep`](crate::model::creep).
//!
//! With S the gradients ∇N of an element become S⁻ᵀ∇N and its volume stays, so an element that has given way is another element, and
//! forces, stiffness and energy are those of any.

use super::law::eigenvalue_bounds;
use super::maps::mean_around;
use super::rest::Pack;
use super::{ElementSolver, Elements};
use crate::material::Plasticity;
use crate::math::lanes::LANES;
use crate::math::{Mat3x8, rotation};
use crate::model::creep::yielded;
use crate::par;
use glam::{Mat3, Quat};

/// What has become of the rest shapes of all elements.
#[derive(Clone, Debug)]
pub struct Given {
    /// The elements as they are now.
    pub packs: Vec<Pack>,
    /// How many times as stiff the stiffest of them may have become.
    pub stiffer: f32,
}

/// S of the elements that are strained beyond what they can bear, given F of all of them.
pub fn creep(model: &mut Elements, plasticity: &Plasticity, h: f32) {
    let Elements { rest, plastic, scratch, .. } = model;
    let gradients = &scratch.gradients;
    if plastic.is_empty() {
        if !gradients.iter().any(|f| (0..LANES).any(|lane| strains(f.get(lane), plasticity))) {
            return;
        }
        plastic.resize(rest.packs.len(), Mat3x8::splat(Mat3::IDENTITY));
    }
    par::for_each_indexed(plastic, GRAIN, |pack, plastic| {
        for lane in 0..LANES {
            let (f, s) = (gradients[pack].get(lane), plastic.get(lane));
            let elastic = f * s.inverse();
            if strains(elastic, plasticity) {
                let turn = Mat3::from_quat(rotation(elastic, Quat::IDENTITY));
                plastic.set(lane, yielded(turn.transpose() * f, s, plasticity, h));
            }
        }
    });
    give(model);
}

/// Packs that a task takes at a time.
const GRAIN: usize = 64;

/// Whether an element may be strained beyond what it can bear: |C − I| = |(U − I)(U + I)| is never less than |U − I|.
fn strains(f: Mat3, plasticity: &Plasticity) -> bool {
    let c = f.transpose() * f - Mat3::IDENTITY;
    let squares = c.x_axis.length_squared() + c.y_axis.length_squared() + c.z_axis.length_squared();
    squares > plasticity.yield_strain * plasticity.yield_strain
}

/// Makes the elements that follow from S; also after a snapshot, which has only S.
pub fn give(model: &mut Elements) {
    let Elements { rest, plastic, given, .. } = model;
    if plastic.is_empty() {
        *given = None;
        return;
    }
    let given = given.get_or_insert_with(|| Given { packs: rest.packs.clone(), stiffer: 1.0 });
    let (packs, plastic) = (&rest.packs, &*plastic);
    par::for_each_indexed(&mut given.packs, GRAIN, |at, pack| {
        for lane in 0..LANES {
            let back = plastic[at].get(lane).inverse().transpose();
            for (to, from) in pack.gradients.iter_mut().zip(&packs[at].gradients) {
                to.set(lane, back * from.get(lane));
            }
        }
    });
    if rest.settings.solver == ElementSolver::Explicit {
        // ω² of an element grows at most by the largest eigenvalue of (S Sᵀ)⁻¹.
        let stiffer = |s: Mat3| {
            let inverse = s.inverse().as_dmat3();
            eigenvalue_bounds(inverse * inverse.transpose())[1] as f32
        };
        let all = plastic.iter().flat_map(|pack| (0..LANES).map(|lane| stiffer(pack.get(lane))));
        given.stiffer = all.fold(1.0, f32::max);
    }
}

/// The elastic part of the deformation around each node, as [`maps`](super::maps) has all of it.
pub fn refresh(model: &mut Elements) {
    let Elements { rest, plastic, scratch, .. } = model;
    if plastic.is_empty() {
        scratch.elastic.clear();
        return;
    }
    let (gradients, plastic) = (&scratch.gradients, &*plastic);
    scratch.elastic.resize(rest.volumes.len(), Mat3::IDENTITY);
    par::for_each_indexed(&mut scratch.elastic, par::CHUNK, |node, map| {
        *map = mean_around(rest, node, |pack, lane| {
            gradients[pack].get(lane) * plastic[pack].get(lane).inverse()
        });
    });
}

/// Memory that it takes.
pub(super) fn bytes(model: &Elements) -> usize {
    let packs = model.given.as_ref().map_or(0, |given| size_of_val(&given.packs[..]));
    packs + size_of_val(&model.plastic[..]) + size_of_val(&model.scratch.elastic[..])
}
