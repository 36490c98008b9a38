//! Tools of a world.

use super::{World, stale};
use crate::body::BodyHandle;
use crate::ids::StaleHandle;
use crate::selection::Selection;
use crate::tool::{
    Carrier, Knife, Pick, PickSettings, Pin, Push, Reaction, Tool, ToolError, ToolHandle, Wind,
};
use glam::{DVec3, Quat};

impl World {
    /// Puts a tool into the world; the bodies that it holds wake.
    ///
    /// # Errors
    /// If a setting is out of range, the body that it holds is not there, or it was made for another one.
    pub fn add_tool(&mut self, tool: impl Into<Tool>) -> Result<ToolHandle, ToolError> {
        let tool = tool.into();
        tool.act().validate()?;
        if let Some(body) = tool.body()
            && !tool.act().fits(self.body_mut(body)?)
        {
            return Err(ToolError::AnotherBody { tool: tool.name() });
        }
        if let Some(attachment) = tool.attachment() {
            self.check_attachment(attachment)?;
        }
        Ok(self.tools.insert(tool))
    }

    /// Grabs a vertex of a body's skin; it is pulled to where it is until the pick is moved.
    ///
    /// # Errors
    /// If the body or the vertex is not there.
    pub fn pick(
        &mut self,
        body: BodyHandle,
        vertex: u32,
        settings: PickSettings,
    ) -> Result<ToolHandle, ToolError> {
        let pick = Pick::new(body, self.body_mut(body)?, vertex, settings)?;
        self.add_tool(pick)
    }

    /// Holds nodes of a body where they are.
    ///
    /// # Errors
    /// If the body is not there or nothing is selected.
    pub fn pin(&mut self, body: BodyHandle, selection: &Selection) -> Result<ToolHandle, ToolError> {
        let pin = self.pin_of(body, selection)?;
        self.add_tool(pin)
    }

    /// A pin remembers the local maps of the nodes, which must be those of where they are.
    fn pin_of(&mut self, handle: BodyHandle, selection: &Selection) -> Result<Pin, ToolError> {
        let body = self.body_mut(handle)?;
        body.make_maps_unless_made();
        Pin::new(handle, body, selection)
    }

    /// Holds nodes of a body to a rigid body, which carries them and feels them. Whoever moves the rigid body keeps the carrier
    /// up to date ([`World::carriers_mut`]).
    ///
    /// # Errors
    /// If the body is not there, nothing is selected, or a number of the carrier makes no sense.
    pub fn attach(
        &mut self,
        body: BodyHandle,
        selection: &Selection,
        carrier: Carrier,
    ) -> Result<ToolHandle, ToolError> {
        let pin = self.pin_of(body, selection)?.carried(carrier)?;
        self.add_tool(pin)
    }

    /// The carriers of all pins that have one, to change.
    pub fn carriers_mut(&mut self) -> impl Iterator<Item = (ToolHandle, &mut Carrier)> {
        self.tools.iter_mut().filter_map(|(handle, tool)| Some((handle, tool.carrier_mut()?)))
    }

