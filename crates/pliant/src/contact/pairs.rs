//! Pairs of bodies that can meet: where they are in each other, the contacts that this makes, and what comes of them.

use super::broad::{Bounds, Sweep};
use super::collider::Touch as ColliderTouch;
use super::events::{Other, Touch, Touches};
use super::motion::Motion;
use super::narrow::{self, ContactPoint, Seen, Shell};
use super::response::{self, Bounce, ContactStep, Entered, Entering, RISE_PER_SEC, bounced, mean};
use super::scratch::BodyScratch;
use super::solve::{Against, Constraint, Member, RigidMember, Solver};
use super::{Collider, ColliderHandle, Filter, RigidMotion, self_contact};
use crate::body::{Body, BodyHandle};
use crate::ids::{Arena, Side};
use crate::material::Surface;
use crate::nodes::HeldNodes;
use crate::par;
use glam::{DVec3, Vec3};

/// What contacts keep from substep to substep, and what is known of them after a step.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    /// Who touches whom.
    pub touches: Touches,
    /// What does not touch although it could.
    pub filter: Filter,
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
    members: Vec<Option<u32>>,
    /// Where those of each body begin.
    starts: Vec<u32>,
    entered: Vec<Entered>,
    /// Nodes that are attached to the rigid body that is looked at.
    attached: Vec<u32>,
    /// What is kept beside each body.
    pub(super) scratch: Side<BodyScratch>,
    /// Whether the velocities that nodes arrive with are noted.
    pub(super) has_arrivals: bool,
}

/// The parts of a world that take part in contacts.
pub(crate) struct Participants<'a> {
    /// Soft bodies.
    pub bodies: &'a mut Arena<Body>,
    /// What they cannot enter.
    pub colliders: &'a mut Arena<Collider>,
    /// The nodes that are held.
    pub held: &'a Side<HeldNodes>,
}

/// Two bodies that can meet, or one that can meet itself.
#[derive(Debug, Default)]
struct Pair {
    bodies: [u32; 2],
    /// Tips of the first in the second, and the other way round.
    points: [Vec<ContactPoint>; 2],
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
/// The part of the depth that a substep undoes, besides what two have come closer in it: contacts that want different things need
/// time to agree.
const RELAX: f32 = 0.3;
/// Spans a second at which it is undone at most: nodes that are moved far at once are pulled back as hard.
const RISE_SPANS: f32 = 12.0;

impl Contacts {
    /// Of a world in which these touch.
    pub fn with(now: Vec<Touch>, filter: Filter) -> Self {
        Self { touches: Touches::with(now), filter, ..Self::default() }
    }

    /// Finds who can meet whom in a step, and says how many substeps it takes at least.
    pub fn find(&mut self, all: &Arena<Body>, dt_secs: f32, gravity: f32) -> u32 {
        self.handles.clear();
        self.handles.extend(all.iter().map(|(handle, _)| handle));
        self.touches.reserve(2 * self.handles.len());
        self.motions.clear();
        self.motions.extend(all.values().map(|body| Motion::of(body, dt_secs, gravity)));
        self.boxes.clear();
        let scratch = &self.scratch;
        let swept = |((handle, body), motion): ((BodyHandle, &Body), &Motion)| {
            beside(scratch, handle).swept(body, motion.reach)
        };
        self.boxes.extend(all.iter().zip(&self.motions).map(swept));
        self.sweep.find(&self.boxes);
        let Self { handles, sweep, motions, pairs, spare, near, filter, .. } = self;
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
            if (a.is_asleep() && b.is_asleep()) || !(a.contacts.bodies && b.contacts.bodies) {
                continue;
            }
            if !filter.bodies_touch(pair.map(|number| handles[number as usize]), [a, b]) {
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
            if !body.is_asleep() && body.contacts.itself && filter.touches_itself(handles[number as usize]) {
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
                self_contact::suspects(body, body.border(), motions[a as usize].reach, &mut pair.suspects);
            }
        });
        pairs.retain(|pair| pair.bodies[0] != pair.bodies[1] || !pair.suspects.is_empty());
        if substeps.is_finite() { (substeps.ceil() as u32).clamp(1, MOST_SUBSTEPS) } else { MOST_SUBSTEPS }
    }

