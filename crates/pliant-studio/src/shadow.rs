//! Shadow of the key light, and the dim light below bodies that nearly touch the floor.
//!
//! A height map of the scene as the light sees it answers both questions: bodies ask it with a smooth
//! 4 × 4 filter; the floor, which lies below everything, asks two blurred copies of its outline, the sharper one
//! where the body that throws the shadow is near.

use crate::raster::ScreenTriangle;
use pliant::glam::{Vec2, Vec3};

/// Texels along a side of the height map. Fewer make softer shadows on bodies.
const SIDE: usize = 448;
/// Texels along a side of the floor's maps.
const FLOOR_SIDE: usize = SIDE / 2;
/// Texels around the scene that stay empty, so that blurred shadows end inside the map.
const MARGIN: usize = 45;

/// A square grid of heights, seen along an axis.
struct HeightMap {
    /// The two directions of the grid and the one that heights are measured along.
    axes: [Vec3; 3],
    /// Grid coordinates of the corner of texel (0, 0), in metres.
    corner: Vec2,
    /// Side of a texel, in metres.
    texel: f32,
    side: usize,
    /// Largest height in each texel.
    heights: Vec<f32>,
}

impl HeightMap {
    /// Draws all triangles; `up` is a unit vector. Only what lies within `reach` of `middle` sets the size.
    fn new(up: Vec3, casters: &[[Vec3; 3]], middle: Vec3, reach: f32, side: usize) -> Self {
        let (u, v) = up.any_orthonormal_pair();
        let axes = [u, v, up];
        let flat = |p: Vec3| Vec2::new(p.dot(u), p.dot(v));
        let (mut lo, mut hi) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for p in casters.iter().flatten().filter(|p| p.distance(middle) < reach) {
            lo = lo.min(flat(*p));
            hi = hi.max(flat(*p));
        }
        if !(hi - lo).is_finite() {
            (lo, hi) = (flat(middle), flat(middle));
        }
        let margin = side * MARGIN / SIDE;
        let texel = ((hi - lo).max_element() / (side - 2 * margin) as f32).max(1e-6);
        let corner = (lo + hi) * 0.5 - Vec2::splat(0.5 * texel * side as f32);
        let mut map = Self { axes, corner, texel, side, heights: vec![f32::NEG_INFINITY; side * side] };
        casters.iter().for_each(|t| map.draw(t));
        map
    }

    #[inline]
    fn grid(&self, p: Vec3) -> Vec2 {
        (Vec2::new(p.dot(self.axes[0]), p.dot(self.axes[1])) - self.corner) / self.texel
    }

    fn draw(&mut self, corners: &[Vec3; 3]) {
        let on_grid = corners.map(|p| self.grid(p).extend(p.dot(self.axes[2])));
        let Some(triangle) = ScreenTriangle::new(on_grid, self.side, self.side) else { return };
        for row in triangle.rows[0]..triangle.rows[1] {
            let base = row * self.side;
            triangle.fill_row(row, self.side, |first, after, start, step| {
                for (i, height) in self.heights[base + first..base + after].iter_mut().enumerate() {
                    *height = height.max(start + step * i as f32);
                }
            });
        }
    }
}

/// Shadows of the key light on bodies and floor.
pub(crate) struct Shadows {
    light: HeightMap,
    floor: Option<FloorShadows>,
}

/// What the floor knows: how dark it is, from 0 to 1.
struct FloorShadows {
    /// Sharp and soft shadow, and the height of the body that throws it times the latter, as a share of the
    /// width of the map.
    key: Grid<3>,
    below: HeightMap,
    contact: Grid<1>,
}

impl Shadows {
    /// `toward_light` is a unit vector; `reach` bounds what is worth a shadow around `middle`, in metres.
    pub fn new(
        toward_light: Vec3,
        casters: &[[Vec3; 3]],
        floor: Option<f32>,
        middle: Vec3,
        reach: f32,
    ) -> Self {
        let light = HeightMap::new(toward_light, casters, middle, reach, SIDE);
        let floor = floor.map(|height| FloorShadows::new(&light, casters, height, middle, reach));
        Self { light, floor }
    }

    /// Share of key light that reaches a point of a body, 0 … 1.
    pub fn on_body(&self, point: Vec3, normal: Vec3) -> f32 {
        let map = &self.light;
        // Along the normal, so that a surface does not shade itself: about the filter's half width.
        let point = point + normal * (2.0 * map.texel);
        let height = point.dot(map.axes[2]) + 1.5 * map.texel;
        let at = map.grid(point) - Vec2::splat(0.5);
        let most = (map.side - 3) as f32;
        if !(at.x >= 1.0 && at.y >= 1.0 && at.x < most && at.y < most) {
            return 1.0;
        }
        let (x, y) = (at.x as i32, at.y as i32);
        let f = at - Vec2::new(x as f32, y as f32);
        let (wx, wy) = ([1.0 - f.x, 1.0, 1.0, f.x], [1.0 - f.y, 1.0, 1.0, f.y]);
        let first = (y as usize - 1) * map.side + x as usize - 1;
        let mut lit = 0.0;
        for (j, wy) in wy.iter().enumerate() {
            let row = &map.heights[first + j * map.side..][..4];
            let sum: f32 = row.iter().zip(&wx).map(|(h, w)| if *h <= height { *w } else { 0.0 }).sum();
            lit += sum * wy;
        }
        lit / 9.0
    }

