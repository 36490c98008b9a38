//! What of a world does not touch although it could.

use super::World;
use crate::body::{Body, BodyHandle};
use crate::contact::{ContactFilter, Other};
use crate::ids::StaleHandle;

/// What does not touch although it could. See also [`CollisionGroups`](crate::CollisionGroups).
impl World {
    /// Lets a body ignore another body, a collider (sensors too), or itself: they no longer touch. Pieces that are cut off the body
    /// ignore the same; it is forgotten when one of the two is removed. Both wake.
    ///
    /// # Errors
    /// If one of the two is not there.
    pub fn ignore_pair(&mut self, body: BodyHandle, other: impl Into<Other>) -> Result<(), StaleHandle> {
        self.set_ignored(body, other.into(), true)
    }

    /// Lets a body no longer ignore what [`ignore_pair`](Self::ignore_pair) let it ignore.
    ///
    /// # Errors
    /// If one of the two is not there.
    pub fn unignore_pair(&mut self, body: BodyHandle, other: impl Into<Other>) -> Result<(), StaleHandle> {
        self.set_ignored(body, other.into(), false)
    }

    /// The pairs that ignore each other; of two bodies the lower handle comes first.
    pub fn ignored_pairs(&self) -> &[(BodyHandle, Other)] {
        self.contacts.filter.ignored()
    }

    fn set_ignored(&mut self, body: BodyHandle, other: Other, ignored: bool) -> Result<(), StaleHandle> {
        self.body(body)?;
        match other {
            Other::Body(other) => self.body(other).map(drop)?,
            Other::Collider(other) => self.collider(other).map(drop)?,
            Other::Itself => {}
        }
        if self.contacts.filter.ignore(body, other, ignored) {
            self.wake(body);
            if let Other::Body(other) = other {
                self.wake(other);
            }
        }
        Ok(())
    }

    /// Asks a function of the user's own which bodies may touch which others, colliders (sensors too) and themselves, besides groups
    /// and ignored pairs; `None` asks nobody. All bodies wake.
    ///
    /// It is asked at most once for two in a step: of two bodies, the one with the lower handle first, if they are near each other; of
    /// a body and a collider wherever they are. It must be pure, so that the same worlds have the same states. No snapshot has it: a
    /// world that is restored keeps the one that it had.
    pub fn set_contact_filter(&mut self, filter: Option<ContactFilter>) {
        self.contacts.filter.set_own(filter);
        self.bodies.values_mut().for_each(Body::wake);
    }
}
