//! Where two bodies, or two parts of one, are in each other: tips of one below the facets of the other.
//!
//! A tip is measured against the facets of all nodes whose piece of surface it is over, weighted by how far it is from
//! their middle: distance, direction and who carries it change smoothly while it slides along. Where nodes stand in cells, the
//! cells are those of \[SOG08\] §7, moved by their nodes' maps; of particles, the pieces of surface around each.
//!
//! Sheets have two outsides. A tip is kept on the side it comes from, which its motion tells: it is never closer to a sheet
//! than the sheet is thick, so it cannot be on both sides at once. \[HW08\] §5 classifies the ends of edges that cross triangles
//! each step anew, which is what made it erratic.

use super::response::STRETCHED;
use crate::body::Body;
use crate::body::border::{Border, Facet};
use crate::geometry::PointGrid;
use crate::math::rotation;
use glam::{Mat3, Vec3};
use std::cell::RefCell;
use std::ops::Range;

/// Nodes that carry a touched place at most.
pub const CARRIERS: usize = 6;

/// A tip of one body in another.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    /// The node that the tip belongs to.
    pub node: u32,
    /// The nodes of the other body that carry the place, and how much of it each; places not used have weight 0.
    pub carriers: [(u32, f32); CARRIERS],
    /// Out of the other body.
    pub normal: Vec3,
    /// How far to go along it, in metres.
    pub depth: f32,
    /// Where the tip is, relative to its own body's origin.
    pub place: Vec3,
}

/// A node with its piece of surface, as it is now.
#[derive(Clone, Copy, Debug)]
struct Patch {
    node: u32,
    at: Vec3,
    map: Mat3,
    /// The map for normals.
    cofactor: Mat3,
}

/// A tip as it is now.
#[derive(Clone, Copy, Debug)]
struct Placed {
    node: u32,
    place: Vec3,
    /// Unit vector that it looks along; zero for nodes inside, which look no way.
    way: Vec3,
    cone: f32,
}

/// The surface of a body as it is now, relative to its origin.
#[derive(Clone, Debug, Default)]
pub struct Shell {
    patches: Vec<Patch>,
    tips: Vec<Placed>,
    /// Everything of it.
    pub bounds: [Vec3; 2],
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

/// A node that can carry a tip of another, with its facets as they are now.
#[derive(Clone, Debug)]
struct Carrier {
    node: u32,
    at: Vec3,
    /// Its facets, in a list of all.
    facets: Range<u32>,
}

/// What a search keeps from one to the next.
#[derive(Debug, Default)]
struct Scratch {
    tips: [Vec<Placed>; 2],
    carriers: Carriers,
}

/// Nodes that can carry tips, and how to find those near one.
#[derive(Debug, Default)]
struct Carriers {
    all: Vec<Carrier>,
    facets: Vec<Facet>,
    points: Vec<Vec3>,
    grid: PointGrid,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// How many nodes are looked at one by one rather than by the grid.
const FEW: usize = 24;
/// How far from a node, in spans, a tip can be over its piece of surface: half a span up and one to the side.
const OVER: f32 = 1.25;
/// Cosine of the angle between tip and facet above which parts of one body are not folded over but side by side.
const FOLDED: f32 = -0.3;
/// Spans that parts of one body may be deeper in each other than at rest: facets are only nearly the surface.
const SLACK: f32 = 0.15;
/// Spans of overlap above which nodes inside are looked at as well.
const DEEP: f32 = 1.5;
/// The part of a body's nodes, or of the box around it, that must be inside another for it to be taken out as a whole.
const MOSTLY: f32 = 0.5;

impl Patch {
    fn of(body: &Body, node: u32) -> Self {
        let map = body.node_map(node as usize);
        let [a, b, c] = [map.x_axis, map.y_axis, map.z_axis];
        let cofactor = Mat3::from_cols(b.cross(c), c.cross(a), a.cross(b));
        Self { node, at: body.nodes.positions[node as usize], map, cofactor }
    }

