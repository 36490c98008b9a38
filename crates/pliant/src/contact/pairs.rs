//! Pairs of bodies that can meet: where they are in each other, the contacts that this makes, and what comes of them.

use super::broad::{Bounds, Sweep};
use super::collider::Touch as ColliderTouch;
use super::events::{Other, Touch, Touches};
use super::meeting::{self, Meeting, Seen, Shell};
use super::response::{self, Entered, RISE_PER_SEC, bounced, mean};
use super::solve::{Against, Constraint, Member, RigidMember, Solver};
use crate::body::Body;
use crate::copies::spread;
use crate::ids::Arena;
use crate::par;
use crate::tool::Tool;
use crate::world::{BodyHandle, ColliderHandle, World};
use glam::{DVec3, Vec3};

/// What contacts keep from substep to substep, and what is known of them after a step.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    /// Who touches whom.
    pub touches: Touches,
    /// The bodies of this step, by number.
    pub handles: Vec<BodyHandle>,
    /// The boxes around their ways.
    boxes: Vec<Bounds>,
    sweep: Sweep,
    /// How they move.
    motions: Vec<Motion>,
    /// Those that can meet in this step.
    pairs: Vec<Pair>,
    /// Those that are kept for their memory.
    spare: Vec<Pair>,
    /// Which bodies can meet others.
    near: Vec<bool>,
    /// The surfaces of those, as they are now.
    shells: Vec<Shell>,
    solver: Solver,
    /// Body and node of each member of the solver.
    owners: Vec<(u32, u32)>,
    /// The member of each node, of all bodies one after another.
    members: Vec<u32>,
    /// Where those of each body begin.
    starts: Vec<u32>,
    entered: Vec<Entered>,
}

/// How a body moves in a step.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    /// What no node comes farther than, in metres.
    reach: f32,
    /// How far it comes as a whole, in metres.
    way: Vec3,
    /// How much farther parts of it come, if that is far for its size. What swings less is caught by what is around it, and
    /// petals in the wind are not worth many substeps.
    flung: f32,
}

impl Motion {
    fn of(body: &Body, dt_secs: f32, gravity: f32) -> Self {
        if body.at_rest.asleep {
            return Self::default();
        }
        let reach = dt_secs * (body.fastest() + dt_secs * gravity);
        let mean = mean(&body.nodes.velocities);
        let most2 = body.nodes.velocities.iter().map(|v| v.distance_squared(mean)).fold(0.0, f32::max);
        let flung = dt_secs * most2.sqrt();
        let far = flung > FLUNG * body.rest().nodes.radius;
        Self { reach, way: dt_secs * mean, flung: if far { flung } else { 0.0 } }
    }
}

/// Two bodies that can meet, or one that can meet itself.
#[derive(Debug, Default)]
struct Pair {
    bodies: [u32; 2],
    /// Tips of the first in the second, and the other way round.
    meetings: [Vec<Meeting>; 2],
    /// They come closer in a step than their nodes are apart.
    fast: bool,
    /// One is mostly inside the other.
    engulfed: bool,
    /// Of one body: the nodes that can touch others of it.
    suspects: Vec<u32>,
}

/// Substeps that fast bodies can ask for.
const MOST_SUBSTEPS: u32 = 64;
/// The part of the thinner body's depth that two may come closer in a substep.
const CAUTION: f32 = 0.9;
/// Radii that parts of a body must come in a step, besides what all of it does, to be flung.
const FLUNG: f32 = 0.25;
/// The part of the depth that a substep undoes, besides what two have come closer in it: contacts that want different things need
/// time to agree.
const RELAX: f32 = 0.3;
/// Spans a second at which it is undone at most: nodes that are moved far at once are pulled back as hard.
const RISE_SPANS: f32 = 12.0;
/// No member.
const NONE: u32 = u32::MAX;

impl Contacts {
    /// Of a world in which these touch.
    pub fn with(now: Vec<Touch>) -> Self {
        Self { touches: Touches::with(now), ..Self::default() }
    }

