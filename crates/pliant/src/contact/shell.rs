//! The surface of a body as it is now, and where two of them can touch.

use super::carriers::Carriers;
use super::narrow::OVER;
use super::places::Places;
use super::response::{STRETCHED, mean};
use crate::body::border::{Border, Facet};
use crate::body::{Body, BodyHandle};
use crate::math::rotation;
use glam::{DVec3, Mat3, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Weak};

/// A node with its piece of surface, as it is now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    pub node: u32,
    pub at: Vec3,
    pub map: Mat3,
    /// The map for normals.
    pub cofactor: Mat3,
}

/// Whose tip it is. Which way it looks is only worked out where another body is near it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedTip {
    /// Its piece of surface, in the list of those.
    pub patch: u32,
    /// Which of its node's tips it is.
    pub of_node: u32,
}

/// The surface of a body as it is now, relative to its origin.
#[derive(Clone, Debug, Default)]
pub struct Shell {
    /// The nodes at the surface, where others may be near.
    pub(super) carriers: Carriers,
    /// Their pieces of surface.
    pub(super) patches: Vec<Patch>,
    /// Their tips, and where they are now.
    pub(super) tips: Vec<PlacedTip>,
    pub(super) places: Places,
    /// A box around all that it can touch: sooner known than where it is.
    around: [Vec3; 2],
    /// A box that is about as large as the body.
    pub extent: [Vec3; 2],
    /// Boxes in which others may be near.
    asked: Vec<[Vec3; 2]>,
    /// All tips there.
    pub bounds: [Vec3; 2],
    /// Its mean velocity in m/s.
    pub drift: Vec3,
    /// Where its outer nodes were in the substep before.
    before: SurfaceBefore,
    /// The border that those are of: another one has other nodes.
    border: Weak<Border>,
    /// How far they have come since the substep before, in the mean, and how much of it differs at most, in metres.
    moved: Vec3,
    strayed: f32,
}

/// Squeezed to less than this part of its volume, or turned inside out, a node is as large as at rest: a body that is pressed flat is
/// still as thick as its nodes, and they know which way is out.
const SQUEEZED: f32 = 0.4;

impl Patch {
    pub fn of(body: &Body, node: u32) -> Self {
        let map = body.node_map(node as usize);
        let squeezed = map.determinant() < SQUEEZED;
        let map = if squeezed { Mat3::from_quat(rotation(map, body.model.rotation())) } else { map };
        let [a, b, c] = [map.x_axis, map.y_axis, map.z_axis];
        let cofactor = Mat3::from_cols(b.cross(c), c.cross(a), a.cross(b));
        Self { node, at: body.nodes.positions[node as usize], map, cofactor }
    }

    pub fn facet(&self, facet: &Facet) -> Facet {
        let normal = (self.cofactor * facet.normal).normalize_or(facet.normal);
        Facet { point: self.at + self.map * facet.point, normal }
    }
}

/// Where the outer nodes of a body were in the substep before.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct SurfaceBefore {
    /// The body; none if it is not known where it was.
    body: Option<BodyHandle>,
    positions: Vec<Vec3>,
    origin: DVec3,
}

impl SurfaceBefore {
    pub fn body(&self) -> Option<BodyHandle> {
        self.body
    }
}

impl Shell {
    /// Of a body that goes on from where it was.
    pub fn with(before: SurfaceBefore, body: &Body) -> Self {
        Self { before, border: Arc::downgrade(body.border()), ..Self::default() }
    }

    /// The body whose surface it is, if that could meet others in the latest step.
    pub fn body(&self) -> Option<BodyHandle> {
        self.before.body
    }

    /// Begins a step, in which it is the surface of a body that can meet others, or of none.
    pub fn begin(&mut self, body: Option<BodyHandle>) {
        if body.is_none() || self.before.body != body {
            self.before.positions.clear();
        }
        self.before.body = body;
    }

    /// Where its body was, if that body still has the same surface.
    pub fn before(&self, body: &Body) -> Option<&SurfaceBefore> {
        (!self.before.positions.is_empty() && self.is_of(body.border())).then_some(&self.before)
    }

    fn is_of(&self, border: &Arc<Border>) -> bool {
        // What is referred to weakly is not replaced by another at the same address.
        self.border.as_ptr() == Arc::as_ptr(border)
    }

    /// Finds a box around all that a body can touch, and how it has moved.
    pub fn surround(&mut self, body: &Body) {
        let border = body.border();
        let at = border.outer.iter().map(|&node| body.nodes.positions[node as usize]);
        let (low, high) =
            at.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        // Tips and the sheet's own thickness, and on both sides the margin that a sheet has; a little more for what is rounded.
        let reach = STRETCHED * border.reach + 3.0 * border.sheet.unwrap_or(0.0);
        let beyond = 1.001 * reach + 1e-6 * low.abs().max(high.abs());
        self.around = [low - beyond, high + beyond];
        self.extent = [low - 0.5 * border.span, high + 0.5 * border.span];
        // Room for more than there were: a steady step allocates nothing.
        self.asked.reserve(self.asked.len().max(4));
        self.asked.clear();
        self.compare(body, border);
    }

