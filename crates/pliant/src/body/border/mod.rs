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

use super::BodyRest;
use crate::geometry::{EdgeTable, PointGrid, weld_as_needed};
use crate::math::functions::{acos, cos};
use crate::model::Model;
use glam::{Mat3, Vec3};
use std::sync::{Arc, OnceLock};

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
}

/// Where a body begins, node by node.
#[derive(Clone, Debug, Default)]
pub struct Border {
    /// Where the facets of each node begin; one more than there are nodes.
    facet_starts: Vec<u32>,
    facets: Vec<Facet>,
    /// Where the tips of each node begin; one more than there are nodes. Nodes inside have none.
    tip_starts: Vec<u32>,
    tips: Vec<Tip>,
    /// Whether the surface around each node turns inward.
    hollow: Vec<bool>,
    /// How far along the surface each node speaks for it, in metres.
    spans: Vec<f32>,
    /// The nodes with tips.
    pub outer: Vec<u32>,
    /// How far each of them is from surface of the same body that faces it, in metres; infinite if there is none near.
    gaps: Vec<f32>,
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
pub struct LazyBorder(OnceLock<Arc<Border>>);

impl Clone for LazyBorder {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl LazyBorder {
    /// The border of a rest shape.
    pub fn of(&self, rest: &BodyRest, model: &Model) -> &Arc<Border> {
        self.0.get_or_init(|| Arc::new(Border::new(rest, model)))
    }
}

/// Facets that a node may have: those of a cube.
const MOST_FACETS: usize = 6;
/// Cosine of the angle by which normals differ that are no longer one facet.
const ONE_FACET: f32 = 0.7;
/// Cosine beyond which two facets face away from each other and have no corner.
const NO_CORNER: f32 = -0.3;
/// Points that an edge of a large triangle is divided into at most.
const MOST_PARTS: f32 = 64.0;

/// Spans of a body's radius from which on its nodes are few.
const COARSE: f32 = 0.5;

impl Tip {
    /// In the middle of a face.
    fn of_face(facet: &Facet) -> Self {
        Self { point: facet.point, normal: facet.normal, cone: cos(LEAN) }
    }
}

/// Spans within which surface that faces a node is looked for: what is farther has to be bent that far to touch.
const GAP_SPANS: f32 = 3.0;

impl Border {
    /// The border of a rest shape.
    pub fn new(rest: &BodyRest, model: &Model) -> Self {
        if let Some(cells) = model.cells(&rest.nodes) {
            let mut making = Making::new(cells.count());
            let finest = cells.material().0.filling.cell;
            let home = |point: Vec3, normal: Vec3| cells.holding(point - normal * (0.1 * finest));
            making.gather(rest, finest, &rest.binding.homes, home);
            return making.finish(
                rest,
                true,
                |node, found| cells.joined(node, found),
                |node| cells.size(node),
            );
        }
        let nodes = &rest.nodes.rest_positions;
        let outer: Vec<u32> = (0..rest.binding.len()).map(|v| rest.binding.bonds()[v].nodes[0]).collect();
        let grid = PointGrid::fitting(nodes);
        let spacing = spacing(rest, &outer);
        let mut found = Vec::new();
        let mut making = Making::new(nodes.len());
        making.gather(rest, spacing, &outer, |point, _| {
            grid.k_nearest(point, 1, &mut found);
            found.first().map(|nearest| nearest.0)
        });
        let joined = |node: u32, joined: &mut Vec<u32>| {
            let mut near = Vec::new();
            grid.k_nearest(nodes[node as usize], 9, &mut near);
            joined.clear();
            joined.extend(near.iter().map(|n| n.0).filter(|&other| other != node));
        };
        making.finish(rest, false, joined, |_| spacing)
    }

    /// The facets of a node.
    pub fn facets(&self, node: u32) -> &[Facet] {
        let node = node as usize;
        &self.facets[self.facet_starts[node] as usize..self.facet_starts[node + 1] as usize]
    }

    /// The tips of a node; none if it is inside.
    pub fn tips(&self, node: u32) -> &[Tip] {
        let node = node as usize;
        &self.tips[self.tip_starts[node] as usize..self.tip_starts[node + 1] as usize]
    }

