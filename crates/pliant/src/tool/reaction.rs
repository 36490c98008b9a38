//! What it takes to hold bodies: the forces of tools that hold nodes or pull a body by them, and of attachments.
//!
//! A held node has the velocity that it is held at, whatever loads, gravity, its model and contacts would have made of it. The difference is
//! momentum that whatever holds it has given it. It is added up over the substeps of a step, so what a body at rest is held with is
//! exactly its weight, and what it does not hold is told by the momentum it gains.

use super::{Tool, ToolHandle};
use crate::body::{Body, BodyHandle};
use crate::ids::{Arena, Side};
use crate::nodes::{HeldNodes, Loads};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What a tool that holds a body gives it, or an attachment the first of its two bodies, as the mean of the latest step.
///
/// Where two tools hold the same node, one of them is told of all that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reaction {
    /// The tool.
    pub tool: ToolHandle,
    /// The body that is held.
    pub body: BodyHandle,
    /// The middle of the nodes that are held, in the world, or of what is attached.
    pub place: DVec3,
    /// N that the body got.
    pub force: Vec3,
    /// N m that it got about the place.
    pub moment: Vec3,
}

/// What is known of all that hold bodies.
#[derive(Debug, Default)]
pub(crate) struct Reactions {
    /// After the latest step, by tool.
    pub now: Vec<Reaction>,
    /// Before it.
    before: Vec<Reaction>,
    /// In this step so far, by tool.
    sums: Vec<Sum>,
    /// Which of a body's held nodes are whose in this substep.
    spans: Vec<Span>,
    /// What one tool pulls with.
    pull: Loads,
    /// What one tool holds as it sets off.
    moved: HeldNodes,
}

/// The nodes that a tool holds, by their places in the list of its body.
#[derive(Clone, Debug)]
struct Span {
    tool: ToolHandle,
    body: BodyHandle,
    nodes: Range<usize>,
    carried: bool,
}

/// What a tool has given so far.
#[derive(Clone, Copy, Debug)]
struct Sum {
    tool: ToolHandle,
    body: BodyHandle,
    /// kg m/s
    impulse: DVec3,
    /// kg m²/s about the origin of the world.
    twist: DVec3,
    /// The middle of where it was given in the latest substep.
    place: DVec3,
}

/// Where a tool acts in a substep, and with what: places by their weights, impulses in kg m/s.
#[derive(Clone, Copy, Debug, Default)]
struct Acting {
    weight: f64,
    places: DVec3,
    impulse: DVec3,
    twist: DVec3,
}

impl Acting {
    /// What some of the held nodes of a body were given.
    fn on(body: &Body, held: &HeldNodes, nodes: Range<usize>) -> Self {
        let (origin, positions) = (body.nodes.origin, &body.nodes.positions);
        let (mut places, mut impulse, mut twist) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        let given = held.given.get(nodes.clone()).unwrap_or_default();
        for (of, &given) in held.nodes[nodes].iter().zip(given) {
            // What is no number is contained, and told of elsewhere.
            let given = if given.is_finite() { given } else { Vec3::ZERO };
            let place = positions[of.node as usize];
            places += place;
            impulse += given;
            twist += place.cross(given);
        }
        let (weight, impulse) = (given.len() as f64, impulse.as_dvec3());
        let places = weight * origin + places.as_dvec3();
        Self { weight, places, impulse, twist: twist.as_dvec3() + origin.cross(impulse) }
    }

    fn add(&mut self, place: DVec3, weight: f64, impulse: Vec3) {
        // What is no number is contained, and told of elsewhere.
        let impulse = if impulse.is_finite() { impulse.as_dvec3() } else { DVec3::ZERO };
        self.weight += weight;
        self.places += place * weight;
        self.impulse += impulse;
        self.twist += place.cross(impulse);
    }
}

impl Reactions {
    /// Of a world in which these act.
    pub fn with(now: Vec<Reaction>) -> Self {
        Self { now, ..Self::default() }
    }

    /// Forgets a tool.
    pub fn forget(&mut self, tool: ToolHandle) {
        self.now.retain(|reaction| reaction.tool != tool);
    }

    /// A step of `dt_secs` begins: tools set off, and give what they hold the speed that they will have.
    pub fn start(&mut self, tools: &mut Arena<Tool>, bodies: &mut Arena<Body>, dt_secs: f32) {
        let mut moved = std::mem::take(&mut self.moved);
        for (handle, tool) in tools.iter_mut() {
            let Some(body) = tool.body().and_then(|body| bodies.get_mut(body)) else {
                tool.act_mut().start(None, dt_secs);
                continue;
            };
            if !tool.act().sets_off() {
                tool.act_mut().start(Some(body), dt_secs);
                continue;
            }
            moved.clear();
            tool.act().hold(&mut moved);
            let nodes = 0..moved.nodes.len();
            weigh(body, &mut moved, nodes.clone(), -1.0);
            tool.act_mut().start(Some(body), dt_secs);
            weigh(body, &mut moved, nodes.clone(), 1.0);
            if let Some(of) = tool.body().filter(|_| !body.is_unmoved()) {
                self.add((handle, of), Acting::on(body, &moved, nodes));
            }
        }
        self.moved = moved;
    }

