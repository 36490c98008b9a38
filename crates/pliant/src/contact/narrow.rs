//! Narrow phase: where two bodies are in each other: tips of one below the facets of the other.
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
use glam::{Mat3, Vec3};
use std::cell::RefCell;
use std::ops::Range;

/// Nodes that carry a touched place at most.
pub const CARRIERS: usize = 6;

/// A tip of one body in another.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
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
pub(super) struct Patch {
    pub node: u32,
    pub at: Vec3,
    pub map: Mat3,
    /// The map for normals.
    pub cofactor: Mat3,
}

/// A tip as it is now.
#[derive(Clone, Copy, Debug)]
struct Placed {
    node: u32,
    place: Vec3,
    /// Unit vector that it looks along; zero for nodes inside, which look no way.
    way: Vec3,
    cone: f32,
    /// Where it is at rest.
    rest: Vec3,
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
pub(super) struct Carrier {
    pub node: u32,
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
pub(super) struct Carriers {
    all: Vec<Carrier>,
    facets: Vec<Facet>,
    points: Vec<Vec3>,
    grid: PointGrid,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Does `work` with carriers whose memory is kept from one search to the next.
pub(super) fn with_carriers(work: impl FnOnce(&mut Carriers)) {
    SCRATCH.with_borrow_mut(|scratch| work(&mut scratch.carriers));
}

/// How many nodes are looked at one by one rather than by the grid.
const FEW: usize = 24;
/// How far from a node, in spans, a tip can be over its piece of surface: half a span up and one to the side.
pub(super) const OVER: f32 = 1.25;
/// Spans of overlap above which nodes inside are looked at as well.
const DEEP: f32 = 1.5;
/// The part of a body's nodes, or of the box around it, that must be inside another for it to be taken out as a whole.
const MOSTLY: f32 = 0.5;

impl Patch {
    pub fn of(body: &Body, node: u32) -> Self {
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
                let rest = body.rest().nodes.rest_positions[node as usize] + tip.point;
                self.tips.push(Placed { node, place, way, cone: tip.cone, rest });
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
                let rest = self.body.rest().nodes.rest_positions[node as usize];
                Placed { node, place, way: Vec3::ZERO, cone: 0.0, rest }
            };
            found.extend((0..self.body.nodes.positions.len() as u32).filter(inside).map(own));
        }
    }

    /// The nodes that can carry tips.
    fn carriers(&self, tips: &[Placed], all: bool, found: &mut Carriers) {
        found.clear();
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
    pub(super) fn reach(&self) -> f32 {
        OVER * self.border.span + self.border.sheet.unwrap_or(0.0)
    }

    /// Whether what a node knows of the surface holds at a place. A node at the surface knows it around itself. One inside
    /// knows the nearest piece of it: within that distance all is inside, and beyond nothing is known.
    pub(super) fn knows(&self, node: &Carrier, place: Vec3, facets: &[Facet], thick: f32) -> bool {
        let reach = if self.border.tips(node.node).is_empty() {
            let deep = |facet: &Facet| (facet.point - node.at).dot(facet.normal);
            facets.iter().map(deep).fold(0.0, f32::max)
        } else {
            OVER * self.border.span(node.node) + thick
        };
        node.at.distance_squared(place) <= reach * reach
    }

    /// How deep a place of another piece of the same body was below a facet of a node when they were one, 0 or less: facets are
    /// flat and only nearly the surface, so the faces of a cut are in each other from the start, and may stay so. `facet` is one of
    /// `now`, the node's facets as they are.
    fn depth_at_rest(&self, node: u32, rest: Vec3, facet: &Facet, now: &[Facet]) -> f32 {
        let at = rest - self.body.rest().nodes.rest_positions[node as usize];
        let same = now.iter().position(|of| of == facet);
        let facet = same.and_then(|index| self.border.facets(node).get(index));
        match facet {
            Some(facet) if at.length() < self.reach() => (at - facet.point).dot(facet.normal).min(0.0),
            _ => 0.0,
        }
    }
}

impl Carriers {
    pub fn clear(&mut self) {
        self.all.clear();
        self.facets.clear();
    }

    pub fn add(&mut self, patch: &Patch, border: &Border) {
        let start = self.facets.len() as u32;
        self.facets.extend(border.facets(patch.node).iter().map(|facet| patch.facet(facet)));
        self.all.push(Carrier { node: patch.node, at: patch.at, facets: start..self.facets.len() as u32 });
    }

