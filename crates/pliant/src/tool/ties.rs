//! What attached bodies do to each other in a substep.
//!
//! Each tie is between two places that nodes carry. Ties are gone through in a fixed order, several times: each takes away what is left of
//! the velocity between its places, by an impulse that both get, equal and opposite; rods only along themselves. The nodes move as if they
//! had got it when the substep began. What places have drifted apart by is taken back by displacements that change no velocity.
//!
//! An impulse only ever takes away relative velocity, whatever the masses and the substep are: nothing gains energy by it.
//!
//! Places that have drifted apart are not quite at one point, and impulses at them would change angular momentum by their moment about
//! each other. The two bodies get that back as one rigid whole.

use super::{Attachment, Tool};
use crate::body::{Body, BodyHandle};
use crate::ids::{Arena, Side};
use crate::nodes::{HeldNodes, NodeState};
use glam::{DMat3, DVec3, Vec3};

/// Times that velocities are gone through.
const VELOCITY_PASSES: usize = 12;
/// Times that displacements are gone through.
const PLACE_PASSES: usize = 4;
/// The part of what they have drifted apart by that each takes back.
const RELAX: f32 = 0.3;

/// What ties keep from substep to substep, for its memory.
#[derive(Debug, Default)]
pub(crate) struct Ties {
    members: Vec<Member>,
    /// Body and node of each member, ascending.
    owners: Vec<(BodyHandle, u32)>,
    /// Members that carry places, and how much of it each.
    carriers: Vec<(u32, f32)>,
    rows: Vec<Row>,
    /// kg m/s that each member got.
    got: Vec<Vec3>,
}

/// A node that carries a tied place.
#[derive(Clone, Copy, Debug, Default)]
struct Member {
    /// m/s
    velocity: Vec3,
    /// As the substep's model left it.
    velocity_before: Vec3,
    /// Relative to its body's origin.
    position: Vec3,
    /// 1/kg; 0 for what cannot be moved.
    inverse_mass: f32,
}

/// A tie as it is solved.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Where the carriers of both sides begin and end.
    carriers: [u32; 3],
    /// From the origin of the first body to that of the second.
    offset: Vec3,
    /// From its place on the second body to that on the first, when the substep began.
    gap: Vec3,
    length: f32,
    /// Of a rod, its unit direction.
    along: Option<Vec3>,
    /// 1/kg of both places together.
    inverse_mass: f32,
    /// kg m/s that the first body got.
    impulse: Vec3,
    /// kg m that the first body was displaced with.
    displaced: Vec3,
}

impl Row {
    /// Its carriers.
    fn range(&self) -> std::ops::Range<usize> {
        self.carriers[0] as usize..self.carriers[2] as usize
    }
}

impl Ties {
    /// Holds attached bodies to each other for a substep of `h` seconds.
    pub fn hold(
        &mut self,
        tools: &mut Arena<Tool>,
        bodies: &mut Arena<Body>,
        held: &mut Side<HeldNodes>,
        h: f32,
    ) {
        if !tools.values().any(|tool| tool.attachment().is_some()) {
            return;
        }
        self.take_members(tools, bodies, held);
        self.take_rows(tools, bodies, h);
        self.solve(h);
        self.withstand(held);
        self.put_back(bodies);
        let mut rows = self.rows.iter();
        for attachment in tools.values_mut().filter_map(Tool::attachment_mut) {
            let mut moment = DVec3::ZERO;
            for (tie, row) in attachment.ties.iter_mut().zip(&mut rows) {
                tie.force = row.impulse / h;
                attachment.impulse += row.impulse;
                moment += row.gap.as_dvec3().cross(row.impulse.as_dvec3())
                    + row.displaced.as_dvec3().cross(self.relative(row).as_dvec3());
            }
            give_back(attachment, bodies, held, moment);
        }
    }

    /// The nodes that carry tied places, as they are now.
    fn take_members(&mut self, tools: &Arena<Tool>, bodies: &mut Arena<Body>, held: &mut Side<HeldNodes>) {
        let Self { members, owners, .. } = self;
        owners.clear();
        for attachment in tools.values().filter_map(Tool::attachment) {
            for (&body, carriers) in attachment.bodies.iter().zip(&attachment.carriers) {
                owners.extend(carriers.items.iter().map(|&(node, _)| (body, node)));
            }
        }
        owners.sort_unstable();
        owners.dedup();
        members.clear();
        for of_body in owners.chunk_by(|a, b| a.0 == b.0) {
            let (handle, _) = of_body[0];
            let Some(body) = bodies.get_mut(handle) else {
                members.resize(members.len() + of_body.len(), Member::default());
                continue;
            };
            let asleep = body.is_asleep();
            let mut held = held.get_mut(handle).filter(|_| !asleep);
            if let Some(held) = &mut held {
                body.hold(held);
            }
            let start = members.len();
            let masses = &body.rest().nodes.masses;
            members.extend(of_body.iter().map(|&(_, node)| Member {
                velocity: body.nodes.velocities[node as usize],
                velocity_before: body.nodes.velocities[node as usize],
                position: body.nodes.positions[node as usize],
                inverse_mass: if asleep { 0.0 } else { 1.0 / masses[node as usize] },
            }));
            for node in held.into_iter().flat_map(|held| held.fixed()) {
                if let Ok(at) = of_body.binary_search(&(handle, node)) {
                    members[start + at].inverse_mass = 0.0;
                }
            }
        }
    }

