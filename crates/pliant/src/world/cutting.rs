//! Cuts of a world: asked for at any time, made at the end of a step.

use super::World;
use crate::body::{Body, BodyHandle, BodyRest};
use crate::cut::{Blade, BladeError, Refusal, Severed, Trial};
use crate::geometry::Lists;
use crate::ids::{NodeId, StaleHandle};
use crate::nodes::Renumbering;
use crate::report::{PhaseTimes, Timer};
use crate::tool::{Division, Stroke, ToolHandle};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

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

/// What a cut did to a body, or why it did nothing.
///
/// Blades that miss a body leave no event of it. A cut that was asked for and found nothing at all to cut has one, which says so
/// ([`Refusal::Nothing`]); knives may well be moved through air, and have none.
#[derive(Clone, Debug)]
pub struct CutEvent {
    /// The body; none if every body was to be cut that the blade meets, and it meets none.
    pub body: Option<BodyHandle>,
    /// What cut it.
    pub cause: Cause,
    /// What came of it.
    pub result: Result<Parted, Refusal>,
}

/// What a body has become.
#[derive(Clone, Debug, PartialEq)]
pub struct Parted {
    /// The body's version now: numbers of nodes and vertices from before mean others.
    pub version: u64,
    /// The pieces: the first is the body itself, which keeps its handle; others are new.
    pub pieces: Vec<BodyHandle>,
    /// For each node that the body had before the cut, the pieces it is in now and its numbers there: one, or several of a node
    /// that was divided because the body was made finer along the blade; where scissors made all nodes anew, the nearest.
    pub nodes: Lists<(u32, NodeId)>,
    /// Connections that were crossed.
    pub crossed: usize,
    /// Where in the world: up to [`MOST_PLACES`](crate::cut::MOST_PLACES) places, evenly over all that were crossed.
    pub places: Vec<DVec3>,
    /// Whether the surfaces of all pieces are closed and oriented, as they must be: a debug build stops if one is not.
    pub closed: bool,
}

impl Way {
    fn cause(&self) -> Cause {
        match self {
            Self::Blade(_) => Cause::Blade,
            Self::Scissors { .. } => Cause::Scissors,
        }
    }
}

