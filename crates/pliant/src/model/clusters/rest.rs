//! The clusters of the undeformed body, and the inverses that turn moments into maps.
//!
//! Based on \[MHTG05\] §4.2–4.3.
//!
//! Deviations:
//! - A_qq is a pseudo-inverse. Flat, line-like and single-point clusters have no linear map across themselves; there
//!   they keep the rigid one, and so never give NaN.
//! - Quadratic terms are divided by the cluster's radius, so that the 9×9 moment is well conditioned at any size, and
//!   centred: Σ m̃ qx² is not zero, so uncentred quadratic goals would add linear momentum.

use crate::geometry::Lists;
use crate::ids::NodeId;
use crate::math::pseudo_inverse;
use crate::nodes::NodeRest;
use crate::sampling::clustering::{Clustering, Memberships, Share};
use crate::sampling::particles::ParticleSettings;
use glam::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// A node in a cluster.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Member {
    /// Which node.
    pub node: NodeId,
    /// m̃: the share of the node's mass that this cluster has, in kg.
    pub mass: f32,
    /// q: the node's rest position relative to the cluster's rest centre.
    pub offset: Vec3,
}

/// The clusters of the undeformed body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rest {
    /// One name a cluster; empty for those found automatically.
    pub names: Vec<String>,
    /// The nodes of each cluster.
    pub members: Lists<Member>,
    /// The clusters of each node.
    pub shares: Lists<Share>,
    /// c⁰ of each cluster.
    pub centres: Vec<Vec3>,
    /// M̃ of each cluster in kg.
    pub masses: Vec<f32>,
    /// A_qq of each cluster, and the projector onto the directions it does not span.
    pub inverses: Vec<LinearRest>,
    /// What quadratic matching needs; `None` if the body does not use it.
    pub quadratic: Option<Vec<QuadraticRest>>,
    /// ⟨q²⟩ in m² of the smallest clusters that count: for them a modulus is turned into α. Smaller ones are softer.
    pub extent: f64,
    /// How particles were placed and divided, where a body was made from a mesh: pieces of it are made alike.
    pub recipe: Option<(ParticleSettings, Clustering)>,
}

/// A_qq of a cluster, and the projector onto the directions it does not span.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct LinearRest {
    /// Σ m̃ q qᵀ
    moment: Mat3,
    inverse: Mat3,
    unspanned: Mat3,
}

/// What quadratic matching needs of a cluster.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QuadraticRest {
    /// 1 / radius of the cluster.
    per_radius: f32,
    /// Mean of the six terms, subtracted from them.
    means: [f32; 6],
    /// Σ m̃ q̃ q̃ᵀ, by rows.
    moment: Vec<[f32; 9]>,
    /// Ã_qq, by rows.
    inverse: Vec<[f32; 9]>,
    /// The part of the linear offsets that the terms do not span, by rows.
    unspanned: Vec<[f32; 9]>,
}

/// Singular values below this part of the largest count as zero: at 1e-6 a cluster of 1 m is flat below 1 mm.
const FLAT: f64 = 1e-6;
/// ⟨q²⟩ of clusters that count, as part of the mean.
const SMALL: f64 = 0.25;
/// Signs of y and z at the corners whose x is positive.
const CORNERS: [[f32; 2]; 4] = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];

/// qx², qy², qz², qxqy, qyqz, qzqx, divided by the radius and centred.
pub(super) fn quadratic_terms(q: Vec3, of: &QuadraticRest) -> [f32; 6] {
    let mut terms = raw_terms(q, of.per_radius);
    terms.iter_mut().zip(of.means).for_each(|(term, mean)| *term -= mean);
    terms
}

fn raw_terms(q: Vec3, per_radius: f32) -> [f32; 6] {
    [q.x * q.x, q.y * q.y, q.z * q.z, q.x * q.y, q.y * q.z, q.z * q.x].map(|term| term * per_radius)
}

/// The gradients of the six terms at q.
pub(super) fn quadratic_gradient(q: Vec3, of: &QuadraticRest) -> [Vec3; 6] {
    [
        Vec3::new(2.0 * q.x, 0.0, 0.0),
        Vec3::new(0.0, 2.0 * q.y, 0.0),
        Vec3::new(0.0, 0.0, 2.0 * q.z),
        Vec3::new(q.y, q.x, 0.0),
        Vec3::new(0.0, q.z, q.y),
        Vec3::new(q.z, 0.0, q.x),
    ]
    .map(|gradient| gradient * of.per_radius)
}

impl Rest {
    /// Which clusters each node is in, as it was made from.
    pub fn memberships(&self) -> Memberships {
        let of_node = self.shares.iter().map(<[Share]>::to_vec).collect();
        Memberships { names: self.names.clone(), of_node }
    }

