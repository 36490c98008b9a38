//! The surface that people see, carried by the nodes.
//!
//! A node's local map and place make one affine map, x + M (p⁰ − x⁰) = M p⁰ + t. A vertex blends the maps of its nodes and
//! goes where the blend puts it ([`blend`]).
//!
//! Normals come in two ways. Where the model fills the body with cells, the blended map turns the rest normal, n = cof(M) n⁰:
//! nodes stand evenly there and neighbours' maps differ little. It needs no triangles, which makes the whole skin four times as fast, and
//! hard edges and seams stay because the rest normals have them. The price: a node's map is a mean over its region, so normals
//! lag where the deformation changes within one. A bar of 2 × 0.5 × 0.4 m with regions of 0.2 m has normals 0.8° from those of
//! its triangles when bent by a right angle and 2.1° when twisted by one, 5.4° at worst (`tests/skin.rs`).
//!
//! Where the maps are those of goals, which nodes need not follow, the normals are those of the deformed triangles
//! ([`NormalGroups`]).

mod binding;
pub mod blend;
mod cut_surface;
mod first_surface;
mod normals;
mod outside;
mod parted;
pub mod splitting_cubes;
mod visible;

pub use binding::{BONDS, Binding, Bond, Bonds};
pub use blend::{Affine, RestSkin};
pub use cut_surface::{CutSurface, Side};
pub(crate) use first_surface::{first_surface, uncrossed};
pub use normals::NormalGroups;
pub use outside::Outside;
pub(crate) use parted::{joined, parted};
pub use visible::{Binder, Cells};

use crate::geometry::{LazyTree, MovingTriangles, TriMesh, TriangleBoxes};
use crate::math::functions::square;
use crate::math::svd3;
use crate::nodes::NodeState;
use crate::par;
use glam::{Mat3, Vec3};
use std::sync::{Arc, OnceLock};

/// How much longer a node's map may make anything: a vertex hangs on the maps of four nodes, and what they disagree about grows
/// with their stretch.
const MOST_STRETCH: f32 = 2.5;

/// A map without what stretches more than [`MOST_STRETCH`].
pub(crate) fn limited(map: Mat3) -> Mat3 {
    let squares = map.x_axis.length_squared() + map.y_axis.length_squared() + map.z_axis.length_squared();
    // The sum of the squares of all stretches: hardly any map comes past here.
    if squares <= square(MOST_STRETCH) || !squares.is_finite() {
        return map;
    }
    let (left, stretches, right) = svd3(map);
    let stretches = stretches.clamp(Vec3::splat(-MOST_STRETCH), Vec3::splat(MOST_STRETCH));
    left * Mat3::from_diagonal(stretches) * right.transpose()
}

/// What a skin is made from.
#[derive(Clone, Copy, Debug)]
pub struct Undeformed<'a> {
    /// Which nodes carry each vertex.
    pub binding: &'a Binding,
    /// Which vertices share a normal.
    pub normal_groups: &'a NormalGroups,
    /// The undeformed skin by eights.
    pub skin: &'a RestSkin,
    /// Rest positions of the nodes.
    pub nodes: &'a [Vec3],
}

/// The skin now, relative to the body's origin.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// One position a vertex of the mesh.
    pub positions: Vec<Vec3>,
    /// One unit normal a vertex.
    pub normals: Vec<Vec3>,
    face_normals: Vec<Vec3>,
    /// Of each node.
    maps: Vec<Affine>,
    /// The box around the positions, and the boxes of the tree over the triangles: made when a query first asks.
    bounds: OnceLock<[Vec3; 2]>,
    boxes: OnceLock<Arc<TriangleBoxes>>,
}

