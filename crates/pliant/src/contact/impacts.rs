//! Restitution: how fast two part that have hit each other.
//!
//! e is the speed at which two part over the speed at which they met, both of them as wholes, along the normal where they touch. The nodes
//! that touch do not know either: they are stopped within a substep, and the rest of the body arrives behind them. So an impact is
//! watched from its first contact until contacts no longer change how the two move; then they get what is missing, or lose what is too much,
//! by one impulse at the place where they touch, on each as a whole: linear and angular momentum are kept.
//!
//! A soft body also bounces by its own elasticity, and leaves with what that gives it if e is less. At α = 1 it deforms within a substep
//! and stores nothing that the step could follow: what it would come back with by itself is left out there (see [`own_rebound`]). What is
//! held somewhere bends as a whole, like a trampoline, and keeps it.

use super::constraints::is_free;
use super::events::Other;
use super::pairs::{Contacts, Participants, beside};
use super::response::ContactStep;
use super::turning::Turning;
use super::{Collider, RigidMotion};
use crate::body::{Body, BodyHandle};
use crate::ids::Arena;
use glam::{DVec3, Vec3, Vec3A};
use serde::{Deserialize, Serialize};

/// Two that have hit each other and have not parted yet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Impact {
    body: BodyHandle,
    other: Other,
    /// m/s at which they met.
    approach: f32,
    /// Where they touched last, in the world, and the normal toward the body.
    place: DVec3,
    normal: Vec3,
    /// Seconds for which contacts have changed little.
    quiet_secs: f32,
}

/// What pressed two together in a substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Press {
    body: BodyHandle,
    other: Other,
    /// Σ impulse place, Σ impulse normal and Σ impulse.
    place: DVec3,
    normal: Vec3,
    impulse: f32,
}

/// The part of the approach that contacts may still change in a substep when an impact is over, and for how many seconds: a body that is
/// stopped node by node may miss a substep.
const OVER: f32 = 0.05;
const QUIET_SECS: f32 = 1.0 / 240.0;

/// The part of its own rebound that a body leaves with: none at α = 1, all of it up to α = 0.95.
fn own_rebound(body: &Body) -> f32 {
    body.material.elasticity.alpha().map_or(1.0, |alpha| (20.0 * (1.0 - alpha)).min(1.0))
}

/// How one of two moves as a whole.
struct Whole {
    center: DVec3,
    velocity: Vec3,
    turning: Turning,
    inverse_mass: f32,
}

impl Whole {
    fn of_body(body: &Body, free: bool, h: f32) -> Self {
        let free = free && !body.is_asleep();
        Self {
            center: body.center_of_mass(),
            velocity: body.velocity().as_vec3(),
            turning: Turning::of(body, free, h),
            inverse_mass: if free { (1.0 / body.rest().nodes.total_mass) as f32 } else { 0.0 },
        }
    }

    fn of_collider(collider: &Collider) -> Self {
        let center = collider.rigid.map_or(Vec3::ZERO, |rigid| rigid.centre);
        Self {
            center: collider.position + center.as_dvec3(),
            velocity: collider.velocity,
            turning: Turning::of_collider(collider),
            inverse_mass: collider.rigid.map_or(0.0, |rigid| rigid.inverse_mass),
        }
    }

    fn velocity_at(&self, place: DVec3) -> Vec3 {
        let arm = Vec3A::from((place - self.center).as_vec3());
        self.velocity + Vec3::from(self.turning.spins(arm))
    }

    /// 1/kg at a place, along a normal.
    fn inverse_mass_at(&self, place: DVec3, normal: Vec3) -> f32 {
        let arm = Vec3A::from((place - self.center).as_vec3());
        self.inverse_mass + self.turning.inverse_moment(arm, normal.into())
    }
}

/// How fast two leave each other at a place, in m/s, and 1/kg of both together.
fn parting(pair: &[Whole; 2], place: DVec3, normal: Vec3) -> (f32, f32) {
    let [a, b] = pair;
    let speed = (a.velocity_at(place) - b.velocity_at(place)).dot(normal);
    (speed, a.inverse_mass_at(place, normal) + b.inverse_mass_at(place, normal))
}

impl Contacts {
    /// Watches impacts, after the contacts of a substep, and ends those that are over.
    pub(super) fn rebound(&mut self, parts: &mut Participants, step: &ContactStep) {
        self.rebounds.clear();
        self.collect_presses(parts);
        if self.presses.is_empty() && self.impacts.is_empty() {
            return;
        }
        let (presses, mut impacts) = (std::mem::take(&mut self.presses), std::mem::take(&mut self.impacts));
        for impact in &mut impacts {
            let key = (impact.body, impact.other);
            if presses.binary_search_by_key(&key, |press| (press.body, press.other)).is_err() {
                self.calm(impact, parts, step);
            }
        }
        for press in &presses {
            self.watch(press, &mut impacts, parts, step);
        }
        impacts.retain(|impact| impact.approach > 0.0);
        (self.presses, self.impacts) = (presses, impacts);
    }

