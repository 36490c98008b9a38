//! Nodes held in place.
//!
//! Pinned nodes keep their true masses in the matching and are put back afterwards: huge masses instead would dominate every
//! fit they take part in and make it drift.

use super::anchors::{Anchor, Anchors};
use super::pose::Pose;
use super::{Act, Carrier, Division, Tool, ToolError};
use crate::body::{Body, BodyHandle};
use crate::contact::RigidMotion;
use crate::nodes::{HeldNode, HeldNodes, Hold};
use crate::selection::Selection;
use glam::{DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Nodes held where they were when they were pinned, or moved all together from there, or carried by a rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pin {
    /// The body that is held.
    pub body: BodyHandle,
    /// What carries the nodes, if they are held to a rigid body.
    pub carrier: Option<Carrier>,
    /// How far the nodes are from where they were pinned.
    pose: Pose,
    /// Where the next step brings them, at an even speed.
    target: Option<Pose>,
    /// What they are turned about: the middle of where they were pinned.
    pivot: DVec3,
    /// The latest step has moved them, so that they have a speed.
    travels: bool,
    /// The pose that the substep began with, and its length in seconds.
    #[serde(skip)]
    came: Option<(Pose, f32)>,
    /// The part of the rest shape that is held, and where: in the world, or in the carrier's coordinates.
    part: Anchors,
    /// The nodes of it that the body has now, ascending.
    anchors: Vec<Anchor>,
    /// The body's version whose nodes these are.
    version: u64,
}

impl Pin {
    /// Pins nodes where they are now.
    ///
    /// # Errors
    /// If the selection is empty.
    pub fn new(handle: BodyHandle, body: &Body, selection: &Selection) -> Result<Self, ToolError> {
        let (part, anchors) = Anchors::new(body, selection)
            .ok_or(ToolError::NothingSelected { nodes: body.nodes.positions.len() })?;
        let pivot = anchors.iter().map(|anchor| anchor.1).sum::<DVec3>() / anchors.len() as f64;
        Ok(Self {
            body: handle,
            carrier: None,
            pose: Pose::START,
            target: None,
            pivot,
            travels: false,
            came: None,
            part,
            anchors,
            version: body.version(),
        })
    }

    /// The pin with its nodes held to a rigid body, which carries them from where they are now.
    ///
    /// # Errors
    /// If a number of the carrier makes no sense.
    pub fn carried(mut self, carrier: Carrier) -> Result<Self, ToolError> {
        carrier.validate()?;
        let (pose, pivot) = (self.pose, self.pivot);
        let local = |at: DVec3| carrier.local(pose.apply(pivot, at));
        self.anchors.iter_mut().for_each(|(_, at)| *at = local(*at));
        self.part.turned(local, carrier.rotation.inverse() * pose.turned);
        self.carrier = Some(carrier);
        Ok(self)
    }

    /// How far the nodes are held from where they were pinned, in metres.
    pub fn moved(&self) -> DVec3 {
        self.pose.moved
    }

    /// How the nodes are turned about the middle of where they were pinned.
    pub fn turned(&self) -> Quat {
        self.pose.turned
    }

    /// Where an anchor is in the world.
    fn place(&self, at: DVec3) -> DVec3 {
        self.carrier.as_ref().map_or_else(|| self.pose.apply(self.pivot, at), |carrier| carrier.world(at))
    }

    /// The anchor for a place in the world.
    fn anchor(&self, place: DVec3) -> DVec3 {
        self.carrier
            .as_ref()
            .map_or_else(|| self.pose.undo(self.pivot, place), |carrier| carrier.local(place))
    }

    /// How fast the nodes of an anchor have come to where they are, in m/s.
    fn speed(&self, at: DVec3) -> Vec3 {
        self.came.map_or(Vec3::ZERO, |(from, h)| self.speed_between(&from, &self.pose, at, h))
    }

    /// How fast an anchor goes that comes from one pose to another in so many seconds, in m/s.
    fn speed_between(&self, from: &Pose, to: &Pose, at: DVec3, secs: f32) -> Vec3 {
        ((to.apply(self.pivot, at) - from.apply(self.pivot, at)) / f64::from(secs)).as_vec3()
    }

    /// Moves it, in the next step or at once.
    fn go(&mut self, to: Pose, at_once: bool) -> Result<(), ToolError> {
        if self.carrier.is_some() {
            return Err(ToolError::NotFor { tool: "pin on a rigid body", action: "moved" });
        }
        self.target = (!at_once).then_some(to).filter(|to| *to != self.pose);
        if at_once {
            self.pose = to;
        }
        Ok(())
    }

    /// The nodes and where they are held.
    pub fn held(&self) -> impl Iterator<Item = (u32, DVec3)> {
        self.anchors.iter().map(|&(node, at)| (node, self.place(at)))
    }

    /// Whether it holds a node.
    pub fn holds(&self, node: u32) -> bool {
        self.anchors.binary_search_by_key(&node, |anchor| anchor.0).is_ok()
    }

    /// The pin of those of its nodes that a piece of the body has, if there are any.
    fn of_piece(&self, division: &Division, piece: u32) -> Option<Self> {
        let (body, now) = division.piece(piece)?;
        let held = |&(node, at): &Anchor| {
            let &(at_piece, number) = division.nodes.get(node as usize)?;
            // A new node is held where it is.
            let here = || self.anchor(now.nodes.world_position(number as usize));
            (at_piece == piece).then(|| (number, if division.anew { here() } else { at }))
        };
        let mut anchors: Vec<Anchor> = self.anchors.iter().filter_map(held).collect();
        anchors.sort_by_key(|anchor| anchor.0);
        anchors.dedup_by_key(|anchor| anchor.0);
        if anchors.is_empty() {
            return None;
        }
        let rotation = self.carrier.as_ref().map_or(self.pose.turned, |carrier| carrier.rotation);
        let part = self.part.of_piece(division, piece, &anchors, rotation.inverse())?;
        Some(Self { body, carrier: self.carrier.clone(), part, anchors, version: now.version(), ..*self })
    }
}

impl Act for Pin {
    fn word(&self) -> &'static str {
        "pin"
    }

    fn validate(&self) -> Result<(), ToolError> {
        self.carrier.as_ref().map_or(Ok(()), Carrier::validate)
    }

    fn body(&self) -> Option<BodyHandle> {
        Some(self.body)
    }

    fn fits(&self, body: &Body) -> bool {
        let known = |&(node, _): &Anchor| (node as usize) < body.nodes.positions.len();
        self.version == body.version() && self.anchors.iter().all(known)
    }

    fn position(&self) -> Option<DVec3> {
        Some(self.target.unwrap_or(self.pose).moved)
    }

    fn move_to(&mut self, position: DVec3) -> Result<(), ToolError> {
        let turned = self.target.unwrap_or(self.pose).turned;
        self.go(Pose { moved: position, turned }, false)
    }

    fn put(&mut self, position: DVec3) -> Result<(), ToolError> {
        self.go(Pose { moved: position, ..self.pose }, true)
    }

    fn turn_to(&mut self, moved: DVec3, turned: Quat) -> Result<(), ToolError> {
        self.go(Pose { moved, turned }, false)
    }

    fn sets_off(&self) -> bool {
        self.travels || self.target.is_some()
    }

    /// What sets off has its speed from the first: who can meet whom depends on it.
    fn start(&mut self, body: Option<&mut Body>, dt_secs: f32) {
        if let Some(carrier) = &mut self.carrier {
            carrier.start(dt_secs);
        }
        let travelled = std::mem::replace(&mut self.travels, self.target.is_some());
        let Some(body) = body.filter(|_| travelled || self.travels) else { return };
        body.wake();
        let to = self.target.unwrap_or(self.pose);
        for &(node, at) in &self.anchors {
            body.nodes.velocities[node as usize] = self.speed_between(&self.pose, &to, at, dt_secs);
        }
    }

    fn advance(&mut self, h: f32, left: u32) {
        if let Some(carrier) = &mut self.carrier {
            carrier.speed_up(h);
        }
        if let Some(to) = &self.target {
            self.came = Some((self.pose, h));
            self.pose = self.pose.toward(to, left);
        }
    }

    fn arrive(&mut self) {
        (self.target, self.came) = (None, None);
        if let Some(carrier) = &mut self.carrier {
            carrier.arrive();
        }
    }

    fn grips(&self) -> Vec<DVec3> {
        self.held().map(|(_, at)| at).collect()
    }

    /// Whether its carrier moves, or was moved.
    fn moves_held(&self, body: &Body) -> bool {
        let Some(carrier) = &self.carrier else { return false };
        let away = self
            .held()
            .next()
            .map_or(0.0, |(node, at)| at.distance(body.nodes.world_position(node as usize)));
        let moved = away > 1e-4 * f64::from(body.rest().nodes.radius);
        moved || carrier.velocity != Vec3::ZERO || carrier.spin != Vec3::ZERO
    }

    /// The nodes of a carrier are [carried](Self::carry) later; they get its speed already, unless it has yet to be found from
    /// theirs.
    fn hold(&self, held: &mut HeldNodes) {
        let rigid = self.carrier.as_ref().map(|carrier| carrier.key);
        held.nodes.extend(self.anchors.iter().map(|&(node, at)| {
            let hold = match &self.carrier {
                None => Hold::At { place: self.place(at), velocity: self.speed(at) },
                Some(carrier) if carrier.rigid.is_none() => Hold::Moving(carrier.speed(at)),
                Some(_) => Hold::Shared,
            };
            HeldNode { node, hold, rigid }
        }));
    }

    fn carrier(&self) -> Option<&Carrier> {
        self.carrier.as_ref()
    }

    fn carrier_mut(&mut self) -> Option<&mut Carrier> {
        self.carrier.as_mut()
    }

    /// The carrier and its nodes go on as one rigid body with the momentum that they have together: stable whichever is the
    /// heavier.
    fn join(&mut self, body: &Body) -> Option<RigidMotion> {
        let carrier = self.carrier.as_mut()?;
        let (centre, masses) = (carrier.centre(), &body.rest().nodes.masses);
        let arms = self.anchors.iter().map(|&(node, at)| {
            let node = node as usize;
            (masses[node], (carrier.world(at) - centre).as_vec3(), body.nodes.velocities[node])
        });
        let points: Vec<_> = arms.collect();
        carrier.join(points.into_iter());
        let Carrier { key, velocity, spin, rigid, .. } = *carrier;
        rigid.map(|_| RigidMotion { body: key, velocity, spin })
    }

    /// The nodes have the speed that was found for them where they were: that is the one with the right momentum.
    fn carry(&mut self, body: Option<&mut Body>, h: f32) {
        let Some(carrier) = &mut self.carrier else { return };
        let Some(body) = body else {
            carrier.advance(h);
            return;
        };
        let nodes = &mut body.nodes;
        for &(node, at) in &self.anchors {
            nodes.velocities[node as usize] = carrier.speed(at);
        }
        carrier.advance(h);
        for &(node, at) in &self.anchors {
            nodes.positions[node as usize] = (carrier.world(at) - nodes.origin).as_vec3();
        }
    }

    /// Holds the nodes that the pinned part of the rest shape has now.
    fn follow(&mut self, body: &Body) {
        if self.version != body.version() {
            self.anchors = self.part.of(body);
            self.version = body.version();
        }
    }

    /// Holds on to the first of the pieces that have what it held, and others to the rest of them.
    fn hand_over(&mut self, division: &Division) -> Vec<Tool> {
        if !division.is_of(self.body) {
            return Vec::new();
        }
        let pieces = 0..division.pieces.len() as u32;
        let mut pins =
            pieces.filter_map(|piece| self.of_piece(division, piece)).collect::<Vec<_>>().into_iter();
        if let Some(first) = pins.next() {
            *self = first;
        }
        pins.map(Tool::Pin).collect()
    }
}
