//! The user's own mesh, once a body is drawn with the surface of its cuts: where the outside was, and how it looked.

use super::CutSurface;
use crate::geometry::{
    OuterSurface, Paint, SurfaceTree, TriMesh, WELD_TOLERANCE, components_by_vertex, weld_as_needed,
};
use glam::{Vec2, Vec3};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The mesh of a body before its first free cut.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outside {
    /// The mesh, relative to the body's centre.
    pub mesh: Arc<TriMesh>,
    /// Of its outer surface.
    tree: SurfaceTree,
}

impl Outside {
    /// Of a mesh relative to the body's centre.
    pub fn new(mesh: Arc<TriMesh>) -> Self {
        // Welding only makes fewer shells, so of one there is no need to ask.
        let is_one = components_by_vertex(&mesh.triangles).count < 2;
        let outer = || OuterSurface::new(&weld_as_needed(&mesh, WELD_TOLERANCE));
        let tree = match if is_one { None } else { outer() } {
            Some(outer) => outer.tree(),
            None => SurfaceTree::new(&mesh.positions, &mesh.triangles),
        };
        Self { mesh, tree }
    }

    /// Where the mesh is between two places, or nearest to the middle between them, and its normal there. Material in one of the
    /// cells around these places has its surface within two cells of the middle.
    pub(super) fn between(&self, a: Vec3, b: Vec3, cell: f32) -> (Vec3, Vec3) {
        let middle = 0.5 * (a + b);
        let crossed = self.tree.crossing(a, b).map(|(share, triangle)| (a + share * (b - a), triangle));
        let nearest = || {
            let (triangle, point) = self.tree.nearest(middle)?;
            (point.distance(middle) < 2.0 * cell).then_some((point, triangle))
        };
        match crossed.or_else(nearest) {
            Some((point, triangle)) => {
                (point, self.normal(triangle as usize, point).unwrap_or((b - a) / cell))
            }
            None => (middle, (b - a) / cell),
        }
    }

    /// The shading normal of a triangle at one of its points.
    fn normal(&self, triangle: usize, point: Vec3) -> Option<Vec3> {
        let [a, b, c] = self.mesh.corners(triangle);
        if self.mesh.normals.is_empty() {
            return (b - a).cross(c - a).try_normalize();
        }
        let corners = self.mesh.triangles[triangle].map(|v| self.mesh.normals[v as usize]);
        let shares = self.shares(triangle, point)?;
        corners.iter().zip(shares).map(|(n, share)| *n * share).sum::<Vec3>().try_normalize()
    }

    /// How much of each corner a point of a triangle has; none of a triangle without area.
    fn shares(&self, triangle: usize, point: Vec3) -> Option<[f32; 3]> {
        let [a, b, c] = self.mesh.corners(triangle);
        let flat = (b - a).cross(c - a);
        let share = |u: Vec3, v: Vec3| (u - point).cross(v - point).dot(flat) / flat.length_squared();
        let shares = [share(b, c), share(c, a), share(a, b)];
        shares.iter().all(|share| share.is_finite()).then_some(shares)
    }

    /// Gives the triangles of a cut body's mesh the paints that its outside had where they are, and those of cut faces, which have
    /// paint 1, the last one: `cut`. `before` is the mesh of the cut body before this cut.
    pub(super) fn give_paints(&self, mesh: &mut TriMesh, before: Option<&TriMesh>, cut: &Paint) {
        let own = &self.mesh;
        mesh.paints.clone_from(&own.paints);
        if mesh.paints.is_empty() {
            mesh.paints.push(Paint::default());
        }
        // What scissors have cut has faces of that paint already.
        if mesh.paints.len() == 1 || mesh.paints.last() != Some(cut) {
            mesh.paints.push(cut.clone());
        }
        let last = mesh.paints.len() as u32 - 1;
        let first = own.triangle_paints.first().copied().unwrap_or(0);
        let several = own.triangle_paints.iter().any(|&paint| paint != first);
        // Most triangles are where they were: those are not looked for.
        let middle = |mesh: &TriMesh, triangle: usize| mesh.corners(triangle).iter().sum::<Vec3>() / 3.0;
        let bits = |place: Vec3| place.to_array().map(f32::to_bits);
        let mut known: FxHashMap<[u32; 3], u32> = FxHashMap::default();
        for mesh in before.into_iter().filter(|_| several) {
            let outer = mesh.triangle_paints.iter().enumerate().filter(|(_, paint)| **paint != last);
            known.extend(outer.map(|(triangle, &paint)| (bits(middle(mesh, triangle)), paint)));
        }
        let mut paints = std::mem::take(&mut mesh.triangle_paints);
        for (triangle, paint) in paints.iter_mut().enumerate() {
            *paint = match *paint {
                0 if several => {
                    let place = middle(mesh, triangle);
                    known.get(&bits(place)).copied().unwrap_or_else(|| self.paint_at(place))
                }
                0 => first,
                _ => last,
            };
        }
        mesh.triangle_paints = paints;
    }

