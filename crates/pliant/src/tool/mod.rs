//! What a user or a program moves the world with.
//!
//! Tools push through [`Loads`](crate::nodes::Loads): however strong a tool is and however long the step, it never makes a node overshoot.

mod carrier;
mod knife;
mod pick;
mod pin;
mod push;
mod ray;
mod wind;

pub use carrier::Carrier;
pub use knife::Knife;
pub use pick::{Pick, PickSettings};
pub use pin::Pin;
pub use push::Push;
pub use ray::RayHit;
pub use wind::Wind;

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// One tool of a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Tool {
    /// A spring from a vertex to a target.
    Pick(Pick),
    /// A ball that pushes.
    Push(Push),
    /// Nodes held in place.
    Pin(Pin),
    /// Moving air.
    Wind(Wind),
    /// An edge that cuts.
    Knife(Knife),
}

/// Why a tool could not be used so.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ToolError {
    /// The tool or the body it is to act on is gone.
    #[error(transparent)]
    Stale(#[from] crate::ids::StaleHandle),
    /// The body has no such vertex.
    #[error("the body's skin has {count} vertices, so there is no vertex {vertex}")]
    NoSuchVertex {
        /// Asked for.
        vertex: u32,
        /// There are.
        count: usize,
    },
    /// Nothing to hold.
    #[error("the selection contains none of the body's {nodes} nodes")]
    NothingSelected {
        /// There are.
        nodes: usize,
    },
    /// A locked pick stays where it is.
    #[error("the pick is locked in place; unlock it to move it")]
    Locked,
    /// A setting outside its range.
    #[error("{name} is {value}; it must be {range}")]
    Setting {
        /// The field.
        name: &'static str,
        /// What it was.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// A tool that has no such property.
    #[error("a {tool} cannot be {action}")]
    NotFor {
        /// The kind of tool.
        tool: &'static str,
        /// What was asked of it.
        action: &'static str,
    },
}

impl Tool {
    /// The tool's word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pick(_) => "pick",
            Self::Push(_) => "push",
            Self::Pin(_) => "pin",
            Self::Wind(_) => "wind",
            Self::Knife(_) => "knife",
        }
    }

    /// The body that it holds, if it holds one.
    pub fn body(&self) -> Option<crate::world::BodyHandle> {
        match self {
            Self::Pick(pick) => Some(pick.body),
            Self::Pin(pin) => Some(pin.body),
            Self::Push(_) | Self::Wind(_) | Self::Knife(_) => None,
        }
    }

    /// Where the tool is or pulls to; for pins how far they have been moved, for knives the
    /// middle of the edge; wind is nowhere.
    pub fn position(&self) -> Option<DVec3> {
        match self {
            Self::Pick(pick) => Some(pick.target),
            Self::Push(push) => Some(push.center),
            Self::Pin(pin) => Some(pin.moved),
            Self::Wind(_) => None,
            Self::Knife(knife) => Some(knife.middle()),
        }
    }

    /// Moves the tool: a pick's target, a push's centre, a knife, or how far pinned nodes are from where they were pinned.
    ///
    /// # Errors
    /// If the pick is locked, the tool is wind or carried by a rigid body, or the position is not finite.
    pub fn move_to(&mut self, position: DVec3) -> Result<(), ToolError> {
        if !position.is_finite() {
            let value = position.length();
            return Err(ToolError::Setting { name: "position", value, range: "finite" });
        }
        match self {
            Self::Pick(pick) if pick.locked => return Err(ToolError::Locked),
            Self::Pick(pick) => pick.target = position,
            Self::Push(push) => push.center = position,
            Self::Pin(pin) if pin.carrier.is_some() => {
                return Err(ToolError::NotFor { tool: "pin on a rigid body", action: "moved" });
            }
            Self::Pin(pin) => pin.moved = position,
            Self::Knife(knife) => {
                let by = position - knife.middle();
                knife.move_edge(knife.edge.map(|end| end + by))?;
            }
            Self::Wind(_) => return Err(ToolError::NotFor { tool: "wind", action: "moved" }),
        }
        Ok(())
    }
}

/// Checks that a setting is 0 or more and finite.
fn not_negative(name: &'static str, value: f32) -> Result<(), ToolError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(ToolError::Setting { name, value: f64::from(value), range: "0 or more" })
}
