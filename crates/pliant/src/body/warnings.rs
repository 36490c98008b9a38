//! What a user should know of a body that could be made, and yet will not do what its mesh promises.

use super::Body;
use crate::geometry::{WELD_TOLERANCE, weld_as_needed};
use crate::material::{Material, Stiffness};
use crate::math::functions::square;
use crate::sampling::BodySize;
use glam::{IVec3, Vec3};
use std::collections::BTreeMap;
use std::fmt;

/// The steps that a body is made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stepping {
    /// m/s²
    pub gravity: f32,
    /// Seconds of a step.
    pub dt_secs: f32,
    /// Substeps that it is made of, 1 or more.
    pub substeps: u32,
    /// Substeps that it may be made of, 1 or more.
    pub most_substeps: u32,
}

/// Something about a body that will show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyWarning {
    /// Parts of the mesh are so thin that the samples of the cells pass them by: a single layer of nodes stands for both sides.
    ThinnerThanCells {
        /// Vertices in such parts.
        vertices: usize,
        /// Vertices in all.
        of: usize,
        /// Edge in metres of the finest cells.
        cell: f32,
    },
    /// The body is too soft for its weight at this step, because it is small or its regions are narrower than its largest cells: it
    /// goes flat.
    TooSoft {
        /// Its weight as part of what it can bear: ρ g L / K.
        sag: f32,
        /// An α that bears it at this step; `None` if none does.
        alpha: Option<f32>,
        /// How many times more substeps bear it with α = 1.
        substeps: u32,
    },
    /// The body would need more steps of its model than it may make to be as stiff as its material says.
    TooStiff {
        /// Young's modulus in Pa that was given.
        wanted: f32,
        /// The one that it has.
        reached: f32,
        /// Steps of the model in a step of the world that it would need.
        needed: u32,
        /// Those that it may make.
        most: u32,
    },
    /// Parts of the body are so thin that they bend less easily than a material of its Young's modulus would: shape matching resists bending
    /// over the width of a region.
    ThinForItsRegions {
        /// How many times stiffer they bend.
        factor: f32,
        /// Their thickness in metres.
        thickness: f32,
        /// Half-width in metres of the regions.
        width: f32,
    },
}

impl fmt::Display for BodyWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ThinnerThanCells { vertices, of, cell } => write!(
                f,
                "part of the body is thinner than a cell of {cell} m: {vertices} of {of} vertices are not sampled on both sides; use \
                 smaller cells"
            ),
            Self::TooSoft { sag, alpha, substeps } => {
                let percent = 100.0 * sag;
                write!(
                    f,
                    "the body is too soft at this step: its own weight strains it by {percent:.0} %; use "
                )?;
                match alpha {
                    Some(alpha) => write!(f, "alpha = {alpha:.2}, or wider regions"),
                    None => write!(f, "alpha = 1 and {substeps} times the substeps, or wider regions"),
                }
            }
            Self::TooStiff { wanted, reached, needed, most } => write!(
                f,
                "a Young's modulus of {wanted:.0} Pa needs {needed} steps of the model in a step of the world, which may make {most}: it is \
                 {reached:.0} Pa; use more substeps (max_substeps = {needed}), larger cells or wider regions"
            ),
            Self::ThinForItsRegions { factor, thickness, width } => write!(
                f,
                "parts of the body are {thickness:.3} m thick, and regions of {width:.3} m to each side make them {factor:.1} times as stiff in \
                 bending as their material: use smaller cells or narrower regions"
            ),
        }
    }
}

/// Strain under its own weight from which on a body counts as too soft.
const MOST_SAG: f32 = 0.15;
/// Metres, above which a body that sags was made soft on purpose. Below, stiffness that is stated per step fails it: K falls with the
/// square of its size, and its weight only with its size.
const SMALL: f32 = 0.2;
/// Strength of regions in the mean below which a body is softer than its cells would make it: few mean that.
const WEAK: f64 = 0.75;
/// How many times as stiff as its material a body may bend before it counts.
const MOST_BENDING: f32 = 1.3;
/// Nodes whose regions are measured.
const REGIONS: usize = 32;

impl Body {
    /// What will show of it in such steps: those of a world are
    /// [`WorldSettings::stepping`](crate::WorldSettings::stepping).
    pub fn warnings(&self, stepping: &Stepping) -> Vec<BodyWarning> {
        let gravity = stepping.gravity * self.gravity_scale.abs();
        let of_stiffness = match self.material.elasticity.stiffness {
            Stiffness::Alpha(_) => {
                [self.too_soft(gravity, stepping.dt_secs / stepping.substeps as f32), None]
            }
            Stiffness::Young { modulus, .. } => {
                [self.too_stiff(modulus, stepping), self.thin_for_its_regions()]
            }
        };
        self.not_sampled().into_iter().chain(of_stiffness.into_iter().flatten()).collect()
    }

    /// Whether its model may not make enough steps of one of the world.
    fn too_stiff(&self, wanted: f32, stepping: &Stepping) -> Option<BodyWarning> {
        let (most, dt_secs) = (stepping.most_substeps * self.max_model_steps.max(1), stepping.dt_secs);
        let needed = self.steps_needed(dt_secs);
        let extent = self.model.extent(&self.material);
        let reached = self.material.stiffest(dt_secs / most as f32, extent) as f32;
        (needed > most).then_some(BodyWarning::TooStiff { wanted, reached, needed, most })
    }

