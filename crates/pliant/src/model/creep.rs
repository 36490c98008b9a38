//! A rest shape that gives way.
//!
//! Based on \[MHTG05\] §4.4: what is matched as one has a plastic deformation S, its rest offsets are S q.
//!
//! Deviations: creep is a rate per second, bounded for any step; nothing creeps while the shape is turned inside out; S keeps
//! its volume. The best linear map of offsets S q is F S⁻¹, so no moment is summed again when S changes.

use crate::material::Plasticity;
use crate::math::functions::{cbrt, exp_m1};
use glam::Mat3;

/// S ← (I + creep (U S⁻¹ − I)) S where the strain of U S⁻¹ exceeds the yield strain; `stretch` is U = RᵀF.
pub fn yielded(stretch: Mat3, plastic: Mat3, plasticity: &Plasticity, h: f32) -> Mat3 {
    let elastic = stretch * plastic.inverse();
    let strain = elastic - Mat3::IDENTITY;
    // Also when it is not a number.
    if !(elastic.determinant() > 0.0 && norm(strain) > plasticity.yield_strain) {
        return plastic;
    }
    let part = -exp_m1(-plasticity.creep_per_sec * h);
    let next = bounded((Mat3::IDENTITY + strain * part) * plastic, plasticity.max_strain);
    if next.determinant() > 0.0 && next.is_finite() {
        next * cbrt(next.determinant()).recip()
    } else {
        plastic
    }
}

/// The deformation with its strain brought down to `max_strain`.
fn bounded(plastic: Mat3, max_strain: f32) -> Mat3 {
    let strain = plastic - Mat3::IDENTITY;
    let size = norm(strain);
    if size <= max_strain { plastic } else { Mat3::IDENTITY + strain * (max_strain / size) }
}

fn norm(a: Mat3) -> f32 {
    let [x, y, z] = [a.x_axis, a.y_axis, a.z_axis].map(|axis| axis.length_squared());
    (x + y + z).sqrt()
}
