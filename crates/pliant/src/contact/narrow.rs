//! Narrow phase: where two bodies are in each other: tips of one below the facets of the other.
//!
//! A tip is measured against the facets of all nodes whose piece of surface it is over, weighted by how far it is from
//! their middle: distance, direction and who carries it change smoothly while it slides along. Where nodes stand in cells, the
//! cells are those of \[SOG08\] §7, moved by their nodes' maps; of particles, the pieces of surface around each.
//!
//! Sheets have two outsides. A tip is kept on the side it comes from, which its motion tells: it is never closer to a sheet
//! than the sheet is thick, so it cannot be on both sides at once. \[HW08\] §5 classifies the ends of edges that cross triangles
//! each step anew, which is what made it erratic.

use super::carriers::{Around, Carrier, Carriers, Picked};
use super::over::Touching;
use super::places::Eight;
use super::shell::{Overlap, Patch, PlacedTip, Shell};
use crate::body::Body;
use crate::body::border::{Border, Facet};
use crate::math::lanes::LANES;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// Nodes that carry a touched place at most.
pub const CARRIERS: usize = 6;

/// A tip of one body in another.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ContactPoint {
    /// The node that the tip belongs to.
    pub node: u32,
    /// The nodes of the other body that carry the place, and how much of it each; places not used have weight 0.
    pub carriers: [(u32, f32); CARRIERS],
    /// Out of the other body.
    pub normal: Vec3,
    /// How far to go along it, in metres; negative if it is not in it yet.
    pub depth: f32,
    /// Where the tip is, relative to its own body's origin.
    pub place: Vec3,
}

/// A body as contacts see it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The body.
    pub body: &'a Body,
    /// Where it begins.
    pub border: &'a Border,
    /// Where that is now.
    pub shell: &'a Shell,
}

/// A tip near another body, as it is now.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearTip {
    pub node: u32,
    pub place: Vec3,
    /// Unit vector that it looks along; zero if it looks no way.
    pub way: Vec3,
    pub cone: f32,
    /// Where it is at rest.
    pub rest: Vec3,
}

/// What a search keeps from one to the next.
#[derive(Debug, Default)]
struct Scratch {
    tips: [Vec<NearTip>; 2],
    /// Which tips those are, and carriers near some.
    eights: Vec<Eight>,
    near: Vec<u32>,
    carriers: Carriers,
    /// Of a surface, and of those.
    picked: [Picked; 2],
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Does `work` with carriers whose memory is kept from one search to the next.
pub(super) fn with_carriers<R>(work: impl FnOnce(&mut Carriers, &mut Picked) -> R) -> R {
    SCRATCH.with_borrow_mut(|scratch| work(&mut scratch.carriers, &mut scratch.picked[0]))
}

/// How far from a node, in spans, a tip can be over its piece of surface: half a span up and one to the side.
pub(super) const OVER: f32 = 1.25;
/// Spans that faces of a cut may be deeper in each other than they were at rest: more than what is rounded, so that pieces that never parted
/// do not push each other.
pub(super) const SLOP: f32 = 1e-3;
/// Spans of overlap above which nodes inside carry what is in them.
const DEEP: f32 = 1.5;
/// The part of a body's nodes, or of the box around it, that must be inside another for it to be taken out as a whole.
const MOSTLY: f32 = 0.5;

impl Seen<'_> {
    /// The tips in an overlap, moved by `offset`; of what comes fast its nodes as well, looking where they go: tips are too far apart
    /// to be all that hits.
    fn tips_in(
        &self,
        overlap: &Overlap,
        (fast, offset): (Option<Vec3>, Vec3),
        eights: &mut Vec<Eight>,
        found: &mut Vec<NearTip>,
    ) {
        found.clear();
        let rest_of = |node: u32| self.body.rest().nodes.rest_positions[node as usize];
        let near = |index: u32| {
            let PlacedTip { patch, of_node } = self.shell.tips[index as usize];
            let Patch { node, cofactor, .. } = self.shell.patches[patch as usize];
            let tip = &self.border.tips(node)[of_node as usize];
            let way = (cofactor * tip.normal).normalize_or_zero();
            let place = self.shell.places.get(index) + offset;
            NearTip { node, place, way, cone: tip.cone, rest: rest_of(node) + tip.point }
        };
        self.shell.places.within(Some(overlap), 0.0, eights);
        found.reserve(eights.len() * LANES);
        for eight in eights {
            for index in eight.indices() {
                found.push(near(index));
            }
        }
        let Some(drift) = fast else { return };
        let nodes = &self.body.nodes;
        for (node, (&at, velocity)) in (0..).zip(nodes.positions.iter().zip(&nodes.velocities)) {
            if overlap.has(at, 0.0) && self.border.touches(node) {
                let way = (*velocity - drift).normalize_or_zero();
                found.push(NearTip { node, place: at + offset, way, cone: 0.0, rest: rest_of(node) });
            }
        }
    }

