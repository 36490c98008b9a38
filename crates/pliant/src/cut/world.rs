//! Cuts of a world: asked for at any time, made at the end of a step.

use super::Blade;
use super::blade::BladeError;
use super::{Refusal, Severed};
use crate::body::{Body, BodyRest};
use crate::ids::{NodeId, StaleHandle};
use crate::report::StepReport;
use crate::tool::{Knife, Tool, ToolError};
use crate::world::{BodyHandle, ToolHandle, World};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A cut that is to be made at the end of the step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    /// Which body; all of them if none is named.
    body: Option<BodyHandle>,
    way: Way,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Way {
    Blade(Blade),
    Scissors { point: DVec3, normal: Vec3 },
}

/// What cut a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A blade that was handed to [`World::cut`].
    Blade,
    /// Scissors.
    Scissors,
    /// A knife.
    Knife(ToolHandle),
    /// It was stretched too far.
    Tear,
}

/// What a cut did to a body, or why it did nothing. Blades that miss a body leave no event.
#[derive(Clone, Debug)]
pub struct CutEvent {
    /// The body.
    pub body: BodyHandle,
    /// What cut it.
    pub cause: Cause,
    /// What came of it.
    pub result: Result<Parted, Refusal>,
}

/// What a body has become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parted {
    /// The body's version now: numbers of nodes and vertices from before mean others.
    pub version: u64,
    /// The pieces: the first is the body itself, which keeps its handle; others are new.
    pub pieces: Vec<BodyHandle>,
    /// For each node before the cut, which of the pieces it is in and its number there; empty where scissors made all nodes
    /// anew.
    pub nodes: Vec<(u32, NodeId)>,
    /// Connections that were crossed.
    pub crossed: usize,
}

impl World {
    /// Cuts all bodies that a blade goes through, at the end of the next step.
    pub fn cut(&mut self, blade: Blade) {
        self.orders.push(Order { body: None, way: Way::Blade(blade) });
    }

    /// Cuts one body with a blade, at the end of the next step.
    ///
    /// # Errors
    /// If the body is not there.
    pub fn cut_body(&mut self, body: BodyHandle, blade: Blade) -> Result<(), StaleHandle> {
        self.body(body)?;
        self.orders.push(Order { body: Some(body), way: Way::Blade(blade) });
        Ok(())
    }

    /// Cuts bodies in two along a plane, at the end of the next step, and keeps their own meshes, clipped and capped: all that
    /// the plane goes through, or the one that is named.
    ///
    /// # Errors
    /// If the plane is none, or the body is not there.
    pub fn scissors(
        &mut self,
        body: Option<BodyHandle>,
        point: impl Into<DVec3>,
        normal: Vec3,
    ) -> Result<(), CutError> {
        if let Some(body) = body {
            self.body(body)?;
        }
        let (point, normal) = Blade::plane(point, normal)?.flat(0.0).unwrap_or((DVec3::ZERO, Vec3::Y));
        self.orders.push(Order { body, way: Way::Scissors { point, normal } });
        Ok(())
    }

    /// Puts a knife into the world: what its edge is moved through is cut.
    ///
    /// # Errors
    /// If an end of the edge is not finite.
    pub fn knife(&mut self, edge: [DVec3; 2]) -> Result<ToolHandle, ToolError> {
        Ok(self.tools.insert(Tool::Knife(Knife::new(edge)?)))
    }

    /// Moves the edge of a knife.
    ///
    /// # Errors
    /// If it is not there, not a knife, or an end is not finite.
    pub fn move_knife(&mut self, knife: ToolHandle, edge: [DVec3; 2]) -> Result<(), ToolError> {
        match self.tool_mut(knife)? {
            Tool::Knife(knife) => knife.move_edge(edge),
            other => Err(ToolError::NotFor { tool: other.name(), action: "used as a knife" }),
        }
    }

    /// What the latest step cut, and what it could not.
    pub fn cuts(&self) -> &[CutEvent] {
        &self.cuts
    }

    /// Makes all cuts of a step.
    pub(crate) fn make_cuts(&mut self, report: &mut StepReport) {
        self.cuts.clear();
        for order in std::mem::take(&mut self.orders) {
            let bodies: Vec<BodyHandle> = match order.body {
                Some(body) => vec![body],
                None => self.bodies().map(|(handle, _)| handle).collect(),
            };
            for body in bodies {
                match &order.way {
                    Way::Blade(blade) => self.cut_with(body, blade, Cause::Blade),
                    Way::Scissors { point, normal } => {
                        self.scissor(body, *point, *normal, Cause::Scissors);
                    }
                }
            }
        }
        let knives: Vec<ToolHandle> = self
            .tools()
            .filter(|(_, tool)| matches!(tool, Tool::Knife(_)))
            .map(|(handle, _)| handle)
            .collect();
        knives.into_iter().for_each(|knife| self.cut_with_knife(knife));
        self.tear();
        report.cuts = self.cuts.iter().filter(|event| event.result.is_ok()).count();
    }

    fn cut_with_knife(&mut self, handle: ToolHandle) {
        let Ok(Tool::Knife(mut knife)) = self.tool(handle).cloned() else { return };
        let bodies: Vec<BodyHandle> = self.bodies().map(|(body, _)| body).collect();
        for body in bodies {
            let Ok(of) = self.body(body) else { continue };
            if of.takes_whole_cuts() {
                if let Some((point, normal)) = knife.plane(body, of) {
                    let pieces = self.scissor(body, point, normal, Cause::Knife(handle));
                    // Also what could not be parted is not tried again in this stroke.
                    knife.has_parted(&[body]);
                    knife.has_parted(&pieces);
                }
            } else if let Some(blade) = knife.blade(body, of) {
                self.cut_with(body, &blade, Cause::Knife(handle));
            }
        }
        for (body, of) in self.bodies.iter() {
            knife.mark(body, of);
        }
        knife.rest_here(|body| self.body(body).is_ok());
        if let Ok(tool) = self.tool_mut(handle) {
            *tool = Tool::Knife(knife);
        }
    }

