//! The levels of an undeformed body.
//!
//! Level 0 is the body itself: its nodes, and the clusters of [`finest`]. A cluster of a coarser level is a voxel twice
//! as wide as those below, with a particle at each of its eight corners, which voxels that material joins have in common. Where
//! material in a voxel is in several parts that nothing joins, there are as many voxels in that place, each with corners of its
//! own: so branches that only pass each other stay apart on every level, and cuts go through all of them.

use super::{HierarchySettings, finest};
use crate::geometry::{DisjointSets, Lists};
use crate::model::cells::CellGraph;
use crate::nodes::NodeRest;
use glam::{UVec3, Vec3};
use serde::{Deserialize, Serialize};

/// The levels of an undeformed body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rest {
    /// How it was made.
    pub settings: HierarchySettings,
    /// The cells, and which of them material joins.
    pub graph: CellGraph,
    /// From the finest to the coarsest.
    pub levels: Vec<Level>,
}

/// Particles that a cluster has at most: the corners of a voxel.
pub const CORNERS: usize = 8;

/// The clusters of one level, and their particles.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Level {
    /// d: edge of a voxel in metres.
    pub size: f32,
    /// The particles of each cluster. In a whole voxel the one at place 0bZYX is at that corner; places that nothing is at repeat
    /// another particle, with no weight.
    pub corners: Vec<[u32; CORNERS]>,
    /// What each cluster weighs, in kg.
    pub masses: Vec<f32>,
    /// Which of `shapes` a cluster has that is not a whole voxel.
    pub shape_of: Vec<Option<u32>>,
    /// Clusters that are not whole voxels.
    pub shapes: Vec<Shape>,
    /// The clusters of each particle: eight times the cluster, and its place in it.
    pub places: Lists,
    /// What each particle weighs, in kg.
    pub weights: Vec<f32>,
    /// Where each particle is in the level above; empty at the top.
    pub homes: Vec<Home>,
    /// The particles of the level below that are at home in each cluster.
    pub children: Lists,
}

/// Where a particle is in the voxel of the level above that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Home {
    /// The voxel.
    pub cluster: u32,
    /// Along x, y and z, in quarters of the edge.
    pub quarters: [u8; 3],
}

/// The undeformed shape of a cluster that is not a whole voxel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// Of each place; they add up to 1.
    pub weights: [f32; CORNERS],
    /// q: from the middle to each place, in metres.
    pub offsets: [Vec3; CORNERS],
    /// Q⁻¹ with Q = Σ w q qᵀ (pseudo-inverse, so lines and planes do): xx, yy, zz, xy, yz, zx.
    pub inverse: [f32; 6],
    /// I − Q Q⁻¹: the directions of which a line or a plane does not know anything.
    pub unknown: [f32; 6],
    /// How much of Hooke's law it has: less than 1 where it is so thin that it would need shorter steps.
    pub hooke: f32,
    /// γ: how much of what is not linear counts.
    pub not_linear: f32,
    /// How stiff it is along its thinnest direction, of a whole voxel.
    pub stiffest: f32,
}

impl Rest {
    /// The levels of cells.
    pub fn new(graph: CellGraph, nodes: &NodeRest, settings: HierarchySettings) -> Self {
        let links: Vec<Link> = (0..3)
            .flat_map(|axis| {
                let graph = &graph;
                graph.edges().filter_map(move |ends| {
                    let [low, high] = ends.map(|end| graph.cells[end as usize]);
                    (high == low + UVec3::AXES[axis]).then_some(Link { ends, axis })
                })
            })
            .collect();
        let mut levels = vec![finest::clusters(&graph, &links, nodes)];
        let mut voxels = Voxels { cells: graph.cells.clone(), links };
        let most = settings.levels.unwrap_or(MOST_LEVELS);
        let mut ancestors: Vec<u32> = (0..graph.cells.len() as u32).collect();
        while levels.len() < most as usize && (settings.levels.is_some() || voxels.cells.len() > TOP) {
            let size = 2.0 * levels[levels.len() - 1].size;
            let (coarser, parents) = voxels.coarser();
            let next = levels.len();
            levels.push(coarser.level(size));
            let [below, above] = &mut levels[next - 1..] else { break };
            below.homes = voxels.homes(below, &parents, next == 1);
            above.take_in(below, &parents, next == 1);
            ancestors.iter_mut().for_each(|voxel| *voxel = parents[*voxel as usize]);
            above.shape(next as u32, &ancestors, &graph.cells, &nodes.masses);
            if coarser.cells.len() == voxels.cells.len() && settings.levels.is_none() {
                break;
            }
            voxels = coarser;
        }
        Self { settings, graph, levels }
    }

