//! The outline of a section: what the cut leaves open.

use super::ScissorsError;
use super::half::HalfBuilder;
use super::section::Section;
use rustc_hash::FxHashMap;

/// Loops of places in the plane that visit no place twice, counter-clockwise around solid seen from the front.
pub(super) type Rim = Vec<Vec<u32>>;

/// Sides that meet no opposite, as (lower, higher, how often more from low to high than back), sorted.
pub(super) fn net(sides: &[[u32; 2]]) -> Vec<(u32, u32, i32)> {
    let entry = |&[from, to]: &[u32; 2]| if from < to { (from, to, 1) } else { (to, from, -1) };
    let mut sorted: Vec<(u32, u32, i32)> =
        sides.iter().filter(|side| side[0] != side[1]).map(entry).collect();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
    let sums = runs.map(|run| (run[0].0, run[0].1, run.iter().map(|side| side.2).sum::<i32>()));
    sums.filter(|edge| edge.2 != 0).collect()
}

/// The loops that a cap has to fill, from the sides that both halves leave open in the plane.
pub(super) fn rim(halves: &[HalfBuilder<'_>; 2], section: &Section) -> Result<Rim, ScissorsError> {
    let [behind, front] = [net(&halves[0].sides), net(&halves[1].sides)];
    // Against the sides of what is behind, which the cap of that half has to meet.
    let mut edges: Vec<[u32; 2]> = Vec::with_capacity(behind.len());
    for &(low, high, times) in &behind {
        let edge = if times > 0 { [high, low] } else { [low, high] };
        edges.extend(std::iter::repeat_n(edge, times.unsigned_abs() as usize));
    }
    edges.sort_unstable();
    let mut degree: Vec<(u32, i32)> = edges.iter().flat_map(|&[from, to]| [(from, 1), (to, -1)]).collect();
    degree.sort_unstable();
    let ends: Vec<u32> = degree
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|at| at.iter().map(|entry| entry.1).sum::<i32>() != 0)
        .map(|at| at[0].0)
        .collect();
    let open = |places: usize, place: u32| ScissorsError::Open {
        ends: places,
        near: section.point(place).now.as_vec3(),
    };
    if let Some(&first) = ends.first() {
        return Err(open(ends.len(), first));
    }
    // An edge that only one half leaves open is a hole that was there before.
    let opposite = |(a, b): (&(u32, u32, i32), &(u32, u32, i32))| (a.0, a.1, a.2) == (b.0, b.1, -b.2);
    if behind.len() != front.len() || !behind.iter().zip(&front).all(opposite) {
        let place = behind.iter().chain(&front).map(|edge| edge.0).next().unwrap_or(0);
        return Err(open(behind.len().abs_diff(front.len()).max(1), place));
    }
    Ok(loops(&edges))
}

/// Follows directed edges, sorted, of which as many leave each place as enter it.
fn loops(edges: &[[u32; 2]]) -> Rim {
    let mut used = vec![false; edges.len()];
    let mut on_path: FxHashMap<u32, usize> = FxHashMap::default();
    let mut path: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    for start in 0..edges.len() {
        if used[start] {
            continue;
        }
        let mut at = edges[start][0];
        loop {
            if let Some(&place) = on_path.get(&at) {
                let closed = path.split_off(place);
                closed.iter().for_each(|place| {
                    on_path.remove(place);
                });
                found.push(closed);
            }
            let first = edges.partition_point(|edge| edge[0] < at);
            let leaving = edges[first..].iter().take_while(|edge| edge[0] == at).count();
            let Some(next) = (first..first + leaving).find(|&edge| !used[edge]) else { break };
            used[next] = true;
            on_path.insert(at, path.len());
            path.push(at);
            at = edges[next][1];
        }
        path.clear();
        on_path.clear();
    }
    found
}
