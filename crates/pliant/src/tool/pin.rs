//! Nodes held in place.
//!
//! Pinned nodes keep their true masses in the matching and are put back afterwards: huge masses instead would dominate every
//! fit they take part in and make it drift.

use super::ToolError;
use crate::body::Body;
use crate::ids::Handle;
use crate::nodes::NodeState;
use crate::selection::Selection;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Nodes held where they were when they were pinned, or moved all together from there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pin {
    /// The body that is held.
    pub body: Handle<Body>,
    /// How far the nodes are held from where they were pinned, in metres.
    pub moved: DVec3,
    /// The nodes and where they were pinned.
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
        Ok(Self { body: handle, moved: DVec3::ZERO, anchors, version: body.version() })
    }

    /// The nodes and where they are held.
    pub fn held(&self) -> impl Iterator<Item = (u32, DVec3)> {
        self.anchors.iter().map(|&(node, at)| (node, at + self.moved))
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
                if known { body.nodes.world_position(node as usize) - self.moved } else { DVec3::ZERO }
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
                let here = || now.nodes.world_position(number as usize) - self.moved;
                (at_piece == piece).then(|| (number, if anew { here() } else { at }))
            };
            let mut anchors: Vec<(u32, DVec3)> = self.anchors.iter().filter_map(held).collect();
            anchors.sort_by_key(|anchor| anchor.0);
            anchors.dedup_by_key(|anchor| anchor.0);
            (!anchors.is_empty()).then(|| Self { body, moved: self.moved, anchors, version: now.version() })
        };
        let mut pins: Vec<Self> = (0..pieces as u32).filter_map(of_piece).collect();
        if !pins.is_empty() {
            *self = pins.remove(0);
        }
        pins
    }

    /// Puts the pinned nodes back.
    pub(crate) fn hold(&self, nodes: &mut NodeState) {
        for (node, at) in self.held() {
            nodes.positions[node as usize] = (at - nodes.origin).as_vec3();
            nodes.velocities[node as usize] = Vec3::ZERO;
        }
    }
}