    /// The nodes inside that can carry tips that are in an overlap.
    fn inner_carriers(&self, overlap: &Overlap, found: &mut Carriers) {
        found.clear();
        let reach = self.reach();
        for (node, &at) in (0..).zip(&self.body.nodes.positions) {
            if self.border.tips(node).is_empty() && overlap.has(at, reach) && self.border.touches(node) {
                found.add(&Patch::of(self.body, node), self.border);
            }
        }
        found.sort_in(reach);
    }

    /// How far from a node a tip can be that it carries.
    pub(super) fn reach(&self) -> f32 {
        OVER * self.border.span + self.border.sheet.unwrap_or(0.0)
    }

    /// How deep a place of another piece of the same body was below a facet of a node when they were one, 0 or less: facets are
    /// flat and only nearly the surface, so the faces of a cut are in each other from the start, and may stay so.
    pub(super) fn depth_at_rest(&self, node: u32, rest: Vec3, facet: usize) -> f32 {
        let at = rest - self.body.rest().nodes.rest_positions[node as usize];
        match self.border.facets(node).get(facet) {
            Some(facet) if at.length() < self.reach() => (at - facet.point).dot(facet.normal).min(0.0),
            _ => 0.0,
        }
    }
}

/// What is known of two bodies before it is looked where they are in each other.
#[derive(Clone, Copy, Debug)]
pub struct Approach {
    /// From the origin of the first to that of the second.
    pub offset: Vec3,
    /// The way out of the second that was found last, zero if from all sides; none if they did not touch.
    pub way: Option<Vec3>,
    /// The substep in seconds.
    pub h: f32,
    /// What nodes of both come closer by in it at most, in metres.
    pub closer: f32,
    /// Metres that they may still be apart where contacts are looked for.
    pub margin: f32,
}

/// Spans that a tip may come in a substep and be looked for only where it has come to.
pub(super) const FAR: f32 = 0.5;
/// Whether two bodies that come closer by so many metres in a substep may be through each other after it.
pub(super) fn is_fast(closer: f32, span: f32) -> bool {
    closer > FAR * span
}

/// Finds where `first` is in `second` and the other way round.
/// Returns whether one of them is mostly inside the other: then no direction of single nodes says which way is out.
pub fn meet(
    first: &Seen,
    second: &Seen,
    &Approach { offset, way, h, closer, margin }: &Approach,
    found: &mut [Vec<ContactPoint>; 2],
) -> bool {
    let span = first.border.span.min(second.border.span);
    let fast = is_fast(closer, span);
    let middle = |shell: &Shell| 0.5 * (shell.extent[0] + shell.extent[1]);
    let between = middle(first.shell) - middle(second.shell) - offset;
    let axis = way.filter(|way| *way != Vec3::ZERO).unwrap_or(between).normalize_or(Vec3::Y);
    let thick = first.border.sheet.unwrap_or(0.0) + second.border.sheet.unwrap_or(0.0);
    let apart = thick + margin + if fast { closer } else { 0.0 };
    let Some(overlap) = Overlap::new(first.shell, second.shell, offset, axis, apart) else { return false };
    let all = fast || overlap.is_deeper_than(DEEP * span);
    if all && way.is_none() && is_engulfed(first, second, offset) {
        return true;
    }
    let drift = |of: &Seen| fast.then_some(of.shell.drift);
    let seen = overlap.seen_from(offset);
    let sheets = first.border.sheet.is_some() || second.border.sheet.is_some();
    let kin = first.body.is_kin_of(second.body);
    SCRATCH.with_borrow_mut(|Scratch { tips: [mine, others], eights, near, carriers: inner, picked }| {
        // Each in the other's coordinates.
        first.tips_in(&overlap, (drift(second), -offset), eights, mine);
        second.tips_in(&seen, (drift(first), offset), eights, others);
        let mut find = |[own, other]: [&Seen; 2], tips: &[NearTip], overlap: &Overlap, offset, found| {
            if tips.is_empty() {
                return;
            }
            let around = Around { radius: other.reach() + thick, knowing: Some(thick) };
            let [of_surface, of_inside] = &mut *picked;
            other.shell.carriers.pick(around, Some(overlap), of_surface);
            inner.clear();
            if all {
                other.inner_carriers(overlap, inner);
            }
            inner.pick(around, None, of_inside);
            let carriers = [(&other.shell.carriers, &*of_surface), (&*inner, &*of_inside)];
            let (first, second) = (own, other);
            Touching { first, second, carriers, h, margin, thick, sheets, kin }
                .find(tips, offset, near, found);
        };
        let [of_first, of_second] = found;
        find([first, second], mine, &seen, offset, of_first);
        find([second, first], others, &overlap, -offset, of_second);
    });
    false
}

