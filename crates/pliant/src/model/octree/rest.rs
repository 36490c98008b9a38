//! The cells, the graph and the regions of an undeformed body.
//!
//! All of it follows from the leaves and the cuts. It is made in one way, whether the body is new or changed: what has not
//! changed is taken from before instead of computed again.

use super::Layout;
use super::distance::{Search, TOGETHER};
use super::regions::{Finder, Width};
use super::summation;
use super::tree::Tree;
use super::visibility::{self, Cuts, Graph, Obstacles};
use crate::geometry::Lists;
use crate::math::functions::square;
use crate::math::lanes::LANES;
use crate::model::regions::{Constants, Shares, rest::measure};
use crate::nodes::{Correspondence, NodeRest};
use crate::par;
use crate::sampling::CellKey;
use crate::sampling::grid::{Grid, Sample};
use crate::sampling::painted::Painted;
use glam::Vec3;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::sync::Arc;

/// The cells, the graph and the regions of an undeformed body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rest {
    /// How it was made.
    pub settings: Layout,
    /// The material.
    pub grid: Arc<Grid>,
    /// How wide regions should be, in metres.
    pub widths: Arc<Painted>,
    /// The cells.
    pub tree: Tree,
    /// What was disconnected.
    pub cuts: Cuts,
    /// The material in each node's cell.
    pub samples: Vec<Sample>,
    /// Where each node is at rest, relative to the body's centre.
    pub places: Vec<Vec3>,
    /// kg of each node.
    pub masses: Vec<f32>,
    /// The middle of each cell, relative to the body's centre.
    pub middles: Vec<Vec3>,
    /// From the middle of its cell to each node.
    pub offsets: Vec<Vec3>,
    /// Which nodes see each other.
    pub visible: Graph,
    /// Which nodes are joined: those that see each other, and strays.
    pub graph: Graph,
    /// The summation cells of each region. Nodes whose regions would have the same ones share one: it is found, fitted and
    /// scattered once for all of them, and counts as much as they weigh.
    pub regions: Lists,
    /// The region of each node.
    pub region_of: Vec<u32>,
    /// Where the hub of each region is at rest: moments are about it.
    pub hubs: Vec<Vec3>,
    /// The regions that use each cell.
    pub users: Lists,
    /// The hub of the region in each slot, the first of its finest nodes: as many as regions, filled up to a multiple of eight.
    pub nodes: Vec<Option<u32>>,
    /// Bounds of parts of the tree that are worked on at a time.
    pub parts: Vec<u32>,
    /// ⟨q²⟩ in m² of the narrowest regions asked for.
    pub narrowest: f64,
    /// Regions at rest, by eights.
    pub constants: Vec<Constants>,
    /// How the nodes' masses are shared out.
    pub shares: Shares,
}

impl Rest {
    /// The body with these leaves (sorted, each with material), from the ground up.
    pub fn new(settings: Layout, grid: Arc<Grid>, widths: Arc<Painted>, leaves: &[CellKey]) -> Self {
        let nothing = Self { settings, grid, widths, ..Self::default() };
        nothing.with(leaves, Cuts::default()).0
    }

    /// The same body with other leaves and cuts, and which node is which.
    pub fn with(&self, leaves: &[CellKey], cuts: Cuts) -> (Self, Correspondence) {
        let (mut rest, kept) = self.joined(leaves, cuts);
        rest.complete(self, &kept);
        (rest, kept)
    }

    /// The nodes of the same body with other leaves and cuts, and how they are joined: all but their regions, which take longest.
    pub(super) fn joined(&self, leaves: &[CellKey], cuts: Cuts) -> (Self, Correspondence) {
        let tree = Tree::new(self.settings.levels, leaves);
        let mut kept = Correspondence::new(&self.tree.leaf_keys().collect::<Vec<_>>(), leaves);
        let mut rest = Self {
            settings: self.settings,
            grid: self.grid.clone(),
            widths: self.widths.clone(),
            cuts,
            tree,
            ..Self::default()
        };
        rest.place_nodes(self, &kept);
        rest.find_graph(self, &kept);
        kept.changed = visibility::changed(&rest.graph, &self.graph, &kept.before, &kept.after);
        (rest, kept)
    }

    /// Finds and measures the regions of what [`joined`](Self::joined) made of `previous`.
    pub(super) fn complete(&mut self, previous: &Self, kept: &Correspondence) {
        self.find_regions(previous, kept);
        self.users = self.regions.reversed(self.tree.keys.len());
        self.parts = summation::parts(&self.tree.ends);
        self.narrowest = self.narrowest_extent();
        (self.constants, self.shares) = measure(self, &self.region_masses(), &self.masses, &self.places);
    }

