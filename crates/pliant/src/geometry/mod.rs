//! Triangle meshes and what can be asked of them.

mod disjoint_sets;
mod duplicates;
mod edges;
mod holes;
mod inspect;
mod lists;
mod loops;
mod median;
mod mending;
mod mesh;
mod nearest;
mod orient;
mod repair;
mod rings;
pub mod shapes;
mod slivers;
mod split;
mod surface_tree;
mod sweep;
mod units;
mod voxels;
mod weld;
mod winding;

pub use disjoint_sets::Components;
pub(crate) use disjoint_sets::DisjointSets;
pub use edges::{Edge, EdgeTable, EdgeUse, components_by_vertex};
pub use inspect::{MeshReport, WELD_TOLERANCE, inspect};
pub use lists::Lists;
pub use mesh::{MeshError, Paint, Texture, TriMesh};
pub use nearest::PointGrid;
pub use repair::{RepairLog, RepairSettings, repair};
pub use surface_tree::SurfaceTree;
pub use units::LengthUnit;
pub use weld::{Welded, weld, weld_as_needed};
pub use winding::{WindingTree, winding_exact};
