//! Colours that go well together.

use pliant::glam::Vec3A;
use std::sync::LazyLock;

/// Body colours as sRGB bytes: distinct, of similar lightness, pleasant on a light floor.
pub const BODY_COLORS: [[u8; 3]; 10] = [
    [226, 78, 66],   // raspberry
    [58, 146, 214],  // sky
    [244, 172, 54],  // mango
    [70, 178, 112],  // mint
    [150, 98, 204],  // grape
    [238, 118, 156], // rose
    [50, 176, 178],  // lagoon
    [238, 132, 60],  // tangerine
    [152, 186, 62],  // lime
    [98, 112, 206],  // iris
];

/// Linear colour of things that do not deform: floors, boxes, balls.
pub const COLLIDER_COLOR: [f32; 3] = [0.36, 0.38, 0.42];

/// Linear colour of the `index`-th body of a scene; starts again after the last.
pub fn body_color(index: usize) -> [f32; 3] {
    linear_from_srgb(BODY_COLORS[index % BODY_COLORS.len()])
}

/// Linear RGB of an sRGB colour.
pub fn linear_from_srgb(srgb: [u8; 3]) -> [f32; 3] {
    srgb.map(|c| {
        let c = f32::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    })
}

/// sRGB of linear light, both from 0 to 1.
pub(crate) fn srgb_from_linear(c: f32) -> f32 {
    if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// Linear light to sRGB bytes through a table.
pub(crate) struct SrgbEncoder {
    table: Vec<u8>,
}

impl SrgbEncoder {
    /// Steps of linear light; below one byte step even in the darkest part of the curve.
    const STEPS: usize = 8192;

    /// The one table.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<SrgbEncoder> = LazyLock::new(SrgbEncoder::new);
        &SHARED
    }

    fn new() -> Self {
        let encode = |i: usize| {
            let s = srgb_from_linear(i as f32 / Self::STEPS as f32);
            (s * 255.0 + 0.5) as u8
        };
        Self { table: (0..=Self::STEPS).map(encode).collect() }
    }

    /// The bytes of a linear colour.
    #[inline]
    pub fn bytes(&self, color: Vec3A) -> [u8; 3] {
        let [r, g, b] = color.to_array();
        [self.encode(r), self.encode(g), self.encode(b)]
    }

    /// The byte for a linear value; NaN gives 0.
    #[inline]
    pub fn encode(&self, c: f32) -> u8 {
        self.table[(c.clamp(0.0, 1.0) * Self::STEPS as f32 + 0.5) as i32 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn srgb_bytes_survive_the_way_there_and_back() {
        let encoder = SrgbEncoder::new();
        for byte in 0..=255 {
            assert_eq!(encoder.encode(linear_from_srgb([byte; 3])[0]), byte);
        }
        assert_eq!(encoder.encode(f32::NAN), 0);
    }
}
