//! The contacts of a step: who can meet, what all do about it, and who may rest.

use super::broad::Bounds;
use super::events::{Other, Touch};
use super::response::{self, Entering, Pressed, Surroundings};
use super::sleep;
use super::{Collider, ContactEvent};
use crate::body::Body;
use crate::math::largest_coordinate;
use crate::tool::Tool;
use crate::world::{BodyHandle, ColliderHandle, World};
use glam::Vec3;

impl World {
    /// Finds who can meet whom in a step, wakes whom that concerns, and says how many substeps it takes at least.
    pub(crate) fn prepare_contacts(&mut self, dt_secs: f32) -> u32 {
        self.bodies.for_each_parallel(|body| {
            if !body.at_rest.asleep {
                body.border();
                body.measure();
            }
        });
        self.contacts.find(&self.bodies, dt_secs, self.settings.gravity.length())
    }

    /// All contacts of a substep of `h` seconds, pins and containment.
    pub(crate) fn touch(&mut self, h: f32) {
        self.hold_pinned();
        self.touch_bodies(h);
        self.collide(h);
    }

    /// Puts what is pinned back: others meet it where it is held, not where it would have fallen to.
    fn hold_pinned(&mut self) {
        for tool in self.tools.values() {
            if let Tool::Pin(pin) = tool
                && let Some(body) = self.bodies.get_mut(pin.body).filter(|body| !body.at_rest.asleep)
            {
                pin.hold(&mut body.nodes);
            }
        }
    }

    /// Bodies against each other, themselves and rigid colliders.
    fn touch_bodies(&mut self, h: f32) {
        let rigid: Vec<ColliderHandle> = self
            .colliders
            .iter()
            .filter(|(_, collider)| collider.rigid.is_some())
            .map(|(handle, _)| handle)
            .collect();
        if !rigid.is_empty() || self.contacts.any_near() {
            let mut contacts = std::mem::take(&mut self.contacts);
            contacts.act(self, &rigid, h);
            self.contacts = contacts;
        }
    }

    /// Bodies against colliders that they cannot push about.
    fn collide(&mut self, h: f32) {
        let (colliders, tools) = (&self.colliders, &self.tools);
        let surroundings = Surroundings { h, rest_speed: self.settings.gravity.length() * h };
        self.bodies.for_each_handle_parallel(|handle, body| {
            if body.at_rest.asleep {
                return;
            }
            body.collide(colliders.iter().filter(|(_, collider)| collider.rigid.is_none()), &surroundings);
            for tool in tools.values() {
                match tool {
                    Tool::Pin(pin) if pin.body == handle => pin.hold(&mut body.nodes),
                    _ => {}
                }
            }
            body.tally.contained += body.contain();
        });
        for (handle, body) in self.bodies.iter() {
            for &(collider, pressed) in &body.pressed {
                let share = 1.0 / pressed.impulse.max(f32::MIN_POSITIVE);
                let place = body.nodes.origin + (pressed.place * share).as_dvec3();
                self.contacts.touches.add(
                    handle,
                    Other::Collider(collider),
                    place,
                    pressed.normal * share,
                    pressed.impulse,
                );
            }
        }
    }

    /// Ends a step of `dt_secs`: events, and sleep for those that rest.
    pub(crate) fn settle(&mut self, dt_secs: f32) {
        let Self { contacts, bodies, colliders, settings, tools, .. } = self;
        let asleep = |handle: BodyHandle| bodies.get(handle).is_some_and(|body| body.at_rest.asleep);
        contacts.touches.close(|touch: &Touch| {
            asleep(touch.body)
                && match touch.other {
                    Other::Body(other) => asleep(other),
                    Other::Collider(collider) => colliders.get(collider).is_some(),
                    Other::Itself => true,
                }
        });
        let sleep = settings.sleep;
        // Nothing rests in the wind.
        if sleep.speed <= 0.0 || tools.values().any(|tool| matches!(tool, Tool::Wind(_))) {
            bodies.values_mut().for_each(|body| body.at_rest.slow_secs = 0.0);
            return;
        }
        bodies.for_each_parallel(|body| {
            if !body.at_rest.asleep {
                let slow = body.stays(&sleep);
                body.at_rest.slow_secs = if slow { body.at_rest.slow_secs + dt_secs } else { 0.0 };
                body.calm(&sleep);
            }
        });
        let ready = |body: &Body| !body.at_rest.asleep && body.at_rest.slow_secs >= sleep.after_secs;
        if !bodies.values().any(ready) {
            return;
        }
        let number = |handle: BodyHandle| contacts.handles.binary_search(&handle).ok().map(|at| at as u32);
        let joined: Vec<[u32; 2]> = contacts
            .touches
            .now
            .iter()
            .filter_map(|touch| match touch.other {
                Other::Body(other) => Some([number(touch.body)?, number(other)?]),
                Other::Collider(_) | Other::Itself => None,
            })
            .collect();
        // Bodies that came in since the step began, pieces of a cut, are not among the numbered.
        let mut numbered: Vec<&mut Body> = Vec::with_capacity(contacts.handles.len());
        let mut handles = contacts.handles.iter().peekable();
        for (handle, body) in bodies.iter_mut() {
            if handles.next_if(|&&known| known == handle).is_some() {
                numbered.push(body);
            }
        }
        if numbered.len() == contacts.handles.len() {
            sleep::settle(&mut numbered, joined.into_iter(), &sleep);
        }
    }

