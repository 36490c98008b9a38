//! Regions whose rest shape gives way, \[SOG08\] §7: S enters the rotation, the goals and nothing else.
//!
//! One region at a time: few bodies yield, and most of their regions do not.

use super::{Constants, Fit, Moments, Pull, hooke};
use crate::material::Plasticity;
use crate::math::lanes::LANES;
use crate::math::{Mat3x8, Quatx8};
use crate::model::creep;
use glam::{Mat3, Vec3};

/// A ← A Sᵀ, of which R is the rotation.
pub(super) fn rotate_with(moments: &mut [Mat3x8], plastic: &[Mat3]) {
    for (slot, s) in plastic.iter().enumerate().filter(|(_, s)| **s != Mat3::IDENTITY) {
        let pack = &mut moments[slot / LANES];
        pack.set(slot % LANES, pack.get(slot % LANES) * s.transpose());
    }
}

/// F ← F S⁻¹, of which R is the rotation.
pub(super) fn without(maps: &mut [Mat3x8], plastic: &[Mat3]) {
    for (slot, s) in plastic.iter().enumerate().filter(|(_, s)| **s != Mat3::IDENTITY) {
        let pack = &mut maps[slot / LANES];
        pack.set(slot % LANES, pack.get(slot % LANES) * s.inverse());
    }
}

/// S of each region that is strained beyond what it can bear.
pub(super) fn creep(
    fits: &[Fit],
    constants: &[Constants],
    rotations: &[Quatx8],
    plastic: &mut [Mat3],
    plasticity: &Plasticity,
    h: f32,
) {
    for (slot, s) in plastic.iter_mut().enumerate() {
        let (pack, lane) = (slot / LANES, slot % LANES);
        if constants[pack].inverse_trace.0[lane] <= 0.0 {
            continue;
        }
        let rotation = Mat3::from_quat(rotations[pack].get(lane));
        let linear = fits[pack].moment.get(lane) * symmetric(&constants[pack].inverse_second, lane);
        let guessed = rotation * *s * symmetric(&constants[pack].unknown, lane);
        *s = creep::yielded(rotation.transpose() * (linear + guessed), *s, plasticity, h);
    }
}

/// Goals of the shape S q: T = [R S | c − R S q̄], and those of [`hooke`] with R S in place of R.
pub(super) fn shape_goals(
    moments: &mut [Moments],
    constants: &[Constants],
    fits: &[Fit],
    rotations: &[Quatx8],
    plastic: &[Mat3],
    pull: &Pull,
) {
    for (slot, s) in plastic.iter().enumerate().filter(|(_, s)| **s != Mat3::IDENTITY) {
        let (pack, lane) = (slot / LANES, slot % LANES);
        let constants = &constants[pack];
        let rotation = Mat3::from_quat(rotations[pack].get(lane));
        let mut map = rotation * *s;
        let mut strength = constants.strength.0[lane];
        if let Some(bulk) = pull.bulk {
            let [inverse, unknown] =
                [&constants.inverse_second, &constants.unknown].map(|six| symmetric(six, lane));
            let linear = fits[pack].moment.get(lane) * inverse + map * unknown;
            let strain = trace(rotation.transpose() * linear * s.inverse()) - 3.0;
            let off = map * (1.0 - hooke::yielding(strain, bulk)) - linear;
            map = linear + off * inverse * (constants.modulus.0[lane] / hooke::NOT_LINEAR);
            strength = hooke::NOT_LINEAR;
        }
        let goal = fits[pack].centre.get(lane) - map * constants.middle.get(lane);
        let columns = [goal, map.x_axis, map.y_axis, map.z_axis];
        for (register, column) in moments[slot].iter_mut().zip(columns) {
            let column: Vec3 = column * (constants.weight.0[lane] * strength);
            register.0[..3].copy_from_slice(&column.to_array());
        }
    }
}

fn trace(m: Mat3) -> f32 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

/// One of eight symmetric matrices: xx, yy, zz, xy, yz, zx.
pub(super) fn symmetric([xx, yy, zz, xy, yz, zx]: &[crate::math::lanes::F32x8; 6], lane: usize) -> Mat3 {
    let of = |v: &crate::math::lanes::F32x8| v.0[lane];
    Mat3::from_cols_array(&[of(xx), of(xy), of(zx), of(xy), of(yy), of(yz), of(zx), of(yz), of(zz)])
}
