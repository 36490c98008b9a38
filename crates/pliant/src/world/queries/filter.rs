//! What queries look at and what they find.

use crate::body::{Body, BodyHandle};
use crate::contact::ColliderHandle;
use glam::{DVec3, Vec3};

/// What a query looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryFilter {
    /// Skins of bodies.
    pub skins: bool,
    /// Colliders.
    pub colliders: bool,
    /// Also skins of bodies that are disabled ([`Body::enabled`]).
    pub disabled: bool,
    /// A body that is left out: the one that asks.
    pub exclude: Option<BodyHandle>,
    /// What is farther away does not count: lengths of the direction for casts, metres for closest points.
    pub max_distance: f32,
}

impl Default for QueryFilter {
    /// All skins of enabled bodies and all colliders, at any distance.
    fn default() -> Self {
        Self { skins: true, colliders: true, disabled: false, exclude: None, max_distance: f32::INFINITY }
    }
}

impl QueryFilter {
    /// Skins of enabled bodies only.
    pub fn skins() -> Self {
        Self { colliders: false, ..Self::default() }
    }

    /// Colliders only.
    pub fn colliders() -> Self {
        Self { skins: false, ..Self::default() }
    }

    /// The same without a body.
    pub fn without(self, body: BodyHandle) -> Self {
        Self { exclude: Some(body), ..self }
    }

    /// The same up to a distance.
    pub fn up_to(self, max_distance: f32) -> Self {
        Self { max_distance, ..self }
    }

    pub(super) fn sees(&self, handle: BodyHandle, body: &Body) -> bool {
        self.skins && (self.disabled || body.enabled) && self.exclude != Some(handle)
    }
}

/// What a query found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryTarget {
    /// The skin of a body.
    Body(BodyHandle),
    /// A collider.
    Collider(ColliderHandle),
}

/// A place that a query found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryHit {
    /// Whose it is.
    pub target: QueryTarget,
    /// The triangle of the body's mesh; none of a collider.
    pub triangle: Option<u32>,
    /// The place on the surface.
    pub point: DVec3,
    /// Unit vector away from the surface: back along a cast, or where the distance from a closest point grows.
    pub normal: Vec3,
    /// How far along a cast, in lengths of its direction; or how far from the closest point in metres, negative inside.
    pub distance: f32,
}

/// Where a ray first meets a skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The body.
    pub body: BodyHandle,
    /// The triangle of its mesh.
    pub triangle: u32,
    /// The corner of that triangle nearest to the place.
    pub vertex: u32,
    /// The place.
    pub position: DVec3,
    /// How far along the ray it is, in lengths of its direction.
    pub distance: f32,
}