    /// How far along the surface a node speaks for it, in metres.
    pub fn span(&self, node: u32) -> f32 {
        self.spans[node as usize]
    }

    /// Surface nodes with the distance to surface that faces them.
    pub fn gaps(&self) -> impl Iterator<Item = (u32, f32)> + '_ {
        self.outer.iter().copied().zip(self.gaps.iter().copied())
    }

    /// How far to look for surface that faces a node.
    pub fn gap_limit(&self) -> f32 {
        GAP_SPANS * self.span
    }

    fn find_gaps(&mut self, places: &[Vec3]) {
        let outer: Vec<Vec3> = self.outer.iter().map(|&node| places[node as usize]).collect();
        let grid = PointGrid::new(&outer, self.gap_limit());
        let faces =
            |a: &Tip, b: &Tip, way: Vec3| a.normal.dot(b.normal) < NO_CORNER && way.dot(a.normal) > 0.0;
        let gap = |(&node, &at): (&u32, &Vec3)| {
            let mut least = f32::INFINITY;
            grid.within(at, self.gap_limit(), |index, distance2| {
                let other = self.outer[index as usize];
                // The tips, not the nodes: across a cut they are in one place.
                let of = |a: &Tip| self.tips(other).iter().any(|b| faces(a, b, outer[index as usize] - at));
                if other != node && distance2 < least && self.tips(node).iter().any(of) {
                    least = distance2;
                }
            });
            least.sqrt()
        };
        self.gaps = self.outer.iter().zip(&outer).map(gap).collect();
    }

    /// How far a point is outside of a node's facets (negative inside) and which facet says so, given the facets as they are
    /// now. The material is where all of them have it below, or, where it turns inward, what the nearest of them says.
    pub fn distance(&self, node: u32, point: Vec3, now: &[Facet]) -> Option<(f32, Facet)> {
        let all = now.iter().map(|facet| ((point - facet.point).dot(facet.normal), *facet));
        if self.hollow[node as usize] {
            let away = |facet: &Facet| facet.point.distance_squared(point);
            all.min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b)))
        } else {
            all.max_by(|a, b| a.0.total_cmp(&b.0))
        }
    }

    /// As [`distance`](Self::distance), for a tip that looks `way` and can touch what is within `cone` of it: where it is
    /// inside, the facet is the one through which it gets out soonest by going back. Beside an edge that is not the nearest one,
    /// which would push it sideways. A tip that looks no way takes the nearest.
    ///
    /// The last number, from 0 to 1, is how much it is so: contacts that begin and end all at once make what rests on them
    /// tremble.
    pub fn distance_facing(
        &self,
        node: u32,
        (point, way, cone): (Vec3, Vec3, f32),
        now: &[Facet],
    ) -> Option<(f32, Facet, f32)> {
        if way == Vec3::ZERO {
            return self.distance(node, point, now).map(|(distance, facet)| (distance, facet, 1.0));
        }
        let clear = |facing: f32| ((facing - cone) / CLEARLY).min(1.0);
        if self.hollow[node as usize] {
            let (distance, facet) = self.distance(node, point, now)?;
            let facing = -facet.normal.dot(way);
            return (facing > cone).then(|| (distance, facet, clear(facing)));
        }
        let beside = BESIDE * self.spans[node as usize];
        let mut best = (f32::INFINITY, None);
        let mut on = 1.0_f32;
        // What is deep inside must get out, whichever way it looks.
        let outside = |facet: &Facet| (point - facet.point).dot(facet.normal);
        let out = now.iter().map(outside).fold(f32::NEG_INFINITY, f32::max);
        let cone = (cone + out.min(0.0) / self.spans[node as usize]).max(LEAST_CONE.min(cone));
        let clear = |facing: f32| ((facing - cone) / CLEARLY).min(1.0);
        for facet in now {
            let distance = (point - facet.point).dot(facet.normal);
            let facing = -facet.normal.dot(way);
            if facing > cone {
                let back = -distance / facing.max(FACING);
                if back < best.0 {
                    best = (back, Some((distance, *facet, clear(facing))));
                }
            } else {
                on = on.min(1.0 - distance / beside);
            }
        }
        let (distance, facet, clear) = best.1.filter(|_| on > 0.0)?;
        Some((distance, facet, clear * on.min(1.0)))
    }
}

