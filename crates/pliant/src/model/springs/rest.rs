//! The springs of an undeformed body.

use super::SpringSettings;
use crate::geometry::{DisjointSets, PointGrid};
use crate::math::pseudo_inverse;
use crate::nodes::NodeRest;
use glam::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// The springs of an undeformed body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rest {
    /// How they were made.
    pub settings: SpringSettings,
    /// All springs.
    pub springs: Vec<Spring>,
    /// (Σ d⁰ d⁰ᵀ)⁻¹ over the springs of each node.
    pub inverses: Vec<Mat3>,
    /// The projector onto the directions that a node's springs do not span.
    pub unspanned: Vec<Mat3>,
    /// The largest ω² of a node, for springs of ω² = 1.
    pub stiffest: f32,
    /// Σ k |d⁰|² over three times the mass, for springs of ω² = 1, in m²: what ⟨q²⟩ is where shapes are matched.
    pub extent: f64,
    /// A length of the body in meters: sums of products of lengths are taken in it, at any size.
    pub scale: f32,
}

/// A spring.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// The two nodes.
    pub ends: [u32; 2],
    /// d⁰
    pub rest: Vec3,
    /// k for ω² = 1, in kg.
    pub mass: f32,
}

impl Spring {
    /// d
    pub fn from_to(&self, positions: &[Vec3]) -> Vec3 {
        positions[self.ends[1] as usize] - positions[self.ends[0] as usize]
    }
}

/// How much stiffer all springs of a node together are than α says of one goal: they are short, so a body of them is soft.
const SHARE: f32 = 3.5;
/// Singular values below this part of the largest count as zero.
const FLAT: f64 = 1e-5;

impl Rest {
    /// Joins each node to its nearest ones, and parts that would hang on nothing to each other.
    pub fn new(nodes: &NodeRest, settings: SpringSettings) -> Self {
        let places = &nodes.rest_positions;
        let pairs = pairs(places, settings.neighbors as usize);
        let mut degree = vec![0_u32; places.len()];
        pairs.iter().flatten().for_each(|&end| degree[end as usize] += 1);
        let spring = |&[a, b]: &[u32; 2]| {
            let (i, j) = (a as usize, b as usize);
            let share = |node: usize| SHARE * nodes.masses[node] / degree[node] as f32;
            Spring { ends: [a, b], rest: places[j] - places[i], mass: share(i).min(share(j)) }
        };
        let springs: Vec<Spring> = pairs.iter().map(spring).collect();
        let mut of_node = vec![0.0_f32; places.len()];
        for spring in &springs {
            spring.ends.iter().for_each(|&end| of_node[end as usize] += spring.mass);
        }
        // Gershgorin: no eigenvalue is larger than twice what holds one node.
        let stiffest = of_node.iter().zip(&nodes.masses).map(|(k, m)| 2.0 * k / m).fold(0.0, f32::max);
        let scale = nodes.radius.max(f32::MIN_POSITIVE);
        let squares = springs.iter().map(|spring| f64::from(spring.mass * spring.rest.length_squared()));
        let extent = squares.sum::<f64>() / (3.0 * nodes.total_mass);
        let mut rest = Self { settings, springs, stiffest, extent, scale, ..Self::default() };
        rest.find_inverses(places.len());
        rest
    }

    fn find_inverses(&mut self, count: usize) {
        let mut seconds = vec![[[0.0_f64; 3]; 3]; count];
        for spring in &self.springs {
            let d = spring.rest.to_array().map(f64::from);
            for end in spring.ends {
                let second = &mut seconds[end as usize];
                for (row, a) in second.iter_mut().zip(d) {
                    row.iter_mut().zip(d).for_each(|(entry, b)| *entry += a * b);
                }
            }
        }
        let to_mat = |rows: [[f64; 3]; 3]| Mat3::from_cols_array_2d(&rows.map(|row| row.map(|v| v as f32)));
        for second in seconds {
            let found = pseudo_inverse(second, FLAT);
            self.inverses.push(to_mat(found.inverse));
            self.unspanned.push(Mat3::IDENTITY - to_mat(found.projector));
        }
    }
}

/// Each node with its nearest ones, sorted, each pair once.
fn pairs(places: &[Vec3], neighbors: usize) -> Vec<[u32; 2]> {
    let grid = PointGrid::fitting(places);
    let mut found = Vec::new();
    let mut pairs = Vec::new();
    for (node, &place) in places.iter().enumerate() {
        grid.k_nearest(place, neighbors + 1, &mut found);
        // All that are as far as the last one: which of them is nearest is only rounding.
        let reach = found.last().map_or(0.0, |last| last.1.sqrt() * 1.001);
        grid.within(place, reach, |other, _| {
            if other != node as u32 {
                pairs.push([other.min(node as u32), other.max(node as u32)]);
            }
        });
    }
    pairs.sort_unstable();
    pairs.dedup();
    join_parts(places, &mut pairs);
    pairs
}

/// Joins parts that share no spring by the shortest one from the first node of each to a node of those before.
fn join_parts(places: &[Vec3], pairs: &mut Vec<[u32; 2]>) {
    let mut sets = DisjointSets::new(places.len());
    pairs.iter().for_each(|&[a, b]| sets.join(a, b));
    for node in 1..places.len() as u32 {
        if sets.find(node) != node {
            continue;
        }
        let away = |other: &u32| places[*other as usize].distance_squared(places[node as usize]);
        if let Some(other) = (0..node).min_by(|a, b| away(a).total_cmp(&away(b))) {
            pairs.push([other, node]);
            sets.join(other, node);
        }
    }
}
