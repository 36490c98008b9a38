//! The potential of overlapping regions.
//!
//! The pull of a step is the gradient of Φ = ½ (α/h²) Σ_r m_r s_r Σ_{i∈r} m̃_i |x_i − T_r x_i⁰|², T_r the rigid (or plastic) match of
//! region r, or of what [`hooke`] has in its place. It is summed per region, before goals are averaged: what averaged goals leave
//! over is a small part of it.
//!
//! All sums are `f64`: a region's part is the small difference of numbers of the size of its second moment. Nothing of this is
//! needed for a step.

use super::{Constants, Shares, State, hooke, plasticity};
use crate::material::Elasticity;
use crate::math::lanes::LANES;
use crate::math::rotations_warm;
use crate::nodes::{NodeRest, NodeState};
use glam::{DMat3, DQuat, DVec3, Mat3, Quat, Vec3};

/// Numbers of a node, and their sums over a region: m̃, m̃ x⁰, m̃ x, m̃ x², m̃ x⁰ x⁰ᵀ and m̃ x x⁰ᵀ.
pub type Sums = [f64; 26];

/// A model that can sum over regions in `f64`, however long that takes.
pub trait ExactSums {
    /// The sums over the region of each node.
    fn exact_sums(&self, values: &[Sums]) -> Vec<Sums>;
}

/// Regions by slots, and the slot of each node's.
#[derive(Clone, Copy, Debug)]
pub struct Regions<'a> {
    /// What they remember.
    pub state: &'a State,
    /// What they are at rest.
    pub constants: &'a [Constants],
    /// How nodes are shared out among them.
    pub shares: &'a Shares,
    /// Of each node.
    pub slots: &'a [u32],
}

impl Regions<'_> {
    fn constants_of(&self, node: usize) -> (&Constants, usize) {
        let slot = self.slots[node] as usize;
        (&self.constants[slot / LANES], slot % LANES)
    }
}

/// Φ for α/h² = 1.
pub fn potential(
    sums: &impl ExactSums,
    regions: &Regions,
    rest: &NodeRest,
    nodes: &NodeState,
    elasticity: &Elasticity,
) -> f64 {
    let values: Vec<Sums> = (0..rest.masses.len())
        .map(|node| {
            let share = f64::from(regions.shares.masses[node]);
            of_node(share, rest.rest_positions[node].as_dvec3(), nodes.positions[node].as_dvec3())
        })
        .collect();
    let sums = sums.exact_sums(&values);
    let (mut rotations, plastic): (Vec<Quat>, Vec<Mat3>) =
        regions.slots.iter().map(|&slot| regions.state.remembered(slot as usize)).unzip();
    let fits: Vec<Fit> = sums.iter().zip(&plastic).map(|(sums, s)| Fit::new(sums, s.as_dmat3())).collect();
    let bulk = elasticity.alpha().is_none().then(|| elasticity.bulk());
    let maps: Vec<DMat3> = match bulk {
        Some(_) => (0..fits.len())
            .map(|node| fits[node].linear(regions.constants_of(node), rotations[node]))
            .collect(),
        None => fits.iter().map(|fit| fit.moment).collect(),
    };
    rotations_warm(&maps.iter().map(of_unit_size).collect::<Vec<_>>(), &mut rotations);
    let of_region = |(node, (fit, rotation)): (usize, (&Fit, &Quat))| {
        let (constants, lane) = regions.constants_of(node);
        let twice = match bulk {
            Some(bulk) => fit.stored(&maps[node], *rotation, constants.modulus.0[lane].into(), bulk.into()),
            None => f64::from(constants.strength.0[lane]) * fit.residual(&exactly(*rotation)),
        };
        f64::from(rest.masses[node]) * twice
    };
    0.5 * fits.iter().zip(&rotations).enumerate().map(of_region).sum::<f64>()
}

