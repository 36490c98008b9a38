//! A rigid body that carries nodes of a soft one.

use super::ToolError;
use crate::contact::Rigid;
use crate::math::{quat_from_scaled_axis, turn_between};
use glam::{DMat3, DVec3, Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A rigid body that carries nodes of a soft one.
///
/// It moves by its own speed, like a [`Collider`](crate::Collider). Without [`Rigid`] nothing stops it; with it, the nodes and the
/// body go on as one, and what the nodes gave the body is added up for the engine that the body belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Carrier {
    /// The rigid body that it stands for, as in [`Rigid::body`].
    pub key: u64,
    /// Where it is, in metres.
    pub position: DVec3,
    /// How it is turned.
    pub rotation: Quat,
    /// How fast its centre of mass moves, in m/s.
    pub velocity: Vec3,
    /// How fast it turns, in rad/s.
    pub spin: Vec3,
    /// Where the next step brings it, at an even speed; see [`Carrier::move_to`].
    pub target: Option<(DVec3, Quat)>,
    /// What nodes can pull it about with.
    pub rigid: Option<Rigid>,
}

impl Carrier {
    /// At rest, and not to be moved by its nodes.
    pub fn new(key: u64, position: impl Into<DVec3>, rotation: Quat) -> Self {
        let position = position.into();
        Self { key, position, rotation, velocity: Vec3::ZERO, spin: Vec3::ZERO, target: None, rigid: None }
    }

    /// Checks every field.
    ///
    /// # Errors
    /// The first field that makes no sense.
    pub fn validate(&self) -> Result<(), ToolError> {
        let fail = |name, value, range| Err(ToolError::Setting { name, value, range });
        if !self.position.is_finite() {
            return fail("position", self.position.length(), "finite");
        }
        if !self.rotation.is_normalized() {
            return fail("rotation", f64::from(self.rotation.length()), "a unit quaternion");
        }
        if !(self.velocity.is_finite() && self.spin.is_finite()) {
            return fail("velocity", f64::from(self.velocity.length() + self.spin.length()), "finite");
        }
        match self.rigid {
            Some(rigid) if !(rigid.inverse_mass > 0.0 && rigid.inverse_mass.is_finite()) => {
                fail("mass", f64::from(rigid.inverse_mass.recip()), "above 0 and finite")
            }
            _ => Ok(()),
        }
    }

    /// A place of its own coordinates in the world.
    pub fn world(&self, place: DVec3) -> DVec3 {
        self.position + self.rotation.as_dquat() * place
    }

    /// A place of the world in its own coordinates.
    pub fn local(&self, place: DVec3) -> DVec3 {
        self.rotation.as_dquat().inverse() * (place - self.position)
    }

    /// Where its centre of mass is.
    pub fn centre(&self) -> DVec3 {
        self.position + self.rigid.map_or(Vec3::ZERO, |rigid| rigid.centre).as_dvec3()
    }

    /// How fast it moves a place of its own coordinates, in m/s.
    pub fn speed(&self, place: DVec3) -> Vec3 {
        self.velocity + self.spin.cross((self.world(place) - self.centre()).as_vec3())
    }

    /// Lets the next step bring it to a place and a rotation, at an even speed, as
    /// [`Collider::move_to`](crate::Collider::move_to) does: what rests on its nodes is carried along. Writing to `position` and
    /// `rotation` instead puts it there at once.
    pub fn move_to(&mut self, position: impl Into<DVec3>, rotation: Quat) {
        self.target = Some((position.into(), rotation));
    }

    /// Takes its speed from where it is to be in `dt_secs`, and forgets what it was pulled with.
    pub(crate) fn start(&mut self, dt_secs: f32) {
        self.target = self.target.filter(|to| to.0.is_finite() && to.1.is_normalized());
        if let Some((position, rotation)) = self.target {
            self.velocity = ((position - self.position) / f64::from(dt_secs)).as_vec3();
            self.spin = turn_between(self.rotation, rotation) / dt_secs;
        }
        if let Some(rigid) = &mut self.rigid {
            (rigid.impulse, rigid.angular_impulse) = (Vec3::ZERO, Vec3::ZERO);
        }
    }

    /// Moves on by `h` seconds.
    pub(crate) fn advance(&mut self, h: f32) {
        let turn =
            if self.spin == Vec3::ZERO { Quat::IDENTITY } else { quat_from_scaled_axis(self.spin * h) };
        if let Some(rigid) = &mut self.rigid {
            let turned = turn * rigid.centre;
            self.position += (rigid.centre - turned).as_dvec3();
            rigid.centre = turned;
            let turn = Mat3::from_quat(turn);
            rigid.inverse_inertia = turn * rigid.inverse_inertia * turn.transpose();
        }
        self.rotation = (turn * self.rotation).normalize();
        self.position += f64::from(h) * self.velocity.as_dvec3();
    }

