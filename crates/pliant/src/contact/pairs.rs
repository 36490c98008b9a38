//! Pairs of bodies that can meet, and what comes of it.

use super::attached::AttachedNodes;
use super::broad::{Bounds, Sweep};
use super::events::{Other, Touch, Touches};
use super::impacts::{Impact, Press};
use super::motion::Motion;
use super::narrow::Seen;
use super::pair::{Found, Pair, order};
use super::response::{ContactStep, RISE_PER_SEC};
use super::scratch::BodyScratch;
use super::shell::{Shell, SurfaceBefore};
use super::solve::{Against, Constraint, RigidMember, Solver};
use super::{Collider, Filter, RigidMotion, self_contact, supports};
use crate::body::{Body, BodyHandle};
use crate::ids::{Arena, Side};
use crate::nodes::HeldNodes;
use crate::par;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// What contacts know of pieces of one body that hardly move, and the next step goes on from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Followed {
    /// Where they are in each other, pair by pair.
    pairs: Vec<Found>,
    /// Where their outer nodes were, body by body.
    surfaces: Vec<SurfaceBefore>,
}

/// What contacts keep from substep to substep, and what is known of them after a step.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    /// Who touches whom.
    pub touches: Touches,
    /// What does not touch although it could.
    pub filter: Filter,
    /// The nodes of this step that are attached to other bodies.
    pub attachments: AttachedNodes,
    /// The bodies of this step, by number.
    pub handles: Vec<BodyHandle>,
    /// The boxes around their ways.
    boxes: Vec<Bounds>,
    sweep: Sweep,
    /// How they move.
    motions: Vec<Motion>,
    /// Those that can meet in this step.
    pub(super) pairs: Vec<Pair>,
    /// Those of the step before, and those that are kept for their memory.
    before: Vec<Pair>,
    spare: Vec<Pair>,
    /// Which bodies can meet others.
    pub(super) near: Vec<bool>,
    /// The surfaces of those, as they are now.
    shells: Vec<Shell>,
    pub(super) solver: Solver,
    /// Body and node of each member of the solver.
    pub(super) owners: Vec<(u32, u32)>,
    /// The member of each node, of all bodies one after another.
    pub(super) members: Vec<Option<u32>>,
    /// Where those of each body begin.
    pub(super) starts: Vec<u32>,
    /// kg m/s that each member got, if some of them cannot be pushed.
    pub(super) got: Vec<Vec3>,
    /// How far each member may be displaced, of those that it was asked of.
    pub(super) yieldings: Vec<Option<f32>>,
    /// How each body turns, by its number in the solver.
    pub(super) turnings: Vec<Option<u32>>,
    /// Nodes that are attached to the rigid body that is looked at.
    pub(super) attached: Vec<u32>,
    /// What is kept beside each body.
    pub(super) scratch: Side<BodyScratch>,
    /// Who has hit whom and has not parted yet, by body and other.
    pub impacts: Vec<Impact>,
    /// Who is pressed on whom in this substep, of those that bounce.
    pub(super) presses: Vec<Press>,
    /// How the rigid bodies move that bounced in it.
    pub(super) rebounds: Vec<RigidMotion>,
}

/// The parts of a world that take part in contacts.
pub(crate) struct Participants<'a> {
    /// Soft bodies.
    pub bodies: &'a mut Arena<Body>,
    /// What they cannot enter.
    pub colliders: &'a mut Arena<Collider>,
    /// The nodes that are held.
    pub held: &'a mut Side<HeldNodes>,
}

/// Pairs that memory is kept ready for.
const READY: usize = 4;
/// Substeps that fast bodies can ask for.
const MOST_SUBSTEPS: u32 = 64;
/// The part of the thinner body's depth that two may come closer in a substep.
const CAUTION: f32 = 0.9;
impl Contacts {
    /// Of a world in which these touch.
    pub fn with(now: Vec<Touch>, impacts: Vec<Impact>, filter: Filter) -> Self {
        Self { touches: Touches::with(now), impacts, filter, ..Self::default() }
    }

