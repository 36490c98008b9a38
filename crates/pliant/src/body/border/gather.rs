//! The mesh taken apart: which of its surface is around which node.

use super::caps::Ball;
use super::curvature::Curvature;
use super::renew::{Before, Stale};
use super::{Border, Facet};
use crate::body::BodyRest;
use crate::geometry::{EdgeTable, Lists, OuterSurface, weld_as_needed};
use crate::skin::Cells;
use glam::Vec3;

/// Facets that a node may have: those of a cube.
const MOST_FACETS: usize = 6;
/// Cosine of the angle by which normals differ that are no longer one facet.
const ONE_FACET: f32 = 0.7;
/// Points that an edge of a large triangle is divided into at most.
const MOST_PARTS: f32 = 64.0;

/// Whether a mesh encloses nothing. One with a few holes still does.
pub(super) fn is_open(rest: &BodyRest) -> bool {
    let welded = weld_as_needed(&rest.mesh, 1e-6);
    let edges = EdgeTable::new(&welded.triangles);
    edges.open().count() as f32 > 0.25 * (welded.triangles.len() as f32).sqrt()
}

/// How far apart the surface nodes of particles are.
pub(super) fn spacing(rest: &BodyRest, outer: &[u32]) -> f32 {
    let area_of = |t: usize| {
        let [a, b, c] = rest.mesh.corners(t);
        0.5 * f64::from((b - a).cross(c - a).length())
    };
    let area: f64 = (0..rest.mesh.triangles.len()).map(area_of).sum();
    let mut nodes = outer.to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    (area / nodes.len().max(1) as f64).sqrt() as f32
}

/// A piece of surface of one node: Σ area, Σ area point, Σ area normal, and how it is curved.
#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    area: f32,
    point: Vec3,
    normal: Vec3,
    curvature: Curvature,
}

/// The surface of each node, gathered from the mesh.
pub(super) struct Gathered<'a> {
    pieces: Vec<Vec<Piece>>,
    /// Σ area normal of each node, by the direction of the normal.
    areas: Vec<Vec<(Direction, Vec3)>>,
    /// How far the surface of each node goes from it; not known of nodes that are as before.
    pub extents: Vec<f32>,
    /// What it was before, and the nodes for which it is not the same.
    known: Option<(&'a Before, Stale)>,
}

impl<'a> Gathered<'a> {
    pub fn new(count: usize) -> Self {
        let (pieces, areas) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        Self { pieces, areas, extents: vec![0.0; count], known: None }
    }

    /// Of `count` nodes, of which the first are in cells and some are as before.
    pub fn of_cells(cells: &(dyn Cells + Sync), count: usize, before: Option<&'a Before>) -> Self {
        let known = before.map(|before| (before, Stale::new(cells, &before.same)));
        Self { known, ..Self::new(count) }
    }

    /// Takes the mesh apart into points no farther apart than `spacing` and gives each to the node it belongs to: that of the
    /// vertices where triangles are small, and where `home` says in large ones. Of a mesh whose shells overlap it is its outer
    /// surface that is taken apart.
    pub fn gather(
        &mut self,
        rest: &BodyRest,
        outer: Option<&OuterSurface>,
        spacing: f32,
        homes: &[u32],
        mut home: impl FnMut(Vec3, Vec3) -> Option<u32>,
    ) {
        let mesh = &rest.mesh;
        let nodes = &rest.nodes.rest_positions;
        let count = outer.map_or(mesh.triangles.len(), |outer| outer.corners.len());
        for piece in 0..count {
            let whole = outer.is_none_or(|outer| outer.whole[piece]);
            let triangle = &mesh.triangles[outer.map_or(piece, |outer| outer.triangle_of[piece] as usize)];
            let at = triangle.map(|v| mesh.positions[v as usize]);
            let [a, b, c] = outer.filter(|_| !whole).map_or(at, |outer| outer.corners[piece]);
            let is_stale = |(_, stale): &(&Before, Stale)| {
                triangle.iter().any(|&v| stale.has(homes[v as usize])) || stale.reaches([a, b, c])
            };
            if !self.known.as_ref().is_none_or(is_stale) {
                continue;
            }
            let across = (b - a).cross(c - a);
            // A mesh may be wound the other way round.
            let Some(normal) = (across * rest.volume.signum() as f32).try_normalize() else { continue };
            let area = 0.5 * across.length();
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            // Triangles of a cut are as small as cells, and only their vertices know on which side of it they are.
            let parts = if rest.cut.is_some() { 1.0 } else { (longest / (0.6 * spacing)).ceil() };
            let parts = parts.clamp(1.0, MOST_PARTS) as u32;
            let middle = (a + b + c) / 3.0;
            if parts <= 1 && !whole {
                // Its corners are no vertices of the mesh.
                self.add(home(middle, normal), nodes, middle, (normal, middle), area);
                continue;
            }
            if parts <= 1 {
                for (&vertex, at) in triangle.iter().zip([a, b, c]) {
                    // Toward the middle, so that an edge's vertices do not pull the mean of a face to the edge.
                    let point = at.lerp(middle, 0.5);
                    let home = homes.get(vertex as usize).copied();
                    self.add(home, nodes, point, (normal, middle), area / 3.0);
                }
                continue;
            }
            let share = area / (parts * parts) as f32;
            let n = parts as f32;
            let at = |i: f32, j: f32| a + (b - a) * (i / n) + (c - a) * (j / n);
            for i in 0..parts {
                for j in 0..parts - i {
                    let (i, j) = (i as f32, j as f32);
                    let mut point = at(i + 1.0 / 3.0, j + 1.0 / 3.0);
                    self.add(home(point, normal), nodes, point, (normal, middle), share);
                    if i + j + 1.5 < n {
                        point = at(i + 2.0 / 3.0, j + 2.0 / 3.0);
                        self.add(home(point, normal), nodes, point, (normal, middle), share);
                    }
                }
            }
        }
    }

