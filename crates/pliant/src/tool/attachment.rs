//! Two bodies held to each other.

use super::carriers::{Carriers, Carrying, carried};
use super::{Act, Division, Tool, ToolError};
use crate::body::{Body, BodyHandle};
use crate::contact::AttachedNodes;
use crate::geometry::{Lists, PointGrid};
use crate::ids::Arena;
use crate::selection::Selection;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Two bodies held to each other, place by place, as they were to each other when they were attached.
///
/// What it remembers is of the rest shapes: places of both that are kept together, or at a distance. It follows bodies whose nodes
/// change, and pieces of bodies that are cut. The two do not push each other where they are attached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// The bodies that it holds to each other.
    pub bodies: [BodyHandle; 2],
    /// N between them, as the mean of a step, above which it lets go; none if it never does.
    pub max_force: Option<f32>,
    pub(super) ties: Vec<Tie>,
    /// The nodes that carry the places of the ties on each body.
    pub(super) carriers: [Lists<(u32, f32)>; 2],
    versions: [u64; 2],
    /// kg m/s that the first body got in this step.
    pub(super) impulse: Vec3,
    force: Vec3,
}

/// Two places that are kept together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tie {
    /// Of each body's rest shape, in the coordinates of the scaled mesh.
    pub places: [Vec3; 2],
    /// How far apart they are kept, in metres: 0 if they are the same place of both.
    pub length: f32,
    /// N that it pulled the first with in the latest substep, from which the next one starts.
    pub force: Vec3,
}

/// An attachment that let go in the latest step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrokenAttachment {
    /// Its handle, which is stale now.
    pub attachment: super::ToolHandle,
    /// The bodies that it held to each other.
    pub bodies: [BodyHandle; 2],
    /// N on the first of them when it let go.
    pub force: Vec3,
    /// Where, in the world: the middle of what it held.
    pub place: DVec3,
}

/// Spacings from which on two places are apart, and not the same.
const APART: f32 = 1e-2;
/// Σ |w| above which a place is too far from the nodes that are to carry it.
const FAR: f32 = 5.0;
/// Nodes that one is held to where it is apart from them.
const RODS: usize = 4;
/// The least weight with which a node is one of those that are attached, for contacts.
const HELD: f32 = 0.05;

impl Attachment {
    /// Holds nodes of a body to another one, around the nodes of it that are selected, as they are to each other now.
    ///
    /// # Errors
    /// If both are the same body or nothing of one is selected.
    pub fn of_nodes(
        [(a, first), (b, second)]: [(BodyHandle, &Body); 2],
        selections: [&Selection; 2],
    ) -> Result<Self, ToolError> {
        let [mine, others] = [selected(first, selections[0])?, selected(second, selections[1])?];
        let rest = &second.rest().nodes.rest_positions;
        let around: Vec<Vec3> = others.iter().map(|&node| second.nodes.positions[node as usize]).collect();
        let (grid, mut near) = (PointGrid::fitting(&around), Vec::new());
        let mut carrying = Carrying::new(second);
        let mut ties = Vec::new();
        for node in mine {
            let (own, at) = (place(first, node), first.nodes.world_position(node as usize));
            grid.k_nearest((at - second.nodes.origin).as_vec3(), RODS, &mut near);
            let Some(&(nearest, _)) = near.first() else { continue };
            let spacing = second.spacing(others[nearest as usize] as usize);
            let there = carrying.at(at, place(second, others[nearest as usize]));
            let carriers = carrying.of(there);
            let reach: f32 = carriers.iter().map(|carrier| carrier.1.abs()).sum();
            if reach < FAR && apart(second, &carriers, at) < APART * spacing {
                ties.push(Tie { places: [own, there], length: 0.0, force: Vec3::ZERO });
                continue;
            }
            // Nodes of a sheet do not say where a place beside it is, and far away they say it badly: rods, of which no two are parallel.
            for &(other, _) in &near {
                let other = others[other as usize];
                let there = rest[other as usize] + second.rest().center;
                let length = at.distance(second.nodes.world_position(other as usize)) as f32;
                ties.push(Tie { places: [own, there], length, force: Vec3::ZERO });
            }
        }
        Self::of_ties([(a, first), (b, second)], ties)
    }

