//! Rolling and spinning friction: couples between two that touch, which hold back how they turn against each other.
//!
//! Where surfaces give way a little, the pressure under a rolling body is more in front of it than behind, by a moment of b N about the
//! contact: N is the normal force and b, a length, the coefficient of rolling friction. Spinning friction is the same about the normal. Both are
//! bounded by what the contact has pressed with, like Coulomb friction, so what does not turn is held: a ball of radius r stays on slopes
//! up to tan θ = b / r.

use super::solve::{Against, Constraint, SolverBodies};
use crate::material::Surface;
use glam::{Mat3A, Vec3A};

/// Rolling and spinning friction of a contact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resistance {
    /// Coefficients in meters.
    rolling: f32,
    spinning: f32,
    /// kg m²/s that it has held the first of the two back with.
    couple: Vec3A,
}

impl Resistance {
    /// Where two surfaces touch that have this in common.
    pub fn of(surface: Surface) -> Self {
        let Surface { rolling_friction: rolling, spinning_friction: spinning, .. } = surface;
        Self { rolling, spinning, couple: Vec3A::ZERO }
    }

    /// Whether there is any.
    pub fn acts(&self) -> bool {
        self.rolling > 0.0 || self.spinning > 0.0
    }

    /// The couple after both were found to turn against each other by `spin`, pressed by `pressed` kg m/s along `normal`; `ease` is how easily
    /// they are turned against each other, in 1/(kg m²).
    fn held(&self, spin: Vec3A, ease: &Mat3A, normal: Vec3A, pressed: f32) -> Vec3A {
        let about = normal * spin.dot(normal);
        let stop = |spin: Vec3A| {
            let inverse_moment = spin.dot(*ease * spin) / spin.length_squared();
            if inverse_moment > 0.0 { spin / inverse_moment } else { Vec3A::ZERO }
        };
        let wanted = self.couple - stop(about);
        let spinning = normal * wanted.dot(normal);
        let rolling = self.couple - stop(spin - about);
        let rolling = rolling - normal * rolling.dot(normal);
        spinning.clamp_length_max(self.spinning * pressed) + rolling.clamp_length_max(self.rolling * pressed)
    }
}

impl SolverBodies<'_> {
    /// Holds back how two turn against each other, as far as what presses them together allows.
    pub fn resist(&mut self, contact: &mut Constraint) {
        let (own, other) = (contact.side.body as usize, &contact.against);
        let (spin, ease) = match *other {
            Against::Members(_, side) => self.turnings[side.body as usize].turning(),
            Against::Rigid(rigid, _) => {
                let rigid = &self.rigids[rigid as usize];
                (rigid.spin.into(), rigid.rigid.inverse_inertia.into())
            }
            Against::Collider { spin, .. } => (spin.into(), Mat3A::ZERO),
        };
        let (own_spin, own_ease) = self.turnings[own].turning();
        let held = contact.resistance.held(
            own_spin - spin,
            &(own_ease + ease),
            contact.normal.into(),
            contact.impulse,
        );
        let more = held - contact.resistance.couple;
        contact.resistance.couple = held;
        self.turnings[own].twist(more);
        match *other {
            Against::Members(_, side) => self.turnings[side.body as usize].twist(-more),
            Against::Rigid(rigid, _) => {
                let member = &mut self.rigids[rigid as usize];
                member.spin -= member.rigid.inverse_inertia * glam::Vec3::from(more);
                member.rigid.angular_impulse -= glam::Vec3::from(more);
            }
            Against::Collider { .. } => {}
        }
    }
}