    /// Arrives where it was to be.
    pub(crate) fn arrive(&mut self) {
        if let Some((position, rotation)) = self.target.take() {
            (self.position, self.rotation) = (position, rotation);
            (self.velocity, self.spin) = (Vec3::ZERO, Vec3::ZERO);
        }
    }

    /// Gets faster by what else acts on it for `h` seconds.
    pub(crate) fn speed_up(&mut self, h: f32) {
        self.velocity += h * self.rigid.map_or(Vec3::ZERO, |rigid| rigid.acceleration);
    }

    /// Goes on as one rigid body with points of the given masses, offsets from the centre of mass, and velocities.
    ///
    /// The velocity and the spin of the whole are its momentum over its inertia, so the exchange never overshoots.
    pub(crate) fn join(&mut self, points: impl Iterator<Item = (f32, Vec3, Vec3)> + Clone) {
        let Some(rigid) = &mut self.rigid else { return };
        let mass = f64::from(rigid.inverse_mass).recip();
        let (velocity, spin) = (self.velocity.as_dvec3(), self.spin.as_dvec3());
        let points = points.map(|(m, arm, v)| (f64::from(m), arm.as_dvec3(), v.as_dvec3()));
        let (total, moment, momentum) = points
            .clone()
            .fold((mass, DVec3::ZERO, mass * velocity), |(total, moment, momentum), (m, arm, v)| {
                (total + m, moment + m * arm, momentum + m * v)
            });
        let middle = moment / total;
        let own = inertia_of(rigid.inverse_inertia.as_dmat3());
        let turned = match own {
            // One that cannot be turned keeps its spin.
            None => spin,
            Some(own) => {
                let about = own * spin + points.clone().map(|(m, arm, v)| m * arm.cross(v)).sum::<DVec3>();
                let inertia = points
                    .fold(own + of_point(mass, middle), |sum, (m, arm, _)| sum + of_point(m, arm - middle));
                inertia.inverse() * (about - middle.cross(momentum))
            }
        };
        let moved = momentum / total - turned.cross(middle);
        if !(moved.is_finite() && turned.is_finite()) {
            return;
        }
        rigid.impulse += (mass * (moved - velocity)).as_vec3();
        rigid.angular_impulse += own.map_or(DVec3::ZERO, |own| own * (turned - spin)).as_vec3();
        (self.velocity, self.spin) = (moved.as_vec3(), turned.as_vec3());
    }
}

/// Inertia of a mass at a point.
fn of_point(mass: f64, at: DVec3) -> DMat3 {
    let outer = DMat3::from_cols(at * at.x, at * at.y, at * at.z);
    mass * (DMat3::from_diagonal(DVec3::splat(at.length_squared())) - outer)
}

/// The inertia for its inverse; `None` if nothing turns it. An axis that cannot be turned about gets a huge one.
fn inertia_of(inverse: DMat3) -> Option<DMat3> {
    let most = inverse.x_axis.x.max(inverse.y_axis.y).max(inverse.z_axis.z);
    (most > 0.0).then(|| (inverse + DMat3::from_diagonal(DVec3::splat(1e-6 * most))).inverse())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_keeps_momentum_and_angular_momentum() {
        let inverse_inertia = Mat3::from_diagonal(Vec3::new(0.5, 0.25, 2.0));
        let rigid = Rigid::new(0.1, inverse_inertia, Vec3::ZERO);
        let (velocity, spin) = (Vec3::new(1.0, -2.0, 0.5), Vec3::new(0.3, 2.0, -1.0));
        let mut carrier =
            Carrier { velocity, spin, rigid: Some(rigid), ..Carrier::new(0, DVec3::ZERO, Quat::IDENTITY) };
        let points = [
            (3.0, Vec3::new(1.0, 0.0, 0.2), Vec3::new(0.0, 4.0, 0.0)),
            (40.0, Vec3::new(-0.5, 2.0, 0.0), Vec3::new(-3.0, 0.0, 1.0)),
        ];
        let inertia = inverse_inertia.inverse();
        let before = 10.0 * velocity + points.iter().map(|p| p.0 * p.2).sum::<Vec3>();
        let turning = inertia * spin + points.iter().map(|p| p.0 * p.1.cross(p.2)).sum::<Vec3>();
        carrier.join(points.into_iter());
        let now = |arm: Vec3| carrier.velocity + carrier.spin.cross(arm);
        let after = 10.0 * carrier.velocity + points.iter().map(|p| p.0 * now(p.1)).sum::<Vec3>();
        let turned = inertia * carrier.spin + points.iter().map(|p| p.0 * p.1.cross(now(p.1))).sum::<Vec3>();
        assert!((after - before).length() < 1e-3 * before.length(), "{before} {after}");
        assert!((turned - turning).length() < 1e-3 * turning.length(), "{turning} {turned}");
        let given = carrier.rigid.map(|rigid| (rigid.impulse, rigid.angular_impulse)).unwrap();
        assert!((given.0 - 10.0 * (carrier.velocity - velocity)).length() < 1e-3);
        assert!((given.1 - inertia * (carrier.spin - spin)).length() < 1e-3);
    }
}
