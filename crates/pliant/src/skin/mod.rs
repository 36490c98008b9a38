//! The surface that people see, carried by the nodes.

mod binding;
mod normals;

pub use binding::{Binding, Bond};
pub use normals::NormalGroups;

use crate::nodes::NodeState;
use crate::par;
use glam::{Mat3, Vec3};

/// The skin now, relative to the body's origin.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// One position a vertex of the mesh.
    pub positions: Vec<Vec3>,
    /// One unit normal a vertex.
    pub normals: Vec<Vec3>,
    face_normals: Vec<Vec3>,
    maps: Vec<Mat3>,
}

impl Skin {
    /// Moves the skin to where the nodes are; `map_of` gives the local map of a node, for skins that need it.
    pub fn update(
        &mut self,
        binding: &Binding,
        groups: &NormalGroups,
        nodes: &NodeState,
        map_of: impl Fn(usize) -> Mat3 + Sync + Send,
    ) {
        let mapped = if binding.uses_maps() { nodes.positions.len() } else { 0 };
        self.maps.resize(mapped, Mat3::IDENTITY);
        par::for_each_indexed(&mut self.maps, par::CHUNK, |node, map| *map = map_of(node));
        let maps = &self.maps;
        self.positions.resize(binding.len(), Vec3::ZERO);
        par::for_each_indexed(&mut self.positions, par::CHUNK, |vertex, position| {
            *position = binding.position(vertex, &nodes.positions, maps);
        });
        groups.normals(&self.positions, &mut self.face_normals, &mut self.normals);
    }
}