    /// Finds who can meet whom in a step, and says how many substeps it takes at least.
    pub fn find(&mut self, all: &Arena<Body>, dt_secs: f32, gravity: f32) -> u32 {
        self.handles.clear();
        self.handles.extend(all.iter().map(|(handle, _)| handle));
        self.touches.reserve(2 * self.handles.len());
        self.motions.clear();
        self.motions.extend(all.values().map(|body| Motion::of(body, dt_secs, gravity)));
        self.boxes.clear();
        self.boxes.extend(all.values().zip(&self.motions).map(|(body, motion)| body.swept(motion.reach)));
        self.sweep.find(&self.boxes);
        let Self { handles, sweep, motions, pairs, spare, near, .. } = self;
        let bodies = |number: u32| numbered(all, handles, number);
        let mut substeps = 1.0_f32;
        spare.append(pairs);
        let mut add = |bodies: [u32; 2], fast: bool| {
            let mut pair = spare.pop().unwrap_or_default();
            (pair.bodies, pair.fast) = (bodies, fast);
            pair.suspects.clear();
            pairs.push(pair);
        };
        for &pair in &sweep.found {
            let [a, b] = pair.map(bodies);
            if (a.at_rest.asleep && b.at_rest.asleep) || !(a.contacts.bodies && b.contacts.bodies) {
                continue;
            }
            let depth = |body: &Body| {
                let border = body.border();
                border.sheet.unwrap_or(border.depth).max(1e-3 * border.span)
            };
            let [mine, others] = pair.map(|number| motions[number as usize]);
            let closer = (mine.way - others.way).length() + mine.flung + others.flung;
            substeps = substeps.max(closer / (CAUTION * depth(a).min(depth(b))));
            add(pair, mine.reach + others.reach > a.border().span.min(b.border().span));
        }
        for (number, body) in (0..).zip(all.values()) {
            if !body.at_rest.asleep && body.contacts.itself {
                add([number; 2], false);
            }
        }
        near.clear();
        near.resize(handles.len(), false);
        for pair in pairs.iter().filter(|pair| pair.bodies[0] != pair.bodies[1]) {
            pair.bodies.into_iter().for_each(|number| near[number as usize] = true);
        }
        par::for_each_indexed(pairs, 8, |_, pair| {
            let [a, b] = pair.bodies;
            if a == b {
                let body = bodies(a);
                meeting::suspects(body, body.border(), motions[a as usize].reach, &mut pair.suspects);
            }
        });
        pairs.retain(|pair| pair.bodies[0] != pair.bodies[1] || !pair.suspects.is_empty());
        if substeps.is_finite() { (substeps.ceil() as u32).clamp(1, MOST_SUBSTEPS) } else { MOST_SUBSTEPS }
    }

