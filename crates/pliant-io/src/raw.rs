//! What every loader fills, and the last checks that turn it into a [`TriMesh`].

use crate::error::{IoError, Place};
use crate::polygon::{Polygons, Triangulator};
use crate::read::{Source, Warnings};
use pliant::geometry::{MeshError, Paint, TriMesh};
use pliant::glam::{DVec3, Vec2, Vec3};

/// A mesh gets an origin of its own when its centre is further from zero than this many of its extents: `f32`
/// then keeps fewer than about four digits of its shape.
const FAR_EXTENTS: f64 = 1000.0;
/// A mesh smaller than this would be lost among the subnormal numbers of `f32`, in metres.
const SMALLEST_EXTENT: f64 = 1e-35;

/// A mesh as a loader found it: positions still in `f64`, normals perhaps missing (zero) or not of unit length.
#[derive(Default)]
pub(crate) struct RawMesh {
    pub name: String,
    pub positions: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    pub normals: Vec<Vec3>,
    pub uvs: Vec<Vec2>,
    pub colors: Vec<[f32; 4]>,
    pub paints: Vec<Paint>,
    pub triangle_paints: Vec<u32>,
}

impl RawMesh {
    /// Adds the triangles of polygons whose corners have been checked; `paint_of` gives each polygon's paint.
    pub fn add_polygons(&mut self, polygons: &Polygons, paint_of: Option<&[u32]>, warnings: &mut Warnings) {
        let mut triangulator = Triangulator::default();
        let (mut local, mut points, mut dropped) = (Vec::new(), Vec::new(), 0_usize);
        self.triangles.reserve(polygons.corners.len().saturating_sub(2 * polygons.ends.len()));
        for (face, corners) in polygons.iter().enumerate() {
            let before = self.triangles.len();
            match *corners {
                [a, b, c] => self.triangles.push([a, b, c]),
                [_, _, _, ..] => {
                    points.clear();
                    points.extend(corners.iter().map(|&v| self.positions[v as usize]));
                    local.clear();
                    triangulator.triangulate(&points, &mut local);
                    self.triangles.extend(local.iter().map(|t| t.map(|i: u32| corners[i as usize])));
                }
                _ => dropped += 1,
            }
            if let Some(paint_of) = paint_of {
                let added = self.triangles.len() - before;
                self.triangle_paints.extend(std::iter::repeat_n(paint_of[face], added));
            }
        }
        if dropped > 0 {
            warnings.push(format!("{dropped} faces with fewer than three corners left out"));
        }
        triangulator.report(warnings);
    }

    /// The mesh, or what is wrong with it.
    pub fn finish(mut self, source: &Source<'_>, warnings: &mut Warnings) -> Result<TriMesh, IoError> {
        if self.triangles.is_empty() {
            return Err(source.no_triangles(format!("{} vertices, no faces", self.positions.len())));
        }
        if let Some(vertex) = self.positions.iter().position(|p| !p.is_finite()) {
            return Err(source.not_finite(Place::File, vertex));
        }
        let (origin, positions) = to_f32(std::mem::take(&mut self.positions), source)?;
        let mut mesh = TriMesh {
            name: self.name,
            origin,
            positions,
            triangles: self.triangles,
            normals: self.normals,
            uvs: self.uvs,
            colors: self.colors,
            paints: self.paints,
            triangle_paints: self.triangle_paints,
        };
        mesh.validate().map_err(|fault| as_io_error(fault, source))?;
        mend_normals(&mut mesh);
        let lost = mend_uvs(&mut mesh.uvs);
        if lost > 0 {
            warnings.push(format!("{lost} texture coordinates that are not finite set to 0"));
        }
        for color in mesh.colors.iter_mut().chain(mesh.paints.iter_mut().map(|p| &mut p.base_color)) {
            *color = color.map(|c| if c.is_finite() { c.clamp(0.0, 1.0) } else { 1.0 });
        }
        if mesh.paints.len() < 2 {
            mesh.triangle_paints.clear();
        }
        Ok(mesh)
    }
}

fn as_io_error(fault: MeshError, source: &Source<'_>) -> IoError {
    match fault {
        MeshError::IndexOutOfRange { triangle, vertex, count } => {
            source.out_of_range(Place::Element("triangle", triangle), "vertices", vertex.into(), count)
        }
        fault => IoError::Mesh { file: source.file.to_path_buf(), source: fault },
    }
}

/// Positions in `f32`, relative to an origin where that is needed to keep the shape.
pub(crate) fn to_f32(positions: Vec<DVec3>, source: &Source<'_>) -> Result<(DVec3, Vec<Vec3>), IoError> {
    let (lo, hi) =
        positions.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(lo, hi), p| (lo.min(*p), hi.max(*p)));
    let centre = lo * 0.5 + hi * 0.5;
    let extent = (hi - lo).max_element();
    let largest = f64::from(f32::MAX);
    let origin = if centre.length() > FAR_EXTENTS * extent { centre } else { DVec3::ZERO };
    let beyond = |p: &DVec3| (*p - origin).abs().max_element() > largest;
    if centre.abs().max_element() > largest || positions.iter().any(beyond) {
        let vertex = positions.iter().position(|p| p.abs().max_element() > largest).unwrap_or(0);
        let fault = format!("{} does not fit f32 (at most 3.4e38); scale the model down", positions[vertex]);
        return Err(source.too_large(Place::Element("vertex", vertex), fault));
    }
    if extent > 0.0 && extent < SMALLEST_EXTENT {
        let fault = format!("the mesh is {extent:e} m large, too small for f32; scale the model up");
        return Err(source.too_large(Place::File, fault));
    }
    Ok((origin, positions.iter().map(|p| (*p - origin).as_vec3()).collect()))
}

/// Makes normals unit, and takes those that are missing or broken from the triangles around.
fn mend_normals(mesh: &mut TriMesh) {
    let mut missing = false;
    for normal in &mut mesh.normals {
        *normal = unit_or_zero(normal.as_dvec3());
        missing |= *normal == Vec3::ZERO;
    }
    if !missing {
        return;
    }
    let mut sums = vec![DVec3::ZERO; mesh.positions.len()];
    for corners in &mesh.triangles {
        let [a, b, c] = corners.map(|v| mesh.positions[v as usize].as_dvec3());
        let area = (b - a).cross(c - a);
        for v in corners {
            sums[*v as usize] += area;
        }
    }
    for (normal, sum) in mesh.normals.iter_mut().zip(sums) {
        if *normal == Vec3::ZERO {
            *normal = sum.try_normalize().map_or(Vec3::Y, |n| n.as_vec3());
        }
    }
}

/// A unit normal, bit for bit the same if it was one already; zero if it has no direction.
pub(crate) fn unit_or_zero(normal: DVec3) -> Vec3 {
    if (normal.length_squared() - 1.0).abs() < 1e-5 {
        return normal.as_vec3();
    }
    let unit = if normal.is_finite() { normal.try_normalize() } else { None };
    unit.map_or(Vec3::ZERO, |n| n.as_vec3())
}

fn mend_uvs(uvs: &mut [Vec2]) -> usize {
    let mut lost = 0;
    for uv in uvs.iter_mut().filter(|uv| !uv.is_finite()) {
        *uv = Vec2::ZERO;
        lost += 1;
    }
    lost
}
