//! Shadow of the key light, and the dim light below bodies that nearly touch the floor.
//!
//! A height map of the scene as the light sees it answers both questions: bodies ask it with a smooth 4 × 4 filter; the floor,
//! which lies below everything, asks [`FloorShadows`].

use super::floor_shadow::{FLOOR_SIDE, FloorShadows};
use super::raster::ScreenTriangle;
use super::soup::{Soup, bands, corners_of};
use pliant::glam::{Vec2, Vec3, Vec3A};
use rayon::prelude::*;

/// Texels along a side of the height map. Fewer make softer shadows on bodies.
pub(super) const SIDE: usize = 448;
/// Texels around the scene that stay empty, so that blurred shadows end inside the map.
const MARGIN: usize = 45;
/// Rows of a map that are drawn together.
const STRIP: usize = 32;

/// A square grid of heights, seen along an axis.
pub(super) struct HeightMap {
    /// The two directions of the grid and the one that heights are measured along.
    pub axes: [Vec3; 3],
    /// Grid coordinates of the corner of texel (0, 0), in metres.
    pub corner: Vec2,
    /// Side of a texel, in metres.
    pub texel: f32,
    /// Texels in a metre.
    per_texel: f32,
    pub side: usize,
    /// Largest height in each texel.
    pub heights: Vec<f32>,
}

impl HeightMap {
    /// Draws all triangles; `up` is a unit vector. Only what lies within `reach` of `middle` sets the size.
    fn new(up: Vec3, casters: &Soup, middle: Vec3, reach: f32, side: usize) -> Self {
        let (u, v) = up.any_orthonormal_pair();
        let axes = [u, v, up];
        let flat = |p: Vec3| Vec2::new(p.dot(u), p.dot(v));
        let (mut lo, mut hi) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for p in casters.points.iter().filter(|p| p.distance_squared(middle) < reach * reach) {
            lo = lo.min(flat(*p));
            hi = hi.max(flat(*p));
        }
        if !(hi - lo).is_finite() {
            (lo, hi) = (flat(middle), flat(middle));
        }
        let margin = side * MARGIN / SIDE;
        let texel = ((hi - lo).max_element() / (side - 2 * margin) as f32).max(1e-6);
        let corner = (lo + hi) * 0.5 - Vec2::splat(0.5 * texel * side as f32);
        let per_texel = 1.0 / texel;
        let mut map =
            Self { axes, corner, texel, per_texel, side, heights: vec![f32::NEG_INFINITY; side * side] };
        map.draw(casters);
        map
    }

    /// Texel coordinates of a point.
    #[inline]
    pub fn grid(&self, p: Vec3) -> Vec2 {
        (Vec2::new(p.dot(self.axes[0]), p.dot(self.axes[1])) - self.corner) * self.per_texel
    }

    /// Draws all triangles, strip by strip; the largest height counts, so their order does not.
    fn draw(&mut self, casters: &Soup) {
        let on_grid = casters.map(|p| self.grid(p).extend(p.dot(self.axes[2])));
        let corners = |i: u32| corners_of(&casters.triangles[i as usize], &on_grid);
        let ranges = (0..casters.triangles.len() as u32).map(|i| {
            let [a, b, c] = corners(i);
            (i, [a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y)])
        });
        let strips = bands(ranges, self.side, STRIP);
        let side = self.side;
        self.heights.par_chunks_mut(STRIP * side).zip(strips).enumerate().for_each(
            |(at, (heights, strip))| {
                let top = at * STRIP;
                for i in strip {
                    let Some(triangle) = ScreenTriangle::new(corners(i), side, side) else { continue };
                    for row in triangle.rows[0].max(top)..triangle.rows[1].min(top + STRIP) {
                        let base = (row - top) * side;
                        triangle.fill_row(row, side, |first, after, start, step| {
                            for (i, height) in heights[base + first..base + after].iter_mut().enumerate() {
                                *height = height.max(start + step * i as f32);
                            }
                        });
                    }
                }
            },
        );
    }
}

/// Shadows of the key light on bodies and floor.
pub(crate) struct Shadows {
    light: HeightMap,
    floor: Option<FloorShadows>,
}

impl Shadows {
    /// `toward_light` is a unit vector; `reach` bounds what is worth a shadow around `middle`, in metres.
    pub fn new(toward_light: Vec3, casters: &Soup, floor: Option<f32>, middle: Vec3, reach: f32) -> Self {
        let (light, below) = rayon::join(
            || HeightMap::new(toward_light, casters, middle, reach, SIDE),
            || floor.map(|_| HeightMap::new(Vec3::NEG_Y, casters, middle, reach, FLOOR_SIDE)),
        );
        let floor = floor.zip(below).map(|(height, below)| FloorShadows::new(&light, below, height));
        Self { light, floor }
    }

    /// Share of key light that reaches a point of a body, 0 … 1.
    #[inline]
    pub fn on_body(&self, point: Vec3A, normal: Vec3A) -> f32 {
        let map = &self.light;
        // Along the normal, so that a surface does not shade itself: about the filter's half width.
        let point = Vec3::from(point + normal * (2.0 * map.texel));
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
        lit * (1.0 / 9.0)
    }

    /// Whether all of a line on the floor is in full light, for sure.
    pub fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        self.floor.as_ref().is_none_or(|floor| floor.is_clear(&self.light, from, to))
    }

    /// Share of key light and of sky light that reach a point of the floor, 0 … 1 each.
    #[inline]
    pub fn on_floor(&self, point: Vec3) -> (f32, f32) {
        self.floor.as_ref().map_or((1.0, 1.0), |floor| floor.at(&self.light, point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plate_shades_what_is_below_it_only() {
        let [a, b, c] = [Vec3::new(-1.0, 1.0, -1.0), Vec3::new(3.0, 1.0, -1.0), Vec3::new(-1.0, 1.0, 3.0)];
        let plate = pliant::TriMesh::new(vec![a, b, c], vec![[0, 1, 2]]);
        let soup = Soup::new(&[crate::shapes::item(&plate, [1.0; 3])]);
        let shadows = Shadows::new(Vec3::Y, &soup, Some(0.0), Vec3::ZERO, 100.0);
        let (below, above) = (Vec3A::new(0.0, 0.5, 0.0), Vec3A::new(0.0, 1.5, 0.0));
        assert_eq!(shadows.on_body(below, Vec3A::Y), 0.0);
        assert_eq!(shadows.on_body(above, Vec3A::Y), 1.0);
        assert!(shadows.on_floor(Vec3::ZERO).0 < 0.1);
        assert_eq!(shadows.on_floor(Vec3::new(20.0, 0.0, 20.0)), (1.0, 1.0));
    }
}