    /// ⟨q²⟩ by which α becomes a modulus, in m²: that of regions which reach two cells, as those of other models do by default.
    pub fn extent(&self) -> f64 {
        2.0 * f64::from(self.graph.cell) * f64::from(self.graph.cell)
    }
}

/// Levels at most, where it is not said how many.
const MOST_LEVELS: u32 = 8;
/// Clusters of the coarsest level, about, where it is not said how many levels there are: so few that they are moved in no time.
const TOP: usize = 12;

/// Two voxels that material joins, the second one after the first along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    pub ends: [u32; 2],
    pub axis: usize,
}

/// The voxels of a level: at the finest the cells of nodes.
struct Voxels {
    cells: Vec<UVec3>,
    links: Vec<Link>,
}

impl Voxels {
    /// Voxels twice as wide, one for each part of the material in each; and which of them each of these is in.
    fn coarser(&self) -> (Self, Vec<u32>) {
        let mut sets = DisjointSets::new(self.cells.len());
        let same = |[a, b]: [u32; 2]| self.cells[a as usize] / 2 == self.cells[b as usize] / 2;
        for link in self.links.iter().filter(|link| same(link.ends)) {
            sets.join(link.ends[0], link.ends[1]);
        }
        let mut numbers = vec![None; self.cells.len()];
        let (mut cells, mut parents) = (Vec::new(), Vec::with_capacity(self.cells.len()));
        for (voxel, cell) in self.cells.iter().enumerate() {
            let number = numbers[sets.find(voxel as u32) as usize].get_or_insert_with(|| {
                cells.push(*cell / 2);
                cells.len() as u32 - 1
            });
            parents.push(*number);
        }
        let across = self.links.iter().filter(|link| !same(link.ends));
        let mut links: Vec<Link> =
            across.map(|link| Link { ends: link.ends.map(|end| parents[end as usize]), ..*link }).collect();
        links.sort_unstable();
        links.dedup();
        (Self { cells, links }, parents)
    }

    /// Their clusters: voxels that material joins have the corners of the face between them in common.
    fn level(&self, size: f32) -> Level {
        let mut sets = DisjointSets::new(CORNERS * self.cells.len());
        for Link { ends: [a, b], axis } in &self.links {
            for corner in (0..CORNERS as u32).filter(|corner| corner & (1 << axis) == 0) {
                sets.join(CORNERS as u32 * a + (corner | 1 << axis), CORNERS as u32 * b + corner);
            }
        }
        let mut numbers = vec![None; CORNERS * self.cells.len()];
        let mut count = 0;
        let mut corner = |voxel: usize, corner: usize| {
            let set = sets.find((CORNERS * voxel + corner) as u32);
            *numbers[set as usize].get_or_insert_with(|| {
                count += 1;
                count - 1
            })
        };
        let corners: Vec<[u32; CORNERS]> =
            (0..self.cells.len()).map(|voxel| std::array::from_fn(|at| corner(voxel, at))).collect();
        let shape_of = vec![None; corners.len()];
        Level::new(size, corners, shape_of, Vec::new(), count as usize)
    }

