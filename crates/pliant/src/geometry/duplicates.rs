//! Triangles that name the same three places.
//!
//! Of several that face one way, the first is kept. Pairs that face opposite ways are either the wall between two
//! solids, which goes, or a sheet drawn from both sides, of which one side is kept. A patch of such pairs is a wall
//! when at each edge of its rim two other triangles meet, so that the surface is whole without it.

use super::disjoint_sets::DisjointSets;
use super::edges::EdgeTable;

/// Which triangles to keep, and how many of the others were walls.
pub(super) fn keep_one_of_each(triangles: &[[u32; 3]]) -> (Vec<bool>, usize) {
    let mut keyed: Vec<([u32; 3], u32)> = triangles
        .iter()
        .enumerate()
        .map(|(t, corners)| {
            let mut key = *corners;
            key.sort_unstable();
            (key, t as u32)
        })
        .collect();
    keyed.sort_unstable();
    let mut keep = vec![false; triangles.len()];
    // The first triangle of each kind, and whether others of its kind face the other way.
    let mut firsts: Vec<u32> = Vec::new();
    let mut two_faced: Vec<bool> = Vec::new();
    for kind in keyed.chunk_by(|a, b| a.0 == b.0) {
        let first = kind[0].1;
        let way = is_even(triangles[first as usize]);
        keep[first as usize] = true;
        firsts.push(first);
        two_faced.push(kind.iter().any(|&(_, t)| is_even(triangles[t as usize]) != way));
    }
    if !two_faced.contains(&true) {
        return (keep, 0);
    }
    let mut walls = 0;
    for (first, wall) in firsts.iter().zip(find_walls(triangles, &firsts, &two_faced)) {
        if wall {
            keep[*first as usize] = false;
            walls += 1;
        }
    }
    (keep, walls)
}

/// For each kind of triangle whether it belongs to a wall.
fn find_walls(triangles: &[[u32; 3]], firsts: &[u32], two_faced: &[bool]) -> Vec<bool> {
    let kinds: Vec<[u32; 3]> = firsts.iter().map(|&t| triangles[t as usize]).collect();
    let edges = EdgeTable::new(&kinds);
    let mut patches = DisjointSets::new(kinds.len());
    let mut has_rim = vec![false; kinds.len()];
    let mut needed = vec![false; kinds.len()];
    for edge in &edges.edges {
        let uses = edges.uses_of(edge);
        let mut paired = uses.iter().map(|u| u.triangle).filter(|&t| two_faced[t as usize]);
        let Some(first) = paired.next() else { continue };
        let mut count = 1;
        for other in paired {
            patches.join(first, other);
            count += 1;
        }
        if count == 1 {
            has_rim[first as usize] = true;
            needed[first as usize] |= uses.len() - 1 < 2;
        }
    }
    let (mut patch_has_rim, mut patch_needed) = (vec![false; kinds.len()], vec![false; kinds.len()]);
    for kind in 0..kinds.len() {
        let patch = patches.find(kind as u32) as usize;
        patch_has_rim[patch] |= has_rim[kind];
        patch_needed[patch] |= needed[kind];
    }
    (0..kinds.len())
        .map(|kind| {
            let patch = patches.find(kind as u32) as usize;
            two_faced[kind] && patch_has_rim[patch] && !patch_needed[patch]
        })
        .collect()
}

/// Whether the corners are an even permutation of their ascending order.
fn is_even([a, b, c]: [u32; 3]) -> bool {
    (a < b) ^ (b < c) ^ (a < c)
}