/// Cosines beyond the cone from which on a tip clearly faces a facet.
const CLEARLY: f32 = 0.2;

/// The least cosine at which a tip and a facet face each other.
const FACING: f32 = 0.05;
/// And at any depth.
const LEAST_CONE: f32 = -0.2;
/// By how much more than its own normals a tip can turn to what it touches, in radians.
const LEAN: f32 = std::f32::consts::FRAC_PI_4;
/// Spans that a tip may be beside a facet's edge and still be on it: bodies of equal size stand on each other edge on edge.
const BESIDE: f32 = 0.05;

/// Whether a mesh encloses nothing. One with a few holes still does.
fn is_open(rest: &BodyRest) -> bool {
    let welded = weld_as_needed(&rest.mesh, 1e-6);
    let edges = EdgeTable::new(&welded.triangles);
    edges.open().count() as f32 > 0.25 * (welded.triangles.len() as f32).sqrt()
}

/// How far apart the surface nodes of particles are.
fn spacing(rest: &BodyRest, outer: &[u32]) -> f32 {
    let area_of = |t: usize| {
        let [a, b, c] = rest.mesh.corners(t);
        0.5 * f64::from((b - a).cross(c - a).length())
    };
    let area: f64 = (0..rest.mesh.triangles.len()).map(area_of).sum();
    let mut nodes = outer.to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    (area / nodes.len().max(1) as f64).sqrt() as f32
}

/// A piece of surface of one node: Σ area, Σ area point, Σ area normal.
#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    area: f32,
    point: Vec3,
    normal: Vec3,
}

struct Making {
    pieces: Vec<Vec<Piece>>,
    /// How far the surface of each node goes from it.
    extents: Vec<f32>,
}

impl Making {
    fn new(count: usize) -> Self {
        Self { pieces: vec![Vec::new(); count], extents: vec![0.0; count] }
    }

