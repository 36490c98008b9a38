//! The floor, and the background that it fades into.

use super::shade::{Surroundings, smooth};
use super::shadow::Shadows;
use crate::View;
use crate::camera::Lens;
use pliant::glam::{Vec2, Vec3, Vec3A};

/// What is seen where there is no body.
pub(crate) struct Backdrop {
    surroundings: Surroundings,
    pub floor: Option<f32>,
    /// Colour of the bare floor in key light, and in sky light.
    pub key_light: Vec3A,
    pub sky_light: Vec3A,
    /// Squares of the pattern in a metre.
    pub per_metre: f32,
    pub target: Vec3,
    /// One over the distance at which the floor has faded away, in metres.
    pub per_reach: f32,
}

impl Backdrop {
    pub fn new(view: &View) -> Self {
        let distance = view.camera.distance();
        // 1, 2 or 5 times a power of ten, so that squares can be counted.
        let wanted = distance / 9.0;
        let decade = 10f32.powf(wanted.log10().floor());
        let square =
            [1.0, 2.0, 5.0].map(|s| s * decade).into_iter().rfind(|s| *s <= wanted).unwrap_or(decade);
        let surroundings = Surroundings::new(&view.background);
        let key_slope = view.key.toward.normalize_or(Vec3::Y).y.max(0.0);
        Self {
            key_light: surroundings.ground * Vec3A::from(view.key.color) * (0.42 * key_slope),
            sky_light: surroundings.ground * surroundings.sky_mean() * 0.80,
            surroundings,
            floor: view.floor.filter(|f| f.is_finite()),
            per_metre: 1.0 / square,
            target: view.camera.target,
            per_reach: 1.0 / (3.2 * distance),
        }
    }

    /// What the rays through a row of sample positions have in common; the camera is level, so they all meet the
    /// floor at the same depth.
    pub fn row(&self, lens: &Lens, y: f32) -> Row<'_> {
        let first = lens.ray(0.0, y);
        let step = lens.right / lens.focal;
        let along = self.floor.map(|height| (height - lens.eye.y) / first.y);
        let along = along.filter(|along| first.y < 0.0 && *along > 0.0 && along.is_finite());
        let floor = along.map(|along| FloorRow {
            first: lens.eye + first * along,
            step: step * along,
            pixel: Lens::SAMPLES as f32 / lens.focal * along * self.per_metre,
            right: lens.right,
            up: lens.up,
            lean: lens.up.y / first.y,
        });
        Row { backdrop: self, first, step, floor }
    }
}

/// One row of the backdrop.
pub(crate) struct Row<'a> {
    backdrop: &'a Backdrop,
    /// The ray at sample position 0, and its change from one position to the next.
    first: Vec3,
    step: Vec3,
    floor: Option<FloorRow>,
}

/// One row of the floor.
struct FloorRow {
    /// The point at sample position 0, and its change from one position to the next.
    first: Vec3,
    step: Vec3,
    /// Width of a pixel there, across the view, in squares.
    pixel: f32,
    right: Vec3,
    up: Vec3,
    /// What turns a step up in the picture into one along the ray.
    lean: f32,
}

impl Row<'_> {
    /// Linear colour along the ray through sample position `x`.
    #[inline]
    pub fn color(&self, x: f32, shadows: &Shadows) -> Vec3A {
        let Some(floor) = &self.floor else { return self.sky(x) };
        let point = floor.first + floor.step * x;
        let fade = self.backdrop.fade(point);
        if fade >= 1.0 {
            return self.backdrop.far();
        }
        let (key, sky) = shadows.on_floor(point);
        let pattern = floor.pattern(self.first + self.step * x, point, self.backdrop.per_metre);
        self.backdrop.lit(key, sky, pattern, fade)
    }

    /// Linear colours in the middle of the first and the last of some pixels, if nothing but slow changes happens between them:
    /// then the colours between are between those of the ends, but for a byte step here and there.
    pub fn ends(&self, first: usize, last: usize, shadows: &Shadows) -> Option<[Vec3A; 2]> {
        let (from, to) = (Self::middle(first), Self::middle(last));
        match &self.floor {
            None => Some([self.sky(from), self.sky(to)]),
            Some(floor) => self.plain_floor(floor, from, to, shadows),
        }
    }

    /// Sample position of the middle of a pixel.
    pub fn middle(pixel: usize) -> f32 {
        (pixel as f32 + 0.5) * Lens::SAMPLES as f32
    }

    fn sky(&self, x: f32) -> Vec3A {
        let ray = self.first + self.step * x;
        let slope = ray.y / ray.length();
        let slope = if self.backdrop.floor.is_some() { slope.max(0.0) } else { slope };
        self.backdrop.surroundings.toward(slope)
    }

    /// The colours at two sample positions, if the floor between them is one square in full light or so far off that there are
    /// no squares.
    fn plain_floor(&self, floor: &FloorRow, from: f32, to: f32, shadows: &Shadows) -> Option<[Vec3A; 2]> {
        let points = [from, to].map(|x| floor.first + floor.step * x);
        let fades = points.map(|point| self.backdrop.fade(point));
        if fades.iter().all(|fade| *fade >= 1.0) && self.backdrop.is_beyond(points) {
            return Some([self.backdrop.far(); 2]);
        }
        let [a, b] = [(from, points[0]), (to, points[1])]
            .map(|(x, point)| floor.plain(self.first + self.step * x, point, self.backdrop.per_metre));
        let plain = a.filter(|a| b == Some(*a))?;
        let light = |fade: f32| self.backdrop.lit(1.0, 1.0, plain.value(), fade.min(1.0));
        shadows.is_clear(points[0], points[1]).then(|| fades.map(light))
    }
}

impl Backdrop {
    fn far(&self) -> Vec3A {
        self.surroundings.horizon
    }

