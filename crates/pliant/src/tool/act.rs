//! What a world asks of a tool.

use super::{Attachment, Carrier, Tool, ToolError};
use crate::body::{Body, BodyHandle, BodyRest};
use crate::contact::{AttachedNodes, RigidMotion};
use crate::cut::Blade;
use crate::ids::Arena;
use crate::nodes::{HeldNodes, Loads};
use glam::{DVec3, Quat, Vec3};

/// What a world asks of a tool. Each answer that is given here is that of a tool which the question does not concern.
pub(crate) trait Act {
    /// Its word in messages and the interface.
    fn word(&self) -> &'static str;

    /// Checks its settings.
    ///
    /// # Errors
    /// The first that is out of range.
    fn validate(&self) -> Result<(), ToolError> {
        Ok(())
    }

    /// The body that it holds.
    fn body(&self) -> Option<BodyHandle> {
        None
    }

    /// The other body, if it holds two to each other.
    fn other_body(&self) -> Option<BodyHandle> {
        None
    }

    /// Whether it was made for this body as it is now: its nodes have the numbers that the tool knows.
    fn fits(&self, _body: &Body) -> bool {
        true
    }

    /// Where it is; what that means depends on the tool.
    fn position(&self) -> Option<DVec3> {
        None
    }

    /// Moves it to a finite position.
    ///
    /// # Errors
    /// If it cannot be moved, or not now.
    fn move_to(&mut self, _position: DVec3) -> Result<(), ToolError> {
        Err(ToolError::NotFor { tool: self.word(), action: "moved" })
    }

    /// Puts it to a finite position at once, where [`move_to`](Self::move_to) takes a step.
    ///
    /// # Errors
    /// If it cannot be moved, or not now.
    fn put(&mut self, position: DVec3) -> Result<(), ToolError> {
        self.move_to(position)
    }

    /// Moves and turns what it holds in the next step, from how it was held at first.
    ///
    /// # Errors
    /// If it cannot be turned.
    fn turn_to(&mut self, _moved: DVec3, _turned: Quat) -> Result<(), ToolError> {
        Err(ToolError::NotFor { tool: self.word(), action: "turned" })
    }

    /// Moves its edge.
    ///
    /// # Errors
    /// If it has none, or an end is not finite.
    fn move_edge(&mut self, _edge: [DVec3; 2]) -> Result<(), ToolError> {
        Err(ToolError::NotFor { tool: self.word(), action: "used as a knife" })
    }

    /// Whether it is locked in place; `None` if it cannot be.
    fn locked(&self) -> Option<bool> {
        None
    }

    /// Locks it in place, or unlocks it.
    ///
    /// # Errors
    /// If it cannot be locked.
    fn lock(&mut self, _locked: bool) -> Result<(), ToolError> {
        Err(ToolError::NotFor { tool: self.word(), action: "locked" })
    }

    /// Where a user can take hold of it.
    fn grips(&self) -> Vec<DVec3> {
        Vec::new()
    }

    /// The ball around the places where it acts, which adaptive bodies are finer in: center and radius in metres. `held` is the
    /// body that it holds.
    fn focus(&self, _held: Option<&Body>) -> Option<(DVec3, f32)> {
        None
    }

    /// The ball in which no body sleeps.
    fn wakes_in(&self) -> Option<(DVec3, f32)> {
        None
    }

    /// Whether no body sleeps at all.
    fn keeps_awake(&self) -> bool {
        false
    }

    /// Whether it moves the body that it holds by itself, so that this one cannot sleep.
    fn moves_held(&self, _body: &Body) -> bool {
        false
    }

    /// Whether what it does to the body that it holds depends on the local maps of the nodes.
    fn reads_maps(&self) -> bool {
        false
    }

    /// Adds what it does to a body in a substep of `h` seconds.
    fn load(&self, _body: &Body, _loads: &mut Loads, _h: f32) {}

    /// Whether it holds its body by these loads.
    fn pulls(&self) -> bool {
        false
    }