    /// What the next step goes on from, of pieces of one body.
    pub fn followed(&self, bodies: &Arena<Body>) -> Followed {
        let pairs: Vec<Found> = self.pairs.iter().filter_map(Pair::followed).cloned().collect();
        let is_followed =
            |handle| pairs.iter().any(|pair| pair.bodies().is_some_and(|of| of.contains(&handle)));
        let known = |shell: &Shell| {
            let handle = shell.body().filter(|&handle| is_followed(handle))?;
            shell.before(bodies.get(handle)?).cloned()
        };
        let surfaces = self.shells.iter().filter_map(known).collect();
        Followed { pairs, surfaces }
    }

    /// Goes on from what was known of these bodies.
    pub fn follow(&mut self, followed: &Followed, bodies: &Arena<Body>) {
        let fits = |found: &&Found| {
            let both = found.bodies().map(|both| both.map(|handle| bodies.get(handle)));
            matches!(both, Some([Some(a), Some(b)]) if found.fits([a, b]))
        };
        self.pairs = followed.pairs.iter().filter(fits).cloned().map(Pair::with).collect();
        let mut known = followed.surfaces.iter().peekable();
        let shell = |(handle, body): (BodyHandle, &Body)| match known.next_if(|of| of.body() == Some(handle))
        {
            Some(before) => Shell::with(before.clone(), body),
            None => Shell::default(),
        };
        self.shells = bodies.iter().map(shell).collect();
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
        let Self { handles, sweep, motions, pairs, before, spare, near, shells, touches, filter, .. } = self;
        let bodies = |number: u32| numbered(all, handles, number);
        let mut substeps = 1.0_f32;
        // Each goes on with what it knew, if it was there: they come in the same order.
        std::mem::swap(pairs, before);
        before.reverse();
        let mut add = |bodies: [u32; 2], kin: bool, speeds: [f32; 2]| {
            let both = bodies.map(|number| handles[number as usize]);
            while let Some(gone) = before.pop_if(|pair| pair.order() < Some(order(both))) {
                spare.push(gone);
            }
            let same = before.pop_if(|pair| pair.order() == Some(order(both)));
            let mut pair = same.or_else(|| spare.pop()).unwrap_or_default();
            pair.begin((bodies, both, kin), speeds, touches.way(both));
            pairs.push(pair);
        };
        for &pair in &sweep.found {
            let [a, b] = pair.map(bodies);
            if (a.is_asleep() && b.is_asleep()) || (a.kinematic && b.kinematic) {
                continue;
            }
            if !(a.contacts.bodies && b.contacts.bodies) {
                continue;
            }
            if !filter.bodies_touch(pair.map(|number| handles[number as usize]), [a, b]) {
                continue;
            }
            let [mine, others] = pair.map(|number| motions[number as usize]);
            // One of them may be held, or stand.
            let fall = mine.fall.max(others.fall);
            let closer = (mine.way - others.way).length() + mine.flung + others.flung;
            substeps = substeps.max((closer + fall) / (CAUTION * depth(a).min(depth(b))));
            add(pair, a.is_kin_of(b), [mine.reach + others.reach, closer].map(|way| way / dt_secs));
        }
        for (number, body) in (0..).zip(all.values()) {
            if !body.is_asleep() && body.contacts.itself && filter.touches_itself(handles[number as usize]) {
                add([number; 2], false, [0.0; 2]);
            }
        }
        spare.append(before);
        // A pair that comes near for the first time finds its memory ready.
        if spare.len() < READY {
            spare.resize_with(2 * READY, Pair::with_room);
        }
        for list in [&mut *pairs, before, spare] {
            if list.capacity() < list.len() + READY {
                list.reserve(2 * READY);
            }
        }
        near.clear();
        near.resize(handles.len(), false);
        for pair in pairs.iter().filter(|pair| !pair.is_one()) {
            pair.bodies.into_iter().for_each(|number| near[number as usize] = true);
        }
        align(shells, handles);
        for ((shell, &handle), &near) in shells.iter_mut().zip(&*handles).zip(&*near) {
            shell.begin(near.then_some(handle));
        }
        par::for_each_indexed(pairs, 8, |_, pair| {
            if pair.is_one() {
                let [number, _] = pair.bodies;
                let (body, reach) = (bodies(number), motions[number as usize].reach);
                self_contact::suspects(body, body.border(), reach, &mut pair.suspects);
            }
        });
        pairs.retain(|pair| !pair.is_one() || !pair.suspects.is_empty());
        if substeps.is_finite() { (substeps.ceil() as u32).clamp(1, MOST_SUBSTEPS) } else { MOST_SUBSTEPS }
    }