    /// Whether any can meet in this step.
    pub fn any_near(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// Everything that bodies do to each other, themselves and rigid colliders in a substep.
    pub fn act(&mut self, parts: &mut Participants, rigid: &[ColliderHandle], step: &ContactStep) {
        self.meet(parts.bodies, step.h);
        self.wake(parts.bodies);
        self.separate(parts.bodies, step.h);
        self.take_members(parts.bodies);
        self.constrain(parts.bodies, step);
        rigid.iter().for_each(|&handle| self.enter(parts, handle, step));
        self.fix_held(parts.held);
        self.solver.solve(step.h);
        self.put_back(parts);
        self.record(parts.bodies);
    }

    /// How the rigid bodies move that took part in this substep.
    pub fn rigid_motions(&self) -> impl Iterator<Item = RigidMotion> {
        self.solver.rigids.iter().map(RigidMember::motion)
    }

    /// No rigid body takes part in this substep.
    pub(super) fn forget_rigid(&mut self) {
        self.solver.rigids.clear();
    }

    fn body<'a>(&self, bodies: &'a Arena<Body>, number: u32) -> &'a Body {
        numbered(bodies, &self.handles, number)
    }

    /// Where the pairs are in each other.
    fn meet(&mut self, all: &Arena<Body>, h: f32) {
        let (near, handles) = (&self.near, &self.handles);
        let bodies = |number: u32| numbered(all, handles, number);
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
                self_contact::meet_itself(&a, &pair.suspects, &mut pair.points[0]);
                pair.points[1].clear();
            } else {
                let offset = (b.body.nodes.origin - a.body.nodes.origin).as_vec3();
                pair.engulfed = narrow::meet(&a, &b, offset, pair.fast, h, &mut pair.points);
            }
        });
    }

    /// Wakes sleepers that something moving touches.
    fn wake(&self, bodies: &mut Arena<Body>) {
        for pair in self.pairs.iter().filter(|pair| pair.touches()) {
            let [a, b] = pair.bodies.map(|number| self.handles[number as usize]);
            let moving = |body: &Body| !body.is_asleep() && body.sleep.slow_secs == 0.0;
            for (mover, sleeper) in [(a, b), (b, a)] {
                if bodies.get(mover).is_some_and(moving)
                    && let Some(body) = bodies.get_mut(sleeper).filter(|body| body.is_asleep())
                {
                    body.wake();
                }
            }
        }
    }

    /// Takes bodies that are mostly inside each other apart as wholes, without haste.
    fn separate(&mut self, bodies: &mut Arena<Body>, h: f32) {
        for pair in self.pairs.iter().filter(|pair| pair.engulfed) {
            let [a, b] = pair.bodies.map(|number| self.body(bodies, number));
            let apart = b.center_of_mass() - a.center_of_mass();
            let radius = a.rest().nodes.radius.min(b.rest().nodes.radius);
            // Two in the same place go sideways: up would cost work, and down may be the floor.
            let way = if apart.length() > 1e-3 * f64::from(radius) { apart.normalize() } else { DVec3::X };
            let by = way * f64::from(h * RISE_PER_SEC * radius);
            let masses =
                [a, b].map(|body| if body.is_asleep() { 1e30 } else { body.rest().nodes.total_mass });
            let share = masses[0] / (masses[0] + masses[1]);
            for (number, by) in pair.bodies.into_iter().zip([-by * (1.0 - share), by * share]) {
                if let Some(body) = bodies.get_mut(self.handles[number as usize]) {
                    body.nodes.origin += by;
                }
            }
            let [a, b] = pair.bodies.map(|number| self.handles[number as usize]);
            let place = self.body(bodies, pair.bodies[0]).center_of_mass();
            self.touches.add(a, Other::Body(b), place, -way.as_vec3(), 0.0);
        }
    }

    /// Makes room for the members of all bodies that meet.
    fn take_members(&mut self, bodies: &Arena<Body>) {
        self.solver.clear();
        self.owners.clear();
        self.starts.clear();
        let mut count = 0;
        for &handle in &self.handles {
            self.starts.push(count);
            count += bodies.get(handle).map_or(0, |body| body.nodes.positions.len() as u32);
        }
        self.members.clear();
        self.members.resize(count as usize, None);
    }

    /// The member that a node is.
    fn member(&mut self, body: &Body, number: u32, node: u32) -> u32 {
        let Self { starts, members, owners, solver, .. } = self;
        *members[(starts[number as usize] + node) as usize].get_or_insert_with(|| {
            owners.push((number, node));
            let inverse_mass =
                if body.is_asleep() { 0.0 } else { 1.0 / body.rest().nodes.masses[node as usize] };
            let velocity = body.nodes.velocities[node as usize];
            solver.members.push(Member { velocity, moved: Vec3::ZERO, inverse_mass });
            solver.members.len() as u32 - 1
        })
    }

    /// Makes constraints of the contact points of all pairs.
    fn constrain(&mut self, all: &Arena<Body>, step: &ContactStep) {
        let (pairs, scratch) = (std::mem::take(&mut self.pairs), std::mem::take(&mut self.scratch));
        for pair in pairs.iter().filter(|pair| !pair.engulfed && pair.touches()) {
            let bodies = pair.bodies.map(|number| self.body(all, number));
            let [a, b] = bodies.map(|body| body.material.surface);
            let Surface { friction, restitution } = a.with(b);
            let arrivals = pair.bodies.map(|number| beside(&scratch, self.handles[number as usize]));
            let arrivals = arrivals.map(|scratch| &scratch.arrivals[..]);
            let bounce = Bounce::new(restitution, arrivals, step.rest_speed);
            for (mine, points) in pair.points.iter().enumerate() {
                let other = 1 - mine;
                for point in points {
                    let member = self.member(bodies[mine], pair.bodies[mine], point.node);
                    let carriers = point.carriers.map(|(node, weight)| {
                        if weight > 0.0 {
                            (self.member(bodies[other], pair.bodies[other], node), weight)
                        } else {
                            (member, 0.0)
                        }
                    });
                    let mut contact =
                        Constraint::new(member, Against::Members(carriers), point.normal, point.depth);
                    contact.place = point.place;
                    contact.friction = friction;
                    contact.cling = step.rest_speed;
                    contact.rise = (RELAX * point.depth)
                        .min(step.h * RISE_SPANS * bodies[mine].border().span(point.node));
                    contact.back = bounce.back(point, mine);
                    self.solver.constraints.push(contact);
                }
            }
        }
        (self.pairs, self.scratch) = (pairs, scratch);
    }

    /// Makes constraints of what is in a rigid collider.
    fn enter(&mut self, parts: &Participants, handle: ColliderHandle, step: &ContactStep) {
        let Some((collider, rigid)) = parts.colliders.get(handle).and_then(|c| Some((c, c.rigid?))) else {
            return;
        };
        // Colliders of the same rigid body are one.
        let known = self.solver.rigids.iter().position(|of| rigid.body != 0 && of.rigid.body == rigid.body);
        let index = known.unwrap_or(self.solver.rigids.len()) as u32;
        if known.is_none() {
            let (velocity, spin) = (collider.velocity, collider.spin);
            self.solver.rigids.push(RigidMember { velocity, spin, rigid, handle });
        }
        let (mut entered, scratch) = (std::mem::take(&mut self.entered), std::mem::take(&mut self.scratch));
        for number in 0..self.handles.len() as u32 {
            let (body, of) = (self.body(parts.bodies, number), self.handles[number as usize]);
            if body.is_asleep() || !self.filter.pushes(of, handle, collider) {
                continue;
            }
            let arrivals = &beside(&scratch, of).arrivals;
            entered.clear();
            response::enter(&body.nodes, &Entering::new(body, arrivals), collider, step.h, &mut entered);
            self.leave_attached(parts, of, rigid.body, &mut entered);
            let Surface { friction, restitution: bounce } = collider.surface.with(body.material.surface);
            let center = (collider.position - body.nodes.origin).as_vec3() + rigid.centre;
            let arriving = mean(arrivals) - collider.velocity;
            for &Entered { node, place, touch: ColliderTouch { depth, normal, entered } } in &entered {
                let member = self.member(body, number, node);
                let arm = place - center;
                let mut contact = Constraint::new(member, Against::Rigid(index, arm), normal, depth);
                contact.place = place;
                contact.friction = friction;
                contact.rise = if entered { depth } else { step.h * RISE_PER_SEC * body.rest().nodes.radius };
                if let Some(arrival) = arrivals.get(node as usize).filter(|_| bounce > 0.0) {
                    let arrival = *arrival - collider.velocity - collider.spin.cross(arm);
                    contact.back = bounced(bounce, arrival, arriving, normal, f32::INFINITY, step.rest_speed);
                }
                self.solver.constraints.push(contact);
            }
        }
        (self.entered, self.scratch) = (entered, scratch);
    }

    /// Leaves out the nodes of a body that are attached to the rigid body which they are in.
    fn leave_attached(
        &mut self,
        parts: &Participants,
        body: BodyHandle,
        rigid: u64,
        entered: &mut Vec<Entered>,
    ) {
        let Some(held) = parts.held.get(body).filter(|_| rigid != 0) else { return };
        self.attached.clear();
        self.attached.extend(held.attached_to(rigid));
        self.attached.sort_unstable();
        entered.retain(|entered| self.attached.binary_search(&entered.node).is_err());
    }

    /// What is held cannot be pushed.
    fn fix_held(&mut self, held: &Side<HeldNodes>) {
        for (number, &handle) in self.handles.iter().enumerate() {
            for node in held.get(handle).into_iter().flat_map(HeldNodes::fixed) {
                let slot = (self.starts[number] + node) as usize;
                if let Some(&Some(member)) = self.members.get(slot) {
                    self.solver.members[member as usize].inverse_mass = 0.0;
                }
            }
        }
    }

    /// Gives nodes and colliders what was found for them.
    fn put_back(&mut self, parts: &mut Participants) {
        for (&(number, node), member) in self.owners.iter().zip(&self.solver.members) {
            let Some(body) = parts.bodies.get_mut(self.handles[number as usize]) else { continue };
            if member.inverse_mass > 0.0 {
                body.nodes.velocities[node as usize] = member.velocity;
                body.nodes.positions[node as usize] += member.moved;
            }
        }
        for member in &self.solver.rigids {
            if let Some(collider) = parts.colliders.get_mut(member.handle) {
                (collider.velocity, collider.spin) = (member.velocity, member.spin);
                collider.rigid = Some(member.rigid);
            }
            member.motion().give_to_colliders(parts.colliders);
        }
    }

    /// Records who touches whom, and how hard.
    fn record(&mut self, bodies: &Arena<Body>) {
        for contact in &self.solver.constraints {
            let (number, _) = self.owners[contact.member as usize];
            let handle = self.handles[number as usize];
            if let Some(scratch) = self.scratch.get_mut(handle) {
                scratch.counts.contacts += 1;
            }
            let place = numbered(bodies, &self.handles, number).nodes.origin + contact.place.as_dvec3();
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
            self.touches.add(body, other, place, contact.normal * way, contact.impulse);
        }
    }
}

/// A body of this step by its number.
fn numbered<'a>(bodies: &'a Arena<Body>, handles: &[BodyHandle], number: u32) -> &'a Body {
    bodies.get(handles[number as usize]).unwrap_or_else(|| unreachable!("bodies stay during a step"))
}

/// What contacts keep beside a body of this step.
fn beside(scratch: &Side<BodyScratch>, handle: BodyHandle) -> &BodyScratch {
    scratch.get(handle).unwrap_or_else(|| unreachable!("room was made when the step began"))
}

impl Pair {
    fn touches(&self) -> bool {
        self.engulfed || self.points.iter().any(|points| !points.is_empty())
    }
}
