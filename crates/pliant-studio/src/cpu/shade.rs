//! The colour of a point of a body.
//!
//! Diffuse light wraps around the terminator, further in channels in which the body is bright: light that
//! enters a jelly comes out again coloured and a little further on. A clear coat on top gives highlights and a
//! faint mirror image of the surroundings.

use crate::{Background, Light, View};
use pliant::glam::Vec3A;

/// Lights and surroundings in the form that shading wants.
pub(crate) struct Shading {
    key: Lamp,
    fill: Lamp,
    rim: Lamp,
    floor: Option<f32>,
    /// Height over which the floor dims the sky, in metres.
    pub floor_reach: f32,
    surroundings: Surroundings,
}

struct Lamp {
    toward: Vec3A,
    color: Vec3A,
}

impl Lamp {
    fn new(light: &Light) -> Self {
        Self { toward: Vec3A::from(light.toward).normalize_or(Vec3A::Y), color: light.color.into() }
    }
}

/// [`Background`] as vectors.
pub(crate) struct Surroundings {
    zenith: Vec3A,
    pub horizon: Vec3A,
    pub ground: Vec3A,
}

impl Surroundings {
    pub fn new(background: &Background) -> Self {
        let Background { zenith, horizon, ground } = background;
        Self { zenith: Vec3A::from(*zenith), horizon: Vec3A::from(*horizon), ground: Vec3A::from(*ground) }
    }

    /// Mean colour of the upper half.
    pub fn sky_mean(&self) -> Vec3A {
        (self.zenith + self.horizon) * 0.5
    }

    /// Colour far away in a direction whose vertical part is `y`, of a unit vector.
    pub fn toward(&self, y: f32) -> Vec3A {
        if y >= 0.0 {
            let t = y.min(1.0);
            self.horizon.lerp(self.zenith, t * (2.0 - t))
        } else {
            self.horizon.lerp(self.ground, (-y * 3.0).min(1.0))
        }
    }
}

impl Shading {
    pub fn new(view: &View) -> Self {
        Self {
            key: Lamp::new(&view.key),
            fill: Lamp::new(&view.fill),
            rim: Lamp::new(&view.rim),
            floor: view.floor,
            floor_reach: 0.12 * view.camera.distance(),
            surroundings: Surroundings::new(&view.background),
        }
    }

    /// Unit vector toward the key light.
    pub fn toward_key(&self) -> Vec3A {
        self.key.toward
    }

    /// Linear colour of `point` on a body of colour `albedo`; `normal` and `to_eye` are unit vectors, `lit` gives the share of
    /// key light that reaches a point with a normal.
    #[inline]
    pub fn body(
        &self,
        point: Vec3A,
        normal: Vec3A,
        to_eye: Vec3A,
        albedo: Vec3A,
        lit: impl Fn(Vec3A, Vec3A) -> f32,
    ) -> Vec3A {
        let facing = normal.dot(to_eye).max(0.0);
        let (toward_key, toward_fill) = (normal.dot(self.key.toward), normal.dot(self.fill.toward));

        // Near the terminator the map only finds the body itself: there, wrapped light counts.
        let certain = smooth((toward_key + 0.10) / 0.40);
        let lit = if certain > 0.0 { 1.0 - (1.0 - lit(point, normal)) * certain } else { 1.0 };

        let spread = Vec3A::splat(0.22) + albedo * 0.42;
        let key = wrap(toward_key, spread) * self.key.color * (0.10 + 0.90 * lit);
        let fill = wrap(toward_fill, spread) * self.fill.color;
        let sky = self.sky_light(point, normal);
        // Light from behind glows through the thin parts, which are those seen edge-on.
        let edge = 1.0 - facing;
        let glow = self.rim.color
            * (edge * edge * (0.35 + 0.65 * (0.5 - 0.5 * normal.dot(-self.rim.toward))) * 0.35);
        let diffuse = albedo * ((key + fill + glow) * 0.42 + sky);

        let fresnel = 0.02 + 0.5 * power4(edge) * edge;
        let mirrored = normal * (2.0 * normal.dot(to_eye)) - to_eye;
        let mirror = self.surroundings.toward(mirrored.y) * fresnel;
        let shine = self.key.color * (highlight(normal, to_eye, self.key.toward) * lit * 0.34)
            + self.fill.color * (highlight(normal, to_eye, self.fill.toward) * 0.25)
            + self.rim.color * (highlight(normal, to_eye, self.rim.toward) * 0.35);
        diffuse * (1.0 - fresnel) + mirror + shine
    }

    /// Light of the sky from above and of the floor from below.
    fn sky_light(&self, point: Vec3A, normal: Vec3A) -> Vec3A {
        let up = 0.5 + 0.5 * normal.y;
        let sky = self.surroundings.sky_mean();
        let above = self.floor.map_or(f32::INFINITY, |f| (point.y - f).max(0.0) / self.floor_reach);
        // Far above it is no more than rounding.
        let near = if above < 12.0 { (-above).exp() } else { 0.0 };
        let below = self.surroundings.ground * (0.70 - 0.45 * near);
        (below.lerp(sky, up)) * (0.50 * (1.0 - 0.30 * near * (1.0 - up)))
    }
}

/// Diffuse light that reaches `spread` beyond the terminator; its total stays the same.
fn wrap(cosine: f32, spread: Vec3A) -> Vec3A {
    let lit = ((Vec3A::splat(cosine) + spread) / (Vec3A::ONE + spread)).max(Vec3A::ZERO);
    lit * lit * (1.0 - 0.5 * spread) + lit * (0.5 * spread)
}

/// A sharp and a broad Blinn-Phong lobe.
fn highlight(normal: Vec3A, to_eye: Vec3A, toward: Vec3A) -> f32 {
    let half = to_eye + toward;
    let (along, square) = (normal.dot(half), half.length_squared());
    // Outside the lobes: a 16th power of less than 0.6.
    if along <= 0.0 || along * along < 0.36 * square {
        return 0.0;
    }
    let c = along / square.sqrt();
    let c16 = power4(power4(c));
    let c128 = power4(c16) * power4(c16);
    0.10 * c16 + 0.9 * c128
}

fn power4(x: f32) -> f32 {
    let square = x * x;
    square * square
}

/// 0 below 0, 1 above 1, smooth between.
pub(crate) fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// How much of what is behind a ghost's surface it hides: little where it faces the eye, more along its outline.
pub(crate) fn veil(facing: f32) -> f32 {
    let edge = 1.0 - facing.clamp(0.0, 1.0);
    0.14 + 0.60 * edge * edge
}

/// Bends what is brighter than paper into the range of a screen.
#[inline]
pub(crate) fn tone(c: Vec3A) -> Vec3A {
    const KNEE: f32 = 0.72;
    let c = c.max(Vec3A::ZERO);
    if c.max_element() <= KNEE {
        return c;
    }
    let over = (c - KNEE).max(Vec3A::ZERO) * (1.0 / (1.0 - KNEE));
    c.min(Vec3A::splat(KNEE)) + over / (over + 1.0) * (1.0 - KNEE)
}
