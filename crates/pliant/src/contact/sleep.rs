//! Bodies at rest: they cost nothing, and wake when something touches or changes them.
//!
//! Bodies that touch are an island. It falls asleep as a whole, once all of it has been slow for a while: if one fell asleep
//! alone, what stands on it would wake it again and again.

use super::motion::fastest;
use super::{Collider, ColliderHandle, Contacts, Other, Touch};
use crate::body::{Body, BodyHandle, CollisionGroups};
use crate::geometry::DisjointSets;
use crate::ids::Arena;
use crate::math::functions::square;
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

/// How many times faster than slow a body may be for its nodes' ways to be worth a look.
const NEARLY: f32 = 100.0;

/// How much more than the mean a single node may have come, squared.
const MOST_OF_ALL: f32 = 25.0;
/// The part of the time until it sleeps after which a body that rests is calmed.
const CALM: f32 = 0.2;
/// What is left of its velocities after a step.
const CALMED: f32 = 0.8;

/// Sees whether a body that is awake rests after a step of `dt_secs`, and calms it if it has done so for a while.
pub(super) fn watch(body: &mut Body, sleep: &Sleep, dt_secs: f32) {
    body.sleep.slow_secs = if stays(body, sleep) { body.sleep.slow_secs + dt_secs } else { 0.0 };
    // Takes the trembling out of it.
    if body.sleep.slow_secs > CALM * sleep.after_secs {
        body.nodes.velocities.iter_mut().for_each(|v| *v *= CALMED);
    }
}

/// Whether the nodes have stayed near the places where the body became slow.
///
/// Places, not velocities: nodes that are squeezed between others have velocities that lead nowhere, and corners tremble
/// where others press on them.
fn stays(body: &mut Body, sleep: &Sleep) -> bool {
    let slow = sleep.speed.min(SLOW_RADII_PER_SEC * body.rest().nodes.radius);
    if slow <= 0.0 || fastest(body) > NEARLY * slow {
        body.sleep.positions.clear();
        return false;
    }
    let (origin, positions) = (body.nodes.origin, &body.nodes.positions);
    let (was, before) = (&mut body.sleep.origin, &mut body.sleep.positions);
    let by = (origin - *was).as_vec3();
    let limit = square(slow * sleep.after_secs);
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

/// Puts islands to sleep of which all bodies have been slow for long enough, and returns the numbers of those that fell asleep.
/// `joined` are pairs of them that touch, by number.
pub(super) fn settle(
    bodies: &mut [&mut Body],
    joined: impl Iterator<Item = [u32; 2]>,
    sleep: &Sleep,
) -> Vec<usize> {
    let mut islands = DisjointSets::new(bodies.len());
    joined.for_each(|[a, b]| islands.join(a, b));
    let mut ready = vec![true; bodies.len()];
    for (number, body) in bodies.iter().enumerate() {
        let slow = body.is_asleep() || body.sleep.slow_secs >= sleep.after_secs;
        ready[islands.find(number as u32) as usize] &= slow;
    }
    let mut sleepers = Vec::new();
    for (number, body) in bodies.iter_mut().enumerate() {
        if !body.is_asleep() && ready[islands.find(number as u32) as usize] {
            body.fall_asleep();
            sleepers.push(number);
        }
    }
    sleepers
}

/// What the latest step found that bodies may have fallen asleep on: where it changes, they wake.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Marks {
    gravity: Vec3,
    colliders: Vec<(ColliderHandle, ColliderMark)>,
}

/// Where a collider is, how it is turned, whom it touches and whether it is a sensor.
type ColliderMark = (DVec3, Quat, CollisionGroups, bool);

/// The part of a body's radius that something which changes must be away from it to let it sleep.
const NEAR: f32 = 0.1;

/// What can disturb bodies that sleep.
pub(crate) struct Disturbance<'a> {
    /// In m/s².
    pub gravity: Vec3,
    /// What bodies cannot enter.
    pub colliders: &'a Arena<Collider>,
    /// Balls, by center and radius in metres, in which nothing sleeps.
    pub balls: &'a [(DVec3, f32)],
    /// Whether nothing sleeps at all.
    pub everywhere: bool,
    /// The step.
    pub dt_secs: f32,
}

