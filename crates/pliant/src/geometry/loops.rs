//! Loops of open edges.
//!
//! Where several holes meet at a vertex there are several ways on. A fan of triangles around the vertex has a hole on
//! either side, so the way on from the last side of one fan is the first side of another one.

use super::edges::EdgeTable;
use rustc_hash::FxHashMap;

/// See [`EdgeTable::boundary_loops`].
pub(super) fn boundary_loops(edges: &EdgeTable) -> Vec<Vec<u32>> {
    let open: Vec<(u32, u32)> = edges.open().map(|edge| edges.direction(edge)).collect();
    if open.is_empty() {
        return Vec::new();
    }
    // Each open edge at its start and at its end, starts first.
    let mut incident: Vec<(u32, bool, u32)> = Vec::with_capacity(2 * open.len());
    for (index, &(from, to)) in open.iter().enumerate() {
        incident.push((from, false, index as u32));
        incident.push((to, true, index as u32));
    }
    incident.sort_unstable();
    let mut walk = Walk {
        same_fan: same_fan(edges, &open, &incident),
        used_up: vec![0; incident.len()],
        incident,
        used: vec![false; open.len()],
        on_path: FxHashMap::default(),
        path: Vec::new(),
        loops: Vec::new(),
        open,
    };
    for start in 0..walk.open.len() {
        walk.start_at(start);
    }
    walk.loops
}

struct Walk {
    /// Ends of each open edge, in its direction.
    open: Vec<(u32, u32)>,
    /// (vertex, whether the edge ends there, edge), sorted.
    incident: Vec<(u32, bool, u32)>,
    /// For an open edge the one on which its fan of triangles ends, where there is a choice.
    same_fan: Vec<Option<u32>>,
    /// At the first entry of each vertex in `incident`: how many of its entries are known to be used.
    used_up: Vec<u32>,
    used: Vec<bool>,
    /// Vertex → place in `path`.
    on_path: FxHashMap<u32, usize>,
    path: Vec<u32>,
    loops: Vec<Vec<u32>>,
}

impl Walk {
    fn start_at(&mut self, start: usize) {
        if self.used[start] {
            return;
        }
        self.used[start] = true;
        let (from, to) = self.open[start];
        self.path.push(from);
        self.on_path.insert(from, 0);
        let (mut at, mut arrived) = (to, start as u32);
        loop {
            if let Some(&place) = self.on_path.get(&at) {
                let found = self.path.split_off(place);
                for vertex in &found {
                    self.on_path.remove(vertex);
                }
                self.loops.push(found);
            }
            let Some((edge, next)) = self.leave(at, arrived) else { break };
            self.on_path.insert(at, self.path.len());
            self.path.push(at);
            (at, arrived) = (next, edge);
        }
        self.path.clear();
        self.on_path.clear();
    }

    /// Takes an unused edge at a vertex and returns it with its other end: best one that starts there in another fan
    /// than `arrived`, then any that starts there, then one that ends there.
    fn leave(&mut self, vertex: u32, arrived: u32) -> Option<(u32, u32)> {
        let first = self.incident.partition_point(|entry| entry.0 < vertex);
        let used = |edge: u32| self.used[edge as usize];
        let entry = |at: usize| self.incident.get(at).filter(|entry| entry.0 == vertex);
        let mut at = first + *self.used_up.get(first)? as usize;
        while entry(at).is_some_and(|entry| used(entry.2)) {
            at += 1;
        }
        self.used_up[first] = (at - first) as u32;
        let avoided = self.same_fan[arrived as usize];
        let mut second_best = None;
        while let Some(&(_, ends_here, edge)) = entry(at) {
            at += 1;
            if used(edge) {
                continue;
            }
            if !ends_here && Some(edge) != avoided {
                second_best = Some((edge, ends_here));
                break;
            }
            second_best = second_best.or(Some((edge, ends_here)));
            if ends_here {
                break;
            }
        }
        let (edge, ends_here) = second_best?;
        self.used[edge as usize] = true;
        let (from, to) = self.open[edge as usize];
        Some((edge, if ends_here { from } else { to }))
    }
}

/// For each open edge into a vertex where several start: the one that is reached by turning around that vertex.
fn same_fan(edges: &EdgeTable, open: &[(u32, u32)], incident: &[(u32, bool, u32)]) -> Vec<Option<u32>> {
    let mut found = vec![None; open.len()];
    let starts_at = |vertex: u32| {
        let first = incident.partition_point(|entry| entry.0 < vertex);
        incident[first..].iter().take_while(|entry| entry.0 == vertex && !entry.1).count()
    };
    if (0..open.len()).all(|index| starts_at(open[index].1) < 2) {
        return found;
    }
    let mut edge_of_side = vec![[0_u32; 3]; edges.triangle_count];
    for (index, edge) in edges.edges.iter().enumerate() {
        for side in edges.uses_of(edge) {
            edge_of_side[side.triangle as usize][side.side as usize] = index as u32;
        }
    }
    let open_index: FxHashMap<[u32; 2], u32> =
        edges.open().enumerate().map(|(index, edge)| (edge.vertices, index as u32)).collect();
    for (index, edge) in edges.open().enumerate() {
        if starts_at(open[index].1) < 2 {
            continue;
        }
        let mut side = edges.uses_of(edge)[0];
        // A fan has at most as many triangles as there are.
        for _ in 0..edges.triangle_count {
            let next = (side.side as usize + 1) % 3;
            let edge = &edges.edges[edge_of_side[side.triangle as usize][next] as usize];
            match edges.uses_of(edge) {
                [_] => {
                    found[index] = open_index.get(&edge.vertices).copied();
                    break;
                }
                [a, b] if a.forward != b.forward => {
                    side = if a.triangle == side.triangle { *b } else { *a };
                }
                _ => break,
            }
        }
    }
    found
}
