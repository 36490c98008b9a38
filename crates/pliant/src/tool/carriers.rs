//! The nodes that carry a place of a rest shape.
//!
//! A place is carried by Σ w x, with Σ w = 1 and Σ w X = the place at rest: it moves as the material around it does, affinely. A force
//! on it is divided among the nodes by the same weights, so its moment about any point is that of the force at the place.

use crate::body::{Body, BodyRest};
use crate::geometry::PointGrid;
use crate::math::pseudo_inverse;
use glam::{DVec3, Mat3, Vec3};

/// Nodes that carry a place, and how much of it each.
pub(super) type Carriers = Vec<(u32, f32)>;

/// Nodes that are asked. Beside a flat face, the second layer of a lattice is among the nearest 24; without it, nothing is known of the
/// direction across.
const AROUND: usize = 24;
/// Spacings within which a place is that of a node.
const AT_NODE: f32 = 1e-3;
/// The least spread of the nodes in a direction that counts, as part of the largest, squared.
const FLAT: f64 = 1e-2;
/// Weights that are left out, as part of 1.
const TINY: f32 = 1e-6;
/// Times that a place is looked for: it depends on which nodes are near it.
const SEARCHES: usize = 4;

/// Finds the nodes that carry places of one body.
pub(super) struct Carrying<'a> {
    body: &'a Body,
    grid: PointGrid,
    near: Vec<(u32, f32)>,
}

impl<'a> Carrying<'a> {
    pub fn new(body: &'a Body) -> Self {
        Self { body, grid: PointGrid::fitting(&body.rest().nodes.rest_positions), near: Vec::new() }
    }

    /// The nodes that carry a place of the rest shape, ascending. What is across a cut carries nothing.
    pub fn of(&mut self, place: Vec3) -> Carriers {
        let rest = self.body.rest();
        let at = place - rest.center;
        self.grid.k_nearest(at, AROUND, &mut self.near);
        let Some(&(home, off2)) = self.near.first() else { return Vec::new() };
        let spacing = self.body.spacing(home as usize);
        if off2.sqrt() <= AT_NODE * spacing {
            return vec![(home, 1.0)];
        }
        let mut nodes: Vec<u32> = self.near.iter().map(|&(node, _)| node).collect();
        nodes.sort_unstable();
        if rest.cut.is_some() {
            nodes = self.body.joined_within(std::iter::once(home), |node| nodes.binary_search(&node).is_ok());
        }
        affine(rest, &nodes, at, spacing)
    }

    /// The place of the rest shape that is at a place in the world now; `from` is where to begin, a place not far from it.
    pub fn at(&mut self, world: DVec3, from: Vec3) -> Vec3 {
        let (mut place, target) = (from, (world - self.body.nodes.origin).as_vec3());
        for _ in 0..SEARCHES {
            let carriers = self.of(place);
            let missing = target - carried(self.body, &carriers);
            let map = carriers.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            let map = map.map_or(Mat3::IDENTITY, |&(node, _)| self.body.node_map(node as usize));
            let inverse = if map.determinant().abs() > 1e-3 { map.inverse() } else { map.transpose() };
            let by = inverse * missing;
            if !by.is_finite() {
                break;
            }
            place += by;
        }
        place
    }
}

/// Where a carried place is now, relative to the body's origin.
pub(super) fn carried(body: &Body, carriers: &[(u32, f32)]) -> Vec3 {
    carriers.iter().map(|&(node, weight)| weight * body.nodes.positions[node as usize]).sum()
}

/// The weights with Σ w = 1 and Σ w X = `at` that are the least for nodes that are light or far away. Across nodes that are all in a plane,
/// the place is as near as they can bring it.
fn affine(rest: &BodyRest, nodes: &[u32], at: Vec3, spacing: f32) -> Carriers {
    let place = |node: u32| (rest.nodes.rest_positions[node as usize] - at).as_dvec3();
    let share = |node: u32| {
        f64::from(rest.nodes.masses[node as usize])
            / (place(node).length_squared() + f64::from(spacing * spacing))
    };
    let sum: f64 = nodes.iter().map(|&node| share(node)).sum();
    let mean = nodes.iter().map(|&node| share(node) * place(node)).sum::<DVec3>() / sum;
    let mut moment = [[0.0; 3]; 3];
    for &node in nodes {
        let d = place(node) - mean;
        let d = d.to_array();
        for (row, a) in moment.iter_mut().zip(d) {
            row.iter_mut().zip(d).for_each(|(m, b)| *m += share(node) * a * b);
        }
    }
    let inverse = pseudo_inverse(moment, FLAT).inverse.map(DVec3::from_array);
    let slope = -DVec3::from_array(inverse.map(|row| row.dot(mean)));
    let weight = |node: u32| (share(node) * (1.0 / sum + slope.dot(place(node) - mean))) as f32;
    let mut carriers: Carriers =
        nodes.iter().map(|&node| (node, weight(node))).filter(|(_, weight)| weight.abs() > TINY).collect();
    let total: f32 = carriers.iter().map(|carrier| carrier.1).sum();
    carriers.iter_mut().for_each(|carrier| carrier.1 /= total);
    carriers
}