/// What nodes have become that were first made `finer`, change by change, and then put into pieces, by the numbers they had before
/// all of that.
fn as_before(nodes: &[(u32, u32)], finer: &[Renumbering]) -> Lists<(u32, NodeId)> {
    let mut places: Vec<Vec<(u32, NodeId)>> =
        nodes.iter().map(|&(piece, node)| vec![(piece, NodeId(node))]).collect();
    for Renumbering { kept, from_parent, from_children } in finer.iter().rev() {
        let mut heirs = vec![Vec::new(); kept.after.len()];
        for (node, now) in places.iter().enumerate() {
            let before = kept.before[node].into_iter().chain(from_parent[node]);
            before
                .chain(from_children.of(node).iter().copied())
                .for_each(|old| heirs[old as usize].extend(now));
        }
        places = heirs;
    }
    places.into_iter().collect()
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

    /// What the latest step cut, and what it could not.
    pub fn cuts(&self) -> &[CutEvent] {
        &self.cuts
    }

    /// Makes all cuts of a step; returns how many bodies were cut.
    pub(super) fn make_cuts(&mut self, ms: &mut PhaseTimes) -> usize {
        let _timer = Timer::new(&mut ms.cuts);
        self.cuts.clear();
        for order in std::mem::take(&mut self.orders) {
            let events = self.cuts.len();
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
            if self.cuts.len() == events {
                let cause = order.way.cause();
                self.cuts.push(CutEvent { body: order.body, cause, result: Err(Refusal::Nothing) });
            }
        }
        let knives: Vec<ToolHandle> =
            self.tools().filter(|(_, tool)| tool.act().cuts()).map(|(handle, _)| handle).collect();
        knives.into_iter().for_each(|knife| self.cut_with_tool(knife));
        self.tear();
        self.cuts.iter().filter(|event| event.result.is_ok()).count()
    }

    fn cut_with_tool(&mut self, handle: ToolHandle) {
        let Ok(mut tool) = self.tool(handle).cloned() else { return };
        let bodies: Vec<BodyHandle> = self.bodies().map(|(body, _)| body).collect();
        for body in bodies {
            let Some(of) = self.bodies.get(body).filter(|body| body.enabled) else { continue };
            match tool.act().stroke(body, of) {
                Some(Stroke::Plane { point, normal }) => {
                    let pieces = self.scissor(body, point, normal, Cause::Knife(handle));
                    // Also what could not be parted is not tried again in this stroke.
                    tool.act_mut().has_parted(&[body]);
                    tool.act_mut().has_parted(&pieces);
                }
                Some(Stroke::Blade(blade)) => self.cut_with(body, &blade, Cause::Knife(handle)),
                None => {}
            }
        }
        tool.act_mut().end_stroke(&self.bodies);
        if let Ok(kept) = self.tool_mut(handle) {
            *kept = tool;
        }
    }

    fn cut_with(&mut self, handle: BodyHandle, blade: &Blade, cause: Cause) {
        let Some(body) = self.bodies.get(handle).filter(|body| body.enabled) else { return };
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
                    self.cuts.push(CutEvent { body: Some(handle), cause, result });
                }
            }
            return;
        }
        if body.may_be_reached_by(blade) {
            self.refine_and_divide(handle, blade, cause, |body| body.cut(blade));
        }
    }

    fn tear(&mut self) {
        let bodies: Vec<BodyHandle> = self
            .bodies()
            .filter(|(_, body)| body.enabled && body.can_tear())
            .map(|(handle, _)| handle)
            .collect();
        for body in bodies {
            self.divide(body, Cause::Tear, &[], Body::tear);
        }
        // That dust cannot be torn off is nothing to tell of.
        self.cuts.retain(|event| event.cause != Cause::Tear || event.result.is_ok());
    }

    /// Cuts a body in two along a plane; returns its pieces, none if it was not cut.
    fn scissor(&mut self, handle: BodyHandle, point: DVec3, normal: Vec3, cause: Cause) -> Vec<BodyHandle> {
        let Ok(blade) = Blade::plane(point, normal) else { return Vec::new() };
        if !self.bodies.get(handle).is_some_and(|body| body.enabled && body.is_met_by(&blade)) {
            return Vec::new();
        }
        self.refine_and_divide(handle, &blade, cause, |body| body.scissor(&blade))
    }

    /// Makes a body as fine as a blade needs it and divides it. If that is refused, it is as coarse as before.
    fn refine_and_divide(
        &mut self,
        handle: BodyHandle,
        blade: &Blade,
        cause: Cause,
        cut: impl Fn(&mut Body) -> Result<Option<Severed>, Refusal>,
    ) -> Vec<BodyHandle> {
        let room = self.room();
        let Some(body) = self.bodies.get(handle) else { return Vec::new() };
        if body.model.adapt().is_none() && body.keeps_its_cells() {
            return self.divide(handle, cause, &[], cut);
        }
        let mut trial = Trial::new(body.clone(), blade, room, &cut);
        if !body.keeps_its_cells() {
            trial = trial.or_finer(body, blade, room, &cut);
        }
        let Trial { refined, cut, result } = trial;
        if result.is_err() {
            return self.divide(handle, cause, &[], |_| result);
        }
        let finer = refined.changes.clone();
        if let Some(body) = self.bodies.get_mut(handle).filter(|_| !finer.is_empty()) {
            *body = refined;
            self.follow_changes();
        }
        self.divide(handle, cause, &finer, |body| {
            if matches!(result, Ok(Some(_))) {
                *body = cut;
            }
            result
        })
    }

    /// Divides a body, puts what comes off into the world, and lets tools hold on to what they held. `finer` is how it was made finer
    /// for that, change by change. Returns the pieces, none if it was not divided.
    fn divide(
        &mut self,
        handle: BodyHandle,
        cause: Cause,
        finer: &[Renumbering],
        cut: impl FnOnce(&mut Body) -> Result<Option<Severed>, Refusal>,
    ) -> Vec<BodyHandle> {
        let Some(body) = self.bodies.get_mut(handle) else { return Vec::new() };
        // Before the cut: pieces that are filled anew do not know of it.
        let (before, whole) = (body.rest().clone(), body.whole.unwrap_or(handle));
        let result = match cut(body) {
            Ok(None) => return Vec::new(),
            Ok(Some(Severed { crossed, places, others, nodes, anew })) => {
                let version = body.version();
                body.whole = Some(whole);
                let mut pieces = vec![handle];
                pieces.extend(others.into_iter().map(|mut other| {
                    other.whole = Some(whole);
                    self.bodies.insert(other)
                }));
                self.contacts.filter.inherit(&pieces);
                self.hand_over(&before, &pieces, &nodes, anew);
                let mut of_pieces = pieces.iter().filter_map(|&piece| self.bodies.get(piece));
                let closed = of_pieces.all(Body::has_closed_surface);
                debug_assert!(closed, "a cut left a surface open");
                Ok(Parted { version, pieces, nodes: as_before(&nodes, finer), crossed, places, closed })
            }
            Err(refusal) => Err(refusal),
        };
        let pieces = result.as_ref().map(|parted| parted.pieces.clone()).unwrap_or_default();
        self.cuts.push(CutEvent { body: Some(handle), cause, result });
        pieces
    }

    /// Lets tools hold on to the pieces of a body.
    fn hand_over(&mut self, before: &BodyRest, pieces: &[BodyHandle], nodes: &[(u32, u32)], anew: bool) {
        let Self { bodies, tools, .. } = self;
        let division = Division { before, pieces, nodes, anew, bodies };
        let more: Vec<_> = tools.values_mut().flat_map(|tool| tool.act_mut().hand_over(&division)).collect();
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
