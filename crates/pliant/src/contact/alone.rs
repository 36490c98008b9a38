//! A body by itself against colliders that nothing pushes about.

use super::Collider;
use super::constraints::Pressing;
use super::response::{ContactImpulse, ContactStep};
use super::scratch::BodyScratch;
use super::solve::{Against, Member};
use super::supports::{self, HeldUp};
use super::turning::Turning;
use crate::body::Body;
use crate::ids::Arena;
use crate::material::Surface;
use glam::{Vec3, Vec3A};

/// What nothing sticks to or bounces off.
const SMOOTH: Surface =
    Surface { friction: 0.0, restitution: 0.0, rolling_friction: 0.0, spinning_friction: 0.0 };

/// Takes a body out of colliders; `free` says that nothing holds it. Where that was solved together with other contacts, of which
/// `members` are the nodes that took part, only those that have been pushed into a collider by it.
pub fn collide(
    body: &mut Body,
    scratch: &mut BodyScratch,
    members: Option<&[Option<u32>]>,
    colliders: &Arena<Collider>,
    free: bool,
    step: &ContactStep,
) {
    scratch.impulses.clear();
    scratch.impulses.reserve(1);
    if !scratch.solved {
        scratch.enter(body, colliders, step.h);
    } else if let Some(members) = members {
        scratch.enter_pushed(body, colliders, members, step.h);
    }
    if scratch.entered.is_empty() {
        return;
    }
    constrain(body, scratch, colliders, free, step);
    scratch.solver.solve(step.h);
    put_back(body, scratch, step.h);
}

/// Makes constraints of what has entered.
fn constrain(
    body: &Body,
    scratch: &mut BodyScratch,
    colliders: &Arena<Collider>,
    free: bool,
    step: &ContactStep,
) {
    let BodyScratch { entered, touching, solver, solved, .. } = scratch;
    let (rest, nodes) = (&body.rest().nodes, &body.nodes);
    touching.clear();
    touching.reserve(entered.capacity());
    touching.extend(entered.iter().map(|(_, of)| of.node));
    touching.sort_unstable();
    touching.dedup();
    solver.clear();
    solver.members.reserve(entered.capacity());
    solver.constraints.reserve(entered.capacity());
    let turning = Turning::of(body, free, step.h);
    solver.turnings.push(turning);
    solver.members.extend(touching.iter().map(|&node| Member {
        velocity: nodes.velocities[node as usize].into(),
        moved: Vec3A::ZERO,
        out: Vec3A::from(nodes.positions[node as usize]) - turning.center,
        inverse_mass: 1.0 / rest.masses[node as usize],
        body: 0,
    }));
    let mut held_up = HeldUp::new(body);
    for of_one in entered.chunk_by(|a, b| a.0 == b.0) {
        let (handle, _) = of_one[0];
        let Some(collider) = colliders.get(handle) else { continue };
        let surface = if *solved { SMOOTH } else { collider.surface.with(body.material.surface) };
        let pressing = Pressing::new(body, collider, surface);
        for (_, tip) in of_one {
            let Ok(member) = touching.binary_search(&tip.node) else { continue };
            let side = solver.side(0, nodes.positions[tip.node as usize], tip.place, 0.0);
            let against = pressing.carries(handle, tip.place);
            let mut contact = pressing.contact(tip, (member as u32, side), against, step);
            if !*solved {
                held_up.begin(&mut contact, tip.node);
            }
            solver.constraints.push(contact);
        }
    }
}

/// Gives the nodes what was found for them, and adds up what they were stopped with.
fn put_back(body: &mut Body, scratch: &mut BodyScratch, h: f32) {
    let BodyScratch { touching, nearby, close, solver, solved, impulses, counts, noted, .. } = scratch;
    let border = body.border().clone();
    let area = |node: u32| border.area(node);
    let nodes = &mut body.nodes;
    nearby.within(solver.turnings[0].caution(), nodes, close);
    for (&node, member) in touching.iter().zip(&solver.members) {
        nodes.velocities[node as usize] = member.velocity.into();
    }
    let go = |node: u32| touching.binary_search(&node).is_err() && close.binary_search(&node).is_err();
    solver.turnings[0].put_into(nodes, h, go);
    for contact in &solver.constraints {
        supports::note(body, contact, touching[contact.member as usize], noted);
    }
    for (&node, member) in touching.iter().zip(&solver.members) {
        body.nodes.positions[node as usize] += Vec3::from(member.moved);
    }
    if *solved {
        return;
    }
    let mut latest = None;
    for contact in &solver.constraints {
        let Against::Collider { handle, .. } = contact.against else { continue };
        if impulses.last().is_none_or(|(last, _)| *last != handle) {
            impulses.push((handle, ContactImpulse::default()));
        }
        let is_new = latest.replace((handle, contact.member)) != Some((handle, contact.member));
        counts.contacts += usize::from(is_new);
        if let Some((_, sum)) = impulses.last_mut() {
            sum.add(contact.place, contact.normal, contact.impulse);
            sum.given += contact.given();
            sum.area += if is_new { area(touching[contact.member as usize]) } else { 0.0 };
        }
    }
}
