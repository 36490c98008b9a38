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
    /// N that the body got from the other, as the mean of the latest step: what presses it along the normal, and friction across. Other
    /// parts of itself give it nothing as a whole.
    pub force: Vec3,
    /// m² of the body's surface, at rest, that touches the other's, or of the other's if that is more: the pieces that nodes in touch stand
    /// for, as the mean of the latest step. 0 in a sensor.
    pub area: f32,
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
    /// As they are found, by body and other.
    found: Vec<Sum>,
    /// Substeps of this step so far.
    substeps: u32,
    /// Which of them was added to last.
    latest: usize,
}

/// What was found of two so far in this step: Σ impulse place, Σ impulse normal, Σ impulse, and as force what the body got in kg m/s.
#[derive(Clone, Copy, Debug)]
struct Sum {
    touch: Touch,
    /// m² of the surfaces of both, in all substeps together.
    areas: [f32; 2],
}

impl Sum {
    fn key(&self) -> (BodyHandle, Other) {
        self.touch.key()
    }
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
        let sum = self.sum(body, other);
        sum.place += place * f64::from(impulse);
        sum.normal += normal * impulse;
        sum.impulse += impulse;
    }

    /// Adds what a body got from another in kg m/s, and m² of its own surface (0) or the other's (1) that it got it at.
    pub fn give(&mut self, body: BodyHandle, other: Other, impulse: Vec3, (side, area): (usize, f32)) {
        let sum = self.sum_of(body, other);
        sum.touch.force += impulse;
        sum.areas[side] += area;
    }

    /// A substep begins.
    pub fn begin_substep(&mut self) {
        self.substeps += 1;
    }

    fn sum(&mut self, body: BodyHandle, other: Other) -> &mut Touch {
        &mut self.sum_of(body, other).touch
    }

    fn sum_of(&mut self, body: BodyHandle, other: Other) -> &mut Sum {
        let key = (body, other);
        // Places of the same two are found one after the other.
        let at = match self.found.get(self.latest) {
            Some(latest) if latest.key() == key => Ok(self.latest),
            _ => self.found.binary_search_by_key(&key, Sum::key),
        };
        let at = at.unwrap_or_else(|at| {
            let touch = Touch {
                body,
                other,
                place: DVec3::ZERO,
                normal: Vec3::ZERO,
                impulse: 0.0,
                force: Vec3::ZERO,
                area: 0.0,
            };
            self.found.insert(at, Sum { touch, areas: [0.0; 2] });
            at
        });
        self.latest = at;
        &mut self.found[at]
    }

    /// Ends a step of `dt_secs`: what was found is how it is now, and what differs from before becomes events. `lasts` says of those not
    /// found whether they still touch, because both are at rest and nobody looked.
    pub fn close(&mut self, dt_secs: f32, lasts: impl Fn(&Touch) -> bool) {
        self.events.clear();
        std::mem::swap(&mut self.before, &mut self.now);
        let Self { now, before, events, found, .. } = self;
        let substeps = std::mem::take(&mut self.substeps).max(1) as f32;
        now.clear();
        now.extend(found.drain(..).map(|Sum { touch, areas }| Touch {
            place: touch.place / f64::from(touch.impulse),
            normal: touch.normal / touch.impulse,
            force: touch.force / dt_secs,
            area: areas[0].max(areas[1]) / substeps,
            ..touch
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
