//! Forces inside a body add no momentum: taking out what rounding puts in.
//!
//! Every shape match conserves linear and angular momentum on paper. In `f32` each step leaves a remainder of about
//! 1e-7 of the body's size over the step, which at small steps would set a resting body adrift. The remainder of all
//! pulls together is measured in `f64` and taken back as one rigid motion.

use crate::nodes::{NodeRest, NodeState};
use crate::par;
use glam::{DMat3, DVec3, Vec3};
use std::ops::Add;

/// Sums over nodes of a field `d` (a displacement or a velocity) and of the positions it acts at.
#[derive(Clone, Copy, Debug)]
pub struct Sums {
    pub(super) mass: f64,
    /// Σ m x
    pub(super) moment: DVec3,
    /// Σ m d
    pub(super) linear: DVec3,
    /// Σ m x × d
    pub(super) angular: DVec3,
    /// Σ m x xᵀ
    pub(super) second: DMat3,
}

impl Default for Sums {
    /// Sums over nothing. (The matrix types' own default is the identity, which here would be a mass at a metre.)
    fn default() -> Self {
        Self {
            mass: 0.0,
            moment: DVec3::ZERO,
            linear: DVec3::ZERO,
            angular: DVec3::ZERO,
            second: DMat3::ZERO,
        }
    }
}

impl Add for Sums {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self {
            mass: self.mass + o.mass,
            moment: self.moment + o.moment,
            linear: self.linear + o.linear,
            angular: self.angular + o.angular,
            second: self.second + o.second,
        }
    }
}

/// Takes the rigid part out of a field of displacements, so that it moves and turns nothing as a whole.
pub fn remove_rigid_part(rest: &NodeRest, nodes: &NodeState, field: &mut [Vec3], partials: &mut Vec<Sums>) {
    let rigid = rigid_part_of(rest, nodes, field, partials);
    let positions = &nodes.positions;
    par::for_each_indexed(field, par::CHUNK, |i, d| *d -= rigid.at(positions[i]));
}

/// Takes the part out of a field that is a rigid motion of which these places have nothing along these directions.
pub(super) fn remove_rigid_part_along(
    rest: &NodeRest,
    nodes: &NodeState,
    held: impl Iterator<Item = (Vec3, Vec3)>,
    field: &mut [Vec3],
    partials: &mut Vec<Sums>,
) {
    let (sums, mut held) = (sums_of(rest, nodes, field, partials), held.peekable());
    let rigid = if held.peek().is_some() { RigidPart::along(&sums, held) } else { RigidPart::of(&sums) };
    let positions = &nodes.positions;
    par::for_each_indexed(field, par::CHUNK, |i, d| *d -= rigid.at(positions[i]));
}

/// The rigid part of a field of displacements.
pub(super) fn rigid_part_of(
    rest: &NodeRest,
    nodes: &NodeState,
    field: &[Vec3],
    partials: &mut Vec<Sums>,
) -> RigidPart {
    RigidPart::of(&sums_of(rest, nodes, field, partials))
}

/// Sums over all nodes.
fn sums_of(rest: &NodeRest, nodes: &NodeState, field: &[Vec3], partials: &mut Vec<Sums>) -> Sums {
    let (positions, masses) = (&nodes.positions, &rest.masses);
    par::sum(field.len(), partials, |range| {
        range.fold(Sums::default(), |s, i| {
            let (m, x, d) = (f64::from(masses[i]), positions[i].as_dvec3(), field[i].as_dvec3());
            let mx = m * x;
            Sums {
                mass: s.mass + m,
                moment: s.moment + mx,
                linear: s.linear + m * d,
                angular: s.angular + mx.cross(d),
                second: s.second + DMat3::from_cols(mx * x.x, mx * x.y, mx * x.z),
            }
        })
    })
}

/// d = shift + turn × (x − centre)
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RigidPart {
    centre: Vec3,
    shift: Vec3,
    turn: Vec3,
}

impl RigidPart {
    /// The rigid part of a field; none if that is not finite.
    pub fn of(sums: &Sums) -> Self {
        let centre = sums.moment / sums.mass;
        let outer = DMat3::from_cols(centre * centre.x, centre * centre.y, centre * centre.z);
        let second = sums.second - outer * sums.mass;
        let turn = turn_of(second, sums.angular - centre.cross(sums.linear));
        let part = Self {
            centre: centre.as_vec3(),
            shift: (sums.linear / sums.mass).as_vec3(),
            turn: turn.as_vec3(),
        };
        if part.centre.is_finite() && part.shift.is_finite() && part.turn.is_finite() {
            part
        } else {
            Self::default()
        }
    }

    /// The part of a field that is a rigid motion of which these places have nothing along these directions.
    pub fn along(sums: &Sums, held: impl Iterator<Item = (Vec3, Vec3)>) -> Self {
        let centre = sums.moment / sums.mass;
        let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
        let second = sums.second - outer(centre, centre) * sums.mass;
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace * (1.0 + 1e-9))) - second;
        // What is held resists with so much mass that nothing is left of it.
        let firm = FIRM * sums.mass;
        let (mut shifts, mut mixed, mut turns) =
            (DMat3::from_diagonal(DVec3::splat(sums.mass)), DMat3::ZERO, inertia);
        for (place, normal) in held {
            let (normal, arm) = (normal.as_dvec3(), place.as_dvec3() - centre);
            let moment = arm.cross(normal);
            shifts += outer(normal, normal) * firm;
            mixed += outer(normal, moment) * firm;
            turns += outer(moment, moment) * firm;
        }
        // [S X; Xᵀ T] (shift, turn) = (linear, angular), the shift eliminated.
        let free = shifts.inverse();
        let (linear, angular) = (sums.linear, sums.angular - centre.cross(sums.linear));
        let left = turns - mixed.transpose() * free * mixed;
        let turn = left.inverse() * (angular - mixed.transpose() * (free * linear));
        let shift = free * (linear - mixed * turn);
        let part = Self { centre: centre.as_vec3(), shift: shift.as_vec3(), turn: turn.as_vec3() };
        let is_finite = part.centre.is_finite() && part.shift.is_finite() && part.turn.is_finite();
        if is_finite { part } else { Self::default() }
    }

    #[inline(always)]
    pub fn at(&self, x: Vec3) -> Vec3 {
        self.shift + self.turn.cross(x - self.centre)
    }
}

/// How many times as heavy as the body what is held seems to be.
const FIRM: f64 = 1e6;

/// ω = I⁻¹ L for masses with second moment `second` = Σ m p pᵀ about their centre.
pub fn turn_of(second: DMat3, angular: DVec3) -> DVec3 {
    inverse_inertia(second) * angular
}

/// I⁻¹ for masses with second moment `second` = Σ m p pᵀ about their centre.
///
/// A line of nodes has no inertia about itself, and no angular momentum either: a relative 1e-9 on the diagonal keeps
/// the inverse finite and changes no other axis.
pub fn inverse_inertia(second: DMat3) -> DMat3 {
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    if trace.is_nan() || trace <= 0.0 {
        return DMat3::ZERO;
    }
    let inertia = DMat3::from_diagonal(DVec3::splat(trace * (1.0 + 1e-9))) - second;
    // Scaled to a trace of about two, so that the determinant is far from underflow at any size of body.
    (inertia * (1.0 / trace)).inverse() * (1.0 / trace)
}
