//! Bodies that are attached to each other.

use super::World;
use crate::body::{Body, BodyHandle};
use crate::report::{PhaseTimes, Timer};
use crate::selection::Selection;
use crate::tool::{Attachment, BrokenAttachment, ToolError, ToolHandle};
use glam::DVec3;

/// Attachments between two bodies. To a rigid body: [`World::attach`].
impl World {
    /// Holds nodes of a body to another, around the nodes of it that are selected, as they are to each other now. The two do not push
    /// each other where they are attached. Above `max_force` N between them, it lets go ([`broken_attachments`](Self::broken_attachments)).
    ///
    /// # Errors
    /// If a body is not there, both are the same, nothing of one is selected, or the force is not above 0.
    pub fn attach_nodes(
        &mut self,
        bodies: [BodyHandle; 2],
        selections: [&Selection; 2],
        max_force: Option<f32>,
    ) -> Result<ToolHandle, ToolError> {
        self.attach_with(bodies, max_force, |bodies| Attachment::of_nodes(bodies, selections))
    }

    /// Holds nodes of a body to the point of another's surface that is nearest to `point`, in the world, each at the distance that it
    /// has from it now. They turn about the point if nothing else holds them. As [`attach_nodes`](Self::attach_nodes) otherwise.
    ///
    /// # Errors
    /// If a body is not there, both are the same, nothing is selected, the point is not finite, or the force is not above 0.
    pub fn attach_to_surface(
        &mut self,
        bodies: [BodyHandle; 2],
        selection: &Selection,
        point: impl Into<DVec3>,
        max_force: Option<f32>,
    ) -> Result<ToolHandle, ToolError> {
        let point = point.into();
        self.attach_with(bodies, max_force, |bodies| Attachment::to_surface(bodies, selection, point))
    }

    /// The attachments that let go in the latest step. They are no longer in the world.
    pub fn broken_attachments(&self) -> &[BrokenAttachment] {
        &self.broken
    }

    /// An attachment needs the local maps of the nodes, which must be those of where they are.
    fn attach_with(
        &mut self,
        bodies: [BodyHandle; 2],
        max_force: Option<f32>,
        make: impl FnOnce([(BodyHandle, &Body); 2]) -> Result<Attachment, ToolError>,
    ) -> Result<ToolHandle, ToolError> {
        for body in bodies {
            self.body_mut(body)?.make_maps_unless_made();
        }
        let [a, b] = bodies;
        let attachment = make([(a, self.body(a)?), (b, self.body(b)?)])?;
        self.add_tool(attachment.with_max_force(max_force))
    }

    /// Checks that an attachment was made for bodies as they are now, and wakes both.
    pub(super) fn check_attachment(&mut self, attachment: &Attachment) -> Result<(), ToolError> {
        let [a, b] = attachment.bodies;
        if !attachment.fits_both([self.body(a)?, self.body(b)?]) {
            return Err(ToolError::AnotherBody { tool: "attachment" });
        }
        attachment.bodies.into_iter().for_each(|body| self.wake(body));
        Ok(())
    }

    /// Wakes bodies that are attached to one that moves.
    pub(super) fn wake_attached(&mut self) {
        let Self { tools, bodies, .. } = self;
        for attachment in tools.values().filter_map(|tool| tool.attachment()) {
            let [a, b] = attachment.bodies;
            let moves = |body: &Body| !body.is_asleep() && body.sleep.slow_secs == 0.0;
            for (mover, sleeper) in [(a, b), (b, a)] {
                // One that has been disabled no longer holds what slept with it.
                let lets_go = |body: &Body| !body.enabled && attachment.pulls();
                let disturbs = bodies.get(mover).is_some_and(|body| lets_go(body) || moves(body));
                if let Some(body) = bodies.get_mut(sleeper).filter(|body| body.rests() && disturbs) {
                    body.wake();
                }
            }
        }
    }

    /// The nodes that are attached in this step, for contacts.
    pub(super) fn find_attached(&mut self) {
        let attached = &mut self.contacts.attachments;
        attached.clear();
        self.tools.values().for_each(|tool| tool.act().attach(attached));
        attached.sort();
    }

    /// Holds attached bodies to each other for a substep.
    pub(super) fn hold_attached(&mut self, h: f32, ms: &mut PhaseTimes) {
        let _timer = Timer::new(&mut ms.contacts);
        let Self { tools, bodies, scratch, .. } = self;
        scratch.ties.hold(tools, bodies, &mut scratch.held, h);
    }

    /// Attachments that were pulled too hard in a step let go.
    pub(super) fn break_attachments(&mut self, dt_secs: f32) {
        self.broken.clear();
        let Self { tools, bodies, broken, .. } = self;
        for (handle, tool) in tools.iter_mut() {
            let Some(attachment) = tool.attachment_mut() else { continue };
            if !attachment.end_step(dt_secs) {
                continue;
            }
            let [Some(a), Some(b)] = attachment.bodies.map(|body| bodies.get(body)) else { continue };
            let sum: DVec3 = attachment.places([a, b]).map(|[a, b]| 0.5 * (a + b)).sum();
            broken.push(BrokenAttachment {
                attachment: handle,
                bodies: attachment.bodies,
                force: attachment.force(),
                place: sum / attachment.len().max(1) as f64,
            });
        }
        for event in 0..self.broken.len() {
            // It is there: it was just found.
            drop(self.remove_tool(self.broken[event].attachment));
        }
    }
}
