//! What follows from a shape's description and is made when it is first asked for.

use super::ShapeError;
use super::surface::Surface;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A surface that can be searched. Clones share it; it is neither compared nor stored.
#[derive(Clone, Default)]
pub struct Derived(Arc<OnceLock<Result<Surface, ShapeError>>>);

impl Derived {
    /// The surface, made by the first who asks.
    pub fn get(&self, make: impl FnOnce() -> Result<Surface, ShapeError>) -> Result<&Surface, ShapeError> {
        self.0.get_or_init(make).as_ref().map_err(|why| *why)
    }
}

impl PartialEq for Derived {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Derived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.get().is_some() { "made" } else { "not made yet" })
    }
}

/// Whether two shared lists are equal; of the same one that is known at once.
pub fn same<T: PartialEq>(a: &Arc<[T]>, b: &Arc<[T]>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}
