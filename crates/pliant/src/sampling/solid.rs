//! What has an inside and a surface: all that is needed to fill it with tetrahedra.

use super::filling::rims;
use super::grid::enclosed_volume;
use crate::geometry::{DisjointSets, OuterSurface, SurfaceTree, Welded, WindingTree};
use glam::Vec3;

/// Halvings of an edge in the search for the surface on it.
const HALVINGS: u32 = 20;

/// Something with an inside, a surface and a box around it.
pub trait Solid: Sync {
    /// Low and high corner of a box around it; none if it is empty.
    fn bounds(&self) -> Option<(Vec3, Vec3)>;

    /// How far `point` is from the surface; beyond `limit`, anything between that and the distance. It changes by no more than 1 m per
    /// meter.
    fn distance(&self, point: Vec3, limit: f32) -> f32;

    /// Whether `point` is inside.
    fn is_inside(&self, point: Vec3) -> bool;

    /// Where the way from a point inside to one outside meets the surface, as a share of it.
    fn exit(&self, inside: Vec3, outside: Vec3) -> f32 {
        bisect(|share| self.is_inside(inside + (outside - inside) * share))
    }

    /// The volume in m³, if it is known.
    fn volume(&self) -> Option<f64>;
}

/// Where on the way from 0 to 1 the inside ends.
fn bisect(is_inside: impl Fn(f32) -> bool) -> f32 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        (low, high) = if is_inside(middle) { (middle, high) } else { (low, middle) };
    }
    0.5 * (low + high)
}

/// What a mesh encloses. Shells that overlap are one solid; an inside-out mesh has the same inside; small holes are closed as the
/// winding number closes them.
pub struct MeshSolid {
    surface: SurfaceTree,
    winding: WindingTree,
    /// Boxes around holes, where the inside may end without a surface.
    holes: Vec<(Vec3, Vec3)>,
    volume: Option<f64>,
}

impl MeshSolid {
    /// The inside of a mesh whose vertices are welded.
    pub fn new(mesh: &Welded) -> Self {
        let outer = OuterSurface::new(mesh);
        let holes = holes(mesh);
        Self {
            surface: match &outer {
                Some(outer) => outer.tree(),
                None => SurfaceTree::new(&mesh.positions, &mesh.triangles),
            },
            winding: WindingTree::new(&mesh.positions, &mesh.triangles),
            volume: holes.is_empty().then(|| enclosed_volume(mesh, outer.as_ref())),
            holes,
        }
    }
}

impl Solid for MeshSolid {
    fn bounds(&self) -> Option<(Vec3, Vec3)> {
        self.surface.bounds()
    }

    fn distance(&self, point: Vec3, limit: f32) -> f32 {
        let surface = self.surface.distance_up_to(point, limit);
        let to_box = |&(low, high): &(Vec3, Vec3)| point.distance(point.clamp(low, high));
        self.holes.iter().map(to_box).fold(surface, f32::min)
    }

    fn is_inside(&self, point: Vec3) -> bool {
        self.winding.is_inside(point)
    }

    fn exit(&self, inside: Vec3, outside: Vec3) -> f32 {
        let through_hole = || bisect(|share| self.is_inside(inside + (outside - inside) * share));
        self.surface.crossing(inside, outside).map_or_else(through_hole, |(share, _)| share)
    }

    fn volume(&self) -> Option<f64> {
        self.volume
    }
}

/// A box around each hole of a mesh, half as large again: the winding number closes it within.
fn holes(mesh: &Welded) -> Vec<(Vec3, Vec3)> {
    let finite = |t: &&[u32; 3]| t.iter().all(|&v| mesh.positions[v as usize].is_finite());
    let triangles: Vec<[u32; 3]> = mesh.triangles.iter().filter(finite).copied().collect();
    let rims = rims(&triangles);
    if rims.is_empty() {
        return Vec::new();
    }
    let mut sets = DisjointSets::new(mesh.positions.len());
    rims.iter().for_each(|&[a, b]| sets.join(a, b));
    let found = sets.components();
    let mut boxes = vec![(Vec3::INFINITY, Vec3::NEG_INFINITY); found.count];
    for vertex in rims.into_iter().flatten() {
        let (low, high) = &mut boxes[found.of_member[vertex as usize] as usize];
        let place = mesh.positions[vertex as usize];
        (*low, *high) = (low.min(place), high.max(place));
    }
    boxes.retain(|(low, _)| low.is_finite());
    boxes
        .into_iter()
        .map(|(low, high)| (low - 0.25 * (high - low).length(), high + 0.25 * (high - low).length()))
        .collect()
}

/// Where a signed distance is above 0.
pub struct DistanceField<F> {
    /// Low corner of a box around all that is inside.
    pub low: Vec3,
    /// Its high corner.
    pub high: Vec3,
    /// The signed distance to the surface in meters, positive inside. It may be less than the distance, but never more, and changes by
    /// no more than 1 m per meter.
    pub distance: F,
}

impl<F: Fn(Vec3) -> f32 + Sync> Solid for DistanceField<F> {
    fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let fine = self.low.is_finite() && self.high.is_finite() && self.low.cmplt(self.high).all();
        fine.then_some((self.low, self.high))
    }

    fn distance(&self, point: Vec3, _: f32) -> f32 {
        (self.distance)(point).abs()
    }

    fn is_inside(&self, point: Vec3) -> bool {
        (self.distance)(point) > 0.0
    }

    fn volume(&self) -> Option<f64> {
        None
    }
}