    /// Prepares clusters for matching.
    pub fn new(nodes: &NodeRest, memberships: &Memberships, quadratic: bool) -> Self {
        let mut rest = Self { names: memberships.names.clone(), ..Self::default() };
        rest.shares = memberships.of_node.iter().map(|shares| shares.iter().copied()).collect();
        let pairs = rest.shares.iter().zip(0_u32..).flat_map(|(shares, node)| {
            shares.iter().map(move |share| (share.cluster.0, (node, share.share)))
        });
        let of_cluster = Lists::from_pairs(rest.names.len(), pairs);
        let mut quadratics = Vec::new();
        for (cluster, members) in of_cluster.iter().enumerate() {
            let weighted = |&(node, share): &(u32, f32)| {
                (nodes.masses[node as usize] * share, nodes.rest_positions[node as usize])
            };
            let mass: f64 = members.iter().map(|m| f64::from(weighted(m).0)).sum();
            let sum = members.iter().map(weighted).map(|(m, x)| f64::from(m) * x.as_dvec3());
            let centre = (sum.sum::<glam::DVec3>() / mass).as_vec3();
            rest.members.push(members.iter().map(|m| {
                let (mass, position) = weighted(m);
                Member { node: NodeId(m.0), mass, offset: position - centre }
            }));
            let members = rest.members.of(cluster);
            rest.centres.push(centre);
            rest.masses.push(mass as f32);
            rest.inverses.push(LinearRest::new(members));
            if quadratic {
                quadratics.push(QuadraticRest::new(members, mass));
            }
        }
        rest.quadratic = quadratic.then_some(quadratics);
        let extents = (0..rest.len()).map(|cluster| rest.extent_of(cluster));
        let mean = extents.clone().sum::<f64>() / rest.len().max(1) as f64;
        rest.extent = extents.filter(|extent| *extent >= SMALL * mean).fold(f64::INFINITY, f64::min);
        rest
    }

    /// ⟨q²⟩ of a cluster in m².
    fn extent_of(&self, cluster: usize) -> f64 {
        f64::from(trace(self.inverses[cluster].moment)) / (3.0 * f64::from(self.masses[cluster]))
    }

    /// What a cluster pulls less because it is larger than others, so that all are of one material; at most 1.
    pub(super) fn evenness(&self, cluster: usize) -> f32 {
        (self.extent / self.extent_of(cluster)).min(1.0) as f32
    }

    /// H = 3 Q⁻¹ / tr Q⁻¹ of a cluster: how a change of volume is shared out among its directions; nothing for a flat one.
    pub(super) fn sharing(&self, cluster: usize) -> Mat3 {
        self.inverses[cluster].inverse * self.mean_moment(cluster)
    }

    /// q̄ = 3 / tr Q⁻¹ of a cluster in kg m², and none of a flat one.
    pub(super) fn mean_moment(&self, cluster: usize) -> f32 {
        let LinearRest { inverse, unspanned, .. } = self.inverses[cluster];
        if trace(unspanned) < 0.5 { 3.0 / trace(inverse) } else { 0.0 }
    }

    /// tr ε of a cluster's elastic strain.
    pub(super) fn trace_of_strain(&self, cluster: usize, moment: Mat3, rotation: Mat3, plastic: Mat3) -> f32 {
        let map = self.linear_map(cluster, moment, rotation * plastic) * plastic.inverse();
        trace(rotation.transpose() * map) - 3.0
    }

    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.masses.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.masses.is_empty()
    }

    /// The nodes of a cluster.
    pub fn members_of(&self, cluster: usize) -> &[Member] {
        self.members.of(cluster)
    }

    /// The clusters of a node.
    pub fn shares_of(&self, node: usize) -> &[Share] {
        self.shares.of(node)
    }

    /// A = A_pq A_qq, completed by `rigid` across flat clusters.
    pub(super) fn linear_map(&self, cluster: usize, moment: Mat3, rigid: Mat3) -> Mat3 {
        let of = &self.inverses[cluster];
        moment * of.inverse + rigid * of.unspanned
    }

    /// ½ Σ m̃ |E q|² of a map E with three linear and six quadratic columns.
    pub(super) fn half_square(&self, cluster: usize, map: &[Vec3; 9]) -> f32 {
        let of = &self.inverses[cluster];
        let linear = |r: usize| -> Vec3 { (0..3).map(|c| of.moment.col(c)[r] * map[c]).sum() };
        match &self.quadratic {
            None => 0.5 * (0..3).map(|r| map[r].dot(linear(r))).sum::<f32>(),
            Some(quadratic) => {
                let rows = quadratic[cluster].moment.iter().zip(map);
                let at =
                    |row: &[f32; 9]| -> Vec3 { row.iter().zip(map).map(|(&m, &column)| m * column).sum() };
                0.5 * rows.map(|(row, column)| column.dot(at(row))).sum::<f32>()
            }
        }
    }
}

fn trace(m: Mat3) -> f32 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

