//! How colliders answer what a world is asked: what is on a way, near a point or in a box.
//!
//! All of it rests on the distance from a shape, which is taken from beside the place in question, so that it is as exact at any
//! distance from zero.

use super::{Collider, Shape};
use crate::body::Way;
use glam::{DVec3, Vec3};

/// How far from a surface still counts as on it, as part of how far the collider's position is: what `f32` can tell apart.
const ON_SURFACE: f64 = 2e-6;

/// Steps to a convex shape. Each ends at a plane that the shape is behind, so that few lead anywhere.
const CONVEX_STEPS: usize = 100;

/// Steps to any other shape, each as long as the distance; a way that goes along the surface for longer misses.
const STEPS: usize = 1000;

/// How often a box is halved until what is still near it counts as in it.
const HALVINGS: usize = 5;

impl Collider {
    /// Distance from its surface, negative inside, and the direction out.
    pub(crate) fn distance(&self, point: DVec3) -> (f64, Vec3) {
        let (distance, normal) = self.seen_from(point).distance(Vec3::ZERO);
        (f64::from(distance), normal)
    }

    /// How far a ball goes before it touches, and the direction out there; 0 if it does already.
    pub(crate) fn first_on(&self, way: &Way) -> Option<(f64, Vec3)> {
        if let Shape::Plane = self.shape {
            return self.plane_on(way);
        }
        let convex = !matches!(self.shape, Shape::Mesh(_) | Shape::Heightfield(_));
        let (mut travelled, end) = if convex { (0.0, way.limit) } else { self.within_bounds(way)? };
        for _ in 0..if convex { CONVEX_STEPS } else { STEPS } {
            let at = way.at(travelled);
            let (distance, normal) = self.distance(at);
            let gap = distance - way.radius;
            let close = ON_SURFACE * (at - self.position).length();
            if gap <= close {
                return Some((travelled, normal));
            }
            // A convex shape is wholly behind the plane through its nearest point.
            let toward = if convex { -way.along.dot(normal.as_dvec3()) } else { 1.0 };
            travelled += (gap - 0.5 * close) / toward;
            // Also leaves out what is not a number.
            if !(toward > 0.0 && travelled <= end) {
                return None;
            }
        }
        None
    }

    fn plane_on(&self, way: &Way) -> Option<(f64, Vec3)> {
        let normal = self.rotation.as_dquat() * DVec3::Y;
        let gap = (way.from - self.position).dot(normal) - way.radius;
        let distance = if gap <= 0.0 { 0.0 } else { gap / -way.along.dot(normal) };
        (distance >= 0.0 && distance <= way.limit).then(|| (distance, normal.as_vec3()))
    }

    /// Where a way enters and leaves the box around the shape.
    fn within_bounds(&self, way: &Way) -> Option<(f64, f64)> {
        let (low, high) = self.shape.bounds()?;
        let local = self.rotation.as_dquat().inverse();
        let turned = Way { from: local * (way.from - self.position), along: local * way.along, ..*way };
        turned.crosses([low.as_dvec3(), high.as_dvec3()])
    }

    /// Whether it reaches into the box around `center`. What is nearer to the box than 1/32 of its half diagonal may count too,
    /// unless it is a plane.
    pub(crate) fn reaches_into(&self, center: DVec3, half: DVec3) -> bool {
        if let Shape::Plane = self.shape {
            let normal = self.rotation.as_dquat() * DVec3::Y;
            return (center - self.position).dot(normal) <= half.dot(normal.abs());
        }
        self.reaches_into_part([center, half], [center, half], HALVINGS)
    }

    fn reaches_into_part(&self, whole: [DVec3; 2], [center, half]: [DVec3; 2], halvings: usize) -> bool {
        let (distance, normal) = self.distance(center);
        if distance > half.length() || distance.is_nan() {
            return false;
        }
        let nearest = center - normal.as_dvec3() * distance;
        if distance <= 0.0 || halvings == 0 || (nearest - whole[0]).abs().cmple(whole[1]).all() {
            return true;
        }
        (0..8).any(|part| {
            let side = |bit: u32| if part >> bit & 1 == 1 { 0.5 } else { -0.5 };
            let center = center + half * DVec3::new(side(0), side(1), side(2));
            self.reaches_into_part(whole, [center, 0.5 * half], halvings - 1)
        })
    }
}
