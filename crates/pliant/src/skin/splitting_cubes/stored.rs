//! Cubes as they are written to files: the crossings alone, sorted, because all else follows from them.

use super::cubes::REACH;
use super::{Crossing, Cubes};
use glam::{IVec3, Vec3};
use serde::{Deserialize, Serialize};

/// What is written.
#[derive(Serialize, Deserialize)]
pub(super) struct Stored {
    origin: Vec3,
    cell: f32,
    crossings: Vec<(IVec3, u8, Crossing)>,
}

/// What is wrong with stored cubes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CubesError {
    /// The grid cannot be.
    #[error("cells of {0} m are no grid; their size must be positive")]
    Cell(f32),
    /// A crossing is on no edge, or on one that has another already.
    #[error("crossing {index} is not on an edge of its own: node {node}, axis {axis}")]
    Edge {
        /// The first such crossing.
        index: usize,
        /// Its low node.
        node: IVec3,
        /// Its axis.
        axis: u8,
    },
}

impl From<Cubes> for Stored {
    fn from(cubes: Cubes) -> Self {
        let crossings = cubes.iter().map(|(node, axis, crossing)| (node, axis as u8, *crossing)).collect();
        Self { origin: cubes.origin(), cell: cubes.cell(), crossings }
    }
}

impl TryFrom<Stored> for Cubes {
    type Error = CubesError;

    fn try_from(stored: Stored) -> Result<Self, CubesError> {
        if !(stored.cell.is_finite() && stored.cell > 0.0) {
            return Err(CubesError::Cell(stored.cell));
        }
        let mut cubes = Self::new(stored.origin, stored.cell);
        for (index, (node, axis, crossing)) in stored.crossings.into_iter().enumerate() {
            let near = node.min_element() >= -REACH && node.max_element() <= REACH;
            if axis > 2 || !near || !cubes.cross(node, axis as usize, crossing) {
                return Err(CubesError::Edge { index, node, axis });
            }
        }
        Ok(cubes)
    }
}