    fn cut_with(&mut self, handle: BodyHandle, blade: &Blade, cause: Cause) {
        let Some(body) = self.bodies.get(handle) else { return };
        if body.takes_whole_cuts() {
            // As flat as makes no difference to the body's looks.
            let most = 0.02 * body.rest().nodes.radius;
            match blade.flat(most) {
                _ if !body.is_met_by(blade) => {}
                Some((point, normal)) => {
                    self.scissor(handle, point, normal, cause);
                }
                None => {
                    let result = Err(Refusal::Bent { model: body.model.name() });
                    self.cuts.push(CutEvent { body: handle, cause, result });
                }
            }
            return;
        }
        self.refine_and_divide(handle, blade, cause, |body| body.cut(blade));
    }

    fn tear(&mut self) {
        let bodies: Vec<BodyHandle> =
            self.bodies().filter(|(_, body)| body.can_tear()).map(|(handle, _)| handle).collect();
        for body in bodies {
            self.divide(body, Cause::Tear, Body::tear);
        }
        // That dust cannot be torn off is nothing to tell of.
        self.cuts.retain(|event| event.cause != Cause::Tear || event.result.is_ok());
    }

    /// Cuts a body in two along a plane; returns its pieces, none if it was not cut.
    fn scissor(&mut self, handle: BodyHandle, point: DVec3, normal: Vec3, cause: Cause) -> Vec<BodyHandle> {
        let Ok(blade) = Blade::plane(point, normal) else { return Vec::new() };
        if !self.bodies.get(handle).is_some_and(|body| body.is_met_by(&blade)) {
            return Vec::new();
        }
        self.refine_and_divide(handle, &blade, cause, |body| body.scissor(&blade))
    }

    /// Makes a body fine along a blade and divides it. If that is refused, it is as coarse as before.
    fn refine_and_divide(
        &mut self,
        handle: BodyHandle,
        blade: &Blade,
        cause: Cause,
        cut: impl FnOnce(&mut Body) -> Result<Option<Severed>, Refusal>,
    ) -> Vec<BodyHandle> {
        let room = self.room();
        let Some(body) = self.bodies.get_mut(handle) else { return Vec::new() };
        let coarse = body.model.adapt().is_some().then(|| body.clone());
        if !body.refine_along(blade, room) {
            return self.divide(handle, cause, cut);
        }
        let tools = self.tools.clone();
        self.follow_changes();
        let events = self.cuts.len();
        let pieces = self.divide(handle, cause, cut);
        if self.cuts.len() > events && pieces.is_empty() {
            self.tools = tools;
            if let (Some(body), Some(coarse)) = (self.bodies.get_mut(handle), coarse) {
                *body = coarse;
            }
        }
        pieces
    }

    /// Nodes that the budget has room for.
    fn room(&self) -> usize {
        let nodes: usize = self.bodies.values().map(|body| body.nodes.positions.len()).sum();
        self.settings.budget.map_or(usize::MAX, |budget| budget.nodes(self.node_ms).saturating_sub(nodes))
    }

    /// Divides a body, puts what comes off into the world, and lets tools hold on to what they held. Returns the pieces, none if it
    /// was not divided.
    fn divide(
        &mut self,
        handle: BodyHandle,
        cause: Cause,
        cut: impl FnOnce(&mut Body) -> Result<Option<Severed>, Refusal>,
    ) -> Vec<BodyHandle> {
        let Some(body) = self.bodies.get_mut(handle) else { return Vec::new() };
        let before = body.rest().clone();
        let result = match cut(body) {
            Ok(None) => return Vec::new(),
            Ok(Some(Severed { crossed, others, nodes, anew })) => {
                let version = body.version();
                let mut pieces = vec![handle];
                pieces.extend(others.into_iter().map(|other| self.bodies.insert(other)));
                self.hand_over(&before, &pieces, &nodes, anew);
                let nodes = nodes.into_iter().map(|(piece, node)| (piece, NodeId(node))).collect();
                Ok(Parted { version, pieces, nodes, crossed })
            }
            Err(refusal) => Err(refusal),
        };
        let pieces = result.as_ref().map(|parted| parted.pieces.clone()).unwrap_or_default();
        self.cuts.push(CutEvent { body: handle, cause, result });
        pieces
    }

    /// Lets pins, picks and knives hold on to the pieces of a body.
    fn hand_over(&mut self, before: &Arc<BodyRest>, pieces: &[BodyHandle], nodes: &[(u32, u32)], anew: bool) {
        let Self { bodies, tools, .. } = self;
        let mut more = Vec::new();
        let of = |piece: u32| Some((pieces[piece as usize], bodies.get(pieces[piece as usize])?));
        for tool in tools.values_mut() {
            match tool {
                Tool::Pick(pick) if pick.body == pieces[0] => pick.hand_over(before, nodes, of),
                Tool::Pin(pin) if pin.body == pieces[0] => {
                    more.extend(pin.hand_over((nodes, anew), pieces.len(), of).into_iter().map(Tool::Pin));
                }
                Tool::Knife(knife) => knife.hand_over(pieces),
                _ => {}
            }
        }
        for tool in more {
            tools.insert(tool);
        }
    }
}

/// Why a cut cannot be asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CutError {
    /// The blade is none.
    #[error(transparent)]
    Blade(#[from] BladeError),
    /// The body is gone.
    #[error(transparent)]
    Stale(#[from] StaleHandle),
}
