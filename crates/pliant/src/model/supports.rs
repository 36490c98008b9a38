//! Nodes that rest on something, in a step that solves for all nodes at once: they move along it only, or not at all, as long as it can
//! hold them.
//!
//! \[BW98\] §5: directions in which a node cannot move are taken out of residuals and moves, so a solver never leaves what is allowed. The
//! force that is lacking in them is what supports the node. Where that would pull, the node is let go; where it is more than friction can hold,
//! the node slides; and the solution goes on from where it is.
//!
//! ```text
//! begin    keep what is held out of the guess
//! solve    without the directions that are held
//! react    what supports have to give; again from `solve` if some of them cannot
//! ```
//!
//! Models that make many short steps of one [stop](Supports::stop) nodes in each of them instead.

use super::seam::StepInput;
use crate::nodes::{NodeState, Support};
use glam::Vec3;

/// How often a step may be solved again because supports let nodes go, each time all that would pull or cannot hold.
pub const RELEASES: u32 = 3;
/// How many times what friction can hold it must hold for that to matter.
const MORE: f32 = 1.05;
/// The sine of the angle between two directions above which they are two.
const APART: f32 = 0.3;

/// The nodes of a step that are supported.
#[derive(Clone, Debug, Default)]
pub struct Supports {
    held: Vec<Held>,
    /// How each of those given holds its node.
    grips: Vec<Grip>,
    /// The friction of those that slide, in kg m/s: as it was, or as large as it can be.
    sliding: Vec<Vec3>,
    reactions: Vec<Vec3>,
    /// Nodes that something else holds, ascending.
    fixed: Vec<u32>,
}

/// How a support holds its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grip {
    /// Something else holds the node.
    Fixed,
    /// In all directions.
    Sticks,
    /// Along its normal.
    Slides,
    /// Not any more.
    Released,
}

/// A direction in which a node does not move.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// The node.
    pub node: usize,
    /// A unit vector, perpendicular to the other directions of the node.
    pub direction: Vec3,
    /// m/s along it.
    pub speed: f32,
    /// Which of those given.
    support: usize,
    /// Which direction of it: 0 is its normal.
    row: u8,
}

impl Supports {
    /// Those that a step begins with; nodes that something else holds need none.
    pub fn begin(&mut self, input: &StepInput) {
        let Self { grips, reactions, sliding, fixed, .. } = self;
        fixed.clear();
        if !input.supports.is_empty() {
            fixed.extend(input.held.fixed());
            fixed.sort_unstable();
        }
        let grip = |of: &Support| match of.sticks {
            _ if fixed.binary_search(&of.node).is_ok() => Grip::Fixed,
            true => Grip::Sticks,
            false => Grip::Slides,
        };
        let friction = |of: &Support| if of.sticks { Vec3::ZERO } else { of.friction_impulse() };
        grips.clear();
        grips.extend(input.supports.iter().map(grip));
        sliding.clear();
        sliding.extend(input.supports.iter().map(friction));
        reactions.clear();
        reactions.resize(input.supports.len(), Vec3::ZERO);
        self.hold(input.supports);
    }

    /// Makes directions of all grips, perpendicular to each other at each node.
    fn hold(&mut self, given: &[Support]) {
        let Self { held, grips, .. } = self;
        held.clear();
        for (support, (of, grip)) in given.iter().zip(&*grips).enumerate() {
            let mut hold = |direction: Vec3, row| {
                let (node, speed) = (of.node as usize, of.velocity.dot(direction));
                held.push(Held { support, row, node, direction, speed });
            };
            if matches!(grip, Grip::Slides | Grip::Sticks) {
                hold(of.normal, 0);
            }
            if *grip == Grip::Sticks {
                let (a, b) = of.normal.any_orthonormal_pair();
                hold(a, 1);
                hold(b, 2);
            }
        }
        // Those of a node in the order of its supports, normals first.
        held.sort_unstable_by_key(|of| (of.node, of.support, of.row));
        let mut first = 0;
        for at in 0..held.len() {
            let (before, others) = held.split_at_mut(at);
            let own = &mut others[0];
            if before.get(first).is_some_and(|of| of.node != own.node) {
                first = at;
            }
            for &Held { direction, speed, .. } in &before[first..] {
                let along = own.direction.dot(direction);
                (own.direction, own.speed) = (own.direction - along * direction, own.speed - along * speed);
            }
            let length = own.direction.length();
            let scale = if length > APART { 1.0 / length } else { 0.0 };
            (own.direction, own.speed) = (scale * own.direction, scale * own.speed);
        }
        held.retain(|of| of.direction != Vec3::ZERO);
    }

    /// What does not move, by node.
    pub fn held(&self) -> &[Held] {
        &self.held
    }

    /// What each of those given has pushed its node with, in kg m/s, friction included.
    pub fn reactions(&self) -> &[Vec3] {
        &self.reactions
    }

