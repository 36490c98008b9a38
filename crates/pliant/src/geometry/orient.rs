//! Consistent winding: neighbours run along a shared edge in opposite directions.

use super::disjoint_sets::{Components, DisjointSets};
use super::edges::{EdgeTable, EdgeUse};
use super::lists::Lists;
use super::winding::WindingTree;
use glam::{DVec3, Vec3};

/// A part counts as enclosing a volume when that is above this share of area^1.5, which is 0.09 for a sphere; below
/// it is rounding.
pub(super) const LEAST_VOLUME: f64 = 1e-9;

/// What a flood fill across edges found.
#[derive(Debug)]
pub(super) struct Flood {
    /// Triangles that wind against the majority of their part; on a tie, against its first triangle.
    pub flipped: Vec<bool>,
    /// Parts that share edges.
    pub parts: Components,
    /// Edges where no choice of windings agrees, as on a Möbius strip.
    pub conflicts: usize,
}

/// The two sides at each edge that has two.
pub(super) fn manifold_pairs(edges: &EdgeTable) -> Vec<(EdgeUse, EdgeUse)> {
    let uses = edges.edges.iter().map(|edge| edges.uses_of(edge));
    uses.filter_map(|uses| if let [a, b] = uses { Some((*a, *b)) } else { None }).collect()
}

/// Decides for each triangle whether it must be flipped to agree with those it is paired with.
pub(super) fn flood(triangle_count: usize, pairs: &[(EdgeUse, EdgeUse)]) -> Flood {
    let both_ways = |(a, b): &(EdgeUse, EdgeUse)| {
        let against = a.forward == b.forward;
        [(a.triangle, (b.triangle, against)), (b.triangle, (a.triangle, against))]
    };
    let neighbours = Lists::from_pairs(triangle_count, pairs.iter().flat_map(both_ways));
    let mut sets = DisjointSets::new(triangle_count);
    pairs.iter().for_each(|(a, b)| sets.join(a.triangle, b.triangle));
    let mut sign: Vec<Option<bool>> = vec![None; triangle_count];
    let mut queue = Vec::new();
    for root in 0..triangle_count {
        if sign[root].is_some() {
            continue;
        }
        sign[root] = Some(false);
        queue.clear();
        queue.push(root as u32);
        let mut at = 0;
        let mut against_root = 0;
        while let Some(&t) = queue.get(at) {
            at += 1;
            let mine = sign[t as usize] == Some(true);
            against_root += usize::from(mine);
            for &(other, against) in neighbours.of(t as usize) {
                if sign[other as usize].is_none() {
                    sign[other as usize] = Some(mine != against);
                    queue.push(other);
                }
            }
        }
        if against_root * 2 > queue.len() {
            for &t in &queue {
                sign[t as usize] = sign[t as usize].map(|s| !s);
            }
        }
    }
    let flipped: Vec<bool> = sign.into_iter().map(|s| s == Some(true)).collect();
    let agrees = |a: &EdgeUse, b: &EdgeUse| {
        (a.forward == b.forward) == (flipped[a.triangle as usize] != flipped[b.triangle as usize])
    };
    let conflicts = pairs.iter().filter(|(a, b)| !agrees(a, b)).count();
    Flood { flipped, parts: sets.components(), conflicts }
}

/// A connected part of a surface.
#[derive(Clone, Debug)]
struct Part {
    triangles: Vec<[u32; 3]>,
    closed: bool,
    low: Vec3,
    high: Vec3,
    volume: f64,
    area: f64,
}

/// Adds to `flood` the flips that turn closed parts outward, and returns how many parts were turned.
///
/// A part inside another one is a cavity or a second solid; which of them, its winding relative to the part around
/// it says, and that is kept. A part inside a cavity is a solid.
pub(super) fn turn_outward(
    flood: &mut Flood,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    edges: &EdgeTable,
) -> usize {
    let parts = measure(flood, positions, triangles, edges);
    let solid = |p: &Part| p.closed && p.volume.abs() > LEAST_VOLUME * (p.area * p.area.sqrt());
    let mut trees: Vec<Option<WindingTree>> = vec![None; parts.len()];
    let mut turned = vec![false; parts.len()];
    let mut depth = vec![0_u32; parts.len()];
    // Large parts first, so that what is around a part is decided before it.
    let mut order: Vec<usize> = (0..parts.len()).filter(|&p| solid(&parts[p])).collect();
    let size = |p: usize| (parts[p].high - parts[p].low).length_squared();
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    for (rank, &inner) in order.iter().enumerate() {
        let part = &parts[inner];
        let point = positions[part.triangles[0][0] as usize];
        // The smallest part around this one; those around that one are around both.
        let mut around = None;
        for &outer in order[..rank].iter().rev() {
            let shell = &parts[outer];
            if shell.low.cmple(part.low).all() && shell.high.cmpge(part.high).all() {
                let tree = trees[outer].get_or_insert_with(|| WindingTree::new(positions, &shell.triangles));
                if tree.is_inside(point) {
                    around = Some(outer);
                    break;
                }
            }
        }
        depth[inner] = around.map_or(0, |outer| depth[outer] + 1);
        turned[inner] = match around {
            Some(outer) if depth[inner] % 2 == 1 => turned[outer],
            _ => part.volume < 0.0,
        };
    }
    for (flip, &part) in flood.flipped.iter_mut().zip(&flood.parts.of_member) {
        *flip ^= turned[part as usize];
    }
    turned.into_iter().filter(|&t| t).count()
}

/// The parts as they are after the flips that `flood` asks for.
fn measure(flood: &Flood, positions: &[Vec3], triangles: &[[u32; 3]], edges: &EdgeTable) -> Vec<Part> {
    let empty =
        Part { triangles: Vec::new(), closed: true, low: Vec3::MAX, high: Vec3::MIN, volume: 0.0, area: 0.0 };
    let mut parts = vec![empty; flood.parts.count];
    for (t, corners) in triangles.iter().enumerate() {
        let part = &mut parts[flood.parts.of_member[t] as usize];
        let [a, b, c] = *corners;
        part.triangles.push(if flood.flipped[t] { [a, c, b] } else { [a, b, c] });
        for &v in corners {
            part.low = part.low.min(positions[v as usize]);
            part.high = part.high.max(positions[v as usize]);
        }
    }
    for edge in edges.open() {
        let triangle = edges.uses_of(edge)[0].triangle;
        parts[flood.parts.of_member[triangle as usize] as usize].closed = false;
    }
    for part in &mut parts {
        let middle = (part.low.as_dvec3() + part.high.as_dvec3()) * 0.5;
        for t in &part.triangles {
            let [a, b, c]: [DVec3; 3] = t.map(|v| positions[v as usize].as_dvec3() - middle);
            part.volume += a.dot(b.cross(c)) / 6.0;
            part.area += (b - a).cross(c - a).length() * 0.5;
        }
    }
    parts
}
