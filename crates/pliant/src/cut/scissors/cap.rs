//! Triangles over a section.
//!
//! Outlines whose bounding boxes meet are triangulated together, so that holes stay open: a constrained Delaunay
//! triangulation, of which the triangles remain that the outline winds around. Where that fails because outlines of
//! a body that overlaps itself cross, each outline is triangulated alone; and one that crosses itself becomes a fan.
//! The rim's edges are never divided, so whichever it is, the caps fit the skin.

use super::Origin;
use super::fill;
use super::half::Cap;
use super::relax;
use super::rim::Rim;
use super::section::{PlanePoint, Section};
use crate::geometry::DisjointSets;
use glam::DVec2;
use rustc_hash::{FxHashMap, FxHashSet};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// Coordinates in units of the section that are smaller than this are zero; the triangulation refuses tiny ones.
const TINY: f64 = 1e-30;

/// A triangulated part of a section.
struct Patch {
    /// The rim's places.
    places: Vec<u32>,
    /// The rim's points, then those inside.
    flat: Vec<DVec2>,
    /// Over the points, counter-clockwise seen from the front.
    triangles: Vec<[u32; 3]>,
}

/// Fills the rim's loops.
pub(super) fn cap(rim: &Rim, section: &mut Section, spacing: f32) -> Cap {
    let mut cap = Cap::default();
    for group in groups(rim, section) {
        if let Some(patch) = triangulate(&group, section, spacing, 0) {
            add(&patch, section, &mut cap);
            continue;
        }
        for (layer, outline) in group.into_iter().enumerate() {
            let patch =
                triangulate(&[outline], section, spacing, layer).unwrap_or_else(|| fan(outline, section));
            add(&patch, section, &mut cap);
        }
    }
    cap
}

/// Loops whose bounding boxes meet, in order of their first loops.
fn groups<'r>(rim: &'r Rim, section: &Section) -> Vec<Vec<&'r [u32]>> {
    let bounds = |outline: &Vec<u32>| {
        let points = outline.iter().map(|&place| section.flat(place));
        points.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(lo, hi), p| (lo.min(p), hi.max(p)))
    };
    let boxes: Vec<(DVec2, DVec2)> = rim.iter().map(bounds).collect();
    let mut by_left: Vec<u32> = (0..rim.len() as u32).collect();
    by_left.sort_by(|&a, &b| boxes[a as usize].0.x.total_cmp(&boxes[b as usize].0.x).then(a.cmp(&b)));
    let mut sets = DisjointSets::new(rim.len());
    for (at, &a) in by_left.iter().enumerate() {
        let (low, high) = boxes[a as usize];
        for &b in &by_left[at + 1..] {
            let (other_low, other_high) = boxes[b as usize];
            if other_low.x > high.x {
                break;
            }
            if other_low.y <= high.y && low.y <= other_high.y {
                sets.join(a, b);
            }
        }
    }
    let parts = sets.components();
    let mut groups = vec![Vec::new(); parts.count];
    for (outline, &part) in rim.iter().zip(&parts.of_member) {
        groups[part as usize].push(outline.as_slice());
    }
    groups
}

/// Triangulates what some loops wind around, once; `None` if they cross, touch in a wrong way, or wind twice around
/// something.
fn triangulate(loops: &[&[u32]], section: &Section, spacing: f32, layer: usize) -> Option<Patch> {
    let mut local: FxHashMap<u32, u32> = FxHashMap::default();
    let mut places: Vec<u32> = Vec::new();
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for outline in loops {
        let from = edges.len();
        for &place in *outline {
            let index = *local.entry(place).or_insert_with(|| {
                places.push(place);
                places.len() as u32 - 1
            });
            edges.push([index, index]);
        }
        let count = edges.len() - from;
        for i in 0..count {
            edges[from + i][1] = edges[from + (i + 1) % count][0];
        }
    }
    let mut flat: Vec<DVec2> = places.iter().map(|&place| section.flat(place)).collect();
    let ends: Vec<[DVec2; 2]> = edges.iter().map(|edge| edge.map(|v| flat[v as usize])).collect();
    flat.extend(fill::points(&ends, spacing as f64, layer));

    let mut triangulation = triangulation(&flat)?;
    let handle = spade::handles::FixedVertexHandle::from_index;
    for &[from, to] in &edges {
        // More than one edge means that a point lies on it.
        if triangulation.try_add_constraint(handle(from as usize), handle(to as usize)).len() != 1 {
            return None;
        }
    }
    if triangulation.num_constraints() != edges.len() {
        return None;
    }
    let triangles = inside(&triangulation, &edges)?;
    Some(Patch { places, flat, triangles })
}

