//! Shortest ways through the graph: the bucketed Moore algorithm, \[SOG08\] §6.2.
//!
//! Lengths are small whole numbers, so nodes wait in buckets by distance and no heap is needed. The search ends at a limit.

use super::visibility::Graph;

/// Searches that are made together at most: a bit each.
pub const TOGETHER: usize = u64::BITS as usize;

/// Finds distances; keeps its memory from search to search.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// d_min of each node above `base`. Searches use lower and lower bases, so what an earlier one left counts as far off and
    /// nothing has to be cleared.
    marks: Vec<u32>,
    base: u32,
    limit: u32,
    /// B_k: nodes at a distance of k more than the present one; a ring.
    buckets: Vec<Vec<u32>>,
    /// Nodes in the order of their distance, with it.
    pub reached: Vec<(u32, u32)>,
}

impl Search {
    /// Finds all nodes within `limit` of the sources; they are in `reached`, nearest first.
    pub fn run(&mut self, graph: &Graph, sources: &[u32], limit: u32) {
        let longest = graph.items.iter().map(|edge| edge.length).max().unwrap_or(0);
        self.run_bounded(graph, sources, limit, longest);
    }

    /// As [`run`](Self::run), when the longest edge is known.
    pub fn run_bounded(&mut self, graph: &Graph, sources: &[u32], limit: u32, longest: u32) {
        self.begin(graph.len(), limit, longest);
        let (base, ring) = (self.base, self.buckets.len());
        let mut waiting = 0;
        for &source in sources {
            if self.marks[source as usize] > base {
                self.marks[source as usize] = base;
                self.buckets[0].push(source);
                waiting += 1;
            }
        }
        let (mut distance, mut here) = (0, 0);
        while waiting > 0 && distance <= limit {
            // Edges without length do not exist, so nothing is added to this bucket while it is emptied.
            let mut bucket = std::mem::take(&mut self.buckets[here]);
            waiting -= bucket.len();
            for node in bucket.drain(..) {
                // Offered again since, for less, and taken then.
                if self.marks[node as usize] != base + distance {
                    continue;
                }
                self.reached.push((node, distance));
                for edge in graph.of(node as usize) {
                    let there = distance + edge.length;
                    let mark = &mut self.marks[edge.node as usize];
                    if there <= limit && *mark > base + there {
                        *mark = base + there;
                        let ahead = here + edge.length as usize;
                        self.buckets[if ahead < ring { ahead } else { ahead - ring }].push(edge.node);
                        waiting += 1;
                    }
                }
            }
            self.buckets[here] = bucket;
            distance += 1;
            here = if here + 1 < ring { here + 1 } else { 0 };
        }
        self.buckets.iter_mut().for_each(Vec::clear);
    }

    fn begin(&mut self, nodes: usize, limit: u32, longest: u32) {
        self.reached.clear();
        if self.marks.len() != nodes || self.base <= limit {
            self.marks.clear();
            self.marks.resize(nodes, u32::MAX);
            self.base = u32::MAX;
        }
        self.base -= limit + 1;
        self.limit = limit;
        let ring = longest as usize + 1;
        if self.buckets.len() < ring {
            self.buckets.resize(ring, Vec::new());
        }
    }

    /// The distance of a node, if the latest search reached it.
    pub fn distance(&self, node: u32) -> Option<u32> {
        let above = self.marks.get(node as usize)?.checked_sub(self.base)?;
        (above <= self.limit).then_some(above)
    }
}

/// As many searches as a word has bits, made together: nodes that are near each other reach the same nodes in the same order,
/// so one pass over an edge serves all of them, \[TKCK14\].
#[derive(Clone, Debug, Default)]
pub struct Searches {
    /// The searches that have reached each node.
    seen: Vec<u64>,
    /// The searches that offer each node, by distance; a ring of one entry a node.
    offers: Vec<Vec<u64>>,
    /// Nodes with offers, by distance.
    buckets: Vec<Vec<u32>>,
    /// Nodes in the order of their distance, with it and the searches that reached them so.
    pub reached: Vec<(u32, u32, u64)>,
}

impl Searches {
    /// Finds all nodes within `limits[i]` of `sources[i]`, for each i; `longest` is that of the graph's edges.
    pub fn run(&mut self, graph: &Graph, sources: &[u32], limits: &[u32], longest: u32) {
        let farthest = limits.iter().copied().max().unwrap_or(0);
        // The searches that may go as far as each distance.
        let may_go = |distance: u32| {
            let far = limits.iter().enumerate().filter(|(_, limit)| **limit >= distance);
            far.fold(0_u64, |mask, (search, _)| mask | 1 << search)
        };
        let may_go: Vec<u64> = (0..=farthest).map(may_go).collect();
        let ring = longest as usize + 1;
        self.begin(graph.len(), ring);
        for (search, &source) in sources.iter().enumerate().take(TOGETHER) {
            if self.offers[0][source as usize] == 0 {
                self.buckets[0].push(source);
            }
            self.offers[0][source as usize] |= 1 << search;
        }
        for distance in 0..=farthest {
            let here = distance as usize % ring;
            let mut bucket = std::mem::take(&mut self.buckets[here]);
            for node in bucket.drain(..) {
                let offered = std::mem::take(&mut self.offers[here][node as usize]);
                let new = offered & !self.seen[node as usize];
                if new == 0 {
                    continue;
                }
                self.seen[node as usize] |= new;
                self.reached.push((node, distance, new));
                for edge in graph.of(node as usize) {
                    let there = distance + edge.length;
                    let Some(&may) = may_go.get(there as usize) else { continue };
                    let further = new & may & !self.seen[edge.node as usize];
                    if further != 0 {
                        let slot = there as usize % ring;
                        let offer = &mut self.offers[slot][edge.node as usize];
                        if *offer == 0 {
                            self.buckets[slot].push(edge.node);
                        }
                        *offer |= further;
                    }
                }
            }
            self.buckets[here] = bucket;
        }
        // Nothing was offered beyond the farthest, so only what was seen has to be forgotten.
        self.reached.iter().for_each(|&(node, ..)| self.seen[node as usize] = 0);
    }

    fn begin(&mut self, nodes: usize, ring: usize) {
        self.reached.clear();
        if self.seen.len() != nodes || self.offers.len() < ring {
            self.seen = vec![0; nodes];
            self.offers = vec![vec![0; nodes]; ring];
            self.buckets = vec![Vec::new(); ring];
        }
    }
}