    fn facet(&self, facet: &Facet) -> Facet {
        let normal = (self.cofactor * facet.normal).normalize_or(facet.normal);
        Facet { point: self.at + self.map * facet.point, normal }
    }
}

impl Shell {
    /// Finds the surface of a body.
    pub fn find(&mut self, body: &Body, border: &Border) {
        self.patches.clear();
        self.tips.clear();
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for &node in &border.outer {
            let patch = Patch::of(body, node);
            for tip in border.tips(node) {
                let place = patch.at + (patch.map * tip.point).clamp_length_max(STRETCHED * border.reach);
                let way = (patch.cofactor * tip.normal).normalize_or_zero();
                (low, high) = (low.min(place), high.max(place));
                self.tips.push(Placed { node, place, way, cone: tip.cone });
            }
            self.patches.push(patch);
        }
        let thick = border.sheet.unwrap_or(0.0);
        self.bounds = [low - thick, high + thick];
    }
}

fn is_in(at: Vec3, [low, high]: [Vec3; 2]) -> bool {
    at.cmpge(low).all() && at.cmple(high).all()
}

impl Seen<'_> {
    /// The tips in a box, moved by `offset`; with `all` the nodes as well: the back of a body that is pressed flat looks away from
    /// what it must not enter.
    fn tips_in(&self, region: [Vec3; 2], all: bool, offset: Vec3, found: &mut Vec<Placed>) {
        found.clear();
        let moved = |tip: &Placed| Placed { place: tip.place + offset, ..*tip };
        found.extend(self.shell.tips.iter().filter(|tip| is_in(tip.place, region)).map(moved));
        if all {
            let inside = |&node: &u32| is_in(self.body.nodes.positions[node as usize], region);
            let own = |node: u32| {
                let place = self.body.nodes.positions[node as usize] + offset;
                Placed { node, place, way: Vec3::ZERO, cone: 0.0 }
            };
            found.extend((0..self.body.nodes.positions.len() as u32).filter(inside).map(own));
        }
    }

    /// The nodes that can carry tips.
    fn carriers(&self, tips: &[Placed], all: bool, found: &mut Carriers) {
        found.all.clear();
        found.facets.clear();
        let reach = self.reach();
        let (low, high) = tips.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), tip| {
            (low.min(tip.place), high.max(tip.place))
        });
        let region = [low - reach, high + reach];
        let patches = self.shell.patches.iter().filter(|patch| is_in(patch.at, region));
        patches.for_each(|patch| found.add(patch, self.border));
        if all {
            for node in 0..self.body.nodes.positions.len() as u32 {
                if self.border.tips(node).is_empty()
                    && is_in(self.body.nodes.positions[node as usize], region)
                {
                    found.add(&Patch::of(self.body, node), self.border);
                }
            }
        }
        found.sort_in(reach);
    }

    /// How far from a node a tip can be that it carries.
    fn reach(&self) -> f32 {
        OVER * self.border.span + self.border.sheet.unwrap_or(0.0)
    }

    /// Whether what a node knows of the surface holds at a place. A node at the surface knows it around itself. One inside
    /// knows the nearest piece of it: within that distance all is inside, and beyond nothing is known.
    fn knows(&self, node: &Carrier, place: Vec3, facets: &[Facet], thick: f32) -> bool {
        let reach = if self.border.tips(node.node).is_empty() {
            let deep = |facet: &Facet| (facet.point - node.at).dot(facet.normal);
            facets.iter().map(deep).fold(0.0, f32::max)
        } else {
            OVER * self.border.span(node.node) + thick
        };
        node.at.distance_squared(place) <= reach * reach
    }

    /// How deep a tip is below the facets of another node at rest; 0 if it is not.
    fn at_rest(&self, node: u32, tip: Vec3, other: u32) -> f32 {
        let places = &self.body.rest().nodes.rest_positions;
        let place = places[node as usize] + tip - places[other as usize];
        self.border
            .distance(other, place, self.border.facets(other))
            .map_or(0.0, |(distance, _)| distance.min(0.0))
    }
}

impl Carriers {
    fn add(&mut self, patch: &Patch, border: &Border) {
        let start = self.facets.len() as u32;
        self.facets.extend(border.facets(patch.node).iter().map(|facet| patch.facet(facet)));
        self.all.push(Carrier { node: patch.node, at: patch.at, facets: start..self.facets.len() as u32 });
    }

    fn sort_in(&mut self, cell: f32) {
        if self.all.len() > FEW {
            self.points.clear();
            self.points.extend(self.all.iter().map(|carrier| carrier.at));
            self.grid.rebuild(&self.points, cell);
        }
    }

    fn near(&self, place: Vec3, radius: f32, mut found: impl FnMut(&Carrier, &[Facet])) {
        let mut each = |carrier: &Carrier| {
            found(carrier, &self.facets[carrier.facets.start as usize..carrier.facets.end as usize]);
        };
        if self.all.len() > FEW {
            self.grid.within(place, radius, |index, _| each(&self.all[index as usize]));
        } else {
            let within = |carrier: &&Carrier| carrier.at.distance_squared(place) <= radius * radius;
            self.all.iter().filter(within).for_each(each);
        }
    }
}

