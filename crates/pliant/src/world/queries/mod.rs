//! What a world can be asked between steps: what a ray or a ball meets, what is near, what touches what.
//!
//! Skins are those that are drawn: of the latest step, or of where a body was put since. Bodies and colliders whose boxes are not
//! in question cost a few nanoseconds each; a skin is made ready to be searched when it is first asked for after it has changed.

mod cast;
mod filter;
mod near;

pub use filter::{QueryFilter, QueryHit, QueryTarget, RayHit};

use super::World;
use crate::body::BodyHandle;
use crate::contact::{self, Contact, ContactEvent, Touch};
use crate::ids::StaleHandle;

impl World {
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