    /// Adds dampers that stay the same for a whole step. They act on the surface, whose maps are made once a step.
    fn load_step(&self, _body: &Body, _loads: &mut Loads, _time_secs: f64) {}

    /// Whether it gives what it holds another speed when the next step begins.
    fn sets_off(&self) -> bool {
        false
    }

    /// Begins a step of `dt_secs`, with the body that it holds.
    fn start(&mut self, _body: Option<&mut Body>, _dt_secs: f32) {}

    /// Begins a substep of `h` seconds, of which there are `left` with this one.
    fn advance(&mut self, _h: f32, _left: u32) {}

    /// Ends a step.
    fn arrive(&mut self) {}

    /// Adds the nodes that it holds to those of the body.
    fn hold(&self, _held: &mut HeldNodes) {}

    /// The rigid body that carries the nodes it holds.
    fn carrier(&self) -> Option<&Carrier> {
        None
    }

    /// The rigid body that carries the nodes it holds.
    fn carrier_mut(&mut self) -> Option<&mut Carrier> {
        None
    }

    /// Lets a rigid body and the nodes that are held to it find their common velocity; returns it if the rigid body feels them.
    fn join(&mut self, _body: &Body) -> Option<RigidMotion> {
        None
    }

    /// Moves a carrier on by `h` seconds, with the nodes of the body if that is awake.
    fn carry(&mut self, _body: Option<&mut Body>, _h: f32) {}

    /// The attachment that it is.
    fn attachment(&self) -> Option<&Attachment> {
        None
    }

    /// The attachment that it is.
    fn attachment_mut(&mut self) -> Option<&mut Attachment> {
        None
    }

    /// Adds the nodes that it attaches to another body, where the two do not push each other.
    fn attach(&self, _attached: &mut AttachedNodes) {}

    /// Keeps up with a body whose nodes have changed.
    fn follow(&mut self, _body: &Body) {}

    /// Keeps up with two bodies, of which the nodes of some have changed.
    fn follow_both(&mut self, _bodies: &Arena<Body>) {}

    /// Keeps up with a body that was divided. Returns tools for the pieces that one tool cannot hold as well.
    fn hand_over(&mut self, _division: &Division) -> Vec<Tool> {
        Vec::new()
    }

    /// Whether it has an edge that cuts.
    fn cuts(&self) -> bool {
        false
    }

    /// What it has cut through a body since the latest step.
    fn stroke(&self, _handle: BodyHandle, _body: &Body) -> Option<Stroke> {
        None
    }

    /// Remembers the pieces of a body that this stroke has cut through as a whole.
    fn has_parted(&mut self, _pieces: &[BodyHandle]) {}

    /// All cuts of the step are made.
    fn end_stroke(&mut self, _bodies: &Arena<Body>) {}
}

/// What an edge cuts a body with.
#[derive(Clone, Debug)]
pub(crate) enum Stroke {
    /// The surface that it swept.
    Blade(Blade),
    /// A plane through the whole body.
    Plane {
        /// A point of it.
        point: DVec3,
        /// Its unit normal.
        normal: Vec3,
    },
}

/// What a cut has made of a body.
pub(crate) struct Division<'a> {
    /// The body's rest shape before.
    pub before: &'a BodyRest,
    /// The pieces; the first is the body itself.
    pub pieces: &'a [BodyHandle],
    /// The piece that each node of the body is in now, and its number there.
    pub nodes: &'a [(u32, u32)],
    /// Whether all nodes were made anew; then these are the nearest.
    pub anew: bool,
    /// All bodies, the pieces among them.
    pub bodies: &'a Arena<Body>,
}

impl Division<'_> {
    /// A piece by its number.
    pub fn piece(&self, piece: u32) -> Option<(BodyHandle, &Body)> {
        let handle = *self.pieces.get(piece as usize)?;
        Some((handle, self.bodies.get(handle)?))
    }

    /// Whether it is this body that was divided.
    pub fn is_of(&self, body: BodyHandle) -> bool {
        self.pieces.first() == Some(&body)
    }
}
