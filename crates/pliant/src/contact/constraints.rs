//! What touches, as constraints for the solver: which nodes, and what may be done about it.

use super::collider::Touch as ColliderTouch;
use super::pairs::{Contacts, Participants};
use super::response::{ContactStep, Entered, RISE_PER_SEC};
use super::rolling::Resistance;
use super::solve::{Against, Constraint, ContactSide, Member, RigidMember};
use super::supports::HeldUp;
use super::turning::Turning;
use super::{Collider, ColliderHandle, Rigid};
use crate::body::Body;
use crate::ids::{Arena, Side};
use crate::material::Surface;
use crate::nodes::HeldNodes;
use glam::{Mat3, Vec3, Vec3A};

/// The part of the depth that a substep undoes, besides what two have come closer in it: contacts that want different things need
/// time to agree.
const RELAX: f32 = 0.3;
/// Spans a second at which it is undone at most: taking apart what is pressed together does work that nobody pays for, so most of it must
/// wait until the press is over.
const RISE_SPANS: f32 = 1.0;
/// Strain from which on nodes are not displaced any more.
const YIELDING: f32 = 0.35;

impl Contacts {
    /// Makes room for the members of all bodies that meet.
    pub(super) fn take_members(&mut self, bodies: &Arena<Body>) {
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
        self.yieldings.reserve(self.yieldings.len());
        self.yieldings.clear();
        self.turnings.clear();
        self.turnings.resize(self.handles.len(), None);
    }

    /// How a body turns in a substep of `h` seconds, by its number in the solver.
    fn turning(&mut self, body: &Body, number: u32, held: &Side<HeldNodes>, h: f32) -> u32 {
        let Self { turnings, handles, solver, .. } = self;
        *turnings[number as usize].get_or_insert_with(|| {
            let free = !body.is_asleep() && is_free(held.get(handles[number as usize]));
            solver.turnings.push(Turning::of(body, free, h));
            solver.turnings.len() as u32 - 1
        })
    }

    /// The member that a node is, of a body that turns.
    fn member(&mut self, body: &Body, (number, turning): (u32, u32), node: u32) -> u32 {
        let Self { starts, members, owners, solver, .. } = self;
        *members[(starts[number as usize] + node) as usize].get_or_insert_with(|| {
            owners.push((number, node));
            let inverse_mass =
                if body.is_asleep() { 0.0 } else { 1.0 / body.rest().nodes.masses[node as usize] };
            solver.members.push(Member {
                velocity: body.nodes.velocities[node as usize].into(),
                moved: Vec3A::ZERO,
                out: Vec3A::from(body.nodes.positions[node as usize])
                    - solver.turnings[turning as usize].center,
                inverse_mass,
                body: turning,
            });
            solver.members.len() as u32 - 1
        })
    }

    /// How far a member of a body may be displaced, which is asked once in a substep.
    fn yielding(&mut self, (body, member): (&Body, u32)) -> f32 {
        let Self { yieldings, owners, .. } = self;
        let index = member as usize;
        if yieldings.len() <= index {
            yieldings.resize(owners.len(), None);
        }
        *yieldings[index].get_or_insert_with(|| yielding(body, owners[index].1))
    }

    /// Makes constraints of the contact points of all pairs.
    pub(super) fn constrain(&mut self, all: &Arena<Body>, held: &Side<HeldNodes>, step: &ContactStep) {
        let pairs = std::mem::take(&mut self.pairs);
        for pair in pairs.iter().filter(|pair| !pair.engulfed && pair.touches()) {
            let bodies = pair.bodies.map(|number| self.body(all, number));
            let [a, b] = bodies.map(|body| body.material.surface);
            let surface = a.with(b);
            let turnings = [0, 1].map(|side| self.turning(bodies[side], pair.bodies[side], held, step.h));
            let offset = (bodies[1].nodes.origin - bodies[0].nodes.origin).as_vec3();
            for (mine, points) in pair.points.iter().enumerate() {
                let other = 1 - mine;
                for point in points {
                    let member = self.member(bodies[mine], (pair.bodies[mine], turnings[mine]), point.node);
                    let start = self.solver.carriers.len() as u32;
                    let [at, velocity] = motion(bodies[mine], point.node);
                    let [mut middle, mut carried] = [Vec3::ZERO; 2];
                    for &(node, weight) in point.carriers.iter().filter(|carrier| carrier.1 > 0.0) {
                        let carrier = self.member(bodies[other], (pair.bodies[other], turnings[other]), node);
                        self.solver.carriers.push((carrier, weight));
                        let [at, velocity] = motion(bodies[other], node);
                        middle += weight * at;
                        carried += weight * velocity;
                    }
                    let carriers = [start, self.solver.carriers.len() as u32];
                    // Impulses have their moments about where nodes were before the substep, so that what they move by changes none.
                    let (at, place) = (at - step.h * velocity, point.place - step.h * velocity);
                    let there = place - if mine == 0 { offset } else { -offset };
                    let side = self.solver.side(turnings[mine], at, place, step.h);
                    let beneath = self.solver.side(turnings[other], middle - step.h * carried, there, step.h);
                    let against = Against::Members(carriers, beneath);
                    let mut contact = Constraint::new(member, side, against, point.normal, point.depth);
                    contact.place = point.place;
                    contact.friction = surface.friction;
                    contact.resistance = Resistance::of(surface);
                    let mut give = self.yielding((bodies[mine], member));
                    if let Some(&(heaviest, _)) = self.solver.carriers.get(start as usize) {
                        give = give.min(self.yielding((bodies[other], heaviest)));
                    }
                    contact.rise = give
                        * (RELAX * point.depth)
                            .min(step.h * RISE_SPANS * bodies[mine].border().span(point.node));
                    self.solver.constraints.push(contact);
                }
            }
        }
        self.pairs = pairs;
    }

