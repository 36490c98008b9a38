//! What a region is at rest.

use super::{Field, Moments, hooke};
use crate::math::functions::square;
use crate::math::lanes::{F32x8, LANES};
use crate::math::{Eigen, Vec3x8, symmetric_eigen};
use glam::{DMat3, DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Eight regions at rest, one a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Constants {
    /// 1 / M̃
    pub inverse_mass: F32x8,
    /// The mass of the nodes that it is the region of: how much it counts.
    pub weight: F32x8,
    /// s, at most 1: how strongly it pulls. Regions that reach farther than they were asked to would be
    /// stiffer than others of the same material; see [`Summation::extent`].
    pub strength: F32x8,
    /// q̂: what Q would be along each axis if the region were as it was asked to be, so that it has the body's modulus; see
    /// [`hooke`].
    pub modulus: F32x8,
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
    /// The square of how far the nodes of a region should be from its middle along an axis, in the mean, in m²: ⟨q²⟩, to which
    /// its stiffness is proportional. `None` where all regions are what they were asked to be.
    fn extent(&self, node: usize) -> Option<f64>;
    /// ⟨q²⟩ in m² of the narrowest regions that were asked for.
    fn reference(&self) -> f64;
    /// Edge of a node's cell in metres.
    fn cell(&self, node: usize) -> f32;
    /// A node at the middle of each region, which moments are about; `None` for slots that only fill up a register.
    fn nodes(&self) -> &[Option<u32>];
}

/// What the regions are at rest, measured with the model's own operators: so rest and now round alike. `weights` tell how much
/// the region in each slot counts: what the nodes weigh that it is the region of.
pub fn measure(
    summation: &impl Summation,
    weights: &[f32],
    masses: &[f32],
    rest_positions: &[Vec3],
) -> (Vec<Constants>, Shares) {
    let nodes = summation.nodes();
    let zero = F32x8::splat(0.0);
    let constant: Vec<Moments> =
        weights.iter().map(|weight| [F32x8::splat(*weight), zero, zero, zero]).collect();
    let totals = summation.scatter(&constant); // M_i = HFᵀ{m_r}
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
            let cell = summation.cell(node);
            let (extent, reference) = (summation.extent(node), summation.reference());
            let at = At { place: rest_positions[node], cell, extent, reference };
            constants[slot / LANES].set(slot % LANES, weights[slot], at, sum);
        }
    }
    (constants, shares)
}

/// Where a region's node is at rest, how large its cell is, and how far the region should reach.
#[derive(Clone, Copy, Debug)]
struct At {
    place: Vec3,
    cell: f32,
    extent: Option<f64>,
    reference: f64,
}

