//! Who touches whom, and when that begins and ends.

use super::ColliderHandle;
use crate::body::BodyHandle;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// What a body touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Other {
    /// Another body.
    Body(BodyHandle),
    /// A collider.
    Collider(ColliderHandle),
    /// Another part of itself.
    Itself,
}

impl From<BodyHandle> for Other {
    fn from(body: BodyHandle) -> Self {
        Self::Body(body)
    }
}

impl From<ColliderHandle> for Other {
    fn from(collider: ColliderHandle) -> Self {
        Self::Collider(collider)
    }
}

/// A body that touches something, or is in a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Touch {
    /// The body; of two bodies the one with the lower handle.
    pub body: BodyHandle,
    /// What it touches.
    pub other: Other,
    /// Where, in the world: the mean of all places, each by how hard it is pressed there.
    pub place: DVec3,
    /// Toward the body, the mean of all places; not a unit vector where they look different ways, and zero where they cancel.
    pub normal: Vec3,
    /// kg m/s that they were pressed together with in the latest step; sensors press nothing.
    pub impulse: f32,
}

/// Whether touching begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContactChange {
    /// They did not touch in the step before.
    Started,
    /// They no longer touch; place, normal and impulse are the last there were.
    Ended,
}

/// Two that began or ceased to touch in the latest step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactEvent {
    /// Which of the two.
    pub change: ContactChange,
    /// Who, where and how hard.
    pub touch: Touch,
}

/// What is known of all that touches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touches {
    /// After the latest step, by body and other.
    pub now: Vec<Touch>,
    /// What changed in it.
    pub events: Vec<ContactEvent>,
    /// Before it.
    before: Vec<Touch>,
    /// As they are found, by body and other: Σ impulse place, Σ impulse normal and Σ impulse.
    found: Vec<Touch>,
}

/// kg m/s below which nothing is pressed.
const PRESSED: f32 = 1e-30;
/// Length of the mean of unit normals above which they are of one side.
const ONE_WAY: f32 = 0.3;

impl Touch {
    fn key(&self) -> (BodyHandle, Other) {
        (self.body, self.other)
    }
}

impl Touches {
    /// Of a world in which these touch.
    pub fn with(now: Vec<Touch>) -> Self {
        Self { now, ..Self::default() }
    }

    /// The way out of the second of two bodies, the lower handle first, that the latest step found, zero if they touched from all sides
    /// and none if they did not; and whether it took them apart as wholes.
    pub fn way(&self, [body, other]: [BodyHandle; 2]) -> (Option<Vec3>, bool) {
        match self.now.binary_search_by_key(&(body, Other::Body(other)), Touch::key) {
            Ok(at) if self.now[at].impulse < PRESSED => (None, true),
            Ok(at) if self.now[at].normal.length_squared() < ONE_WAY * ONE_WAY => (Some(Vec3::ZERO), false),
            Ok(at) => (Some(self.now[at].normal), false),
            Err(_) => (None, false),
        }
    }

    /// Makes room for as many, so that a step that finds more than the ones before allocates nothing.
    pub fn reserve(&mut self, count: usize) {
        self.found.reserve(count);
        self.events.reserve(count);
        for kept in [&mut self.now, &mut self.before] {
            kept.reserve(count.saturating_sub(kept.len()));
        }
    }

    /// Adds a place where two are pressed together.
    pub fn add(&mut self, body: BodyHandle, other: Other, place: DVec3, normal: Vec3, impulse: f32) {
        let impulse = impulse.max(f32::MIN_POSITIVE);
        let touch =
            Touch { body, other, place: place * f64::from(impulse), normal: normal * impulse, impulse };
        // Places of the same two are found one after the other.
        let at = match self.found.last() {
            Some(last) if last.key() == touch.key() => Ok(self.found.len() - 1),
            _ => self.found.binary_search_by_key(&touch.key(), Touch::key),
        };
        match at {
            Ok(at) => {
                let sum = &mut self.found[at];
                sum.place += touch.place;
                sum.normal += touch.normal;
                sum.impulse += touch.impulse;
            }
            Err(at) => self.found.insert(at, touch),
        }
    }

    /// Ends a step: what was found is how it is now, and what differs from before becomes events. `lasts` says of those not
    /// found whether they still touch, because both are at rest and nobody looked.
    pub fn close(&mut self, lasts: impl Fn(&Touch) -> bool) {
        self.events.clear();
        std::mem::swap(&mut self.before, &mut self.now);
        let Self { now, before, events, found, .. } = self;
        now.clear();
        now.extend(found.drain(..).map(|sum| Touch {
            place: sum.place / f64::from(sum.impulse),
            normal: sum.normal / sum.impulse,
            ..sum
        }));
        let known =
            |touches: &[Touch], touch: &Touch| touches.binary_search_by_key(&touch.key(), Touch::key).is_ok();
        let count = now.len();
        for touch in before.iter() {
            if !known(&now[..count], touch) {
                if lasts(touch) {
                    now.push(*touch);
                } else {
                    events.push(ContactEvent { change: ContactChange::Ended, touch: *touch });
                }
            }
        }
        let started = now[..count].iter().filter(|touch| !known(before, touch));
        events.extend(started.map(|&touch| ContactEvent { change: ContactChange::Started, touch }));
        now.sort_unstable_by_key(Touch::key);
    }
}