    /// Follows an impact that presses two together in this substep; the first press begins it.
    fn watch(
        &mut self,
        press: &Press,
        impacts: &mut Vec<Impact>,
        parts: &mut Participants,
        step: &ContactStep,
    ) {
        let (body, other) = (press.body, press.other);
        let Some(normal) = press.normal.try_normalize() else { return };
        let place = press.place / f64::from(press.impulse);
        let Some(pair) = self.wholes(parts, body, other, step.h) else { return };
        let (speed, inverse_mass) = parting(&pair, place, normal);
        let change = press.normal.dot(normal) * inverse_mass;
        let approach = change - speed;
        let at = match impacts.binary_search_by_key(&(body, other), |impact| (impact.body, impact.other)) {
            Ok(at) => at,
            // What gravity alone gives in a substep is no impact.
            Err(_) if approach <= 2.0 * step.rest_speed => return,
            Err(at) => {
                impacts.insert(at, Impact { body, other, approach, place, normal, quiet_secs: 0.0 });
                at
            }
        };
        let impact = &mut impacts[at];
        *impact = Impact { approach: impact.approach.max(approach), place, normal, ..*impact };
        let little = (OVER * impact.approach).max(2.0 * step.rest_speed);
        if change <= little && speed > -little {
            self.calm(impact, parts, step);
        } else {
            impact.quiet_secs = 0.0;
        }
    }

    /// Notes a substep in which contacts have changed little; the impact is over after enough of them.
    fn calm(&mut self, impact: &mut Impact, parts: &mut Participants, step: &ContactStep) {
        impact.quiet_secs += step.h;
        if impact.quiet_secs > 0.99 * QUIET_SECS {
            self.end(impact, parts, step);
        }
    }

    /// What pressed whom in this substep, of those that bounce.
    fn collect_presses(&mut self, parts: &Participants) {
        let mut presses = std::mem::take(&mut self.presses);
        presses.clear();
        // Mostly nothing bounces.
        let surfaces = parts.colliders.values().map(|collider| (collider.surface, 1.0));
        let bodies = parts.bodies.values().map(|body| (body.material.surface, own_rebound(body)));
        if surfaces.chain(bodies).all(|(surface, own)| surface.restitution <= 0.0 && own >= 1.0) {
            self.presses = presses;
            return;
        }
        let mut add = |press: Press| {
            let key = |press: &Press| (press.body, press.other);
            let at = match presses.last() {
                Some(last) if key(last) == key(&press) => Ok(presses.len() - 1),
                _ => presses.binary_search_by_key(&key(&press), key),
            };
            match at {
                Ok(at) => {
                    let sum: &mut Press = &mut presses[at];
                    sum.place += press.place;
                    sum.normal += press.normal;
                    sum.impulse += press.impulse;
                }
                Err(at) => presses.insert(at, press),
            }
        };
        for contact in self.solver.constraints.iter().filter(|contact| contact.impulse > 0.0) {
            let (body, other, way) = self.who(contact);
            if self.bounces(parts, body, other) {
                let (number, _) = self.owners[contact.member as usize];
                let origin = self.body(parts.bodies, number).nodes.origin;
                let impulse = contact.impulse;
                let place = (origin + contact.place.as_dvec3()) * f64::from(impulse);
                add(Press { body, other, place, normal: contact.normal * (way * impulse), impulse });
            }
        }
        for (handle, body) in parts.bodies.iter().filter(|(_, body)| !body.is_asleep()) {
            for &(collider, sum) in &beside(&self.scratch, handle).impulses {
                let other = Other::Collider(collider);
                if sum.impulse > 0.0 && self.bounces(parts, handle, other) {
                    let place = body.nodes.origin * f64::from(sum.impulse) + sum.place.as_dvec3();
                    add(Press { body: handle, other, place, normal: sum.normal, impulse: sum.impulse });
                }
            }
        }
        self.presses = presses;
    }

    /// Whether it matters how fast two part: they bounce, or would do so by themselves and must not.
    fn bounces(&self, parts: &Participants, body: BodyHandle, other: Other) -> bool {
        restitution(parts, body, other).is_some_and(|(e, own)| e > 0.0 || own < 1.0)
    }