    /// The paint of the mesh where it is nearest to a place.
    fn paint_at(&self, place: Vec3) -> u32 {
        let nearest = self.tree.nearest(place).map(|(triangle, _)| triangle as usize);
        nearest.and_then(|triangle| self.mesh.triangle_paints.get(triangle)).copied().unwrap_or(0)
    }

    /// Gives a cut body's mesh the colours and texture coordinates that its outside had; `before` is the cut body before this
    /// cut, and its mesh. Cut faces are white, which leaves them their
    /// paint's colour.
    pub(super) fn paint(&self, mesh: &mut TriMesh, before: Option<&TriMesh>) {
        let (has_colors, has_uvs) = (!self.mesh.colors.is_empty(), !self.mesh.uvs.is_empty());
        if !(has_colors || has_uvs) {
            return;
        }
        let cut = on_cut_faces(mesh);
        // Most vertices are where they were: those are not looked for.
        let bits = |p: &Vec3| p.to_array().map(f32::to_bits);
        let outer = |mesh: &TriMesh| {
            let cut = on_cut_faces(mesh);
            let places = mesh.positions.iter().map(bits).zip(0..);
            places.filter(|&(_, vertex): &([u32; 3], usize)| !cut[vertex]).collect::<Vec<_>>()
        };
        let known: FxHashMap<[u32; 3], usize> = before.map(outer).into_iter().flatten().collect();
        for (at, place) in mesh.positions.iter().enumerate() {
            let was = known.get(&bits(place)).copied().zip(before).filter(|_| !cut[at]);
            let (color, uv) = match (cut[at], was) {
                (true, _) => ([1.0; 4], Vec2::ZERO),
                (false, Some((vertex, before))) => (
                    before.colors.get(vertex).copied().unwrap_or([1.0; 4]),
                    before.uvs.get(vertex).copied().unwrap_or_default(),
                ),
                (false, None) => self.look(*place),
            };
            if has_colors {
                mesh.colors.push(color);
            }
            if has_uvs {
                mesh.uvs.push(uv);
            }
        }
    }

    /// Colour and texture coordinate of the mesh where it is nearest to a place.
    fn look(&self, place: Vec3) -> ([f32; 4], Vec2) {
        let Some((triangle, point)) = self.tree.nearest(place) else { return ([1.0; 4], Vec2::ZERO) };
        let shares = self.shares(triangle as usize, point).unwrap_or([1.0, 0.0, 0.0]);
        let (mut color, mut uv) = ([0.0; 4], Vec2::ZERO);
        for (&vertex, share) in self.mesh.triangles[triangle as usize].iter().zip(shares) {
            let of = self.mesh.colors.get(vertex as usize).copied().unwrap_or([1.0; 4]);
            color.iter_mut().zip(of).for_each(|(sum, part)| *sum += share * part);
            uv += share * self.mesh.uvs.get(vertex as usize).copied().unwrap_or_default();
        }
        (color, uv)
    }
}

/// Whether each vertex of a cut body's mesh belongs to a cut face.
fn on_cut_faces(mesh: &TriMesh) -> Vec<bool> {
    let mut cut = vec![false; mesh.positions.len()];
    let last = mesh.paints.len().saturating_sub(1) as u32;
    let painted = mesh.triangles.iter().zip(&mesh.triangle_paints);
    for (triangle, _) in painted.filter(|(_, paint)| **paint == last) {
        triangle.iter().for_each(|&v| cut[v as usize] = true);
    }
    cut
}

impl CutSurface {
    /// The user's own mesh.
    pub fn outside(&self) -> &Arc<Outside> {
        &self.outside
    }
}
