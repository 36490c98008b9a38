//! Models whose nodes can change: where they should be finer, what to change, and what came of it.

use super::Model;
use crate::nodes::{NodeRest, NodeState, Renumbering};
use crate::sampling::CellKey;
use crate::sampling::criteria::{Criterion, Place, Rule};
use crate::skin::Cells;
use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What to change about the nodes of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Nodes whose cells become eight (those of them that hold material).
    pub refine: Vec<u32>,
    /// Cells that become eight: leaves, or cells that come to be when larger ones of the list are divided. So several levels
    /// are made at once.
    pub divide: Vec<CellKey>,
    /// Nodes whose cells become one with their siblings. All siblings must be leaves; none may be at a cut.
    pub coarsen: Vec<u32>,
    /// Pairs of nodes to disconnect.
    pub disconnect: Vec<(u32, u32)>,
}

impl Changes {
    /// Whether nodes would come or go.
    pub fn change_nodes(&self) -> bool {
        !(self.refine.is_empty() && self.divide.is_empty() && self.coarsen.is_empty())
    }
}

/// A body's nodes after a change.
#[derive(Debug)]
pub struct Resampled {
    /// The nodes at rest.
    pub rest: NodeRest,
    /// Where they are, moving as the material did that they are of.
    pub nodes: NodeState,
    /// What moves them.
    pub model: Model,
    /// Which node is which.
    pub renumbering: Renumbering,
}

/// Gives the pairs of nodes in cells that earlier cuts part, among those that are new: what large cells were joined by, their
/// parts need not be.
pub type PartedBefore<'a> = &'a dyn Fn(&dyn Cells, &dyn Fn(u32) -> bool) -> Vec<(u32, u32)>;

/// Why a body's nodes cannot be changed so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResampleError {
    /// The model has the nodes it has.
    #[error("the nodes of a body of {model} cannot be made finer or coarser; choose a model that adapts")]
    FixedNodes {
        /// The model's word.
        model: &'static str,
    },
    /// The model has no connections to cut.
    #[error("a body of {model} has no connections between nodes that could be cut")]
    NoConnections {
        /// The model's word.
        model: &'static str,
    },
    /// The body has no such node.
    #[error("the body has {count} nodes, so there is no node {node}")]
    NoSuchNode {
        /// Asked for.
        node: u32,
        /// There are.
        count: usize,
    },
}

/// A model that adapts.
pub trait Adapt {
    /// Leaves that should be finer, and groups that could be coarser with how much they are needed.
    fn wishes(
        &self,
        adaptivity: &mut Adaptivity,
        nodes: &NodeState,
        scale: f32,
        around: &Around,
    ) -> (Vec<Wish>, Vec<Wish>);

    /// What to divide so that the body is as fine as it can be near a blade, for up to `room` more nodes. `near` tells whether
    /// the blade comes as near to a point, relative to the body's origin, as a distance in meters.
    fn finest_near(&self, nodes: &NodeState, near: &dyn Fn(Vec3, f32) -> bool, room: usize) -> Changes;
}

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
    pub(super) fresh: bool,
}

/// What is around bodies.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// Where tools act: center and radius.
    pub tools: &'a [(DVec3, f32)],
    /// From where the world is looked at, if anybody does.
    pub eye: Option<DVec3>,
}

/// A leaf that should be finer, or a group of leaves with one parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish {
    /// How many times larger the cell is (or would be) than it should be.
    pub need: f32,
    /// The leaf, or the first of the group.
    pub node: u32,
    /// Nodes that would come, or go.
    pub nodes: u32,
}

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

    /// The largest edge in meters that will do for a cell; `slack` as for [`Criterion::largest`].
    pub fn largest(&mut self, key: CellKey, place: &Place, slack: f32) -> f32 {
        let Self { rules, criteria, known, .. } = self;
        let still = *known.entry(key).or_insert_with(|| {
            let still = rules.iter().filter(|rule| rule.is_still());
            still.map(|rule| rule.largest(place, 1.0)).fold(f32::INFINITY, f32::min)
        });
        let moving = rules.iter().filter(|rule| !rule.is_still()).map(|rule| rule.largest(place, slack));
        let own = criteria.iter().map(|criterion| criterion.largest(place, slack));
        moving.chain(own).fold(still, f32::min)
    }
}

/// The renumbering of a body whose nodes all stay, but may be joined to others than before.
pub(crate) fn all_kept(count: usize) -> Renumbering {
    let same: Vec<Option<u32>> = (0..count as u32).map(Some).collect();
    let from_children = (0..count).map(|_| []).collect();
    let kept = crate::nodes::Correspondence { before: same.clone(), after: same, changed: vec![true; count] };
    Renumbering { kept, from_parent: vec![None; count], from_children }
}
