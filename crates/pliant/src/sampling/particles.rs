//! Particles on the surface and inside a mesh.
//!
//! Surface particles are the welded vertices, thinned out where there are too many; inside, the points of a lattice. Each
//! particle has the mass of the space that is nearest to it, found by counting the points of a finer lattice: a mesh with
//! small triangles in one place and large ones in another is not heavy where its triangles are small.

use super::grid::enclosed_volume;
use crate::geometry::{EdgeTable, OuterSurface, PointGrid, TriMesh, Welded, WindingTree};
use crate::math::functions::{cbrt, cube};
use crate::par;
use glam::{UVec3, Vec3};
use serde::{Deserialize, Serialize};

/// How particles are placed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ParticleSettings {
    /// Distance in metres between particles inside; `None` chooses one that gives about 200 of them.
    pub spacing: Option<f32>,
    /// Whether there are particles inside. A mesh that encloses nothing never has any.
    pub interior: bool,
    /// Most particles on the surface: a mesh with more vertices keeps a subset, evenly spread; the skin follows them.
    pub max_surface: u32,
    /// Thickness in metres that gives a mesh its mass if it encloses nothing; `None` is a hundredth of its size.
    pub shell_thickness: Option<f32>,
}

impl Default for ParticleSettings {
    fn default() -> Self {
        Self { spacing: None, interior: true, max_surface: 1500, shell_thickness: None }
    }
}

/// Points with masses, in the mesh's coordinates.
#[derive(Clone, Debug, Default)]
pub struct Particles {
    /// Surface particles first, then those inside.
    pub positions: Vec<Vec3>,
    /// kg
    pub masses: Vec<f32>,
}

/// Why a mesh cannot be filled with particles.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SamplingError {
    /// The spacing is not a length.
    #[error("{name} is {value} m; it must be above 0")]
    NotALength {
        /// The setting.
        name: &'static str,
        /// What it was.
        value: f32,
    },
    /// All vertices coincide.
    #[error("the mesh has no extent: all its vertices are in one place")]
    Point,
    /// More particles than memory is worth.
    #[error(
        "a spacing of {spacing} m needs about {particles:.0} particles, more than {MOST_PARTICLES}; use a larger spacing"
    )]
    TooMany {
        /// Asked for.
        spacing: f32,
        /// What it would take.
        particles: f64,
    },
}

/// Particles inside that a body may have.
const MOST_PARTICLES: u32 = 2_000_000;
/// Points at which the volume is measured: a cube of 30 a side.
const VOLUME_POINTS: f64 = 27_000.0;

/// Fills a mesh of the given density (kg/m³) with particles.
///
/// # Errors
/// If the settings ask for the impossible.
pub fn fill(welded: &Welded, density: f32, settings: &ParticleSettings) -> Result<Particles, SamplingError> {
    for (name, value) in [("spacing", settings.spacing), ("shell_thickness", settings.shell_thickness)] {
        if let Some(value) = value.filter(|v| !(*v > 0.0 && v.is_finite())) {
            return Err(SamplingError::NotALength { name, value });
        }
    }
    let mesh = TriMesh::new(welded.positions.clone(), welded.triangles.clone());
    let (lo, hi) = mesh.bounds().ok_or(SamplingError::Point)?;
    let size = (hi - lo).length();
    if size <= 0.0 {
        return Err(SamplingError::Point);
    }
    let solid = Solid::measure(&mesh, welded, lo, hi);
    let mut positions = thinned(&mesh, settings.max_surface as usize);
    if settings.interior && solid.volume > 0.0 {
        let spacing = settings.spacing.unwrap_or(cbrt(solid.volume / 200.0) as f32);
        let inside = interior(&solid, &positions, spacing, lo, hi)?;
        positions.extend(inside);
    }
    let masses = if solid.volume > 0.0 {
        by_volume(&solid, &positions, f64::from(density) * solid.volume)
    } else {
        by_area(&mesh, &positions, density * settings.shell_thickness.unwrap_or(0.01 * size))
    };
    Ok(Particles { positions, masses })
}

/// What a mesh encloses.
struct Solid {
    winding: WindingTree,
    /// m³; 0 if it encloses nothing to speak of.
    volume: f64,
    /// Points of a lattice that are inside.
    points: Vec<Vec3>,
}

impl Solid {
    fn measure(mesh: &TriMesh, welded: &Welded, lo: Vec3, hi: Vec3) -> Self {
        let winding = WindingTree::new(&mesh.positions, &mesh.triangles);
        let step = ((hi - lo).as_dvec3().max_element() / cbrt(VOLUME_POINTS))
            .min(cbrt((hi - lo).as_dvec3().element_product() / VOLUME_POINTS));
        let step = step.max((hi - lo).as_dvec3().max_element() * 1e-3);
        let points = lattice_inside(&winding, lo, hi, step as f32);
        let counted = points.len() as f64 * cube(step);
        let exact = enclosed_volume(welded, OuterSurface::new(welded).as_ref());
        // A closed mesh says its volume itself, also where shells of it overlap; an imperfect one is measured.
        let closed =
            EdgeTable::new(&mesh.triangles).is_closed() && (exact - counted).abs() < 0.1 * counted.max(exact);
        let volume = if closed { exact } else { counted };
        Self { winding, volume: if points.is_empty() { 0.0 } else { volume }, points }
    }
}