    /// Takes the mesh apart into points no farther apart than `spacing` and gives each to the node it belongs to: that of the
    /// vertices where triangles are small, and where `home` says in large ones.
    fn gather(
        &mut self,
        rest: &BodyRest,
        spacing: f32,
        homes: &[u32],
        mut home: impl FnMut(Vec3, Vec3) -> Option<u32>,
    ) {
        let mesh = &rest.mesh;
        let nodes = &rest.nodes.rest_positions;
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|v| mesh.positions[v as usize]);
            let across = (b - a).cross(c - a);
            // A mesh may be wound the other way round.
            let Some(normal) = (across * rest.volume.signum() as f32).try_normalize() else { continue };
            let area = 0.5 * across.length();
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            // Triangles of a cut are as small as cells, and only their vertices know on which side of it they are.
            let parts = if rest.cut.is_some() { 1.0 } else { (longest / (0.6 * spacing)).ceil() };
            let parts = parts.clamp(1.0, MOST_PARTS) as u32;
            if parts <= 1 {
                for (&vertex, at) in triangle.iter().zip([a, b, c]) {
                    // Toward the middle, so that an edge's vertices do not pull the mean of a face to the edge.
                    let point = at.lerp((a + b + c) / 3.0, 0.5);
                    self.add(homes.get(vertex as usize).copied(), nodes, point, normal, area / 3.0);
                }
                continue;
            }
            let share = area / (parts * parts) as f32;
            let n = parts as f32;
            let at = |i: f32, j: f32| a + (b - a) * (i / n) + (c - a) * (j / n);
            for i in 0..parts {
                for j in 0..parts - i {
                    let (i, j) = (i as f32, j as f32);
                    let mut point = at(i + 1.0 / 3.0, j + 1.0 / 3.0);
                    self.add(home(point, normal), nodes, point, normal, share);
                    if i + j + 1.5 < n {
                        point = at(i + 2.0 / 3.0, j + 2.0 / 3.0);
                        self.add(home(point, normal), nodes, point, normal, share);
                    }
                }
            }
        }
    }

    fn add(&mut self, home: Option<u32>, nodes: &[Vec3], point: Vec3, normal: Vec3, area: f32) {
        let Some(node) = home.map(|node| node as usize).filter(|&node| node < nodes.len()) else { return };
        let offset = point - nodes[node];
        self.extents[node] = self.extents[node].max(offset.length());
        let pieces = &mut self.pieces[node];
        let likeness = |piece: &Piece| piece.normal.normalize_or_zero().dot(normal);
        let like = (0..pieces.len()).max_by(|&p, &q| likeness(&pieces[p]).total_cmp(&likeness(&pieces[q])));
        let full = pieces.len() == MOST_FACETS;
        match like.filter(|&piece| full || likeness(&pieces[piece]) > ONE_FACET) {
            Some(piece) => {
                let piece = &mut pieces[piece];
                piece.area += area;
                piece.point += area * offset;
                piece.normal += area * normal;
            }
            None => pieces.push(Piece { area, point: area * offset, normal: area * normal }),
        }
    }

    fn finish(
        self,
        rest: &BodyRest,
        cells: bool,
        mut joined: impl FnMut(u32, &mut Vec<u32>),
        size: impl Fn(u32) -> f32,
    ) -> Border {
        let count = self.pieces.len();
        let sheet = (!cells && is_open(rest)).then_some(0.0);
        let facet = |piece: &Piece| {
            let normal = piece.normal.try_normalize()?;
            Some(Facet { point: piece.point / piece.area, normal })
        };
        let mut facets: Vec<Vec<Facet>> =
            self.pieces.iter().map(|pieces| pieces.iter().filter_map(facet).collect()).collect();
        let mut border = Border { sheet, ..Border::default() };
        border.tip_starts.push(0);
        for (node, facets) in facets.iter().enumerate() {
            let concave = hollow(facets, size(node as u32));
            border.hollow.push(concave);
            let size = size(node as u32);
            border.spans.push(if cells { size } else { size.max(1.1 * self.extents[node]) });
            let most = 0.9 * border.spans[node];
            let mut tips = tips(facets, concave, cells.then_some(size));
            // Few nodes have few corners, and two boxes on each other may have none on the other's face.
            if facets.len() > 1 && !concave && border.spans[node] > COARSE * rest.nodes.radius {
                tips.extend(facets.iter().map(Tip::of_face));
            }
            let within = |tip: Tip| Tip { point: tip.point.clamp_length_max(most), ..tip };
            border.tips.extend(tips.into_iter().map(within));
            border.tip_starts.push(border.tips.len() as u32);
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
        }
        border.depth = flood(&mut facets, &rest.nodes.rest_positions, joined);
        border.facet_starts.push(0);
        for facets in &facets {
            border.facets.extend(facets);
            border.facet_starts.push(border.facets.len() as u32);
        }
        border.span = border.spans.iter().copied().fold(0.0, f32::max);
        border.reach = border.tips.iter().map(|tip| tip.point.length()).fold(0.0, f32::max);
        if border.sheet.is_some() {
            border.sheet = Some(0.25 * border.span);
            border.depth = 0.0;
        }
        debug_assert_eq!(border.hollow.len(), count);
        border.find_gaps(&rest.nodes.rest_positions);
        border
    }
}

/// Whether the surface around a node turns inward somewhere.
fn hollow(facets: &[Facet], size: f32) -> bool {
    let above = |a: &Facet, b: &Facet| (b.point - a.point).dot(a.normal) > 0.05 * size;
    facets.iter().any(|a| facets.iter().any(|b| above(a, b) && a.normal.dot(b.normal) > NO_CORNER))
}

