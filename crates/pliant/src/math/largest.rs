//! The largest of many coordinates.

use crate::par;
use glam::Vec3;
use std::ops::Range;

/// The largest absolute value of all coordinates; NaN or infinity if one is not finite.
///
/// By their bits, which compare like absolute values: unlike floats, whole numbers are compared several at a time.
pub fn largest_coordinate(vectors: &[Vec3]) -> f32 {
    let bits = |v: f32| v.to_bits() & 0x7fff_ffff;
    let largest = |range: Range<usize>| {
        let [x, y, z] = vectors[range].iter().fold([0_u32; 3], |most, v| {
            [most[0].max(bits(v.x)), most[1].max(bits(v.y)), most[2].max(bits(v.z))]
        });
        x.max(y).max(z)
    };
    f32::from_bits(par::reduce(0..vectors.len(), &largest, &u32::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_coordinate_has_any_sign_and_nan_beats_all() {
        assert_eq!(largest_coordinate(&[]), 0.0);
        assert_eq!(largest_coordinate(&[Vec3::new(1.0, -3.0, 2.0), Vec3::new(0.5, 2.5, -0.0)]), 3.0);
        assert_eq!(largest_coordinate(&[Vec3::ONE, Vec3::new(0.0, f32::NEG_INFINITY, 1.0)]), f32::INFINITY);
        assert!(largest_coordinate(&[Vec3::new(f32::INFINITY, f32::NAN, 1.0)]).is_nan());
    }
}
