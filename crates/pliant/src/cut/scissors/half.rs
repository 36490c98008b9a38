//! A half while it is made.

use super::section::{Section, Side};
use super::{Half, Origin, ScissorsError, relax, rim};
use crate::geometry::{Paint, TriMesh};
use glam::{DVec3, Vec2, Vec3};
use rustc_hash::FxHashMap;

/// What a vertex that is not there yet has in place of an index.
const NONE: u32 = u32::MAX;

/// A corner of a piece of the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) enum Corner {
    /// A vertex of the mesh.
    Vertex { place: u32, vertex: u32 },
    /// A point on an edge, from the vertex at the lower place to that at the higher one.
    Edge { place: u32, vertices: [u32; 2], t: f64 },
}

impl Corner {
    pub fn place(self) -> u32 {
        match self {
            Corner::Vertex { place, .. } | Corner::Edge { place, .. } => place,
        }
    }
}

/// Triangles over places.
#[derive(Clone, Debug, Default)]
pub(super) struct Cap {
    /// Counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
}

/// A half and what is needed to add to it.
pub(super) struct HalfBuilder<'m> {
    source: &'m TriMesh,
    half: Half,
    /// Vertex of the source → vertex of the half.
    of_vertex: Vec<u32>,
    /// Edge of the source → vertex of the half.
    of_edge: FxHashMap<[u32; 2], u32>,
    /// Sides of triangles between places in the plane.
    pub sides: Vec<[u32; 2]>,
}

impl<'m> HalfBuilder<'m> {
    pub fn new(source: &'m TriMesh) -> Self {
        let mesh = TriMesh {
            name: source.name.clone(),
            origin: source.origin,
            paints: source.paints.clone(),
            ..TriMesh::default()
        };
        Self {
            source,
            half: Half { mesh, ..Half::default() },
            of_vertex: vec![NONE; source.positions.len()],
            of_edge: FxHashMap::default(),
            sides: Vec::new(),
        }
    }

    /// Adds a triangle or a piece of one.
    pub fn triangle(&mut self, corners: [Corner; 3], source: u32, section: &Section) {
        let triangle = corners.map(|corner| self.vertex(corner, section));
        self.half.mesh.triangles.push(triangle);
        if let Some(&paint) = self.source.triangle_paints.get(source as usize) {
            self.half.mesh.triangle_paints.push(paint);
        }
        self.note_sides(corners.map(Corner::place), section);
    }

    fn note_sides(&mut self, [a, b, c]: [u32; 3], section: &Section) {
        let in_plane = |place: u32| section.side(place) == Side::In;
        let sides = [[a, b], [b, c], [c, a]];
        self.sides.extend(sides.into_iter().filter(|side| in_plane(side[0]) && in_plane(side[1])));
    }

    /// The half's vertex for a corner.
    fn vertex(&mut self, corner: Corner, section: &Section) -> u32 {
        let next = self.half.now.len() as u32;
        match corner {
            Corner::Vertex { place, vertex } => {
                let v = vertex as usize;
                if self.of_vertex[v] == NONE {
                    self.of_vertex[v] = next;
                    // The place's position, not the vertex's own: seams that were only nearly shut are shut now.
                    let point = section.point(place);
                    self.push(point.rest.as_vec3(), point.now.as_vec3(), Origin::Vertex(vertex));
                    self.blend([vertex, vertex], 0.0);
                }
                self.of_vertex[v]
            }
            Corner::Edge { place, vertices, t } => {
                let found = *self.of_edge.entry(vertices).or_insert(next);
                if found == next {
                    let point = section.point(place);
                    let origin = Origin::Edge { a: vertices[0], b: vertices[1], t: t as f32 };
                    self.push(point.rest.as_vec3(), point.now.as_vec3(), origin);
                    self.blend(vertices, t as f32);
                }
                found
            }
        }
    }

    fn push(&mut self, rest: Vec3, now: Vec3, origin: Origin) {
        self.half.mesh.positions.push(rest);
        self.half.now.push(now);
        self.half.origins.push(origin);
    }