    /// Puts a ball into the world that pushes bodies away.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn push(&mut self, push: Push) -> Result<ToolHandle, ToolError> {
        self.add_tool(push)
    }

    /// Lets the wind blow.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn wind(&mut self, wind: Wind) -> Result<ToolHandle, ToolError> {
        self.add_tool(wind)
    }

    /// Puts a knife into the world: what its edge is moved through is cut.
    ///
    /// # Errors
    /// If an end of the edge is not finite.
    pub fn knife(&mut self, edge: [DVec3; 2]) -> Result<ToolHandle, ToolError> {
        self.add_tool(Knife::new(edge)?)
    }

    /// Moves the edge of a knife.
    ///
    /// # Errors
    /// If it is not there, not a knife, or an end is not finite.
    pub fn move_knife(&mut self, knife: ToolHandle, edge: [DVec3; 2]) -> Result<(), ToolError> {
        self.tool_mut(knife)?.act_mut().move_edge(edge)
    }

    /// Moves a tool: a pick's target, a push's centre, a knife, or how far pinned nodes are from where they were pinned. Pinned
    /// nodes travel there during the next step, at an even speed, and carry what rests on them.
    ///
    /// # Errors
    /// If it is not there or cannot be moved.
    pub fn move_tool(&mut self, tool: ToolHandle, position: impl Into<DVec3>) -> Result<(), ToolError> {
        let position = position.into();
        self.change_tool(tool, |tool| tool.move_to(position))
    }

    /// As [`move_tool`](Self::move_tool), but pinned nodes are there at once, without a velocity: what rests on them stays behind.
    ///
    /// # Errors
    /// As of [`move_tool`](Self::move_tool).
    pub fn put_tool(&mut self, tool: ToolHandle, position: impl Into<DVec3>) -> Result<(), ToolError> {
        let position = position.into();
        self.change_tool(tool, |tool| tool.put(position))
    }

    /// Lets pinned nodes travel to a pose during the next step, at an even speed: `moved` in metres from where they were pinned, and
    /// `turned` about the middle of where they were then.
    ///
    /// # Errors
    /// If it is not there, not a pin, carried by a rigid body, or the pose is none.
    pub fn turn_tool(
        &mut self,
        tool: ToolHandle,
        moved: impl Into<DVec3>,
        turned: Quat,
    ) -> Result<(), ToolError> {
        let moved = moved.into();
        self.change_tool(tool, |tool| tool.turn_to(moved, turned))
    }

    /// Changes a tool and, if that moves it, wakes the body that it holds.
    fn change_tool(
        &mut self,
        tool: ToolHandle,
        change: impl FnOnce(&mut Tool) -> Result<(), ToolError>,
    ) -> Result<(), ToolError> {
        let tool = self.tool_mut(tool)?;
        let before = tool.position();
        change(tool)?;
        if let Some(body) = tool.body().filter(|_| tool.position() != before) {
            self.wake(body);
        }
        Ok(())
    }

    /// Locks a pick in place, or unlocks it.
    ///
    /// # Errors
    /// If it is not there or not a pick.
    pub fn lock(&mut self, tool: ToolHandle, locked: bool) -> Result<(), ToolError> {
        self.tool_mut(tool)?.act_mut().lock(locked)
    }

    /// Lets go of all picks that are not locked.
    pub fn release_picks(&mut self) {
        let loose = |tool: &Tool| tool.locked() == Some(false);
        let picks: Vec<ToolHandle> = self.tools.iter().filter(|(_, t)| loose(t)).map(|(h, _)| h).collect();
        // They are there: they were just found.
        picks.into_iter().for_each(|pick| drop(self.remove_tool(pick)));
    }

    /// Takes a tool out.
    ///
    /// # Errors
    /// If it is not there.
    pub fn remove_tool(&mut self, tool: ToolHandle) -> Result<Tool, StaleHandle> {
        let removed = self.tools.remove(tool).ok_or_else(|| stale("tool", tool))?;
        self.reactions.forget(tool);
        removed.bodies().for_each(|body| self.wake(body));
        Ok(removed)
    }

    /// What it took to hold bodies in the latest step, by tool: of pins, picks and attachments.
    pub fn reactions(&self) -> &[Reaction] {
        &self.reactions.now
    }

    /// What a tool holds its body with, or an attachment the first of its bodies; none if it is no such tool, or there was no step yet.
    pub fn reaction(&self, tool: ToolHandle) -> Option<&Reaction> {
        self.reactions.now.iter().find(|reaction| reaction.tool == tool)
    }

    /// A tool.
    ///
    /// # Errors
    /// If it is not there.
    pub fn tool(&self, tool: ToolHandle) -> Result<&Tool, StaleHandle> {
        self.tools.get(tool).ok_or_else(|| stale("tool", tool))
    }

    pub(super) fn tool_mut(&mut self, tool: ToolHandle) -> Result<&mut Tool, StaleHandle> {
        self.tools.get_mut(tool).ok_or_else(|| stale("tool", tool))
    }

    /// All tools.
    pub fn tools(&self) -> impl Iterator<Item = (ToolHandle, &Tool)> {
        self.tools.iter()
    }
}