    /// Makes constraints of what is in colliders, of bodies that can meet others or rigid ones: what presses on them presses them on the
    /// collider. (The others deal with it one by one.)
    pub(super) fn enter(&mut self, parts: &mut Participants, step: &ContactStep) {
        let Self { handles, near, scratch, .. } = self;
        let colliders = &*parts.colliders;
        let is_near = |handle| handles.binary_search(&handle).is_ok_and(|number| near[number]);
        parts.bodies.for_each_with_parallel(scratch, |of, body, scratch| {
            scratch.entered.clear();
            scratch.solved = !body.is_asleep() && (is_near(of) || scratch.nearby.has_rigid(colliders));
            if scratch.solved {
                scratch.enter(body, colliders, step.h);
            }
        });
        let mut scratch = std::mem::take(&mut self.scratch);
        for number in 0..self.handles.len() as u32 {
            let (body, of) = (self.body(parts.bodies, number), self.handles[number as usize]);
            let Some(beside) = scratch.get_mut(of) else { continue };
            for collider in beside.entered.chunk_by(|a, b| a.0 == b.0) {
                self.press_on(parts, (number, body), collider, step);
            }
        }
        self.scratch = scratch;
    }

    /// Makes constraints of what of a body is in a collider.
    fn press_on(
        &mut self,
        parts: &Participants,
        (number, body): (u32, &Body),
        entered: &[(ColliderHandle, Entered)],
        step: &ContactStep,
    ) {
        let (handle, _) = entered[0];
        let Some(collider) = parts.colliders.get(handle) else { return };
        let rigid = collider.rigid.map(|rigid| self.rigid_member(collider, rigid, handle));
        let of = self.handles[number as usize];
        self.attached.clear();
        if let (Some(held), Some(rigid)) =
            (parts.held.get(of), collider.rigid.filter(|rigid| rigid.body != 0))
        {
            self.attached.extend(held.attached_to(rigid.body));
            self.attached.sort_unstable();
        }
        let surface = collider.surface.with(body.material.surface);
        let turning = self.turning(body, number, parts.held, step.h);
        let pressing = Pressing::new(body, collider, surface);
        let mut held_up = HeldUp::new(body);
        for (_, entered) in entered {
            if self.attached.binary_search(&entered.node).is_ok() {
                continue;
            }
            let member = self.member(body, (number, turning), entered.node);
            let at = body.nodes.positions[entered.node as usize];
            let side = self.solver.side(turning, at, entered.place, 0.0);
            let against = match rigid {
                Some(rigid) => Against::Rigid(rigid, entered.place - pressing.center),
                None => pressing.carries(handle, entered.place),
            };
            let mut contact = pressing.contact(entered, (member, side), against, step);
            held_up.begin(&mut contact, entered.node);
            self.solver.constraints.push(contact);
        }
    }

    /// The rigid member that a collider is. Colliders of the same rigid body are one.
    fn rigid_member(&mut self, collider: &Collider, rigid: Rigid, handle: ColliderHandle) -> u32 {
        let rigids = &mut self.solver.rigids;
        let same = |of: &RigidMember| of.handle == handle || rigid.body != 0 && of.rigid.body == rigid.body;
        let index = rigids.iter().position(same).unwrap_or(rigids.len());
        if index == rigids.len() {
            let (velocity, spin) = (collider.velocity, collider.spin);
            rigids.push(RigidMember { velocity, spin, rigid, handle });
        }
        index as u32
    }