    /// What began or ceased to touch in the latest step.
    pub fn contact_events(&self) -> &[ContactEvent] {
        &self.contacts.touches.events
    }

    /// Who touches whom after the latest step, by body.
    pub fn touches(&self) -> &[Touch] {
        &self.contacts.touches.now
    }
}

impl Collider {
    /// Whether the box around a body comes nearer than a limit.
    pub(super) fn is_near(&self, body: &Body, limit: f32) -> bool {
        let [low, high] = body.bounds;
        let reach = limit + 0.5 * (high - low).length();
        !self.seen_from(body.nodes.origin).is_farther_than(0.5 * (low + high), reach)
    }
}

/// What contacts ask of a body.
impl Body {
    /// As colliders see it.
    pub(crate) fn entering(&self) -> Entering<'_> {
        let rest = self.rest();
        Entering {
            rest: &rest.nodes,
            border: self.border(),
            model: &self.model,
            material: &self.material,
            arrivals: &self.arrivals,
        }
    }

    /// The speed that no node is faster than, in m/s.
    pub(crate) fn fastest(&self) -> f32 {
        1.733 * largest_coordinate(&self.nodes.velocities)
    }

    /// Measures the box around it.
    pub(crate) fn measure(&mut self) {
        let (low, high) = self
            .nodes
            .positions
            .iter()
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
        let border = self.border();
        let beyond = 1.5 * border.reach + border.sheet.unwrap_or(0.0);
        self.bounds = [low - beyond, high + beyond];
    }

    /// The box around it and all it can reach by going `way` metres.
    pub(super) fn swept(&self, way: f32) -> Bounds {
        let [low, high] = self.bounds;
        [self.nodes.origin + (low - way).as_dvec3(), self.nodes.origin + (high + way).as_dvec3()]
    }

    /// Out of all colliders.
    fn collide<'a>(
        &mut self,
        colliders: impl Iterator<Item = (ColliderHandle, &'a Collider)>,
        surroundings: &Surroundings,
    ) {
        let mut pressed = std::mem::take(&mut self.pressed);
        let mut parts = std::mem::take(&mut self.parts);
        let mut nodes = std::mem::take(&mut self.nodes);
        pressed.clear();
        pressed.reserve(1);
        let entering = self.entering();
        for (handle, collider) in colliders {
            let found = response::collide(&mut nodes, &entering, collider, surroundings, &mut parts);
            if found.count > 0 {
                pressed.push((handle, found));
            }
        }
        self.tally.contacts += pressed.iter().map(|(_, found): &(_, Pressed)| found.count).sum::<usize>();
        (self.nodes, self.parts, self.pressed) = (nodes, parts, pressed);
    }

    /// Takes part in steps again.
    pub(crate) fn wake(&mut self) {
        self.at_rest = sleep::Rest::default();
    }

    /// Stays out of steps until something wakes it.
    pub(crate) fn fall_asleep(&mut self) {
        self.nodes.velocities.fill(Vec3::ZERO);
        self.at_rest.asleep = true;
        self.pressed.clear();
        self.tally = crate::body::Tally::default();
        // What a snapshot cannot keep must not depend on the step it fell asleep in.
        self.refresh_maps();
    }
}
