//! What contacts keep beside a body: scratch, and no part of its state.

use super::broad::Bounds;
use super::nearby::{NearNode, Nearby, room};
use super::response::{self, ContactImpulse, Entered, Entering};
use super::solve::Solver;
use super::supports;
use super::{Collider, ColliderHandle};
use crate::body::Body;
use crate::ids::Arena;
use crate::nodes::Support;
use glam::{DVec3, Vec3};

/// What contacts keep beside a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyScratch {
    /// The box around the body, relative to its origin.
    pub bounds: [Vec3; 2],
    /// What it got from colliders in this substep.
    pub impulses: Vec<(ColliderHandle, ContactImpulse)>,
    /// What of it is in colliders in this substep.
    pub entered: Vec<(ColliderHandle, Entered)>,
    /// Its nodes near colliders.
    pub nearby: Nearby,
    /// Its contacts with colliders were solved together with those of other bodies.
    pub solved: bool,
    /// Else it solves them alone, and these are its nodes that touch.
    pub solver: Solver,
    pub touching: Vec<u32>,
    /// Its nodes that are close to a collider.
    pub close: Vec<u32>,
    /// What had entered before others pushed it.
    known: Vec<(ColliderHandle, Entered)>,
    /// Its nodes that a collider holds up without their being in it.
    held_up: Vec<Entered>,
    /// Its nodes that contacts have pressed on colliders in this substep.
    pub noted: Vec<Support>,
    /// kg m/s that its held nodes were given when they were put back after touching colliders, in the order of their list.
    pub given: Vec<Vec3>,
    /// What this substep counted.
    pub counts: ContactCounts,
}

/// What a substep counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ContactCounts {
    /// Places that touched.
    pub contacts: usize,
    /// Nodes that were not finite, or flew off, and were put back.
    pub contained: usize,
}

impl BodyScratch {
    /// Of a body that contacts have not seen yet. One that sleeps is not measured in a step, so it is now.
    pub fn of(body: &Body) -> Self {
        let mut scratch = Self::default();
        if body.is_asleep() {
            scratch.measure(body);
        }
        scratch
    }

    /// Measures the box around a body, as a step begins.
    pub fn measure(&mut self, body: &Body) {
        self.nearby.forget();
        let (low, high) = body
            .nodes
            .positions
            .iter()
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
        let border = body.border();
        let beyond = 1.5 * border.reach + border.sheet.unwrap_or(0.0);
        self.bounds = [low - beyond, high + beyond];
    }

    /// Finds what of a body is in colliders, in a substep of `h` seconds.
    pub fn enter(&mut self, body: &Body, colliders: &Arena<Collider>, h: f32) {
        let Self { nearby, entered, held_up, .. } = self;
        entered.clear();
        entered.reserve(room(&body.nodes));
        for (handle, among) in nearby.colliders() {
            let Some(collider) = colliders.get(handle) else { continue };
            let found = |at| entered.push((handle, at));
            response::enter(&body.nodes, &Entering::new(body, h), collider, h, among.iter_mut(), found);
            supports::add_held_up(body, collider, handle, entered, held_up);
        }
    }

    /// Finds what of a body others have pushed into colliders: of the nodes that are members of contacts, those that had not entered.
    pub fn enter_pushed(
        &mut self,
        body: &Body,
        colliders: &Arena<Collider>,
        members: &[Option<u32>],
        h: f32,
    ) {
        std::mem::swap(&mut self.entered, &mut self.known);
        let Self { nearby, entered, known, .. } = self;
        entered.clear();
        entered.reserve(room(&body.nodes));
        for (handle, among) in nearby.colliders() {
            let Some(collider) = colliders.get(handle).filter(|of| of.rigid.is_none()) else {
                continue;
            };
            let has_entered =
                |node: u32| known.binary_search_by_key(&(handle, node), |(at, of)| (*at, of.node)).is_ok();
            let pushed =
                |near: &&mut NearNode| members[near.node as usize].is_some() && !has_entered(near.node);
            let among = among.iter_mut().filter(pushed);
            let found = |at| entered.push((handle, at));
            response::enter(&body.nodes, &Entering::new(body, h), collider, h, among, found);
        }
    }

    /// The box around a body and all it can reach by going `way` metres; none around one that is disabled.
    pub fn swept(&self, body: &Body, way: f32) -> Bounds {
        if !body.enabled {
            return [DVec3::NAN; 2];
        }
        let [low, high] = self.bounds;
        [body.nodes.origin + (low - way).as_dvec3(), body.nodes.origin + (high + way).as_dvec3()]
    }

    /// Whether the box around a body comes nearer to a collider than a limit.
    pub fn is_near(&self, body: &Body, collider: &Collider, limit: f32) -> bool {
        let [low, high] = self.bounds;
        let reach = limit + 0.5 * (high - low).length();
        !collider.seen_from(body.nodes.origin).is_farther_than(0.5 * (low + high), reach)
    }

    /// Whether a ball reaches the box around a body.
    pub fn is_within(&self, body: &Body, center: DVec3, radius: f32) -> bool {
        let [low, high] = self.bounds;
        let at = (center - body.nodes.origin).as_vec3();
        at.distance(at.clamp(low, high)) <= radius
    }
}
