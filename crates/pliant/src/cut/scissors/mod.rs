//! A plane through a whole mesh: exact clipping, and caps over what it opens.
//!
//! Based on \[HW08\] §4.1: two clipping operations, then a Delaunay triangulation over each section.
//!
//! Deviations: the triangulation is constrained to the rim, so that sections may be concave, nested and many; it has
//! points inside, which the paper names as the improvement to make.
//!
//! Triangles are cut in the space of the current positions. What a cut adds to an edge lies at the same share of it
//! now and at rest, so both halves come back in rest space too. All decisions are made once for each *place* (the
//! vertices that welding joins), never once for each triangle: this is why no rounding can open a seam.

mod cap;
mod clip;
mod fill;
mod half;
mod relax;
mod rim;
mod section;

use crate::geometry::{MeshError, Paint, TriMesh, WELD_TOLERANCE, weld};
use glam::{DVec3, Vec3};

/// How far a plane's normal may be from unit length.
const UNIT_TOLERANCE: f32 = 1e-3;

/// All points `x` with `normal · x = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Its unit normal, which points to the front.
    pub normal: Vec3,
    /// Its distance from zero along the normal, in metres.
    pub offset: f32,
}

impl Plane {
    /// The plane through a point, across a direction of any length. A direction without one gives a plane that
    /// [`clip`] refuses.
    pub fn through(point: Vec3, direction: Vec3) -> Self {
        let normal = direction.as_dvec3().normalize_or_zero();
        Self { normal: normal.as_vec3(), offset: normal.dot(point.as_dvec3()) as f32 }
    }

    /// How far a point lies in front of the plane, in metres.
    pub fn distance(&self, point: Vec3) -> f32 {
        (self.normal.as_dvec3().dot(point.as_dvec3()) - self.offset as f64) as f32
    }
}

/// What the faces look like that a cut leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct CapSettings {
    /// Metres between the points inside a cap; no such points when zero or infinite. A cap gets about 60,000 points
    /// at most.
    pub spacing: f32,
    /// How caps are painted.
    pub paint: Paint,
}

impl Default for CapSettings {
    fn default() -> Self {
        let paint = Paint { name: "cut".into(), base_color: [0.75, 0.22, 0.2, 1.0], ..Paint::default() };
        Self { spacing: 0.0, paint }
    }
}

/// Where a vertex of a [`Half`] comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    /// A vertex of the mesh.
    Vertex(u32),
    /// A new one on an edge of the mesh.
    Edge {
        /// The vertex at one end.
        a: u32,
        /// The vertex at the other end.
        b: u32,
        /// The share of the way from `a` to `b`.
        t: f32,
    },
    /// A new one inside a cap.
    Cap,
}

/// What lies on one side of the plane, closed by caps.
///
/// Skin comes before caps, in vertices and in triangles. Caps have vertices of their own along the rim, so that it is
/// drawn sharp; they lie exactly where those of the skin do, and welding joins them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Half {
    /// The half at rest. Normals, texture coordinates, colours and paints are there if the cut mesh had them;
    /// paints also when there is a cap.
    pub mesh: TriMesh,
    /// Where its vertices are now.
    pub now: Vec<Vec3>,
    /// Where its vertices come from; those of a cap's rim from the same as the skin they lie on.
    pub origins: Vec<Origin>,
    /// How many of the vertices are skin.
    pub skin_vertices: usize,
    /// How many of the triangles are skin.
    pub skin_triangles: usize,
}