/// Finds where `first` is in `second` and the other way round; `offset` is from the origin of `first` to that of `second`;
/// of `fast` ones all nodes are looked at.
/// Returns whether one of them is mostly inside the other: then no direction of single nodes says which way is out.
pub fn meet(
    (first, second): (&Seen, &Seen),
    (offset, fast): (Vec3, bool),
    h: f32,
    found: &mut [Vec<Meeting>; 2],
) -> bool {
    found.iter_mut().for_each(Vec::clear);
    let [of_first, of_second] = found;
    let low = first.shell.bounds[0].max(second.shell.bounds[0] + offset);
    let high = first.shell.bounds[1].min(second.shell.bounds[1] + offset);
    if !low.cmple(high).all() {
        return false;
    }
    let region = [low, high];
    let all = fast || (high - low).min_element() > DEEP * first.border.span.min(second.border.span);
    SCRATCH.with_borrow_mut(|Scratch { tips: [mine, others], carriers }| {
        // Each in the other's coordinates.
        first.tips_in(region, all, -offset, mine);
        second.tips_in(region.map(|corner| corner - offset), all, offset, others);
        let volume = |[low, high]: [Vec3; 2]| (high - low).element_product();
        let smaller = volume(first.shell.bounds).min(volume(second.shell.bounds));
        let sheets = first.border.sheet.is_some() || second.border.sheet.is_some();
        let deep = all && !sheets && volume(region) > MOSTLY * smaller;
        if !mine.is_empty() {
            second.carriers(mine, all, carriers);
            if deep && is_mostly_in(first, second, -offset, carriers) {
                return true;
            }
            touch(first, second, mine, (offset, h), carriers, of_first);
        }
        if !others.is_empty() {
            first.carriers(others, all, carriers);
            if deep && is_mostly_in(second, first, offset, carriers) {
                of_first.clear();
                return true;
            }
            touch(second, first, others, (-offset, h), carriers, of_second);
        }
        false
    })
}

/// The surface nodes of a body that can touch another part of it within a step in which no node goes farther than `way`.
///
/// Two nodes are nearer than at rest by at most what both have left their places in the body as if it were rigid: only those
/// are worth a search that have gone as far as the gap before them.
pub fn suspects(body: &Body, border: &Border, way: f32, found: &mut Vec<u32>) {
    found.clear();
    let (rest, nodes) = (&body.rest().nodes, &body.nodes);
    if border.sheet.is_some() || border.outer.len() < 8 {
        return;
    }
    let outer = border.outer.iter().map(|&node| node as usize);
    let count = border.outer.len() as f32;
    let (x0, x) = outer.clone().fold((Vec3::ZERO, Vec3::ZERO), |(x0, x), node| {
        (x0 + rest.rest_positions[node], x + nodes.positions[node])
    });
    let (middle0, middle) = (x0 / count, x / count);
    let moment = outer.clone().fold(Mat3::ZERO, |sum, node| {
        let (p, q) = (nodes.positions[node] - middle, rest.rest_positions[node] - middle0);
        sum + Mat3::from_cols(p * q.x, p * q.y, p * q.z)
    });
    let turn = Mat3::from_quat(rotation(moment, body.model.rotation()));
    let strayed = |node: usize| {
        let place = middle + turn * (rest.rest_positions[node] - middle0);
        nodes.positions[node].distance(place) + way
    };
    let most = outer.clone().map(strayed).fold(0.0, f32::max);
    let (reach, limit) = (OVER * border.span, border.gap_limit());
    let can = |&(node, gap): &(u32, f32)| strayed(node as usize) + most >= gap.min(limit) - reach;
    found.extend(border.gaps().filter(can).map(|(node, _)| node));
    if found.is_empty() {
        return;
    }
    // Of those, the ones that have another before them that looks back.
    let patches: Vec<Patch> = found.iter().map(|&node| Patch::of(body, node)).collect();
    let ways: Vec<Vec<Vec3>> = patches
        .iter()
        .map(|patch| border.tips(patch.node).iter().map(|tip| patch.cofactor * tip.normal).collect())
        .collect();
    let at: Vec<Vec3> = patches.iter().map(|patch| patch.at).collect();
    let near = reach + 2.0 * way + border.reach;
    let grid = PointGrid::new(&at, near);
    let faced = |index: usize| {
        let mut faced = false;
        grid.within(at[index], near, |other, _| {
            let between = at[other as usize] - at[index];
            let looks =
                |a: &Vec3| a.dot(between) > 0.0 && ways[other as usize].iter().any(|b| a.dot(*b) < 0.0);
            faced |= other as usize != index && !faced && ways[index].iter().any(looks);
        });
        faced
    };
    let kept: Vec<u32> = (0..found.len()).filter(|&index| faced(index)).map(|index| found[index]).collect();
    *found = kept;
}

