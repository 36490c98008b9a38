//! Where a body begins, node by node: what touches, and what is touched.
//!
//! Each node that has surface around it has *facets*, flat pieces of it, and *tips*, the points where they meet: one on a face,
//! the corner at a corner. Nodes inside have the facet of the surface that is nearest to them, flooded inward from joined
//! node to joined node: so every node knows how deep it is and which way is out, and what it says changes smoothly from node to
//! node. Facets and tips move with their nodes; touching is tips of one against facets of the other.
//!
//! Based on \[HTKMG04\] (consistent depths, propagated inward) and \[SOG08\] §7 (a distance field flooded from the surface).
//!
//! Deviations:
//! - Distances are lengths to flat pieces of surface, not whole numbers of cells: a body at rest on another must not sink by a
//!   cell before it is noticed.
//! - Direction and depth are of the rest shape and are carried by the nodes, not found again each step from edges that cross
//!   triangles: nothing is classified, so nothing flickers.
//! - A cut is surface like any other, on each side that of the nodes on that side.

mod caps;
mod curvature;
mod distance;
mod flood;
mod gaps;
mod gather;
mod renew;
mod tips;

pub use caps::Cap;
pub use distance::{Facing, LookingTips, in_all};

use super::BodyRest;
use crate::geometry::{Lists, OuterSurface, PointGrid, TriMesh, WELD_TOLERANCE, weld_as_needed};
use crate::model::Model;
use crate::nodes::Correspondence;
use crate::skin::Binding;
use flood::flood;
use gather::{Gathered, is_open, spacing};
use glam::Vec3;
use renew::Before;
use std::sync::{Arc, OnceLock};
use tips::{hollow, tips};

/// A flat piece of surface, relative to its node at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Facet {
    /// A point of it.
    pub point: Vec3,
    /// Unit vector out of the body.
    pub normal: Vec3,
}

/// A point of the surface that touches others, relative to its node at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tip {
    /// Where it is.
    pub point: Vec3,
    /// The mean of the normals around it.
    pub normal: Vec3,
    /// Cosine of the angle to `normal` within which it can touch a surface: half a right angle on a face, more at an edge or
    /// a corner. What a face meets at a steeper angle is an edge or a corner, whose own tip knows the direction better.
    pub cone: f32,
    /// The cap of a ball that the surface around it is like, if it is.
    pub cap: Option<Cap>,
}

/// Where a body begins, node by node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Border {
    /// The facets of each node.
    facets: Lists<Facet>,
    /// The directed areas of each node's surface; nodes inside have none.
    areas: Lists<Vec3>,
    /// The tips of each node; nodes inside have none.
    tips: Lists<Tip>,
    /// How many nodes, the first ones, are in cells; all of them if none is.
    leading: usize,
    /// Whether the surface around each node turns inward.
    hollow: Vec<bool>,
    /// How far along the surface each node speaks for it, in metres.
    spans: Vec<f32>,
    /// The nodes with tips.
    pub outer: Vec<u32>,
    /// How far each of them is from surface of the same body that faces it, in metres; infinite if there is none near. Made when
    /// it is first asked for.
    gaps: OnceLock<Vec<f32>>,
    /// The farthest that a cap is from its node; none if no tip has one.
    pub cap_reach: Option<f32>,
    /// The largest of the spans.
    pub span: f32,
    /// The farthest that a tip is from its node.
    pub reach: f32,
    /// How deep the deepest node is.
    pub depth: f32,
    /// It encloses nothing: both sides of it are out, at this distance.
    pub sheet: Option<f32>,
}

/// A border that is made when it is first asked for, and never copied with the shape it is of: that may be about to change.
#[derive(Debug, Default)]
pub struct LazyBorder {
    border: OnceLock<Arc<Border>>,
    /// The outer surface of a mesh whose shells overlap, and which mesh: nodes change more often than that.
    outer: OnceLock<(Arc<TriMesh>, Option<Arc<OuterSurface>>)>,
    /// What it was before some of the nodes changed.
    before: Option<Before>,
}

