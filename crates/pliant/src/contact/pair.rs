//! Two bodies that can meet, and where they are in each other.
//!
//! Where that is, is looked for once a step, and a little beyond what touches. From then on a contact point follows the nodes that it is of
//! and that carry it, until the two may have come closer, or slid or turned against each other, than was looked. Pieces of one body are
//! followed from step to step as well as long as they hardly move: the faces of a cut that never parted are not searched again.

use super::narrow::{self, Approach, ContactPoint, Seen, is_fast};
use super::self_contact;
use super::shell::Shell;
use crate::body::{Body, BodyHandle};
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Two bodies that can meet, or one that can meet itself.
#[derive(Debug, Default)]
pub struct Pair {
    /// Their numbers.
    pub bodies: [u32; 2],
    /// Tips of the first in the second, and the other way round.
    pub points: [Vec<ContactPoint>; 2],
    /// Where tips are in the other, or nearly.
    found: Found,
    /// They are pieces of one body.
    kin: bool,
    /// There was a substep before that this one goes on from.
    goes_on: bool,
    /// What their nodes come closer, in m/s: at most, and as they move when the step begins.
    speeds: [f32; 2],
    /// Metres that they may come closer before it is looked again, if it is looked now.
    ahead: f32,
    /// The way out of the second that the latest step found, zero if from all sides; none if they did not touch.
    pub way: Option<Vec3>,
    /// The latest step took them apart as wholes.
    pub whole: bool,
    /// The boxes around them are too far from each other for them to touch in this substep.
    pub far: bool,
    /// One is mostly inside the other.
    pub engulfed: bool,
    /// Of one body: the nodes that can touch others of it.
    pub suspects: Vec<u32>,
}

/// Where tips of two bodies are in the other, or nearly, as it was found last: part of a world's state, since the next steps follow it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Found {
    /// The bodies; none if nothing was found yet.
    bodies: Option<[BodyHandle; 2]>,
    /// Tips of the first in the second, and the other way round.
    candidates: [Vec<Candidate>; 2],
    /// Metres that nodes of both may have come closer since, and how many of them it is good for; none if it is not.
    come: f32,
    margin: Option<f32>,
}

impl Found {
    pub fn bodies(&self) -> Option<[BodyHandle; 2]> {
        self.bodies
    }

    /// Whether it can be followed and the two have hardly moved since.
    fn is_still(&self) -> bool {
        self.margin.is_some_and(|margin| self.come <= STILL * margin)
    }

    /// Whether all that it names is in two bodies.
    pub fn fits(&self, [a, b]: [&Body; 2]) -> bool {
        let counts = [a, b].map(|body| body.nodes.positions.len());
        let sides = self.candidates.iter().zip([counts, [counts[1], counts[0]]]);
        sides.into_iter().all(|(candidates, [own, other])| {
            candidates.iter().all(|Candidate { point, .. }| {
                let carried = point.carriers.iter().all(|&(carrier, _)| (carrier as usize) < other);
                (point.node as usize) < own && carried
            })
        })
    }

    fn forget(&mut self) {
        (self.come, self.margin) = (0.0, None);
        self.candidates.iter_mut().for_each(Vec::clear);
    }
}

/// A contact point as it was found.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Candidate {
    point: ContactPoint,
    /// Where the node was from the mean of its carriers.
    from: Vec3,
    /// Where the tip is from the node.
    arm: Vec3,
}

/// Spans that something must be deep to be taken out only the way it came in.
const SHALLOW: f32 = 0.2;
/// Spans that two may come closer before it is looked again where they are in each other, besides what they will; and at most.
const KEPT: f32 = 0.05;
const MOST_KEPT: f32 = 0.25;
/// The part of that margin that two pieces of one body may have come closer and still be followed into the next step.
const STILL: f32 = 0.2;
/// Substeps that it is looked ahead.
const AHEAD: f32 = 3.0;