type Mesh2 = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// The Delaunay triangulation of points that are all different.
fn triangulation(flat: &[DVec2]) -> Option<Mesh2> {
    let low = flat.iter().fold(DVec2::INFINITY, |low, p| low.min(*p));
    let high = flat.iter().fold(DVec2::NEG_INFINITY, |high, p| high.max(*p));
    let size = (high - low).max_element();
    if size.is_nan() || size <= 0.0 {
        return None;
    }
    let tidy = |x: f64| if x.abs() < TINY { 0.0 } else { x };
    let mut triangulation = Mesh2::new();
    for (index, point) in flat.iter().enumerate() {
        let scaled = (*point - low) / size;
        let vertex = triangulation.insert(Point2::new(tidy(scaled.x), tidy(scaled.y))).ok()?;
        if vertex.index() != index {
            return None;
        }
    }
    Some(triangulation)
}

/// The triangles around which the edges wind once, turned over where they wind the other way; `None` if it is not
/// the same way everywhere.
fn inside(triangulation: &Mesh2, edges: &[[u32; 2]]) -> Option<Vec<[u32; 3]>> {
    let directed: FxHashSet<[u32; 2]> = edges.iter().copied().collect();
    // How much more often the edges wind around what is left of an edge than around what is right of it.
    let step = |from: usize, to: usize| {
        let has = |edge: [u32; 2]| i32::from(directed.contains(&edge));
        has([from as u32, to as u32]) - has([to as u32, from as u32])
    };
    let mut winding: Vec<Option<i32>> = vec![None; triangulation.num_all_faces()];
    let mut reached = Vec::new();
    for edge in triangulation.directed_edges().filter(|edge| edge.is_outer_edge()) {
        reached.push((edge.rev().face().fix(), -step(edge.from().index(), edge.to().index())));
    }
    while let Some((face, times)) = reached.pop() {
        let Some(face) = triangulation.face(face).as_inner() else { continue };
        if winding[face.index()].is_some() {
            continue;
        }
        winding[face.index()] = Some(times);
        for edge in face.adjacent_edges() {
            reached.push((edge.rev().face().fix(), times - step(edge.from().index(), edge.to().index())));
        }
    }
    let mut triangles = Vec::new();
    let mut way = 0;
    for face in triangulation.inner_faces() {
        let times = winding[face.fix().index()].unwrap_or(0);
        if times == 0 {
            continue;
        }
        if times.abs() > 1 || way == -times {
            return None;
        }
        way = times;
        let [a, b, c] = face.vertices().map(|vertex| vertex.index() as u32);
        triangles.push(if times > 0 { [a, b, c] } else { [a, c, b] });
    }
    // A line has none, and still has to be closed.
    (!triangles.is_empty()).then_some(triangles)
}

/// A loop filled from its middle.
fn fan(outline: &[u32], section: &Section) -> Patch {
    let mut flat: Vec<DVec2> = outline.iter().map(|&place| section.flat(place)).collect();
    let count = flat.len() as u32;
    let triangles = if count == 3 {
        vec![[0, 1, 2]]
    } else {
        flat.push(flat.iter().sum::<DVec2>() / count as f64);
        (0..count).map(|i| [i, (i + 1) % count, count]).collect()
    };
    Patch { places: outline.to_vec(), flat, triangles }
}

/// Adds a patch to the cap and its inner points to the section.
fn add(patch: &Patch, section: &mut Section, cap: &mut Cap) {
    let displacement = |&place: &u32| section.point(place).rest - section.point(place).now;
    let known: Vec<_> = patch.places.iter().map(displacement).collect();
    let inner = relax::displacements(&patch.flat, &known, &patch.triangles);
    let mut places = patch.places.clone();
    for (&flat, displacement) in patch.flat[known.len()..].iter().zip(inner) {
        let now = section.lift(flat);
        // At rest exactly where it is now, if that is so for the whole body.
        let rest = if section.undeformed { now } else { now + displacement };
        places.push(section.add(PlanePoint { now, rest, origin: Origin::Cap }));
    }
    cap.triangles.extend(patch.triangles.iter().map(|t| t.map(|v| places[v as usize])));
}
