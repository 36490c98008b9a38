//! Grabbing a body by a vertex.
//!
//! Based on \[HW08\] §4: a spring from a vertex to the cursor, which can be locked in place; any number at once.
//!
//! Deviations: the spring grips a patch around the vertex, because one particle out of a thousand could not lift the body
//! without being pulled a body's length out of it; its strength is given as a frequency, so that the same pick feels the same
//! on a mouse and on a whale.

use super::{Act, Division, Tool, ToolError, not_negative};
use crate::body::{Body, BodyHandle, BodyRest};
use crate::math::functions::square;
use crate::nodes::Loads;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// How a pick pulls.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PickSettings {
    /// Frequency in Hz at which the body would swing on the spring, above 0.
    pub frequency_hz: f32,
    /// 1 comes to rest without swinging, 0 swings for ever.
    pub damping_ratio: f32,
    /// Radius in metres of the patch that is gripped; `None` is a quarter of the body's size, more if the body has few nodes, 0
    /// the vertex alone.
    pub radius: Option<f32>,
}

impl Default for PickSettings {
    fn default() -> Self {
        Self { frequency_hz: 3.0, damping_ratio: 1.0, radius: None }
    }
}

/// A spring from a patch of a body to a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pick {
    /// The body that is held.
    pub body: BodyHandle,
    /// The vertex of its skin that is held.
    pub vertex: u32,
    /// Where it is pulled to, in metres.
    pub target: DVec3,
    /// Whether it stays where it is when others are moved or let go.
    pub locked: bool,
    /// How it pulls.
    pub settings: PickSettings,
    /// The nodes gripped, with weights that add up to 1.
    grip: Vec<(u32, f32)>,
    /// The body's version whose nodes these are.
    version: u64,
    radius: f32,
}

impl Pick {
    /// Grabs a vertex of a body's skin where it is now.
    ///
    /// # Errors
    /// If the body has no such vertex or a setting is out of range.
    pub fn new(
        handle: BodyHandle,
        body: &Body,
        vertex: u32,
        settings: PickSettings,
    ) -> Result<Self, ToolError> {
        let count = body.skin().positions.len();
        if vertex as usize >= count {
            return Err(ToolError::NoSuchVertex { vertex, count });
        }
        not_negative("frequency_hz", settings.frequency_hz)?;
        not_negative("damping_ratio", settings.damping_ratio)?;
        let rest = body.rest();
        let radius = settings.radius.unwrap_or_else(|| handful(rest, vertex as usize));
        not_negative("radius", radius)?;
        let target = body.vertex_position(vertex as usize);
        let grip = grip(body, vertex as usize, radius);
        Ok(Self {
            body: handle,
            vertex,
            target,
            locked: false,
            settings,
            grip,
            version: body.version(),
            radius,
        })
    }

    /// Where the vertex would be if the patch around it were not stretched, relative to the body's origin.
    ///
    /// The spring must end at the mean of the nodes it moves: one that watched the vertex alone and moved them all would swing up.
    fn held_position(&self, body: &Body) -> Vec3 {
        let rest = body.rest();
        let vertex = rest.mesh.positions[self.vertex as usize];
        let of_node = |&(node, weight): &(u32, f32)| {
            let node = node as usize;
            let map = body.model.node_map(&rest.nodes, node);
            weight * (body.nodes.positions[node] + map * (vertex - rest.nodes.rest_positions[node]))
        };
        self.grip.iter().map(of_node).sum()
    }

    /// Holds on to a vertex of a body.
    fn grab(&mut self, handle: BodyHandle, body: &Body, vertex: usize) {
        (self.body, self.vertex) = (handle, vertex as u32);
        self.grip = grip(body, vertex, self.radius);
        self.version = body.version();
    }
}

