//! What all shaders of a frame share: camera, lights, floor, and where shadows are kept.

use super::bounds::Bounds;
use super::maps::{LIGHT_SIDE, SHARP_SIDE};
use crate::camera::Lens;
use crate::cpu::floor::Backdrop;
use crate::cpu::shade::Shading;
use crate::{Light, View};
use pliant::glam::{Mat4, Vec2, Vec3, Vec3A, Vec4};

/// The fields of `frame.wgsl`, in the same order.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Frame {
    clip_from_world: [[f32; 4]; 4],
    eye: [f32; 4],
    forward: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    key_toward: [f32; 4],
    key_color: [f32; 4],
    fill_toward: [f32; 4],
    fill_color: [f32; 4],
    rim_toward: [f32; 4],
    rim_color: [f32; 4],
    zenith: [f32; 4],
    horizon: [f32; 4],
    ground: [f32; 4],
    light_u: [f32; 4],
    light_v: [f32; 4],
    light_depth: [f32; 4],
    below_u: [f32; 4],
    below_v: [f32; 4],
    level: [f32; 4],
    pattern: [f32; 4],
    floor_key: [f32; 4],
    floor_sky: [f32; 4],
    picture: [f32; 4],
}

/// Share of a map's side that stays empty at each end, so that blurred shadows end inside; as in the software renderer.
const MARGIN: f32 = 45.0 / 448.0;

/// Unit vectors: the two directions of the light's map, and the one toward the light.
pub(super) fn light_axes(view: &View) -> [Vec3; 3] {
    let up = toward(&view.key);
    let (u, v) = up.any_orthonormal_pair();
    [u, v, up]
}

fn toward(light: &Light) -> Vec3 {
    light.toward.normalize_or(Vec3::Y)
}

fn four(v: Vec3, w: f32) -> [f32; 4] {
    v.extend(w).to_array()
}

impl Frame {
    pub fn new(view: &View, bounds: &Bounds, size: [u32; 2]) -> Self {
        let lens = Lens::new(&view.camera, size[0] as usize, size[1] as usize);
        let [slope_x, slope_y] = lens.centre.map(|c| c / lens.focal);
        let shading = Shading::new(view);
        let backdrop = Backdrop::new(view);
        let key = toward(&view.key);

        let light = LightMap::new(light_axes(view), bounds.light());
        let (below, width_below) = Square::new(bounds.world().map(|p| Vec2::new(p.x, p.z)));
        let height = backdrop.floor.unwrap_or_default();
        // The row on which rays neither rise nor fall; looking straight down there is none, but floor everywhere.
        let rise = lens.up.y * slope_y;
        let mut horizon = if rise > 1e-6 { -lens.forward.y / rise } else { -lens.forward.y.signum() };
        let has_floor = backdrop.floor.is_some();
        horizon = horizon.clamp(-1.0, 1.0);

        let color = |[r, g, b]: [f32; 3]| [r, g, b, 0.0];
        Self {
            clip_from_world: clip_from_world(&lens, [slope_x, slope_y]).to_cols_array_2d(),
            eye: four(lens.eye, lens.near),
            forward: four(lens.forward, 0.0),
            right: four(lens.right * slope_x, 0.0),
            up: four(lens.up * slope_y, 0.0),
            key_toward: four(key, light.texel),
            key_color: four(view.key.color.into(), light.bias),
            fill_toward: four(toward(&view.fill), 0.0),
            fill_color: color(view.fill.color),
            rim_toward: four(toward(&view.rim), 0.0),
            rim_color: color(view.rim.color),
            zenith: color(view.background.zenith),
            horizon: color(view.background.horizon),
            ground: color(view.background.ground),
            light_u: light.u,
            light_v: light.v,
            light_depth: light.depth,
            below_u: below.place(Vec3::X, 0),
            below_v: below.place(Vec3::Z, 1),
            level: [
                height,
                f32::from(u8::from(has_floor)),
                1.0 / shading.floor_reach,
                1.0 / (0.06 * width_below),
            ],
            pattern: [backdrop.target.x, backdrop.target.z, backdrop.per_reach, backdrop.per_metre],
            floor_key: four(backdrop.key_light.into(), 1.0 / (key.y.max(0.05) * light.width)),
            floor_sky: four(backdrop.sky_light.into(), 0.0),
            picture: [size[0] as f32, size[1] as f32, horizon, 0.0],
        }
    }

    /// Whether any of the floor can be seen.
    pub fn shows_floor(&self) -> bool {
        self.level[1] > 0.0 && self.eye[1] > self.level[0] && self.picture[2] > -1.0
    }

    /// Whether any of the sky can be seen; below the horizon there is none where there is a floor.
    pub fn shows_sky(&self) -> bool {
        self.level[1] == 0.0 || self.picture[2] < 1.0
    }

    /// What stands where neither sky nor floor is drawn: linear colour of the horizon.
    pub fn horizon(&self) -> Vec3A {
        Vec3A::from_slice(&self.horizon)
    }
}

/// Perspective with a depth that is 1 at the near plane and 0 endlessly far away: floats are finest near 0, which
/// evens out the distance.
fn clip_from_world(lens: &Lens, slopes: [f32; 2]) -> Mat4 {
    let row = |axis: Vec3, scale: f32| axis.extend(-axis.dot(lens.eye)) * scale;
    Mat4::from_cols(
        row(lens.right, 1.0 / slopes[0]),
        row(lens.up, 1.0 / slopes[1]),
        Vec4::new(0.0, 0.0, 0.0, lens.near),
        row(lens.forward, 1.0),
    )
    .transpose()
}

/// A square in the plane of a map.
struct Square {
    corner: Vec2,
    per_width: f32,
}

impl Square {
    /// The square around a rectangle with room at its edges, and its width in metres.
    fn new([lo, hi]: [Vec2; 2]) -> (Self, f32) {
        let width = ((hi - lo).max_element() / (1.0 - 2.0 * MARGIN)).max(1e-6 * SHARP_SIDE as f32);
        (Self { corner: (lo + hi) * 0.5 - Vec2::splat(0.5 * width), per_width: 1.0 / width }, width)
    }

    /// What gives the place along one axis of the map from a point: dot(xyz, point) + w.
    fn place(&self, axis: Vec3, index: usize) -> [f32; 4] {
        four(axis * self.per_width, -self.corner[index] * self.per_width)
    }
}

/// Where the light's map is.
struct LightMap {
    u: [f32; 4],
    v: [f32; 4],
    depth: [f32; 4],
    /// Side of the map and of one texel, in metres.
    width: f32,
    texel: f32,
    /// Depth of one and a half texels: surfaces that deep do not shade themselves.
    bias: f32,
}

impl LightMap {
    fn new(axes: [Vec3; 3], [lo, hi]: [Vec3; 2]) -> Self {
        let (square, width) = Square::new([lo.truncate(), hi.truncate()]);
        let texel = width / LIGHT_SIDE as f32;
        // A texel more at both ends, so that nothing lies at a depth that means empty.
        let per_range = 1.0 / (hi.z - lo.z + 2.0 * texel);
        Self {
            u: square.place(axes[0], 0),
            v: square.place(axes[1], 1),
            depth: four(axes[2] * -per_range, (hi.z + texel) * per_range),
            width,
            texel,
            bias: 1.5 * texel * per_range,
        }
    }
}
