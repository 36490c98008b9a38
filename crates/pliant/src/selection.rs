//! Which nodes of a body are meant: the one way in which pins, tools and the parts of a model say so.

use crate::geometry::TriMesh;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Which nodes of a body are meant, in the coordinates of the mesh that the body was made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Selection {
    /// All of them.
    All,
    /// By number.
    Nodes(Vec<u32>),
    /// Those that carry these vertices of the mesh.
    Vertices(Vec<u32>),
    /// Those inside a box.
    Box {
        /// Smallest coordinates.
        min: Vec3,
        /// Largest coordinates.
        max: Vec3,
    },
    /// Those inside a sphere.
    Sphere {
        /// Its centre.
        center: Vec3,
        /// Its radius in metres.
        radius: f32,
    },
}

impl Selection {
    /// The numbers of the nodes meant, ascending, each once.
    ///
    /// `positions` are the nodes' rest positions in the mesh's coordinates; numbers that are out of range are left out.
    pub fn find(&self, mesh: &TriMesh, positions: &[Vec3]) -> Vec<u32> {
        let where_ = |test: &dyn Fn(Vec3) -> bool| -> Vec<u32> {
            (0..positions.len() as u32).filter(|&i| test(positions[i as usize])).collect()
        };
        match self {
            Self::All => where_(&|_| true),
            Self::Box { min, max } => where_(&|p| p.cmpge(*min).all() && p.cmple(*max).all()),
            Self::Sphere { center, radius } => where_(&|p| p.distance_squared(*center) <= radius * radius),
            Self::Nodes(nodes) => {
                let mut nodes: Vec<u32> =
                    nodes.iter().copied().filter(|&n| (n as usize) < positions.len()).collect();
                nodes.sort_unstable();
                nodes.dedup();
                nodes
            }
            Self::Vertices(vertices) => {
                let at = |&v: &u32| mesh.positions.get(v as usize).and_then(|p| nearest(positions, *p));
                Self::Nodes(vertices.iter().filter_map(at).collect()).find(mesh, positions)
            }
        }
    }
}

fn nearest(positions: &[Vec3], to: Vec3) -> Option<u32> {
    let all = positions.iter().enumerate();
    let best = all.min_by(|(_, a), (_, b)| a.distance_squared(to).total_cmp(&b.distance_squared(to)));
    best.map(|(i, _)| i as u32)
}
