//! What rigid bodies get from soft ones in a step.

use crate::coupling::order;
use crate::motion::{Mass, Motion, Touching};
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::math::quat_to_scaled_axis;
use pliant::{BodyHandle, ColliderHandle, Other, Rigid, ToolHandle, World};
use rapier3d::dynamics::RigidBodyHandle;

/// The rigid bodies of a step.
#[derive(Debug, Default)]
pub struct Exchange {
    /// By handle, ascending.
    bodies: Vec<Moved>,
}

#[derive(Debug)]
struct Moved {
    body: RigidBodyHandle,
    motion: Option<Motion>,
    /// All copies that can be pushed, and where each is at first.
    copies: Vec<(Copy, Place)>,
}

/// Centre of mass and rotation.
type Place = (DVec3, Quat);

/// What stands for a rigid body in Pliant.
#[derive(Clone, Copy, Debug)]
pub enum Copy {
    Collider(ColliderHandle),
    Carrier(ToolHandle),
}

/// What a rigid body got in a step.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    pub body: RigidBodyHandle,
    pub mass: Mass,
    /// kg m/s
    pub impulse: Vec3,
    /// About its centre of mass, kg m²/s.
    pub angular_impulse: Vec3,
    /// What it touches.
    pub touching: Touching,
    /// The part of both that acts at the beginning of rapier's step, so that the body comes to where it was in Pliant's.
    pub at_once: (Vec3, Vec3),
}

impl Given {
    /// The speeds it gives the body, in m/s and rad/s.
    pub fn speeds(&self) -> (Vec3, Vec3) {
        (self.impulse * self.mass.inverse_mass, self.mass.inverse_inertia * self.angular_impulse)
    }
}

impl Exchange {
    /// Adds a body; they come in ascending order.
    pub fn add(&mut self, body: RigidBodyHandle, motion: Option<Motion>) {
        self.bodies.push(Moved { body, motion, copies: Vec::new() });
    }

    fn find(&self, body: RigidBodyHandle) -> Option<usize> {
        self.bodies.binary_search_by_key(&order(body.0), |moved| order(moved.body.0)).ok()
    }

    /// How a body moves; `None` if it is not finite.
    pub fn motion(&self, body: RigidBodyHandle) -> Option<&Motion> {
        self.bodies[self.find(body)?].motion.as_ref()
    }

    /// Notes a copy with where it begins.
    pub fn note(&mut self, body: RigidBodyHandle, copy: Copy, centre: DVec3, rotation: Quat) {
        if let Some(at) = self.find(body) {
            self.bodies[at].copies.push((copy, (centre, rotation)));
        }
    }

    /// What each body got, after the step. What is not finite is left out.
    pub fn finish(self, world: &World, substeps: u32, iterations: usize, dt_secs: f32) -> Vec<Given> {
        let finish = |moved: Moved| {
            let mass = *moved.motion.as_ref()?.mass()?;
            let (impulse, angular_impulse) = (Vec3::ZERO, Vec3::ZERO);
            let nothing = (Vec3::ZERO, Vec3::ZERO);
            let touching = Touching::Nothing;
            let mut given =
                Given { body: moved.body, mass, impulse, angular_impulse, touching, at_once: nothing };
            let mut way = nothing;
            for (copy, start) in moved.copies {
                let Some((rigid, end)) = state(world, copy) else { continue };
                if given.touching != Touching::Asleep {
                    given.touching = touching_of(world, copy).unwrap_or(given.touching);
                }
                given.impulse += rigid.impulse;
                given.angular_impulse += rigid.angular_impulse;
                // All copies move alike, but colliders before each push and carriers after it.
                way = speed_of_way(start, end, dt_secs);
                if matches!(copy, Copy::Collider(_)) {
                    let substep = (substeps.max(1) as f32).recip();
                    way.0 += substep * (given.speeds().0 + dt_secs * mass.acceleration);
                    way.1 += substep * given.speeds().1;
                }
            }
            if given.impulse.is_finite() && given.angular_impulse.is_finite() {
                given.at_once = given.at_once(way, iterations, dt_secs);
            } else {
                (given.impulse, given.angular_impulse) = nothing;
            }
            Some(given)
        };
        self.bodies.into_iter().filter_map(finish).collect()
    }
}