    /// What is held cannot be pushed.
    pub(super) fn fix_held(&mut self, held: &Side<HeldNodes>) {
        for (number, &handle) in self.handles.iter().enumerate() {
            for node in held.get(handle).into_iter().flat_map(HeldNodes::fixed) {
                let slot = (self.starts[number] + node) as usize;
                if let Some(&Some(member)) = self.members.get(slot) {
                    self.solver.members[member as usize].inverse_mass = 0.0;
                }
            }
        }
    }
}

/// What is held withstands contacts.
impl Contacts {
    /// Lets held nodes take up what contacts have given them, which has not moved them.
    pub(super) fn withstand(&mut self, held: &mut Side<HeldNodes>) {
        let Self { solver, got, members, handles, starts, .. } = self;
        let fixed = |member: u32| solver.members[member as usize].inverse_mass == 0.0;
        got.clear();
        if !(0..solver.members.len() as u32).any(fixed) {
            return;
        }
        got.reserve(solver.members.capacity());
        got.resize(solver.members.len(), Vec3::ZERO);
        let of_nodes = |side: &ContactSide| solver.turnings[side.body as usize].of_nodes();
        for contact in &solver.constraints {
            let given = contact.given();
            got[contact.member as usize] += given * of_nodes(&contact.side);
            if let Against::Members([start, end], side) = contact.against {
                for &(member, weight) in &solver.carriers[start as usize..end as usize] {
                    got[member as usize] -= given * (weight * of_nodes(&side));
                }
            }
        }
        for (handle, start) in handles.iter().zip(&*starts) {
            let Some(held) = held.get_mut(*handle).filter(|held| !held.nodes.is_empty()) else { continue };
            held.withstand(|node| {
                let member = members.get((start + node) as usize).copied().flatten();
                member.map_or(Vec3::ZERO, |member| std::mem::take(&mut got[member as usize]))
            });
        }
    }
}

/// A body that presses on a collider.
pub(super) struct Pressing<'a> {
    body: &'a Body,
    collider: &'a Collider,
    surface: Surface,
    /// Where the collider turns about, relative to the body's origin.
    pub center: Vec3,
}

impl<'a> Pressing<'a> {
    pub fn new(body: &'a Body, collider: &'a Collider, surface: Surface) -> Self {
        let center = (collider.position - body.nodes.origin).as_vec3()
            + collider.rigid.map_or(Vec3::ZERO, |rigid| rigid.centre);
        Self { body, collider, surface, center }
    }

    /// What a place is against on a collider that nothing pushes about: how fast it carries the place along.
    pub fn carries(&self, handle: ColliderHandle, place: Vec3) -> Against {
        let spin = self.collider.spin;
        let velocity = self.collider.velocity + spin.cross(place - self.center);
        Against::Collider { handle, velocity, spin }
    }

    /// The constraint of a tip that has entered.
    pub fn contact(
        &self,
        &Entered { place, touch: ColliderTouch { depth, normal, entered }, .. }: &Entered,
        (member, side): (u32, ContactSide),
        against: Against,
        step: &ContactStep,
    ) -> Constraint {
        let mut contact = Constraint::new(member, side, against, normal, depth);
        contact.place = place;
        contact.friction = self.surface.friction;
        contact.resistance = Resistance::of(self.surface);
        contact.rise = if entered { depth } else { step.h * RISE_PER_SEC * self.body.rest().nodes.radius };
        contact
    }
}

/// Whether no node of a body is held where it is.
pub(super) fn is_free(held: Option<&HeldNodes>) -> bool {
    held.is_none_or(|held| held.fixed().next().is_none())
}

/// Where a node is, and its velocity.
fn motion(body: &Body, node: u32) -> [Vec3; 2] {
    [body.nodes.positions[node as usize], body.nodes.velocities[node as usize]]
}

/// How far a node may be displaced, 1 where it is not deformed and 0 from a strain on: what contacts that want different things pull
/// apart without end would only be deformed more.
fn yielding(body: &Body, node: u32) -> f32 {
    let map = body.node_map(node as usize);
    let strain = map.transpose() * map - Mat3::IDENTITY;
    let norm2 =
        strain.x_axis.length_squared() + strain.y_axis.length_squared() + strain.z_axis.length_squared();
    (1.0 - 0.5 * norm2.sqrt() / YIELDING).clamp(0.0, 1.0)
}