/// The points of a lattice of the given step, centred in the box, that are inside.
fn lattice_inside(winding: &WindingTree, lo: Vec3, hi: Vec3, step: f32) -> Vec<Vec3> {
    let counts = ((hi - lo) / step).ceil().max(Vec3::ONE).as_uvec3();
    let first = (lo + hi) * 0.5 - (counts - UVec3::ONE).as_vec3() * (0.5 * step);
    let mut rows: Vec<Vec<Vec3>> = vec![Vec::new(); (counts.y * counts.z) as usize];
    par::for_each_indexed(&mut rows, 1, |row, points| {
        let (y, z) = (row as u32 % counts.y, row as u32 / counts.y);
        let at = |x| first + UVec3::new(x, y, z).as_vec3() * step;
        points.extend((0..counts.x).map(at).filter(|&p| winding.is_inside(p)));
    });
    rows.concat()
}

/// All vertices that triangles use, or an even subset of at most `most`.
fn thinned(mesh: &TriMesh, most: usize) -> Vec<Vec3> {
    let mut used = vec![false; mesh.positions.len()];
    mesh.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    let vertices: Vec<Vec3> =
        mesh.positions.iter().zip(&used).filter(|(_, used)| **used).map(|(p, _)| *p).collect();
    if vertices.len() <= most {
        return vertices;
    }
    let area: f32 = (0..mesh.triangles.len()).map(|t| area(mesh.corners(t))).sum();
    let mut spacing = (area / most.max(1) as f32).sqrt();
    loop {
        let kept = no_nearer_than(&vertices, spacing);
        if kept.len() <= most.max(1) || !spacing.is_finite() {
            return kept;
        }
        spacing *= 1.1;
    }
}

/// Points in order, leaving out those nearer than `spacing` to one kept before.
fn no_nearer_than(points: &[Vec3], spacing: f32) -> Vec<Vec3> {
    let grid = PointGrid::new(points, spacing);
    let mut left_out = vec![false; points.len()];
    let mut kept = Vec::new();
    for (i, &p) in points.iter().enumerate() {
        if !left_out[i] {
            kept.push(p);
            grid.within(p, spacing, |j, _| left_out[j as usize] = true);
        }
    }
    kept
}

fn interior(
    solid: &Solid,
    surface: &[Vec3],
    spacing: f32,
    lo: Vec3,
    hi: Vec3,
) -> Result<Vec<Vec3>, SamplingError> {
    let step = f64::from(spacing);
    // Both what is kept and what must be looked at are bounded, before any of it is allocated.
    let needed = (solid.volume / cube(step)).max((hi - lo).as_dvec3().element_product() / cube(step) / 64.0);
    if needed > f64::from(MOST_PARTICLES) {
        return Err(SamplingError::TooMany { spacing, particles: needed });
    }
    let near_surface = PointGrid::new(surface, spacing);
    let mut inside = lattice_inside(&solid.winding, lo, hi, spacing);
    inside.retain(|&p| {
        let mut free = true;
        near_surface.within(p, 0.5 * spacing, |_, _| free = false);
        free
    });
    Ok(inside)
}

/// Shares a mass out by the space nearest to each particle.
fn by_volume(solid: &Solid, positions: &[Vec3], mass: f64) -> Vec<f32> {
    let shares = nearest_counts(positions, solid.points.iter().map(|&p| (p, 1.0)));
    scaled(shares, mass)
}

/// Shares the mass of a shell out by the area nearest to each particle.
fn by_area(mesh: &TriMesh, positions: &[Vec3], mass_per_area: f32) -> Vec<f32> {
    let corners = (0..mesh.triangles.len()).flat_map(|t| {
        let third = f64::from(area(mesh.corners(t))) / 3.0;
        mesh.corners(t).map(|p| (p, third))
    });
    let area: f64 = corners.clone().map(|(_, a)| a).sum();
    scaled(nearest_counts(positions, corners), area * f64::from(mass_per_area))
}

fn nearest_counts(positions: &[Vec3], points: impl Iterator<Item = (Vec3, f64)>) -> Vec<f64> {
    let grid = PointGrid::fitting(positions);
    let mut counts = vec![0.0; positions.len()];
    let mut found = Vec::new();
    for (point, amount) in points {
        grid.k_nearest(point, 1, &mut found);
        if let Some(&(nearest, _)) = found.first() {
            counts[nearest as usize] += amount;
        }
    }
    counts
}

/// Shares as masses. No particle is lighter than a tenth of the mean: a mass ratio in the thousands inside one body would
/// make a pick on a light particle feel like nothing.
fn scaled(mut shares: Vec<f64>, mass: f64) -> Vec<f32> {
    let least = 0.1 * shares.iter().sum::<f64>() / shares.len() as f64;
    shares.iter_mut().for_each(|s| *s = s.max(least));
    let sum: f64 = shares.iter().sum();
    if sum <= 0.0 {
        // A surface of no area: equal masses, as little as still counts.
        return vec![(mass / shares.len() as f64).max(1e-12) as f32; shares.len()];
    }
    shares.iter().map(|s| (s / sum * mass) as f32).collect()
}

fn area([a, b, c]: [Vec3; 3]) -> f32 {
    0.5 * (b - a).cross(c - a).length()
}
