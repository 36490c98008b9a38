//! Colours: files of text formats hold sRGB, Pliant holds linear light.

use pliant::math::functions::pow;

/// One sRGB channel, 0 … 1, as linear light.
pub(crate) fn to_linear(srgb: f32) -> f32 {
    let c = if srgb.is_finite() { srgb.clamp(0.0, 1.0) } else { 0.0 };
    if c <= 0.040_45 { c / 12.92 } else { pow((c + 0.055) / 1.055, 2.4) }
}

/// One channel of linear light as sRGB, 0 … 1.
pub(crate) fn to_srgb(linear: f32) -> f32 {
    let c = if linear.is_finite() { linear.clamp(0.0, 1.0) } else { 0.0 };
    if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * pow(c, 1.0 / 2.4) - 0.055 }
}

/// sRGB and plain alpha to linear RGBA.
pub(crate) fn linear_rgba([r, g, b, a]: [f32; 4]) -> [f32; 4] {
    let a = if a.is_finite() { a.clamp(0.0, 1.0) } else { 1.0 };
    [to_linear(r), to_linear(g), to_linear(b), a]
}

/// Linear RGBA to sRGB bytes and plain alpha.
pub(crate) fn srgb_bytes([r, g, b, a]: [f32; 4]) -> [u8; 4] {
    let byte = |c: f32| (c * 255.0).round() as u8;
    [byte(to_srgb(r)), byte(to_srgb(g)), byte(to_srgb(b)), byte(a.clamp(0.0, 1.0))]
}
