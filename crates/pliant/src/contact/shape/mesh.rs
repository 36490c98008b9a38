//! A shape as triangles.

use super::derived::{Derived, same};
use super::surface::Surface;
use super::{ShapeError, check_points};
use crate::geometry::{RepairSettings, TriMesh, repair};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How thick a sheet is unless that is given, as part of the diagonal of its bounds.
const THICKNESS: f32 = 0.01;

/// Triangles: a solid if they are closed, and a sheet with two sides if they are not.
///
/// What is wrong with a mesh is mended first, but no holes are filled: places named twice are one, triangles without area or
/// covered by others do not count, and closed parts face outward whichever way they wind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshShape {
    /// In metres.
    positions: Arc<[Vec3]>,
    /// Three corners each.
    triangles: Arc<[[u32; 3]]>,
    /// How thick a sheet is, in metres: a hundredth of its size unless given. A solid does not use it.
    #[serde(default)]
    thickness: Option<f32>,
    #[serde(skip)]
    derived: Derived,
}

impl MeshShape {
    /// Of positions in metres and the corners of triangles.
    pub fn new(positions: impl Into<Arc<[Vec3]>>, triangles: impl Into<Arc<[[u32; 3]]>>) -> Self {
        let (positions, triangles) = (positions.into(), triangles.into());
        Self { positions, triangles, thickness: None, derived: Derived::default() }
    }

    /// The same with another thickness, in metres, in case it is a sheet.
    pub fn thickness(self, thickness: f32) -> Self {
        Self { thickness: Some(thickness), derived: Derived::default(), ..self }
    }

    /// The positions it was made of.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The corners of its triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Whether it is solid inside; not if it is a sheet, or no shape at all.
    pub fn is_solid(&self) -> bool {
        self.surface().is_ok_and(Surface::is_solid)
    }

    pub(super) fn mesh(&self) -> TriMesh {
        TriMesh::new(self.positions.to_vec(), self.triangles.to_vec())
    }

    pub(super) fn surface(&self) -> Result<&Surface, ShapeError> {
        self.derived.get(|| self.make())
    }

    fn make(&self) -> Result<Surface, ShapeError> {
        if self.triangles.is_empty() {
            return Err("a mesh needs triangles");
        }
        check_points(&self.positions)?;
        if self.triangles.iter().flatten().any(|&v| v as usize >= self.positions.len()) {
            return Err("its triangles must name positions that are there");
        }
        if self.thickness.is_some_and(|thickness| !(thickness > 0.0 && thickness.is_finite())) {
            return Err("its thickness must be above 0");
        }
        let mesh = self.mesh();
        let no_holes =
            RepairSettings { max_hole_edges: 0, max_hole_perimeter: 0.0, ..RepairSettings::default() };
        // Nothing is left of a sheet that is drawn from both sides: then it is taken as it is.
        let (mended, report) = match repair(&mesh, &no_holes) {
            Ok((mended, log)) => (mended, Some(log.result)),
            Err(_) => (mesh, None),
        };
        let triangles: Vec<[u32; 3]> =
            mended.triangles.iter().filter(|t| has_area(&mended.positions, t)).copied().collect();
        if triangles.is_empty() {
            return Err("its triangles must have an area");
        }
        let solid = report.is_some_and(|report| {
            report.closed && report.oriented && report.non_manifold_edges == 0 && report.volume > 0.0
        });
        if solid {
            // With those that have no area: they belong to what is closed.
            return Ok(Surface::solid(&mended.positions, &mended.triangles));
        }
        let (low, high) = mended.bounds().unwrap_or_default();
        let thickness = self.thickness.unwrap_or(THICKNESS * (high - low).length());
        Ok(Surface::sheet(&mended.positions, &triangles, thickness))
    }
}

fn has_area(positions: &[Vec3], triangle: &[u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|v| positions[v as usize].as_dvec3());
    (b - a).cross(c - a).length_squared() > 0.0
}

impl PartialEq for MeshShape {
    fn eq(&self, other: &Self) -> bool {
        self.thickness == other.thickness
            && same(&self.positions, &other.positions)
            && same(&self.triangles, &other.triangles)
    }
}