impl LinearRest {
    fn new(members: &[Member]) -> Self {
        let mut moment = [[0.0; 3]; 3];
        for m in members {
            let q = m.offset.to_array();
            for (row, a) in moment.iter_mut().zip(q) {
                for (entry, b) in row.iter_mut().zip(q) {
                    *entry += f64::from(m.mass) * f64::from(a) * f64::from(b);
                }
            }
        }
        let found = pseudo_inverse(moment, FLAT);
        let to_mat = |rows: [[f64; 3]; 3]| Mat3::from_cols_array_2d(&rows.map(|row| row.map(|v| v as f32)));
        Self {
            moment: to_mat(moment),
            inverse: to_mat(found.inverse),
            unspanned: Mat3::IDENTITY - to_mat(found.projector),
        }
    }
}

impl QuadraticRest {
    fn new(members: &[Member], mass: f64) -> Self {
        let radius = members.iter().map(|m| m.offset.length()).fold(0.0, f32::max);
        let per_radius = if radius > 0.0 { radius.recip() } else { 0.0 };
        let mut sums = [0.0_f64; 6];
        for m in members {
            let terms = raw_terms(m.offset, per_radius);
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += f64::from(m.mass) * f64::from(term));
        }
        let means = sums.map(|sum| (sum / mass) as f32);
        let mut of =
            Self { per_radius, means, moment: Vec::new(), inverse: Vec::new(), unspanned: Vec::new() };
        let mut moment = [[0.0; 9]; 9];
        for m in members {
            let (q, terms) = (m.offset.to_array(), quadratic_terms(m.offset, &of));
            let all: [f64; 9] = std::array::from_fn(|k| f64::from(if k < 3 { q[k] } else { terms[k - 3] }));
            for (row, a) in moment.iter_mut().zip(all) {
                for (entry, b) in row.iter_mut().zip(all) {
                    *entry += f64::from(m.mass) * a * b;
                }
            }
        }
        let found = pseudo_inverse(moment, FLAT);
        of.moment = moment.map(|row| row.map(|v| v as f32)).to_vec();
        of.inverse = found.inverse.map(|row| row.map(|v| v as f32)).to_vec();
        let identity = |r: usize, c: usize| if r == c { 1.0 } else { 0.0 };
        let unspanned = |r: usize, c: usize| identity(r, c) - found.projector[r][c] as f32;
        of.unspanned = (0..3).map(|r| std::array::from_fn(|c| unspanned(r, c))).collect();
        of
    }

    /// How much of a bend can be kept, in [0, 1], before the cluster folds: looked for at the ends of its axes and at the
    /// corners between them.
    pub(super) fn unfolded(&self, linear: Mat3, bend: &[Vec3; 6]) -> f32 {
        let determinant = |end: Vec3| {
            let gradients = quadratic_gradient(end, self);
            let at = bend.iter().zip(gradients).fold(linear, |map, (b, g)| map + super::fit::outer(*b, g));
            at.determinant()
        };
        let ends = (0..14).map(|i| {
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            match i / 2 {
                axis @ 0..3 => Vec3::AXES[axis] * sign,
                corner => Vec3::new(1.0, CORNERS[corner - 3][0], CORNERS[corner - 3][1]) * (sign * 0.577),
            }
        });
        let least = ends.map(|end| determinant(end / self.per_radius)).fold(f32::INFINITY, f32::min);
        // All of it while no place is squashed to less than a fifth of the whole, none from a tenth on.
        (least / linear.determinant() * 10.0 - 1.0).clamp(0.0, 1.0)
    }

    /// Ã = Ã_pq Ã_qq, completed by `rigid` where the cluster spans too little: linear part and quadratic columns.
    pub(super) fn map(&self, moment: Mat3, quadratic: &[Vec3; 6], rigid: Mat3) -> (Mat3, [Vec3; 6]) {
        let column = |k: usize| if k < 3 { moment.col(k) } else { quadratic[k - 3] };
        let mut all = [Vec3::ZERO; 9];
        for (k, row) in self.inverse.iter().enumerate() {
            let from = column(k);
            all.iter_mut().zip(row).for_each(|(to, &entry)| *to += from * entry);
        }
        for (k, row) in self.unspanned.iter().enumerate() {
            let from = rigid.col(k);
            all.iter_mut().zip(row).for_each(|(to, &entry)| *to += from * entry);
        }
        (Mat3::from_cols(all[0], all[1], all[2]), std::array::from_fn(|k| all[k + 3]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::fit::outer;
    use super::*;

    #[test]
    fn the_map_of_a_flat_cluster_is_the_fit_inside_and_rigid_across() {
        let corners = [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z];
        let members = corners.map(|offset| Member { node: NodeId(0), mass: 0.3, offset });
        let of = LinearRest::new(&members);
        let stretch = Mat3::from_diagonal(Vec3::new(2.0, 7.0, 0.5));
        let mut moment = Mat3::ZERO;
        members.iter().for_each(|m| moment += outer(m.mass * (stretch * m.offset), m.offset));
        let map = moment * of.inverse + Mat3::IDENTITY * of.unspanned;
        assert!(map.abs_diff_eq(Mat3::from_diagonal(Vec3::new(2.0, 1.0, 0.5)), 1e-5), "{map}");
    }
}
