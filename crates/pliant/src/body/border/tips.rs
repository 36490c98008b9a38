//! Where the facets of a node meet.

use super::{Facet, Tip};
use crate::math::functions::{acos, cos};
use glam::{Mat3, Vec3};

/// Cosine beyond which two facets face away from each other and have no corner.
pub(super) const NO_CORNER: f32 = -0.3;
/// The least cosine at which a tip and a facet face each other.
pub(super) const FACING: f32 = 0.05;
/// By how much more than its own normals a tip can turn to what it touches, in radians.
const LEAN: f32 = std::f32::consts::FRAC_PI_4;

impl Tip {
    /// In the middle of a face.
    pub(super) fn of_face(facet: &Facet) -> Self {
        Self { point: facet.point, normal: facet.normal, cone: cos(LEAN), cap: None }
    }
}

/// Whether the surface around a node turns inward somewhere.
pub(super) fn hollow(facets: &[Facet], size: f32) -> bool {
    let above = |a: &Facet, b: &Facet| (b.point - a.point).dot(a.normal) > 0.05 * size;
    facets.iter().any(|a| facets.iter().any(|b| above(a, b) && a.normal.dot(b.normal) > NO_CORNER))
}

/// The points where facets meet: one for each largest set of facets of which no two face away from each other.
pub(super) fn tips(facets: &[Facet], hollow: bool, cell: Option<f32>) -> Vec<Tip> {
    if hollow {
        return facets.iter().map(Tip::of_face).collect();
    }
    let count = facets.len();
    let meet = |a: usize, b: usize| facets[a].normal.dot(facets[b].normal) > NO_CORNER;
    let is_set = |set: usize| {
        let members = |set: usize| (0..count).filter(move |k| set >> k & 1 == 1);
        members(set).all(|a| members(set).all(|b| a == b || meet(a, b)))
    };
    let mut sets: Vec<usize> = (1..1_usize << count).filter(|&set| is_set(set)).collect();
    let all = sets.clone();
    sets.retain(|&set| !all.iter().any(|&other| other != set && other & set == set));
    let tip = |set: usize| {
        let members = || (0..count).filter(move |k| set >> k & 1 == 1).map(|k| &facets[k]);
        let normal = members().map(|facet| facet.normal).sum::<Vec3>().normalize_or_zero();
        let mean = members().map(|facet| facet.point).sum::<Vec3>() / members().count() as f32;
        // On all of them, and no farther from their mean than that needs.
        let (mut matrix, mut right) = (Mat3::IDENTITY * 1e-3, Vec3::ZERO);
        for facet in members() {
            let n = facet.normal;
            matrix += Mat3::from_cols(n * n.x, n * n.y, n * n.z);
            right += n * n.dot(facet.point - mean);
        }
        let widest =
            acos(members().map(|facet| facet.normal.dot(normal)).fold(1.0, f32::min).clamp(-1.0, 1.0));
        let cone = cos(widest + LEAN).max(FACING);
        Tip { point: mean + matrix.inverse() * right, normal, cone, cap: None }
    };
    let mut found: Vec<Tip> = sets.iter().map(|&set| tip(set)).collect();
    // Two edges that cross meet anywhere along them: there are tips beside a corner too, and half-way to the next node.
    let Some(size) = cell else { return found };
    for edge in all.iter().copied().filter(|edge| edge.count_ones() == 2) {
        let [a, b] = [edge.trailing_zeros(), usize::BITS - 1 - edge.leading_zeros()]
            .map(|k| facets[k as usize].normal);
        let tip = tip(edge);
        let along = a.cross(b).normalize_or_zero();
        let corner: usize = sets.iter().filter(|&&set| set & edge == edge).fold(0, |all, set| all | set);
        let beyond = |k: usize| (corner & !edge) >> k & 1 == 1 && facets[k].normal.dot(along) > 0.0;
        if corner != edge {
            found.push(tip);
        }
        if !(0..count).any(beyond) {
            found.push(Tip { point: tip.point + along * (0.5 * size), ..tip });
        }
    }
    found
}
