//! What a region is at rest.

use super::{Field, Moments};
use crate::math::functions::cube;
use crate::math::lanes::{F32x8, LANES};
use crate::math::{Vec3x8, pseudo_inverse};
use glam::{DMat3, DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Eight regions at rest, one a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Constants {
    /// 1 / M̃
    pub inverse_mass: F32x8,
    /// The mass of the region's node: how much the region counts.
    pub weight: F32x8,
    /// q̄, from the region's node to its centre of mass.
    pub middle: Vec3x8,
    /// Q⁻¹ (pseudo-inverse, so flat regions do): xx, yy, zz, xy, yz, zx.
    pub inverse_second: [F32x8; 6],
    /// I − Q Q⁻¹, what a flat region does not know of its shape: xx, yy, zz, xy, yz, zx.
    pub unknown: [F32x8; 6],
    /// Whether any of the eight is flat.
    pub flat: bool,
    /// 1 / tr Q: brings angular momentum and inertia to the order of one at any size of body.
    pub inverse_trace: F32x8,
}

/// How a node's mass is shared out among the regions that contain it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shares {
    /// m̃ = m / M of each node.
    pub masses: Vec<f32>,
    /// 1 / M of each node: what turns scattered sums into averages.
    pub inverse: Vec<f32>,
}

/// Sums over regions and back, as the model does them in a step.
pub trait Summation {
    /// HF: sums and first moments over each region, by slot.
    fn gather(&self, fields: &[Field]) -> Vec<Moments>;
    /// HFᵀ: the sum over all regions that contain a node of what their linear maps give there.
    fn scatter(&self, maps: &[Moments]) -> Vec<Field>;
    /// The node at the middle of each region; `None` for slots that only fill up a register.
    fn nodes(&self) -> &[Option<u32>];
}

/// What the regions are at rest, measured with the model's own operators: so rest and now round alike.
pub fn measure(
    summation: &impl Summation,
    masses: &[f32],
    rest_positions: &[Vec3],
) -> (Vec<Constants>, Shares) {
    let nodes = summation.nodes();
    let zero = F32x8::splat(0.0);
    let weigh = |node: &Option<u32>| node.map_or(0.0, |i| masses[i as usize]);
    let weights: Vec<Moments> =
        nodes.iter().map(|node| [F32x8::splat(weigh(node)), zero, zero, zero]).collect();
    let totals = summation.scatter(&weights); // M_i = HFᵀ{m_r}
    let inverse: Vec<f32> = totals.iter().map(|total| 1.0 / total.0[0]).collect();
    let shares = Shares { masses: masses.iter().zip(&inverse).map(|(m, i)| m * i).collect(), inverse };
    let fields: Vec<Field> = (0..masses.len())
        .map(|i| {
            let (m, x) = (shares.masses[i], shares.masses[i] * rest_positions[i]);
            F32x8([m, x.x, x.y, x.z, 0.0, 0.0, 0.0, 0.0])
        })
        .collect();
    let sums = summation.gather(&fields); // HF{m̃}, HF{m̃ x⁰}, HF{m̃ qᵀ}, HF{m̃ x⁰ qᵀ}
    let mut constants = vec![Constants::default(); nodes.len() / LANES];
    for (slot, (node, sum)) in nodes.iter().zip(&sums).enumerate() {
        if let Some(node) = node {
            let node = *node as usize;
            constants[slot / LANES].set(slot % LANES, masses[node], rest_positions[node], sum);
        }
    }
    (constants, shares)
}

impl Constants {
    fn set(&mut self, lane: usize, weight: f32, at: Vec3, sum: &Moments) {
        let mass = f64::from(sum[0].0[0]);
        let axis = |k: usize| {
            let column = &sum[k + 1].0;
            let moment = f64::from(column[0]);
            let of_positions = DVec3::new(column[1].into(), column[2].into(), column[3].into());
            (moment, of_positions - at.as_dvec3() * moment)
        };
        let [(x, cx), (y, cy), (z, cz)] = [axis(0), axis(1), axis(2)];
        let middle = DVec3::new(x, y, z) / mass;
        let about_node = DMat3::from_cols(cx, cy, cz);
        let outer = DMat3::from_cols(middle * middle.x, middle * middle.y, middle * middle.z);
        let second = about_node - outer * mass;
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let (inverse, unknown) = inverse_and_unknown(second, trace);
        let six = |m: DMat3| [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.y_axis.z, m.z_axis.x];
        self.inverse_mass.0[lane] = (1.0 / mass) as f32;
        self.weight.0[lane] = weight;
        self.middle.set(lane, middle.as_vec3());
        self.inverse_trace.0[lane] = if trace > 0.0 { (1.0 / trace) as f32 } else { 0.0 };
        for (to, value) in self.inverse_second.iter_mut().zip(six(inverse)) {
            to.0[lane] = value as f32;
        }
        self.flat |= unknown != DMat3::ZERO;
        for (to, value) in self.unknown.iter_mut().zip(six(unknown)) {
            to.0[lane] = value as f32;
        }
    }
}

/// Q⁻¹ and I − Q Q⁻¹; for flat regions the pseudo-inverse and what it leaves out.
fn inverse_and_unknown(second: DMat3, trace: f64) -> (DMat3, DMat3) {
    // The product of three eigenvalues: with one of them below a hundredth of their sum it is below a thousandth.
    if second.determinant() > 1e-3 * cube(trace) {
        return (second.inverse(), DMat3::ZERO);
    }
    // A few thousandths of the largest extent are flat: what is thinner is rounding.
    let known = pseudo_inverse(second.transpose().to_cols_array_2d(), 1e-5);
    let unknown = DMat3::IDENTITY - DMat3::from_cols_array_2d(&known.projector);
    (DMat3::from_cols_array_2d(&known.inverse), unknown)
}