impl Clone for LazyBorder {
    fn clone(&self) -> Self {
        Self { border: OnceLock::new(), outer: self.outer.clone(), before: None }
    }
}

impl LazyBorder {
    /// The border of a rest shape.
    pub fn of(&self, rest: &BodyRest, model: &Model) -> &Arc<Border> {
        let (outer, before) = (|| self.outer(rest), self.before.as_ref());
        self.border.get_or_init(|| Arc::new(Border::new(rest, model, outer().as_deref(), before)))
    }

    /// That of the same mesh with other nodes: those that `kept` says have stayed, and others. `was` and `now` say which nodes carry
    /// the mesh.
    pub(super) fn renewed(&self, kept: &Correspondence, was: &Binding, now: &Binding) -> Self {
        let before = self.border.get().map(|border| Before::new(border.clone(), kept, was, now));
        Self { before, ..self.clone() }
    }

    /// The outer surface of the mesh, if shells of it overlap. What was made by a cut has none that do.
    pub(crate) fn outer(&self, rest: &BodyRest) -> Option<Arc<OuterSurface>> {
        if rest.cut.is_some() {
            return None;
        }
        let make = || OuterSurface::new(&weld_as_needed(&rest.mesh, WELD_TOLERANCE)).map(Arc::new);
        let (mesh, outer) = self.outer.get_or_init(|| (rest.mesh.clone(), make()));
        if Arc::ptr_eq(mesh, &rest.mesh) { outer.clone() } else { make() }
    }
}

/// Sizes that a node which is in no cell may be outside of the surface and still touch.
const OUTSIDE: f32 = 0.05;

/// Spans of a body's radius from which on its nodes are few.
const COARSE: f32 = 0.5;

impl Border {
    /// The border of a rest shape; what is the same as before is taken over.
    fn new(rest: &BodyRest, model: &Model, outer: Option<&OuterSurface>, before: Option<&Before>) -> Self {
        if let Some(cells) = model.cells(&rest.nodes) {
            let (leading, all) = (cells.count(), rest.nodes.masses.len());
            let mut gathered = Gathered::of_cells(&*cells, all, before);
            let finest = cells.material().0.filling.cell;
            let home = |point: Vec3, normal: Vec3| cells.holding(point - normal * (0.1 * finest));
            gathered.gather(rest, outer, finest, &rest.binding.homes, home);
            let is_of_cell = |node: u32| (node as usize) < leading;
            let joined = |node: u32, found: &mut Vec<u32>| {
                found.clear();
                if is_of_cell(node) {
                    cells.joined(node, found);
                }
                model.beside(node, found);
            };
            let size = |node: u32| if is_of_cell(node) { cells.size(node) } else { finest };
            return Self::of_gathered(&gathered, rest, Some(leading), joined, size);
        }
        let nodes = &rest.nodes.rest_positions;
        let homes: Vec<u32> = (0..rest.binding.len()).map(|v| rest.binding.bonds()[v].nodes[0]).collect();
        let grid = PointGrid::fitting(nodes);
        let spacing = spacing(rest, &homes);
        let mut found = Vec::new();
        let mut gathered = Gathered::new(nodes.len());
        gathered.gather(rest, outer, spacing, &homes, |point, _| {
            grid.k_nearest(point, 1, &mut found);
            found.first().map(|nearest| nearest.0)
        });
        let joined = |node: u32, joined: &mut Vec<u32>| {
            let mut near = Vec::new();
            grid.k_nearest(nodes[node as usize], 9, &mut near);
            joined.clear();
            joined.extend(near.iter().map(|n| n.0).filter(|&other| other != node));
        };
        Self::of_gathered(&gathered, rest, None, joined, |_| spacing)
    }

