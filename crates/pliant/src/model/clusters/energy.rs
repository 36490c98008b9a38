//! The potential of clusters.
//!
//! The pull to β A + (1 − β) R is the gradient of ½ Σ m̃ (β |p − A q|² + (1 − β) |p − R q|²) times α/h², summed per cluster before
//! goals are averaged. What the limits of \[HW08\] §3 store is added, see [`passivity`](super::passivity). For quadratic goals A q
//! is Ã q̃, and with plasticity q is S q.
//!
//! What a change of volume stores, where there is a Poisson's ratio, is the rigid part's: see [`hooke`].
//!
//! By the law of the variance the two squares are |p − F q|² + (1 − β)/β |F q − R q|² with F the blend of both.

use super::goal::{Map, limits_store};
use super::{Clusters, Matching};
use crate::material::{Elasticity, Material};
use crate::model::regions::hooke;
use crate::nodes::{NodeRest, NodeState};
use glam::{DMat3, DQuat, DVec3, Mat3, Quat};

/// The potential for α/h² = 1.
pub fn potential(model: &Clusters, rest: &NodeRest, nodes: &NodeState, material: &Material) -> f64 {
    let mut now = model.clone();
    super::refresh(&mut now, rest, nodes, material);
    (0..now.rest.len())
        .map(|cluster| {
            let strength =
                if material.elasticity.alpha().is_none() { now.rest.evenness(cluster) } else { 1.0 };
            f64::from(strength) * of_cluster(&now, cluster, nodes, &material.elasticity)
        })
        .sum()
}

fn of_cluster(model: &Clusters, cluster: usize, nodes: &NodeState, elasticity: &Elasticity) -> f64 {
    let (beta, bulk) = (elasticity.beta_or_default(), elasticity.bulk());
    let (rest, map) = (&model.rest, &model.scratch.maps[cluster]);
    let bends = rest.quadratic.as_deref().filter(|_| model.settings.matching == Matching::Quadratic);
    let plastic = model.state.plastic.get(cluster).copied().unwrap_or(Mat3::IDENTITY);
    let rigid = exactly(model.scratch.rotations[cluster]) * plastic.as_dmat3();
    let soft = model.settings.matching != Matching::Rigid && beta > 0.0;
    let part = f64::from(model.rigid_part(elasticity));
    let (yielding, of_volume) = if bulk > 0.0 {
        let (rotation, moment) =
            (Mat3::from_quat(model.scratch.rotations[cluster]), model.scratch.fits[cluster].moment);
        let strain = rest.trace_of_strain(cluster, moment, rotation, plastic);
        let by = part * f64::from(hooke::yielding(strain, bulk));
        let stored = f64::from(rest.mean_moment(cluster)) * hooke::stored(strain.into(), bulk.into());
        (
            exactly(model.scratch.rotations[cluster])
                * rest.sharing(cluster).as_dmat3()
                * plastic.as_dmat3()
                * by,
            0.5 * part * stored,
        )
    } else {
        (DMat3::ZERO, 0.0)
    };
    let members = rest.members_of(cluster);
    let mass: f64 = members.iter().map(|m| f64::from(m.mass)).sum();
    let at = |node: usize| nodes.positions[node].as_dvec3();
    let center = members.iter().map(|m| f64::from(m.mass) * at(m.node.index())).sum::<DVec3>() / mass;
    // The blend without limits, and without what gives way to a change of volume.
    let free = map.without_limits();
    let spread = if soft { f64::from((1.0 - beta) / beta) } else { 0.0 };
    let mut sum = 0.0;
    for member in members {
        let (p, q) = (at(member.node.index()) - center, member.offset.as_dvec3());
        let stiff = rigid * q;
        let blend = if soft { blended(&free, member.offset, bends, cluster) + yielding * q } else { stiff };
        sum += f64::from(member.mass)
            * ((p - blend).length_squared() + spread * (blend - stiff).length_squared());
    }
    let stored = if soft { f64::from(limits_store(rest, cluster, map)) / f64::from(beta) } else { 0.0 };
    0.5 * sum + stored + of_volume
}

/// F q
fn blended(map: &Map, q: glam::Vec3, bends: Option<&[super::rest::QuadraticRest]>, cluster: usize) -> DVec3 {
    (map.goal(q, bends, cluster) - map.centre).as_dvec3()
}

/// Exactly a rotation: what is missing of its length would count as strain.
fn exactly(rotation: Quat) -> DMat3 {
    let [x, y, z, w] = rotation.to_array().map(f64::from);
    DMat3::from_quat(DQuat::from_xyzw(x, y, z, w).normalize())
}
