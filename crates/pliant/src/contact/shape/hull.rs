//! A shape as the hull of points.

use super::derived::{Derived, same};
use super::quickhull;
use super::surface::Surface;
use super::{ShapeError, check_points};
use crate::geometry::TriMesh;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The smallest convex solid that has all of some points.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConvexHull {
    /// In metres; four at least, not all in one plane. Those inside do no harm.
    points: Arc<[Vec3]>,
    #[serde(skip)]
    derived: Derived,
}

impl ConvexHull {
    /// Of points in metres.
    pub fn new(points: impl Into<Arc<[Vec3]>>) -> Self {
        Self { points: points.into(), derived: Derived::default() }
    }

    /// The points it was made of, also those inside.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Its surface; empty if its points have no hull.
    pub(super) fn mesh(&self) -> TriMesh {
        let triangles = check_points(&self.points).ok().and_then(|()| quickhull::hull(&self.points));
        TriMesh::new(self.points.to_vec(), triangles.unwrap_or_default())
    }

    pub(super) fn surface(&self) -> Result<&Surface, ShapeError> {
        self.derived.get(|| {
            check_points(&self.points)?;
            let triangles = quickhull::hull(&self.points);
            let triangles = triangles.ok_or("a hull needs four points that are not in one plane")?;
            Ok(Surface::solid(&self.points, &triangles))
        })
    }
}

impl PartialEq for ConvexHull {
    fn eq(&self, other: &Self) -> bool {
        same(&self.points, &other.points)
    }
}