/// Why a mesh was not cut.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScissorsError {
    /// Something is wrong with the mesh's arrays.
    #[error("the mesh cannot be cut: {0}")]
    Mesh(#[from] MeshError),
    /// There must be one current position a vertex.
    #[error("{found} current positions were given for {expected} vertices")]
    WrongLength {
        /// How many positions there are.
        found: usize,
        /// How many vertices there are.
        expected: usize,
    },
    /// A current position is NaN or infinite.
    #[error("vertex {vertex} is not finite now: {position}")]
    NotFinite {
        /// The first such vertex.
        vertex: usize,
        /// Its position.
        position: Vec3,
    },
    /// The plane is no plane.
    #[error("normal {normal} and offset {offset} are no plane; use `Plane::through` with a direction that has a length", normal = .0.normal, offset = .0.offset)]
    BadPlane(Plane),
    /// Everything lies on one side of the plane, or in it.
    #[error("the plane misses the body; move it, or turn it, so that some of the body is on either side")]
    Misses,
    /// The section's outline does not close.
    #[error(
        "the section is open at {ends} places, one near {near}: along the plane the skin has holes or triangles that wind against their neighbours; repair the mesh or move the plane"
    )]
    Open {
        /// How many ends its outline has.
        ends: usize,
        /// Where the first of them is now.
        near: Vec3,
    },
    /// The caps do not fit the rim.
    #[error("{edges} edges of the cut could not be closed; move the plane a little")]
    NotClosed {
        /// How many edges are left over.
        edges: usize,
    },
}

/// Cuts a mesh in two along a plane: what is behind it, and what is in front of it.
///
/// `now` has the current position of each vertex; the plane is among these. If the mesh, welded, is closed and its
/// triangles wind alike, so it is with both halves. Holes elsewhere stay as they are. Vertices that are welded to be
/// cut come back in exactly the same place.
///
/// Vertices within a rounding of the plane count as in it and are kept; triangles in it go to the half whose solid
/// they bound. Where a deformed body overlaps itself so that outlines cross, each outline gets a cap of its own.
///
/// # Errors
/// Numbers that are not finite, a plane that misses the body, a section that is open. Nothing is cut then.
pub fn clip(
    mesh: &TriMesh,
    now: &[Vec3],
    plane: &Plane,
    caps: &CapSettings,
) -> Result<[Half; 2], ScissorsError> {
    mesh.validate()?;
    if now.len() != mesh.positions.len() {
        return Err(ScissorsError::WrongLength { found: now.len(), expected: mesh.positions.len() });
    }
    if let Some(vertex) = now.iter().position(|p| !p.is_finite()) {
        return Err(ScissorsError::NotFinite { vertex, position: now[vertex] });
    }
    let length = plane.normal.length();
    if !plane.offset.is_finite() || !length.is_finite() || (length - 1.0).abs() > UNIT_TOLERANCE {
        return Err(ScissorsError::BadPlane(*plane));
    }
    match clip_welded(mesh, now, plane, caps, 0.0) {
        // Seams that are only nearly shut are opened by rounding in some formats.
        Err(ScissorsError::Open { .. }) => clip_welded(mesh, now, plane, caps, WELD_TOLERANCE),
        done => done,
    }
}

/// Cuts a mesh whose vertices within `tolerance` are one place.
fn clip_welded(
    mesh: &TriMesh,
    now: &[Vec3],
    plane: &Plane,
    caps: &CapSettings,
    tolerance: f32,
) -> Result<[Half; 2], ScissorsError> {
    let welded = weld(mesh, tolerance);
    let mut section = section::Section::new(mesh, now, &welded, Frame::new(plane));
    let mut halves = clip::clip_triangles(mesh, &welded, &mut section)?;
    let rim = rim::rim(&halves, &section)?;
    let cap = cap::cap(&rim, &mut section, caps.spacing);
    for (side, half) in halves.iter_mut().enumerate() {
        // The cap of what is behind faces the front.
        half.add_cap(&cap, side == 1, &section, &caps.paint);
        half.check()?;
    }
    Ok(halves.map(half::HalfBuilder::finish))
}

/// A plane's own coordinates, in double precision.
#[derive(Clone, Copy, Debug)]
struct Frame {
    normal: DVec3,
    offset: f64,
    right: DVec3,
    up: DVec3,
}

impl Frame {
    fn new(plane: &Plane) -> Self {
        let length = plane.normal.as_dvec3().length();
        let normal = plane.normal.as_dvec3() / length;
        let (right, up) = normal.any_orthonormal_pair();
        // Seen from the front, `up` is left of `right`.
        let up = if right.cross(up).dot(normal) < 0.0 { -up } else { up };
        Self { normal, offset: plane.offset as f64 / length, right, up }
    }
}