impl Pair {
    /// One that has met nothing yet.
    pub fn with_room() -> Self {
        let mut pair = Self::default();
        pair.points.iter_mut().for_each(clear);
        pair.found.candidates.iter_mut().for_each(clear);
        pair
    }

    /// Two pieces of one body of which it is known where they are in each other.
    pub fn with(found: Found) -> Self {
        Self { found, kin: true, ..Self::default() }
    }

    /// Where the two are in each other, as far as the next steps will follow it.
    pub fn followed(&self) -> Option<&Found> {
        Some(&self.found).filter(|found| self.kin && found.is_still())
    }

    /// By what pairs are in order: those of one body last.
    pub fn order(&self) -> Option<(bool, [BodyHandle; 2])> {
        self.found.bodies.map(order)
    }

    /// Begins a step in which two bodies can meet, or one itself; `speeds` is what their nodes come closer, in m/s: at most, and as they move
    /// now. `way` and `whole` are of the latest step. What was found is
    /// forgotten unless it is of the same two, `kin`, pieces of one body, that have hardly moved since.
    pub fn begin(
        &mut self,
        (bodies, handles, kin): ([u32; 2], [BodyHandle; 2], bool),
        speeds: [f32; 2],
        (way, whole): (Option<Vec3>, bool),
    ) {
        (self.bodies, self.speeds, self.way, self.whole) = (bodies, speeds, way, whole);
        self.kin = kin;
        let same = self.found.bodies.replace(handles) == Some(handles);
        self.goes_on = same && kin && self.found.is_still();
        if !self.goes_on {
            self.found.forget();
        }
        self.suspects.clear();
    }

    /// Whether it is one body that can meet itself.
    pub fn is_one(&self) -> bool {
        self.bodies[0] == self.bodies[1]
    }

    /// Begins a substep of `h` seconds: the box in which it must be looked where the two are in each other, in the coordinates of the first; none
    /// if they are too far from each other, by the boxes around them, or it is known well enough. `offset` is from the origin of the first to that
    /// of the second, `span` the smaller of their largest spans.
    pub fn approach(&mut self, [a, b]: [&Shell; 2], offset: Vec3, span: f32, h: f32) -> Option<[Vec3; 2]> {
        let goes_on = std::mem::replace(&mut self.goes_on, true);
        let come = if goes_on { a.come_closer(b) } else { f32::INFINITY };
        let [most, now] = self.speeds.map(|speed| h * speed);
        self.found.come += come;
        // As in the substep before, if there was one. What comes far is not followed.
        let expected = if come.is_finite() { come } else { now };
        let followed = expected < MOST_KEPT * span;
        self.ahead = if followed { (AHEAD * expected + KEPT * span).min(MOST_KEPT * span) } else { 0.0 };
        let apart = self.ahead + if is_fast(most, span) { 2.0 * most } else { 0.0 };
        let region = a.overlap(b, offset, apart);
        self.far = region.is_none();
        let good = |margin: &f32| !self.far && self.found.come <= *margin;
        self.found.margin = self.found.margin.filter(good);
        region.filter(|_| self.found.margin.is_none())
    }

    /// Finds where two bodies are in each other, or one in itself, in a substep of `h` seconds.
    pub fn meet(&mut self, both: [&Seen; 2], h: f32) {
        if self.is_one() {
            self.engulfed = false;
            self_contact::meet_itself(both[0], &self.suspects, &mut self.points[0]);
            self.points[1].clear();
            return;
        }
        if self.far {
            self.points.iter_mut().for_each(Vec::clear);
            self.engulfed = false;
            return;
        }
        self.points.iter_mut().for_each(clear);
        if self.found.margin.is_none() {
            self.look(both, h);
        }
        self.follow(both);
    }