    /// The border of what was gathered, for nodes of the given sizes that are joined as `joined` says. `leading` tells how many of them,
    /// the first ones, are in cells.
    fn of_gathered(
        gathered: &Gathered,
        rest: &BodyRest,
        leading: Option<usize>,
        mut joined: impl FnMut(u32, &mut Vec<u32>),
        size: impl Fn(u32) -> f32,
    ) -> Self {
        let cells = leading.is_some();
        let sheet = (!cells && is_open(rest)).then_some(0.0);
        let mut facets = gathered.facets();
        let mut border = Self { sheet, areas: gathered.areas(), ..Self::default() };
        for (node, facets) in facets.iter().enumerate() {
            let concave = hollow(facets, size(node as u32));
            border.hollow.push(concave);
            let size = size(node as u32);
            border.spans.push(if cells { size } else { size.max(1.1 * gathered.extents[node]) });
            let most = 0.9 * border.spans[node];
            let mut tips = tips(facets, concave, cells.then_some(size));
            // Few nodes have few corners, and two boxes on each other may have none on the other's face.
            if facets.len() > 1 && !concave && border.spans[node] > COARSE * rest.nodes.radius {
                tips.extend(facets.iter().map(Tip::of_face));
            }
            let within = |tip: Tip| Tip { point: tip.point.clamp_length_max(most), ..tip };
            border.tips.push(tips.into_iter().map(within));
            if !facets.is_empty() {
                border.outer.push(node as u32);
            }
        }
        if cells {
            // Beyond a smaller cell there may be an edge that only that one knows of.
            let mut found = Vec::new();
            for &node in &border.outer {
                joined(node, &mut found);
                let least = found.iter().map(|&other| size(other)).fold(size(node), f32::min);
                border.spans[node as usize] = 0.5 * (size(node) + least);
            }
        } else {
            border.find_caps(gathered, &rest.nodes.rest_positions, &mut joined);
        }
        border.depth = flood(&mut facets, &rest.nodes.rest_positions, joined);
        border.leading = leading.unwrap_or(facets.len());
        for (node, facets) in (0..).zip(&mut facets).skip(border.leading) {
            let outside = |facet: &Facet| facet.point.dot(facet.normal) < -OUTSIDE * size(node);
            if facets.iter().any(outside) {
                facets.clear();
            }
        }
        border.facets = facets.into_iter().collect();
        border.span = border.spans.iter().copied().fold(0.0, f32::max);
        border.reach = border.tips.items.iter().map(|tip| tip.point.length()).fold(0.0, f32::max);
        if border.sheet.is_some() {
            border.sheet = Some(0.25 * border.span);
            border.depth = 0.0;
        }
        border
    }

    /// How many facets and how many tips all nodes have together.
    pub fn counts(&self) -> [usize; 2] {
        [self.facets.items.len(), self.tips.items.len()]
    }

    /// Whether a node touches others: not if it is a corner of cells that is outside of the material.
    pub fn touches(&self, node: u32) -> bool {
        (node as usize) < self.leading || !self.facets(node).is_empty()
    }

    /// The facets of a node.
    pub fn facets(&self, node: u32) -> &[Facet] {
        self.facets.of(node as usize)
    }

    /// How much surface a node has which way: areas in m² along their normals at rest, summed where normals differ little, so there
    /// are 26 at most. None if it is inside.
    pub fn areas(&self, node: u32) -> &[Vec3] {
        self.areas.of(node as usize)
    }

    /// The tips of a node; none if it is inside.
    pub fn tips(&self, node: u32) -> &[Tip] {
        self.tips.of(node as usize)
    }

    /// m² of surface that a node has to one side, the mean of its facets, at rest; 0 if it is inside.
    pub fn area(&self, node: u32) -> f32 {
        let sum: f32 = self.areas(node).iter().map(|area| area.length()).sum();
        sum / self.facets(node).len().max(1) as f32
    }

    /// How far along the surface a node speaks for it, in metres.
    pub fn span(&self, node: u32) -> f32 {
        self.spans[node as usize]
    }
}
