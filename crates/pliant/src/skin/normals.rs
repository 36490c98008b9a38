//! Normals of the deformed skin that keep the user's hard and soft edges.
//!
//! Vertices doubled along a texture seam must shade as one; vertices doubled along a hard edge must not. Which is which the
//! rest normals tell: vertices in one place with one normal form a group, and a group's normal is the area-weighted sum over
//! all its triangles.

use crate::geometry::{Lists, TriMesh};
use crate::par;
use glam::Vec3;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Which vertices share a normal, and which triangles make it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NormalGroups {
    triangles: Vec<[u32; 3]>,
    group_of: Vec<u32>,
    /// The triangles of each group.
    faces: Lists,
}

impl NormalGroups {
    /// Groups the vertices of a mesh; `welded` says which of them are in one place.
    pub fn new(mesh: &TriMesh, welded: &[u32]) -> Self {
        // A tenth is about 6°: seams agree far better, hard edges differ far more.
        let key = |v: usize| {
            let normal = mesh.normals.get(v).copied().unwrap_or_default();
            (welded[v], (normal * 10.0).round().as_ivec3())
        };
        let mut numbers = FxHashMap::default();
        let group = |v| {
            let next = numbers.len() as u32;
            *numbers.entry(key(v)).or_insert(next)
        };
        let group_of: Vec<u32> = (0..mesh.positions.len()).map(group).collect();
        let groups = group_of.iter().map(|&g| g + 1).max().unwrap_or(0) as usize;
        let uses = mesh.triangles.iter().enumerate().flat_map(|(face, corners)| {
            let of = corners.map(|v| group_of[v as usize]);
            // A triangle counts once, also with several corners in a group.
            (0..3).filter(move |&i| !of[..i].contains(&of[i])).map(move |i| (of[i], face as u32))
        });
        let faces = Lists::from_pairs(groups, uses);
        Self { triangles: mesh.triangles.clone(), group_of, faces }
    }

    /// One unit normal a vertex. `face_normals` is kept by the caller to save the allocation.
    pub fn normals(&self, positions: &[Vec3], face_normals: &mut Vec<Vec3>, normals: &mut Vec<Vec3>) {
        face_normals.resize(self.triangles.len(), Vec3::ZERO);
        par::for_each_indexed(face_normals, par::CHUNK, |face, normal| {
            let [a, b, c] = self.triangles[face].map(|v| positions[v as usize]);
            *normal = (b - a).cross(c - a);
        });
        normals.resize(self.group_of.len(), Vec3::ZERO);
        let face_normals = &*face_normals;
        par::for_each_indexed(normals, par::CHUNK, |vertex, normal| {
            let faces = self.faces.of(self.group_of[vertex] as usize);
            // Scaled before it is normalised: the area of a triangle of a 1 µm body squared is below f32's range.
            let sum: Vec3 = faces.iter().map(|&f| face_normals[f as usize]).sum();
            *normal = (sum / sum.abs().max_element()).try_normalize().unwrap_or(Vec3::Y);
        });
    }
}
