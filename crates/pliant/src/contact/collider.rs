//! Things that bodies cannot enter: at rest, moved by the user, or pushed by the bodies themselves.

use super::{Rigid, Shape};
use crate::body::CollisionGroups;
use crate::geometry::Guess;
use crate::ids::Handle;
use crate::material::Surface;
use crate::math::{quat_from_rotation_arc, quat_from_scaled_axis, turn_between};
use glam::{DVec3, Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// Names a collider of a world.
pub type ColliderHandle = Handle<Collider>;

/// Something that bodies cannot enter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collider {
    /// What it looks like.
    pub shape: Shape,
    /// Where it is, in metres.
    pub position: DVec3,
    /// How it is turned.
    pub rotation: Quat,
    /// What bodies touch.
    pub surface: Surface,
    /// How fast it moves by itself, in m/s: it pushes and carries what it touches.
    pub velocity: Vec3,
    /// How fast it turns by itself about its position, in rad/s.
    pub spin: Vec3,
    /// Where the next step brings it, at an even speed; see [`Collider::move_to`].
    pub target: Option<(DVec3, Quat)>,
    /// What bodies can push it about with; without it nothing stops it.
    pub rigid: Option<Rigid>,
    /// The groups that it is in, and those of the bodies that it touches.
    pub groups: CollisionGroups,
    /// Whether it only notices bodies: they go through it, and touching is told of ([`World::touches`](crate::World::touches),
    /// [`World::contact_events`](crate::World::contact_events)) without being a contact. It keeps nobody awake; those that sleep in it
    /// stay in touch. A body is in it if one of its nodes or a place of its surface is.
    pub sensor: bool,
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
        Self {
            shape,
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
            surface: Surface::default(),
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            target: None,
            rigid: None,
            groups: CollisionGroups::default(),
            sensor: false,
        }
    }

    /// A level floor at the given height.
    pub fn floor(height: f64) -> Self {
        Self::new(Shape::Plane).at(DVec3::Y * height)
    }

    /// A plane through a point that keeps bodies on the side its normal points to.
    pub fn plane(through: impl Into<DVec3>, normal: impl Into<Vec3>) -> Self {
        let normal = normal.into().try_normalize().unwrap_or(Vec3::Y);
        Self::new(Shape::Plane).at(through).turned(quat_from_rotation_arc(Vec3::Y, normal))
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
    pub fn friction(mut self, friction: f32) -> Self {
        self.surface.friction = friction;
        self
    }

    /// The collider with another restitution.
    pub fn restitution(mut self, restitution: f32) -> Self {
        self.surface.restitution = restitution;
        self
    }

    /// The collider with other coefficients of rolling and spinning friction, in meters.
    pub fn rolling_friction(mut self, rolling: f32, spinning: f32) -> Self {
        (self.surface.rolling_friction, self.surface.spinning_friction) = (rolling, spinning);
        self
    }

    /// The collider in other groups.
    pub fn groups(self, groups: CollisionGroups) -> Self {
        Self { groups, ..self }
    }

    /// The collider as a sensor: it notices bodies and leaves them alone.
    pub fn sensing(self) -> Self {
        Self { sensor: true, ..self }
    }

    /// The collider moving by itself, in m/s and rad/s.
    pub fn moving(self, velocity: Vec3, spin: Vec3) -> Self {
        Self { velocity, spin, ..self }
    }

    /// Lets the next step bring it to a place and a rotation, at an even speed: what it touches on the way is pushed and
    /// carried. Writing to `position` and `rotation` instead puts it there at once.
    pub fn move_to(&mut self, position: impl Into<DVec3>, rotation: Quat) {
        self.target = Some((position.into(), rotation));
    }

    /// Whether the next step moves it.
    pub fn is_moving(&self) -> bool {
        self.target.is_some() || self.velocity != Vec3::ZERO || self.spin != Vec3::ZERO
    }

    /// Takes its speed from where it is to be in `dt_secs`, and forgets what it was pushed with.
    pub(crate) fn start(&mut self, dt_secs: f32) {
        if let Some((position, rotation)) = self.target.filter(|to| to.0.is_finite() && to.1.is_normalized())
        {
            self.velocity = ((position - self.position) / f64::from(dt_secs)).as_vec3();
            self.spin = turn_between(self.rotation, rotation) / dt_secs;
        } else {
            self.target = None;
        }
        if let Some(rigid) = &mut self.rigid {
            (rigid.impulse, rigid.angular_impulse) = (Vec3::ZERO, Vec3::ZERO);
        }
    }

    /// Moves on by `h` seconds.
    pub(crate) fn advance(&mut self, h: f32) {
        let centre = self.rigid.map_or(Vec3::ZERO, |rigid| rigid.centre);
        if self.spin != Vec3::ZERO {
            let turn = quat_from_scaled_axis(self.spin * h);
            self.rotation = (turn * self.rotation).normalize();
            let turned = turn * centre;
            self.position += (centre - turned).as_dvec3();
            if let Some(rigid) = &mut self.rigid {
                let turn = Mat3::from_quat(turn);
                rigid.inverse_inertia = turn * rigid.inverse_inertia * turn.transpose();
                rigid.centre = turned;
            }
        }
        self.position += f64::from(h) * self.velocity.as_dvec3();
        // After it has moved: what is held at the end of each step does not move at all.
        self.velocity += h * self.rigid.map_or(Vec3::ZERO, |rigid| rigid.acceleration);
    }

    /// Arrives where it was to be.
    pub(crate) fn arrive(&mut self) {
        if let Some((position, rotation)) = self.target.take() {
            (self.position, self.rotation) = (position, rotation);
            (self.velocity, self.spin) = (Vec3::ZERO, Vec3::ZERO);
        }
    }

    /// Checks every field.
    ///
    /// # Errors
    /// The first field that makes no sense.
    pub fn validate(&self) -> Result<(), ColliderError> {
        let length = |v: f32| v > 0.0 && v.is_finite();
        let Surface { friction, restitution, rolling_friction, spinning_friction } = self.surface;
        let not_negative = |v: f32| v >= 0.0 && v.is_finite();
        self.shape.validate().map_err(|why| ColliderError { what: "shape", why })?;
        let checks = [
            (self.position.is_finite(), "position", "it must be finite"),
            (self.rotation.is_normalized(), "rotation", "it must be a unit quaternion"),
            (not_negative(friction), "friction", "it must be 0 or more"),
            (not_negative(rolling_friction), "rolling_friction", "it must be 0 or more"),
            (not_negative(spinning_friction), "spinning_friction", "it must be 0 or more"),
            ((0.0..=1.0).contains(&restitution), "restitution", "it must be in [0, 1]"),
            (self.velocity.is_finite(), "velocity", "it must be finite"),
            (self.spin.is_finite(), "spin", "it must be finite"),
            (
                self.rigid.is_none_or(|rigid| {
                    let vectors = rigid.centre.is_finite() && rigid.acceleration.is_finite();
                    length(rigid.inverse_mass) && rigid.inverse_inertia.is_finite() && vectors
                }),
                "mass",
                "it must be above 0 and finite",
            ),
        ];
        match checks.into_iter().find(|check| !check.0) {
            Some((_, what, why)) => Err(ColliderError { what, why }),
            None => Ok(()),
        }
    }

    /// The collider as seen from a point of the world: what a body needs to test its nodes in `f32`.
    pub(crate) fn seen_from(&self, origin: DVec3) -> LocalCollider<'_> {
        // A plane is moved along itself to beside the origin, so that it is exact at any distance from its own position.
        let offset = match self.shape {
            Shape::Plane => {
                let normal = self.rotation.as_dquat() * DVec3::Y;
                normal * (self.position - origin).dot(normal)
            }
            _ => self.position - origin,
        };
        LocalCollider {
            shape: &self.shape,
            position: offset.as_vec3(),
            world_from_local: Mat3::from_quat(self.rotation),
            guess: Cell::default(),
        }
    }
}