/// Whether one of two bodies is mostly inside the other. `offset` is from the origin of `first` to that of `second`.
fn is_engulfed(first: &Seen, second: &Seen, offset: Vec3) -> bool {
    let low = first.shell.extent[0].max(second.shell.extent[0] + offset);
    let high = first.shell.extent[1].min(second.shell.extent[1] + offset);
    let volume = |[low, high]: [Vec3; 2]| (high - low).max(Vec3::ZERO).element_product();
    let smaller = volume(first.shell.extent).min(volume(second.shell.extent));
    let sheets = first.border.sheet.is_some() || second.border.sheet.is_some();
    if sheets || volume([low, high]) <= MOSTLY * smaller {
        return false;
    }
    let within = |inner: &Seen, outer: &Seen, offset: Vec3| {
        with_carriers(|carriers, picked| {
            carriers.clear();
            let all = 0..outer.body.nodes.positions.len() as u32;
            for node in all.filter(|&node| outer.border.touches(node)) {
                carriers.add(&Patch::of(outer.body, node), outer.border);
            }
            carriers.sort_in(outer.reach());
            carriers.pick(Around { radius: outer.reach(), knowing: None }, None, picked);
            is_mostly_in(inner, outer, offset, (carriers, picked))
        })
    };
    within(first, second, -offset) || within(second, first, offset)
}

/// Whether most nodes of one body are inside another.
fn is_mostly_in(
    first: &Seen,
    second: &Seen,
    offset: Vec3,
    (carriers, picked): (&Carriers, &mut Picked),
) -> bool {
    let kin = first.body.is_kin_of(second.body);
    let mut is_in = |(_, (at, rest)): &(u32, (&Vec3, &Vec3))| {
        let place = **at + offset;
        // The nearest node knows.
        let mut nearest = (f32::INFINITY, false);
        carriers.near(picked, place, |other, facets| {
            let away = other.at.distance_squared(place);
            if away < nearest.0 {
                let allowed = |facet: &Facet| match facets.iter().position(|of| of == facet) {
                    Some(which) if kin => second.depth_at_rest(other.node, **rest, which),
                    _ => 0.0,
                };
                let distance = second.border.distance(other.node, place, facets);
                nearest = (away, distance.is_some_and(|(d, facet)| d < allowed(&facet)));
            }
        });
        nearest.1
    };
    let nodes = &first.body.nodes.positions;
    let all = (0..).zip(nodes.iter().zip(&first.body.rest().nodes.rest_positions));
    let all = all.filter(|(node, _)| first.border.touches(*node));
    all.clone().filter(&mut is_in).count() as f32 > MOSTLY * all.count() as f32
}

/// How a tip is over a node's piece of surface.
pub(super) struct Over {
    /// Metres; negative below it.
    pub distance: f32,
    pub facet: Facet,
    /// How clear it is that this is the facet, in [0, 1].
    pub clear: f32,
}

/// A weighted mean over the nodes whose piece of surface a tip is over.
#[derive(Default)]
pub(super) struct Sum {
    pub weight: f32,
    pub distance: f32,
    pub normal: Vec3,
    pub carriers: [(u32, f32); CARRIERS],
}

impl Sum {
    pub fn add(&mut self, other: &Carrier, place: Vec3, &Over { distance, facet, clear }: &Over) {
        let away = place - other.at;
        let up = away.dot(facet.normal);
        let aside2 = (away.length_squared() - up * up).max(0.0);
        let weight = 1.0 - aside2 / (other.span * other.span);
        if weight <= 0.0 {
            return;
        }
        let weight = weight * weight;
        self.weight += weight;
        let weight = weight * clear;
        self.distance += weight * distance;
        self.normal += weight * facet.normal;
        // The heaviest few carry it.
        let mut entry = (other.node, weight);
        for carrier in &mut self.carriers {
            if entry.1 > carrier.1 {
                std::mem::swap(carrier, &mut entry);
            }
        }
    }

    /// The contact point of a tip that is inside, or not farther outside than `margin` metres.
    pub fn contact_point(mut self, node: u32, place: Vec3, margin: f32) -> Option<ContactPoint> {
        // At the very rim of a piece of surface contacts begin softly.
        let depth = -self.distance / self.weight * (self.weight / RIM).min(1.0);
        let normal = self.normal.try_normalize()?;
        let sum: f32 = self.carriers.iter().map(|carrier| carrier.1).sum();
        self.carriers.iter_mut().for_each(|carrier| carrier.1 /= sum);
        (depth > -margin).then_some(ContactPoint { node, carriers: self.carriers, normal, depth, place })
    }
}

/// Weight below which a contact is not full.
const RIM: f32 = 0.05;