    /// Whether its thin parts bend too stiffly. A beam of thickness t whose regions reach W to each side has t²/12 + W²/15 where
    /// elasticity has t²/12.
    fn thin_for_its_regions(&self) -> Option<BodyWarning> {
        self.model.grid()?;
        // Clusters that are solved for implicitly have two nodes across, whatever they are measured by.
        if self.model.is_implicit() {
            return None;
        }
        // A region's ⟨q²⟩ is a third of the square of its half-width.
        let width = (3.0 * self.model.extent(&self.material)).sqrt() as f32;
        let mesh = &self.rest.mesh;
        let thickness = BodySize::of(&weld_as_needed(mesh, WELD_TOLERANCE)).thin;
        let factor = 1.0 + 12.0 / 15.0 * square(f64::from(width / thickness)) as f32;
        (factor > MOST_BENDING).then_some(BodyWarning::ThinForItsRegions { factor, thickness, width })
    }

    fn extent(&self) -> f32 {
        self.rest.mesh.bounds().map_or(0.0, |(low, high)| (high - low).max_element())
    }

    /// Whether vertices are farther than a cell from all material but that of thin parts, for models that fill a body with cells.
    fn not_sampled(&self) -> Option<BodyWarning> {
        let grid = self.model.grid()?;
        let (origin, cell) = (grid.filling.origin, grid.filling.cell);
        let near = |at: IVec3, i: i32| at + IVec3::new(i % 3, i / 3 % 3, i / 9) - IVec3::ONE;
        let lost = |vertex: &&Vec3| {
            let at = ((**vertex + self.rest.center - origin) / cell).floor().as_ivec3();
            !grid.filling.is_solid(at) && !(0..27).any(|i| grid.filling.is_solid(near(at, i)))
        };
        let vertices = self.rest.mesh.positions.iter().filter(lost).count();
        (vertices > 0).then_some(BodyWarning::ThinnerThanCells {
            vertices,
            of: self.rest.mesh.positions.len(),
            cell,
        })
    }

    /// Whether its own weight strains it too far, and nobody meant it: ρ g L / K with K = ρ s ⟨q²⟩ α/h². `None` also where nodes have
    /// neither regions nor clusters.
    fn too_soft(&self, gravity: f32, h: f32) -> Option<BodyWarning> {
        let (spread, strength) = self.mean_spread()?;
        if self.extent() >= SMALL && strength >= WEAK {
            return None;
        }
        let mesh = &self.rest.mesh;
        let doubled = |t: usize| {
            let [a, b, c] = mesh.corners(t);
            f64::from((b - a).cross(c - a).length())
        };
        let area = 0.5 * (0..mesh.triangles.len()).map(doubled).sum::<f64>();
        // The edge of a cube with so much volume for its surface.
        let height = 6.0 * self.rest.volume.abs() / area;
        let weight = f64::from(gravity) * height / spread;
        let sag = (weight / self.material.spring_for(h, spread)) as f32;
        if sag.is_nan() || sag <= MOST_SAG {
            return None;
        }
        // The least α/h² that bears it, as part of the largest there is at this step.
        let needed = weight / f64::from(MOST_SAG) * square(f64::from(h));
        let alpha = (needed < 1.0).then(|| Material::stated_alpha(needed, h));
        Some(BodyWarning::TooSoft { sag, alpha, substeps: needed.sqrt().ceil().min(1000.0) as u32 })
    }

    /// s ⟨q²⟩ in m², how far the nodes of a region or a cluster are from its middle along an axis, squared, and s, in the mean.
    fn mean_spread(&self) -> Option<(f64, f64)> {
        self.mean_spread_of_sets().or_else(|| self.mean_spread_of_regions())
    }

    /// A cluster pulls toward its rotated shape, and by β less: toward its stretched one it does not.
    fn mean_spread_of_sets(&self) -> Option<(f64, f64)> {
        let nodes = 0..self.rest.nodes.masses.len();
        let mut sets: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for node in nodes {
            for (set, _) in self.model.sets_of(node) {
                sets.entry(set).or_default().push(node as u32);
            }
        }
        let sum: f64 = sets.values().map(|members| self.spread_of(members.iter().copied())).sum();
        let rigid = 1.0 - f64::from(self.material.elasticity.beta_or_default());
        (!sets.is_empty()).then(|| (rigid * sum / sets.len() as f64, 1.0))
    }

    /// ⟨q²⟩ of some nodes.
    fn spread_of(&self, members: impl Iterator<Item = u32> + Clone) -> f64 {
        let places = members.map(|node| self.rest.nodes.rest_positions[node as usize].as_dvec3());
        let count = places.clone().count() as f64;
        let mean = places.clone().sum::<glam::DVec3>() / count;
        places.map(|place| place.distance_squared(mean)).sum::<f64>() / (3.0 * count)
    }

    fn mean_spread_of_regions(&self) -> Option<(f64, f64)> {
        let rest = &self.rest.nodes;
        let every = rest.masses.len().div_ceil(REGIONS).max(1);
        let (mut sum, mut strengths, mut regions) = (0.0, 0.0, 0_u32);
        for node in (0..rest.masses.len()).step_by(every) {
            let members = self.model.region(node);
            if members.is_empty() {
                return None;
            }
            let strength = f64::from(self.model.strength(node));
            sum += strength * self.spread_of(members.iter().map(|&(node, _)| node));
            strengths += strength;
            regions += 1;
        }
        (regions > 0).then(|| (sum / f64::from(regions), strengths / f64::from(regions)))
    }
}