/// The points where facets meet: one for each largest set of facets of which no two face away from each other.
fn tips(facets: &[Facet], hollow: bool, cell: Option<f32>) -> Vec<Tip> {
    if hollow {
        return facets.iter().map(Tip::of_face).collect();
    }
    let count = facets.len();
    let meet = |a: usize, b: usize| facets[a].normal.dot(facets[b].normal) > NO_CORNER;
    let is_set = |set: usize| {
        let members = |set: usize| (0..count).filter(move |k| set >> k & 1 == 1);
        members(set).all(|a| members(set).all(|b| a == b || meet(a, b)))
    };
    let mut sets: Vec<usize> = (1..1_usize << count).filter(|&set| is_set(set)).collect();
    let all = sets.clone();
    sets.retain(|&set| !all.iter().any(|&other| other != set && other & set == set));
    let tip = |set: usize| {
        let members = || (0..count).filter(move |k| set >> k & 1 == 1).map(|k| &facets[k]);
        let normal = members().map(|facet| facet.normal).sum::<Vec3>().normalize_or_zero();
        let mean = members().map(|facet| facet.point).sum::<Vec3>() / members().count() as f32;
        // On all of them, and no farther from their mean than that needs.
        let (mut matrix, mut right) = (Mat3::IDENTITY * 1e-3, Vec3::ZERO);
        for facet in members() {
            let n = facet.normal;
            matrix += Mat3::from_cols(n * n.x, n * n.y, n * n.z);
            right += n * n.dot(facet.point - mean);
        }
        let widest =
            acos(members().map(|facet| facet.normal.dot(normal)).fold(1.0, f32::min).clamp(-1.0, 1.0));
        let cone = cos(widest + LEAN).max(FACING);
        Tip { point: mean + matrix.inverse() * right, normal, cone }
    };
    let mut found: Vec<Tip> = sets.iter().map(|&set| tip(set)).collect();
    // Two edges that cross meet anywhere along them: there are tips beside a corner too, and half-way to the next node.
    let Some(size) = cell else { return found };
    for edge in all.iter().copied().filter(|edge| edge.count_ones() == 2) {
        let [a, b] = [edge.trailing_zeros(), usize::BITS - 1 - edge.leading_zeros()]
            .map(|k| facets[k as usize].normal);
        let tip = tip(edge);
        let along = a.cross(b).normalize_or_zero();
        let corner: usize = sets.iter().filter(|&&set| set & edge == edge).fold(0, |all, set| all | set);
        let beyond = |k: usize| (corner & !edge) >> k & 1 == 1 && facets[k].normal.dot(along) > 0.0;
        if corner != edge {
            found.push(tip);
        }
        if !(0..count).any(beyond) {
            found.push(Tip { point: tip.point + along * (0.5 * size), ..tip });
        }
    }
    found
}

/// Gives nodes without a facet that of the joined node whose surface is nearest, from the surface inward; returns how deep the
/// deepest node is.
fn flood(facets: &mut [Vec<Facet>], places: &[Vec3], mut joined: impl FnMut(u32, &mut Vec<u32>)) -> f32 {
    let depth_of = |facet: &Facet| facet.point.dot(facet.normal);
    let least = |facets: &[Facet]| facets.iter().map(depth_of).fold(f32::INFINITY, f32::min).max(0.0);
    let mut deepest = facets.iter().filter(|of| !of.is_empty()).map(|of| least(of)).fold(0.0, f32::max);
    let mut layer: Vec<u32> =
        (0..facets.len() as u32).filter(|&node| !facets[node as usize].is_empty()).collect();
    let mut found = Vec::new();
    let mut best: Vec<Option<Facet>> = vec![None; facets.len()];
    while !layer.is_empty() && layer.len() < facets.len() {
        let mut next = Vec::new();
        for &node in &layer {
            joined(node, &mut found);
            for &other in found.iter().filter(|&&other| facets[other as usize].is_empty()) {
                let away = places[other as usize] - places[node as usize];
                for facet in &facets[node as usize] {
                    let facet = Facet { point: facet.point - away, ..*facet };
                    let best = &mut best[other as usize];
                    if best.is_none() {
                        next.push(other);
                    }
                    if best.is_none_or(|best| depth_of(&facet) < depth_of(&best)) {
                        *best = Some(facet);
                    }
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        for &node in &next {
            let facet = best[node as usize].unwrap_or_default();
            deepest = deepest.max(depth_of(&facet));
            facets[node as usize].push(facet);
        }
        layer = next;
    }
    deepest
}
