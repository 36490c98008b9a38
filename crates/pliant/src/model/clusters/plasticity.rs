//! Deformation that stays.
//!
//! Based on \[MHTG05\] §4.4: each cluster has a plastic deformation S, its rest offsets are S q.
//!
//! Deviations: creep is a rate per second, bounded for any step; nothing creeps while a cluster is turned inside out; S
//! keeps its volume. The best linear map of offsets S q is A S⁻¹, so no moment is summed again when S changes.

use super::Clusters;
use crate::material::Plasticity;
use crate::par;
use glam::Mat3;

/// S ← (I + creep (RᵀA S⁻¹ − I)) S where the strain exceeds the yield strain.
pub fn creep(model: &mut Clusters, plasticity: &Plasticity, h: f32) {
    let Clusters { rest, state, scratch, .. } = model;
    state.plastic.resize(rest.len(), Mat3::IDENTITY);
    let part = -(-plasticity.creep_per_sec * h).exp_m1();
    let (fits, rotations) = (&scratch.fits, &state.rotations);
    par::for_each_indexed(&mut state.plastic, super::fit::GRAIN, |cluster, plastic| {
        let rotation = Mat3::from_quat(rotations[cluster]);
        let elastic = rest.linear_map(cluster, fits[cluster].moment, rotation * *plastic) * plastic.inverse();
        let strain = rotation.transpose() * elastic - Mat3::IDENTITY;
        if elastic.determinant() <= 0.0 || norm(strain) <= plasticity.yield_strain {
            return;
        }
        let next = bounded((Mat3::IDENTITY + strain * part) * *plastic, plasticity.max_strain);
        if next.determinant() > 0.0 && next.is_finite() {
            *plastic = next * next.determinant().cbrt().recip();
        }
    });
}

/// The deformation with its strain brought down to `max_strain`.
fn bounded(plastic: Mat3, max_strain: f32) -> Mat3 {
    let strain = plastic - Mat3::IDENTITY;
    let size = norm(strain);
    if size <= max_strain { plastic } else { Mat3::IDENTITY + strain * (max_strain / size) }
}

fn norm(a: Mat3) -> f32 {
    super::area::norm_squared(a).sqrt()
}
