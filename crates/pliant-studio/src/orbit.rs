//! A camera on a string around what it looks at.

use crate::{Camera, WorldView};
use pliant::World;
use pliant::glam::{DVec3, Vec2, Vec3};
use std::f32::consts::FRAC_PI_2;

/// A camera on a string around what it looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// What is looked at.
    pub target: DVec3,
    /// Angle about the vertical in radians.
    pub yaw: f32,
    /// Angle above the horizon in radians.
    pub pitch: f32,
    /// Length of the string in metres.
    pub distance: f32,
    /// Angle from the bottom to the top of the picture in radians.
    pub fov_y_radians: f32,
}

impl Orbit {
    /// The orbit that a view is on.
    pub fn of(view: &WorldView) -> Self {
        let camera = &view.view.camera;
        let away = camera.eye - camera.target;
        let distance = camera.distance();
        Self {
            target: view.origin + camera.target.as_dvec3(),
            yaw: away.x.atan2(away.z),
            pitch: (away.y / distance).clamp(-1.0, 1.0).asin(),
            distance,
            fov_y_radians: camera.fov_y_radians,
        }
    }

    /// From the target to the eye, one metre.
    fn away(&self) -> Vec3 {
        let (sin, cos) = self.pitch.sin_cos();
        Vec3::new(cos * self.yaw.sin(), sin, cos * self.yaw.cos())
    }

    /// Where the eye is.
    pub fn eye(&self) -> DVec3 {
        self.target + (self.away() * self.distance).as_dvec3()
    }

    /// Goes around the target: `by` is the cursor's motion as part of the picture's height.
    pub fn turn(&mut self, by: Vec2) {
        const TOP: f32 = FRAC_PI_2 - 0.02;
        self.yaw = (self.yaw - 3.0 * by.x) % std::f32::consts::TAU;
        self.pitch = (self.pitch + 3.0 * by.y).clamp(-TOP, TOP);
    }

    /// Moves along with the target, so that what is under the cursor stays there.
    pub fn pan(&mut self, by: Vec2) {
        let forward = -self.away();
        let right = forward.cross(Vec3::Y).normalize_or(Vec3::X);
        let up = right.cross(forward);
        let height = 2.0 * self.distance * (0.5 * self.fov_y_radians).tan();
        self.target += ((up * by.y - right * by.x) * height).as_dvec3();
    }

    /// Goes nearer (above 1) or farther.
    pub fn zoom(&mut self, factor: f32) {
        if factor > 0.0 && factor.is_finite() {
            self.distance = (self.distance / factor).clamp(1e-3, 1e5);
        }
    }

    /// Looks at a box from the side it looks from now.
    pub fn focus(&mut self, lo: DVec3, hi: DVec3) {
        if !(lo.is_finite() && hi.is_finite()) {
            return;
        }
        self.target = (lo + hi) * 0.5;
        let half = ((hi - lo) * 0.5).as_vec3().max(Vec3::splat(1e-3));
        let camera = Camera::framing_from(-half, half, self.away());
        let slope = |fov: f32| (0.5 * fov).tan();
        self.distance = 1.15 * camera.distance() * slope(camera.fov_y_radians) / slope(self.fov_y_radians);
    }

    /// Lets a view look from here.
    pub fn show(&self, view: &mut WorldView) {
        let floor = view.view.floor.map(|floor| view.origin.y + f64::from(floor));
        view.origin = self.target;
        view.view.floor = floor.map(|floor| (floor - self.target.y) as f32);
        view.view.camera = Camera {
            eye: self.away() * self.distance,
            target: Vec3::ZERO,
            fov_y_radians: self.fov_y_radians,
        };
    }
}

/// The box around a body's skin now.
pub fn bounds(world: &World, body: pliant::BodyHandle) -> Option<(DVec3, DVec3)> {
    let body = world.body(body).ok()?;
    let points = body.skin().positions.iter().map(|p| body.nodes.origin + p.as_dvec3());
    points.filter(|p| p.is_finite()).map(|p| (p, p)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> WorldView {
        let world = World::new();
        WorldView::new(&world, Some((DVec3::new(1.0, 2.0, 4.0), DVec3::new(0.2, 0.5, -0.3), 0.6)))
    }

    #[test]
    fn an_orbit_of_a_view_shows_the_same_view() {
        let mut shown = view();
        let before = shown.view.camera;
        Orbit::of(&shown).show(&mut shown);
        assert!(shown.view.camera.eye.distance(before.eye) < 1e-4);
        assert!(shown.origin.distance(DVec3::new(0.2, 0.5, -0.3)) < 1e-6);
    }

    #[test]
    fn panning_keeps_what_is_under_the_cursor() {
        let size = Vec2::new(800.0, 500.0);
        let (mut before, mut after) = (view(), view());
        let mut orbit = Orbit::of(&before);
        orbit.show(&mut before);
        orbit.pan(Vec2::new(100.0, 50.0) / size.y);
        orbit.show(&mut after);
        let place = before.origin;
        let moved = after.project(place, size).unwrap() - before.project(place, size).unwrap();
        assert!(moved.distance(Vec2::new(100.0, 50.0)) < 0.5, "{moved}");
    }

    #[test]
    fn focus_brings_the_whole_box_into_the_picture() {
        let size = Vec2::new(800.0, 500.0);
        let mut shown = view();
        let mut orbit = Orbit::of(&shown);
        let (lo, hi) = (DVec3::new(5.0, 5.0, 5.0), DVec3::new(9.0, 6.0, 6.0));
        orbit.focus(lo, hi);
        orbit.show(&mut shown);
        for corner in [lo, hi, DVec3::new(lo.x, hi.y, hi.z), DVec3::new(hi.x, lo.y, hi.z)] {
            let at = shown.project(corner, size).unwrap();
            assert!(at.x > 0.0 && at.y > 0.0 && at.x < size.x && at.y < size.y, "{at}");
        }
        assert!(orbit.distance < 30.0);
    }
}