    /// Holds nodes of a body to the point of another's surface that is nearest to `point`, each at the distance that it has from it
    /// now. They can turn about the point if nothing else holds them.
    ///
    /// # Errors
    /// If both are the same body, nothing is selected, or the point is not finite.
    pub fn to_surface(
        [(a, first), (b, second)]: [(BodyHandle, &Body); 2],
        selection: &Selection,
        point: DVec3,
    ) -> Result<Self, ToolError> {
        super::finite("point", point)?;
        let nodes = selected(first, selection)?;
        let nothing = ToolError::NothingSelected { nodes: second.nodes.positions.len() };
        let on = second.nearest_on_skin(point, f64::INFINITY).ok_or(nothing)?;
        let rest = second.rest();
        let [u, v, w] = rest.mesh.corners(on.triangle as usize);
        let mut carrying = Carrying::new(second);
        let there = carrying.at(on.point, (u + v + w) / 3.0 + rest.center);
        let carriers = carrying.of(there);
        let spacing = first.spacing(nodes[0] as usize);
        let tie = |&node: &u32| {
            let length = apart(second, &carriers, first.nodes.world_position(node as usize));
            let length = if length < APART * spacing { 0.0 } else { length };
            Tie { places: [place(first, node), there], length, force: Vec3::ZERO }
        };
        Self::of_ties([(a, first), (b, second)], nodes.iter().map(tie).collect())
    }

    fn of_ties(bodies: [(BodyHandle, &Body); 2], ties: Vec<Tie>) -> Result<Self, ToolError> {
        if bodies[0].0 == bodies[1].0 {
            return Err(ToolError::NotFor { tool: "body", action: "attached to itself" });
        }
        let mut attachment = Self {
            bodies: bodies.map(|(handle, _)| handle),
            max_force: None,
            ties,
            carriers: Default::default(),
            versions: bodies.map(|(_, body)| body.version()),
            impulse: Vec3::ZERO,
            force: Vec3::ZERO,
        };
        attachment.find_carriers(0, bodies[0].1);
        attachment.find_carriers(1, bodies[1].1);
        Ok(attachment)
    }

    /// The attachment that lets go above a force in N.
    pub fn with_max_force(mut self, max_force: Option<f32>) -> Self {
        self.max_force = max_force;
        self
    }

    /// N that it pulled the first body with in the latest step, as its mean; the second was pulled as hard the other way.
    pub fn force(&self) -> Vec3 {
        self.force
    }

    /// N that each of its places pulled the first body with in the latest substep.
    pub(super) fn forces(&self) -> impl Iterator<Item = Vec3> {
        self.ties.iter().map(|tie| tie.force)
    }

    /// How many places of the two it keeps together.
    pub fn len(&self) -> usize {
        self.ties.len()
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.ties.is_empty()
    }

    /// Where the places that it keeps together are on both bodies, in the world.
    pub fn places<'a>(&'a self, bodies: [&'a Body; 2]) -> impl Iterator<Item = [DVec3; 2]> + 'a {
        (0..self.ties.len()).map(move |tie| {
            [0, 1].map(|side| {
                let on = bodies[side];
                on.nodes.origin + carried(on, self.carriers[side].of(tie)).as_dvec3()
            })
        })
    }

    /// Whether it was made for these bodies as they are now: their nodes have the numbers that it knows.
    pub(crate) fn fits_both(&self, bodies: [&Body; 2]) -> bool {
        let known = |side: usize| {
            let count = bodies[side].nodes.positions.len();
            self.carriers[side].items.iter().all(|&(node, _)| (node as usize) < count)
        };
        (0..2).all(|side| self.versions[side] == bodies[side].version() && known(side))
    }

    fn find_carriers(&mut self, side: usize, body: &Body) {
        let mut carrying = Carrying::new(body);
        let of_tie = |tie: &Tie| -> Carriers { carrying.of(tie.places[side]) };
        self.carriers[side] = self.ties.iter().map(of_tie).collect();
        // What other nodes pulled with is no start for these.
        self.ties.iter_mut().for_each(|tie| tie.force = Vec3::ZERO);
        self.versions[side] = body.version();
    }

    /// The attachment of those of its ties that hold on to one piece of a body that was divided.
    fn of_piece(&self, side: usize, division: &Division, piece: u32) -> Option<Self> {
        let (handle, body) = division.piece(piece)?;
        let before = division.before;
        let (all, mut near) = (PointGrid::fitting(&before.nodes.rest_positions), Vec::new());
        let mut mine = |tie: usize| {
            all.k_nearest(self.ties[tie].places[side] - before.center, 1, &mut near);
            let home = near.first().and_then(|nearest| division.nodes.get(nearest.0 as usize));
            home.is_some_and(|home| home.0 == piece)
        };
        let kept: Vec<usize> = (0..self.ties.len()).filter(|&tie| mine(tie)).collect();
        if kept.is_empty() {
            return None;
        }
        let mut part = self.clone();
        part.bodies[side] = handle;
        part.ties = kept.iter().map(|&tie| self.ties[tie]).collect();
        let other = 1 - side;
        part.carriers[other] = kept.iter().map(|&tie| self.carriers[other].of(tie).iter().copied()).collect();
        part.find_carriers(side, body);
        Some(part)
    }
}

impl Act for Attachment {
    fn word(&self) -> &'static str {
        "attachment"
    }

