//! The shadows on the floor: two blurred copies of the outline of all bodies as the light sees them, the sharper one for where
//! the body that throws the shadow is near; and the dim light below bodies that nearly touch the floor.

use super::shadow::{HeightMap, SIDE};
use pliant::glam::{Vec2, Vec3};

/// Texels along a side of the floor's maps.
pub(super) const FLOOR_SIDE: usize = SIDE / 2;

/// What the floor knows: how dark it is, from 0 to 1.
pub(super) struct FloorShadows {
    /// Sharp and soft shadow, and the height of the body that throws it times the latter, as a share of the
    /// width of the map.
    key: Grid<3>,
    below: HeightMap,
    contact: Grid<1>,
}

impl FloorShadows {
    /// `light` is what the light sees, `below` what is seen from below.
    pub fn new(light: &HeightMap, below: HeightMap, floor: f32) -> Self {
        let width = light.texel * light.side as f32;
        let mut outline = vec![0.0; FLOOR_SIDE * FLOOR_SIDE];
        let mut lift = outline.clone();
        let up = light.axes[2].y.max(0.05);
        for (i, (out, lift)) in outline.iter_mut().zip(&mut lift).enumerate() {
            let (x, y) = (i % FLOOR_SIDE, i / FLOOR_SIDE);
            for texel in [0, 1, SIDE, SIDE + 1] {
                let height = light.heights[2 * y * SIDE + 2 * x + texel];
                if height > f32::NEG_INFINITY {
                    // Height along the light where the ray meets the floor.
                    let grid = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * (2.0 * light.texel) + light.corner;
                    let across = light.axes[0].y * grid.x + light.axes[1].y * grid.y;
                    let above = ((height * light.axes[2].y + across - floor) / up / width).clamp(0.0, 1.0);
                    *out += 0.25;
                    *lift += 0.25 * above;
                }
            }
        }
        let scale = 0.06 * below.texel * below.side as f32;
        let dim = |h: &f32| {
            let gap = -h - floor;
            if gap.is_finite() { 0.75 * (-(gap.max(0.0) / scale)).exp() } else { 0.0 }
        };
        let soft = FLOOR_SIDE / 36;
        let ((sharp, blurred_outline), (lift, contact)) = rayon::join(
            || (blurred(outline.clone(), FLOOR_SIDE, 2), blurred(outline.clone(), FLOOR_SIDE, soft)),
            || {
                let contact = below.heights.iter().map(dim).collect();
                (blurred(lift, FLOOR_SIDE, soft), blurred(contact, FLOOR_SIDE, FLOOR_SIDE / 40))
            },
        );
        let key = sharp.iter().zip(blurred_outline).zip(lift).map(|((a, b), c)| [*a, b, c]).collect();
        let contact = contact.into_iter().map(|c| [c]).collect();
        Self { key: Grid::new(FLOOR_SIDE, key), below, contact: Grid::new(FLOOR_SIDE, contact) }
    }

    /// Whether all of a line on the floor is in full light, for sure.
    pub fn is_clear(&self, light: &HeightMap, from: Vec3, to: Vec3) -> bool {
        let scale = FLOOR_SIDE as f32 / SIDE as f32;
        self.key.is_clear(light.grid(from) * scale, light.grid(to) * scale)
            && self.contact.is_clear(self.below.grid(from), self.below.grid(to))
    }

    /// Share of key light and of sky light that reach a point of the floor.
    #[inline]
    pub fn at(&self, light: &HeightMap, point: Vec3) -> (f32, f32) {
        let at = light.grid(point) * (FLOOR_SIDE as f32 / SIDE as f32);
        let [sharp, soft, lift] = self.key.at(at);
        // The soft shadow takes over where the body is a sixth of the scene above the floor.
        let blend = (6.0 * lift / soft.max(1e-4)).clamp(0.0, 1.0);
        let [contact] = self.contact.at(self.below.grid(point));
        (1.0 - (sharp + (soft - sharp) * blend), 1.0 - contact)
    }
}

/// A square of values that are read with interpolation; 0 outside.
struct Grid<const N: usize> {
    side: usize,
    values: Vec<[f32; N]>,
    /// Outside of this all is 0.
    low: Vec2,
    high: Vec2,
}