/// ⟨q qᵀ⟩ of the region of each node at rest, about the region's centre.
pub fn spreads(regions: &impl ExactSums, shares: &Shares, rest_positions: &[Vec3]) -> Vec<DMat3> {
    let nodes = shares.masses.iter().zip(rest_positions);
    let at_rest = |(&share, x): (&f32, &Vec3)| of_node(f64::from(share), x.as_dvec3(), x.as_dvec3());
    let values: Vec<Sums> = nodes.map(at_rest).collect();
    regions.exact_sums(&values).iter().map(|sums| second(sums) * (1.0 / sums[0])).collect()
}

/// Σ m̃ q qᵀ about the centre.
fn second(sums: &Sums) -> DMat3 {
    let (mass, rest) = (sums[0], DVec3::from_slice(&sums[1..4]) / sums[0]);
    DMat3::from_cols_slice(&sums[8..17]) - outer(rest * mass, rest)
}

fn of_node(share: f64, rest: DVec3, now: DVec3) -> Sums {
    let mut sums = [0.0; 26];
    sums[0] = share;
    sums[1..4].copy_from_slice(&(share * rest).to_array());
    sums[4..7].copy_from_slice(&(share * now).to_array());
    sums[7] = share * now.length_squared();
    sums[8..17].copy_from_slice(&outer(share * rest, rest).to_cols_array());
    sums[17..26].copy_from_slice(&outer(share * now, rest).to_cols_array());
    sums
}

/// A region as its nodes are now.
struct Fit {
    /// Σ m̃ |x − c|²
    spread: f64,
    /// Σ m̃ (x − c)(S q)ᵀ
    moment: DMat3,
    /// Σ m̃ S q (S q)ᵀ
    rest: DMat3,
    plastic: DMat3,
}

impl Fit {
    fn new(sums: &Sums, plastic: DMat3) -> Self {
        let mass = sums[0];
        let (rest, now) = (DVec3::from_slice(&sums[1..4]) / mass, DVec3::from_slice(&sums[4..7]) / mass);
        let moment = DMat3::from_cols_slice(&sums[17..26]) - outer(now * mass, rest);
        Self {
            spread: sums[7] - mass * now.length_squared(),
            moment: moment * plastic.transpose(),
            rest: plastic * second(sums) * plastic.transpose(),
            plastic,
        }
    }

    /// Σ m̃ |x − c − M S q|²
    fn residual(&self, map: &DMat3) -> f64 {
        let residual = self.spread - 2.0 * trace(map.transpose() * self.moment)
            + trace(*map * self.rest * map.transpose());
        if residual.is_finite() { residual.max(0.0) } else { 0.0 }
    }

    /// F S⁻¹, as steps find it: across flat regions it is that of their rotation.
    fn linear(&self, (constants, lane): (&Constants, usize), rotation: Quat) -> DMat3 {
        let [inverse, unknown] = [&constants.inverse_second, &constants.unknown]
            .map(|six| plasticity::symmetric(six, lane).as_dmat3());
        let plastic = self.plastic;
        // The moment has S on the side of the rest shape.
        (self.moment * plastic.transpose().inverse() * inverse + exactly(rotation) * plastic * unknown)
            * plastic.inverse()
    }

    /// Twice what [`hooke`] stores.
    fn stored(&self, map: &DMat3, rotation: Quat, modulus: f64, bulk: f64) -> f64 {
        let rotation = exactly(rotation);
        let strain = trace(rotation.transpose() * *map) - 3.0;
        let off = *map - rotation;
        let of_strain = modulus * (trace(off * off.transpose()) + hooke::stored(strain, bulk));
        of_strain + f64::from(hooke::NOT_LINEAR) * self.residual(map)
    }
}

/// Rotations are found in `f32`.
fn of_unit_size(map: &DMat3) -> Mat3 {
    let size = map.to_cols_array().iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    if size > 0.0 { (*map * (1.0 / size)).as_mat3() } else { Mat3::ZERO }
}

/// Exactly a rotation: what is missing of its length would count as strain.
fn exactly(rotation: Quat) -> DMat3 {
    let [x, y, z, w] = rotation.to_array().map(f64::from);
    DMat3::from_quat(DQuat::from_xyzw(x, y, z, w).normalize())
}

fn trace(m: DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Adds sums up.
pub fn add(to: &mut Sums, other: &Sums) {
    to.iter_mut().zip(other).for_each(|(to, other)| *to += other);
}