/// A collider relative to a body's origin.
#[derive(Clone, Debug)]
pub(crate) struct LocalCollider<'a> {
    shape: &'a Shape,
    position: Vec3,
    world_from_local: Mat3,
    /// What is asked about one after the other is near each other.
    guess: Cell<Guess>,
}

/// A node in or behind a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// How far to go along `normal` to be out, in metres.
    pub depth: f32,
    /// The direction out where the node came in.
    pub normal: Vec3,
    /// It came in during this step; otherwise it was inside before.
    pub entered: bool,
}

/// Steps along a path until it is known to hit or miss; one that grazes the surface for longer is halved instead.
const MARCH_STEPS: usize = 48;
/// How often what is left of a path that grazes the surface is halved.
const HALVINGS: usize = 16;
/// Cosine of the angle between directions out from which on they are of the same side.
const SAME_SIDE: f32 = 0.5;

impl LocalCollider<'_> {
    /// Whether a node that has come to `point` by `motion` is inside, or has passed through on its way.
    ///
    /// A fast node is stopped at the side it comes from, however thin the collider is.
    /// Its distance and direction out where it has come to are known, and its distance `before` can be asked for.
    pub fn touch(
        &self,
        point: Vec3,
        motion: Vec3,
        (distance, normal): (f32, Vec3),
        before: impl FnOnce() -> f32,
    ) -> Option<Touch> {
        let from = point - motion;
        let length = motion.length();
        // A surface nearer than the path is long may have been passed; the distance changes by at most the length.
        if distance > length {
            return None;
        }
        let before = before();
        // Too short to have gone in and out again.
        if distance > 0.0 && before + distance >= length {
            return None;
        }
        // A node that rests on the surface is a little inside it by rounding, and still comes from outside: else the pull of
        // its body would carry it through a thin wall.
        let on_surface = 1e-3 * length + 1e-6 * from.abs().max_element();
        if before > -on_surface && before < length {
            let direction = motion / length;
            let stopped = |(at, gap, out): (Vec3, f32, Vec3)| {
                let depth = (at - point).dot(out) - gap.min(0.0);
                (depth > 0.0).then_some(Touch { depth, normal: out, entered: true })
            };
            let mut travelled = before.max(0.0);
            for _ in 0..MARCH_STEPS {
                let at = from + direction * travelled;
                let (gap, out) = self.distance(at);
                if gap <= 1e-4 * length {
                    return stopped((at, gap, out));
                }
                travelled += gap;
                if travelled >= length {
                    break;
                }
            }
            // Where it is in by the side that is nearest, that one knows the depth better.
            let other_side = |out: Vec3| distance > 0.0 || out.dot(normal) < SAME_SIDE;
            if travelled < length
                && let Some(entry) = self.entry(from, direction, [travelled, length])
                && other_side(entry.2)
            {
                return stopped(entry);
            }
            if distance > 0.0 {
                return None;
            }
        }
        (distance <= 0.0).then_some(Touch { depth: -distance, normal, entered: before > 0.0 })
    }

    /// Where a path goes in, between two lengths of which the first is outside, with the distance and the direction out there. It is sure
    /// to be found if the shape is convex: the path comes nearer until then, and goes away only after it has left.
    fn entry(&self, from: Vec3, direction: Vec3, [mut low, mut high]: [f32; 2]) -> Option<(Vec3, f32, Vec3)> {
        let mut entry = None;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let at = from + direction * middle;
            let (distance, out) = self.distance(at);
            if distance > 0.0 && direction.dot(out) < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
            if distance <= 0.0 {
                entry = Some((at, distance, out));
            }
        }
        entry
    }

    /// Normal and height above the body's origin, if it is a plane.
    pub fn plane(&self) -> Option<(Vec3, f32)> {
        let normal = self.world_from_local.y_axis;
        matches!(self.shape, Shape::Plane).then(|| (normal, self.position.dot(normal)))
    }

    /// Whether a point is farther than a limit from the surface: cheaper than the distance, and not always known.
    pub fn is_farther_than(&self, point: Vec3, limit: f32) -> bool {
        match self.plane() {
            Some((normal, height)) => point.dot(normal) - height > limit,
            None => {
                self.shape.is_farther_than(self.world_from_local.transpose() * (point - self.position), limit)
            }
        }
    }

    /// How far a point is from the collider at least, or, inside a solid, from its surface; none if that is not much sooner known than
    /// the distance.
    pub fn at_least(&self, point: Vec3) -> Option<f32> {
        self.shape.at_least(self.world_from_local.transpose() * (point - self.position))
    }

    /// Distance from the surface, negative inside, and the direction out.
    pub fn distance(&self, point: Vec3) -> (f32, Vec3) {
        let offset = point - self.position;
        if matches!(self.shape, Shape::Plane) {
            let normal = self.world_from_local.y_axis;
            return (offset.dot(normal), normal);
        }
        let mut guess = self.guess.take();
        let (distance, normal) =
            self.shape.distance_from(&mut guess, self.world_from_local.transpose() * offset);
        self.guess.set(guess);
        (distance, self.world_from_local * normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_exact_far_from_its_own_position() {
        let floor = Collider::floor(0.25);
        let seen = floor.seen_from(DVec3::new(1e9, 0.5, -1e9));
        assert_eq!(seen.distance(Vec3::ZERO).0, 0.25);
    }

    #[test]
    fn what_grazes_a_thin_wall_is_stopped_at_the_side_it_comes_from() {
        let wall = Collider::new(Shape::Box { half: Vec3::new(0.01, 20.0, 20.0) });
        let seen = wall.seen_from(DVec3::ZERO);
        // Half a millimetre before the wall, at ever smaller angles, to beyond its middle and beyond all of it.
        for across in [0.012, 0.025] {
            for along in [0.05, 0.1, 0.2, 0.5, 1.0, 2.0] {
                let (from, motion) = (Vec3::X * -0.0105, Vec3::new(across, along, 0.0));
                let before = || seen.distance(from).0;
                let to = from + motion;
                let touch = seen.touch(to, motion, seen.distance(to), before).expect("it hits the wall");
                assert!(touch.entered && touch.normal.x < -0.999, "{across} {along}: {touch:?}");
                let out = to.x + touch.depth * touch.normal.x;
                assert!((out + 0.01).abs() < 1e-3 * motion.length(), "{across} {along}: {touch:?}");
            }
        }
    }
}
