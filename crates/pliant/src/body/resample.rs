//! A body whose nodes change while it lives: finer, coarser, disconnected, \[SOG08\] §5.
//!
//! Mass is that of the material and stays what it was. Positions and velocities of new nodes come from the linear maps of the
//! regions they come from, blended as for the skin, so that neither the skin nor the motion jumps. What this changes of the
//! momentum, and what a node that stands for many cannot say of its spin, is made up for by moving and turning the whole body a
//! little: both momenta are exactly what they were.

use super::{Body, BodyRest, Momentum};
use crate::NodeId;
use crate::model::ResampleError;
use crate::model::adapt::{Changes, PartedBefore, Resampled};
use crate::skin::Binding;
use glam::Vec3;
use std::sync::Arc;

impl Body {
    /// How often the body's nodes have changed: numbers of nodes from another version mean other nodes.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Divides the cells of nodes into eight. Those of the finest level stay. Returns whether anything changed.
    ///
    /// # Errors
    /// If the model does not adapt or the body has no such node; then nothing has changed.
    pub fn refine(&mut self, nodes: &[NodeId]) -> Result<bool, ResampleError> {
        self.resample(&Changes { refine: nodes.iter().map(|node| node.0).collect(), ..Changes::default() })
    }

    /// Makes one cell of the cells of nodes and their siblings. Groups that have finer cells, or a cut, in them stay. Returns
    /// whether anything changed.
    ///
    /// # Errors
    /// If the model does not adapt or the body has no such node; then nothing has changed.
    pub fn coarsen(&mut self, nodes: &[NodeId]) -> Result<bool, ResampleError> {
        self.resample(&Changes { coarsen: nodes.iter().map(|node| node.0).collect(), ..Changes::default() })
    }

    /// Cuts the connections between pairs of nodes. Returns whether anything changed.
    ///
    /// # Errors
    /// If the body's model has no connections or the body no such node; then nothing has changed.
    pub fn disconnect(&mut self, pairs: &[(NodeId, NodeId)]) -> Result<bool, ResampleError> {
        self.resample(&Changes {
            disconnect: pairs.iter().map(|(a, b)| (a.0, b.0)).collect(),
            ..Changes::default()
        })
    }

    /// Makes several changes at once, which costs hardly more than one.
    ///
    /// # Errors
    /// If the body's model cannot do it or the body has no such node; then nothing has changed.
    pub fn resample(&mut self, changes: &Changes) -> Result<bool, ResampleError> {
        let count = self.nodes.positions.len();
        let pairs = changes.disconnect.iter().flat_map(|&(a, b)| [a, b]);
        let mut named = changes.refine.iter().chain(&changes.coarsen).copied().chain(pairs);
        if let Some(node) = named.find(|&node| node as usize >= count) {
            return Err(ResampleError::NoSuchNode { node, count });
        }
        let changed = self.resample_nodes(changes)?;
        if changed {
            self.update_skin();
        }
        Ok(changed)
    }

    /// Changes the nodes. The skin is left where it was.
    pub(crate) fn resample_nodes(&mut self, changes: &Changes) -> Result<bool, ResampleError> {
        let cut = self.rest.cut.clone();
        let parted: PartedBefore =
            &|cells, is_new| cut.as_ref().map_or_else(Vec::new, |cut| cut.parted_among(cells, is_new));
        let resampled = self.model.resample(&self.rest.nodes, &self.nodes, changes, parted)?;
        let Some(Resampled { mut rest, nodes, model, renumbering }) = resampled else { return Ok(false) };
        if self.rest.nodes.middle != Vec3::ZERO {
            rest = rest.of_a_part();
        }
        let binding = match model.cells(&rest) {
            None => self.rest.binding.clone(),
            Some(cells) => {
                let kept = &renumbering.kept;
                let after = |node: u32| kept.after[node as usize];
                let same = |node: u32| after(node).filter(|&now| !kept.changed[now as usize]);
                let (vertices, previous) = (&self.rest.mesh.positions, &self.rest.binding);
                match &self.rest.cut {
                    Some(cut) => cut.bind(vertices, &*cells, previous, &Some, &same),
                    None => Binding::rebound(vertices, &*cells, previous, &same, &after),
                }
            }
        };
        let before = Momentum::of(&self.rest.nodes, &self.nodes);
        self.nodes = nodes;
        self.supports.clear();
        before.restore(&rest, &mut self.nodes);
        self.model = model;
        let border = self.rest.border.renewed(&renumbering.kept, &self.rest.binding, &binding);
        self.rest = Arc::new(BodyRest { nodes: rest, binding, border, ..BodyRest::clone(&self.rest) });
        self.changes.push(renumbering);
        self.version += 1;
        self.model.refresh(&self.rest.nodes, &self.nodes, &self.material);
        Ok(true)
    }
}