    /// Gives a node so much surface at a point, with the normal of a triangle that has its middle where it is said.
    fn add(
        &mut self,
        home: Option<u32>,
        nodes: &[Vec3],
        point: Vec3,
        (normal, middle): (Vec3, Vec3),
        area: f32,
    ) {
        let Some(node) = home.map(|node| node as usize).filter(|&node| node < nodes.len()) else { return };
        if self.known.as_ref().is_some_and(|(_, stale)| !stale.has(node as u32)) {
            return;
        }
        let offset = point - nodes[node];
        self.extents[node] = self.extents[node].max(offset.length());
        let (areas, direction) = (&mut self.areas[node], Direction::of(normal));
        match areas.iter_mut().find(|(of, _)| *of == direction) {
            Some((_, sum)) => *sum += area * normal,
            None => areas.push((direction, area * normal)),
        }
        let pieces = &mut self.pieces[node];
        let likeness = |piece: &Piece| piece.normal.normalize_or_zero().dot(normal);
        let like = (0..pieces.len()).max_by(|&p, &q| likeness(&pieces[p]).total_cmp(&likeness(&pieces[q])));
        let full = pieces.len() == MOST_FACETS;
        let like = like.filter(|&piece| full || likeness(&pieces[piece]) > ONE_FACET);
        let piece = like.unwrap_or_else(|| {
            pieces.push(Piece::default());
            pieces.len() - 1
        });
        let piece = &mut pieces[piece];
        piece.area += area;
        piece.point += area * offset;
        piece.normal += area * normal;
        piece.curvature.add(middle - nodes[node], normal, area);
    }

    /// What a node was before, if it has the same surface.
    fn same(&self, node: usize) -> Option<(&Border, u32)> {
        self.known.as_ref().and_then(|(before, _)| Some((&*before.border, before.same[node]?)))
    }

    /// The facets of each node; none inside.
    pub fn facets(&self) -> Vec<Vec<Facet>> {
        let facet = |piece: &Piece| {
            let normal = piece.normal.try_normalize()?;
            Some(Facet { point: piece.point / piece.area, normal })
        };
        let of = |(node, pieces): (usize, &Vec<Piece>)| match self.same(node) {
            // The one that a node inside has is that of another.
            Some((border, was)) if border.tips(was).is_empty() => Vec::new(),
            Some((border, was)) => border.facets(was).to_vec(),
            None => pieces.iter().filter_map(facet).collect(),
        };
        self.pieces.iter().enumerate().map(of).collect()
    }

    /// The ball that the surface of a node is like; none if it is flat, or curved in another way.
    pub fn ball(&self, node: usize) -> Option<Ball> {
        let [piece] = &self.pieces[node][..] else { return None };
        let (middle, radius) = piece.curvature.ball()?;
        // Particles at the surface are vertices, and farther out than what is between them.
        Some(Ball { middle, radius, at_surface: piece.point.dot(piece.normal) < 0.0 })
    }

    /// The directed areas of each node's surface, one for each direction that it faces.
    pub fn areas(&self) -> Lists<Vec3> {
        let of = |(node, areas): (usize, &Vec<(Direction, Vec3)>)| match self.same(node) {
            Some((border, was)) => border.areas(was).to_vec(),
            None => areas.iter().map(|(_, area)| *area).collect(),
        };
        self.areas.iter().enumerate().map(of).collect()
    }
}

/// One of the 26 ways from the middle of a cube to its faces, edges and corners: about 20° from all that is nearest to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Direction([i8; 3]);

impl Direction {
    /// Tangent of half the angle between a face and an edge.
    const HALF_WAY: f32 = 0.414;

    fn of(normal: Vec3) -> Self {
        let least = Self::HALF_WAY * normal.abs().max_element();
        Self(normal.to_array().map(|x| i8::from(x > least) - i8::from(x < -least)))
    }
}
