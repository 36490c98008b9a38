//! What a user or a program moves the world with.
//!
//! Tools push through [`Loads`](crate::nodes::Loads): however strong a tool is and however long the step, it never makes a
//! node overshoot.
//!
//! A tool is one file, with an implementation of `Act`, and one line in the list of [`Tool`]s.

mod act;
mod anchors;
mod attachment;
mod carrier;
mod carriers;
mod carry;
mod knife;
mod loading;
mod pick;
mod pin;
mod pose;
mod push;
mod reaction;
mod ties;
mod wind;

pub(crate) use act::{Act, Division, Stroke};
pub use attachment::{Attachment, BrokenAttachment};
pub use carrier::Carrier;
pub(crate) use carry::{carry, give_to_carriers};
pub use knife::Knife;
pub(crate) use loading::{LoadScratch, LoadStep, load};
pub use pick::{Pick, PickSettings};
pub use pin::Pin;
pub use push::Push;
pub use reaction::Reaction;
pub(crate) use reaction::Reactions;
pub(crate) use ties::Ties;
pub use wind::Wind;

use crate::body::BodyHandle;
use crate::ids::Handle;
use glam::{DVec3, Quat};
use serde::{Deserialize, Serialize};

/// Names a tool of a world.
pub type ToolHandle = Handle<Tool>;

macro_rules! tools {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        /// One tool of a world.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[expect(clippy::large_enum_variant, reason = "a world has few tools, and most of them are pins")]
        pub enum Tool {
            $($(#[$doc])* $name($name),)+
        }

        $(impl From<$name> for Tool {
            fn from(tool: $name) -> Self {
                Self::$name(tool)
            }
        })+

        impl Tool {
            #[cfg(test)]
            const KINDS: &[&str] = &[$(stringify!($name)),+];

            pub(crate) fn act(&self) -> &dyn Act {
                match self {
                    $(Self::$name(tool) => tool,)+
                }
            }

            pub(crate) fn act_mut(&mut self) -> &mut dyn Act {
                match self {
                    $(Self::$name(tool) => tool,)+
                }
            }
        }
    };
}

// Snapshots keep a tool by its place in this list: new ones come last.
tools! {
    /// A spring from a vertex to a target.
    Pick,
    /// A ball that pushes.
    Push,
    /// Nodes held in place.
    Pin,
    /// Moving air.
    Wind,
    /// An edge that cuts.
    Knife,
    /// Two bodies held to each other.
    Attachment,
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
    /// The numbers of nodes that the tool knows are not those of the body.
    #[error("the {tool} was made for another body, or before the body's nodes changed; make it anew")]
    AnotherBody {
        /// The kind of tool.
        tool: &'static str,
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
        self.act().word()
    }

    /// The body that it holds, if it holds one; of an [`Attachment`] the first.
    pub fn body(&self) -> Option<BodyHandle> {
        self.act().body()
    }

    /// All bodies that it holds.
    pub fn bodies(&self) -> impl Iterator<Item = BodyHandle> + use<> {
        self.act().body().into_iter().chain(self.act().other_body())
    }

    /// The attachment that it is, if it is one.
    pub fn attachment(&self) -> Option<&Attachment> {
        self.act().attachment()
    }

    pub(crate) fn attachment_mut(&mut self) -> Option<&mut Attachment> {
        self.act_mut().attachment_mut()
    }

    /// Where the tool is or pulls to; for pins how far they have been moved, for knives the
    /// middle of the edge; wind is nowhere.
    pub fn position(&self) -> Option<DVec3> {
        self.act().position()
    }

    /// Where a user can take hold of it: the target of a pick, the places of pinned nodes.
    pub fn grips(&self) -> Vec<DVec3> {
        self.act().grips()
    }

    /// Whether it is locked in place; `None` if it is of a kind that cannot be.
    pub fn locked(&self) -> Option<bool> {
        self.act().locked()
    }

    /// The rigid body that carries the nodes it holds, if one does.
    pub fn carrier(&self) -> Option<&Carrier> {
        self.act().carrier()
    }

    pub(crate) fn carrier_mut(&mut self) -> Option<&mut Carrier> {
        self.act_mut().carrier_mut()
    }

    /// Moves the tool: a pick's target, a push's centre, a knife, or how far pinned nodes are from where they were pinned. Pinned
    /// nodes get there during the next step, at an even speed.
    ///
    /// # Errors
    /// If the pick is locked, the tool is wind or carried by a rigid body, or the position is not finite.
    pub fn move_to(&mut self, position: DVec3) -> Result<(), ToolError> {
        finite("position", position)?;
        self.act_mut().move_to(position)
    }

    /// As [`move_to`](Self::move_to), but pinned nodes are there at once and without a velocity.
    ///
    /// # Errors
    /// As of [`move_to`](Self::move_to).
    pub fn put(&mut self, position: DVec3) -> Result<(), ToolError> {
        finite("position", position)?;
        self.act_mut().put(position)
    }

    /// Moves and turns pinned nodes during the next step, at an even speed: `moved` in metres from where they were pinned and
    /// `turned` about the middle of where they were then.
    ///
    /// # Errors
    /// If the tool is not a pin or is carried by a rigid body, or the pose is none.
    pub fn turn_to(&mut self, moved: DVec3, turned: Quat) -> Result<(), ToolError> {
        finite("position", moved)?;
        if !turned.is_normalized() {
            let value = f64::from(turned.length());
            return Err(ToolError::Setting { name: "rotation", value, range: "a unit quaternion" });
        }
        self.act_mut().turn_to(moved, turned)
    }
}

/// Checks that a place is finite.
fn finite(name: &'static str, place: DVec3) -> Result<(), ToolError> {
    if place.is_finite() {
        return Ok(());
    }
    Err(ToolError::Setting { name, value: place.length(), range: "finite" })
}

/// Checks that a setting is 0 or more and finite.
fn not_negative(name: &'static str, value: f32) -> Result<(), ToolError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(ToolError::Setting { name, value: f64::from(value), range: "0 or more" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }

    #[test]
    fn nothing_outside_this_room_matches_on_kinds_of_tools() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        sources(&root, &mut files);
        assert!(files.contains(&root.join("world/tools.rs")));
        for file in files.iter().filter(|file| !file.starts_with(root.join("tool"))) {
            let text = std::fs::read_to_string(file).unwrap();
            for kind in Tool::KINDS {
                assert!(!text.contains(&format!("Tool::{kind}(")), "{} matches on {kind}", file.display());
            }
        }
    }
}
