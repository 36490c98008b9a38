//! What the deformation of a body stores, and how much of it each level can see.
//!
//! Based on \[TYGP15\] §2: an energy E for each cluster of each level, and its density Ψ, which is E per volume.
//!
//! Symbols: `R`, `F` of a finest cluster, `S` = RᵀF its stretch, `μ` its mass times how much of Hooke's law it has.
//!
//! Deviations: between steps, the levels above the finest hold nothing. A cluster there is the material in its voxel, and its
//! energy is that of the mean of S, weighted by μ: what a voxel sees of the deformation in it. What bends or ripples within a voxel
//! is missing there, so a level has at most the energy of the one below (by Jensen: the energy is convex in S), as much where the
//! deformation is even, and the difference is stored in deformations that are too short for the coarser one.

use super::matching::{Cluster, Law, Placed, match_active};
use super::rest::{CORNERS, Level, Rest};
use super::{Hierarchy, finest};
use crate::material::Material;
use crate::model::{self, LevelRegion, regions::hooke};
use crate::nodes::NodeState;
use glam::{DMat3, DVec3, Mat3};
use std::ops::AddAssign;

/// The finest clusters, all matched where the nodes are, by a modulus of 1: so small energies of soft bodies do not vanish.
fn matched(model: &Hierarchy, nodes: &NodeState, material: &Material) -> Vec<Cluster> {
    let level = &model.rest.levels[0];
    let places = &nodes.positions;
    let placed = Placed { level, places, start: None, not_linear: finest::NOT_LINEAR };
    let law = Law { modulus: 1.0, bulk: material.elasticity.bulk() };
    let mut clusters = model.state.clusters.clone();
    match_active(&placed, &law, &vec![true; clusters.len()], &mut clusters);
    clusters
}

/// Φ in J of all of it, for κ = 1.
pub(super) fn stored(model: &Hierarchy, nodes: &NodeState, material: &Material) -> f64 {
    matched(model, nodes, material).iter().map(|cluster| f64::from(cluster.energy)).sum()
}

/// What each level holds in steps of `h` seconds, the finest first.
pub(super) fn levels(model: &Hierarchy, nodes: &NodeState, material: &Material, h: f32) -> Vec<model::Level> {
    let Hierarchy { rest, scratch, .. } = model;
    let extent = rest.extent();
    let modulus = material.spring_for(h, extent) * extent;
    let young_modulus = material.young_modulus_for(h, extent) as f32;
    let clusters = matched(model, nodes, material);
    let bulk = f64::from(material.elasticity.bulk());
    let (mut held, mut within) = (Vec::new(), Vec::new());
    for (number, level) in rest.levels.iter().enumerate() {
        let mut found = match number {
            0 => of_finest(level, nodes, &clusters),
            1 => {
                within = of_nodes(rest, nodes, &clusters);
                within.iter().map(|within| within.cluster(bulk)).collect()
            }
            _ => {
                within = of_voxels(&rest.levels[number - 1], level.corners.len(), &within);
                within.iter().map(|within| within.cluster(bulk)).collect()
            }
        };
        for cluster in &mut found {
            cluster.energy = (modulus * f64::from(cluster.energy)) as f32;
            cluster.volume /= material.density;
        }
        let matches = scratch.effort.matches.get(number).copied().unwrap_or(0);
        held.push(model::Level { size: level.size, matches, young_modulus, regions: found });
    }
    held
}

/// The finest clusters. In place of volumes they have masses, here and below.
fn of_finest(level: &Level, nodes: &NodeState, clusters: &[Cluster]) -> Vec<LevelRegion> {
    let of = |(number, cluster): (usize, &Cluster)| {
        let corners = level.corners[number].iter().enumerate();
        let part =
            |(place, node): (usize, &u32)| level.share(number, place) * nodes.positions[*node as usize];
        LevelRegion { middle: corners.map(part).sum(), volume: level.masses[number], energy: cluster.energy }
    };
    clusters.iter().enumerate().map(of).collect()
}

/// The material in a voxel.
#[derive(Clone, Copy, Debug)]
struct Within {
    mass: f64,
    /// Σ m x
    place: DVec3,
    /// Σ μ and Σ μ S
    weight: f64,
    stretch: DMat3,
}

impl AddAssign for Within {
    fn add_assign(&mut self, other: Self) {
        self.mass += other.mass;
        self.place += other.place;
        self.weight += other.weight;
        self.stretch += other.stretch;
    }
}

impl Within {
    const NOTHING: Self = Self { mass: 0.0, place: DVec3::ZERO, weight: 0.0, stretch: DMat3::ZERO };

    /// Of a node and its part of its clusters.
    fn of_node(level: &Level, nodes: &NodeState, clusters: &[Cluster], node: usize) -> Self {
        let (mass, places) = (f64::from(level.weights[node]), level.places.of(node));
        let place = mass * nodes.positions[node].as_dvec3();
        let mut within = Self { mass, place, ..Self::NOTHING };
        for place in places {
            let number = *place as usize / CORNERS;
            let hooke = level.shape_of[number].map_or(1.0, |shape| level.shapes[shape as usize].hooke);
            let weight = f64::from(hooke) * mass / places.len() as f64;
            let Cluster { rotation, map, .. } = &clusters[number];
            within.weight += weight;
            within.stretch += (Mat3::from_quat(*rotation).transpose() * *map).as_dmat3() * weight;
        }
        within
    }

    fn cluster(&self, bulk: f64) -> LevelRegion {
        let (mass, weight) = (self.mass.max(f64::MIN_POSITIVE), self.weight.max(f64::MIN_POSITIVE));
        let strain = self.stretch * (1.0 / weight) - DMat3::IDENTITY;
        let square: f64 = strain.to_cols_array().iter().map(|entry| entry * entry).sum();
        let trace = strain.x_axis.x + strain.y_axis.y + strain.z_axis.z;
        let energy =
            if self.weight > 0.0 { 0.5 * weight * (square + hooke::stored(trace, bulk)) } else { 0.0 };
        LevelRegion { middle: (self.place / mass).as_vec3(), volume: self.mass as f32, energy: energy as f32 }
    }
}

/// The voxels above the finest level, from the nodes.
fn of_nodes(rest: &Rest, nodes: &NodeState, clusters: &[Cluster]) -> Vec<Within> {
    let finest = &rest.levels[0];
    let mut found = vec![Within::NOTHING; rest.levels[1].corners.len()];
    for (node, home) in finest.homes.iter().enumerate() {
        found[home.cluster as usize] += Within::of_node(finest, nodes, clusters, node);
    }
    found
}

/// The voxels of a level, from those of the one below.
fn of_voxels(below: &Level, count: usize, within: &[Within]) -> Vec<Within> {
    let mut found = vec![Within::NOTHING; count];
    for (voxel, within) in within.iter().enumerate() {
        if let Some(parent) = below.parent(voxel) {
            found[parent as usize] += *within;
        }
    }
    found
}