    /// Gives the newest vertex what the source has between two vertices.
    fn blend(&mut self, [a, b]: [u32; 2], t: f32) {
        let (a, b) = (a as usize, b as usize);
        let (source, mesh) = (self.source, &mut self.half.mesh);
        if let (Some(&from), Some(&to)) = (source.normals.get(a), source.normals.get(b)) {
            let between = if a == b { from } else { from.lerp(to, t).try_normalize().unwrap_or(from) };
            mesh.normals.push(between);
        }
        if let (Some(&from), Some(&to)) = (source.uvs.get(a), source.uvs.get(b)) {
            mesh.uvs.push(if a == b { from } else { from.lerp(to, t) });
        }
        if let (Some(from), Some(to)) = (source.colors.get(a), source.colors.get(b)) {
            mesh.colors.push(std::array::from_fn(|i| {
                if a == b { from[i] } else { from[i] + (to[i] - from[i]) * t }
            }));
        }
    }

    /// Adds the cap, turned over when `flip`.
    pub fn add_cap(&mut self, cap: &Cap, flip: bool, section: &Section, paint: &Paint) {
        self.half.skin_vertices = self.half.now.len();
        self.half.skin_triangles = self.half.mesh.triangles.len();
        if cap.triangles.is_empty() {
            return;
        }
        let paint = self.cap_paint(paint);
        let turned = |[a, b, c]: [u32; 3]| if flip { [a, c, b] } else { [a, b, c] };
        let triangles: Vec<[u32; 3]> = cap.triangles.iter().copied().map(turned).collect();
        let mut places: Vec<u32> = triangles.iter().flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        let index = |place: u32| places.binary_search(&place).unwrap_or(0) as u32;
        let local: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(index)).collect();
        let facing = if flip { -section.frame.normal } else { section.frame.normal };
        let normals = self.cap_normals(&places, &local, facing, section);
        let first = self.half.now.len() as u32;
        for (at, &place) in places.iter().enumerate() {
            let point = section.point(place);
            self.push(point.rest.as_vec3(), point.now.as_vec3(), point.origin);
            if let Some(normal) = normals.get(at) {
                self.half.mesh.normals.push(normal.as_vec3());
            }
            if !self.source.uvs.is_empty() {
                // A cap has no part in the skin's image; metres in the plane let its own one repeat.
                let flat = section.flat(place);
                self.half.mesh.uvs.push(Vec2::new(flat.x as f32, flat.y as f32));
            }
            if !self.source.colors.is_empty() {
                self.half.mesh.colors.push([1.0; 4]);
            }
        }
        for (places, local) in triangles.into_iter().zip(local) {
            self.half.mesh.triangles.push(local.map(|v| first + v));
            self.half.mesh.triangle_paints.push(paint);
            self.note_sides(places, section);
        }
    }

    /// The paint's index, with all triangles so far given theirs.
    fn cap_paint(&mut self, paint: &Paint) -> u32 {
        let mesh = &mut self.half.mesh;
        if mesh.paints.is_empty() {
            mesh.paints.push(Paint::default());
        }
        mesh.triangle_paints.resize(mesh.triangles.len(), 0);
        // The first is that of triangles without a paint.
        let known =
            if self.source.paints.is_empty() { None } else { mesh.paints.iter().position(|p| p == paint) };
        known.unwrap_or_else(|| {
            mesh.paints.push(paint.clone());
            mesh.paints.len() - 1
        }) as u32
    }

    /// Unit normals at rest, or none if the source has none.
    fn cap_normals(
        &self,
        places: &[u32],
        triangles: &[[u32; 3]],
        facing: DVec3,
        section: &Section,
    ) -> Vec<DVec3> {
        if self.source.normals.is_empty() {
            Vec::new()
        } else if section.undeformed {
            vec![facing; places.len()]
        } else {
            let rest: Vec<DVec3> = places.iter().map(|&place| section.point(place).rest).collect();
            relax::normals(&rest, triangles, facing)
        }
    }

    /// Checks that each side in the plane has met its opposite.
    pub fn check(&self) -> Result<(), ScissorsError> {
        match rim::net(&self.sides).len() {
            0 => Ok(()),
            edges => Err(ScissorsError::NotClosed { edges }),
        }
    }

    pub fn finish(self) -> Half {
        self.half
    }
}
