//! From the fit of a cluster to the goals of its nodes.
//!
//! Based on \[MHTG05\] §4.2–4.3 and \[HW08\] §3.
//!
//! Quadratic goals keep the same limits on their linear part; their quadratic part is scaled along, and fades out as a
//! cluster nears inversion or a fold in itself.

use super::rest::{QuadraticRest, Rest, quadratic_gradient, quadratic_terms};
use super::{CapMethod, Clusters, GoalSettings, Matching, inversion};
use crate::material::Elasticity;
use crate::math::functions::cbrt;
use crate::model::regions::hooke;
use crate::nodes::{NodeRest, NodeState};
use crate::par;
use crate::sampling::clustering::Share;
use glam::{Mat3, Vec3};

/// g = linear · q + quadratic · q̃ + centre
#[derive(Clone, Copy, Debug, Default)]
pub struct Map {
    /// c
    pub centre: Vec3,
    /// F
    pub linear: Mat3,
    /// Columns for the six quadratic terms.
    pub quadratic: [Vec3; 6],
    /// What the limits added to `linear` and `quadratic`, if they did.
    pub limits: Option<(Mat3, [Vec3; 6])>,
}

/// The map of every cluster.
pub fn maps(model: &mut Clusters, elasticity: &Elasticity) {
    let (beta, bulk) = (elasticity.beta_or_default(), elasticity.bulk());
    let Clusters { settings, rest, state, scratch } = model;
    scratch.maps.resize(rest.len(), Map::default());
    let fits = &scratch.fits;
    let quadratic = rest.quadratic.as_deref().filter(|_| settings.matching == Matching::Quadratic);
    par::for_each_indexed(&mut scratch.maps, super::fit::GRAIN, |cluster, map| {
        let fit = &fits[cluster];
        let mut rotation = Mat3::from_quat(state.rotations[cluster]);
        let plastic = state.plastic.get(cluster).copied().unwrap_or(Mat3::IDENTITY);
        if bulk > 0.0 {
            let by = hooke::yielding(rest.trace_of_strain(cluster, fit.moment, rotation, plastic), bulk);
            rotation *= Mat3::IDENTITY - rest.sharing(cluster) * by;
        }
        let rigid = rotation * plastic;
        let stiff = Map { centre: fit.centre, linear: rigid, ..Map::default() };
        *map = stiff;
        if settings.matching == Matching::Rigid || beta == 0.0 {
            return;
        }
        let bends = quadratic.map(|quadratic| &quadratic[cluster]);
        let (mut a, bend) = match bends {
            Some(of) => of.map(fit.moment, &fit.quadratic, rigid),
            None => (rest.linear_map(cluster, fit.moment, rigid), [Vec3::ZERO; 6]),
        };
        if !plastic.abs_diff_eq(Mat3::IDENTITY, 0.0) {
            a *= plastic.inverse();
        }
        let mut limited = limit(a, rotation, settings, elasticity.alpha().is_some());
        if let Some(of) = bends {
            let kept = of.unfolded(limited.a * plastic, &bend.map(|column| column * limited.bend));
            limited.bend *= kept;
            limited.turns |= kept < 1.0;
        }
        let blend = |a: Mat3| a * beta + rotation * (1.0 - beta);
        let unlimited = (blend(a) * plastic, bend.map(|column| column * beta));
        map.linear = blend(limited.a) * plastic;
        map.quadratic = unlimited.1.map(|column| column * limited.bend);
        if limited.turns {
            let turn = inversion::without_torque(fit, map);
            // The turn has mixed the rows. All of them shrunk alike leaves the goals without torque.
            let cap = settings.area_cap.filter(|cap| cap.method == CapMethod::Rows);
            let scale = cap.map_or(1.0, |cap| cap.scale_for_rows(turn * blend(limited.a)));
            map.linear = turn * map.linear * scale;
            map.quadratic = map.quadratic.map(|column| turn * column * scale);
        }
        if limited.a != a || limited.bend != 1.0 {
            let bend = std::array::from_fn(|k| map.quadratic[k] - unlimited.1[k]);
            map.limits = Some((map.linear - unlimited.0, bend));
        }
        if !map.is_finite() {
            *map = stiff;
        }
    });
}

struct Limited {
    a: Mat3,
    /// Factor of the quadratic part.
    bend: f32,
    /// The limits may have left a torque.
    turns: bool,
}