    /// Where the particles of their level are in the voxels above.
    fn homes(&self, level: &Level, parents: &[u32], of_nodes: bool) -> Vec<Home> {
        if of_nodes {
            let of = |(&cluster, cell): (&u32, &UVec3)| Home {
                cluster,
                quarters: (*cell % 2).to_array().map(|half| 2 * half as u8 + 1),
            };
            return parents.iter().zip(&self.cells).map(of).collect();
        }
        let home = |places: &[u32]| {
            let (voxel, corner) = (places[0] as usize / CORNERS, places[0] as usize % CORNERS);
            let half = (self.cells[voxel] % 2).to_array();
            let quarters = std::array::from_fn(|axis| 2 * (half[axis] as u8 + (corner >> axis & 1) as u8));
            Home { cluster: parents[voxel], quarters }
        };
        level.places.iter().map(home).collect()
    }
}

impl Level {
    /// Clusters of so many particles, which weigh nothing yet.
    pub(super) fn new(
        size: f32,
        corners: Vec<[u32; CORNERS]>,
        shape_of: Vec<Option<u32>>,
        shapes: Vec<Shape>,
        particles: usize,
    ) -> Self {
        let used = |(cluster, at): (usize, usize)| {
            shape_of[cluster].is_none_or(|shape: u32| shapes[shape as usize].weights[at] > 0.0)
        };
        let all = (0..corners.len()).flat_map(|cluster| (0..CORNERS).map(move |at| (cluster, at)));
        let pairs = all
            .filter(|&at| used(at))
            .map(|(cluster, at)| (corners[cluster][at], (CORNERS * cluster + at) as u32));
        let places = Lists::from_pairs(particles, pairs);
        let (masses, weights) = (vec![0.0; corners.len()], vec![0.0; particles]);
        Self { size, corners, masses, shape_of, shapes, places, weights, ..Self::default() }
    }

    /// The voxel of the level above that a voxel is in, none at the top: the corner that it has in the middle of that one tells.
    pub fn parent(&self, voxel: usize) -> Option<u32> {
        let homes = self.corners[voxel].iter().filter_map(|corner| self.homes.get(*corner as usize));
        homes.filter(|home| home.quarters == [2; 3]).map(|home| home.cluster).next()
    }

    /// The weight of a cluster's place: the share of the cluster that its particle is.
    pub fn share(&self, cluster: usize, place: usize) -> f32 {
        self.shape_of[cluster]
            .map_or(1.0 / CORNERS as f32, |shape| self.shapes[shape as usize].weights[place])
    }

    /// Takes the masses of the level below, whose homes are known: those of its nodes, or of the voxels that have these parents.
    fn take_in(&mut self, below: &Self, parents: &[u32], of_nodes: bool) {
        let homes = || below.homes.iter().zip(0_u32..).map(|(home, particle)| (home.cluster, particle));
        self.children = Lists::from_pairs(self.corners.len(), homes());
        let parts = if of_nodes { &below.weights } else { &below.masses };
        for (parent, mass) in parents.iter().zip(parts) {
            self.masses[*parent as usize] += mass;
        }
        for (home, mass) in below.homes.iter().zip(&below.weights) {
            for (corner, weight) in self.corners[home.cluster as usize].iter().zip(home.weights()) {
                self.weights[*corner as usize] += weight * mass;
            }
        }
    }
}