    pub fn sort_in(&mut self, cell: f32) {
        if self.all.len() > FEW {
            self.points.clear();
            self.points.extend(self.all.iter().map(|carrier| carrier.at));
            self.grid.rebuild(&self.points, cell);
        }
    }

    pub fn near(&self, place: Vec3, radius: f32, mut found: impl FnMut(&Carrier, &[Facet])) {
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
    first: &Seen,
    second: &Seen,
    offset: Vec3,
    fast: bool,
    h: f32,
    found: &mut [Vec<ContactPoint>; 2],
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
            touch(first, second, mine, offset, h, carriers, of_first);
        }
        if !others.is_empty() {
            first.carriers(others, all, carriers);
            if deep && is_mostly_in(second, first, offset, carriers) {
                of_first.clear();
                return true;
            }
            touch(second, first, others, -offset, h, carriers, of_second);
        }
        false
    })
}

/// Whether most nodes of one body are inside another.
fn is_mostly_in(first: &Seen, second: &Seen, offset: Vec3, carriers: &Carriers) -> bool {
    let kin = first.body.is_kin_of(second.body);
    let is_in = |(at, rest): &(&Vec3, &Vec3)| {
        let place = **at + offset;
        // The nearest node knows.
        let mut nearest = (f32::INFINITY, false);
        carriers.near(place, second.reach(), |other, facets| {
            let away = other.at.distance_squared(place);
            if away < nearest.0 {
                let allowed = |facet: &Facet| match kin {
                    true => second.depth_at_rest(other.node, **rest, facet, facets),
                    false => 0.0,
                };
                let distance = second.border.distance(other.node, place, facets);
                nearest = (away, distance.is_some_and(|(d, facet)| d < allowed(&facet)));
            }
        });
        nearest.1
    };
    let nodes = &first.body.nodes.positions;
    let all = nodes.iter().zip(&first.body.rest().nodes.rest_positions);
    all.filter(is_in).count() as f32 > MOSTLY * nodes.len() as f32
}

/// Tips of one body in the other, in whose coordinates they are.
fn touch(
    first: &Seen,
    second: &Seen,
    tips: &[Placed],
    offset: Vec3,
    h: f32,
    carriers: &Carriers,
    found: &mut Vec<ContactPoint>,
) {
    let (mine, others) = (first.border.sheet, second.border.sheet);
    let thick = mine.unwrap_or(0.0) + others.unwrap_or(0.0);
    let velocity = |of: &Seen, node: u32| of.body.nodes.velocities[node as usize];
    let kin = first.body.is_kin_of(second.body);
    for tip in tips {
        // A sheet touches with both sides.
        let way = if mine.is_some() || others.is_some() { Vec3::ZERO } else { tip.way };
        let mut sum = Sum::default();
        carriers.near(tip.place, second.reach() + thick, |other, facets| {
            if !second.knows(other, tip.place, facets, thick) {
                return;
            }
            let distance = second.border.distance_facing(other.node, tip.place, way, tip.cone, facets);
            let Some((mut distance, mut facet, clear)) = distance else { return };
            if kin {
                distance -= second.depth_at_rest(other.node, tip.rest, &facet, facets);
            }
            if others.is_some() {
                let approach = (velocity(first, tip.node) - velocity(second, other.node)).dot(facet.normal);
                if distance - h * approach < 0.0 {
                    (distance, facet.normal) = (-distance, -facet.normal);
                }
            }
            if distance < thick {
                let over = Over { distance: distance - thick, facet, clear };
                sum.add(other, second.border.span(other.node), tip.place, &over);
            }
        });
        found.extend(sum.contact_point(tip.node, tip.place + offset));
    }
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
    weight: f32,
    distance: f32,
    normal: Vec3,
    carriers: [(u32, f32); CARRIERS],
}

impl Sum {
    pub fn add(&mut self, other: &Carrier, span: f32, place: Vec3, &Over { distance, facet, clear }: &Over) {
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

    pub fn contact_point(mut self, node: u32, place: Vec3) -> Option<ContactPoint> {
        // At the very rim of a piece of surface contacts begin softly.
        let depth = -self.distance / self.weight * (self.weight / RIM).min(1.0);
        let normal = self.normal.try_normalize()?;
        let sum: f32 = self.carriers.iter().map(|carrier| carrier.1).sum();
        self.carriers.iter_mut().for_each(|carrier| carrier.1 /= sum);
        (depth > 0.0).then_some(ContactPoint { node, carriers: self.carriers, normal, depth, place })
    }
}

/// Weight below which a contact is not full.
const RIM: f32 = 0.05;
