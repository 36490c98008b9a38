//! Regions whose rest shape gives way, \[SOG08\] §7: S enters the rotation, the goals and nothing else.
//!
//! One region at a time: few bodies yield, and most of their regions do not.

use super::{Constants, Fit, Moments};
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

/// Goals of the shape S q: T = [R S | c − R S q̄].
pub(super) fn shape_goals(
    moments: &mut [Moments],
    constants: &[Constants],
    fits: &[Fit],
    rotations: &[Quatx8],
    plastic: &[Mat3],
) {
    for (slot, s) in plastic.iter().enumerate().filter(|(_, s)| **s != Mat3::IDENTITY) {
        let (pack, lane) = (slot / LANES, slot % LANES);
        let constants = &constants[pack];
        let map = Mat3::from_quat(rotations[pack].get(lane)) * *s;
        let goal = fits[pack].centre.get(lane) - map * constants.middle.get(lane);
        let columns = [goal, map.x_axis, map.y_axis, map.z_axis];
        for (register, column) in moments[slot].iter_mut().zip(columns) {
            let column: Vec3 = column * (constants.weight.0[lane] * constants.strength.0[lane]);
            register.0[..3].copy_from_slice(&column.to_array());
        }
    }
}

/// One of eight symmetric matrices: xx, yy, zz, xy, yz, zx.
pub(super) fn symmetric([xx, yy, zz, xy, yz, zx]: &[crate::math::lanes::F32x8; 6], lane: usize) -> Mat3 {
    let of = |v: &crate::math::lanes::F32x8| v.0[lane];
    Mat3::from_cols_array(&[of(xx), of(xy), of(zx), of(xy), of(yy), of(yz), of(zx), of(yz), of(zz)])
}
