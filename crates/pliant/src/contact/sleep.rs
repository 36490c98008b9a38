//! Bodies at rest: they cost nothing, and wake when something touches or changes them.
//!
//! Bodies that touch are an island. It falls asleep as a whole, once all of it has been slow for a while: if one fell asleep
//! alone, what stands on it would wake it again and again.

use super::Other;
use crate::body::Body;
use crate::geometry::DisjointSets;
use crate::tool::Tool;
use crate::world::{BodyHandle, ColliderHandle, World};
use glam::{DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// When bodies fall asleep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sleep {
    /// m/s, 0 or more: what drifts slower than this rests. 0 lets nothing sleep. A body smaller than a few centimetres must be
    /// slower, by its size.
    pub speed: f32,
    /// Seconds that it must have rested for, above 0.
    pub after_secs: f32,
}

impl Default for Sleep {
    fn default() -> Self {
        Self { speed: 0.01, after_secs: 0.5 }
    }
}

/// Radii a second that are slow for a body of any size.
const SLOW_RADII_PER_SEC: f32 = 0.2;

/// How long a body has been slow, and whether it sleeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rest {
    /// Seconds.
    pub slow_secs: f32,
    /// It is left out of steps.
    pub asleep: bool,
}

/// How many times faster than slow a body may be for its nodes' ways to be worth a look.
const NEARLY: f32 = 100.0;

/// How much more than the mean a single node may have come, squared.
const MOST_OF_ALL: f32 = 25.0;
/// The part of the time until it sleeps after which a body that rests is calmed.
const CALM: f32 = 0.2;
/// What is left of its velocities after a step.
const CALMED: f32 = 0.8;

impl Body {
    /// Takes the trembling out of a body that rests.
    pub(super) fn calm(&mut self, sleep: &Sleep) {
        if self.at_rest.slow_secs > CALM * sleep.after_secs {
            self.nodes.velocities.iter_mut().for_each(|v| *v *= CALMED);
        }
    }

    /// Whether the nodes have stayed near the places where the body became slow.
    ///
    /// Places, not velocities: nodes that are squeezed between others have velocities that lead nowhere, and corners tremble
    /// where others press on them.
    pub(super) fn stays(&mut self, sleep: &Sleep) -> bool {
        let slow = sleep.speed.min(SLOW_RADII_PER_SEC * self.rest().nodes.radius);
        if slow <= 0.0 || self.fastest() > NEARLY * slow {
            self.before.1.clear();
            return false;
        }
        let (origin, positions) = (self.nodes.origin, &self.nodes.positions);
        let (was, before) = &mut self.before;
        let by = (origin - *was).as_vec3();
        let limit = (slow * sleep.after_secs).powi(2);
        let way2 = |(x, b): (&Vec3, &Vec3)| (*x - *b + by).length_squared();
        let ways = || positions.iter().zip(before.iter()).map(way2);
        let stays = before.len() == positions.len()
            && ways().all(|way2| way2 <= MOST_OF_ALL * limit)
            && ways().sum::<f32>() <= limit * positions.len() as f32;
        if !stays {
            before.clone_from(positions);
            *was = origin;
        }
        stays
    }
}

/// Puts islands to sleep of which all bodies have been slow for long enough. `joined` are pairs of them that touch, by number.
pub(crate) fn settle(bodies: &mut [&mut Body], joined: impl Iterator<Item = [u32; 2]>, sleep: &Sleep) {
    let mut islands = DisjointSets::new(bodies.len());
    joined.for_each(|[a, b]| islands.join(a, b));
    let mut ready = vec![true; bodies.len()];
    for (number, body) in bodies.iter().enumerate() {
        let slow = body.at_rest.asleep || body.at_rest.slow_secs >= sleep.after_secs;
        ready[islands.find(number as u32) as usize] &= slow;
    }
    for (number, body) in bodies.iter_mut().enumerate() {
        if !body.at_rest.asleep && ready[islands.find(number as u32) as usize] {
            body.fall_asleep();
        }
    }
}

