//! From nodes to fields, and from goals to velocities and positions.
//!
//! All that is needed of the nodes is read and written in three passes: what is weighed on the way in (mean motion), on the way
//! out (the rigid part of all pulls) and at the end (momentum) is added up in the same passes, in `f64` and in fixed chunks.

use super::{Field, Pull, Scratch, Shares, fit};
use crate::model::integrate::Drift;
use crate::model::momentum::{RigidPart, Sums as RigidSums};
use crate::nodes::{NodeRest, NodeState};
use crate::par::{self, ByPart};
use glam::{DMat3, DVec3, Vec3};
use std::ops::Add;

pub(crate) type Sums = RigidSums;

/// Σ m x and Σ m v.
#[derive(Clone, Copy, Debug, Default)]
pub struct Motion {
    moment: DVec3,
    momentum: DVec3,
}

impl Add for Motion {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { moment: self.moment + o.moment, momentum: self.momentum + o.momentum }
    }
}

/// The nodes of a body as a step finds them.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// How their masses are shared out.
    pub shares: &'a Shares,
    /// At rest.
    pub rest: &'a NodeRest,
    /// Now.
    pub nodes: &'a NodeState,
    /// A velocity that sums of velocities are taken relative to, so that a body in fast flight does not tremble by rounding.
    /// Any that all nodes nearly have will do.
    common: Vec3,
}

impl<'a> Found<'a> {
    /// The nodes of a body.
    pub fn new(shares: &'a Shares, rest: &'a NodeRest, nodes: &'a NodeState) -> Self {
        let common = nodes.velocities.first().copied().filter(|v| v.is_finite()).unwrap_or_default();
        Self { shares, rest, nodes, common }
    }

    /// Fields m̃ x and m̃ v of the nodes from `start` on; returns Σ m x and Σ m v.
    pub fn weigh(&self, start: usize, fields: &mut [Field]) -> Motion {
        let range = start..start + fields.len();
        let of = self.nodes.positions[range.clone()].iter().zip(&self.nodes.velocities[range.clone()]);
        let masses = self.rest.masses[range.clone()].iter().zip(&self.shares.masses[range]);
        let (mut moment, mut momentum) = (Vec3::ZERO, DVec3::ZERO);
        for ((field, (x, v)), (m, share)) in fields.iter_mut().zip(of).zip(masses) {
            *field = fit::field(*x, *v - self.common, *share);
            moment += *m * *x;
            momentum += f64::from(*m) * v.as_dvec3();
        }
        Motion { moment: moment.as_dvec3(), momentum }
    }

    /// Δv = k (target − v) + α Σ m_r s_r (g − x)/(M h) of the nodes from `start` on, whose fields hold Σ m_r s_r g, Σ m_r target and
    /// Σ m_r (1 − s_r) over all their regions; returns its sums.
    pub fn pull(&self, start: usize, fields: &[Field], changes: &mut [Vec3], pull: &Pull) -> Sums {
        let range = start..start + fields.len();
        let (rate, damping) = (pull.alpha / pull.h, pull.damping);
        let of = self.nodes.positions[range.clone()].iter().zip(&self.nodes.velocities[range.clone()]);
        let masses = self.rest.masses[range.clone()].iter().zip(&self.shares.inverse[range]);
        let mut sums = ChunkSums::default();
        for (((field, change), (x, v)), (m, inverse)) in fields.iter().zip(changes).zip(of).zip(masses) {
            let [gx, gy, gz, tx, ty, tz, unused, _] = field.0;
            let away = Vec3::new(gx, gy, gz) * *inverse - *x * (1.0 - unused * *inverse);
            let target = Vec3::new(tx, ty, tz) * *inverse;
            *change = damping * (target - (*v - self.common)) + rate * away;
            sums.add(*m, *x, *change);
        }
        sums.widened()
    }
}

/// Fields of all nodes; returns Σ m x and Σ m v.
pub fn weigh(scratch: &mut Scratch, found: &Found) -> Motion {
    let count = found.nodes.positions.len();
    scratch.fields.resize(count, Field::default());
    scratch.motions.resize(count.div_ceil(par::CHUNK), Motion::default());
    let data = (&mut scratch.fields[..], ByPart(&mut scratch.motions));
    par::for_each_chunk(count, data, |part, (fields, sum)| {
        sum.0[0] = found.weigh(part * par::CHUNK, fields);
    });
    total(&scratch.motions)
}

