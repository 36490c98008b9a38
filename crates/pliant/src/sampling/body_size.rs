//! How large a body is and how thick its thinnest parts are, and the cells that suit both.
//!
//! Meshes come in metres, millimetres and units of their own, so no length in metres suits them all. What is not given follows
//! from the mesh: a number of nodes that moves well at little cost, and more of them where parts are thin.

use super::filling::MOST_CELLS;
use crate::geometry::{SurfaceTree, TriMesh, Welded};
use crate::math::functions::{cube, square};
use glam::{DVec3, Vec3};

/// How large a body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySize {
    /// Edges of its box in metres.
    pub edges: Vec3,
    /// What it encloses, in m³.
    pub volume: f64,
    /// Its surface, in m².
    pub area: f64,
    /// Thickness in metres of its thin parts: a tenth of the surface has less material behind it.
    pub thin: f32,
}

/// Nodes that a body has, about, if nothing is said of its cells: enough to bend and to be cut, few enough for 60 frames/s.
const NODES: f64 = 600.0;
/// Nodes that it may have so that no cell is larger than its thin parts.
const NODES_IF_THIN: f64 = 2000.0;
/// How often the largest cells of an octree can be halved, unless its thin parts need more.
const LEVELS: u32 = 2;
const MOST_LEVELS: u32 = 5;
/// Finest cells of an octree, empty ones included: a tenth of a second to fill.
const MOST_FINEST: f64 = MOST_CELLS as f64 / 16.0;
/// m/s², and how far that may strain a body whose regions may be as wide as it takes: lying, and where a thin one stands on end and
/// bears all of its length.
const GRAVITY: f64 = 9.81;
const SAG: f64 = 0.1;
const SAG_ON_END: f64 = 0.2;
/// Places of the surface at which the thickness is measured.
const RAYS: usize = 500;

impl BodySize {
    /// Measures a mesh.
    pub fn of(mesh: &Welded) -> Self {
        let plain = TriMesh::new(mesh.positions.clone(), mesh.triangles.clone());
        let (low, high) = plain.bounds().unwrap_or_default();
        let edges = high - low;
        let box_volume = edges.as_dvec3().element_product();
        let signed = plain.signed_volume();
        let areas: Vec<DVec3> = (0..mesh.triangles.len()).map(|t| doubled_area(&plain, t) * 0.5).collect();
        let area = areas.iter().map(|a| a.length()).sum();
        let inward = if signed < 0.0 { 1.0 } else { -1.0 };
        let thin = thin(&plain, &areas, inward, edges.length());
        // An open mesh can seem to enclose more than its box.
        Self { edges, volume: signed.abs().min(box_volume), area, thin }
    }

    /// Its largest edge in metres.
    pub fn extent(&self) -> f32 {
        self.edges.max_element()
    }

    /// The edge in metres of cells of one size.
    pub fn cell(&self) -> f32 {
        let (finest, coarsest) = (self.cell_for(NODES_IF_THIN), self.cell_for(NODES));
        (self.thin as f64).clamp(finest, coarsest) as f32
    }

    /// How often an octree whose largest cells have this edge should be able to halve them: until they are no larger than the
    /// thin parts, in a grid that can be afforded.
    pub fn levels(&self, largest: f32) -> u32 {
        let wanted = (LEVELS..MOST_LEVELS).find(|&level| halved(largest, level) <= self.thin);
        let affordable = |level: u32| {
            let cell = f64::from(halved(largest, level));
            let counts = (self.edges.as_dvec3() / cell).ceil() + f64::from(1_u32 << level);
            counts.element_product() <= MOST_FINEST
        };
        (0..=wanted.unwrap_or(MOST_LEVELS)).rev().find(|&level| affordable(level)).unwrap_or(0)
    }

    /// Half-width in metres of regions that hold a body of cells of this edge together. For a material of stiffness α/h² two cells, or
    /// more where bodies are small or thin: its modulus α ρ ⟨q²⟩/h² falls with the square of the size, weight only with the size.
    /// `None` is a material whose modulus is given: one cell, since narrow regions bend and twist most truly.
    pub fn width(&self, cell: f32, spring: Option<f64>) -> f32 {
        let Some(spring) = spring else { return cell };
        let height = 6.0 * self.volume / self.area.max(f64::MIN_POSITIVE);
        let load = (height / SAG).max(f64::from(self.extent()) / SAG_ON_END);
        // ⟨q²⟩ is a third of the square of the half-width.
        let needed = (3.0 * GRAVITY * load / spring.max(f64::MIN_POSITIVE)).sqrt();
        // Not `clamp`: what was given may be no length at all, which is found later.
        needed.min(f64::from(self.extent())).max(2.0 * f64::from(cell)) as f32
    }

    /// Edge of cells of which about `nodes` hold material: those inside, and half of those that the surface goes through.
    fn cell_for(&self, nodes: f64) -> f64 {
        let extent = f64::from(self.extent());
        if !(extent > 0.0 && extent.is_finite()) {
            // Such a mesh is refused as one without volume, whatever its cells are.
            return 1.0;
        }
        let count = |cell: f64| self.volume / cube(cell) + 0.5 * self.area / square(cell);
        let (mut fine, mut coarse) = (1e-4 * extent, extent);
        for _ in 0..40 {
            let cell = 0.5 * (fine + coarse);
            if count(cell) > nodes { fine = cell } else { coarse = cell }
        }
        coarse
    }
}

fn halved(largest: f32, level: u32) -> f32 {
    largest / (1_u32 << level) as f32
}

/// Twice the area of a triangle, along its normal.
fn doubled_area(mesh: &TriMesh, triangle: usize) -> DVec3 {
    let [a, b, c] = mesh.corners(triangle).map(|p| p.as_dvec3());
    (b - a).cross(c - a)
}

/// The tenth part of the lengths of rays from the surface inward, evenly by area; `size` where there are none.
fn thin(mesh: &TriMesh, areas: &[DVec3], inward: f64, size: f32) -> f32 {
    let total: f64 = areas.iter().map(|a| a.length()).sum();
    let tree = SurfaceTree::new(&mesh.positions, &mesh.triangles);
    let (mut passed, mut next, mut lengths) = (0.0, 0.5, Vec::new());
    for (t, area) in areas.iter().enumerate() {
        passed += area.length();
        if passed * (RAYS as f64) < next * total || area.length() <= 0.0 {
            continue;
        }
        next = (passed / total * RAYS as f64).floor() + 1.5;
        let along = (area.normalize() * inward).as_vec3();
        let from = mesh.corners(t).iter().sum::<Vec3>() / 3.0 + along * (1e-5 * size);
        lengths.extend(tree.crossing(from, from + along * size).map(|(part, _)| part * size));
    }
    lengths.sort_by(f32::total_cmp);
    lengths.get(lengths.len() / 10).copied().unwrap_or(size)
}
