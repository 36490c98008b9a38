//! The potential of overlapping regions.
//!
//! The pull of a step is the gradient of Φ = ½ (α/h²) Σ_r m_r s_r Σ_{i∈r} m̃_i |x_i − T_r x_i⁰|², T_r the rigid (or plastic) match of
//! region r. It is summed per region, before goals are averaged: what averaged goals leave over is a small part of it.
//!
//! All sums are `f64`: a region's part is the small difference of numbers of the size of its second moment. Nothing of this is
//! needed for a step.

use super::Shares;
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

/// Φ for α/h² = 1. `remembered` gives R and S of the region of a node, `strength` its s.
pub fn potential(
    regions: &impl ExactSums,
    shares: &Shares,
    rest: &NodeRest,
    nodes: &NodeState,
    remembered: impl Fn(usize) -> (Quat, Mat3),
    strength: impl Fn(usize) -> f32,
) -> f64 {
    let values: Vec<Sums> = (0..rest.masses.len())
        .map(|node| {
            let share = f64::from(shares.masses[node]);
            of_node(share, rest.rest_positions[node].as_dvec3(), nodes.positions[node].as_dvec3())
        })
        .collect();
    let sums = regions.exact_sums(&values);
    let (mut rotations, plastic): (Vec<Quat>, Vec<Mat3>) = (0..sums.len()).map(remembered).unzip();
    let fits: Vec<Fit> = sums.iter().zip(&plastic).map(|(sums, s)| Fit::new(sums, s.as_dmat3())).collect();
    let moments: Vec<Mat3> = fits.iter().map(|fit| fit.moment_of_unit_size()).collect();
    rotations_warm(&moments, &mut rotations);
    let of_region = |(node, (fit, rotation)): (usize, (&Fit, &Quat))| {
        f64::from(rest.masses[node] * strength(node)) * fit.residual(*rotation)
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
    /// Σ m̃ |S q|²
    rest_spread: f64,
}

impl Fit {
    fn new(sums: &Sums, plastic: DMat3) -> Self {
        let mass = sums[0];
        let (rest, now) = (DVec3::from_slice(&sums[1..4]) / mass, DVec3::from_slice(&sums[4..7]) / mass);
        let moment = DMat3::from_cols_slice(&sums[17..26]) - outer(now * mass, rest);
        Self {
            spread: sums[7] - mass * now.length_squared(),
            moment: moment * plastic.transpose(),
            rest_spread: trace(plastic * second(sums) * plastic.transpose()),
        }
    }

    /// Rotations are found in `f32`.
    fn moment_of_unit_size(&self) -> Mat3 {
        let size = self.moment.to_cols_array().iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        if size > 0.0 { (self.moment * (1.0 / size)).as_mat3() } else { Mat3::ZERO }
    }

    /// Σ m̃ |x − c − R S q|²
    fn residual(&self, rotation: Quat) -> f64 {
        // Exactly a rotation: what is missing of its length would count as strain.
        let [x, y, z, w] = rotation.to_array().map(f64::from);
        let rotation = DMat3::from_quat(DQuat::from_xyzw(x, y, z, w).normalize());
        let residual = self.spread - 2.0 * trace(rotation.transpose() * self.moment) + self.rest_spread;
        if residual.is_finite() { residual.max(0.0) } else { 0.0 }
    }
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