    /// Finds how far a body has come since the substep before. Velocities do not tell: what is pressed on something has some in every
    /// substep, and stays.
    fn compare(&mut self, body: &Body, border: &Arc<Border>) {
        let at = |&node: &u32| body.nodes.positions[node as usize];
        let SurfaceBefore { positions, origin, .. } = &self.before;
        if positions.len() == border.outer.len() && self.is_of(border) {
            let shifted = (body.nodes.origin - *origin).as_vec3();
            let ways = || border.outer.iter().zip(positions).map(|(node, before)| at(node) - *before);
            self.moved = ways().sum::<Vec3>() / positions.len() as f32;
            let strayed2 = ways().map(|way| way.distance_squared(self.moved)).fold(0.0, f32::max);
            (self.moved, self.strayed) = (self.moved + shifted, strayed2.sqrt());
        } else {
            self.strayed = f32::INFINITY;
            self.border = Arc::downgrade(border);
        }
        self.before.positions.clear();
        self.before.positions.extend(border.outer.iter().map(at));
        self.before.origin = body.nodes.origin;
    }

    /// What no two surface nodes of two bodies have come closer than since the substep before, in metres; infinite if
    /// it is not known where they were.
    pub fn come_closer(&self, other: &Self) -> f32 {
        self.moved.distance(other.moved) + self.strayed + other.strayed
    }

    /// Where the boxes around two bodies overlap, or are not farther from each other than `apart` metres; none if they are. `offset` is from the
    /// origin of this one to that of the other.
    pub fn overlap(&self, other: &Self, offset: Vec3, apart: f32) -> Option<[Vec3; 2]> {
        let low = self.around[0].max(other.around[0] + offset) - apart;
        let high = self.around[1].min(other.around[1] + offset) + apart;
        low.cmple(high).all().then_some([low, high])
    }

    /// Asks for the surface within a box.
    pub fn ask(&mut self, within: [Vec3; 2]) {
        self.asked.push(within);
    }

    /// Whether any of the surface is asked for.
    pub fn is_asked(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Finds the surface of a body where it is asked for.
    pub fn find(&mut self, body: &Body, border: &Border) {
        self.carriers.clear();
        self.patches.clear();
        self.tips.clear();
        self.places.clear();
        // Room for all of it: what is asked for changes from step to step, and a steady one allocates nothing.
        let [facets, tips] = border.counts();
        self.carriers.reserve(border.outer.len(), facets);
        self.patches.reserve(border.outer.len());
        self.tips.reserve(tips);
        self.places.reserve(tips);
        self.drift = mean(&body.nodes.velocities);
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        // What carries a place or has a tip there. (Sheets are thick in the boxes already.)
        let reach = (STRETCHED * border.reach).max(OVER * border.span);
        for [low, high] in &mut self.asked {
            (*low, *high) = (*low - reach, *high + reach);
        }
        for &node in &border.outer {
            let at = body.nodes.positions[node as usize];
            let is_in = |[low, high]: &[Vec3; 2]| at.cmpge(*low).all() && at.cmple(*high).all();
            if !self.asked.iter().any(is_in) {
                continue;
            }
            let patch = Patch::of(body, node);
            for (of_node, tip) in (0..).zip(border.tips(node)) {
                let place = patch.at + (patch.map * tip.point).clamp_length_max(STRETCHED * border.reach);
                (low, high) = (low.min(place), high.max(place));
                self.tips.push(PlacedTip { patch: self.patches.len() as u32, of_node });
                self.places.push(place);
            }
            self.carriers.add(&patch, border);
            self.patches.push(patch);
        }
        self.carriers.sort_in(OVER * border.span);
        let thick = border.sheet.unwrap_or(0.0);
        self.bounds = [low - thick, high + thick];
    }
}

/// Where two bodies can touch: in the box that both reach, and no farther into each than the other goes along an axis. Boxes alone are
/// thick for what lies against each other obliquely.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlap {
    pub region: [Vec3; 2],
    pub axis: Vec3,
    /// The least and the largest place along the axis.
    pub slab: [f32; 2],
}

impl Overlap {
    /// Of two bodies, in the coordinates of the first; `offset` is from its origin to that of the second, and nothing is missed that is
    /// nearer than `margin`. `axis` is out of the second, as far as that is known.
    pub fn new(first: &Shell, second: &Shell, offset: Vec3, axis: Vec3, margin: f32) -> Option<Self> {
        let low = first.bounds[0].max(second.bounds[0] + offset) - margin;
        let high = first.bounds[1].min(second.bounds[1] + offset) + margin;
        if !low.cmple(high).all() {
            return None;
        }
        let [least, _] = first.places.along(axis);
        let [_, largest] = second.places.along(axis);
        let slab = [least - margin, offset.dot(axis) + largest + margin];
        (slab[0] <= slab[1]).then_some(Self { region: [low, high], axis, slab })
    }

    /// The same in coordinates that begin elsewhere.
    pub fn seen_from(&self, origin: Vec3) -> Self {
        let along = origin.dot(self.axis);
        Self {
            region: self.region.map(|corner| corner - origin),
            slab: self.slab.map(|end| end - along),
            ..*self
        }
    }

    /// Whether a place is in it, or not farther from it than a reach.
    pub fn has(&self, place: Vec3, reach: f32) -> bool {
        let ([low, high], [first, last]) = (self.region, self.slab);
        let along = place.dot(self.axis);
        along >= first - reach
            && along <= last + reach
            && place.cmpge(low - reach).all()
            && place.cmple(high + reach).all()
    }

    pub fn is_deeper_than(&self, depth: f32) -> bool {
        let [low, high] = self.region;
        (high - low).min_element().min(self.slab[1] - self.slab[0]) > depth
    }
}
