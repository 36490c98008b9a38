//! What contacts keep beside a body: scratch, and no part of its state.

use super::broad::Bounds;
use super::response::ContactImpulse;
use super::{Collider, ColliderHandle};
use crate::body::Body;
use glam::{DVec3, Vec3};

/// What contacts keep beside a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyScratch {
    /// Velocities at the start of the substep, where something bounces: what a node arrives with, before anything pulls it.
    pub arrivals: Vec<Vec3>,
    /// The box around the body, relative to its origin.
    pub bounds: [Vec3; 2],
    /// What it got from colliders in this substep.
    pub impulses: Vec<(ColliderHandle, ContactImpulse)>,
    /// What threads add up, kept for its memory.
    pub parts: Vec<ContactImpulse>,
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

    /// Measures the box around a body.
    pub fn measure(&mut self, body: &Body) {
        let (low, high) = body
            .nodes
            .positions
            .iter()
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
        let border = body.border();
        let beyond = 1.5 * border.reach + border.sheet.unwrap_or(0.0);
        self.bounds = [low - beyond, high + beyond];
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