impl<const N: usize> Grid<N> {
    fn new(side: usize, values: Vec<[f32; N]>) -> Self {
        let (mut low, mut high) = ([side; 2], [0; 2]);
        for (i, _) in values.iter().enumerate().filter(|(_, value)| **value != [0.0; N]) {
            let at = [i % side, i / side];
            low = std::array::from_fn(|k| low[k].min(at[k]));
            high = std::array::from_fn(|k| high[k].max(at[k]));
        }
        let vector = |at: [usize; 2]| Vec2::new(at[0] as f32, at[1] as f32);
        let most = Vec2::splat((side - 1) as f32);
        let (low, high) = ((vector(low) - 1.0).max(Vec2::ZERO), (vector(high) + 1.0).min(most));
        Self { side, values, low, high }
    }

    /// Whether a line stays on one outer side of what is not 0.
    fn is_clear(&self, from: Vec2, to: Vec2) -> bool {
        let (low, high) = (from.min(to) - 0.5, from.max(to) - 0.5);
        high.cmplt(self.low).any() || low.cmpge(self.high).any()
    }

    #[inline]
    fn at(&self, grid: Vec2) -> [f32; N] {
        let at = grid - Vec2::splat(0.5);
        if !(at.x >= self.low.x && at.y >= self.low.y && at.x < self.high.x && at.y < self.high.y) {
            return [0.0; N];
        }
        let (x, y) = (at.x as i32, at.y as i32);
        let (fx, fy) = (at.x - x as f32, at.y - y as f32);
        let i = y as usize * self.side + x as usize;
        let (top, bottom) = (&self.values[i..i + 2], &self.values[i + self.side..i + self.side + 2]);
        std::array::from_fn(|k| {
            let a = top[0][k] + (top[1][k] - top[0][k]) * fx;
            let b = bottom[0][k] + (bottom[1][k] - bottom[0][k]) * fx;
            a + (b - a) * fy
        })
    }
}

/// Three box blurs of half width `radius` in both directions: close to a Gaussian.
fn blurred(mut values: Vec<f32>, side: usize, radius: usize) -> Vec<f32> {
    let mut other = vec![0.0; values.len()];
    for _ in 0..2 {
        for _ in 0..3 {
            blur_columns(&values, &mut other, side, radius);
            std::mem::swap(&mut values, &mut other);
        }
        for (y, row) in values.chunks_exact(side).enumerate() {
            row.iter().zip(other[y..].iter_mut().step_by(side)).for_each(|(value, to)| *to = *value);
        }
        std::mem::swap(&mut values, &mut other);
    }
    values
}

/// Mean over `2·radius + 1` neighbours in each column; 0 beyond the ends. Row by row, so that all columns are summed together.
fn blur_columns(from: &[f32], to: &mut [f32], side: usize, radius: usize) {
    let scale = 1.0 / (2 * radius + 1) as f32;
    let row = |y: usize| &from[y * side..(y + 1) * side];
    let mut sums = vec![0.0_f32; side];
    for y in 0..radius.min(side) {
        sums.iter_mut().zip(row(y)).for_each(|(sum, value)| *sum += value);
    }
    for (y, to) in to.chunks_exact_mut(side).enumerate() {
        if y + radius < side {
            sums.iter_mut().zip(row(y + radius)).for_each(|(sum, value)| *sum += value);
        }
        to.iter_mut().zip(&sums).for_each(|(to, sum)| *to = sum.max(0.0) * scale);
        if y >= radius {
            sums.iter_mut().zip(row(y - radius)).for_each(|(sum, value)| *sum -= value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blur_keeps_the_total() {
        let mut values = vec![0.0; 64 * 64];
        values[20 * 64 + 30] = 100.0;
        let blurred = blurred(values, 64, 3);
        assert!((blurred.iter().sum::<f32>() - 100.0).abs() < 0.01);
        assert!(blurred[20 * 64 + 30] < 100.0 && blurred[20 * 64 + 30] > blurred[20 * 64 + 34]);
    }
}