    fn place_nodes(&mut self, previous: &Self, kept: &Correspondence) {
        let (grid, tree) = (&self.grid, &self.tree);
        let empty = Sample { count: 0, mean: Vec3::ZERO, inside: Vec3::ZERO, at_surface: false };
        let mut samples: Vec<Sample> = vec![empty; tree.cells.len()];
        par::for_each_indexed(&mut samples, 16, |node, sample| {
            let key = tree.key_of(node);
            let known = kept.before[node].map(|was| previous.samples[was as usize]);
            *sample = known
                .or_else(|| grid.sample(key.low(), key.edge()))
                .unwrap_or(Sample { mean: grid.middle(key.low(), key.edge()), ..empty });
        });
        let middle = |key: &CellKey| grid.middle(key.low(), key.edge()) - grid.centre;
        self.middles = tree.keys.iter().map(middle).collect();
        self.places = samples.iter().map(|sample| sample.mean - grid.centre).collect();
        self.masses = samples.iter().map(|s| (f64::from(s.count.max(1)) * grid.sample_mass) as f32).collect();
        let offset = |(node, place): (usize, &Vec3)| *place - self.middles[tree.cells[node] as usize];
        self.offsets = self.places.iter().enumerate().map(offset).collect();
        self.samples = samples;
    }

    fn find_graph(&mut self, previous: &Self, kept: &Correspondence) {
        let obstacles = Obstacles { grid: &self.grid, cuts: &self.cuts };
        let tree = &self.tree;
        // Connections that are cut now and were not before: only their nodes have to be looked at.
        let new: Vec<(CellKey, CellKey)> = self.cuts.since(&previous.cuts);
        let mut touched = vec![false; tree.cells.len()];
        for cell in new.iter().flat_map(|&(a, b)| [tree.find(a), tree.find(b)]).flatten() {
            tree.nodes[cell as usize].into_iter().for_each(|node| touched[node as usize] = true);
        }
        let known = |node: usize, found: &mut Vec<u32>| {
            let Some(was) = kept.before[node] else { return false };
            let edges = previous.visible.of(was as usize).iter();
            let open = |&other: &u32| {
                let both = touched[node] && touched[other as usize];
                let (a, b) = (tree.key_of(node), tree.key_of(other as usize));
                !both || new.binary_search(&if a < b { (a, b) } else { (b, a) }).is_err()
            };
            found.extend(edges.filter_map(|edge| kept.after[edge.node as usize]).filter(open));
            true
        };
        (self.visible, self.graph) = visibility::graph(tree, &self.samples, &obstacles, &known);
    }

    /// The nodes as every model has them.
    pub fn node_rest(&self) -> NodeRest {
        let radius = self.places.iter().map(|x| x.length()).fold(0.0, f32::max);
        let total_mass =
            self.samples.iter().map(|s| f64::from(s.count.max(1))).sum::<f64>() * self.grid.sample_mass;
        NodeRest {
            rest_positions: self.places.clone(),
            middle: Vec3::ZERO,
            masses: self.masses.clone(),
            total_mass,
            radius,
        }
    }

    /// How wide a node's region should be, in half finest cells.
    pub(super) fn wished_width(&self, node: usize) -> f32 {
        self.half_cells(self.widths.at(&self.grid, self.samples[node].mean))
    }

    /// ⟨q²⟩ of the narrowest regions asked for, where they hold the fewest cells: the largest ones.
    fn narrowest_extent(&self) -> f64 {
        let width = f64::from(self.widths.smallest());
        let of_level = |level: u32| {
            let cell = f64::from(self.grid.filling.cell) * f64::from(1_u32 << level);
            let cells = (width / cell).floor().max(1.0);
            square(cell) * cells * (cells + 1.0) / 3.0
        };
        (0..=self.settings.levels).map(of_level).fold(f64::INFINITY, f64::min)
    }

    /// Metres in half finest cells.
    pub(super) fn half_cells(&self, metres: f32) -> f32 {
        metres / (0.5 * self.grid.filling.cell)
    }

    /// ⟨q²⟩ of a full region of finest cells that is so many half cells wide.
    pub(super) fn extent_of(&self, width: f32) -> f64 {
        let cells = f64::from((width.round() / 2.0).floor().max(1.0));
        square(f64::from(self.grid.filling.cell)) * cells * (cells + 1.0) / 3.0
    }

    /// How wide a node's region is.
    pub fn width_of(&self, node: usize) -> Width {
        Width::new(self.wished_width(node), &self.graph, node, self.settings.slack)
    }

