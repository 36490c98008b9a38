//! Damping that leaves flying and spinning alone.
//!
//! Based on \[RJ07\] §4: each cluster's nodes are drawn towards the rigid motion that has their momentum.
//!
//! Deviations: before the pull to the goals, not after it. Damping of many times 1/h would else take the whole pull away,
//! and a body in long steps would never come back to its shape.

use super::rest::Member;
use super::{Clusters, passivity};
use crate::math::functions::square;
use crate::model::momentum;
use crate::model::regions::Pull;
use crate::nodes::NodeState;
use crate::par;
use glam::{DMat3, DVec2, DVec3, Vec3};

/// The rigid motion of a cluster: v + ω × (x − c), relative to the body's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Motion {
    centre: Vec3,
    velocity: Vec3,
    turn: Vec3,
    /// How much of what is not rigid motion goes.
    part: f32,
    /// How much of what the limits owe is paid by it.
    paid: f32,
}

/// v ← v + part · (average of the clusters' rigid motions − v).
///
/// A cluster whose limits owe energy loses that as well; `pull` is the one to come.
pub fn toward_rigid_motion(model: &mut Clusters, nodes: &mut NodeState, pull: &Pull) {
    let Clusters { rest, state, scratch, .. } = model;
    let Pull { alpha, damping: part, bulk, h } = *pull;
    let owed = |cluster: usize| state.ledgers.get(cluster).map_or(0.0, |ledger| ledger.owed);
    if part <= 0.0 && (0..rest.len()).all(|cluster| owed(cluster) <= 0.0) {
        return;
    }
    scratch.motions.resize(rest.len(), Motion::default());
    let NodeState { positions, velocities, .. } = nodes;
    // Relative to the mean, a body in fast flight loses no momentum to rounding.
    let sum: DVec3 = velocities.iter().map(|v| v.as_dvec3()).sum();
    let mean = (sum / velocities.len().max(1) as f64).as_vec3();
    let (fits, displacements) = (&scratch.fits, &scratch.displacements);
    par::for_each_indexed(&mut scratch.motions, super::fit::GRAIN, |cluster, motion| {
        let (members, centre) = (rest.members_of(cluster), fits[cluster].centre);
        let relative = |m: &Member| (velocities[m.node.index()] - mean).as_dvec3();
        let momentum: DVec3 = members.iter().map(|m| f64::from(m.mass) * relative(m)).sum();
        let velocity = (momentum / f64::from(rest.masses[cluster])).as_vec3();
        let (mut angular, mut second) = (DVec3::ZERO, DMat3::ZERO);
        for m in members {
            let p = (positions[m.node.index()] - centre).as_dvec3();
            let mp = f64::from(m.mass) * p;
            angular += mp.cross(relative(m) - velocity.as_dvec3());
            second += DMat3::from_cols(mp * p.x, mp * p.y, mp * p.z);
        }
        let turn = momentum::turn_of(second, angular).as_vec3();
        *motion = Motion { centre, velocity, turn, part, paid: 0.0 };
        if owed(cluster) > 0.0 {
            let tremble = |m: &Member| {
                let i = m.node.index();
                let w = velocities[i] - mean - motion.at(positions[i]);
                let (w, pull) = (w.as_dvec3(), (displacements[i] * (alpha / h)).as_dvec3());
                f64::from(m.mass) * DVec2::new(w.length_squared(), w.dot(2.0 * w + pull))
            };
            let strength = if bulk.is_some() { rest.evenness(cluster) } else { 1.0 };
            let per_mass = f64::from(strength) * f64::from(alpha) / square(f64::from(h));
            let owed = f64::from(owed(cluster)) * per_mass;
            let (more, paid) = passivity::payment(owed, members.iter().map(tremble).sum());
            motion.part = 1.0 - (1.0 - part) * (1.0 - more as f32);
            motion.paid = (paid / per_mass) as f32;
        }
    });
    state.ledgers.iter_mut().zip(&scratch.motions).for_each(|(ledger, motion)| ledger.owed -= motion.paid);
    let motions = &scratch.motions;
    par::for_each_indexed(velocities, par::CHUNK, |i, v| {
        let change: Vec3 = rest
            .shares_of(i)
            .iter()
            .map(|s| {
                let motion = &motions[s.cluster.index()];
                s.share * motion.part * (motion.at(positions[i]) - (*v - mean))
            })
            .sum();
        *v += change;
    });
}

impl Motion {
    fn at(&self, x: Vec3) -> Vec3 {
        self.velocity + self.turn.cross(x - self.centre)
    }
}