    /// Looks where they are in each other.
    fn look(&mut self, [a, b]: [&Seen; 2], h: f32) {
        let offset = (b.body.nodes.origin - a.body.nodes.origin).as_vec3();
        let (span, margin) = (a.border.span.min(b.border.span), self.ahead);
        let approach = Approach { offset, way: self.way, h, closer: h * self.speeds[0], margin };
        self.engulfed = narrow::meet(a, b, &approach, &mut self.points);
        let deep = SHALLOW * span;
        if let Some(way) = self.way {
            for (points, way) in self.points.iter_mut().zip([way, -way]) {
                points.retain(|point| point.depth < deep || point.normal.dot(way) > 0.0);
            }
        }
        // What is taken apart as wholes is so until it is nearly out.
        self.engulfed |= self.whole && self.points.iter().flatten().any(|point| point.depth > deep);
        for (found, points, (own, other, offset)) in self.sides([a, b]) {
            clear(found);
            found.extend(points.drain(..).map(|point| Candidate {
                point,
                from: between(own, other, offset, &point),
                arm: point.place - own.body.nodes.positions[point.node as usize],
            }));
        }
        (self.found.come, self.found.margin) = (0.0, (margin > 0.0 && !self.engulfed).then_some(margin));
    }

    /// Finds the points that are in each other now, of those that were found.
    fn follow(&mut self, both: [&Seen; 2]) {
        for (found, points, (own, other, offset)) in self.sides(both) {
            points.extend(found.iter().filter_map(|Candidate { point, from, arm }| {
                let moved = between(own, other, offset, point) - *from;
                let depth = point.depth - moved.dot(point.normal);
                let place = own.body.nodes.positions[point.node as usize] + *arm;
                (depth > 0.0).then_some(ContactPoint { depth, place, ..*point })
            }));
        }
    }

    /// What was found, what touches and who is who, seen from each of the two.
    fn sides<'a>(&mut self, [a, b]: [&'a Seen<'a>; 2]) -> impl Iterator<Item = Side<'_, 'a>> {
        let offset = (b.body.nodes.origin - a.body.nodes.origin).as_vec3();
        let sides = [(a, b, offset), (b, a, -offset)];
        self.found
            .candidates
            .iter_mut()
            .zip(&mut self.points)
            .zip(sides)
            .map(|((found, points), side)| (found, points, side))
    }

    /// Whether they touch.
    pub fn touches(&self) -> bool {
        self.engulfed || self.points.iter().any(|points| !points.is_empty())
    }

    /// Whether they touch, or have touched and are still as near as it was looked: what sleeps on something hardly presses on it.
    pub fn touches_still(&self) -> bool {
        self.touches() || self.way.is_some() && self.found.candidates.iter().any(|found| !found.is_empty())
    }
}

/// By what pairs are in order: those of one body last.
pub(super) fn order(bodies: [BodyHandle; 2]) -> (bool, [BodyHandle; 2]) {
    (bodies[0] == bodies[1], bodies)
}

/// How many contact points there is room for from the start: most that are near each other do not touch, and memory costs more than
/// what is done with it.
const ROOM: usize = 8;

/// Leaves room for twice as many as there were: what comes and goes a little allocates nothing.
fn clear<T>(list: &mut Vec<T>) {
    list.reserve(list.len().max(ROOM));
    list.clear();
}

/// What was found of one body in the other, what of it touches, the two, and the way from the origin of the one to that of the other.
type Side<'p, 'a> = (&'p mut Vec<Candidate>, &'p mut Vec<ContactPoint>, (&'a Seen<'a>, &'a Seen<'a>, Vec3));

/// Where the node of a contact point is from the mean of its carriers.
fn between(own: &Seen, other: &Seen, offset: Vec3, point: &ContactPoint) -> Vec3 {
    let at = own.body.nodes.positions[point.node as usize] - offset;
    let nodes = &other.body.nodes.positions;
    point.carriers.iter().fold(at, |at, &(carrier, weight)| at - weight * nodes[carrier as usize])
}
