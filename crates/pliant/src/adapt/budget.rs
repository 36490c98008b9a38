//! What a frame may cost.

use crate::body::Body;
use serde::{Deserialize, Serialize};

/// What a frame may cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Budget {
    /// Simulated nodes of all bodies together. The same on every machine.
    Nodes(u32),
    /// Wall-clock milliseconds of a step: as many nodes as this machine can move in that time, and changes of nodes only as far
    /// as there is time left for them. Runs differ.
    Millis(f32),
}

/// How much work bodies are, and how many nodes they have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Of bodies whose nodes can change.
    pub(super) adaptive: Work,
    /// Of all others.
    pub(super) fixed: Work,
    /// Work of those that are awake.
    pub(super) awake: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Work {
    pub work: f64,
    pub nodes: usize,
}

impl Load {
    /// That of some bodies. Those that are disabled are none.
    pub fn of<'a>(bodies: impl IntoIterator<Item = &'a Body>) -> Self {
        let mut load = Self::default();
        for body in bodies.into_iter().filter(|body| body.enabled) {
            let work = body.model.work();
            let part = if body.model.adapt().is_some() { &mut load.adaptive } else { &mut load.fixed };
            part.work += work;
            part.nodes += body.nodes.positions.len();
            load.awake += if body.is_asleep() { 0.0 } else { work };
        }
        load
    }

    /// Work of the bodies that are awake.
    pub(crate) fn awake(&self) -> f64 {
        self.awake
    }

    /// Simulated nodes.
    pub fn nodes(&self) -> usize {
        self.adaptive.nodes + self.fixed.nodes
    }
}

/// What it takes to change a body's nodes, in the units of [`Simulate::work`](crate::model::Simulate::work).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ChangeWork {
    /// For the first cell: what has to be made anew for the whole body.
    pub body: f64,
    /// For each cell that is divided or joined with its siblings.
    pub cell: f64,
}

impl ChangeWork {
    /// Measured on bodies of 32 to 9000 nodes, to a factor of two; what it really takes is learned as a multiple of it. Most of it
    /// is what the first cell costs.
    pub fn of(body: &Body) -> Self {
        let (nodes, vertices) = (body.nodes.positions.len() as f64, body.skin().positions.len() as f64);
        let work = body.model.work();
        Self { body: 8.0 * work + 300.0 * vertices, cell: 200.0 * work / nodes.max(1.0) }
    }
}