    fn validate(&self) -> Result<(), ToolError> {
        match self.max_force {
            Some(force) if force.is_nan() || force <= 0.0 => {
                let value = f64::from(force);
                Err(ToolError::Setting { name: "max_force", value, range: "above 0" })
            }
            _ => Ok(()),
        }
    }

    fn body(&self) -> Option<BodyHandle> {
        Some(self.bodies[0])
    }

    fn other_body(&self) -> Option<BodyHandle> {
        Some(self.bodies[1])
    }

    fn attachment(&self) -> Option<&Attachment> {
        Some(self)
    }

    fn attachment_mut(&mut self) -> Option<&mut Attachment> {
        Some(self)
    }

    fn start(&mut self, _: Option<&mut Body>, _: f32) {
        self.impulse = Vec3::ZERO;
    }

    fn attach(&self, attached: &mut AttachedNodes) {
        for side in 0..2 {
            let held = self.carriers[side].items.iter().filter(|carrier| carrier.1 > HELD);
            let (own, other) = (self.bodies[side], self.bodies[1 - side]);
            held.for_each(|&(node, _)| attached.add(own, other, node));
        }
    }

    fn follow_both(&mut self, bodies: &Arena<Body>) {
        for side in 0..2 {
            if let Some(body) =
                bodies.get(self.bodies[side]).filter(|body| body.version() != self.versions[side])
            {
                self.find_carriers(side, body);
            }
        }
    }

    /// Holds on to the first of the pieces that have what it held, and others to the rest of them.
    fn hand_over(&mut self, division: &Division) -> Vec<Tool> {
        let Some(side) = self.bodies.iter().position(|&body| division.is_of(body)) else {
            return Vec::new();
        };
        let pieces = 0..division.pieces.len() as u32;
        let mut parts =
            pieces.filter_map(|piece| self.of_piece(side, division, piece)).collect::<Vec<_>>().into_iter();
        if let Some(first) = parts.next() {
            *self = first;
        }
        parts.map(Tool::Attachment).collect()
    }
}

impl Attachment {
    /// Whether it pulled in the latest substep.
    pub(crate) fn pulls(&self) -> bool {
        self.ties.iter().any(|tie| tie.force != Vec3::ZERO)
    }

    /// Ends a step of `dt_secs`: says whether it lets go.
    pub(crate) fn end_step(&mut self, dt_secs: f32) -> bool {
        self.force = self.impulse / dt_secs;
        self.max_force.is_some_and(|most| self.force.length() > most)
    }
}

fn selected(body: &Body, selection: &Selection) -> Result<Vec<u32>, ToolError> {
    let nodes = body.select(selection);
    if nodes.is_empty() {
        return Err(ToolError::NothingSelected { nodes: body.nodes.positions.len() });
    }
    Ok(nodes)
}

/// Where a node is in the scaled mesh.
fn place(body: &Body, node: u32) -> Vec3 {
    body.rest().nodes.rest_positions[node as usize] + body.rest().center
}

/// Metres between a carried place and one in the world.
fn apart(body: &Body, carriers: &[(u32, f32)], at: DVec3) -> f32 {
    ((at - body.nodes.origin).as_vec3() - carried(body, carriers)).length()
}
