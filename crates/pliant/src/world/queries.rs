//! What a world can be asked after a step: what a ray meets, what touches what.

use super::World;
use crate::body::BodyHandle;
use crate::contact::{self, Contact, ContactEvent, Touch};
use crate::ids::StaleHandle;
use crate::tool::{RayHit, hit};
use glam::{DVec3, Vec3};

impl World {
    /// Where a ray first meets a skin as it is drawn, from either side; `None` if it meets none.
    pub fn cast_ray(&self, from: impl Into<DVec3>, direction: Vec3) -> Option<RayHit> {
        let from = from.into();
        let hits = self.bodies().filter_map(|(handle, body)| hit(handle, body, from, direction));
        hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
    }

    /// Where a body touches colliders now, sensors left out.
    ///
    /// # Errors
    /// If the body is not there.
    pub fn contacts(&self, body: BodyHandle) -> Result<Vec<Contact>, StaleHandle> {
        let filter = &self.contacts.filter;
        let pushing = self.colliders.iter().filter(|&(handle, of)| filter.pushes(body, handle, of));
        Ok(contact::touching(self.body(body)?, pushing.map(|(_, collider)| collider)))
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