/// Changes of velocity of all nodes from their fields.
pub fn pull(scratch: &mut Scratch, found: &Found, pull: &Pull) {
    let count = found.nodes.positions.len();
    let Scratch { fields, changes, sums, .. } = scratch;
    changes.resize(count, Vec3::ZERO);
    sums.resize(count.div_ceil(par::CHUNK), Sums::default());
    par::for_each_chunk(count, (&mut changes[..], ByPart(sums)), |part, (changes, sum)| {
        let start = part * par::CHUNK;
        sum.0[0] = found.pull(start, &fields[start..start + changes.len()], changes, pull);
    });
}

/// Σ m x and Σ m v of all parts.
pub fn total(motions: &[Motion]) -> Motion {
    motions.iter().fold(Motion::default(), |sum, &part| sum + part)
}

/// v ← v + Δv less its rigid part, which should be none, and x ← x + h v; returns what the momentum changed by.
///
/// The body's mean motion goes into the origin, in `f64`; the nodes move only by what differs from it.
pub fn advance(
    scratch: &mut Scratch,
    rest: &NodeRest,
    nodes: &mut NodeState,
    before: Motion,
    h: f32,
) -> DVec3 {
    let count = nodes.positions.len();
    let rigid = RigidPart::of(&scratch.sums.iter().fold(Sums::default(), |sum, &part| sum + part));
    let changes = &scratch.changes;
    let drift = Drift::new(rest, before.moment / rest.total_mass, before.momentum / rest.total_mass);
    nodes.origin += f64::from(h) * drift.mean.as_dvec3() + drift.behind.as_dvec3();
    let NodeState { positions, velocities, .. } = nodes;
    scratch.motions.resize(count.div_ceil(par::CHUNK), Motion::default());
    let data = (&mut positions[..], &mut velocities[..], ByPart(&mut scratch.motions));
    par::for_each_chunk(count, data, |part, (positions, velocities, sum)| {
        let start = part * par::CHUNK;
        let nodes = positions.iter_mut().zip(velocities);
        let mut momentum = DVec3::ZERO;
        for ((x, v), (change, m)) in nodes.zip(changes[start..].iter().zip(&rest.masses[start..])) {
            *v += *change - rigid.at(*x);
            momentum += f64::from(*m) * v.as_dvec3();
            *x = drift.moved(*x, *v, h);
        }
        sum.0[0].momentum = momentum;
    });
    scratch.motions.iter().map(|part| part.momentum).sum::<DVec3>() - before.momentum
}

/// Sums over a chunk: the changes in `f64`, since they nearly cancel, the shape in `f32`, since it only spreads a correction of
/// the order of rounding.
#[derive(Clone, Copy, Debug, Default)]
struct ChunkSums {
    mass: f32,
    moment: Vec3,
    /// Σ m x², y², z²
    squares: Vec3,
    /// Σ m yz, zx, xy
    products: Vec3,
    linear: DVec3,
    angular: DVec3,
}

impl ChunkSums {
    #[inline(always)]
    fn add(&mut self, m: f32, x: Vec3, change: Vec3) {
        let mx = m * x;
        self.mass += m;
        self.moment += mx;
        self.squares += mx * x;
        self.products += Vec3::new(mx.y * x.z, mx.z * x.x, mx.x * x.y);
        let md = (m * change).as_dvec3();
        self.linear += md;
        self.angular += x.as_dvec3().cross(md);
    }

    fn widened(&self) -> Sums {
        let (DVec3 { x: xx, y: yy, z: zz }, DVec3 { x: yz, y: zx, z: xy }) =
            (self.squares.as_dvec3(), self.products.as_dvec3());
        Sums {
            mass: f64::from(self.mass),
            moment: self.moment.as_dvec3(),
            linear: self.linear,
            angular: self.angular,
            second: DMat3::from_cols(DVec3::new(xx, xy, zx), DVec3::new(xy, yy, yz), DVec3::new(zx, yz, zz)),
        }
    }
}