    /// Share of key light and of sky light that reach a point of the floor, 0 … 1 each.
    #[inline]
    pub fn on_floor(&self, point: Vec3) -> (f32, f32) {
        let Some(floor) = &self.floor else { return (1.0, 1.0) };
        let at = self.light.grid(point) * (FLOOR_SIDE as f32 / SIDE as f32);
        let [sharp, soft, lift] = floor.key.at(at);
        // The soft shadow takes over where the body is a sixth of the scene above the floor.
        let blend = (6.0 * lift / soft.max(1e-4)).clamp(0.0, 1.0);
        let [contact] = floor.contact.at(floor.below.grid(point));
        (1.0 - (sharp + (soft - sharp) * blend), 1.0 - contact)
    }
}

impl FloorShadows {
    fn new(light: &HeightMap, casters: &[[Vec3; 3]], floor: f32, middle: Vec3, reach: f32) -> Self {
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
        let below = HeightMap::new(Vec3::NEG_Y, casters, middle, reach, FLOOR_SIDE);
        let scale = 0.06 * below.texel * below.side as f32;
        let dim = |h: &f32| {
            let gap = -h - floor;
            if gap.is_finite() { 0.75 * (-(gap.max(0.0) / scale)).exp() } else { 0.0 }
        };
        let contact = blurred(below.heights.iter().map(dim).collect(), FLOOR_SIDE, FLOOR_SIDE / 40);
        let soft = FLOOR_SIDE / 36;
        let sharp = blurred(outline.clone(), FLOOR_SIDE, 2);
        let (outline, lift) = (blurred(outline, FLOOR_SIDE, soft), blurred(lift, FLOOR_SIDE, soft));
        let key = sharp.iter().zip(outline).zip(lift).map(|((a, b), c)| [*a, b, c]).collect();
        Self {
            key: Grid { side: FLOOR_SIDE, values: key },
            below,
            contact: Grid { side: FLOOR_SIDE, values: contact.into_iter().map(|c| [c]).collect() },
        }
    }
}

/// A square of values that are read with interpolation; 0 outside.
struct Grid<const N: usize> {
    side: usize,
    values: Vec<[f32; N]>,
}

impl<const N: usize> Grid<N> {
    #[inline]
    fn at(&self, grid: Vec2) -> [f32; N] {
        let at = grid - Vec2::splat(0.5);
        let most = (self.side - 1) as f32;
        if !(at.x >= 0.0 && at.y >= 0.0 && at.x < most && at.y < most) {
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
            for (from, to) in values.chunks_exact(side).zip(other.chunks_exact_mut(side)) {
                box_blur(from, to, radius);
            }
            std::mem::swap(&mut values, &mut other);
        }
        for y in 0..side {
            for x in 0..side {
                other[x * side + y] = values[y * side + x];
            }
        }
        std::mem::swap(&mut values, &mut other);
    }
    values
}

/// Mean over `2·radius + 1` neighbours; 0 beyond the ends.
fn box_blur(from: &[f32], to: &mut [f32], radius: usize) {
    let scale = 1.0 / (2 * radius + 1) as f32;
    let mut sum: f32 = from[..radius.min(from.len())].iter().sum();
    for i in 0..from.len() {
        sum += from.get(i + radius).unwrap_or(&0.0);
        to[i] = sum.max(0.0) * scale;
        sum -= if i >= radius { from[i - radius] } else { 0.0 };
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

    #[test]
    fn a_plate_shades_what_is_below_it_only() {
        let [a, b, c] = [Vec3::new(-1.0, 1.0, -1.0), Vec3::new(3.0, 1.0, -1.0), Vec3::new(-1.0, 1.0, 3.0)];
        let shadows = Shadows::new(Vec3::Y, &[[a, b, c]], Some(0.0), Vec3::ZERO, 100.0);
        let (below, above) = (Vec3::new(0.0, 0.5, 0.0), Vec3::new(0.0, 1.5, 0.0));
        assert_eq!(shadows.on_body(below, Vec3::Y), 0.0);
        assert_eq!(shadows.on_body(above, Vec3::Y), 1.0);
        assert!(shadows.on_floor(Vec3::ZERO).0 < 0.1);
        assert_eq!(shadows.on_floor(Vec3::new(20.0, 0.0, 20.0)), (1.0, 1.0));
    }
}
