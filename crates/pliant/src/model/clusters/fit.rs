//! The moments of each cluster and the rotation in them.
//!
//! Based on \[MHTG05\] §3.3. Centres first, moments about them second: `Σ m x qᵀ − M c c⁰ᵀ` in one pass would lose the
//! cluster's shape to cancellation in bodies much larger than a cluster.

use super::Clusters;
use super::rest::quadratic_terms;
use crate::math;
use crate::nodes::NodeState;
use crate::par;
use glam::{Mat3, Vec3};

/// Sums over one cluster.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fit {
    /// c, relative to the body's origin.
    pub centre: Vec3,
    /// A_pq = Σ m̃ p qᵀ.
    pub moment: Mat3,
    /// Σ m̃ p q̃ᵀ of the six centred quadratic terms, as columns.
    pub quadratic: [Vec3; 6],
}

/// Clusters a task takes at a time.
pub(super) const GRAIN: usize = 8;

/// Centre and moments of every cluster.
pub fn gather(model: &mut Clusters, nodes: &NodeState) {
    let Clusters { rest, scratch, .. } = model;
    scratch.fits.resize(rest.len(), Fit::default());
    let positions = &nodes.positions;
    par::for_each_indexed(&mut scratch.fits, GRAIN, |cluster, fit| {
        let members = rest.members_of(cluster);
        let sum: Vec3 = members.iter().map(|m| m.mass * positions[m.node.index()]).sum();
        fit.centre = sum / rest.masses[cluster];
        let offset = |node: usize| positions[node] - fit.centre;
        fit.moment = Mat3::ZERO;
        for m in members {
            fit.moment += outer(m.mass * offset(m.node.index()), m.offset);
        }
        if let Some(quadratic) = &rest.quadratic {
            let of = &quadratic[cluster];
            fit.quadratic = [Vec3::ZERO; 6];
            for m in members {
                let (mp, terms) = (m.mass * offset(m.node.index()), quadratic_terms(m.offset, of));
                for (column, term) in fit.quadratic.iter_mut().zip(terms) {
                    *column += mp * term;
                }
            }
        }
    });
}

/// R of every cluster, from the rotation of the step before.
pub fn rotations(model: &mut Clusters) {
    let Clusters { scratch, state, .. } = model;
    scratch.moments.clear();
    scratch.moments.extend(scratch.fits.iter().map(|fit| fit.moment));
    for (moment, plastic) in scratch.moments.iter_mut().zip(&state.plastic) {
        *moment *= plastic.transpose();
    }
    math::rotations_warm(&scratch.moments, &mut state.rotations);
}

/// a bᵀ
pub(super) fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}
