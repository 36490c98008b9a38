//! Who wakes: what sleeps costs nothing, until something changes for it.

use super::World;
use crate::body::BodyHandle;
use crate::contact::Disturbance;

impl World {
    /// Wakes a body, if it is there.
    pub fn wake(&mut self, handle: BodyHandle) {
        if let Some(body) = self.bodies.get_mut(handle) {
            body.wake();
        }
    }

    /// Wakes bodies that something has changed for since the latest step, or will in this one.
    pub(super) fn wake_disturbed(&mut self, dt_secs: f32) {
        self.scratch.wakeful.clear();
        self.scratch.wakeful.extend(self.tools.values().filter_map(|tool| tool.act().wakes_in()));
        let disturbance = Disturbance {
            gravity: self.settings.gravity,
            colliders: &self.colliders,
            balls: &self.scratch.wakeful,
            everywhere: self.never_sleeps(),
            dt_secs,
        };
        self.contacts.wake_disturbed(&mut self.bodies, &mut self.marks, &disturbance);
        self.contacts.wake_on_disabled(&mut self.bodies);
    }

    /// Wakes bodies whose nodes are held to something that moves, or that was moved.
    pub(super) fn wake_held(&mut self) {
        for tool in self.tools.values() {
            let body = tool.body().and_then(|body| self.bodies.get_mut(body));
            if let Some(body) = body.filter(|body| body.rests() && tool.act().moves_held(body)) {
                body.wake();
            }
        }
    }

    /// Whether nothing may sleep.
    pub(super) fn never_sleeps(&self) -> bool {
        self.settings.sleep.speed <= 0.0 || self.tools.values().any(|tool| tool.act().keeps_awake())
    }
}