impl Skin {
    /// Moves the skin to where the nodes are; `map_of` gives the local map of a node, for skins that need it.
    pub fn update(
        &mut self,
        rest: &Undeformed,
        nodes: &NodeState,
        map_of: impl Fn(usize) -> Mat3 + Sync + Send,
    ) {
        (self.bounds, self.boxes) = (OnceLock::new(), OnceLock::new());
        let bonds = rest.binding.bonds();
        self.positions.resize(bonds.len(), Vec3::ZERO);
        self.normals.resize(bonds.len(), Vec3::ZERO);
        if rest.binding.uses_maps() {
            self.maps.resize(nodes.positions.len(), Affine::default());
            let rest_positions = rest.nodes;
            par::for_each_indexed(&mut self.maps, par::CHUNK, |node, map| {
                *map = Affine::new(limited(map_of(node)), nodes.positions[node], rest_positions[node]);
            });
            blend::skin(rest.skin, bonds, &self.maps, &mut self.positions, &mut self.normals);
        } else {
            par::for_each_indexed(&mut self.positions, par::CHUNK, |vertex, position| {
                *position = nodes.positions[bonds[vertex].nodes[0] as usize];
            });
        }
        if !rest.binding.is_to_cells() {
            rest.normal_groups.normals(&self.positions, &mut self.face_normals, &mut self.normals);
        }
    }

    /// Low and high corner of the box around the skin; infinite and the wrong way round if it has no vertices.
    pub fn bounds(&self) -> [Vec3; 2] {
        *self.bounds.get_or_init(|| bounds(&self.positions))
    }

    /// The triangles of `mesh`, whose skin this is, ready to be searched.
    pub(crate) fn triangles(&self, mesh: &Arc<TriMesh>, tree: &LazyTree) -> MovingTriangles<'_> {
        let fit = || Arc::new(TriangleBoxes::fit(tree.of(mesh), &self.positions));
        MovingTriangles::new(self.boxes.get_or_init(fit), &self.positions)
    }
}

/// Low and high corner of the box around points; coordinates that are not a number do not count.
pub(crate) fn bounds(points: &[Vec3]) -> [Vec3; 2] {
    // Four points are twelve numbers, which a compiler makes into vectors; a branch for each would take four times as long.
    const NUMBERS: usize = 12;
    let (mut low, mut high) = ([f32::INFINITY; NUMBERS], [f32::NEG_INFINITY; NUMBERS]);
    let mut widen = |numbers: &[f32; NUMBERS]| {
        for (k, &x) in numbers.iter().enumerate() {
            low[k] = if x < low[k] { x } else { low[k] };
            high[k] = if x > high[k] { x } else { high[k] };
        }
    };
    let fours = points.chunks_exact(4);
    for point in fours.remainder() {
        let [x, y, z] = point.to_array();
        widen(&[x, y, z, x, y, z, x, y, z, x, y, z]);
    }
    for four in fours {
        let [a, b, c, d] = [four[0], four[1], four[2], four[3]];
        widen(&[a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z]);
    }
    let corner = |of: [f32; NUMBERS], pick: fn(f32, f32) -> f32| {
        Vec3::from_array(std::array::from_fn(|axis| {
            (axis..NUMBERS).step_by(3).map(|k| of[k]).fold(of[axis], pick)
        }))
    };
    [corner(low, f32::min), corner(high, f32::max)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::quat_from_scaled_axis;

    #[test]
    fn maps_are_limited_in_stretch_and_otherwise_left_alone() {
        let [left, right] = [Vec3::new(0.4, 1.1, -0.2), Vec3::new(-0.9, 0.3, 0.5)]
            .map(|axis| Mat3::from_quat(quat_from_scaled_axis(axis)));
        let map = |stretches: Vec3| left * Mat3::from_diagonal(stretches) * right.transpose();
        let usual = map(Vec3::new(2.0, 1.0, 0.5));
        assert_eq!(limited(usual), usual);
        for stretches in [Vec3::new(9.0, 1.0, 0.2), Vec3::new(1e4, 50.0, -3.0), Vec3::new(2.4, 2.3, 2.2)] {
            let wanted = map(stretches.clamp(Vec3::splat(-MOST_STRETCH), Vec3::splat(MOST_STRETCH)));
            assert!(limited(map(stretches)).abs_diff_eq(wanted, 1e-3), "{stretches}");
        }
    }
}
