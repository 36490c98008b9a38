//! Kinematic bodies: driven by given positions of their nodes.

use super::World;
use crate::body::BodyHandle;
use crate::ids::StaleHandle;
use glam::DVec3;

/// Why a body cannot be driven so.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DriveError {
    /// The body is gone.
    #[error(transparent)]
    Stale(#[from] StaleHandle),
    /// Forces move it.
    #[error("the body is not kinematic; set Body::kinematic to drive it")]
    NotKinematic,
    /// A position for each node is needed.
    #[error("{given} positions for a body of {nodes} nodes; give one for each")]
    Count {
        /// Positions that were given.
        given: usize,
        /// Nodes that there are.
        nodes: usize,
    },
    /// A position is not finite.
    #[error("the position of node {node} is not finite")]
    NotFinite {
        /// Which.
        node: usize,
    },
}

impl World {
    /// Drives a [kinematic](crate::Body::kinematic) body: its nodes are at these places in the world after the next step and get there
    /// at an even speed, with which they push and carry what touches them. It stays there until it is driven on.
    ///
    /// # Errors
    /// If the body is not there or not kinematic, or the positions are not one finite place for each node; nothing is changed then.
    pub fn drive(&mut self, body: BodyHandle, positions: &[DVec3]) -> Result<(), DriveError> {
        let driven = self.body(body)?;
        if !driven.kinematic {
            return Err(DriveError::NotKinematic);
        }
        let nodes = driven.nodes.positions.len();
        if positions.len() != nodes {
            return Err(DriveError::Count { given: positions.len(), nodes });
        }
        if let Some(node) = positions.iter().position(|place| !place.is_finite()) {
            return Err(DriveError::NotFinite { node });
        }
        let targets = &mut self.body_mut(body)?.targets;
        targets.clear();
        targets.extend_from_slice(positions);
        Ok(())
    }

    /// Kinematic bodies set off to where they are driven in a step.
    pub(super) fn start_driven(&mut self, dt_secs: f32) {
        let driven = self.bodies.values_mut().filter(|body| body.kinematic && !body.is_asleep());
        driven.for_each(|body| body.set_off(dt_secs));
    }
}
