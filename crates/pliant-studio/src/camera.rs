//! Where a picture is taken from.

use pliant::glam::{Vec2, Vec3};

/// A perspective camera that keeps the horizon level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where the camera stands, in metres.
    pub eye: Vec3,
    /// The point in the middle of the picture, in metres.
    pub target: Vec3,
    /// Angle from the bottom to the top of the picture, in radians.
    pub fov_y_radians: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self::framing(Vec3::splat(-1.0), Vec3::splat(1.0))
    }
}

impl Camera {
    /// A view from the front right and a little above, in which the whole box from `lo` to `hi` is seen.
    pub fn framing(lo: Vec3, hi: Vec3) -> Self {
        Self::framing_from(lo, hi, Vec3::new(0.45, 0.42, 1.0))
    }

    /// As [`Camera::framing`], standing in direction `toward_eye` from the middle of the box.
    pub fn framing_from(lo: Vec3, hi: Vec3, toward_eye: Vec3) -> Self {
        // Pictures are at least this much wider than high, or the sides are lost.
        const ASPECT: f32 = 1.25;
        // Share of the picture that the box may fill.
        const FILL: f32 = 0.86;
        let (lo, hi) =
            if (lo + hi).is_finite() { (lo.min(hi), lo.max(hi)) } else { (Vec3::NEG_ONE, Vec3::ONE) };
        let fov_y_radians = 30f32.to_radians();
        let slope = (fov_y_radians * 0.5).tan() * FILL;
        let target = (lo + hi) * 0.5;
        let [right, up, forward] = basis(-toward_eye);
        let mut distance = 1e-3f32;
        for corner in 0..8 {
            let pick = |bit: usize, lo: f32, hi: f32| if corner >> bit & 1 == 0 { lo } else { hi };
            let p = Vec3::new(pick(0, lo.x, hi.x), pick(1, lo.y, hi.y), pick(2, lo.z, hi.z)) - target;
            let across = p.dot(right).abs() / (slope * ASPECT);
            let along = p.dot(up).abs() / slope;
            distance = distance.max(across.max(along) - p.dot(forward));
        }
        Self { eye: target - forward * distance, target, fov_y_radians }
    }

    /// Distance from the eye to the target, never zero.
    pub(crate) fn distance(&self) -> f32 {
        let d = self.eye.distance(self.target);
        if d.is_finite() { d.max(1e-6) } else { 1.0 }
    }
}

/// Right, up and forward unit vectors of a level camera that looks along `forward`; survives any input.
fn basis(forward: Vec3) -> [Vec3; 3] {
    let forward = forward.try_normalize().unwrap_or(Vec3::NEG_Z);
    let level = forward.cross(Vec3::Y);
    let right = if level.length() > 1e-4 { level.normalize() } else { Vec3::X };
    [right, right.cross(forward).normalize_or(Vec3::Y), forward]
}

/// A camera with a picture size: turns points of the world into sample coordinates, and back into rays.
///
/// Symbols: sample coordinates grow to the right and down; one pixel is [`Lens::SAMPLES`]² samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lens {
    pub eye: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    pub forward: Vec3,
    /// Distance of the picture plane from the eye, in samples.
    pub focal: f32,
    /// The sample that the camera looks at.
    pub centre: [f32; 2],
    /// What is nearer than this to the eye's plane is not drawn, in metres.
    pub near: f32,
}

impl Lens {
    /// Samples along one side of a pixel.
    pub const SAMPLES: usize = 2;

    /// Of a picture whose pixels have one sample each.
    pub fn of_pixels(camera: &Camera, size: Vec2) -> Self {
        let lens = Self::new(camera, 1, 1);
        let scale = size.y / Self::SAMPLES as f32;
        Self { focal: lens.focal * scale, centre: (0.5 * size).to_array(), ..lens }
    }

    pub fn new(camera: &Camera, width: usize, height: usize) -> Self {
        let eye = if camera.eye.is_finite() { camera.eye } else { Vec3::ZERO };
        let [right, up, forward] = basis(camera.target - eye);
        let (w, h) = ((width * Self::SAMPLES) as f32, (height * Self::SAMPLES) as f32);
        let fov = if camera.fov_y_radians.is_finite() { camera.fov_y_radians.clamp(0.01, 3.0) } else { 0.5 };
        let focal = 0.5 * h / (fov * 0.5).tan();
        Self {
            eye,
            right,
            up,
            forward,
            focal,
            centre: [0.5 * w, 0.5 * h],
            near: (camera.distance() * 0.01).min(0.05),
        }
    }

    /// Right, up and depth of a point as the camera sees it, in metres.
    pub fn view_from_world(&self, p: Vec3) -> Vec3 {
        let d = p - self.eye;
        Vec3::new(d.dot(self.right), d.dot(self.up), d.dot(self.forward))
    }

    /// Sample coordinates of a point in front of the camera, and one over its depth.
    pub fn sample_from_view(&self, v: Vec3) -> Vec3 {
        let scale = self.focal / v.z;
        Vec3::new(self.centre[0] + v.x * scale, self.centre[1] - v.y * scale, 1.0 / v.z)
    }

    /// The ray through a sample position; not a unit vector, its length along `forward` is one.
    pub fn ray(&self, x: f32, y: f32) -> Vec3 {
        self.forward + self.right * ((x - self.centre[0]) / self.focal)
            - self.up * ((y - self.centre[1]) / self.focal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framing_sees_the_whole_box() {
        let (lo, hi) = (Vec3::new(-3.0, 0.0, 2.0), Vec3::new(1.0, 0.5, 9.0));
        let lens = Lens::new(&Camera::framing(lo, hi), 500, 400);
        for c in 0..8 {
            let p = Vec3::select(pliant::glam::BVec3::new(c & 1 == 0, c & 2 == 0, c & 4 == 0), lo, hi);
            let s = lens.sample_from_view(lens.view_from_world(p));
            assert!((0.0..1000.0).contains(&s.x) && (0.0..800.0).contains(&s.y), "{s}");
        }
    }

    #[test]
    fn rays_go_back_through_their_samples() {
        let lens = Lens::new(&Camera::default(), 320, 200);
        let p = lens.eye + lens.ray(17.0, 300.0) * 2.5;
        let s = lens.sample_from_view(lens.view_from_world(p));
        assert!((s.x - 17.0).abs() < 0.01 && (s.y - 300.0).abs() < 0.01 && (s.z - 0.4).abs() < 1e-5);
    }

    #[test]
    fn a_camera_in_its_target_or_straight_above_still_works() {
        for eye in [Vec3::ZERO, Vec3::Y * 3.0, Vec3::NAN] {
            let lens = Lens::new(&Camera { eye, target: Vec3::ZERO, fov_y_radians: f32::NAN }, 32, 20);
            assert!(lens.ray(3.0, 4.0).is_finite());
        }
    }
}
