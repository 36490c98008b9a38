//! Cells made finer or coarser, and connections cut, while the body lives, \[SOG08\] §5.

use super::Octree;
use super::rest::Rest;
use super::visibility;
use crate::geometry::Lists;
use crate::model::adapt::{Changes, PartedBefore, Resampled};
use crate::model::regions::State;
use crate::nodes::{Correspondence, NodeRest, NodeState, Renumbering};
use crate::sampling::CellKey;
use crate::skin::Binder;
use glam::Vec3;
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Rest {
    /// The same body, changed; `None` if nothing of it can be done.
    pub fn changed(&self, changes: &Changes) -> Option<(Self, Renumbering)> {
        self.changed_and_parted(changes, &|_, _| Vec::new())
    }

    /// The same body, changed, where nodes that `parted` names are joined no more; `None` if nothing of it can be done.
    fn changed_and_parted(&self, changes: &Changes, parted: PartedBefore) -> Option<(Self, Renumbering)> {
        let leaves = self.leaves_after(changes);
        let mut cuts = self.cuts.clone();
        let known = |&&(a, b): &&(u32, u32)| {
            let count = self.tree.cells.len() as u32;
            a < count && b < count && a != b
        };
        let keys = |&(a, b): &(u32, u32)| (self.tree.key_of(a as usize), self.tree.key_of(b as usize));
        cuts.add(changes.disconnect.iter().filter(known).map(keys));
        let before: Vec<CellKey> = self.tree.leaf_keys().collect();
        if leaves == before && cuts == self.cuts {
            return None;
        }
        let (mut now, mut kept) = self.joined(&leaves, cuts);
        let mut pairs = parted(&now, &|node| kept.before[node as usize].is_none());
        pairs.retain(|&(a, b)| now.graph.of(a as usize).iter().any(|edge| edge.node == b));
        if !pairs.is_empty() {
            let mut cuts = now.cuts.clone();
            cuts.add(pairs.iter().map(|&(a, b)| (leaves[a as usize], leaves[b as usize])));
            // From what was just found, of which only these connections change.
            now = now.joined(&leaves, cuts).0;
            kept.changed = visibility::changed(&now.graph, &self.graph, &kept.before, &kept.after);
        }
        now.complete(self, &kept);
        Some((now, origins(&before, &leaves, kept)))
    }

    fn leaves_after(&self, changes: &Changes) -> Vec<CellKey> {
        let key =
            |&node: &u32| ((node as usize) < self.tree.cells.len()).then(|| self.tree.key_of(node as usize));
        let named = changes.refine.iter().filter_map(key).chain(changes.divide.iter().copied());
        let divided: FxHashSet<CellKey> = named.filter(|key| key.level() > 0).collect();
        let joined: FxHashSet<CellKey> = changes
            .coarsen
            .iter()
            .filter_map(key)
            .filter(|key| key.level() < self.settings.levels)
            .map(CellKey::parent)
            .filter(|&parent| self.can_join(parent, &divided))
            .collect();
        let mut leaves = Vec::with_capacity(self.tree.cells.len() + 7 * divided.len());
        for leaf in self.tree.leaf_keys() {
            if divided.contains(&leaf) {
                self.divide(leaf, &divided, &mut leaves);
            } else if leaf.level() < self.settings.levels && joined.contains(&leaf.parent()) {
                if leaves.last() != Some(&leaf.parent()) {
                    leaves.push(leaf.parent());
                }
            } else {
                leaves.push(leaf);
            }
        }
        leaves
    }

    /// The leaves that a cell becomes.
    fn divide(&self, cell: CellKey, divided: &FxHashSet<CellKey>, leaves: &mut Vec<CellKey>) {
        if !divided.contains(&cell) {
            leaves.push(cell);
            return;
        }
        for child in cell.children() {
            if !self.grid.filling.is_empty(child.low().to_array(), child.edge()) {
                self.divide(child, divided, leaves);
            }
        }
    }

    /// Whether a cell's children can become one leaf, and none of them is to be divided.
    fn can_join(&self, parent: CellKey, divided: &FxHashSet<CellKey>) -> bool {
        let Some(cell) = self.tree.find(parent) else { return false };
        let stays = |child: u32| !divided.contains(&self.tree.keys[child as usize]);
        self.tree.children(cell).all(stays) && self.can_be_leaf(cell)
    }
}