    /// Whether any can meet in this step.
    pub fn any_near(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// Everything that bodies do to each other, themselves and rigid colliders in a substep of `h` seconds.
    pub fn act(&mut self, world: &mut World, rigid: &[ColliderHandle], h: f32) {
        self.meet(world, h);
        self.wake(world);
        self.separate(world, h);
        self.take_members(world);
        self.constrain(world, h);
        rigid.iter().for_each(|&handle| self.enter(world, handle, h));
        self.hold_pinned(world);
        self.solver.solve(h);
        self.put_back(world);
    }

    fn body<'a>(&self, world: &'a World, number: u32) -> &'a Body {
        numbered(&world.bodies, &self.handles, number)
    }

    /// Where the pairs are in each other.
    fn meet(&mut self, world: &World, h: f32) {
        let (near, handles) = (&self.near, &self.handles);
        let bodies = |number: u32| numbered(&world.bodies, handles, number);
        self.shells.resize_with(handles.len(), Shell::default);
        par::for_each_indexed(&mut self.shells, 4, |number, shell| {
            if near[number] {
                let body = bodies(number as u32);
                shell.find(body, body.border());
            }
        });
        let shells = &self.shells;
        par::for_each_indexed(&mut self.pairs, 1, |_, pair| {
            let [a, b] = pair.bodies.map(|number| {
                let body = bodies(number);
                Seen { body, border: body.border(), shell: &shells[number as usize] }
            });
            pair.engulfed = false;
            if pair.bodies[0] == pair.bodies[1] {
                meeting::meet_itself(&a, &pair.suspects, &mut pair.meetings[0]);
                pair.meetings[1].clear();
            } else {
                let offset = (b.body.nodes.origin - a.body.nodes.origin).as_vec3();
                pair.engulfed = meeting::meet((&a, &b), (offset, pair.fast), h, &mut pair.meetings);
            }
        });
    }

    /// Wakes sleepers that something moving touches.
    fn wake(&self, world: &mut World) {
        for pair in self.pairs.iter().filter(|pair| pair.touches()) {
            let [a, b] = pair.bodies.map(|number| self.handles[number as usize]);
            let moving = |world: &World, handle| {
                world
                    .bodies
                    .get(handle)
                    .is_some_and(|body: &Body| !body.at_rest.asleep && body.at_rest.slow_secs == 0.0)
            };
            for (mover, sleeper) in [(a, b), (b, a)] {
                if moving(world, mover)
                    && let Some(body) = world.bodies.get_mut(sleeper).filter(|body| body.at_rest.asleep)
                {
                    body.wake();
                }
            }
        }
    }

    /// Takes bodies that are mostly inside each other apart as wholes, without haste.
    fn separate(&mut self, world: &mut World, h: f32) {
        for pair in self.pairs.iter().filter(|pair| pair.engulfed) {
            let [a, b] = pair.bodies.map(|number| self.body(world, number));
            let apart = b.center_of_mass() - a.center_of_mass();
            let radius = a.rest().nodes.radius.min(b.rest().nodes.radius);
            // Two in the same place go sideways: up would cost work, and down may be the floor.
            let way = if apart.length() > 1e-3 * f64::from(radius) { apart.normalize() } else { DVec3::X };
            let by = way * f64::from(h * RISE_PER_SEC * radius);
            let masses =
                [a, b].map(|body| if body.at_rest.asleep { 1e30 } else { body.rest().nodes.total_mass });
            let share = masses[0] / (masses[0] + masses[1]);
            for (number, by) in pair.bodies.into_iter().zip([-by * (1.0 - share), by * share]) {
                if let Some(body) = world.bodies.get_mut(self.handles[number as usize]) {
                    body.nodes.origin += by;
                }
            }
            let [a, b] = pair.bodies.map(|number| self.handles[number as usize]);
            let place = self.body(world, pair.bodies[0]).center_of_mass();
            self.touches.add(a, Other::Body(b), place, -way.as_vec3(), 0.0);
        }
    }

    /// Makes room for the members of all bodies that meet.
    fn take_members(&mut self, world: &World) {
        self.solver.clear();
        self.owners.clear();
        self.starts.clear();
        let mut count = 0;
        for &handle in &self.handles {
            self.starts.push(count);
            count += world.bodies.get(handle).map_or(0, |body| body.nodes.positions.len() as u32);
        }
        self.members.clear();
        self.members.resize(count as usize, NONE);
    }

    /// The member that a node is.
    fn member(&mut self, body: &Body, number: u32, node: u32) -> u32 {
        let slot = (self.starts[number as usize] + node) as usize;
        if self.members[slot] == NONE {
            self.members[slot] = self.solver.members.len() as u32;
            self.owners.push((number, node));
            let inverse_mass =
                if body.at_rest.asleep { 0.0 } else { 1.0 / body.rest().nodes.masses[node as usize] };
            let velocity = body.nodes.velocities[node as usize];
            self.solver.members.push(Member { velocity, moved: Vec3::ZERO, inverse_mass });
        }
        self.members[slot]
    }

    /// Makes contacts of the meetings.
    fn constrain(&mut self, world: &World, h: f32) {
        let rest_speed = world.settings.gravity.length() * h;
        let pairs = std::mem::take(&mut self.pairs);
        for pair in pairs.iter().filter(|pair| !pair.engulfed && pair.touches()) {
            let bodies = pair.bodies.map(|number| self.body(world, number));
            let [a, b] = bodies.map(|body| body.material);
            let friction = (a.friction * b.friction).sqrt();
            let bounce = a.restitution.max(b.restitution);
            let means = if bounce > 0.0 { bodies.map(|body| mean(&body.arrivals)) } else { [Vec3::ZERO; 2] };
            for (side, meetings) in pair.meetings.iter().enumerate() {
                let (mine, other) = (side, 1 - side);
                for meeting in meetings {
                    let member = self.member(bodies[mine], pair.bodies[mine], meeting.node);
                    let carriers = meeting.carriers.map(|(node, weight)| {
                        if weight > 0.0 {
                            (self.member(bodies[other], pair.bodies[other], node), weight)
                        } else {
                            (member, 0.0)
                        }
                    });
                    let normal = meeting.normal;
                    let mut contact =
                        Constraint::new(member, Against::Members(carriers), normal, meeting.depth);
                    contact.place = meeting.place;
                    contact.friction = friction;
                    contact.cling = rest_speed;
                    contact.rise = (RELAX * meeting.depth)
                        .min(h * RISE_SPANS * bodies[mine].border().span(meeting.node));
                    if bounce > 0.0 {
                        let arrival = |of: usize, node: u32| {
                            bodies[of].arrivals.get(node as usize).copied().unwrap_or_default()
                        };
                        let carrier: Vec3 = meeting
                            .carriers
                            .iter()
                            .map(|&(node, weight)| weight * arrival(other, node))
                            .sum();
                        let arrival = arrival(mine, meeting.node) - carrier;
                        contact.back = bounced(
                            bounce,
                            (arrival, means[mine] - means[other]),
                            normal,
                            f32::INFINITY,
                            rest_speed,
                        );
                    }
                    self.solver.constraints.push(contact);
                }
            }
        }
        self.pairs = pairs;
    }

    /// Makes contacts of what is in a rigid collider.
    fn enter(&mut self, world: &World, handle: ColliderHandle, h: f32) {
        let Some((collider, rigid)) = world.colliders.get(handle).and_then(|c| Some((c, c.rigid?))) else {
            return;
        };
        let rest_speed = world.settings.gravity.length() * h;
        // Colliders of the same rigid body are one.
        let known = self.solver.rigids.iter().position(|of| rigid.body != 0 && of.rigid.body == rigid.body);
        let index = known.unwrap_or(self.solver.rigids.len()) as u32;
        if known.is_none() {
            let (velocity, spin) = (collider.velocity, collider.spin);
            self.solver.rigids.push(RigidMember { velocity, spin, rigid, handle });
        }
        let mut entered = std::mem::take(&mut self.entered);
        for number in 0..self.handles.len() as u32 {
            let body = self.body(world, number);
            if body.at_rest.asleep {
                continue;
            }
            entered.clear();
            response::enter(&body.nodes, &body.entering(), collider, h, &mut entered);
            if rigid.body != 0 {
                leave_held(world, self.handles[number as usize], rigid.body, &mut entered);
            }
            let friction = (collider.friction * body.material.friction).sqrt();
            let bounce = collider.restitution.max(body.material.restitution);
            let center = (collider.position - body.nodes.origin).as_vec3() + rigid.centre;
            let arriving = mean(&body.arrivals) - collider.velocity;
            for &Entered { node, place, touch: ColliderTouch { depth, normal, entered } } in &entered {
                let member = self.member(body, number, node);
                let arm = place - center;
                let mut contact = Constraint::new(member, Against::Rigid(index, arm), normal, depth);
                contact.place = place;
                contact.friction = friction;
                contact.rise = if entered { depth } else { h * RISE_PER_SEC * body.rest().nodes.radius };
                if let Some(arrival) = body.arrivals.get(node as usize).filter(|_| bounce > 0.0) {
                    let arrival = *arrival - collider.velocity - collider.spin.cross(arm);
                    contact.back = bounced(bounce, (arrival, arriving), normal, f32::INFINITY, rest_speed);
                }
                self.solver.constraints.push(contact);
            }
        }
        self.entered = entered;
    }

    /// What is pinned cannot be pushed.
    fn hold_pinned(&mut self, world: &World) {
        for tool in world.tools.values() {
            let Tool::Pin(pin) = tool else { continue };
            // Those that a rigid body carries take part, and it with them.
            if pin.carrier.as_ref().is_some_and(|carrier| carrier.rigid.is_some()) {
                continue;
            }
            let Ok(number) = self.handles.binary_search(&pin.body) else { continue };
            for (node, _) in pin.held() {
                let slot = (self.starts[number] + node) as usize;
                if let Some(&member) = self.members.get(slot).filter(|member| **member != NONE) {
                    self.solver.members[member as usize].inverse_mass = 0.0;
                }
            }
        }
    }

    /// Gives nodes and colliders what was found for them, and takes down who pressed whom.
    fn put_back(&mut self, world: &mut World) {
        for (&(number, node), member) in self.owners.iter().zip(&self.solver.members) {
            let Some(body) = world.bodies.get_mut(self.handles[number as usize]) else { continue };
            if member.inverse_mass > 0.0 {
                body.nodes.velocities[node as usize] = member.velocity;
                body.nodes.positions[node as usize] += member.moved;
            }
        }
        for member in &self.solver.rigids {
            if let Some(collider) = world.colliders.get_mut(member.handle) {
                (collider.velocity, collider.spin) = (member.velocity, member.spin);
                collider.rigid = Some(member.rigid);
            }
            spread(&mut world.colliders, &mut world.tools, member.rigid.body, (member.velocity, member.spin));
        }
        for contact in &self.solver.constraints {
            let (number, _) = self.owners[contact.member as usize];
            let Some(body) = world.bodies.get_mut(self.handles[number as usize]) else { continue };
            body.tally.contacts += 1;
            let place = body.nodes.origin + contact.place.as_dvec3();
            let handle = self.handles[number as usize];
            let other = match contact.against {
                Against::Rigid(rigid, _) => Other::Collider(self.solver.rigids[rigid as usize].handle),
                Against::Members(carriers) => {
                    let other = self.handles[self.owners[carriers[0].0 as usize].0 as usize];
                    if other == handle { Other::Itself } else { Other::Body(other) }
                }
            };
            let (body, other, way) = match other {
                Other::Body(other) if other < handle => (other, Other::Body(handle), -1.0),
                other => (handle, other, 1.0),
            };
            self.touches.add(body, other, place, contact.normal * way, contact.pressed);
        }
    }
}

/// Leaves out the nodes of a body that are held to the rigid body which they are in.
fn leave_held(world: &World, body: BodyHandle, rigid: u64, entered: &mut Vec<Entered>) {
    for tool in world.tools.values() {
        let Tool::Pin(pin) = tool else { continue };
        if pin.body == body && pin.carrier.as_ref().is_some_and(|carrier| carrier.key == rigid) {
            entered.retain(|entered| !pin.holds(entered.node));
        }
    }
}

/// A body of this step by its number.
fn numbered<'a>(bodies: &'a Arena<Body>, handles: &[BodyHandle], number: u32) -> &'a Body {
    bodies.get(handles[number as usize]).unwrap_or_else(|| unreachable!("bodies stay during a step"))
}

impl Pair {
    fn touches(&self) -> bool {
        self.engulfed || self.meetings.iter().any(|meetings| !meetings.is_empty())
    }
}