    /// The ties of all attachments, with what they pulled with last.
    fn take_rows(&mut self, tools: &Arena<Tool>, bodies: &Arena<Body>, h: f32) {
        self.rows.clear();
        self.carriers.clear();
        for attachment in tools.values().filter_map(Tool::attachment) {
            let [Some(a), Some(b)] = attachment.bodies.map(|body| bodies.get(body)) else { continue };
            let offset = (b.nodes.origin - a.nodes.origin).as_vec3();
            // What sleeps pulls as it did when it fell asleep, and what is disabled not at all.
            let (enabled, asleep) = (a.enabled && b.enabled, a.is_asleep() && b.is_asleep());
            for (number, tie) in attachment.ties.iter().enumerate() {
                let mut ends = [self.carriers.len() as u32; 3];
                for side in 0..2 {
                    let owner = attachment.bodies[side];
                    for &(node, weight) in attachment.carriers[side].of(number) {
                        let member = self.owners.binary_search(&(owner, node)).unwrap_or_default();
                        self.carriers.push((member as u32, weight));
                    }
                    ends[side + 1] = self.carriers.len() as u32;
                }
                let mut row = Row {
                    carriers: ends,
                    offset,
                    gap: Vec3::ZERO,
                    length: tie.length,
                    along: None,
                    inverse_mass: 0.0,
                    impulse: Vec3::ZERO,
                    displaced: Vec3::ZERO,
                };
                let before = |member: &Member| member.position - h * member.velocity_before;
                row.gap = self.between(&row, before) - offset;
                row.along = (tie.length > 0.0).then(|| row.gap.normalize_or_zero());
                row.inverse_mass = if enabled { self.inverse_mass(&row) } else { 0.0 };
                // Rods do not start from what they pulled with: of many that turn, what canceled in one substep does not in the next.
                if enabled && (asleep || tie.length == 0.0 && row.inverse_mass > 0.0) {
                    row.impulse = h * tie.force;
                }
                self.rows.push(row);
            }
        }
    }

    fn side(&self, row: &Row, side: usize) -> std::ops::Range<usize> {
        row.carriers[side] as usize..row.carriers[side + 1] as usize
    }

    /// What the first place has more than the second of something that nodes have.
    fn between(&self, row: &Row, of: impl Fn(&Member) -> Vec3) -> Vec3 {
        let sum = |side: usize| -> Vec3 {
            let carriers = &self.carriers[self.side(row, side)];
            carriers.iter().map(|&(member, weight)| weight * of(&self.members[member as usize])).sum()
        };
        sum(0) - sum(1)
    }

    fn relative(&self, row: &Row) -> Vec3 {
        self.between(row, |member| member.velocity)
    }

    fn inverse_mass(&self, row: &Row) -> f32 {
        let carriers = &self.carriers[row.range()];
        let of =
            |&(member, weight): &(u32, f32)| weight * weight * self.members[member as usize].inverse_mass;
        carriers.iter().map(of).sum()
    }

