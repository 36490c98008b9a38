//! The surface under cuts: a regular grid of which each edge is crossed by the surface at most once.
//!
//! *Based on* \[PGCS06\] §5–6. A cell's piece of surface depends only on which of its twelve edges are crossed. A node
//! and a crossed edge of it make one quad on the node's side: edge vertex, face vertex, centre vertex, other face
//! vertex. A vertex is known by its place and by the *component* it belongs to: the nodes of that place that are
//! joined without a crossing. So both sheets of a cut share a vertex exactly where their nodes still hang together,
//! the surface is closed whatever is crossed, and cutting one place again changes nothing.
//!
//! *Symbols*: a *node* is a lattice point, in rest space at `origin + cell · node`; an *edge* is known by its low node
//! and its axis, a *face* by its low node and the axis across it, a *cube* by its low node. Within a cube, bits 0, 1
//! and 2 of a node's number say whether it is high in x, y and z.
//!
//! *Deviations*: the crossings are stored once, at an edge's low node, instead of at both ends, and the surface is
//! numbered anew whenever it is asked for instead of being kept at the nodes: it takes less time than its drawing.
//! Where vertices lie is told in [`placement`].

mod cubes;
mod drawn;
mod joined;
pub mod placement;
mod stored;
mod surface;
pub mod table;

pub use cubes::Cubes;
pub use drawn::Drawn;
pub use stored::CubesError;
pub use surface::{Place, Quad, Surface, Vertex, component};

use glam::{IVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Where the surface crosses an edge of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// The edge vertex in rest space: near the edge, but not exactly on it.
    pub point: Vec3,
    /// The surface's unit normal there, turned from the edge's low end to its high end.
    pub normal: Vec3,
    /// Whether the low and the high end are material. Only their sides have a surface: the body's own is one big cut
    /// whose outer side is thrown away.
    pub inside: [bool; 2],
    /// Whether a blade made it; if not, it belongs to the body's first surface.
    pub cut: bool,
}

/// The lattice step along each axis.
const STEPS: [IVec3; 3] = [IVec3::X, IVec3::Y, IVec3::Z];

/// Where a cube's node lies from its low corner.
const fn corner(node: usize) -> IVec3 {
    IVec3::new((node & 1) as i32, (node >> 1 & 1) as i32, (node >> 2 & 1) as i32)
}
