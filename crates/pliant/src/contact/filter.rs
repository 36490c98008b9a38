//! What does not touch although it could: groups, pairs that are ignored, a filter of the user's own; and sensors, which notice
//! bodies and leave them alone.

use super::events::Other;
use super::nearby::{Extent, NearNode};
use super::pairs::{Contacts, Participants};
use super::response::{self, Entered, Entering};
use super::{Collider, ColliderHandle};
use crate::body::{Body, BodyHandle, CollisionGroups};
use crate::ids::Arena;
use std::fmt;

/// Says whether a body and something else may touch. It must be pure: the same for the same two, whenever and on whatever thread it
/// is asked. See [`World::set_contact_filter`](crate::World::set_contact_filter).
pub type ContactFilter = Box<dyn Fn(BodyHandle, Other) -> bool + Send + Sync>;

/// What does not touch although it could.
#[derive(Default)]
pub(crate) struct Filter {
    /// Pairs that ignore each other, ascending; of two bodies the lower handle first.
    ignored: Vec<Pair>,
    /// The user's own filter; no part of the state.
    own: Option<ContactFilter>,
    /// Bodies and colliders that do not touch in this step, ascending.
    apart: Vec<(BodyHandle, ColliderHandle)>,
    /// Sensors that have moved since the latest step, or move in this one: they look for sleepers too.
    pub stirred: Vec<ColliderHandle>,
    /// Nodes near a sensor, kept for their memory.
    near: Vec<NearNode>,
}

/// A body and something else.
pub(crate) type Pair = (BodyHandle, Other);

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.own.is_some();
        f.debug_struct("Filter").field("ignored", &self.ignored).field("own", &own).finish_non_exhaustive()
    }
}

/// The two as they are stored.
fn ordered(body: BodyHandle, other: Other) -> Pair {
    match other {
        Other::Body(other) if other == body => (body, Other::Itself),
        Other::Body(other) if other < body => (other, Other::Body(body)),
        other => (body, other),
    }
}

impl Filter {
    /// Of a world in which these ignore each other.
    pub fn with(ignored: Vec<Pair>, own: Option<ContactFilter>) -> Self {
        Self { ignored, own, ..Self::default() }
    }

    /// The pairs that ignore each other.
    pub fn ignored(&self) -> &[Pair] {
        &self.ignored
    }

    /// Lets two ignore each other, or no longer. Returns whether that is new.
    pub fn ignore(&mut self, body: BodyHandle, other: Other, ignore: bool) -> bool {
        let pair = ordered(body, other);
        match (self.ignored.binary_search(&pair), ignore) {
            (Err(at), true) => self.ignored.insert(at, pair),
            (Ok(at), false) => drop(self.ignored.remove(at)),
            _ => return false,
        }
        true
    }

    /// Forgets the pairs of something that is gone.
    pub fn forget(&mut self, gone: Other) {
        self.ignored.retain(|&(body, other)| Other::Body(body) != gone && other != gone);
    }

    /// Pieces of a body ignore what it ignored; the first of them is the body itself.
    pub fn inherit(&mut self, pieces: &[BodyHandle]) {
        let Some((&whole, pieces)) = pieces.split_first() else { return };
        let of_whole: Vec<Other> = self
            .ignored
            .iter()
            .filter_map(|&(body, other)| match other {
                Other::Body(other) if other == whole => Some(Other::Body(body)),
                other if body == whole => Some(other),
                _ => None,
            })
            .collect();
        for &piece in pieces {
            for &other in &of_whole {
                self.ignore(piece, other, true);
            }
        }
    }

    /// Gives the user's own filter, or takes it.
    pub fn set_own(&mut self, own: Option<ContactFilter>) {
        self.own = own;
    }

    /// The user's own filter, for another world.
    pub fn take_own(&mut self) -> Option<ContactFilter> {
        self.own.take()
    }

    fn touch(&self, body: BodyHandle, other: Other) -> bool {
        self.ignored.binary_search(&(body, other)).is_err()
            && self.own.as_ref().is_none_or(|own| own(body, other))
    }

    /// Whether two bodies, the lower handle first, may touch.
    pub fn bodies_touch(&self, handles: [BodyHandle; 2], bodies: [&Body; 2]) -> bool {
        let [a, b] = bodies.map(|body| body.contacts.groups);
        a.touch(b) && self.touch(handles[0], Other::Body(handles[1]))
    }

    /// Whether a body may touch itself.
    pub fn touches_itself(&self, body: BodyHandle) -> bool {
        self.touch(body, Other::Itself)
    }

    /// Begins a step: finds out which bodies and colliders do not touch.
    pub fn begin(&mut self, bodies: &Arena<Body>, colliders: &Arena<Collider>) {
        let mut apart = std::mem::take(&mut self.apart);
        apart.clear();
        let all = CollisionGroups::default();
        let grouped = bodies.values().any(|body| body.contacts.groups != all)
            || colliders.values().any(|collider| collider.groups != all);
        if grouped || self.own.is_some() || !self.ignored.is_empty() {
            for (body, of) in bodies.iter() {
                let stays_apart = |&(handle, collider): &(ColliderHandle, &Collider)| {
                    !(of.contacts.groups.touch(collider.groups) && self.touch(body, Other::Collider(handle)))
                };
                apart.extend(colliders.iter().filter(stays_apart).map(|(collider, _)| (body, collider)));
            }
        }
        self.apart = apart;
    }

    /// Whether a body may touch a collider in this step, or be noticed by a sensor.
    pub fn meets(&self, body: BodyHandle, collider: ColliderHandle) -> bool {
        self.apart.is_empty() || self.apart.binary_search(&(body, collider)).is_err()
    }

    /// Whether a collider pushes a body in this step.
    pub fn pushes(&self, body: BodyHandle, handle: ColliderHandle, collider: &Collider) -> bool {
        !collider.sensor && self.meets(body, handle)
    }
}

impl Contacts {
    /// Finds the bodies that are in sensors, or have passed through one, in a substep of `h` seconds. Sleepers are looked for by
    /// sensors that move; they stay in touch with others.
    pub fn sense(&mut self, parts: &Participants, h: f32) {
        let Self { filter, touches, .. } = self;
        let mut near = std::mem::take(&mut filter.near);
        for (handle, sensor) in parts.colliders.iter().filter(|(_, collider)| collider.sensor) {
            let stirred = filter.stirred.contains(&handle);
            for (of, body) in parts.bodies.iter() {
                if (body.is_asleep() && !stirred) || !filter.meets(of, handle) {
                    continue;
                }
                let (nodes, entering) = (&body.nodes, Entering::new(body, 0.0));
                let extent = Extent::of(nodes, body.border());
                extent.near(sensor, nodes, extent.needs(sensor, nodes, h), &mut near);
                response::enter(
                    nodes,
                    &entering,
                    sensor,
                    h,
                    near.iter_mut(),
                    |Entered { place, touch, .. }| {
                        let place = nodes.origin + place.as_dvec3();
                        touches.add(of, Other::Collider(handle), place, touch.normal, 0.0);
                    },
                );
            }
        }
        filter.near = near;
    }
}