/// A the right way round, of the rest volume unless Poisson's ratio says how that is kept, under the cap.
fn limit(a: Mat3, rotation: Mat3, settings: &GoalSettings, keeps_volume: bool) -> Limited {
    let mut limited = Limited { a, bend: 1.0, turns: false };
    if let Some(clamped) = inversion::right_way_round(a, settings.min_stretch) {
        limited = Limited { a: clamped, bend: 0.0, turns: true };
    } else {
        let squash = a.determinant() / (0.5 * super::area::norm_squared(a)).max(f32::MIN_POSITIVE);
        limited.bend = ((squash - settings.min_stretch) / settings.min_stretch).clamp(0.0, 1.0);
        limited.turns = limited.bend < 1.0;
    }
    if settings.preserve_volume && keeps_volume {
        let scale = cbrt(limited.a.determinant()).recip();
        limited.a *= scale;
        limited.bend *= scale;
    }
    if let Some(cap) = &settings.area_cap {
        let (capped, gamma) = cap.apply(limited.a, rotation);
        limited.turns |= cap.method == CapMethod::Rows && capped != limited.a;
        limited.a = capped;
        limited.bend *= gamma;
    }
    limited
}

/// g − x of every node.
pub fn scatter(model: &mut Clusters, rest: &NodeRest, nodes: &NodeState, elasticity: &Elasticity) {
    let Clusters { rest: clusters, scratch, settings, .. } = model;
    let super::Scratch { maps, displacements, .. } = scratch;
    displacements.resize(nodes.positions.len(), Vec3::ZERO);
    let quadratic = clusters.quadratic.as_deref().filter(|_| settings.matching == Matching::Quadratic);
    if elasticity.alpha().is_some() {
        par::for_each_indexed(displacements, par::CHUNK, |i, displacement| {
            let goal = |s: &Share| {
                let cluster = s.cluster.index();
                let q = rest.rest_positions[i] - clusters.centres[cluster];
                s.share * maps[cluster].goal(q, quadratic, cluster)
            };
            *displacement = clusters.shares_of(i).iter().map(goal).sum::<Vec3>() - nodes.positions[i];
        });
    } else {
        // Larger clusters pull less, so that all are of one material.
        par::for_each_indexed(displacements, par::CHUNK, |i, displacement| {
            let pull = |s: &Share| {
                let cluster = s.cluster.index();
                let q = rest.rest_positions[i] - clusters.centres[cluster];
                let away = maps[cluster].goal(q, quadratic, cluster) - nodes.positions[i];
                s.share * clusters.evenness(cluster) * away
            };
            *displacement = clusters.shares_of(i).iter().map(pull).sum();
        });
    }
}

/// The linear part of a node's goal map.
pub fn node_map(model: &Clusters, rest: &NodeRest, node: usize) -> Mat3 {
    let Clusters { rest: clusters, scratch, settings, .. } = model;
    let quadratic = clusters.quadratic.as_deref().filter(|_| settings.matching == Matching::Quadratic);
    let mut map = Mat3::ZERO;
    for s in clusters.shares_of(node) {
        let cluster = s.cluster.index();
        let q = rest.rest_positions[node] - clusters.centres[cluster];
        map += scratch.maps[cluster].gradient(q, quadratic, cluster) * s.share;
    }
    map
}

/// β times what the limits of a cluster store, for a spring of 1 kg/s² a kg; see [`passivity`](super::passivity).
pub(super) fn limits_store(rest: &Rest, cluster: usize, map: &Map) -> f32 {
    map.limits.map_or(0.0, |(linear, bend)| {
        rest.half_square(cluster, &std::array::from_fn(|k| if k < 3 { linear.col(k) } else { bend[k - 3] }))
    })
}

impl Map {
    fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.quadratic.iter().all(|column| column.is_finite())
    }

    /// The same without what the limits added.
    pub(super) fn without_limits(&self) -> Self {
        let Some((linear, bend)) = self.limits else { return *self };
        let quadratic = std::array::from_fn(|k| self.quadratic[k] - bend[k]);
        Self { linear: self.linear - linear, quadratic, limits: None, ..*self }
    }

    #[inline(always)]
    pub(super) fn goal(&self, q: Vec3, quadratic: Option<&[QuadraticRest]>, cluster: usize) -> Vec3 {
        let mut goal = self.linear * q + self.centre;
        if let Some(of) = quadratic {
            for (column, term) in self.quadratic.iter().zip(quadratic_terms(q, &of[cluster])) {
                goal += *column * term;
            }
        }
        goal
    }

    fn gradient(&self, q: Vec3, quadratic: Option<&[QuadraticRest]>, cluster: usize) -> Mat3 {
        let mut gradient = self.linear;
        if let Some(of) = quadratic {
            for (column, term) in self.quadratic.iter().zip(quadratic_gradient(q, &of[cluster])) {
                gradient += super::fit::outer(*column, term);
            }
        }
        gradient
    }
}
