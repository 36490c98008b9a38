//! Nodes held in place.
//!
//! Pinned nodes keep their true masses in the matching and are put back afterwards: huge masses instead would dominate every
//! fit they take part in and make it drift.

use super::{Carrier, ToolError};
use crate::body::Body;
use crate::ids::Handle;
use crate::nodes::NodeState;
use crate::selection::Selection;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Nodes held where they were when they were pinned, or moved all together from there, or carried by a rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pin {
    /// The body that is held.
    pub body: Handle<Body>,
    /// How far the nodes are held from where they were pinned, in metres.
    pub moved: DVec3,
    /// What carries the nodes, if they are held to a rigid body.
    pub carrier: Option<Carrier>,
    /// The nodes, ascending, and where they were pinned: in the world, or in the carrier's coordinates.
    anchors: Vec<(u32, DVec3)>,
    /// The body's version whose nodes these are.
    version: u64,
}

impl Pin {
    /// Pins nodes where they are now.
    ///
    /// # Errors
    /// If the selection is empty.
    pub fn new(handle: Handle<Body>, body: &Body, selection: &Selection) -> Result<Self, ToolError> {
        let nodes = body.select(selection);
        if nodes.is_empty() {
            return Err(ToolError::NothingSelected { nodes: body.nodes.positions.len() });
        }
        let anchors = nodes.into_iter().map(|n| (n, body.nodes.world_position(n as usize))).collect();
        Ok(Self { body: handle, moved: DVec3::ZERO, carrier: None, anchors, version: body.version() })
    }

    /// The pin with its nodes held to a rigid body, which carries them from where they are now.
    ///
    /// # Errors
    /// If a number of the carrier makes no sense.
    pub fn carried(mut self, carrier: Carrier) -> Result<Self, ToolError> {
        carrier.validate()?;
        self.anchors.iter_mut().for_each(|(_, at)| *at = carrier.local(*at + self.moved));
        self.carrier = Some(carrier);
        Ok(self)
    }

    /// Where an anchor is in the world.
    fn place(&self, at: DVec3) -> DVec3 {
        self.carrier.as_ref().map_or_else(|| at + self.moved, |carrier| carrier.world(at))
    }

    /// The anchor for a place in the world.
    fn anchor(&self, place: DVec3) -> DVec3 {
        self.carrier.as_ref().map_or_else(|| place - self.moved, |carrier| carrier.local(place))
    }

    /// The nodes and where they are held.
    pub fn held(&self) -> impl Iterator<Item = (u32, DVec3)> {
        self.anchors.iter().map(|&(node, at)| (node, self.place(at)))
    }

    /// Whether it holds a node.
    pub fn holds(&self, node: u32) -> bool {
        self.anchors.binary_search_by_key(&node, |anchor| anchor.0).is_ok()
    }

    /// Holds the nodes that the pinned ones have become: all children of one that was divided, the parent of one that was
    /// joined with its siblings, each where it is now.
    pub(crate) fn follow(&mut self, body: &Body) {
        let missed = (body.version() - self.version) as usize;
        let first = body.changes.len().saturating_sub(missed);
        for change in &body.changes[first..] {
            let mut next: Vec<(u32, Option<DVec3>)> = Vec::with_capacity(self.anchors.len());
            for &(node, at) in &self.anchors {
                match change.kept.after[node as usize] {
                    Some(now) => next.push((now, Some(at))),
                    None => next.extend(change.heirs(node).map(|heir| (heir, None))),
                }
            }
            next.sort_by_key(|&(node, at)| (node, at.is_none()));
            next.dedup_by_key(|(node, _)| *node);
            let now = |node: u32| {
                let known = (node as usize) < body.nodes.positions.len();
                if known { self.anchor(body.nodes.world_position(node as usize)) } else { DVec3::ZERO }
            };
            self.anchors =
                next.into_iter().map(|(node, at)| (node, at.unwrap_or_else(|| now(node)))).collect();
        }
        self.version = body.version();
    }

    /// Holds on to the pieces of the body that have what it held: this pin to the first of them, and those returned to the
    /// others. `nodes` gives the piece and the number of each node before the cut, and whether all are new;
    /// `of` gives the pieces.
    pub(crate) fn hand_over<'a>(
        &mut self,
        (nodes, anew): (&[(u32, u32)], bool),
        pieces: usize,
        of: impl Fn(u32) -> Option<(Handle<Body>, &'a Body)>,
    ) -> Vec<Self> {
        let of_piece = |piece: u32| {
            let (body, now) = of(piece)?;
            let held = |&(node, at): &(u32, DVec3)| {
                let &(at_piece, number) = nodes.get(node as usize)?;
                // A new node is held where it is.
                let here = || self.anchor(now.nodes.world_position(number as usize));
                (at_piece == piece).then(|| (number, if anew { here() } else { at }))
            };
            let mut anchors: Vec<(u32, DVec3)> = self.anchors.iter().filter_map(held).collect();
            anchors.sort_by_key(|anchor| anchor.0);
            anchors.dedup_by_key(|anchor| anchor.0);
            let carrier = self.carrier.clone();
            let (moved, version) = (self.moved, now.version());
            (!anchors.is_empty()).then_some(Self { body, moved, carrier, anchors, version })
        };
        let mut pins: Vec<Self> = (0..pieces as u32).filter_map(of_piece).collect();
        if !pins.is_empty() {
            *self = pins.remove(0);
        }
        pins
    }

    /// Puts the pinned nodes back. Those of a carrier are [carried](Self::carry) later; they get its speed already, unless it has
    /// yet to be found from theirs.
    pub(crate) fn hold(&self, nodes: &mut NodeState) {
        match &self.carrier {
            None => {
                for (node, at) in self.held() {
                    nodes.positions[node as usize] = (at - nodes.origin).as_vec3();
                    nodes.velocities[node as usize] = Vec3::ZERO;
                }
            }
            Some(carrier) if carrier.rigid.is_none() => {
                self.anchors
                    .iter()
                    .for_each(|&(node, at)| nodes.velocities[node as usize] = carrier.speed(at));
            }
            Some(_) => {}
        }
    }

    /// Lets the carrier and its nodes go on as one rigid body with the momentum that they have together: stable whichever is the
    /// heavier.
    pub(crate) fn join(&mut self, nodes: &NodeState, masses: &[f32]) {
        let Some(mut carrier) = self.carrier.take() else { return };
        let centre = carrier.centre();
        let arms = self.anchors.iter().map(|&(node, at)| {
            let node = node as usize;
            (masses[node], (carrier.world(at) - centre).as_vec3(), nodes.velocities[node])
        });
        let points: Vec<_> = arms.collect();
        carrier.join(points.into_iter());
        self.carrier = Some(carrier);
    }

    /// Lets the carrier take the nodes along for `h` seconds. They have the speed that was found for them where they were: that is
    /// the one with the right momentum.
    pub(crate) fn carry(&mut self, nodes: &mut NodeState, h: f32) {
        let Some(mut carrier) = self.carrier.take() else { return };
        for &(node, at) in &self.anchors {
            nodes.velocities[node as usize] = carrier.speed(at);
        }
        carrier.advance(h);
        for &(node, at) in &self.anchors {
            nodes.positions[node as usize] = (carrier.world(at) - nodes.origin).as_vec3();
        }
        self.carrier = Some(carrier);
    }
}
