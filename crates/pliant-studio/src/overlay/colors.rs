//! The colours of overlays, for drawings and their legends. All are linear.

use crate::BODY_COLORS;
use crate::linear_from_srgb;

/// Colour of nodes that are pinned.
pub const PINNED_COLOR: [f32; 3] = [0.80, 0.02, 0.02];
/// Colour of contacts.
pub const CONTACT_COLOR: [f32; 3] = [0.85, 0.10, 0.0];
/// Strain that has the last colour of [`strain_color`], and all that is more.
pub const FULL_STRAIN: f32 = 0.3;

/// Colour of cells of a level: 0 is the finest. The last one goes for all that are coarser.
pub fn level_color(level: u32) -> [f32; 3] {
    const LEVELS: [[u8; 3]; 6] = [
        [200, 40, 60],  // red
        [222, 124, 10], // orange
        [32, 140, 76],  // green
        [20, 100, 190], // blue
        [112, 62, 178], // violet
        [70, 74, 84],   // slate
    ];
    linear_from_srgb(LEVELS[(level as usize).min(LEVELS.len() - 1)])
}

/// Colour of a strain: blue where there is none, by white at a quarter of [`FULL_STRAIN`], to red at all of it. It goes with the
/// square root, so that small strains are seen beside large ones; and as both ends are as dark, it is not taken for light and
/// shadow.
pub fn strain_color(strain: f32) -> [f32; 3] {
    const STOPS: [[u8; 3]; 7] = [
        [66, 92, 206],
        [112, 146, 238],
        [166, 192, 250],
        [226, 222, 220],
        [246, 178, 146],
        [226, 106, 84],
        [184, 14, 44],
    ];
    ramp(&STOPS, (strain / FULL_STRAIN).sqrt())
}

/// Colour of a member of a region by its distance from the region's node, as a share of the farthest: from yellow by green to
/// violet.
pub fn distance_color(share: f32) -> [f32; 3] {
    const STOPS: [[u8; 3]; 5] =
        [[250, 214, 30], [104, 196, 90], [30, 146, 142], [52, 90, 146], [72, 24, 104]];
    ramp(&STOPS, share)
}

/// Colour of the particles of a cluster; the first ten are those of bodies, then they come again, darker and lighter.
pub fn cluster_color(cluster: usize) -> [f32; 3] {
    let [r, g, b] = linear_from_srgb(BODY_COLORS[cluster % BODY_COLORS.len()]);
    match cluster / BODY_COLORS.len() % 3 {
        0 => [r, g, b],
        1 => [r, g, b].map(|c| 0.35 * c),
        _ => [r, g, b].map(|c| 0.5 + 0.5 * c),
    }
}

/// The colour at `t` from 0 to 1 along evenly spaced sRGB stops; NaN is 0.
fn ramp<const N: usize>(stops: &[[u8; 3]; N], t: f32) -> [f32; 3] {
    let at = if t > 0.0 { t.min(1.0) } else { 0.0 } * (N - 1) as f32;
    let first = (at as usize).min(N - 2);
    let part = at - first as f32;
    let (from, to) = (linear_from_srgb(stops[first]), linear_from_srgb(stops[first + 1]));
    // In this form both ends are exact.
    std::array::from_fn(|k| from[k] * (1.0 - part) + to[k] * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramps_begin_and_end_where_they_should_and_survive_anything() {
        assert_eq!(strain_color(0.0), linear_from_srgb([66, 92, 206]));
        assert_eq!(strain_color(FULL_STRAIN), linear_from_srgb([184, 14, 44]));
        assert_eq!(strain_color(1e9), strain_color(FULL_STRAIN));
        assert_eq!(strain_color(f32::NAN), strain_color(0.0));
        assert_eq!(distance_color(-1.0), distance_color(0.0));
        let mut seen = Vec::new();
        for level in 0..6 {
            assert!(!seen.contains(&level_color(level)));
            seen.push(level_color(level));
        }
        assert_eq!(level_color(99), level_color(5));
    }
}
