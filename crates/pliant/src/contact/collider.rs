//! Things that do not move and that bodies cannot enter.

use glam::{DVec3, Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// The shape of a collider, in its own coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Shape {
    /// All below the plane through the collider's position; its normal is the collider's y axis.
    Plane,
    /// A ball.
    Sphere {
        /// Metres.
        radius: f32,
    },
    /// A box.
    Box {
        /// Half its edges, in metres.
        half: Vec3,
    },
    /// A cylinder along y with half balls as ends.
    Capsule {
        /// Metres.
        radius: f32,
        /// Half the distance between the ends' centres, in metres.
        half_height: f32,
    },
}

/// Something that bodies cannot enter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collider {
    /// What it looks like.
    pub shape: Shape,
    /// Where it is, in metres.
    pub position: DVec3,
    /// How it is turned.
    pub rotation: Quat,
    /// Coulomb friction, 0 or more; with a body the geometric mean of both counts.
    pub friction: f32,
    /// Restitution in [0, 1]; the larger of body and collider counts.
    pub restitution: f32,
}

/// A collider that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the collider's {what} is not valid: {why}")]
pub struct ColliderError {
    /// The field.
    pub what: &'static str,
    /// What it must be.
    pub why: &'static str,
}

impl Collider {
    /// A collider at the world's origin.
    pub fn new(shape: Shape) -> Self {
        Self { shape, position: DVec3::ZERO, rotation: Quat::IDENTITY, friction: 0.5, restitution: 0.0 }
    }

    /// A level floor at the given height.
    pub fn floor(height: f64) -> Self {
        Self::new(Shape::Plane).at(DVec3::Y * height)
    }

    /// A plane through a point that keeps bodies on the side its normal points to.
    pub fn plane(through: impl Into<DVec3>, normal: impl Into<Vec3>) -> Self {
        let normal = normal.into().try_normalize().unwrap_or(Vec3::Y);
        Self::new(Shape::Plane).at(through).turned(Quat::from_rotation_arc(Vec3::Y, normal))
    }

    /// The collider somewhere else.
    pub fn at(self, position: impl Into<DVec3>) -> Self {
        Self { position: position.into(), ..self }
    }

    /// The collider turned.
    pub fn turned(self, rotation: Quat) -> Self {
        Self { rotation, ..self }
    }

    /// The collider with another friction.
    pub fn friction(self, friction: f32) -> Self {
        Self { friction, ..self }
    }

    /// The collider with another restitution.
    pub fn restitution(self, restitution: f32) -> Self {
        Self { restitution, ..self }
    }

    /// Checks every field.
    ///
    /// # Errors
    /// The first field that makes no sense.
    pub fn validate(&self) -> Result<(), ColliderError> {
        let length = |v: f32| v > 0.0 && v.is_finite();
        let shape = match self.shape {
            Shape::Plane => true,
            Shape::Sphere { radius } => length(radius),
            Shape::Box { half } => half.to_array().into_iter().all(length),
            Shape::Capsule { radius, half_height } => {
                length(radius) && half_height >= 0.0 && half_height.is_finite()
            }
        };
        let checks = [
            (shape, "shape", "its lengths must be above 0"),
            (self.position.is_finite(), "position", "it must be finite"),
            (self.rotation.is_normalized(), "rotation", "it must be a unit quaternion"),
            (self.friction >= 0.0 && self.friction.is_finite(), "friction", "it must be 0 or more"),
            ((0.0..=1.0).contains(&self.restitution), "restitution", "it must be in [0, 1]"),
        ];
        match checks.into_iter().find(|check| !check.0) {
            Some((_, what, why)) => Err(ColliderError { what, why }),
            None => Ok(()),
        }
    }

    /// The collider as seen from a point of the world: what a body needs to test its nodes in `f32`.
    pub(crate) fn seen_from(&self, origin: DVec3) -> LocalCollider {
        // A plane is moved along itself to beside the origin, so that it is exact at any distance from its own position.
        let offset = match self.shape {
            Shape::Plane => {
                let normal = self.rotation.as_dquat() * DVec3::Y;
                normal * (self.position - origin).dot(normal)
            }
            _ => self.position - origin,
        };
        LocalCollider {
            shape: self.shape,
            position: offset.as_vec3(),
            world_from_local: Mat3::from_quat(self.rotation),
        }
    }
}

/// A collider relative to a body's origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalCollider {
    shape: Shape,
    position: Vec3,
    world_from_local: Mat3,
}

/// A node in or behind a surface.
pub(crate) struct Touch {
    /// How far to go along `normal` to be out, in metres.
    pub depth: f32,
    /// The direction out where the node came in.
    pub normal: Vec3,
    /// It came in during this step; otherwise it was inside before.
    pub entered: bool,
}

/// Steps along a path until it is known to hit or miss; a path that grazes the surface for longer counts as a miss.
const MARCH_STEPS: usize = 48;