impl Constants {
    fn set(&mut self, lane: usize, weight: f32, at: At, sum: &Moments) {
        let mass = f64::from(sum[0].0[0]);
        let axis = |k: usize| {
            let column = &sum[k + 1].0;
            let moment = f64::from(column[0]);
            let of_positions = DVec3::new(column[1].into(), column[2].into(), column[3].into());
            (moment, of_positions - at.place.as_dvec3() * moment)
        };
        let [(x, cx), (y, cy), (z, cz)] = [axis(0), axis(1), axis(2)];
        let middle = DVec3::new(x, y, z) / mass;
        let about_node = DMat3::from_cols(cx, cy, cz);
        let outer = DMat3::from_cols(middle * middle.x, middle * middle.y, middle * middle.z);
        let second = about_node - outer * mass;
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let (inverse, unknown) = inverse_and_unknown(second, trace, THIN * mass * square(f64::from(at.cell)));
        let six = |m: DMat3| [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.y_axis.z, m.z_axis.x];
        self.inverse_mass.0[lane] = (1.0 / mass) as f32;
        self.weight.0[lane] = weight;
        self.strength.0[lane] = at.extent.map_or(1.0, |asked| strength(asked, second, mass)) as f32;
        self.modulus.0[lane] = hooke::modulus(at.reference * mass, inverse) as f32;
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

/// Part of the pull of a region that leaves it as stiff along its longest direction as one that reaches as far as it was asked to.
/// Never more than 1: a region at the surface is short one way, and what would make up for that would be too much the others.
fn strength(asked: f64, second: DMat3, mass: f64) -> f64 {
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    // No direction can have more than all three together.
    if trace <= asked * mass {
        return 1.0;
    }
    let longest = symmetric_eigen(second.transpose().to_cols_array_2d()).values[0];
    // Less than rounding would make an even lattice uneven.
    if longest > (1.0 + 1e-3) * asked * mass { asked * mass / longest } else { 1.0 }
}

/// The square of a region's extent in some direction, in cells, below which its nodes do not tell what happens along it: less than
/// two layers of nodes have, so that what they differ by is where the surface happens to pass, not the shape.
const THIN: f64 = 0.15;

/// Q⁻¹ and I − Q Q⁻¹, where directions in which Q is below `thin` fade from known to unknown: a map that is wholly known on one
/// side of a threshold and not at all on the other would tear the skin between two nodes.
fn inverse_and_unknown(second: DMat3, trace: f64, thin: f64) -> (DMat3, DMat3) {
    // No eigenvalue is below this: the product of the others is at most a quarter of the square of their sum.
    if 4.0 * second.determinant() > square(trace) * thin.max(0.01 * trace) {
        return (second.inverse(), DMat3::ZERO);
    }
    let Eigen { values, vectors } = symmetric_eigen(second.transpose().to_cols_array_2d());
    let (mut inverse, mut unknown) = (DMat3::ZERO, DMat3::ZERO);
    for (value, vector) in values.into_iter().zip(vectors.map(DVec3::from_array)) {
        let outer = DMat3::from_cols(vector * vector.x, vector * vector.y, vector * vector.z);
        // A few thousandths of the largest extent are rounding.
        let known = if value > 1e-5 * trace { smooth((value / thin).min(1.0)) } else { 0.0 };
        unknown += outer * (1.0 - known);
        if known > 0.0 {
            inverse += outer * (known / value);
        }
    }
    (inverse, unknown)
}

/// From 0 at 0 to 1 at 1, level at both ends.
fn smooth(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::quat_from_scaled_axis;
    use glam::{DQuat, DVec3};

    /// Q of a region with these extents, in cells, turned somehow; its mass is 2 kg and a cell 0.1 m.
    fn second(extents: DVec3) -> DMat3 {
        let turn = quat_from_scaled_axis(Vec3::new(0.3, -0.8, 0.5));
        let turn = DMat3::from_quat(
            DQuat::from_xyzw(turn.x.into(), turn.y.into(), turn.z.into(), turn.w.into()).normalize(),
        );
        turn * DMat3::from_diagonal(extents * extents * 0.02) * turn.transpose()
    }

    fn of(extents: DVec3) -> (DMat3, DMat3) {
        let q = second(extents);
        inverse_and_unknown(q, q.x_axis.x + q.y_axis.y + q.z_axis.z, THIN * 0.02)
    }

    #[test]
    fn what_a_region_knows_and_what_it_does_not_are_all() {
        for extents in [
            DVec3::ONE,
            DVec3::new(2.0, 1.0, 0.3),
            DVec3::new(2.0, 0.2, 0.1),
            DVec3::new(1.0, 1.0, 0.0),
            DVec3::ZERO,
        ] {
            let (inverse, unknown) = of(extents);
            assert!((second(extents) * inverse + unknown).abs_diff_eq(DMat3::IDENTITY, 1e-9), "{extents}");
        }
    }

    #[test]
    fn only_thin_directions_are_unknown_and_they_fade() {
        assert_eq!(of(DVec3::new(1.4, 1.4, 0.5)).1, DMat3::ZERO);
        let known = |thin: f64| 3.0 - (0..3).map(|k| of(DVec3::new(1.4, 1.4, thin)).1.col(k)[k]).sum::<f64>();
        let all: Vec<f64> = (0..=40).map(|step| known(0.01 * f64::from(step))).collect();
        assert!((all[0] - 2.0).abs() < 1e-9 && (all[40] - 3.0).abs() < 1e-9);
        assert!(
            all.windows(2)
                .all(|pair| (0.0..0.1).contains(&(pair[1] - pair[0]).max(0.0)) && pair[1] >= pair[0] - 1e-12)
        );
    }
}