/// Finds where a body is in itself, among the nodes that can be.
pub fn meet_itself(body: &Seen, suspects: &[u32], found: &mut Vec<Meeting>) {
    found.clear();
    SCRATCH.with_borrow_mut(|Scratch { carriers, .. }| {
        carriers.all.clear();
        carriers.facets.clear();
        suspects.iter().for_each(|&node| carriers.add(&Patch::of(body.body, node), body.border));
        carriers.sort_in(body.reach());
        for &node in suspects {
            let patch = Patch::of(body.body, node);
            for tip in body.border.tips(node) {
                let place = patch.at + patch.map * tip.point;
                let way = (patch.cofactor * tip.normal).normalize_or_zero();
                let mut sum = Sum::default();
                carriers.near(place, body.reach(), |other, facets| {
                    if other.node == node || !body.knows(other, place, facets, 0.0) {
                        return;
                    }
                    // Not the facet that it faces but the one that is nearest: on a thin plate the other side faces it.
                    let Some((distance, facet)) = body.border.distance(other.node, place, facets) else {
                        return;
                    };
                    if distance >= 0.0 || facet.normal.dot(way) > FOLDED {
                        return;
                    }
                    // What is in each other at rest may stay so.
                    let allowed =
                        body.at_rest(node, tip.point, other.node) - SLACK * body.border.span(other.node);
                    if distance < allowed {
                        let found = (distance - allowed, facet, 1.0);
                        sum.add(other, body.border.span(other.node), place, found);
                    }
                });
                found.extend(sum.meeting(node, place));
            }
        }
    });
}

/// Whether most nodes of one body are inside another.
fn is_mostly_in(first: &Seen, second: &Seen, offset: Vec3, carriers: &Carriers) -> bool {
    let is_in = |at: &&Vec3| {
        let place = **at + offset;
        // The nearest node knows.
        let mut nearest = (f32::INFINITY, false);
        carriers.near(place, second.reach(), |other, facets| {
            let away = other.at.distance_squared(place);
            if away < nearest.0 {
                let inside = second.border.distance(other.node, place, facets).is_some_and(|(d, _)| d < 0.0);
                nearest = (away, inside);
            }
        });
        nearest.1
    };
    let nodes = &first.body.nodes.positions;
    nodes.iter().filter(is_in).count() as f32 > MOSTLY * nodes.len() as f32
}

/// Tips of one body in the other, in whose coordinates they are.
fn touch(
    first: &Seen,
    second: &Seen,
    tips: &[Placed],
    (offset, h): (Vec3, f32),
    carriers: &Carriers,
    found: &mut Vec<Meeting>,
) {
    let (mine, others) = (first.border.sheet, second.border.sheet);
    let thick = mine.unwrap_or(0.0) + others.unwrap_or(0.0);
    let velocity = |of: &Seen, node: u32| of.body.nodes.velocities[node as usize];
    for tip in tips {
        // A sheet touches with both sides.
        let way = if mine.is_some() || others.is_some() { Vec3::ZERO } else { tip.way };
        let mut sum = Sum::default();
        carriers.near(tip.place, second.reach() + thick, |other, facets| {
            if !second.knows(other, tip.place, facets, thick) {
                return;
            }
            let distance = second.border.distance_facing(other.node, (tip.place, way, tip.cone), facets);
            let Some((mut distance, mut facet, clear)) = distance else { return };
            if others.is_some() {
                let approach = (velocity(first, tip.node) - velocity(second, other.node)).dot(facet.normal);
                if distance - h * approach < 0.0 {
                    (distance, facet.normal) = (-distance, -facet.normal);
                }
            }
            if distance < thick {
                sum.add(other, second.border.span(other.node), tip.place, (distance - thick, facet, clear));
            }
        });
        found.extend(sum.meeting(tip.node, tip.place + offset));
    }
}

/// A weighted mean over the nodes whose piece of surface a tip is over.
#[derive(Default)]
struct Sum {
    weight: f32,
    distance: f32,
    normal: Vec3,
    carriers: [(u32, f32); CARRIERS],
}

impl Sum {
    fn add(&mut self, other: &Carrier, span: f32, place: Vec3, (distance, facet, clear): (f32, Facet, f32)) {
        let away = place - other.at;
        let up = away.dot(facet.normal);
        let aside2 = (away.length_squared() - up * up).max(0.0);
        let weight = 1.0 - aside2 / (span * span);
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

    fn meeting(mut self, node: u32, place: Vec3) -> Option<Meeting> {
        // At the very rim of a piece of surface contacts begin softly.
        let depth = -self.distance / self.weight * (self.weight / RIM).min(1.0);
        let normal = self.normal.try_normalize()?;
        let sum: f32 = self.carriers.iter().map(|carrier| carrier.1).sum();
        self.carriers.iter_mut().for_each(|carrier| carrier.1 /= sum);
        (depth > 0.0).then_some(Meeting { node, carriers: self.carriers, normal, depth, place })
    }
}

/// Weight below which a contact is not full.
const RIM: f32 = 0.05;
