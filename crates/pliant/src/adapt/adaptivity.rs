//! What a body wants its cells to be.

use crate::math::green_strain;
use crate::model::octree::Octree;
use crate::nodes::NodeState;
use crate::sampling::CellKey;
use crate::sampling::criteria::{Criterion, Now, Place, Rule};
use glam::DVec3;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How fine a body should be where.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Adaptivity {
    rules: Vec<Rule>,
    /// Your own. They are not part of snapshots.
    #[serde(skip)]
    pub criteria: Vec<Arc<dyn Criterion>>,
    /// What the rules that look at the undeformed body say of cells, which never changes.
    #[serde(skip)]
    known: FxHashMap<CellKey, f32>,
    /// The rules were changed, and the body has not followed yet.
    fresh: bool,
}

/// What is around bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around<'a> {
    pub tools: &'a [(DVec3, f32)],
    pub eye: Option<DVec3>,
}

/// A leaf that should be finer, or a group of leaves with one parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wish {
    /// How many times larger the cell is (or would be) than it should be.
    pub need: f32,
    /// The leaf, or the first of the group.
    pub node: u32,
    /// Nodes that would come, or go.
    pub nodes: u32,
}

/// How much farther something may be before what was refined for it is coarsened.
const SLACK: f32 = 1.25;

impl Adaptivity {
    /// With rules that come with Pliant.
    pub fn new(rules: Vec<Rule>) -> Self {
        Self { rules, ..Self::default() }
    }

    /// Rules that come with Pliant.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Gives it other rules.
    pub fn set_rules(&mut self, rules: Vec<Rule>) {
        *self = Self { rules, criteria: std::mem::take(&mut self.criteria), ..Self::default() };
        self.fresh = true;
    }

    /// Whether the body may have to change by itself: because a rule looks at what happens, or nodes are counted.
    pub(crate) fn is_active(&self, budget: bool) -> bool {
        let moving = self.rules.iter().any(|rule| !rule.is_still()) || !self.criteria.is_empty();
        moving || self.fresh || (budget && !self.rules.is_empty())
    }

    /// Leaves that should be finer, and groups that could be coarser with how much they are needed.
    pub(crate) fn wishes(
        &mut self,
        model: &Octree,
        nodes: &NodeState,
        scale: f32,
        around: &Around,
    ) -> (Vec<Wish>, Vec<Wish>) {
        let (mut refine, mut coarsen) = (Vec::new(), Vec::new());
        let rest = &*model.rest;
        for node in 0..rest.places.len() {
            let key = rest.tree.key_of(node);
            if key.level() > 0 {
                let need = self.need(model, nodes, key, &[node as u32], (scale, 1.0), around);
                if need > 1.0 + 1e-4 {
                    refine.push(Wish { need, node: node as u32, nodes: 7 });
                }
            }
        }
        let mut members = Vec::new();
        for (cell, &key) in rest.tree.keys.iter().enumerate() {
            let leaves = rest.tree.leaves[cell];
            if rest.tree.nodes[cell].is_some() || key.level() == 0 {
                continue;
            }
            members.clear();
            members
                .extend(rest.tree.children(cell as u32).map_while(|child| rest.tree.nodes[child as usize]));
            if members.len() == leaves as usize && !rest.cuts.touches_below(key) {
                let need = self.need(model, nodes, key, &members, (scale, SLACK), around);
                coarsen.push(Wish { need, node: members[0], nodes: leaves - 1 });
            }
        }
        // One level a step: new rules are followed until nothing is left to do.
        self.fresh &= !refine.is_empty() || coarsen.iter().any(|wish| wish.need <= 1.0);
        (refine, coarsen)
    }

    /// How many times too large a cell is, which has or would have the material of these nodes.
    fn need(
        &mut self,
        model: &Octree,
        nodes: &NodeState,
        key: CellKey,
        members: &[u32],
        (scale, slack): (f32, f32),
        around: &Around,
    ) -> f32 {
        let grid = &*model.rest.grid;
        let size = key.edge() as f32 * grid.filling.cell;
        let position = members.iter().map(|&node| nodes.world_position(node as usize)).sum::<DVec3>();
        // What has given way does not strain any more.
        let elastic = |node: usize| model.node_map(node) * model.state.plastic(node).inverse();
        let strain = members.iter().map(|&node| green_strain(elastic(node as usize))).fold(0.0, f32::max);
        let place = Place {
            low: key.low(),
            edge: key.edge(),
            size,
            rest: grid.middle(key.low(), key.edge()) / scale,
            rest_size: size / scale,
            grid,
            now: Some(Now {
                position: position / members.len() as f64,
                strain,
                tools: around.tools,
                eye: around.eye,
            }),
        };
        let Self { rules, criteria, known, .. } = self;
        let still = *known.entry(key).or_insert_with(|| {
            let still = rules.iter().filter(|rule| rule.is_still());
            still.map(|rule| rule.largest(&place, 1.0)).fold(f32::INFINITY, f32::min)
        });
        let moving = rules.iter().filter(|rule| !rule.is_still()).map(|rule| rule.largest(&place, slack));
        let own = criteria.iter().map(|criterion| criterion.largest(&place, slack));
        size / moving.chain(own).fold(still, f32::min).max(f32::MIN_POSITIVE)
    }
}