impl Contacts {
    /// Wakes bodies that something has changed for since the latest step, or will in this one.
    pub fn wake_disturbed(&mut self, bodies: &mut Arena<Body>, marks: &mut Marks, by: &Disturbance) {
        let mark =
            |(handle, c): (ColliderHandle, &Collider)| (handle, (c.position, c.rotation, c.groups, c.sensor));
        let now = by.colliders.iter().map(mark);
        self.filter.stirred.clear();
        if !bodies.values().any(Body::rests) {
            marks.gravity = by.gravity;
            marks.colliders.clear();
            marks.colliders.extend(now);
            return;
        }
        let marks_now = Marks { gravity: by.gravity, colliders: now.collect() };
        let before = std::mem::replace(marks, marks_now);
        if before.gravity != by.gravity || by.everywhere {
            bodies.values_mut().for_each(Body::wake);
            return;
        }
        // What stood on or against something that is gone or has moved.
        let stays = |of: ColliderHandle| {
            let was = before.colliders.iter().find(|(handle, ..)| *handle == of);
            let is = marks.colliders.iter().find(|(handle, ..)| *handle == of);
            was == is && by.colliders.get(of).is_some_and(|collider| !collider.is_moving())
        };
        // What has been a sensor and still is one wakes nobody.
        let sensor = |of: ColliderHandle| {
            let was = before.colliders.iter().find(|(handle, ..)| *handle == of);
            was.is_none_or(|was| was.1.3) && by.colliders.get(of).is_none_or(|collider| collider.sensor)
        };
        let moved = || by.colliders.iter().filter(|&(handle, _)| !stays(handle));
        let changed: Vec<&Collider> =
            moved().filter(|&(handle, _)| !sensor(handle)).map(|(_, collider)| collider).collect();
        self.filter.stirred.extend(moved().filter(|(_, collider)| collider.sensor).map(|(handle, _)| handle));
        for touch in &self.touches.now {
            if matches!(touch.other, Other::Collider(collider) if !stays(collider) && !sensor(collider))
                && let Some(body) = bodies.get_mut(touch.body)
            {
                body.wake();
            }
        }
        for (handle, body) in bodies.iter_mut().filter(|(_, body)| body.rests()) {
            let Some(scratch) = self.scratch.get(handle) else { continue };
            let near = NEAR * body.rest().nodes.radius;
            let comes = |collider: &&Collider| {
                let to = collider.target.map_or(0.0, |(to, _)| to.distance(collider.position) as f32);
                let limit = near + to + by.dt_secs * collider.velocity.length();
                scratch.is_near(body, collider, limit)
            };
            let pushed = |&(center, radius): &(DVec3, f32)| scratch.is_within(body, center, radius + near);
            if changed.iter().any(comes) || by.balls.iter().any(pushed) {
                body.wake();
            }
        }
    }

    /// Wakes the bodies that slept on one that has been disabled.
    pub fn wake_on_disabled(&self, bodies: &mut Arena<Body>) {
        for touch in &self.touches.now {
            let Other::Body(other) = touch.other else { continue };
            for (handle, beside) in [(touch.body, other), (other, touch.body)] {
                if bodies.get(beside).is_some_and(|body| !body.enabled)
                    && let Some(body) = bodies.get_mut(handle)
                {
                    body.wake();
                }
            }
        }
    }

    /// Wakes the bodies that touch a body.
    pub fn wake_touching(&self, bodies: &mut Arena<Body>, body: BodyHandle) {
        let other = |touch: &Touch| match touch.other {
            Other::Body(other) if touch.body == body => Some(other),
            Other::Body(other) if other == body => Some(touch.body),
            Other::Body(_) | Other::Collider(_) | Other::Itself => None,
        };
        for handle in self.touches.now.iter().filter_map(other) {
            if let Some(body) = bodies.get_mut(handle) {
                body.wake();
            }
        }
    }
}