fn origins(before: &[CellKey], now: &[CellKey], kept: Correspondence) -> Renumbering {
    let mut from_parent = vec![None; now.len()];
    let mut from_children = Lists::new();
    for (node, &key) in now.iter().enumerate() {
        let mut children = 0..0;
        if kept.before[node].is_none() {
            // In depth-first order, the old leaf just before this key may be its parent, those from it on its children.
            let at = before.partition_point(|&other| other < key);
            from_parent[node] =
                at.checked_sub(1).filter(|&above| before[above].contains(key)).map(|above| above as u32);
            let below = before[at..].iter().take_while(|&&other| key.contains(other)).count();
            children = at as u32..(at + below) as u32;
        }
        from_children.push(children);
    }
    Renumbering { kept, from_parent, from_children }
}

impl Octree {
    /// The same body, changed; `None` if nothing of it can be done. Positions and velocities of new nodes come from the linear
    /// maps of the regions they come from, blended as for the skin, so that neither the skin nor the motion jumps.
    pub(super) fn changed(
        &mut self,
        rest: &NodeRest,
        nodes: &NodeState,
        changes: &Changes,
        parted: PartedBefore,
    ) -> Option<Resampled> {
        let (now, renumbering) = self.rest.changed_and_parted(changes, parted)?;
        super::refresh(self, rest, nodes);
        let (nodes, state) = carry_over(self, rest, nodes, &now, &renumbering);
        let rest = now.node_rest();
        let model = Self { state, ..Self::new(Arc::new(now)) }.into();
        Some(Resampled { rest, nodes, model, renumbering })
    }
}

/// Positions, velocities and regions of the nodes after a change.
fn carry_over(
    model: &mut Octree,
    rest: &NodeRest,
    nodes: &NodeState,
    now: &Rest,
    renumbering: &Renumbering,
) -> (NodeState, State) {
    let gradients = super::velocity_gradients(model, rest, nodes);
    let count = now.places.len();
    let mut next = NodeState { origin: nodes.origin, ..NodeState::default() };
    let mut binder = Binder::default();
    let (mut rotations, mut plastic) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for node in 0..count {
        let (position, velocity, like) = match (renumbering.kept.before[node], renumbering.from_parent[node])
        {
            (Some(was), _) => (nodes.positions[was as usize], nodes.velocities[was as usize], was),
            (None, Some(parent)) => {
                // As the skin would go there: where two cells meet, their children agree.
                let place = now.places[node];
                let (mut position, mut velocity) = (Vec3::ZERO, Vec3::ZERO);
                for bond in binder.carry(&*model.rest, parent, place).iter() {
                    let at = bond.node as usize;
                    let by = place - rest.rest_positions[at];
                    position += bond.weight * (nodes.positions[at] + model.map(at) * by);
                    let slot = model.slot(at);
                    velocity += bond.weight * (nodes.velocities[at] + gradients[slot / 8].get(slot % 8) * by);
                }
                (position, velocity, parent)
            }
            (None, None) => {
                let children = renumbering.from_children.of(node);
                let mass: f32 = children.iter().map(|&c| rest.masses[c as usize]).sum();
                let mean = |of: &[Vec3]| -> Vec3 {
                    children.iter().map(|&c| of[c as usize] * (rest.masses[c as usize] / mass)).sum()
                };
                let heaviest = children.iter().copied().max_by(|&a, &b| {
                    rest.masses[a as usize].total_cmp(&rest.masses[b as usize]).then(b.cmp(&a))
                });
                (mean(&nodes.positions), mean(&nodes.velocities), heaviest.unwrap_or(0))
            }
        };
        next.positions.push(position);
        next.velocities.push(velocity);
        let (rotation, shape) = model.state.remembered(model.slot(like as usize));
        rotations.push(rotation);
        plastic.push(shape);
    }
    let yields = !model.state.plastic.is_empty();
    (next, State::from_nodes(&now.nodes, &rotations, yields.then_some(&plastic)))
}
