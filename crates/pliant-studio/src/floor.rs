//! The floor, and the background that it fades into.

use crate::View;
use crate::camera::Lens;
use crate::shade::{Surroundings, smooth};
use crate::shadow::Shadows;
use pliant::glam::{Vec2, Vec3, Vec3A};

/// What is seen where there is no body.
pub(crate) struct Backdrop {
    surroundings: Surroundings,
    floor: Option<f32>,
    /// Colour of the bare floor in key light, and in sky light.
    key_light: Vec3A,
    sky_light: Vec3A,
    /// Squares of the pattern in a metre.
    per_metre: f32,
    target: Vec3,
    /// One over the distance at which the floor has faded away, in metres.
    per_reach: f32,
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
            key_light: Vec3A::from(surroundings.ground * Vec3::from(view.key.color)) * (0.42 * key_slope),
            sky_light: Vec3A::from(surroundings.ground * surroundings.sky_mean()) * 0.80,
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
        let backdrop = self.backdrop;
        let ray = self.first + self.step * x;
        let Some(floor) = &self.floor else {
            let slope = ray.y / ray.length();
            let slope = if backdrop.floor.is_some() { slope.max(0.0) } else { slope };
            return backdrop.surroundings.toward(slope).into();
        };
        let far = Vec3A::from(backdrop.surroundings.horizon);
        let point = floor.first + floor.step * x;
        let off = Vec2::new(point.x - backdrop.target.x, point.z - backdrop.target.z).length_squared();
        let off = off * backdrop.per_reach * backdrop.per_reach;
        if off >= 1.0 {
            return far;
        }
        let (key, sky) = shadows.on_floor(point);
        let light = backdrop.key_light * key + backdrop.sky_light * sky;
        let color = light * floor.pattern(ray, point, backdrop.per_metre);
        if off > 0.05 { color.lerp(far, smooth((off - 0.05) * (1.0 / 0.95))) } else { color }
    }
}

impl FloorRow {
    /// A checker with fine lines, filtered to the size of a pixel.
    fn pattern(&self, ray: Vec3, point: Vec3, per_metre: f32) -> f32 {
        let down_x = (self.up.x - ray.x * self.lean).abs();
        let down_z = (self.up.z - ray.z * self.lean).abs();
        let wx = (self.right.x.abs() + down_x) * self.pixel + 1e-4;
        let wz = (self.right.z.abs() + down_z) * self.pixel + 1e-4;
        let (x, z) = (point.x * per_metre, point.z * per_metre);
        let (off_x, off_z) = ((x - floor(x + 0.5)).abs(), (z - floor(z + 0.5)).abs());
        if wx.max(wz) < 0.2 && off_x > LINE + 0.5 * wx && off_z > LINE + 0.5 * wz {
            // Most pixels lie in the middle of a square.
            return if (floor(x) as i32 ^ floor(z) as i32) & 1 == 0 { 1.0 } else { 1.0 - CHECKER };
        }
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
