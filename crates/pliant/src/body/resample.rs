//! A body whose nodes change while it lives: finer, coarser, disconnected, \[SOG08\] §5.
//!
//! Mass is that of the material and stays what it was. Positions and velocities of new nodes come from the linear maps of the
//! regions they come from, blended as for the skin, so that neither the skin nor the motion jumps. What this changes of the
//! momentum, and what a node that stands for many cannot say of its spin, is made up for by moving and turning the whole body a
//! little: both momenta are exactly what they were.

use super::{Body, BodyRest};
use crate::NodeId;
use crate::model::octree::resample::Changes;
use crate::model::octree::{self, Octree};
use crate::model::{Model, ModelRest, momentum};
use crate::nodes::{NodeRest, NodeState, Renumbering};
use crate::skin::{Binder, Binding};
use glam::{DMat3, DVec3, Vec3};
use std::sync::Arc;

/// Why a body's nodes cannot be changed so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResampleError {
    /// The model has the nodes it has.
    #[error("the nodes of a body of {model} cannot be made finer or coarser; an octree's can")]
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

impl Body {
    /// How often the body's nodes have changed: numbers of nodes from another version mean other nodes.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Divides the cells of nodes into eight. Those of the finest level stay. Returns whether anything changed.
    ///
    /// # Errors
    /// If the body is not an octree or has no such node; then nothing has changed.
    pub fn refine(&mut self, nodes: &[NodeId]) -> Result<bool, ResampleError> {
        self.resample(&Changes { refine: nodes.iter().map(|node| node.0).collect(), ..Changes::default() })
    }

    /// Makes one cell of the cells of nodes and their siblings. Groups that have finer cells, or a cut, in them stay. Returns
    /// whether anything changed.
    ///
    /// # Errors
    /// If the body is not an octree or has no such node; then nothing has changed.
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
        match &self.model {
            Model::Octree(_) => {
                let changed = self.resample_octree(changes);
                if changed {
                    self.update_skin();
                }
                Ok(changed)
            }
            other
                if !(changes.refine.is_empty()
                    && changes.divide.is_empty()
                    && changes.coarsen.is_empty()) =>
            {
                Err(ResampleError::FixedNodes { model: other.name() })
            }
            Model::Lattice(_) => Ok(self.disconnect_lattice(&changes.disconnect)),
            other => Err(ResampleError::NoConnections { model: other.name() }),
        }
    }

    /// Changes the cells of an octree. Its skin is left where it was.
    pub(super) fn resample_octree(&mut self, changes: &Changes) -> bool {
        let Model::Octree(model) = &mut self.model else { return false };
        let Some((mut rest, mut resampled)) = model.rest.changed(changes) else { return false };
        if let Some(cut) = &self.rest.cut {
            let is_new = |node: u32| resampled.kept.before[node as usize].is_none();
            let pairs = Self::parted_before(cut, &rest, &is_new);
            if !pairs.is_empty() {
                (rest, resampled) = model.rest.changed_and_cut(&rest, &pairs);
            }
        }
        octree::refresh(model, &self.rest.nodes, &self.nodes);
        let (nodes, state) = carry_over(model, &self.rest.nodes, &self.nodes, &rest, &resampled);
        let mut node_rest = rest.node_rest();
        if self.rest.nodes.middle != Vec3::ZERO {
            node_rest = node_rest.of_a_part();
        }
        let binding = {
            let kept = &resampled.kept;
            let same = |node: u32| kept.after[node as usize].filter(|&now| !kept.changed[now as usize]);
            let (vertices, previous) = (&self.rest.mesh.positions, &self.rest.binding);
            match &self.rest.cut {
                Some(cut) => cut.bind(vertices, &rest, (previous, &Some), &same),
                None => Binding::rebound(vertices, &rest, previous, &same),
            }
        };
        let before = Momentum::of(&self.rest.nodes, &self.nodes);
        self.nodes = nodes;
        before.restore(&node_rest, &mut self.nodes);
        let rest = Arc::new(rest);
        (model.rest, model.state) = (rest.clone(), state);
        self.rest = Arc::new(BodyRest {
            nodes: node_rest,
            binding,
            model: ModelRest::Octree(rest),
            ..BodyRest::clone(&self.rest)
        });
        self.changes.push(resampled);
        self.version += 1;
        self.model.refresh(&self.rest.nodes, &self.nodes, &self.material);
        true
    }

    fn disconnect_lattice(&mut self, pairs: &[(u32, u32)]) -> bool {
        let Model::Lattice(model) = &mut self.model else { return false };
        let nodes = &self.rest.nodes;
        let mut rest = crate::model::lattice::Rest::clone(&model.rest);
        if !rest.disconnect(pairs, &nodes.masses, &nodes.rest_positions) {
            return false;
        }
        let rotations: Vec<_> =
            (0..nodes.masses.len()).map(|i| model.state.rotation(model.rest.slots[i] as usize)).collect();
        let plastic: Vec<_> =
            (0..nodes.masses.len()).map(|i| model.state.plastic(model.rest.slots[i] as usize)).collect();
        let yields = !model.state.plastic.is_empty();
        model.state =
            crate::model::regions::State::from_nodes(&rest.nodes, &rotations, yields.then_some(&plastic));
        let carriers = crate::model::lattice::skin::Carriers::new(&rest, &nodes.rest_positions);
        let binding = carriers.map_or_else(
            || self.rest.binding.clone(),
            |carriers| Binding::to_cells(&self.rest.mesh.positions, &carriers),
        );
        let rest = Arc::new(rest);
        model.rest = rest.clone();
        self.rest =
            Arc::new(BodyRest { binding, model: ModelRest::Lattice(rest), ..BodyRest::clone(&self.rest) });
        self.refresh();
        true
    }
}