    /// Gives both places something, by the masses of their nodes; the first its own way.
    fn give(&mut self, row: &Row, what: Vec3, to: impl Fn(&mut Member) -> &mut Vec3) {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            for carrier in self.side(row, side) {
                let (member, weight) = self.carriers[carrier];
                let member = &mut self.members[member as usize];
                let share = sign * weight * member.inverse_mass;
                *to(member) += what * share;
            }
        }
    }

    fn solve(&mut self, h: f32) {
        let mut rows = std::mem::take(&mut self.rows);
        for row in rows.iter().filter(|row| row.inverse_mass > 0.0) {
            self.give(row, row.impulse, |member| &mut member.velocity);
        }
        for _ in 0..VELOCITY_PASSES {
            for row in rows.iter_mut().filter(|row| row.inverse_mass > 0.0) {
                let velocity = self.relative(row);
                let velocity = row.along.map_or(velocity, |along| along * velocity.dot(along));
                let more = -velocity / row.inverse_mass;
                row.impulse += more;
                self.give(row, more, |member| &mut member.velocity);
            }
        }
        for member in &mut self.members {
            member.position += h * (member.velocity - member.velocity_before);
        }
        for _ in 0..PLACE_PASSES {
            for row in rows.iter_mut().filter(|row| row.inverse_mass > 0.0) {
                let gap = self.between(row, |member| member.position) - row.offset;
                let off = if row.along.is_some() { gap - gap.normalize_or_zero() * row.length } else { gap };
                let more = off * (-RELAX / row.inverse_mass);
                row.displaced += more;
                self.give(row, more, |member| &mut member.position);
            }
        }
        self.rows = rows;
    }

    /// Lets held nodes take up what ties have given them, which has not moved them.
    fn withstand(&mut self, held: &mut Side<HeldNodes>) {
        let Self { members, owners, carriers, rows, got } = self;
        got.clear();
        got.resize(members.len(), Vec3::ZERO);
        for row in rows.iter() {
            for (number, &(member, weight)) in (0..).zip(&carriers[row.range()]) {
                let sign = if row.carriers[0] + number < row.carriers[1] { 1.0 } else { -1.0 };
                got[member as usize] += row.impulse * (sign * weight);
            }
        }
        for of_body in owners.chunk_by(|a, b| a.0 == b.0) {
            let (handle, _) = of_body[0];
            let Some(held) = held.get_mut(handle).filter(|held| !held.nodes.is_empty()) else { continue };
            held.withstand(|node| {
                let member = owners.binary_search(&(handle, node));
                member.map_or(Vec3::ZERO, |member| std::mem::take(&mut got[member]))
            });
        }
    }

    fn put_back(&self, bodies: &mut Arena<Body>) {
        for (owners, members) in self.owners.chunk_by(|a, b| a.0 == b.0).scan(0, |start, owners| {
            let members = &self.members[*start..*start + owners.len()];
            *start += owners.len();
            Some((owners, members))
        }) {
            let Some(body) = bodies.get_mut(owners[0].0).filter(|body| !body.is_asleep()) else { continue };
            for (&(_, node), member) in owners.iter().zip(members).filter(|(_, m)| m.inverse_mass > 0.0) {
                body.nodes.velocities[node as usize] = member.velocity;
                body.nodes.positions[node as usize] = member.position;
            }
        }
    }
}

/// Turns two bodies as one rigid whole, so that they lose a moment that came of nothing. What something else holds has no angular
/// momentum to keep.
fn give_back(attachment: &Attachment, bodies: &mut Arena<Body>, held: &Side<HeldNodes>, moment: DVec3) {
    let is_free = |handle: BodyHandle| {
        bodies.get(handle).is_some_and(|body| !body.is_asleep())
            && held.get(handle).is_none_or(|held| held.fixed().next().is_none())
    };
    if moment == DVec3::ZERO || !moment.is_finite() || !attachment.bodies.iter().all(|&body| is_free(body)) {
        return;
    }
    let [Some(a), Some(b)] = attachment.bodies.map(|body| bodies.get(body)) else { return };
    let of = |body: &Body| body.center_of_mass() * body.rest().nodes.total_mass;
    let center = (of(a) + of(b)) / (a.rest().nodes.total_mass + b.rest().nodes.total_mass);
    let inertia = inertia(a, center) + inertia(b, center);
    let spin = inertia.inverse() * -moment;
    if !spin.is_finite() {
        return;
    }
    for handle in attachment.bodies {
        if let Some(body) = bodies.get_mut(handle) {
            let NodeState { origin, positions, velocities } = &mut body.nodes;
            let (out, spin) = ((*origin - center).as_vec3(), spin.as_vec3());
            velocities.iter_mut().zip(&*positions).for_each(|(v, x)| *v += spin.cross(out + *x));
        }
    }
}

/// kg m² about a point.
fn inertia(body: &Body, about: DVec3) -> DMat3 {
    let (mut diagonal, mut mixed) = (DVec3::ZERO, DVec3::ZERO);
    let out = body.nodes.origin - about;
    for (x, &m) in body.nodes.positions.iter().zip(&body.rest().nodes.masses) {
        let d = x.as_dvec3() + out;
        let md = f64::from(m) * d;
        diagonal += md * d;
        mixed += DVec3::new(md.x * d.y, md.y * d.z, md.z * d.x);
    }
    let trace = diagonal.element_sum();
    DMat3::from_cols(
        DVec3::new(trace - diagonal.x, -mixed.x, -mixed.z),
        DVec3::new(-mixed.x, trace - diagonal.y, -mixed.y),
        DVec3::new(-mixed.z, -mixed.y, trace - diagonal.z),
    )
}