    /// Whether any can meet in this step.
    pub fn any_near(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// The members of the solver that a body's nodes are.
    pub(super) fn members_of(&self, body: BodyHandle) -> Option<&[Option<u32>]> {
        let number = self.handles.binary_search(&body).ok()?;
        let end = self.starts.get(number + 1).map_or(self.members.len(), |&start| start as usize);
        self.members.get(*self.starts.get(number)? as usize..end)
    }

    /// Everything that bodies that can meet, and rigid colliders, do to each other in a substep.
    pub fn act(&mut self, parts: &mut Participants, step: &ContactStep) {
        self.meet(parts.bodies, step);
        self.wake(parts.bodies);
        self.separate(parts.bodies, step.h);
        self.constrain(parts.bodies, parts.held, step);
        self.enter(parts, step);
        self.fix_held(parts.held);
        self.solver.solve(step.h);
        self.withstand(parts.held);
        self.put_back(parts, step.h);
        self.record(parts.bodies);
    }

    /// How the rigid bodies move that took part in this substep.
    pub fn rigid_motions(&self) -> impl Iterator<Item = RigidMotion> {
        self.solver.rigids.iter().map(RigidMember::motion).chain(self.rebounds.iter().copied())
    }

    pub(super) fn body<'a>(&self, bodies: &'a Arena<Body>, number: u32) -> &'a Body {
        numbered(bodies, &self.handles, number)
    }

    /// Finds which pairs are too far from each other to touch in a substep of `h` seconds or known well enough, and so whose surfaces nobody
    /// asks for.
    fn find_far(&mut self, all: &Arena<Body>, h: f32) {
        let Self { handles, near, shells, pairs, .. } = self;
        let bodies = |number: u32| numbered(all, handles, number);
        par::for_each_indexed(shells, 4, |number, shell| {
            if near[number] {
                shell.surround(bodies(number as u32));
            }
        });
        for pair in pairs.iter_mut().filter(|pair| !pair.is_one()) {
            let [a, b] = pair.bodies;
            let offset = (bodies(b).nodes.origin - bodies(a).nodes.origin).as_vec3();
            let span = bodies(a).border().span.min(bodies(b).border().span);
            let both = [&shells[a as usize], &shells[b as usize]];
            if let Some([low, high]) = pair.approach(both, offset, span, h) {
                shells[a as usize].ask([low, high]);
                shells[b as usize].ask([low - offset, high - offset]);
            }
        }
    }

    /// Where the pairs are in each other.
    fn meet(&mut self, all: &Arena<Body>, step: &ContactStep) {
        self.find_far(all, step.h);
        let (near, handles, attached) = (&self.near, &self.handles, &self.attachments);
        let bodies = |number: u32| numbered(all, handles, number);
        par::for_each_indexed(&mut self.shells, 4, |number, shell| {
            if near[number] && shell.is_asked() {
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
            pair.meet([&a, &b], step.h);
            // What is attached may be inside each other as well.
            if attached.part(pair.bodies.map(|number| handles[number as usize]), &mut pair.points) {
                pair.engulfed = false;
            }
        });
    }

    /// Wakes sleepers that something moving touches.
    fn wake(&self, bodies: &mut Arena<Body>) {
        for pair in self.pairs.iter().filter(|pair| pair.touches_still()) {
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
                [a, b].map(|body| if body.is_unmoved() { 1e30 } else { body.rest().nodes.total_mass });
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

    /// Gives nodes and colliders what was found for them.
    fn put_back(&mut self, parts: &mut Participants, h: f32) {
        for (&(number, node), member) in self.owners.iter().zip(&self.solver.members) {
            let Some(body) = parts.bodies.get_mut(self.handles[number as usize]) else { continue };
            if member.inverse_mass > 0.0 {
                body.nodes.velocities[node as usize] = member.velocity.into();
            }
        }
        for (number, turning) in self.turnings.iter().enumerate() {
            let (handle, start) = (self.handles[number], self.starts[number]);
            let (Some(body), Some(turning)) = (parts.bodies.get_mut(handle), turning) else { continue };
            let (turning, Some(BodyScratch { nearby, close, .. })) =
                (&self.solver.turnings[*turning as usize], self.scratch.get_mut(handle))
            else {
                continue;
            };
            nearby.within(turning.caution(), &body.nodes, close);
            let members = &self.members[start as usize..];
            let go = |node: u32| members[node as usize].is_none() && close.binary_search(&node).is_err();
            turning.put_into(&mut body.nodes, h, go);
        }
        for contact in &self.solver.constraints {
            let (number, node) = self.owners[contact.member as usize];
            let handle = self.handles[number as usize];
            if let (Some(body), Some(scratch)) = (parts.bodies.get(handle), self.scratch.get_mut(handle)) {
                supports::note(body, contact, node, &mut scratch.noted);
            }
        }
        for (&(number, node), member) in self.owners.iter().zip(&self.solver.members) {
            let Some(body) = parts.bodies.get_mut(self.handles[number as usize]) else { continue };
            if member.inverse_mass > 0.0 {
                body.nodes.positions[node as usize] += Vec3::from(member.moved);
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
        let mut latest = None;
        let constraints = std::mem::take(&mut self.solver.constraints);
        for contact in &constraints {
            let (number, node) = self.owners[contact.member as usize];
            if let Some(scratch) = self.scratch.get_mut(self.handles[number as usize]) {
                scratch.counts.contacts += 1;
            }
            let place = numbered(bodies, &self.handles, number).nodes.origin + contact.place.as_dvec3();
            let (body, other, way) = self.who(contact);
            self.touches.add(body, other, place, contact.normal * way, contact.impulse);
            // Tips of one node come one after the other, and speak for the same piece of surface.
            let is_new = latest.replace((contact.member, other)) != Some((contact.member, other));
            let border = numbered(bodies, &self.handles, number).border();
            let area = if is_new { border.area(node) } else { 0.0 };
            let given = if other == Other::Itself { Vec3::ZERO } else { contact.given() * way };
            self.touches.give(body, other, given, (usize::from(way < 0.0), area));
        }
        self.solver.constraints = constraints;
    }

    /// Who is in contact, of two bodies the lower handle first, and by what to multiply the normal so that it is toward the first.
    pub(super) fn who(&self, contact: &Constraint) -> (BodyHandle, Other, f32) {
        let handle = self.handles[self.owners[contact.member as usize].0 as usize];
        let other = match contact.against {
            Against::Rigid(rigid, _) => Other::Collider(self.solver.rigids[rigid as usize].handle),
            Against::Collider { handle, .. } => Other::Collider(handle),
            Against::Members([first, _], _) => {
                let (carrier, _) = self.solver.carriers[first as usize];
                let other = self.handles[self.owners[carrier as usize].0 as usize];
                if other == handle { Other::Itself } else { Other::Body(other) }
            }
        };
        match other {
            Other::Body(other) if other < handle => (other, Other::Body(handle), -1.0),
            other => (handle, other, 1.0),
        }
    }
}

/// How deep a body is, in metres: what two that come closer in a substep may pass each other by.
fn depth(body: &Body) -> f32 {
    let border = body.border();
    border.sheet.unwrap_or(border.depth.max(0.5 * border.span)).max(1e-3 * border.span)
}

/// A body of this step by its number.
fn numbered<'a>(bodies: &'a Arena<Body>, handles: &[BodyHandle], number: u32) -> &'a Body {
    bodies.get(handles[number as usize]).unwrap_or_else(|| unreachable!("bodies stay during a step"))
}

/// Puts shells in the order of their bodies, if others have come or gone since.
fn align(shells: &mut Vec<Shell>, handles: &[BodyHandle]) {
    let in_place = |(shell, &handle): (&Shell, &BodyHandle)| shell.body().is_none_or(|body| body == handle);
    if !shells.iter().zip(handles).all(in_place) {
        let mut known = std::mem::take(shells).into_iter().filter(|shell| shell.body().is_some()).peekable();
        shells.extend(handles.iter().map(|&handle| {
            while known.next_if(|shell| shell.body() < Some(handle)).is_some() {}
            known.next_if(|shell| shell.body() == Some(handle)).unwrap_or_default()
        }));
    }
    shells.resize_with(handles.len(), Shell::default);
}

/// What contacts keep beside a body of this step.
pub(super) fn beside(scratch: &Side<BodyScratch>, handle: BodyHandle) -> &BodyScratch {
    scratch.get(handle).unwrap_or_else(|| unreachable!("room was made when the step began"))
}