    /// How two move as wholes; none if there is nothing to be done about it.
    fn wholes(&self, parts: &Participants, body: BodyHandle, other: Other, h: f32) -> Option<[Whole; 2]> {
        let of = |handle: BodyHandle| {
            let free = is_free(parts.held.get(handle));
            Some(Whole::of_body(parts.bodies.get(handle)?, free, h))
        };
        let other = match other {
            Other::Body(other) => of(other)?,
            Other::Collider(collider) => Whole::of_collider(parts.colliders.get(collider)?),
            Other::Itself => return None,
        };
        let pair = [of(body)?, other];
        pair.iter().any(|whole| whole.inverse_mass > 0.0).then_some(pair)
    }

    /// Ends an impact: the two part as fast as e says.
    fn end(&mut self, impact: &mut Impact, parts: &mut Participants, step: &ContactStep) {
        let Impact { body, other, approach, place, normal, .. } = *impact;
        impact.approach = 0.0;
        let Some((e, own)) = restitution(parts, body, other) else { return };
        let Some(pair) = self.wholes(parts, body, other, step.h) else { return };
        let (speed, inverse_mass) = parting(&pair, place, normal);
        let wanted = if speed < e * approach {
            // What still swings in the bodies is not there to leave with.
            let swinging = 2.0 * inverse_mass * swinging(parts, body, other, step);
            (e * approach).min((approach * approach - swinging).max(0.0).sqrt()).max(speed)
        } else {
            (e * approach).max(own * speed)
        };
        let impulse = normal * ((wanted - speed) / inverse_mass);
        if !(impulse.is_finite() && inverse_mass > 0.0) {
            return;
        }
        let mut give = |handle: BodyHandle, impulse: Vec3, whole: &Whole| {
            if let Some(body) = parts.bodies.get_mut(handle).filter(|_| whole.inverse_mass > 0.0) {
                let given = body.apply_impulse_at(place, impulse);
                debug_assert!(given.is_ok(), "a finite impulse");
            }
        };
        give(body, impulse, &pair[0]);
        match other {
            Other::Body(other) => give(other, -impulse, &pair[1]),
            Other::Collider(handle) => {
                if let Some(motion) = push_collider(parts.colliders, handle, place, -impulse) {
                    self.rebounds.push(motion);
                }
            }
            Other::Itself => {}
        }
    }
}

/// Restitution of two, and the part of their own rebound that they leave with; none if one of them is gone.
fn restitution(parts: &Participants, body: BodyHandle, other: Other) -> Option<(f32, f32)> {
    let of = |handle: BodyHandle| {
        let body = parts.bodies.get(handle)?;
        let own = if is_free(parts.held.get(handle)) { own_rebound(body) } else { 1.0 };
        Some((body.material.surface, own))
    };
    let (mine, own) = of(body)?;
    let (others, their_own) = match other {
        Other::Body(other) => of(other)?,
        Other::Collider(collider) => (parts.colliders.get(collider)?.surface, 0.0),
        Other::Itself => return None,
    };
    Some((mine.with(others).restitution, own.max(their_own)))
}

/// J of two bodies that are in motion and deformation other than as wholes.
fn swinging(parts: &Participants, body: BodyHandle, other: Other, step: &ContactStep) -> f32 {
    let of = |handle: BodyHandle| {
        let Some(body) = parts.bodies.get(handle) else { return 0.0 };
        let turning = Turning::of(body, true, step.h);
        let velocity = body.velocity().as_vec3();
        let nodes = body.nodes.positions.iter().zip(&body.nodes.velocities).zip(&body.rest().nodes.masses);
        let swings: f32 = nodes
            .map(|((x, v), m)| {
                let arm = Vec3A::from(*x) - turning.center;
                let of_whole = velocity + Vec3::from(turning.spins(arm));
                0.5 * m * v.distance_squared(of_whole)
            })
            .sum();
        swings + body.elastic_energy(step.whole, step.h) as f32
    };
    of(body)
        + match other {
            Other::Body(other) => of(other),
            Other::Collider(_) | Other::Itself => 0.0,
        }
}

/// Gives a rigid collider an impulse at a place of the world; returns how it then moves.
fn push_collider(
    colliders: &mut Arena<Collider>,
    handle: super::ColliderHandle,
    place: DVec3,
    impulse: Vec3,
) -> Option<RigidMotion> {
    let collider = colliders.get_mut(handle)?;
    let rigid = collider.rigid.as_mut()?;
    let turn = (place - collider.position - rigid.centre.as_dvec3()).as_vec3().cross(impulse);
    rigid.impulse += impulse;
    rigid.angular_impulse += turn;
    collider.velocity += impulse * rigid.inverse_mass;
    collider.spin += rigid.inverse_inertia * turn;
    let motion = RigidMotion { body: rigid.body, velocity: collider.velocity, spin: collider.spin };
    motion.give_to_colliders(colliders);
    Some(motion)
}