/// What the latest step found that bodies may have fallen asleep on: where it changes, they wake.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Marks {
    gravity: Vec3,
    colliders: Vec<(ColliderHandle, DVec3, Quat)>,
}

/// The part of a body's radius that something which changes must be away from it to let it sleep.
const NEAR: f32 = 0.1;

impl World {
    /// Wakes bodies that something has changed for since the latest step, or will in this one.
    pub(crate) fn wake_disturbed(&mut self, dt_secs: f32) {
        let now = self.colliders.iter().map(|(handle, c)| (handle, c.position, c.rotation));
        if !self.bodies.values().any(Body::is_asleep) {
            self.marks.gravity = self.settings.gravity;
            self.marks.colliders.clear();
            self.marks.colliders.extend(now);
            return;
        }
        let marks = Marks { gravity: self.settings.gravity, colliders: now.collect() };
        let before = std::mem::replace(&mut self.marks, marks);
        let windy = self.tools.values().any(|tool| matches!(tool, Tool::Wind(_)));
        if before.gravity != self.settings.gravity || windy || self.settings.sleep.speed <= 0.0 {
            self.bodies.values_mut().for_each(Body::wake);
            return;
        }
        // What stood on or against something that is gone or has moved.
        let stays = |of: ColliderHandle| {
            let was = before.colliders.iter().find(|(handle, ..)| *handle == of);
            let is = self.marks.colliders.iter().find(|(handle, ..)| *handle == of);
            was == is && self.colliders.get(of).is_some_and(|collider| !collider.is_moving())
        };
        let changed: Vec<ColliderHandle> =
            self.marks.colliders.iter().map(|mark| mark.0).filter(|&handle| !stays(handle)).collect();
        let mut woken: Vec<BodyHandle> = Vec::new();
        for touch in &self.contacts.touches.now {
            if matches!(touch.other, Other::Collider(collider) if !stays(collider)) {
                woken.push(touch.body);
            }
        }
        for (handle, body) in self.bodies.iter().filter(|(_, body)| body.is_asleep()) {
            let near = NEAR * body.rest().nodes.radius;
            let comes = |collider: &ColliderHandle| {
                self.colliders.get(*collider).is_some_and(|collider| {
                    let to = collider.target.map_or(0.0, |(to, _)| to.distance(collider.position) as f32);
                    collider.is_near(body, near + to + dt_secs * collider.velocity.length())
                })
            };
            let pushed = |tool: &Tool| match tool {
                Tool::Push(push) => body.is_within(push.center, push.radius + near),
                Tool::Pick(_) | Tool::Pin(_) | Tool::Wind(_) | Tool::Knife(_) => false,
            };
            if changed.iter().any(comes) || self.tools.values().any(pushed) {
                woken.push(handle);
            }
        }
        woken.into_iter().for_each(|handle| self.wake(handle));
    }

    /// Wakes a body, if it is there.
    pub fn wake(&mut self, handle: BodyHandle) {
        if let Some(body) = self.bodies.get_mut(handle) {
            body.wake();
        }
    }

    /// Wakes the bodies that touch a body.
    pub(crate) fn wake_touching(&mut self, body: BodyHandle) {
        let other = |touch: &super::Touch| match touch.other {
            Other::Body(other) if touch.body == body => Some(other),
            Other::Body(other) if other == body => Some(touch.body),
            Other::Body(_) | Other::Collider(_) | Other::Itself => None,
        };
        let others: Vec<BodyHandle> = self.contacts.touches.now.iter().filter_map(other).collect();
        others.into_iter().for_each(|handle| self.wake(handle));
    }
}

impl Body {
    /// Whether a ball reaches the box around it.
    fn is_within(&self, center: DVec3, radius: f32) -> bool {
        let [low, high] = self.bounds;
        let at = (center - self.nodes.origin).as_vec3();
        at.distance(at.clamp(low, high)) <= radius
    }
}