/// Positions, velocities and regions of the nodes after a change.
fn carry_over(
    model: &mut Octree,
    rest: &NodeRest,
    nodes: &NodeState,
    now: &octree::Rest,
    resampled: &Renumbering,
) -> (NodeState, crate::model::regions::State) {
    let gradients = octree::velocity_gradients(model, rest, nodes);
    let count = now.places.len();
    let mut next = NodeState { origin: nodes.origin, ..NodeState::default() };
    let mut binder = Binder::default();
    let (mut rotations, mut plastic) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for node in 0..count {
        let (position, velocity, like) = match (resampled.kept.before[node], resampled.from_parent[node]) {
            (Some(was), _) => (nodes.positions[was as usize], nodes.velocities[was as usize], was),
            (None, Some(parent)) => {
                // As the skin would go there: where two cells meet, their children agree.
                let place = now.places[node];
                let (mut position, mut velocity) = (Vec3::ZERO, Vec3::ZERO);
                for bond in binder.carry(&*model.rest, parent, place).iter() {
                    let at = bond.node as usize;
                    let by = place - rest.rest_positions[at];
                    position += bond.weight * (nodes.positions[at] + model.node_map(at) * by);
                    velocity += bond.weight * (nodes.velocities[at] + gradients[at / 8].get(at % 8) * by);
                }
                (position, velocity, parent)
            }
            (None, None) => {
                let children = resampled.from_children.of(node);
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
        rotations.push(model.state.rotation(like as usize));
        plastic.push(model.state.plastic(like as usize));
    }
    let yields = !model.state.plastic.is_empty();
    (next, crate::model::regions::State::from_nodes(&now.nodes, &rotations, yields.then_some(&plastic)))
}

/// Centre of mass, linear and angular momentum of a body.
pub(super) struct Momentum {
    centre: DVec3,
    velocity: DVec3,
    angular: DVec3,
}

impl Momentum {
    pub fn of(rest: &NodeRest, nodes: &NodeState) -> Self {
        let (centre, velocity) = rest.mean_motion(nodes);
        Self { centre, velocity, angular: rest.angular_momentum(nodes) }
    }

    /// Gives nodes that have nearly this motion exactly this motion.
    pub fn restore(&self, rest: &NodeRest, nodes: &mut NodeState) {
        let now = Self::of(rest, nodes);
        let shift = (self.centre - now.centre).as_vec3();
        let mut second = DMat3::ZERO;
        for (x, &m) in nodes.positions.iter().zip(&rest.masses) {
            let p = x.as_dvec3() - now.centre;
            second += DMat3::from_cols(p * p.x, p * p.y, p * p.z) * f64::from(m);
        }
        let turn = momentum::turn_of(second, self.angular - now.angular);
        let faster = self.velocity - now.velocity;
        for (x, v) in nodes.positions.iter_mut().zip(&mut nodes.velocities) {
            let change = faster + turn.cross(x.as_dvec3() - now.centre);
            if change.is_finite() {
                *v += change.as_vec3();
            }
            if shift.is_finite() {
                *x += shift;
            }
        }
    }
}