impl Level {
    /// Shapes of the voxels by the material in them: one that gave way more easily than its children would go too far. A voxel is
    /// matched where its material is in the mean, which is where a corner counts as much as it does for what is in there; and what
    /// is not linear counts as much as it takes for each corner to be held as firmly as by all of it.
    fn shape(&mut self, level: u32, ancestors: &[u32], cells: &[UVec3], masses: &[f32]) {
        let width = (1_u32 << level) as f32;
        let place = |cell: &UVec3| ((*cell % (1 << level)).as_vec3() + 0.5) / width;
        let mut middles = vec![Vec3::ZERO; self.corners.len()];
        for ((voxel, cell), mass) in ancestors.iter().zip(cells).zip(masses) {
            middles[*voxel as usize] += *mass * place(cell);
        }
        let mut sums = vec![[0.0_f32; CORNERS]; self.corners.len()];
        for ((voxel, cell), mass) in ancestors.iter().zip(cells).zip(masses) {
            let at = place(cell);
            for (corner, sum) in sums[*voxel as usize].iter_mut().enumerate() {
                let [x, y, z] = sides(corner, at).map(|side| side * side);
                *sum += mass * (x * y + y * z + z * x);
            }
        }
        for (voxel, (middle, sums)) in middles.iter().zip(&sums).enumerate() {
            let mass = self.masses[voxel];
            let middle = (*middle / mass).clamp(Vec3::splat(OFF_CENTER), Vec3::splat(1.0 - OFF_CENTER));
            self.shape_of[voxel] = Some(self.shapes.len() as u32);
            self.shapes.push(Shape::of_voxel(self.size, middle, &sums.map(|sum| sum / mass)));
        }
    }
}

/// How far each corner of a voxel of edge 1 is from a place along the axes, from the other side.
fn sides(corner: usize, at: Vec3) -> [f32; 3] {
    std::array::from_fn(|axis| if corner >> axis & 1 == 1 { at[axis] } else { 1.0 - at[axis] })
}

impl Shape {
    /// Of a voxel with material around `middle`, in parts of its edge, and what its corners resist, per κ μ/d².
    fn of_voxel(size: f32, middle: Vec3, resist: &[f32; CORNERS]) -> Self {
        let spread = middle * (1.0 - middle);
        let corner = |at: usize| UVec3::new(at as u32 & 1, at as u32 >> 1 & 1, at as u32 >> 2).as_vec3();
        let weights: [f32; CORNERS] = std::array::from_fn(|at| sides(at, middle).iter().product());
        let mut not_linear = LEAST_NOT_LINEAR;
        for (at, (weight, resist)) in weights.iter().zip(resist).enumerate() {
            let gradient = *weight * (corner(at) - middle) / spread;
            let offset = corner(at) - middle;
            let reach = (offset * offset / spread).element_sum();
            let bends = 4.0 * weight * (1.0 - weight * (1.0 + reach));
            not_linear = not_linear.max((STIFFER * resist - gradient.length_squared()) / bends);
        }
        let inverse = 1.0 / (spread * size * size);
        Self {
            weights,
            offsets: std::array::from_fn(|at| size * (corner(at) - middle)),
            inverse: [inverse.x, inverse.y, inverse.z, 0.0, 0.0, 0.0],
            unknown: [0.0; 6],
            hooke: 1.0,
            not_linear: not_linear.min(MOST_NOT_LINEAR),
            stiffest: 0.25 / spread.min_element(),
        }
    }
}

/// How near the middle of the material may be to the side of its voxel, in parts of its edge.
const OFF_CENTER: f32 = 0.1;
/// γ of voxels above the finest level: at least what linear elements have, and at most.
const LEAST_NOT_LINEAR: f32 = 1.25;
const MOST_NOT_LINEAR: f32 = 8.0;
/// How much more firmly a corner is held than by what is in its voxels: at the surface, fine clusters are stiffer than their mass.
const STIFFER: f32 = 1.3;

impl Home {
    /// How much each corner of the voxel counts there: what is linear over it comes out right.
    #[inline(always)]
    pub fn weights(&self) -> [f32; CORNERS] {
        let [x, y, z] = self.quarters.map(|quarters| 0.25 * f32::from(quarters));
        let (x, y, z) = ([1.0 - x, x], [1.0 - y, y], [1.0 - z, z]);
        std::array::from_fn(|at| x[at & 1] * y[at >> 1 & 1] * z[at >> 2])
    }
}
