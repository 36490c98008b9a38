//! The contacts of a step: who can meet, what all do about it, and who may rest.

use super::constraints::is_free;
use super::events::{Other, Touch};
use super::pairs::{Contacts, Participants};
use super::response::ContactStep;
use super::scratch::{BodyScratch, ContactCounts};
use super::{Collider, ColliderHandle, Sleep, alone, sleep, supports};
use crate::body::{Body, BodyHandle};
use crate::ids::Arena;

impl Contacts {
    /// Begins a step: makes room for what is kept beside the bodies.
    pub fn begin(&mut self, bodies: &Arena<Body>) {
        self.scratch.fit(bodies, BodyScratch::of);
    }

    /// Finds who can meet whom in a step, and says how many substeps it takes at least. `gravity` is in m/s².
    pub fn prepare(&mut self, bodies: &mut Arena<Body>, dt_secs: f32, gravity: f32) -> u32 {
        bodies.for_each_with_parallel(&mut self.scratch, |_, body, scratch| {
            if !body.is_asleep() {
                scratch.measure(body);
            }
        });
        self.find(bodies, dt_secs, gravity)
    }

    /// All contacts of a substep, held nodes and containment.
    pub fn touch(&mut self, parts: &mut Participants, step: &ContactStep) {
        self.touches.begin_substep();
        hold(parts);
        self.find_nearby(parts, step);
        self.touch_bodies(parts, step);
        self.collide(parts, step);
        self.rebound(parts, step);
    }

    /// Finds which nodes are near which colliders.
    fn find_nearby(&mut self, parts: &mut Participants, step: &ContactStep) {
        let (colliders, filter) = (&*parts.colliders, &self.filter);
        parts.bodies.for_each_with_parallel(&mut self.scratch, |handle, body, scratch| {
            scratch.solved = false;
            if !body.is_asleep() {
                let pushing = colliders.iter().filter(|&(at, of)| filter.pushes(handle, at, of));
                scratch.nearby.find(body, pushing, step.h);
            }
        });
    }

    /// Bodies against each other, themselves and rigid colliders.
    fn touch_bodies(&mut self, parts: &mut Participants, step: &ContactStep) {
        if self.any_near() || parts.colliders.values().any(|collider| collider.rigid.is_some()) {
            self.take_members(parts.bodies);
            self.act(parts, step);
        } else {
            self.solver.clear();
        }
    }

    /// Bodies by themselves against colliders: those that can meet no other in this substep, and of the others the nodes that others have
    /// pushed.
    fn collide(&mut self, parts: &mut Participants, step: &ContactStep) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let (colliders, held) = (&*parts.colliders, &*parts.held);
        parts.bodies.for_each_with_parallel(&mut scratch, |handle, body, scratch| {
            if body.is_asleep() || body.kinematic {
                return;
            }
            alone::collide(
                body,
                scratch,
                self.members_of(handle),
                colliders,
                is_free(held.get(handle)),
                step,
            );
            supports::tell(body, &mut scratch.noted);
            if let Some(held) = held.get(handle) {
                let Body { rest, nodes, .. } = body;
                held.put(nodes, &rest.nodes.masses, &mut scratch.given);
            }
            scratch.counts.contained += body.contain();
        });
        self.scratch = scratch;
        for (handle, body) in parts.bodies.iter() {
            let Some(scratch) = self.scratch.get_mut(handle) else { continue };
            if let Some(held) = parts.held.get_mut(handle) {
                held.add(&mut scratch.given);
            }
            for &(collider, sum) in &scratch.impulses {
                let share = 1.0 / sum.impulse.max(f32::MIN_POSITIVE);
                let place = body.nodes.origin + (sum.place * share).as_dvec3();
                self.touches.add(handle, Other::Collider(collider), place, sum.normal * share, sum.impulse);
                self.touches.give(handle, Other::Collider(collider), sum.given, (0, sum.area));
            }
        }
    }

    /// What the bodies counted in a substep; counting begins anew.
    pub fn take_counts(&mut self) -> ContactCounts {
        let mut sum = ContactCounts::default();
        for scratch in self.scratch.values_mut() {
            let counts = std::mem::take(&mut scratch.counts);
            sum.contacts += counts.contacts;
            sum.contained += counts.contained;
        }
        sum
    }

    /// Ends a step of `dt_secs`: what began and ceased to touch becomes events.
    pub fn close(&mut self, bodies: &Arena<Body>, colliders: &Arena<Collider>, dt_secs: f32) {
        let asleep = |handle: BodyHandle| bodies.get(handle).is_some_and(Body::rests);
        let looked = |sensor: ColliderHandle| self.filter.stirred.contains(&sensor);
        self.touches.close(dt_secs, |touch: &Touch| {
            asleep(touch.body)
                && match touch.other {
                    Other::Body(other) => asleep(other),
                    Other::Collider(collider) => colliders.get(collider).is_some() && !looked(collider),
                    Other::Itself => true,
                }
        });
    }

    /// Puts islands of bodies that have rested long enough to sleep, after a step of `dt_secs`.
    pub fn settle(&mut self, bodies: &mut Arena<Body>, settings: &Sleep, dt_secs: f32) {
        bodies.for_each_parallel(|body| {
            if !body.is_asleep() {
                sleep::watch(body, settings, dt_secs);
            }
        });
        let ready = |body: &Body| !body.is_asleep() && body.sleep.slow_secs >= settings.after_secs;
        if !bodies.values().any(ready) {
            return;
        }
        let number = |handle: BodyHandle| self.handles.binary_search(&handle).ok().map(|at| at as u32);
        let joined: Vec<[u32; 2]> = self
            .touches
            .now
            .iter()
            .filter_map(|touch| match touch.other {
                Other::Body(other) => Some([number(touch.body)?, number(other)?]),
                Other::Collider(_) | Other::Itself => None,
            })
            .chain(self.attachments.pairs().filter_map(|[a, b]| Some([number(a)?, number(b)?])))
            .collect();
        // Bodies that came in since the step began, pieces of a cut, are not among the numbered.
        let mut numbered: Vec<&mut Body> = Vec::with_capacity(self.handles.len());
        let mut handles = self.handles.iter().peekable();
        for (handle, body) in bodies.iter_mut() {
            if handles.next_if(|&&known| known == handle).is_some() {
                numbered.push(body);
            }
        }
        if numbered.len() == self.handles.len() {
            let sleepers = sleep::settle(&mut numbered, joined.into_iter(), settings);
            for number in sleepers {
                if let Some(scratch) = self.scratch.get_mut(self.handles[number]) {
                    scratch.impulses.clear();
                }
            }
        }
    }
}

/// Puts held nodes back: others meet them where they are held, not where they would have fallen to.
fn hold(parts: &mut Participants) {
    for (handle, body) in parts.bodies.iter_mut().filter(|(_, body)| !body.is_asleep()) {
        if let Some(held) = parts.held.get_mut(handle) {
            body.hold(held);
        }
    }
}