/// The velocity and the spin that lead from one place to another.
fn speed_of_way(from: Place, to: Place, dt_secs: f32) -> (Vec3, Vec3) {
    let turn = to.1 * from.1.inverse();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    (((to.0 - from.0) / f64::from(dt_secs)).as_vec3(), quat_to_scaled_axis(turn) / dt_secs)
}

impl Given {
    /// What has to act at the beginning of rapier's step for the body to have a mean velocity and spin in it; the rest acts evenly.
    ///
    /// A body that is stopped early in a step must not go on to the middle of what stopped it; one that is borne evenly must not
    /// be thrown up at the beginning and fall again.
    fn at_once(&self, way: (Vec3, Vec3), iterations: usize, dt_secs: f32) -> (Vec3, Vec3) {
        // Rapier's step has smaller ones too: an even force moves a body by this part of what it would at once.
        let steps = iterations.max(2) as f32;
        let evenly = (steps + 1.0) / (2.0 * steps);
        let (faster, spun) = self.speeds();
        let faster = faster + dt_secs * self.mass.acceleration;
        let sooner = (way.0 - self.mass.velocity - evenly * faster) / (1.0 - evenly);
        let turned = (way.1 - self.mass.spin - evenly * spun) / (1.0 - evenly);
        // Never more than what there is, twice.
        let sooner = sooner.clamp_length_max(2.0 * faster.length());
        let turned = turned.clamp_length_max(2.0 * spun.length());
        let finite = |v: Vec3| if v.is_finite() { v } else { Vec3::ZERO };
        (finite(sooner / self.mass.inverse_mass), finite(self.mass.inertia() * turned))
    }
}

/// What a copy touches.
fn touching_of(world: &World, copy: Copy) -> Option<Touching> {
    let of = |body: BodyHandle| {
        let asleep = world.body(body).ok()?.is_asleep();
        Some(if asleep { Touching::Asleep } else { Touching::Awake })
    };
    match copy {
        Copy::Collider(handle) => {
            let touches = world.touches().iter().filter(|touch| touch.other == Other::Collider(handle));
            let found: Vec<Touching> = touches.filter_map(|touch| of(touch.body)).collect();
            let asleep = found.iter().find(|touching| **touching == Touching::Asleep);
            asleep.or(found.first()).copied()
        }
        Copy::Carrier(handle) => of(world.tool(handle).ok()?.body()?),
    }
}

/// What a copy got, and where it is.
fn state(world: &World, copy: Copy) -> Option<(Rigid, Place)> {
    match copy {
        Copy::Collider(handle) => {
            let collider = world.collider(handle).ok()?;
            let rigid = collider.rigid?;
            Some((rigid, (collider.position + rigid.centre.as_dvec3(), collider.rotation)))
        }
        Copy::Carrier(handle) => {
            let carrier = world.tool(handle).ok()?.carrier()?;
            Some((carrier.rigid?, (carrier.centre(), carrier.rotation)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant::glam::Mat3;

    #[test]
    fn what_comes_first_acts_at_once() {
        let mass = Mass {
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            inverse_mass: 0.5,
            inverse_inertia: Mat3::IDENTITY,
            centre: DVec3::ZERO,
            weight: Vec3::ZERO,
            acceleration: Vec3::ZERO,
        };
        let (impulse, angular_impulse) = (Vec3::new(0.0, 2.0, 0.0), Vec3::X);
        let nothing = (Vec3::ZERO, Vec3::ZERO);
        let body = RigidBodyHandle::invalid();
        let touching = Touching::Nothing;
        let given = Given { body, mass, impulse, angular_impulse, touching, at_once: nothing };
        let at_once = |part: f32| given.at_once((part * 0.5 * impulse, part * angular_impulse), 4, 0.1);
        let is = |a: (Vec3, Vec3), b: (Vec3, Vec3)| a.0.distance(b.0) + a.1.distance(b.1) < 1e-4;
        assert!(is(at_once(1.0), (impulse, angular_impulse)), "{:?}", at_once(1.0));
        assert!(is(at_once(0.625), nothing), "{:?}", at_once(0.625));
        assert!(is(at_once(0.25), (-impulse, -angular_impulse)), "{:?}", at_once(0.25));
    }
}