    /// How far a point of the floor has faded away; 1 and above is all of it.
    #[inline]
    fn fade(&self, point: Vec3) -> f32 {
        let off = Vec2::new(point.x - self.target.x, point.z - self.target.z).length_squared();
        let off = off * self.per_reach * self.per_reach;
        if off >= 1.0 { 1.0 } else { smooth((off - 0.05) * (1.0 / 0.95)) }
    }

    /// Whether a line between two points that have faded away has as well: the middle of it is nearest, or an end.
    fn is_beyond(&self, [from, to]: [Vec3; 2]) -> bool {
        let flat = |p: Vec3| Vec2::new(p.x - self.target.x, p.z - self.target.z);
        let (from, to) = (flat(from), flat(to));
        let along = to - from;
        let t = (-from.dot(along) / along.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        (from + along * t).length_squared() * self.per_reach * self.per_reach >= 1.0
    }

    /// Colour of the floor in a share of key and sky light.
    #[inline]
    fn lit(&self, key: f32, sky: f32, pattern: f32, fade: f32) -> Vec3A {
        let color = (self.key_light * key + self.sky_light * sky) * pattern;
        if fade > 0.0 { color.lerp(self.far(), fade) } else { color }
    }
}

/// What a place of the floor is, if no line is near.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plain {
    /// A square, by its number along x and z.
    Square(i32, i32),
    /// So far off that all squares look as one.
    Blur,
}

impl Plain {
    fn value(self) -> f32 {
        match self {
            Self::Square(x, z) if (x ^ z) & 1 == 0 => 1.0,
            Self::Square(..) => 1.0 - CHECKER,
            Self::Blur => 1.0 - 0.5 * CHECKER,
        }
    }
}

impl FloorRow {
    /// Size of a pixel along x and z there, in squares.
    #[inline]
    fn widths(&self, ray: Vec3) -> [f32; 2] {
        let down_x = (self.up.x - ray.x * self.lean).abs();
        let down_z = (self.up.z - ray.z * self.lean).abs();
        let (across_x, across_z) = (self.right.x.abs(), self.right.z.abs());
        [(across_x + down_x) * self.pixel + 1e-4, (across_z + down_z) * self.pixel + 1e-4]
    }

    /// What is there if the pattern does not change within a pixel.
    #[inline]
    fn plain(&self, ray: Vec3, point: Vec3, per_metre: f32) -> Option<Plain> {
        let [wx, wz] = self.widths(ray);
        if wx.max(wz) >= 2.0 && wx.min(wz) >= 0.8 {
            return Some(Plain::Blur);
        }
        let (x, z) = (point.x * per_metre, point.z * per_metre);
        let (off_x, off_z) = ((x - floor(x + 0.5)).abs(), (z - floor(z + 0.5)).abs());
        let inside = wx.max(wz) < 0.2 && off_x > LINE + 0.5 * wx && off_z > LINE + 0.5 * wz;
        inside.then(|| Plain::Square(floor(x) as i32, floor(z) as i32))
    }

    /// A checker with fine lines, filtered to the size of a pixel.
    fn pattern(&self, ray: Vec3, point: Vec3, per_metre: f32) -> f32 {
        // Most pixels lie in the middle of a square.
        if let Some(plain) = self.plain(ray, point, per_metre) {
            return plain.value();
        }
        let [wx, wz] = self.widths(ray);
        let (x, z) = (point.x * per_metre, point.z * per_metre);
        let (off_x, off_z) = ((x - floor(x + 0.5)).abs(), (z - floor(z + 0.5)).abs());
        let (ix, iz) = (1.0 / wx, 1.0 / wz);
        let checker = 0.5 - 0.5 * tiles(x, wx, ix) * tiles(z, wz, iz);
        let lines = 1.0 - (1.0 - line(off_x, wx, ix)) * (1.0 - line(off_z, wz, iz));
        1.0 - CHECKER * checker - 0.10 * lines
    }
}

/// How much darker every other square is.
const CHECKER: f32 = 0.07;
/// Half width of the lines between squares, in squares.
const LINE: f32 = 0.008;

/// Mean over a width of a square wave with period 2 between −1 and 1; `inverse` is one over the width.
fn tiles(x: f32, width: f32, inverse: f32) -> f32 {
    if width >= 2.0 {
        return 0.0;
    }
    let fade = if width > 0.5 { 1.0 - smooth((width - 0.5) / 1.5) } else { 1.0 };
    let triangle = |x: f32| (0.5 * x - floor(0.5 * x) - 0.5).abs();
    let mean = 2.0 * (triangle(x - 0.5 * width) - triangle(x + 0.5 * width)) * inverse;
    mean * fade
}

/// Share of a width that a fine line covers whose middle is `off` away.
fn line(off: f32, width: f32, inverse: f32) -> f32 {
    let covered = ((LINE + 0.5 * width - off) * inverse).clamp(0.0, (2.0 * LINE * inverse).min(1.0));
    covered * (1.0 - smooth((width - 0.2) / 0.6))
}

/// `f32::floor` without a call into the C library, for values that fit 32 bits.
fn floor(x: f32) -> f32 {
    let whole = x as i32 as f32;
    if whole > x { whole - 1.0 } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_alternate() {
        assert!(tiles(0.5, 0.01, 100.0) * tiles(1.5, 0.01, 100.0) < -0.9);
        assert!((tiles(0.5, 0.01, 100.0) - tiles(2.5, 0.01, 100.0)).abs() < 1e-3);
        assert!((tiles(-0.5, 0.01, 100.0) - tiles(1.5, 0.01, 100.0)).abs() < 1e-3);
        assert_eq!(tiles(0.5, 9.0, 1.0 / 9.0), 0.0);
    }
}