    fn find_regions(&mut self, previous: &Self, kept: &Correspondence) {
        let count = self.tree.cells.len();
        let widths: Vec<Width> = (0..count).map(|node| self.width_of(node)).collect();
        let stale = self.stale(previous, kept, &widths);
        let cells = Correspondence::new(&previous.tree.keys, &self.tree.keys);
        let longest = self.graph.items.iter().map(|edge| edge.length).max().unwrap_or(0);
        let (tree, graph) = (&self.tree, &self.graph);
        let mut parts: Vec<Lists> = vec![Lists::new(); count.div_ceil(TOGETHER)];
        par::for_each_indexed(&mut parts, 1, |part, lists| {
            let nodes = part * TOGETHER..((part + 1) * TOGETHER).min(count);
            let known = |node: usize| kept.before[node].filter(|_| !stale[node]);
            let new: Vec<u32> =
                nodes.clone().filter(|&node| known(node).is_none()).map(|node| node as u32).collect();
            let of_new: Vec<Width> = new.iter().map(|&node| widths[node as usize]).collect();
            let mut found = Lists::new();
            FINDER.with_borrow_mut(|finder| {
                finder.find_many(tree, graph, &new, &of_new, longest, |cells| {
                    found.push(cells.iter().copied())
                });
            });
            let mut next = 0;
            for node in nodes {
                if let Some(was) = known(node) {
                    let before = previous.region(was as usize).iter();
                    lists.push(before.filter_map(|&cell| cells.after[cell as usize]));
                } else {
                    lists.push(found.of(next).iter().copied());
                    next += 1;
                }
            }
        });
        self.share_regions(parts.iter().flat_map(Lists::iter));
    }

    /// One region for all nodes with the same summation cells, in the order of their first nodes.
    fn share_regions<'a>(&mut self, of_nodes: impl Iterator<Item = &'a [u32]>) {
        let mut known: FxHashMap<&[u32], u32> = FxHashMap::default();
        let level = |node: u32| self.tree.key_of(node as usize).level();
        for (node, cells) in (0_u32..).zip(of_nodes) {
            let region = *known.entry(cells).or_insert_with(|| {
                self.regions.push(cells.iter().copied());
                self.nodes.push(Some(node));
                self.nodes.len() as u32 - 1
            });
            self.region_of.push(region);
            let hub = &mut self.nodes[region as usize];
            if hub.is_some_and(|hub| level(node) < level(hub)) {
                *hub = Some(node);
            }
        }
        self.hubs = self.nodes.iter().flatten().map(|&node| self.places[node as usize]).collect();
        self.nodes.resize(self.nodes.len().next_multiple_of(LANES), None);
    }

    /// The summation cells of a node's region.
    pub fn region(&self, node: usize) -> &[u32] {
        self.regions.of(self.region_of[node] as usize)
    }

    /// s of a node's region.
    pub fn strength(&self, node: usize) -> f32 {
        let region = self.region_of[node] as usize;
        self.constants[region / LANES].strength.0[region % LANES]
    }

    /// What the nodes of the region in each slot weigh together.
    fn region_masses(&self) -> Vec<f32> {
        let mut masses = vec![0.0; self.nodes.len()];
        let nodes = self.region_of.iter().zip(&self.masses);
        nodes.for_each(|(&region, mass)| masses[region as usize] += mass);
        masses
    }

    /// The nodes whose regions may differ from before: those near enough to what changed to have noticed, then or now.
    ///
    /// A node that came or went is noticed from as far as a region may reach. One that stayed and is joined to others than
    /// before is noticed only if the way goes on from it, by the shortest edge at least.
    fn stale(&self, previous: &Self, kept: &Correspondence, widths: &[Width]) -> Vec<bool> {
        const SHORTEST: u32 = 2;
        let count = self.tree.cells.len();
        let mut stale = vec![false; count];
        let farthest = |widths: &[Width]| widths.iter().map(|width| width.limit).max().unwrap_or(0);
        let mut search = Search::default();
        let mut look =
            |graph: &Graph, (sources, less): (Vec<u32>, u32), widths: &[Width], mark: &mut dyn FnMut(u32)| {
                if sources.is_empty() {
                    return;
                }
                search.run(graph, &sources, farthest(widths).saturating_sub(less));
                for &(node, distance) in &search.reached {
                    if distance + less <= widths[node as usize].limit {
                        mark(node);
                    }
                }
            };
        let changed = || (0..count as u32).filter(|&node| kept.changed[node as usize]);
        let is_new = |&node: &u32| kept.before[node as usize].is_none();
        let mut mark = |node: u32| stale[node as usize] = true;
        look(&self.graph, (changed().filter(is_new).collect(), 0), widths, &mut mark);
        look(&self.graph, (changed().filter(|node| !is_new(node)).collect(), SHORTEST), widths, &mut mark);
        // What changed is stale itself, however small its region is.
        changed().for_each(&mut mark);
        // And as it was before.
        let before: Vec<Width> = (0..kept.after.len()).map(|node| previous.width_of(node)).collect();
        let gone =
            kept.after.iter().enumerate().filter(|(_, now)| now.is_none()).map(|(node, _)| node as u32);
        let stayed = changed().filter_map(|node| kept.before[node as usize]);
        let mut mark_before = |node: u32| {
            if let Some(now) = kept.after[node as usize] {
                stale[now as usize] = true;
            }
        };
        look(&previous.graph, (gone.collect(), 0), &before, &mut mark_before);
        look(&previous.graph, (stayed.collect(), SHORTEST), &before, &mut mark_before);
        stale
    }
}

thread_local! {
    /// Keeps its memory from task to task.
    static FINDER: RefCell<Finder> = RefCell::default();
}