impl LocalCollider {
    /// Whether a node that has come to `point` by `motion` is inside, or has passed through on its way.
    ///
    /// A fast node is stopped at the side it comes from, however thin the collider is.
    /// `reach` is how far from the node the body begins.
    pub fn touch(&self, point: Vec3, motion: Vec3, reach: f32) -> Option<Touch> {
        let from = point - motion;
        let distance_of = |point: Vec3| {
            let (distance, normal) = self.distance(point);
            (distance - reach, normal)
        };
        let (distance, normal) = distance_of(point);
        let length = motion.length();
        // A surface nearer than the path is long may have been passed; the distance changes by at most the length.
        if distance > length {
            return None;
        }
        let (before, _) = distance_of(from);
        // A node that rests on the surface is a little inside it by rounding, and still comes from outside: else the pull of
        // its body would carry it through a thin wall.
        let on_surface = 1e-3 * length + 1e-6 * from.abs().max_element();
        if before > -on_surface && before < length {
            let direction = motion / length;
            let (mut travelled, mut gap) = (before.max(0.0), f32::INFINITY);
            for _ in 0..MARCH_STEPS {
                let at = from + direction * travelled;
                let (ahead, out) = distance_of(at);
                gap = ahead;
                if gap <= 1e-4 * length {
                    let depth = (at - point).dot(out) - gap.min(0.0);
                    return (depth > 0.0).then_some(Touch { depth, normal: out, entered: true });
                }
                travelled += gap;
                if travelled >= length {
                    break;
                }
            }
            if gap > 0.0 && distance > 0.0 {
                return None;
            }
        }
        (distance <= 0.0).then_some(Touch { depth: -distance, normal, entered: before > 0.0 })
    }

    /// Normal and height above the body's origin, if it is a plane.
    pub fn plane(&self) -> Option<(Vec3, f32)> {
        let normal = self.world_from_local.y_axis;
        (self.shape == Shape::Plane).then(|| (normal, self.position.dot(normal)))
    }

    /// Distance from the surface, negative inside, and the direction out.
    pub fn distance(&self, point: Vec3) -> (f32, Vec3) {
        let offset = point - self.position;
        if self.shape == Shape::Plane {
            let normal = self.world_from_local.y_axis;
            return (offset.dot(normal), normal);
        }
        let (distance, normal) = self.shape.distance(self.world_from_local.transpose() * offset);
        (distance, self.world_from_local * normal)
    }
}

impl Shape {
    /// Distance from the surface, negative inside, and the direction out, in the shape's own coordinates.
    pub fn distance(&self, p: Vec3) -> (f32, Vec3) {
        match *self {
            Self::Plane => (p.y, Vec3::Y),
            Self::Sphere { radius } => ball(p, radius),
            Self::Capsule { radius, half_height } => {
                ball(p - Vec3::Y * p.y.clamp(-half_height, half_height), radius)
            }
            Self::Box { half } => {
                let beyond = p.abs() - half;
                let outside = beyond.max(Vec3::ZERO);
                let sign = Vec3::ONE.copysign(p);
                if outside != Vec3::ZERO {
                    let distance = outside.length();
                    return (distance, sign * outside / distance);
                }
                let nearest = beyond.max_position();
                (beyond[nearest], Vec3::AXES[nearest] * sign)
            }
        }
    }
}

fn ball(p: Vec3, radius: f32) -> (f32, Vec3) {
    let distance = p.length();
    (distance - radius, if distance > 0.0 { p / distance } else { Vec3::Y })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_zero_on_the_surface_and_its_gradient_is_the_normal() {
        let shapes = [
            Shape::Plane,
            Shape::Sphere { radius: 0.7 },
            Shape::Box { half: Vec3::new(0.5, 1.0, 0.25) },
            Shape::Capsule { radius: 0.3, half_height: 0.6 },
        ];
        for shape in shapes {
            for i in 0..500 {
                let t = i as f32;
                let p = Vec3::new((t * 0.37).sin(), (t * 0.73).cos(), (t * 1.31).sin()) * 1.5;
                let (distance, normal) = shape.distance(p);
                assert!((normal.length() - 1.0).abs() < 1e-5, "{shape:?} {p}");
                let (on_surface, _) = shape.distance(p - normal * distance);
                assert!(on_surface.abs() < 1e-5, "{shape:?} {p} {on_surface}");
                let (ahead, _) = shape.distance(p + normal * 1e-3);
                assert!((ahead - distance - 1e-3).abs() < 1e-5, "{shape:?} {p}");
            }
        }
    }

    #[test]
    fn a_plane_is_exact_far_from_its_own_position() {
        let floor = Collider::floor(0.25);
        let seen = floor.seen_from(DVec3::new(1e9, 0.5, -1e9));
        assert_eq!(seen.distance(Vec3::ZERO).0, 0.25);
    }
}