impl Act for Pick {
    fn word(&self) -> &'static str {
        "pick"
    }

    fn body(&self) -> Option<BodyHandle> {
        Some(self.body)
    }

    fn fits(&self, body: &Body) -> bool {
        let known = |&(node, _): &(u32, f32)| (node as usize) < body.nodes.positions.len();
        self.version == body.version()
            && (self.vertex as usize) < body.skin().positions.len()
            && self.grip.iter().all(known)
    }

    fn position(&self) -> Option<DVec3> {
        Some(self.target)
    }

    fn move_to(&mut self, position: DVec3) -> Result<(), ToolError> {
        if self.locked {
            return Err(ToolError::Locked);
        }
        self.target = position;
        Ok(())
    }

    fn locked(&self) -> Option<bool> {
        Some(self.locked)
    }

    fn lock(&mut self, locked: bool) -> Result<(), ToolError> {
        self.locked = locked;
        Ok(())
    }

    fn grips(&self) -> Vec<DVec3> {
        vec![self.target]
    }

    fn focus(&self, held: Option<&Body>) -> Option<(DVec3, f32)> {
        Some((held?.vertex_position(self.vertex as usize), 0.0))
    }

    /// Grips the nodes that are around the vertex now.
    fn follow(&mut self, body: &Body) {
        if self.version != body.version() {
            self.grab(self.body, body, self.vertex as usize);
        }
    }

    /// Holds on to the piece of the body that has what it held.
    fn hand_over(&mut self, division: &Division) -> Vec<Tool> {
        if !division.is_of(self.body) {
            return Vec::new();
        }
        let &Division { before, nodes, .. } = division;
        let place = before.mesh.positions[self.vertex as usize];
        let strongest =
            before.binding.bonds_of(self.vertex as usize).max_by(|a, b| a.weight.total_cmp(&b.weight));
        let (piece, node) =
            strongest.and_then(|bond| nodes.get(bond.node as usize).copied()).unwrap_or((0, 0));
        let Some((handle, body)) = division.piece(piece) else { return Vec::new() };
        let rest = body.rest();
        // The vertex nearest to where it was, if possible one that the same node carries: not one across the cut.
        let aside = |&vertex: &usize| {
            let strange = !rest.binding.bonds_of(vertex).any(|bond| bond.node == node);
            (strange, rest.mesh.positions[vertex].distance_squared(place))
        };
        let vertices = 0..rest.mesh.positions.len();
        let nearest = vertices.min_by(|a, b| {
            let (a, b) = (aside(a), aside(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        self.grab(handle, body, nearest.unwrap_or(0));
        Vec::new()
    }

    /// The patch is held by the maps of its nodes.
    fn reads_maps(&self) -> bool {
        true
    }

    fn pulls(&self) -> bool {
        true
    }

    /// The pull on the body's nodes.
    fn load(&self, body: &Body, loads: &mut Loads, _: f32) {
        let omega = std::f32::consts::TAU * self.settings.frequency_hz;
        let mass = body.rest().nodes.total_mass as f32;
        let stiffness = mass * omega * omega;
        let damping = 2.0 * self.settings.damping_ratio * mass * omega;
        let away = (self.target - body.nodes.origin).as_vec3() - self.held_position(body);
        for &(node, weight) in &self.grip {
            loads.spring(node as usize, weight * stiffness, away);
            // Each node's own motion, not the patch's: a hand that grips does not let what it holds spin.
            loads.damper(node as usize, weight * damping, -body.nodes.velocities[node as usize]);
        }
    }
}

/// A radius around a vertex that has enough nodes in it to hold a body still: one node alone lets it swing and spin.
fn handful(rest: &BodyRest, vertex: usize) -> f32 {
    const NODES: usize = 6;
    let at = rest.mesh.positions[vertex];
    let mut distances: Vec<f32> = rest.nodes.rest_positions.iter().map(|x| x.distance(at)).collect();
    distances.sort_by(f32::total_cmp);
    let reach = distances.get(NODES).or(distances.last()).copied().unwrap_or(0.0);
    (0.25 * rest.nodes.radius).max(1.2 * reach)
}

/// The nodes around a vertex at rest, weighted by mass and nearness.
fn grip(body: &Body, vertex: usize, radius: f32) -> Vec<(u32, f32)> {
    let rest = body.rest();
    let at = rest.mesh.positions[vertex];
    let bonds = rest.binding.bonds_of(vertex);
    let mut grip: Vec<(u32, f32)> = bonds.map(|bond| (bond.node, bond.weight)).collect();
    if radius > 0.0 {
        let nearness = |x: &Vec3| square((1.0 - x.distance_squared(at) / (radius * radius)).max(0.0));
        let nodes = rest.nodes.rest_positions.iter().zip(&rest.nodes.masses).enumerate();
        let mut patch: Vec<_> = nodes
            .map(|(i, (x, m))| (i as u32, m * nearness(x)))
            .filter(|&(_, weight)| weight > 0.0)
            .collect();
        // A hand that grips one lip of a cut does not hold the other.
        if rest.cut.is_some() {
            let held = body.joined_within(grip.iter().map(|&(node, _)| node), |node| {
                patch.binary_search_by_key(&node, |&(node, _)| node).is_ok()
            });
            patch.retain(|(node, _)| held.binary_search(node).is_ok());
        }
        if patch.len() > grip.len() {
            grip = patch;
        }
    }
    let sum: f32 = grip.iter().map(|&(_, weight)| weight).sum();
    grip.iter_mut().for_each(|(_, weight)| *weight /= sum);
    grip
}