    /// A substep begins: tools hold their nodes, and of driven bodies what drives them.
    pub fn hold(&mut self, tools: &Arena<Tool>, bodies: &Arena<Body>, held: &mut Side<HeldNodes>) {
        self.spans.clear();
        held.values_mut().for_each(HeldNodes::clear);
        for (tool, of) in tools.iter() {
            let Some(body) = of.body() else { continue };
            let Some(held) = held.get_mut(body) else { continue };
            let first = held.nodes.len();
            of.act().hold(held);
            let nodes = first..held.nodes.len();
            let moved = bodies.get(body).is_some_and(|body| !body.is_unmoved());
            if moved && !nodes.is_empty() {
                self.spans.push(Span { tool, body, nodes, carried: of.carrier().is_some() });
            }
        }
        for (handle, body) in bodies.iter().filter(|(_, body)| body.kinematic && !body.is_asleep()) {
            if let Some(held) = held.get_mut(handle) {
                body.hold_driven(held);
            }
        }
    }

    /// Adds what tools pull with by loads in a substep of `h` seconds, before anything moves; `loads` are those of all on a body.
    pub fn pull<'a>(
        &mut self,
        tools: &Arena<Tool>,
        bodies: &Arena<Body>,
        loads: impl Fn(BodyHandle) -> Option<&'a Loads>,
        h: f32,
    ) {
        let mut pull = std::mem::take(&mut self.pull);
        for (tool, of) in tools.iter().filter(|(_, of)| of.act().pulls()) {
            let Some(handle) = of.body() else { continue };
            let Some(body) = bodies.get(handle).filter(|body| !body.is_unmoved()) else { continue };
            let Some(all) = loads(handle).filter(|all| !all.is_empty()) else { continue };
            pull.clear(body.nodes.positions.len());
            of.act().load(body, &mut pull, h);
            let mut acting = Acting::default();
            for node in pull.nodes() {
                let mass = body.rest().nodes.masses[node];
                let force = all.share(&pull, node, mass, h);
                acting.add(body.nodes.world_position(node), pull.stiffness(node), h * force);
            }
            self.add((tool, handle), acting);
        }
        self.pull = pull;
    }

    /// Adds `times` the momentum of nodes that rigid bodies carry to what those have given them: taken before and added after they are
    /// carried, what that changes.
    pub fn weigh_carried(&self, bodies: &Arena<Body>, held: &mut Side<HeldNodes>, times: f32) {
        for span in self.spans.iter().filter(|span| span.carried) {
            let (Some(body), Some(held)) = (bodies.get(span.body), held.get_mut(span.body)) else { continue };
            weigh(body, held, span.nodes.clone(), times);
        }
    }

    /// Ends a substep of `h` seconds: adds what held nodes and attached bodies were given in it.
    pub fn collect(&mut self, tools: &Arena<Tool>, bodies: &Arena<Body>, held: &Side<HeldNodes>, h: f32) {
        let spans = std::mem::take(&mut self.spans);
        for span in &spans {
            let (Some(body), Some(held)) = (bodies.get(span.body), held.get(span.body)) else { continue };
            self.add((span.tool, span.body), Acting::on(body, held, span.nodes.clone()));
        }
        self.spans = spans;
        for (tool, attachment) in tools.iter().filter_map(|(tool, of)| Some((tool, of.attachment()?))) {
            let [Some(a), Some(b)] = attachment.bodies.map(|body| bodies.get(body)) else { continue };
            if !(a.enabled && b.enabled) || a.is_asleep() && b.is_asleep() {
                continue;
            }
            let mut acting = Acting::default();
            for ([on_first, on_second], force) in attachment.places([a, b]).zip(attachment.forces()) {
                acting.add(0.5 * (on_first + on_second), 1.0, h * force);
            }
            self.add((tool, attachment.bodies[0]), acting);
        }
    }

    fn add(&mut self, (tool, body): (ToolHandle, BodyHandle), acting: Acting) {
        let Acting { weight, places, impulse, twist } = acting;
        if weight <= 0.0 {
            return;
        }
        let at = self.sums.binary_search_by_key(&tool, |sum| sum.tool).unwrap_or_else(|at| {
            let none = DVec3::ZERO;
            self.sums.insert(at, Sum { tool, body, impulse: none, twist: none, place: none });
            at
        });
        let sum = &mut self.sums[at];
        sum.impulse += impulse;
        sum.twist += twist;
        sum.place = places / weight;
    }

    /// Ends a step of `dt_secs`: what was given in it is how bodies are held now. Those that sleep are held as they were.
    pub fn close(&mut self, tools: &Arena<Tool>, bodies: &Arena<Body>, dt_secs: f32) {
        std::mem::swap(&mut self.now, &mut self.before);
        let Self { now, before, sums, .. } = self;
        now.clear();
        let per_sec = 1.0 / f64::from(dt_secs);
        now.extend(sums.drain(..).map(|Sum { tool, body, impulse, twist, place }| Reaction {
            tool,
            body,
            place,
            force: (impulse * per_sec).as_vec3(),
            moment: ((twist - place.cross(impulse)) * per_sec).as_vec3(),
        }));
        let count = now.len();
        for of in before.iter() {
            let known = now[..count].binary_search_by_key(&of.tool, |of| of.tool).is_ok();
            if !known && tools.get(of.tool).is_some() && bodies.get(of.body).is_some_and(Body::rests) {
                now.push(*of);
            }
        }
        now.sort_unstable_by_key(|of| of.tool);
    }
}

/// Adds `times` the momentum of some held nodes to what they were given.
fn weigh(body: &Body, held: &mut HeldNodes, nodes: Range<usize>, times: f32) {
    held.given.resize(held.nodes.len(), Vec3::ZERO);
    for at in nodes {
        let node = held.nodes[at].node as usize;
        held.given[at] += body.nodes.velocities[node] * (times * body.rest().nodes.masses[node]);
    }
}