    /// Nodes that could move when the step began but for these, each once for everything that supports it, and the friction in kg m/s of what
    /// they slide on.
    pub fn nodes<'a>(&'a self, given: &'a [Support]) -> impl Iterator<Item = (usize, Vec3)> + 'a {
        let all = given.iter().zip(&self.grips).zip(&self.sliding);
        let free = all.filter(|((_, grip), _)| **grip != Grip::Fixed);
        free.map(|((of, _), sliding)| (of.node as usize, *sliding))
    }

    /// Finds what each pushes with, given the force in N that a node lacks to be where it is, friction left out, and how fast it goes. Lets those
    /// go that would pull or hold more than friction can, and holds those that friction would push the way they slide. Returns whether there
    /// were any.
    pub fn react(
        &mut self,
        given: &[Support],
        h: f32,
        lacking: impl Fn(usize) -> Vec3,
        velocity: impl Fn(usize) -> Vec3,
    ) -> bool {
        let Self { held, grips, reactions, sliding, .. } = self;
        let mut changed = false;
        reactions.fill(Vec3::ZERO);
        for rows in held.chunk_by(|a, b| a.support == b.support) {
            let (at, node) = (rows[0].support, rows[0].node);
            let (of, lacking) = (&given[at], lacking(node) * h);
            let (mut push, mut across) = (0.0, sliding[at]);
            for row in rows {
                let along = lacking.dot(row.direction);
                if row.row == 0 {
                    push = along;
                } else {
                    across += along * row.direction;
                }
            }
            let most = of.friction * push.max(0.0);
            reactions[at] = push.max(0.0) * of.normal + across.clamp_length_max(most);
            let (grip, slides) = match grips[at] {
                _ if push < 0.0 => (Grip::Released, Vec3::ZERO),
                _ if across.length() > MORE * most => (Grip::Slides, across.clamp_length_max(most)),
                Grip::Slides if (velocity(node) - of.velocity).dot(sliding[at]) > 0.0 => {
                    (Grip::Sticks, Vec3::ZERO)
                }
                Grip::Slides if MORE * across.length() < most => {
                    (Grip::Slides, across.normalize_or_zero() * most)
                }
                _ => continue,
            };
            (grips[at], sliding[at], changed) = (grip, slides, true);
        }
        if changed {
            self.hold(given);
        }
        changed
    }

    /// Stops nodes in one of many short steps, of `h` seconds, that have been moved into what supports them or slide on it: what has been so
    /// for a short time only needs no more than that.
    pub fn stop(&mut self, given: &[Support], nodes: &mut NodeState, masses: &[f32], h: f32) {
        for ((of, grip), reaction) in given.iter().zip(&self.grips).zip(&mut self.reactions) {
            let (node, mass) = (of.node as usize, masses[of.node as usize]);
            let missing = of.velocity - nodes.velocities[node];
            let push = missing.dot(of.normal);
            if *grip == Grip::Fixed || push <= 0.0 {
                continue;
            }
            let across = (missing - push * of.normal).clamp_length_max(of.friction * push);
            let change = push * of.normal + across;
            nodes.velocities[node] += change;
            nodes.positions[node] += h * change;
            *reaction += mass * change;
        }
    }

    /// Adds `times` what each has given its node to changes of velocity.
    pub fn give(&self, given: &[Support], changes: &mut [Vec3], masses: &[f32], times: f32) {
        for (of, reaction) in given.iter().zip(&self.reactions) {
            changes[of.node as usize] += *reaction * (times / masses[of.node as usize]);
        }
    }

    /// Memory that they take.
    pub fn bytes(&self) -> usize {
        let Self { held, grips, reactions, sliding, fixed } = self;
        let pushes = [reactions, sliding].map(|pushes| size_of_val(&pushes[..]));
        size_of_val(&held[..])
            + size_of_val(&grips[..])
            + pushes.iter().sum::<usize>()
            + size_of_val(&fixed[..])
    }
}

/// How many times what acts on a body supports may have given it a moment ago to be expected to go on so: more is an impact, which is over.
const EXPECTED: f32 = 2.0;

/// Adds what nodes were given by what supported them a moment ago to changes of velocity by what acts on them, `work` of which is done so, and
/// takes it out again: it will go on so, more or less, unless it was an impact.
pub fn as_before(input: &StepInput, changes: &mut Vec<Vec3>, work: impl FnOnce(&mut Vec<Vec3>)) {
    let masses = &input.rest.masses;
    let given: Vec3 = input.supports.iter().map(|of| of.impulse).sum();
    let acting: Vec3 = changes.iter().zip(masses).map(|(change, mass)| *change * *mass).sum();
    let expected = given.length() <= EXPECTED * acting.length();
    let give = |changes: &mut [Vec3], times: f32| {
        for &Support { node, impulse, .. } in input.supports.iter().filter(|_| expected) {
            changes[node as usize] += impulse * (times / masses[node as usize]);
        }
    };
    give(changes, 1.0);
    work(changes);
    give(changes, -1.0);
}
