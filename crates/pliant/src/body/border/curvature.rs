//! How a piece of surface is curved, as far as contacts care: like a ball, or not.

use glam::{Mat3, Vec3};

/// Sums over a piece of surface that tell how its normal changes along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curvature {
    area: f32,
    /// Σ area point, Σ area normal.
    point: Vec3,
    normal: Vec3,
    /// Σ area point pointᵀ, Σ area normal pointᵀ.
    spread: Mat3,
    turn: Mat3,
}

impl Default for Curvature {
    /// Of nothing. (A default matrix would not be zero.)
    fn default() -> Self {
        Self { area: 0.0, point: Vec3::ZERO, normal: Vec3::ZERO, spread: Mat3::ZERO, turn: Mat3::ZERO }
    }
}

/// The product of the two principal curvatures, as part of the square of their mean, from which on a surface is like a ball: it is 1 on a
/// ball, 0 on a cylinder and negative on a saddle.
const LIKE_A_BALL: f32 = 0.5;

impl Curvature {
    /// Adds so much surface that has a normal at a point.
    pub fn add(&mut self, point: Vec3, normal: Vec3, area: f32) {
        self.area += area;
        self.point += area * point;
        self.normal += area * normal;
        self.spread += outer(area * point, point);
        self.turn += outer(area * normal, point);
    }

    /// The middle and the radius of the ball that the surface is like; none if it is flat, turns inward or is curved more one way than the
    /// other.
    pub fn ball(&self) -> Option<(Vec3, f32)> {
        let along = self.normal.try_normalize()?;
        let [point, normal] = [self.point, self.normal].map(|sum| sum / self.area);
        let spread = self.spread * (1.0 / self.area) - outer(point, point);
        let turn = self.turn * (1.0 / self.area) - outer(normal, point);
        // In the tangent plane the normal changes by S times the way, and Σ normal pointᵀ = S Σ point pointᵀ.
        let (u, v) = along.any_orthonormal_pair();
        let within = |of: Mat3| [u, v].map(|a| [u, v].map(|b| a.dot(of * b)));
        let ([[a, b], [_, d]], [[e, f], [g, h]]) = (within(spread), within(turn));
        let determinant = a * d - b * b;
        // All in a line, or one normal only: nothing is known of the other way.
        if determinant.is_nan() || determinant <= 1e-4 * (a + d) * (a + d) {
            return None;
        }
        let [[k, l], [m, n]] = [[e * d - f * b, f * a - e * b], [g * d - h * b, h * a - g * b]]
            .map(|row| row.map(|x| x / determinant));
        let (mean, product) = (0.5 * (k + n), k * n - l * m);
        let round = mean > 0.0 && product > LIKE_A_BALL * mean * mean;
        // point = middle + radius normal, of each and so of their means.
        round.then(|| (point - normal / mean, 1.0 / mean))
    }
}

/// a bᵀ
fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::functions::{cos, sin};

    /// Of a patch of the surface (cos φ a, sin φ b, height), whose normal is known.
    fn patch(surface: impl Fn(f32, f32) -> (Vec3, Vec3)) -> Option<(Vec3, f32)> {
        let mut sum = Curvature::default();
        for i in -3..=3 {
            for j in -3..=3 {
                let (point, normal) = surface(0.05 * i as f32, 0.05 * j as f32);
                sum.add(point, normal, 1.0);
            }
        }
        sum.ball()
    }

    #[test]
    fn a_ball_has_its_radius_and_what_is_no_ball_none() {
        let middle = Vec3::new(3.0, -1.0, 2.0);
        let ball = |u: f32, v: f32| {
            let normal = Vec3::new(sin(u) * cos(v), sin(v), cos(u) * cos(v));
            (middle + 0.4 * normal, normal)
        };
        let (at, radius) = patch(ball).expect("a ball");
        assert!((radius - 0.4).abs() < 0.01 && at.distance(middle) < 0.01, "{radius} {at}");
        assert_eq!(patch(|u, v| (ball(u, v).0, -ball(u, v).1)), None, "the inside of a ball");
        assert_eq!(patch(|u, v| (Vec3::new(u, v, 0.0), Vec3::Z)), None, "a plane");
        let around = |u: f32| Vec3::new(sin(u), 0.0, cos(u));
        assert_eq!(patch(|u, v| (around(u) + Vec3::Y * v, around(u))), None, "a cylinder");
        let saddle =
            |u: f32, v: f32| (Vec3::new(u, v, v * v - u * u), Vec3::new(2.0 * u, -2.0 * v, 1.0).normalize());
        assert_eq!(patch(saddle), None, "a saddle");
    }
}
