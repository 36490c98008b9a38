//! Shape matching of overlapping regions, one a node: what models of cells have in common.
//!
//! Based on \[SOG08\] §4.3 and \[RJ07\] §4–5. Such models differ only in how they sum over a region and back.
//!
//! Symbols: `r` a region and the node at its middle, `q` rest offset from that node, `q̄` where the region's centre of mass is,
//! `m̃` = m / M with M the mass of all regions that contain a node, `A` = Σ m̃ p qᵀ about the centre, `R` its rotation,
//! `Q` = Σ m̃ q qᵀ, `F` = A Q⁻¹ the best linear map, `S` plastic deformation, `s` how strongly a region pulls.
//!
//! ```text
//! fields     m̃ x, m̃ v of each node                               one register: x y z, vx vy vz
//! gather     Σ m̃ x, Σ m̃ x qᵀ, Σ m̃ v, Σ m̃ v qᵀ of each region      four registers
//! fit        goal map t + L q, rigid motion u + W q, times m_r     four registers
//! scatter    the sum over all regions that contain a node          one register
//! ```
//!
//! Scatter is the exact transpose of gather, so linear and angular momentum are conserved whatever the regions look like.
//!
//! Deviations:
//! - Regions that reach farther than asked would be stiffer than others: they pull by s, a part of the way. Momentum does not
//!   change, since a region that pulls less pulls all its nodes less.
//! - The papers sum with the same operator both ways, which needs symmetric regions. The transpose needs nothing.
//! - Moments are taken about each region's own node and never about a far origin: `Σ m x x⁰ᵀ − M c c⁰ᵀ` loses a region's shape
//!   to cancellation in bodies much larger than it. The sums of 12 numbers of the papers become sums of 3, 6 and 9.
//! - The rigid motion that damping draws to turns the shape F q and not the exact positions: the same for every deformation
//!   that is linear over a region, and no products of positions and velocities to sum. The torque of what is left is taken
//!   out of the whole body.

pub mod energy;
pub mod fit;
pub mod hooke;
pub mod integrate;
pub mod plasticity;
pub mod rest;

pub use fit::Fit;
pub use rest::{Constants, Shares};

use crate::material::Material;
use crate::math::lanes::F32x8;
use crate::math::{Mat3x8, Quatx8};
use glam::{Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Values of a node: position (lanes 0 to 2) and velocity (lanes 3 to 5); or goal, target velocity and, in lane 6, what does not
/// pull of the mass of its regions.
pub type Field = F32x8;
/// A field summed over a region, and its first moments about the region's node along x, y and z; or, on the way back, the
/// constant and the three columns of a linear map.
pub type Moments = [F32x8; 4];

/// What a region remembers from step to step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// R of each region, by eights, from which the next step starts.
    pub rotations: Vec<Quatx8>,
    /// S of each region; empty until something yields.
    pub plastic: Vec<Mat3>,
    /// F of each region, by eights, as of the end of the step: what the skin and tools that hold on to it go by.
    pub maps: Vec<Mat3x8>,
}

impl State {
    /// Regions at rest, turned; `slots` is a multiple of eight.
    pub fn new(slots: usize, rotation: Quat) -> Self {
        let maps = vec![Mat3x8::splat(Mat3::from_quat(rotation)); slots / 8];
        Self { rotations: vec![Quatx8::splat(rotation); slots / 8], plastic: Vec::new(), maps }
    }

    /// Regions in slots, with what each of their nodes has.
    pub fn from_nodes(slots: &[Option<u32>], rotations: &[Quat], plastic: Option<&Vec<Mat3>>) -> Self {
        let mut state = Self::new(slots.len(), Quat::IDENTITY);
        for (slot, node) in slots.iter().enumerate() {
            if let Some(node) = node {
                state.rotations[slot / 8].set(slot % 8, rotations[*node as usize]);
            }
        }
        let of = |node: &Option<u32>, plastic: &Vec<Mat3>| {
            node.map_or(Mat3::IDENTITY, |node| plastic[node as usize])
        };
        state.plastic =
            plastic.map(|plastic| slots.iter().map(|node| of(node, plastic)).collect()).unwrap_or_default();
        state
    }

    /// What some regions remember, for nodes that now have these slots.
    pub fn picked(&self, from: impl Iterator<Item = usize> + Clone, slots: &[Option<u32>]) -> Self {
        let rotations: Vec<_> = from.clone().map(|slot| self.rotation(slot)).collect();
        let plastic: Vec<_> = from.map(|slot| self.plastic(slot)).collect();
        Self::from_nodes(slots, &rotations, (!self.plastic.is_empty()).then_some(&plastic))
    }

    pub(crate) fn reset(&mut self, rotation: Quat) {
        *self = Self::new(self.rotations.len() * 8, rotation);
    }

    /// R of some region deep inside: how the body as a whole is turned, roughly.
    pub(crate) fn middle_rotation(&self) -> Quat {
        self.rotations.get(self.rotations.len() / 2).map_or(Quat::IDENTITY, |pack| pack.get(0))
    }

    /// R of a region.
    pub fn rotation(&self, slot: usize) -> Quat {
        self.rotations[slot / 8].get(slot % 8)
    }

    /// R and S of a region.
    pub fn remembered(&self, slot: usize) -> (Quat, Mat3) {
        (self.rotation(slot), self.plastic(slot))
    }

    /// F of a region.
    pub fn map(&self, slot: usize) -> Mat3 {
        self.maps[slot / 8].get(slot % 8)
    }

    /// F of a region without what has given way for good.
    pub fn elastic_map(&self, slot: usize) -> Option<Mat3> {
        let (map, plastic) = (self.maps.get(slot / 8)?.get(slot % 8), self.plastic(slot));
        Some(if plastic == Mat3::IDENTITY { map } else { map * plastic.inverse() })
    }

    /// S of a region.
    pub fn plastic(&self, slot: usize) -> Mat3 {
        self.plastic.get(slot).copied().unwrap_or(Mat3::IDENTITY)
    }
}

/// What a step makes anew.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Of each node.
    pub fields: Vec<Field>,
    /// Δv of each node.
    pub changes: Vec<Vec3>,
    pub(crate) sums: Vec<integrate::Sums>,
    pub(crate) motions: Vec<integrate::Motion>,
}

/// What the kernels need to know of a step.
#[derive(Clone, Copy, Debug)]
pub struct Pull {
    /// Part of the way to its goal that a node goes.
    pub alpha: f32,
    /// Part of what is not rigid motion that goes.
    pub damping: f32,
    /// b of [`hooke`], where a modulus is given.
    pub bulk: Option<f32>,
    /// Seconds.
    pub h: f32,
}

impl Pull {
    /// That of a material in steps of `h` seconds, for regions of this ⟨q²⟩ in a body of this radius.
    pub fn new(material: &Material, h: f32, extent: f64, radius: f32) -> Self {
        let (alpha, damping) = (material.alpha_for(h, extent), material.damping_for(h, extent, radius));
        let elasticity = &material.elasticity;
        let bulk = elasticity.alpha().is_none().then(|| elasticity.bulk());
        Self { alpha, damping, bulk, h }
    }
}
