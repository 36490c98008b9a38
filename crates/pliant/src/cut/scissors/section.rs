//! Places, on which side of the plane they are, and the new ones in it.

use super::{Frame, Origin};
use crate::geometry::{TriMesh, Welded};
use glam::{DVec2, DVec3, Vec3};
use rustc_hash::FxHashMap;

/// How near a vertex must be to count as in the plane, in roundings of the largest coordinate: what `f32` cannot
/// tell from zero.
const ROUNDINGS: f64 = 2.0;

/// Where a place lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Behind,
    In,
    Front,
}

/// A place in the plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanePoint {
    pub now: DVec3,
    pub rest: DVec3,
    pub origin: Origin,
}

/// All places: first those of the welded mesh, then those that the cut adds.
pub(super) struct Section {
    pub frame: Frame,
    /// Distance from the plane of each place of the mesh.
    distances: Vec<f64>,
    sides: Vec<Side>,
    /// Each place of the mesh as if it were in the plane.
    mesh_points: Vec<PlanePoint>,
    added: Vec<PlanePoint>,
    /// Edge, lower place first → the place where the plane cuts it.
    of_edge: FxHashMap<[u32; 2], u32>,
    /// Whether now is at rest.
    pub undeformed: bool,
}

/// Where the plane cuts an edge from the lower place to the higher one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub place: u32,
    pub t: f64,
}

impl Section {
    pub fn new(mesh: &TriMesh, now: &[Vec3], welded: &Welded, frame: Frame) -> Self {
        let mut mesh_points: Vec<PlanePoint> = Vec::with_capacity(welded.positions.len());
        for (vertex, &place) in welded.vertex_of.iter().enumerate() {
            // Places are numbered by their first vertices.
            if place as usize == mesh_points.len() {
                mesh_points.push(PlanePoint {
                    now: now[vertex].as_dvec3(),
                    rest: mesh.positions[vertex].as_dvec3(),
                    origin: Origin::Vertex(vertex as u32),
                });
            }
        }
        let distances: Vec<f64> =
            mesh_points.iter().map(|p| frame.normal.dot(p.now) - frame.offset).collect();
        let largest = mesh_points.iter().fold(frame.offset.abs(), |m, p| m.max(p.now.abs().max_element()));
        let within = ROUNDINGS * f32::EPSILON as f64 * largest;
        let side = |&d: &f64| match d {
            d if d < -within => Side::Behind,
            d if d > within => Side::Front,
            _ => Side::In,
        };
        let sides = distances.iter().map(side).collect();
        let undeformed = mesh_points.iter().all(|p| p.now == p.rest);
        Self {
            frame,
            distances,
            sides,
            mesh_points,
            added: Vec::new(),
            of_edge: FxHashMap::default(),
            undeformed,
        }
    }

    pub fn side(&self, place: u32) -> Side {
        self.sides.get(place as usize).copied().unwrap_or(Side::In)
    }

    pub fn point(&self, place: u32) -> &PlanePoint {
        let place = place as usize;
        self.mesh_points.get(place).unwrap_or_else(|| &self.added[place - self.mesh_points.len()])
    }

    /// A place in the plane's own coordinates.
    pub fn flat(&self, place: u32) -> DVec2 {
        let now = self.point(place).now;
        DVec2::new(self.frame.right.dot(now), self.frame.up.dot(now))
    }

    /// The current position of a point given in the plane's own coordinates.
    pub fn lift(&self, flat: DVec2) -> DVec3 {
        self.frame.normal * self.frame.offset + self.frame.right * flat.x + self.frame.up * flat.y
    }

    /// Adds a place in the plane.
    pub fn add(&mut self, point: PlanePoint) -> u32 {
        self.added.push(point);
        (self.mesh_points.len() + self.added.len() - 1) as u32
    }

    /// Where the plane cuts the edge between places on different sides, always the same for an edge. `vertices` are
    /// the drawn ends for a new one, in the order of the places.
    pub fn crossing(&mut self, [low, high]: [u32; 2], vertices: [u32; 2]) -> Crossing {
        let (from, to) = (self.distances[low as usize], self.distances[high as usize]);
        let t = (from / (from - to)).clamp(0.0, 1.0);
        if let Some(&place) = self.of_edge.get(&[low, high]) {
            return Crossing { place, t };
        }
        let (a, b) = (self.mesh_points[low as usize], self.mesh_points[high as usize]);
        let place = self.add(PlanePoint {
            now: a.now.lerp(b.now, t),
            rest: a.rest.lerp(b.rest, t),
            origin: Origin::Edge { a: vertices[0], b: vertices[1], t: t as f32 },
        });
        self.of_edge.insert([low, high], place);
        Crossing { place, t }
    }

    /// Twice the area of a triangle as seen from the front.
    pub fn facing(&self, triangle: [u32; 3]) -> f64 {
        let [a, b, c] = triangle.map(|place| self.flat(place));
        (b - a).perp_dot(c - a)
    }
}
